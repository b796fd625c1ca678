//! What a window sees of the instrument: figures some sixty times a second and the sound itself. The audio
//! thread writes to a triple buffer and a ring and never waits. Looking is all that a window has to do to be
//! shown something: when nobody has looked for half a second nothing is done at all.

use super::parameters::Param;
use super::patch::from_decibels;
use super::player::Instrument;
use super::rig::{DRONE, NOTE_VOICES};
use super::voice::State;
use crate::engine::realtime::{ContactView, Work};
use crate::record::{Quantity, RunFigures};
use crate::units::{VELOCITY_REFERENCE_M_S, decibels};
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// Pictures a second.
const PICTURES_HZ: f64 = 60.0;
/// Frames of sound that wait for a window; what it does not fetch in time is lost to it.
const SOUND_FRAMES: usize = 16_384;
/// Pictures that are made after somebody has looked.
const PATIENCE: u32 = 30;

/// The instrument at one moment.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// Counts up from picture to picture.
    pub number: u64,
    pub rate_hz: f64,
    pub latency_samples: usize,
    /// What a sample of 1.0 stands for on a velocity pick-up.
    pub full_scale_m_s: f64,
    /// Bodies that sound.
    pub sounding: usize,
    /// Largest share of a block's time that its computation took, since the last picture.
    pub cpu_share: f32,
    /// Deepest reduction of the limiter since the last picture, dB.
    pub reduction_db: f32,
    /// How often the guard has stepped in.
    pub guarded: u64,
    /// Of the body that is shown: the newest note, or the drone.
    pub body: Option<Body>,
    /// Surfaces, forces and shape of that body; old ones while nothing sounds.
    pub contact: ContactView,
}

/// One body and its contact since the last picture.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Body {
    /// Level of the velocity over the whole resonator, dB re 1 nm/s (Dang 2013, eq. 47).
    pub lv_db: f64,
    /// Share of the time with any contact.
    pub contact_share: f64,
    pub shocks_per_s: f64,
}

/// A window's end.
pub struct Viewer {
    pictures: triple_buffer::Output<Snapshot>,
    sound: Consumer<[f32; 2]>,
    /// Pictures that are still to be made.
    wanted: Arc<AtomicU32>,
}

impl Viewer {
    /// The newest picture; asks for more.
    pub fn look(&mut self) -> &Snapshot {
        self.wanted.store(PATIENCE, Ordering::Relaxed);
        self.pictures.read()
    }

    /// Sound since the last call, oldest frame first.
    pub fn listen(&mut self, mut each: impl FnMut([f32; 2])) {
        while let Ok(frame) = self.sound.pop() {
            each(frame);
        }
    }
}

/// The audio thread's end.
pub(super) struct Shown {
    pictures: triple_buffer::Input<Snapshot>,
    sound: Producer<[f32; 2]>,
    wanted: Arc<AtomicU32>,
    /// Frames until the next picture.
    wait: usize,
    number: u64,
    cpu_share: f32,
    sums: Sums,
}

/// Both ends.
pub(super) fn view() -> (Shown, Viewer) {
    let (pictures, seen) = triple_buffer::TripleBuffer::new(&Snapshot::default()).split();
    let (sound, heard) = RingBuffer::new(SOUND_FRAMES);
    let wanted = Arc::new(AtomicU32::new(0));
    let shown = Shown {
        pictures,
        sound,
        wanted: wanted.clone(),
        wait: 0,
        number: 0,
        cpu_share: 0.0,
        sums: Sums::default(),
    };
    (shown, Viewer { pictures: seen, sound: heard, wanted })
}

impl Shown {
    /// The time, if somebody looks.
    pub fn start(&self) -> Option<Instant> {
        (self.wanted.load(Ordering::Relaxed) > 0).then(Instant::now)
    }
}

impl Instrument {
    /// The end for a window; there is one.
    pub fn take_viewer(&mut self) -> Option<Viewer> {
        self.viewer.take()
    }

    /// What a sample of 1.0 stands for on a velocity pick-up.
    pub fn full_scale_m_s(&self) -> f64 {
        Quantity::Velocity.usual_full_scale() / from_decibels(self.values.get(Param::Gain))
    }

    /// The deepest reduction of the limiter since the last call, dB.
    fn take_reduction_db(&mut self) -> f64 {
        self.limiter.take_reduction_db()
    }

    /// How often the guard had to start a voice again, or silence what was no number.
    pub fn guarded(&self) -> u64 {
        self.rig.engine.restarts() + self.limiter.wild_samples()
    }

    /// Work done by all bodies since they were put down.
    pub fn work(&self) -> Work {
        let all = (0..self.rig.engine.voices()).map(|voice| self.rig.engine.work(voice));
        all.fold(Work::default(), Work::plus)
    }

