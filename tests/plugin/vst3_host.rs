//! The same plugin as VST3, in a small host that makes the standard's own calls: keys, knobs and note expression
//! arrive, and what is heard is what CLAP plays, to the bit.
#![allow(clippy::unnecessary_cast, reason = "the standard's numbers have a sign on Windows")]

use std::ptr::null_mut;

use asperity::instrument::parameters::{Param, TABLE};
use clack_host::events::event_types::NoteExpressionType;
use vst3::Steinberg::Vst::Event_::EventTypes_;
use vst3::Steinberg::Vst::NoteExpressionTypeIDs_::*;
use vst3::Steinberg::Vst::ProcessModes_::kRealtime;
use vst3::Steinberg::Vst::SymbolicSampleSizes_::kSample32;
use vst3::Steinberg::Vst::*;
use vst3::Steinberg::{
    IPluginBaseTrait, IPluginFactory, IPluginFactoryTrait, PClassInfo, int32, kInvalidArgument,
    kNotImplemented, kResultOk, tresult,
};
use vst3::{Class, ComPtr, ComWrapper};

use crate::events::What;
use crate::host::{Rack, rms};

const BLOCK: usize = 256;

/// Notes and their expressions of one block.
struct Score(Vec<Event>);

impl Class for Score {
    type Interfaces = (IEventList,);
}

impl IEventListTrait for Score {
    unsafe fn getEventCount(&self) -> int32 {
        self.0.len() as int32
    }

    unsafe fn getEvent(&self, index: int32, event: *mut Event) -> tresult {
        let Some(found) = self.0.get(index as usize) else { return kInvalidArgument };
        // SAFETY: the plugin gives room for one event.
        unsafe { *event = *found };
        kResultOk
    }

    unsafe fn addEvent(&self, _: *mut Event) -> tresult {
        kNotImplemented
    }
}

/// One knob turned once in a block.
struct Lane {
    id: ParamID,
    frame: int32,
    share: f64,
}

impl Class for Lane {
    type Interfaces = (IParamValueQueue,);
}

impl IParamValueQueueTrait for Lane {
    unsafe fn getParameterId(&self) -> ParamID {
        self.id
    }

    unsafe fn getPointCount(&self) -> int32 {
        1
    }

    unsafe fn getPoint(&self, _: int32, frame: *mut int32, share: *mut ParamValue) -> tresult {
        // SAFETY: the plugin gives room for both.
        unsafe { (*frame, *share) = (self.frame, self.share) };
        kResultOk
    }

    unsafe fn addPoint(&self, _: int32, _: ParamValue, _: *mut int32) -> tresult {
        kNotImplemented
    }
}

/// All knobs turned in a block.
struct Lanes(Vec<ComPtr<IParamValueQueue>>);

impl Class for Lanes {
    type Interfaces = (IParameterChanges,);
}

impl IParameterChangesTrait for Lanes {
    unsafe fn getParameterCount(&self) -> int32 {
        self.0.len() as int32
    }

    unsafe fn getParameterData(&self, index: int32) -> *mut IParamValueQueue {
        self.0.get(index as usize).map_or(null_mut(), ComPtr::as_ptr)
    }

    unsafe fn addParameterData(&self, _: *const ParamID, _: *mut int32) -> *mut IParamValueQueue {
        null_mut()
    }
}

struct Rack3 {
    component: ComPtr<IComponent>,
    processor: ComPtr<IAudioProcessor>,
}

