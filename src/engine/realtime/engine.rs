//! All voices and the way out: voices are summed per pick-up at the inner rate, then
//! decimated to the host's.
//!
//! Time is cut into chunks counted from reset, so a host's block size decides nothing. `new` allocates;
//! `process`, `reset` and all setters never do, nor do they lock. Surfaces are handed over with
//! [`Engine::offer`] and the old ones handed back by [`Engine::take_retired`], so none is freed here.

use super::body::BodyControls;
use super::chunk::{Chunk, Part, Settle};
use super::control::Controls;
use super::lanes::Path;
use super::outlet::{Lower, Mix, Outlets};
use super::pass::MAX_PICKUPS;
use super::pause::Pause;
use super::pickups::Place;
use super::quality::Quality;
use super::ramp::Ramp;
use super::stage::Stage;
use super::surfaces::Surfaces;
use super::voice::{CHUNK, Ground, Voice};
use crate::error::Error;
use crate::record::Quantity;
use crate::scene::{Pickup, Scene};
use std::sync::Arc;

/// Time that new surfaces take to fade in, s.
pub const FADE_S: f64 = 0.2;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    pub host_rate_hz: f64,
    pub quality: Quality,
    pub voices: usize,
    pub path: Path,
}

impl Default for Settings {
    fn default() -> Self {
        Self { host_rate_hz: 48_000.0, quality: Quality::Live, voices: 1, path: Path::Wide }
    }
}

/// What the engine needs to know of a scene's pick-up.
pub(super) fn place_of(pickup: &Pickup) -> Place {
    Place { position_m: pickup.position_m, quantity: pickup.quantity, distance_m: pickup.distance_m }
}

pub struct Engine {
    settings: Settings,
    factor: usize,
    chunk: usize,
    /// The scene's own bodies: where every voice goes back to.
    first: BodyControls,
    pub(super) parts: Vec<Part>,
    surfaces: Arc<Surfaces>,
    incoming: Option<Arc<Surfaces>>,
    fade_chunks: u32,
    retired: Option<Arc<Surfaces>>,
    pub(super) outlets: Outlets,
}

impl Engine {
    pub fn new(scene: &Scene, settings: Settings) -> Result<Self, Error> {
        Self::with_surfaces(scene, settings, Arc::new(Surfaces::new(scene)?))
    }

    /// With surfaces made beforehand, shared with other engines.
    pub fn with_surfaces(scene: &Scene, settings: Settings, surfaces: Arc<Surfaces>) -> Result<Self, Error> {
        let factor = settings.quality.factor(settings.host_rate_hz)?;
        let step_s = 1.0 / (settings.host_rate_hz * factor as f64);
        // Hosts' blocks are powers of two: so are chunks, counted in the host's samples.
        let chunk = (1 << (CHUNK / factor).ilog2()) * factor;
        let tick_s = chunk as f64 * step_s;
        let places: Vec<Place> = scene.pickups.iter().take(MAX_PICKUPS).map(place_of).collect();
        let first = BodyControls::new(&scene.resonator, &scene.slider, &places, tick_s);
        let outlets = Outlets::new(&places, settings.host_rate_hz, factor, chunk);
        let stage = Stage::new(scene.resonator, scene.slider, places, step_s);
        let parts = (0..settings.voices.max(1))
            .map(|_| Part {
                voice: Voice::new(scene, &stage, &surfaces, tick_s),
                stage: stage.clone(),
                body: first,
                asleep: false,
                fade: 1.0,
                pause: Pause::default(),
                pan: Ramp::linear(0.0, tick_s),
            })
            .collect();
        let mut engine = Self {
            settings,
            factor,
            chunk,
            first,
            parts,
            surfaces,
            incoming: None,
            fade_chunks: 0,
            retired: None,
            outlets,
        };
        engine.reset();
        Ok(engine)
    }

    /// As new, but for surfaces that were faded in since: those stay. All controls go back to the scene's.
    pub fn reset(&mut self) {
        if let Some(incoming) = self.incoming.take() {
            self.retired = Some(std::mem::replace(&mut self.surfaces, incoming));
        }
        self.fade_chunks = 0;
        self.outlets.reset();
        for part in &mut self.parts {
            part.body = self.first;
            part.pan.jump(0.0);
            part.voice.clear();
        }
        for voice in 0..self.parts.len() {
            self.put_down(voice);
        }
    }

    /// Begins a voice anew `offset_m` along the texture: at rest, its slider down, its bodies and controls
    /// at once where they were last set.
    pub fn start(&mut self, voice: usize, offset_m: f64) {
        if let Some(part) = self.parts.get_mut(voice) {
            part.body.arrive();
            part.pan.jump(part.pan.target());
            part.voice.start(offset_m);
            self.put_down(voice);
        }
    }

    /// Silences a voice at once, its slider lifted; it costs nothing until it starts or lands.
    pub fn rest(&mut self, voice: usize) {
        if let Some(part) = self.parts.get_mut(voice) {
            part.voice.hush();
            part.asleep = true;
        }
    }

    /// A voice that is silent and costs nothing.
    pub fn is_asleep(&self, voice: usize) -> bool {
        self.parts.get(voice).is_none_or(|part| part.asleep)
    }

