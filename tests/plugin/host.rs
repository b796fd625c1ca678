//! A small CLAP host, independent of the framework: one instance, events at exact samples, states as bytes.

use asperity::instrument::parameters::Param;
use clack_extensions::gui::{GuiSize, HostGui, HostGuiImpl};
use clack_extensions::latency::PluginLatency;
use clack_extensions::params::{ParamInfoBuffer, PluginParams};
use clack_extensions::render::{PluginRender, RenderMode};
use clack_extensions::state::PluginState;
use clack_extensions::tail::{PluginTail, TailLength};
use clack_host::events::Match;
use clack_host::prelude::*;
use clack_host::utils::ClapId;

use crate::events::{At, What, push};

/// The host side of the plugin's calls; none matters to a test.
pub struct Silent;

impl SharedHandler<'_> for Silent {
    fn request_restart(&self) {}
    fn request_process(&self) {}
    fn request_callback(&self) {}
}

pub struct Handlers;

impl HostHandlers for Handlers {
    type Shared<'a> = Silent;
    type MainThread<'a> = ();
    type AudioProcessor<'a> = ();

    fn declare_extensions(builder: &mut HostExtensions<Self>, _: &Silent) {
        builder.register::<HostGui>();
    }
}

/// Windows are as large as the test makes them.
impl HostGuiImpl for Silent {
    fn resize_hints_changed(&self) {}

    fn request_resize(&self, _: GuiSize) -> Result<(), HostError> {
        Err(HostError::Message("the test decides"))
    }

    fn request_show(&self) -> Result<(), HostError> {
        Ok(())
    }

    fn request_hide(&self) -> Result<(), HostError> {
        Ok(())
    }

    fn closed(&self, _: bool) {}
}

pub struct Rack {
    pub instance: PluginInstance<Handlers>,
    processor: Option<StartedPluginAudioProcessor<Handlers>>,
    ids: Vec<(ClapId, f64)>,
    ports: AudioPorts,
    inputs: EventBuffer,
    outputs: EventBuffer,
    block: [Vec<f32>; 2],
    /// Keys and frames of notes that ended, as the plugin reported them.
    pub ended: Vec<(usize, u32)>,
    pub status: Option<ProcessStatus>,
}

/// The entry of the library that this test is linked with, or of the file that ASPERITY_CLAP names.
pub fn entry() -> PluginEntry {
    match std::env::var_os("ASPERITY_CLAP") {
        // SAFETY: the file is a bundle of this very project.
        Some(path) => unsafe { PluginEntry::load(path) }.unwrap(),
        // SAFETY: a static of this very program.
        None => {
            unsafe { PluginEntry::load_from_raw(&asperity::plugin::clap_entry, c"asperity.clap") }.unwrap()
        }
    }
}

impl Rack {
    /// Created, not yet active.
    pub fn new() -> Self {
        Self::of(&entry())
    }

    /// An instance from this entry.
    pub fn of(entry: &PluginEntry) -> Self {
        let host = HostInfo::new("Asperity's tests", "Asperity", "", "1").unwrap();
        let mut instance =
            PluginInstance::<Handlers>::new(|_| Silent, |_| (), entry, c"org.asperity.asperity", &host)
                .unwrap();
        let handle = instance.plugin_handle();
        let params: PluginParams = handle.get_extension().unwrap();
        let ids = (0..params.count(&handle))
            .map(|index| {
                let mut buffer = ParamInfoBuffer::new();
                let info = params.get_info(&handle, index, &mut buffer).unwrap();
                (info.id, info.max_value)
            })
            .collect();
        Self {
            instance,
            processor: None,
            ids,
            ports: AudioPorts::with_capacity(2, 1),
            inputs: EventBuffer::with_capacity(4096),
            outputs: EventBuffer::with_capacity(4096),
            block: [Vec::new(), Vec::new()],
            ended: Vec::with_capacity(4096),
            status: None,
        }
    }

    /// Active at 48 kHz.
    pub fn playing() -> Self {
        let mut rack = Self::new();
        rack.activate(48_000.0, 4096);
        rack
    }

    pub fn activate(&mut self, rate_hz: f64, longest_block: u32) {
        self.deactivate();
        let configuration = PluginAudioConfiguration {
            sample_rate: rate_hz,
            min_frames_count: 1,
            max_frames_count: longest_block,
        };
        let stopped = self.instance.activate(|_, ()| (), configuration).unwrap();
        self.processor = Some(stopped.start_processing().unwrap());
        self.block = [vec![0.0; longest_block as usize], vec![0.0; longest_block as usize]];
    }

    pub fn deactivate(&mut self) {
        if let Some(processor) = self.processor.take() {
            self.instance.deactivate(processor.stop_processing());
        }
    }

    pub fn reset(&mut self) {
        self.processor.as_mut().unwrap().reset();
    }

    pub fn parameters(&self) -> usize {
        self.ids.len()
    }