impl Rack3 {
    /// Active at 48 kHz.
    fn playing() -> Self {
        // SAFETY: calls as the standard has them, on a factory of this very program.
        unsafe {
            let factory = asperity::plugin::GetPluginFactory().cast::<IPluginFactory>();
            let factory = ComPtr::from_raw(factory).unwrap();
            let mut class: PClassInfo = std::mem::zeroed();
            assert_eq!(factory.getClassInfo(0, &raw mut class), kResultOk);
            let mut object = null_mut();
            let made = factory.createInstance(class.cid.as_ptr(), IComponent_iid.as_ptr(), &raw mut object);
            assert_eq!(made, kResultOk);
            let component = ComPtr::from_raw(object.cast::<IComponent>()).unwrap();
            assert_eq!(component.initialize(null_mut()), kResultOk);
            let processor = component.cast::<IAudioProcessor>().unwrap();
            let mut setup = ProcessSetup {
                processMode: kRealtime as int32,
                symbolicSampleSize: kSample32 as int32,
                maxSamplesPerBlock: BLOCK as int32,
                sampleRate: 48_000.0,
            };
            assert_eq!(processor.setupProcessing(&raw mut setup), kResultOk);
            assert_eq!(component.setActive(1), kResultOk);
            processor.setProcessing(1);
            Self { component, processor }
        }
    }

    fn controller(&self) -> ComPtr<IEditController> {
        self.component.cast().unwrap()
    }

    /// The number that the host has for a parameter.
    fn id(&self, param: Param) -> ParamID {
        // SAFETY: a call as the standard has it, with room for what is asked.
        unsafe {
            let mut info: ParameterInfo = std::mem::zeroed();
            let index = param.index() as int32;
            assert_eq!(self.controller().getParameterInfo(index, &raw mut info), kResultOk);
            info.id
        }
    }

    /// Blocks of one length; the events' and knobs' frames count from the start of the run.
    fn run(&self, frames: usize, events: &[Event], knobs: &[(usize, Param, f64)]) -> [Vec<f32>; 2] {
        let mut sound = [vec![0.0f32; frames], vec![0.0f32; frames]];
        for start in (0..frames).step_by(BLOCK) {
            let count = BLOCK.min(frames - start);
            let within = |frame: usize| (start..start + count).contains(&frame);
            let mut score: Vec<Event> =
                events.iter().copied().filter(|event| within(event.sampleOffset as usize)).collect();
            for event in &mut score {
                event.sampleOffset -= start as int32;
            }
            let lanes = knobs.iter().filter(|knob| within(knob.0)).map(|&(frame, param, share)| {
                let lane = Lane { id: self.id(param), frame: (frame - start) as int32, share };
                ComWrapper::new(lane).to_com_ptr::<IParamValueQueue>().unwrap()
            });
            let lanes = ComWrapper::new(Lanes(lanes.collect())).to_com_ptr::<IParameterChanges>().unwrap();
            let score = ComWrapper::new(Score(score)).to_com_ptr::<IEventList>().unwrap();
            let mut channels = sound.each_mut().map(|channel| channel[start..].as_mut_ptr());
            // SAFETY: every pointer outlives the call, and both channels have `count` samples of room.
            unsafe {
                let mut output: AudioBusBuffers = std::mem::zeroed();
                output.numChannels = 2;
                output.__field0.channelBuffers32 = channels.as_mut_ptr();
                let mut data: ProcessData = std::mem::zeroed();
                data.processMode = kRealtime as int32;
                data.symbolicSampleSize = kSample32 as int32;
                data.numSamples = count as int32;
                data.numOutputs = 1;
                data.outputs = &raw mut output;
                data.inputParameterChanges = lanes.as_ptr();
                data.inputEvents = score.as_ptr();
                assert_eq!(self.processor.process(&raw mut data), kResultOk);
            }
        }
        sound
    }
}

impl Drop for Rack3 {
    fn drop(&mut self) {
        // SAFETY: the way back, as the standard has it.
        unsafe {
            self.processor.setProcessing(0);
            self.component.setActive(0);
            self.component.terminate();
        }
    }
}