    /// Writes a voice's bodies and puts its slider down.
    fn put_down(&mut self, voice: usize) {
        let Some(part) = self.parts.get_mut(voice) else { return };
        part.asleep = false;
        part.fade = 1.0;
        part.pause = Pause::default();
        part.body.write(&mut part.stage);
        part.body.write_places(&mut part.stage);
        part.stage.refill();
        part.stage.fill_taps();
        part.stage.settle_taps();
        let to = self.incoming.as_deref().map(|incoming| (incoming, self.fade_angle()));
        let ground = Ground { from: &self.surfaces, to };
        let parts = self.parts.get_mut(voice..=voice).unwrap_or_default();
        self.settings.path.run(Settle { ground: &ground, parts });
    }

    /// How far the fade to new surfaces is, 0 … π/2.
    fn fade_angle(&self) -> f32 {
        let chunks = FADE_S * self.inner_rate_hz() / self.chunk as f64;
        (f64::from(self.fade_chunks) / chunks).min(1.0) as f32 * std::f32::consts::FRAC_PI_2
    }

    pub fn inner_rate_hz(&self) -> f64 {
        self.settings.host_rate_hz * self.factor as f64
    }

    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Modes of a voice that stand still at present, see `modes`.
    pub fn still_modes(&self, voice: usize) -> usize {
        self.parts.get(voice).map_or(0, |part| part.stage.table.still)
    }

    /// Delay of the way out, in host samples.
    pub fn latency_samples(&self) -> usize {
        self.outlets.latency()
    }

    pub fn pickups(&self) -> usize {
        self.outlets.len()
    }

    pub fn voices(&self) -> usize {
        self.parts.len()
    }

    /// Controls of one voice; changes take effect with the next chunk.
    pub fn controls(&mut self, voice: usize) -> Option<&mut Controls> {
        self.parts.get_mut(voice).map(|part| &mut part.voice.controls)
    }

    /// Bodies and pick-ups of one voice; changes take effect with the next chunk.
    pub fn body(&mut self, voice: usize) -> Option<&mut BodyControls> {
        self.parts.get_mut(voice).map(|part| &mut part.body)
    }

    /// Pans one voice against the others, -1 left to 1 right; heard in the leans of [`Engine::process_wide`].
    pub fn set_pan(&mut self, voice: usize, pan: f64) {
        if let Some(part) = self.parts.get_mut(voice) {
            part.pan.set(pan, (-1.0, 1.0));
        }
    }

    /// Node distance that surfaces offered to this engine must have; see [`Surfaces::on_grid`].
    pub fn grid_m(&self) -> f64 {
        self.surfaces.bottom.step_m
    }

    /// New surfaces, faded in over [`FADE_S`]. Handed back when another fade is still running, the last
    /// retired ones have not been taken, or their nodes lie differently.
    pub fn offer(&mut self, surfaces: Arc<Surfaces>) -> Result<(), Arc<Surfaces>> {
        let fits = (surfaces.bottom.step_m / self.grid_m() - 1.0).abs() < 1e-6;
        if !fits || self.incoming.is_some() || self.retired.is_some() {
            return Err(surfaces);
        }
        self.incoming = Some(surfaces);
        self.fade_chunks = 0;
        Ok(())
    }

    /// Surfaces no longer in use, to be freed elsewhere.
    pub fn take_retired(&mut self) -> Option<Arc<Surfaces>> {
        self.retired.take()
    }

    /// Fills one slice per pick-up with the same number of samples, in SI units.
    pub fn process(&mut self, outputs: &mut [&mut [f32]]) {
        self.process_wide(outputs, &mut []);
    }

    /// The same with a lean for each pick-up: left hears output plus lean, right output minus lean.
    pub fn process_wide(&mut self, outputs: &mut [&mut [f32]], leans: &mut [&mut [f32]]) {
        let frames = outputs.iter().chain(&*leans).map(|out| out.len()).min().unwrap_or(0);
        let mut done = 0;
        while done < frames {
            if self.outlets.waiting() == 0 {
                self.advance();
            }
            let count = self.outlets.waiting().min(frames - done);
            self.outlets.take(outputs, leans, done, count);
            done += count;
        }
    }

    /// One chunk of everything.
    fn advance(&mut self) {
        let mut mix = Mix::silence();
        if self.incoming.is_some() {
            self.fade_chunks += 1;
        }
        let angle = self.fade_angle();
        let to = self.incoming.as_deref().map(|incoming| (incoming, angle));
        let ground = Ground { from: &self.surfaces, to };
        let parts = &mut self.parts;
        self.settings.path.run(Chunk { ground: &ground, parts, steps: self.chunk, mix: &mut mix });
        if angle >= std::f32::consts::FRAC_PI_2
            && let Some(incoming) = self.incoming.take()
        {
            self.retired = Some(std::mem::replace(&mut self.surfaces, incoming));
        }
        self.settings.path.run(Lower { outlets: &mut self.outlets, mix: &mix, steps: self.chunk });
    }

    /// What pick-up `index` reads.
    pub fn quantity(&self, index: usize) -> Option<Quantity> {
        self.outlets.quantity(index)
    }

    /// Leaves everything so far out of the level and the largest force.
    pub fn skip(&mut self) {
        for part in &mut self.parts {
            part.voice.books.forget_level();
            if let Some(rub) = &mut part.voice.rub {
                rub.tally.clear();
            }
        }
    }

    /// Host samples between two changes of the controls.
    pub fn chunk_samples(&self) -> usize {
        self.chunk / self.factor
    }
}