    /// Bodies that sound.
    pub fn sounding(&self) -> usize {
        self.voices.iter().filter(|voice| !voice.is_free()).count()
    }

    /// A picture of the contact of the note that began last, or of the drone. Allocates nothing.
    pub fn view(&self, view: &mut ContactView) {
        let notes = self.voices[..NOTE_VOICES].iter().enumerate().filter(|(_, voice)| voice.is_active());
        let latest = notes.max_by_key(|(_, voice)| voice.age).map_or(DRONE, |(index, _)| index);
        self.rig.engine.view(latest, view);
    }

    /// After a block that began at `start`: its sound, and a picture when the time for one has come.
    pub(super) fn show(&mut self, start: Instant, left: &[f32], right: &[f32]) {
        let frames = left.len().min(right.len());
        for (left, right) in left.iter().zip(right) {
            // A window that does not listen misses it.
            let _ = self.shown.sound.push([*left, *right]);
        }
        let block_s = frames as f64 / self.setup.rate_hz;
        if frames > 0 {
            let share = (start.elapsed().as_secs_f64() / block_s) as f32;
            self.shown.cpu_share = self.shown.cpu_share.max(share);
        }
        if self.shown.wait > frames {
            self.shown.wait -= frames;
            return;
        }
        self.shown.wait = (self.setup.rate_hz / PICTURES_HZ) as usize;
        self.show_picture();
    }

    fn show_picture(&mut self) {
        let voice = self.shown_voice();
        let body = voice.map(|voice| self.shown_body(voice));
        let (rate_hz, latency_samples) = (self.setup.rate_hz, self.latency_samples());
        let (full_scale_m_s, sounding, guarded) = (self.full_scale_m_s(), self.sounding(), self.guarded());
        let reduction_db = self.take_reduction_db() as f32;
        let shown = &mut self.shown;
        let wanted = shown.wanted.load(Ordering::Relaxed);
        shown.wanted.store(wanted.saturating_sub(1), Ordering::Relaxed);
        shown.number += 1;
        let picture = shown.pictures.input_buffer_mut();
        picture.number = shown.number;
        picture.rate_hz = rate_hz;
        picture.latency_samples = latency_samples;
        picture.full_scale_m_s = full_scale_m_s;
        picture.sounding = sounding;
        picture.cpu_share = std::mem::take(&mut shown.cpu_share);
        picture.reduction_db = reduction_db;
        picture.guarded = guarded;
        picture.body = body;
        if let Some(voice) = voice {
            self.rig.engine.view(voice, &mut picture.contact);
        }
        shown.pictures.publish();
    }

    /// The newest note that is not fading out, or else the drone.
    fn shown_voice(&self) -> Option<usize> {
        let sounds = |voice: &usize| !matches!(self.voices[*voice].state, State::Free | State::Fading(_));
        let newest = (0..NOTE_VOICES).filter(sounds).max_by_key(|voice| self.voices[*voice].age);
        newest.or(Some(DRONE).filter(sounds))
    }

    /// What has happened to a voice since the last picture.
    fn shown_body(&mut self, voice: usize) -> Body {
        let figures = self.rig.engine.figures(voice);
        let new = Sums::of(voice, &figures);
        let old = std::mem::replace(&mut self.shown.sums, new);
        let goes_on = old.voice == voice && old.steps <= new.steps;
        let old = if goes_on { old } else { Sums::default() };
        let steps = (new.steps - old.steps).max(1) as f64;
        let v_rms_m_s = ((new.squares - old.squares) / steps).max(0.0).sqrt();
        let shocks = new.shocks.saturating_sub(old.shocks) as f64;
        let seconds = steps * figures.step_s;
        Body {
            lv_db: decibels(v_rms_m_s / VELOCITY_REFERENCE_M_S),
            contact_share: ((new.touched - old.touched) / steps).clamp(0.0, 1.0),
            shocks_per_s: if seconds > 0.0 { shocks / seconds } else { 0.0 },
        }
    }
}

/// A voice's figures as sums from its beginning, which two pictures can be told apart by.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    voice: usize,
    steps: u64,
    /// Of the mean square velocity.
    squares: f64,
    /// Steps with contact.
    touched: f64,
    shocks: u64,
}

impl Sums {
    fn of(voice: usize, figures: &RunFigures) -> Self {
        let steps = figures.steps as f64;
        Self {
            voice,
            steps: figures.steps,
            squares: figures.v_rms_m_s.powi(2) * steps,
            touched: figures.contact_fraction * steps,
            shocks: figures.shocks,
        }
    }
}