fn event(frame: usize, kind: u32, what: Event__type0) -> Event {
    // SAFETY: numbers alone, for which zero is a value.
    let empty: Event = unsafe { std::mem::zeroed() };
    Event { sampleOffset: frame as int32, r#type: kind as u16, __field0: what, ..empty }
}

fn on(frame: usize, key: i16, id: i32, velocity: f32) -> Event {
    let note = NoteOnEvent { channel: 0, pitch: key, tuning: 0.0, velocity, length: 0, noteId: id };
    event(frame, EventTypes_::kNoteOnEvent as u32, Event__type0 { noteOn: note })
}

fn off(frame: usize, key: i16, id: i32) -> Event {
    let note = NoteOffEvent { channel: 0, pitch: key, velocity: 0.0, noteId: id, tuning: 0.0 };
    event(frame, EventTypes_::kNoteOffEvent as u32, Event__type0 { noteOff: note })
}

fn express(frame: usize, kind: u32, id: i32, value: f64) -> Event {
    let said = NoteExpressionValueEvent { typeId: kind, noteId: id, value };
    event(frame, EventTypes_::kNoteExpressionValueEvent as u32, Event__type0 { noteExpressionValue: said })
}

fn press(frame: usize, id: i32, pressure: f32) -> Event {
    let said = PolyPressureEvent { channel: 0, pitch: 60, pressure, noteId: id };
    event(frame, EventTypes_::kPolyPressureEvent as u32, Event__type0 { polyPressure: said })
}

#[test]
fn keys_and_knobs_sound_as_in_clap_to_the_bit() {
    let (frames, share) = (9600, 0.7);
    let rack = Rack3::playing();
    let events = [on(3, 60, 1, 0.75), on(701, 67, 2, 0.5), off(3001, 60, 1)];
    let heard = rack.run(frames, &events, &[(1501, Param::Ra, share), (6000, Param::P1Pan, 1.0)]);
    let mut clap = Rack::playing();
    let events = [
        (3, What::On(60, 1, 0.75)),
        (701, What::On(67, 2, 0.5)),
        (1501, What::Turn(Param::Ra, share)),
        (3001, What::Off(60)),
        (6000, What::Turn(Param::P1Pan, 1.0)),
    ];
    let expected = clap.run(frames, &[BLOCK], &events);
    assert!(rms(&expected[0]) > 1e-5);
    assert!(heard == expected);
    // SAFETY: a call without arguments.
    assert_eq!(unsafe { rack.processor.getLatencySamples() }, clap.latency());
}

/// What each says to a note is what CLAP's expression of the same name says.
#[test]
fn note_expressions_reach_the_note_they_are_meant_for() {
    let play = |said: &[Event]| Rack3::playing().run(4800, &[&[on(0, 60, 1, 0.75)], said].concat(), &[]);
    let plain = play(&[]);
    type Say = fn(i32) -> Event;
    let all: [(Say, NoteExpressionType, f64); 6] = [
        (|id| express(1000, kVolumeTypeID as u32, id, 0.125), NoteExpressionType::Volume, 0.5),
        (|id| express(1000, kPanTypeID as u32, id, 1.0), NoteExpressionType::Pan, 1.0),
        (|id| express(1000, kTuningTypeID as u32, id, 0.75), NoteExpressionType::Tuning, 60.0),
        (|id| express(1000, kExpressionTypeID as u32, id, 0.5), NoteExpressionType::Expression, 0.5),
        (|id| express(1000, kBrightnessTypeID as u32, id, 1.0), NoteExpressionType::Brightness, 1.0),
        (|id| press(1000, id, 1.0), NoteExpressionType::Pressure, 1.0),
    ];
    for (say, known, value) in all {
        let heard = play(&[say(1)]);
        assert!(heard != plain, "{known:?}");
        assert!(play(&[say(9)]) == plain, "{known:?} of another note");
        let events = [(0, What::On(60, 1, 0.75)), (1000, What::Express(known, 1, value))];
        assert!(heard == Rack::playing().run(4800, &[BLOCK], &events), "{known:?}");
    }
}

#[test]
fn hosts_list_no_parameter_more_than_the_table_has() {
    let rack = Rack3::playing();
    // SAFETY: calls without pointers.
    let (count, expressions) = unsafe {
        let expressions: ComPtr<INoteExpressionController> = rack.component.cast().unwrap();
        (rack.controller().getParameterCount(), expressions.getNoteExpressionCount(0, 0))
    };
    let hidden = if cfg!(feature = "vst3-controllers") { 2080 } else { 0 };
    assert_eq!(count as usize, TABLE.len() + hidden);
    assert!(expressions >= 5, "{expressions}");
}