    /// The id and the largest value that the host knows for a parameter.
    pub fn id(&self, param: Param) -> (ClapId, f64) {
        self.ids[param.index()]
    }

    pub fn value(&mut self, param: Param) -> f64 {
        let (id, most) = self.id(param);
        let handle = self.instance.plugin_handle();
        let params: PluginParams = handle.get_extension().unwrap();
        params.get_value(&handle, id).unwrap() / most
    }

    /// Turns a knob while nothing is processed.
    pub fn turn(&mut self, param: Param, share: f64) {
        self.inputs.clear();
        push(&mut self.inputs, &self.ids, 0, What::Turn(param, share));
        let handle = self.instance.plugin_handle();
        let params: PluginParams = handle.get_extension().unwrap();
        let mut handle = self.instance.inactive_plugin_handle().unwrap();
        params.flush(&mut handle, &self.inputs.as_input(), &mut self.outputs.as_output());
    }

    pub fn latency(&mut self) -> u32 {
        let handle = self.instance.plugin_handle();
        handle.get_extension::<PluginLatency>().unwrap().get(&handle)
    }

    pub fn tail(&mut self) -> TailLength {
        let handle = self.processor.as_mut().unwrap().plugin_handle();
        handle.get_extension::<PluginTail>().unwrap().get(&handle)
    }

    pub fn set_offline(&mut self, offline: bool) {
        let mode = if offline { RenderMode::Offline } else { RenderMode::Realtime };
        let handle = self.instance.plugin_handle();
        handle.get_extension::<PluginRender>().unwrap().set(&handle, mode).unwrap();
    }

    pub fn save(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let handle = self.instance.plugin_handle();
        handle.get_extension::<PluginState>().unwrap().save(&handle, &mut bytes).unwrap();
        bytes
    }

    /// Whether the plugin took the state.
    pub fn load(&mut self, mut bytes: &[u8]) -> bool {
        let handle = self.instance.plugin_handle();
        handle.get_extension::<PluginState>().unwrap().load(&handle, &mut bytes).is_ok()
    }

    /// A state as the framework writes it: its length, then JSON.
    pub fn load_json(&mut self, json: &[u8]) -> bool {
        let mut bytes = (json.len() as u64).to_le_bytes().to_vec();
        bytes.extend(json);
        self.load(&bytes)
    }

    /// One block; its events' frames count from its start. Allocates nothing of its own once warm.
    pub fn block(&mut self, frames: usize, events: &[At]) -> [&[f32]; 2] {
        self.inputs.clear();
        self.outputs.clear();
        for (frame, what) in events {
            push(&mut self.inputs, &self.ids, *frame as u32, *what);
        }
        let channels = self.block.iter_mut().map(|channel| &mut channel[..frames]);
        let mut audio = self.ports.with_output_buffers([AudioPortBuffer {
            latency: 0,
            channels: AudioPortBufferType::f32_output_only(channels),
        }]);
        let status = self.processor.as_mut().unwrap().process(
            &InputAudioBuffers::empty(),
            &mut audio,
            &self.inputs.as_input(),
            &mut self.outputs.as_output(),
            None,
            None,
        );
        self.status = Some(status.unwrap());
        for event in self.outputs.iter() {
            if let Some(clack_host::events::spaces::CoreEventSpace::NoteEnd(end)) = event.as_core_event()
                && let Match::Specific(id) = end.pckn().note_id
                && self.ended.len() < self.ended.capacity()
            {
                self.ended.push((event.header().time() as usize, id));
            }
        }
        self.block.each_ref().map(|channel| &channel[..frames])
    }

    /// A whole run in blocks of the lengths that `pattern` repeats.
    pub fn run(&mut self, frames: usize, pattern: &[usize], events: &[At]) -> [Vec<f32>; 2] {
        let mut sound = [Vec::with_capacity(frames), Vec::with_capacity(frames)];
        let mut lengths = pattern.iter().cycle();
        let mut at = 0;
        while at < frames {
            let count = (*lengths.next().unwrap()).min(frames - at);
            let within: Vec<At> = events
                .iter()
                .filter(|(frame, _)| (at..at + count).contains(frame))
                .map(|(frame, what)| (frame - at, *what))
                .collect();
            let ends = self.ended.len();
            let block = self.block(count, &within).map(<[f32]>::to_vec);
            for (whole, part) in sound.iter_mut().zip(&block) {
                whole.extend(part);
            }
            for end in &mut self.ended[ends..] {
                end.0 += at;
            }
            at += count;
        }
        sound
    }
}

impl Drop for Rack {
    fn drop(&mut self) {
        self.deactivate();
    }
}

pub fn rms(sound: &[f32]) -> f64 {
    (sound.iter().map(|sample| f64::from(*sample).powi(2)).sum::<f64>() / sound.len().max(1) as f64).sqrt()
}

pub fn peak(sound: &[f32]) -> f32 {
    sound.iter().fold(0.0, |most, sample| most.max(sample.abs()))
}
