//! All voices, the shared stage, and the way out: voices are summed per pick-up at the inner rate, then
//! decimated to the host's.
//!
//! Time is cut into chunks counted from reset, so a host's block size decides nothing. `new` allocates;
//! `process`, `reset` and all setters never do, nor do they lock. Surfaces are handed over with
//! [`Engine::offer`] and the old ones handed back by [`Engine::take_retired`], so none is freed here.

use super::books::modal_energy;
use super::control::Controls;
use super::decimate::Decimator;
use super::lanes::{Path, ROW, get, put};
use super::meet::Work;
use super::pass::MAX_PICKUPS;
use super::pickups::{HighPass, Place, kernel};
use super::quality::Quality;
use super::ramp::Ramp;
use super::stage::Stage;
use super::surfaces::Surfaces;
use super::voice::{CHUNK, Ground, Sound, Voice};
use crate::error::Error;
use crate::record::{EnergyLedger, Quantity, RunFigures};
use crate::scene::{Body, Pickup, Scene};
use pulp::Simd;
use std::sync::Arc;

/// Time that new surfaces take to fade in, s.
pub const FADE_S: f64 = 0.2;
/// Time a voice takes to come back after the guard stopped it, s.
const RETURN_S: f64 = 0.01;
/// A lifted voice below this energy is asleep, J per metre of width: some 200 dB below a rubbing one.
const ASLEEP_J_M: f64 = 1e-22;
/// Ranges of the live body controls: those of the scene's keys.
const ZETA: (f64, f64) = (0.0, 1.0);
const THICKNESS_M: (f64, f64) = (1e-6, 1.0);
const YOUNG_PA: (f64, f64) = (1e4, 2e12);
const DENSITY: (f64, f64) = (1.0, 30e3);

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

/// What of the resonator moves while it sounds.
#[derive(Debug, Clone, Copy)]
struct BodyRamps {
    length: Ramp,
    thickness: Ramp,
    young: Ramp,
    density: Ramp,
    damping: Ramp,
}

impl BodyRamps {
    fn new(body: &Body, tick_s: f64) -> Self {
        let beam = &body.beam;
        Self {
            length: Ramp::by_ratio(beam.length_m, tick_s),
            thickness: Ramp::by_ratio(beam.thickness_m, tick_s),
            young: Ramp::by_ratio(beam.young_pa, tick_s),
            density: Ramp::by_ratio(beam.density_kg_m3, tick_s),
            damping: Ramp::linear(body.damping_ratio, tick_s),
        }
    }

    fn all(&mut self) -> [&mut Ramp; 5] {
        [&mut self.length, &mut self.thickness, &mut self.young, &mut self.density, &mut self.damping]
    }

    fn write(&self, body: &mut Body) {
        body.beam.length_m = self.length.value();
        body.beam.thickness_m = self.thickness.value();
        body.beam.young_pa = self.young.value();
        body.beam.density_kg_m3 = self.density.value();
        body.damping_ratio = self.damping.value();
    }
}

/// What the engine needs to know of a scene's pick-up.
pub(super) fn place_of(pickup: &Pickup) -> Place {
    Place { position_m: pickup.position_m, quantity: pickup.quantity, distance_m: pickup.distance_m }
}

struct Outlet {
    quantity: Quantity,
    decimator: Decimator,
    high_pass: Option<HighPass>,
    ready: [f32; CHUNK],
}

struct Part {
    voice: Voice,
    asleep: bool,
    /// Rises to 1 after the guard stopped the voice.
    fade: f32,
}

pub struct Engine {
    settings: Settings,
    factor: usize,
    chunk: usize,
    stage: Stage,
    body: BodyRamps,
    positions: Vec<Ramp>,
    first: (Body, BodyRamps),
    parts: Vec<Part>,
    surfaces: Arc<Surfaces>,
    incoming: Option<Arc<Surfaces>>,
    fade_chunks: u32,
    retired: Option<Arc<Surfaces>>,
    outlets: Vec<Outlet>,
    /// Host samples ready and taken of the present chunk.
    ready: usize,
    taken: usize,
}

impl Engine {
    pub fn new(scene: &Scene, settings: Settings) -> Result<Self, Error> {
        Self::with_surfaces(scene, settings, Arc::new(Surfaces::new(scene)?))
    }

    /// With surfaces made beforehand, shared with other engines.
    pub fn with_surfaces(scene: &Scene, settings: Settings, surfaces: Arc<Surfaces>) -> Result<Self, Error> {
        let factor = settings.quality.factor(settings.host_rate_hz)?;
        let step_s = 1.0 / (settings.host_rate_hz * factor as f64);
        let chunk = CHUNK / factor * factor;
        let tick_s = chunk as f64 * step_s;
        let places: Vec<Place> = scene.pickups.iter().take(MAX_PICKUPS).map(place_of).collect();
        let positions = places.iter().map(|place| Ramp::linear(place.position_m, tick_s)).collect();
        let outlets = places
            .iter()
            .map(|place| Outlet {
                quantity: place.quantity,
                decimator: Decimator::new(kernel(place.quantity), settings.host_rate_hz, factor, chunk),
                high_pass: (place.quantity == Quantity::Displacement)
                    .then(|| HighPass::new(settings.host_rate_hz)),
                ready: [0.0; CHUNK],
            })
            .collect();
        let stage = Stage::new(scene.resonator, scene.slider, places, step_s);
        let parts = (0..settings.voices.max(1))
            .map(|_| Part { voice: Voice::new(scene, &stage, &surfaces, tick_s), asleep: false, fade: 1.0 })
            .collect();
        let body = BodyRamps::new(&scene.resonator, tick_s);
        let mut engine = Self {
            settings,
            factor,
            chunk,
            stage,
            first: (scene.resonator, body),
            body,
            positions,
            parts,
            surfaces,
            incoming: None,
            fade_chunks: 0,
            retired: None,
            outlets,
            ready: 0,
            taken: 0,
        };
        engine.reset();
        Ok(engine)
    }

    /// As new, but for surfaces that were faded in since: those stay. All controls go back to the scene's.
    pub fn reset(&mut self) {
        (self.stage.resonator, self.body) = self.first;
        for (place, ramp) in self.stage.places.iter_mut().zip(&mut self.positions) {
            ramp.jump(ramp.first());
            place.position_m = ramp.value();
        }
        self.stage.refill();
        self.stage.fill_taps();
        self.stage.settle_taps();
        if let Some(incoming) = self.incoming.take() {
            self.retired = Some(std::mem::replace(&mut self.surfaces, incoming));
        }
        self.fade_chunks = 0;
        for outlet in &mut self.outlets {
            outlet.decimator.reset();
            if let Some(filter) = &mut outlet.high_pass {
                filter.reset();
            }
        }
        self.ready = 0;
        self.taken = 0;
        for part in &mut self.parts {
            part.asleep = false;
            part.fade = 1.0;
            part.voice.clear();
        }
        let ground = Ground { from: &self.surfaces, to: None };
        let work = Settle { stage: &self.stage, ground: &ground, parts: &mut self.parts };
        self.settings.path.run(work);
    }

    pub fn inner_rate_hz(&self) -> f64 {
        self.settings.host_rate_hz * self.factor as f64
    }

    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Modes of the scene that the inner rate cannot carry.
    pub fn dropped_modes(&self) -> usize {
        self.stage.table.dropped
    }

    /// Delay of the way out, in host samples.
    pub fn latency_samples(&self) -> usize {
        let delay = self.outlets.iter().map(|outlet| outlet.decimator.delay()).max().unwrap_or(0);
        delay.div_ceil(self.factor)
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

    pub fn set_length(&mut self, length_m: f64) {
        let shortest = self.stage.slider_m().max(1e-3);
        self.body.length.set(length_m, (shortest, 50.0));
    }

    pub fn set_thickness(&mut self, thickness_m: f64) {
        self.body.thickness.set(thickness_m, THICKNESS_M);
    }

    pub fn set_material(&mut self, young_pa: f64, density_kg_m3: f64) {
        self.body.young.set(young_pa, YOUNG_PA);
        self.body.density.set(density_kg_m3, DENSITY);
    }

    pub fn set_damping(&mut self, zeta: f64) {
        self.body.damping.set(zeta, ZETA);
    }

    pub fn set_pickup_position(&mut self, pickup: usize, position_m: f64) {
        let length = self.body.length.target();
        if let Some(ramp) = self.positions.get_mut(pickup) {
            ramp.set(position_m, (0.0, length));
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
        let frames = outputs.iter().map(|out| out.len()).min().unwrap_or(0);
        let mut done = 0;
        while done < frames {
            if self.taken == self.ready {
                self.advance();
            }
            let count = (self.ready - self.taken).min(frames - done);
            for (output, outlet) in outputs.iter_mut().zip(&self.outlets) {
                output[done..done + count].copy_from_slice(&outlet.ready[self.taken..self.taken + count]);
            }
            done += count;
            self.taken += count;
        }
        for output in outputs.iter_mut().skip(self.outlets.len()) {
            output.fill(0.0);
        }
    }

    /// One chunk of everything.
    fn advance(&mut self) {
        let body_moved = self.body.all().iter().any(|ramp| ramp.is_moving());
        let taps_moved = body_moved || self.positions.iter().any(Ramp::is_moving);
        for ramp in self.body.all() {
            ramp.tick();
        }
        for (place, ramp) in self.stage.places.iter_mut().zip(&mut self.positions) {
            ramp.tick();
            place.position_m = ramp.value();
        }
        let angle = self.incoming.is_some().then(|| {
            self.fade_chunks += 1;
            let chunks = FADE_S * self.inner_rate_hz() / self.chunk as f64;
            (self.fade_chunks as f64 / chunks).min(1.0)
        });
        let mut sound: Sound = [[0.0; CHUNK]; MAX_PICKUPS];
        let to = match (&self.incoming, angle) {
            (Some(incoming), Some(share)) => Some((&**incoming, share as f32 * std::f32::consts::FRAC_PI_2)),
            _ => None,
        };
        let ground = Ground { from: &self.surfaces, to };
        self.settings.path.run(Chunk {
            stage: &mut self.stage,
            body: if body_moved { Some(&self.body) } else { None },
            taps_moved,
            ground: &ground,
            parts: &mut self.parts,
            steps: self.chunk,
            sound: &mut sound,
        });
        if angle == Some(1.0)
            && let Some(incoming) = self.incoming.take()
        {
            self.retired = Some(std::mem::replace(&mut self.surfaces, incoming));
        }
        self.ready = self.chunk / self.factor;
        self.settings.path.run(Lower { outlets: &mut self.outlets, sound: &sound, steps: self.chunk });
        self.taken = 0;
    }

    /// What pick-up `index` reads.
    pub fn quantity(&self, index: usize) -> Option<Quantity> {
        self.outlets.get(index).map(|outlet| outlet.quantity)
    }

    /// Leaves everything so far out of the level and the largest force.
    pub fn skip(&mut self) {
        for part in &mut self.parts {
            part.voice.books.forget_level();
        }
    }

    /// Energy ledger of one voice since reset.
    pub fn ledger(&self, voice: usize) -> EnergyLedger {
        self.parts.get(voice).map(|part| part.voice.books.ledger).unwrap_or_default()
    }

    /// How often the guard had to start a voice again.
    pub fn restarts(&self) -> u64 {
        self.parts.iter().map(|part| part.voice.books.restarts).sum()
    }

    /// Work done by one voice since reset.
    pub fn work(&self, voice: usize) -> Work {
        self.parts.get(voice).map(|part| part.voice.meeting.work).unwrap_or_default()
    }

    /// Level and contact figures of one voice, as the reference engine gives them. Shocks are counted per
    /// block of sixteen nodes.
    pub fn figures(&self, voice: usize) -> RunFigures {
        let Some(part) = self.parts.get(voice) else { return RunFigures::default() };
        let (books, work) = (&part.voice.books, part.voice.meeting.work);
        let mean = books.squares / (books.steps.max(1) as f64 * self.stage.length_m());
        RunFigures {
            seconds: work.steps as f64 * self.stage.step_s,
            v_rms_m_s: mean.sqrt(),
            contact_fraction: work.contact_steps as f64 / work.steps.max(1) as f64,
            shocks: work.shocks,
            max_force_n_m: f64::from(books.max_force_n_m),
            ledger: books.ledger,
            step_s: self.stage.step_s,
            steps: work.steps,
        }
    }

    /// Puts a number that no physics makes into a voice's state: for tests of the guard.
    #[doc(hidden)]
    pub fn poison(&mut self, voice: usize, mode: usize, value: f32) {
        if let Some(part) = self.parts.get_mut(voice) {
            put(&mut part.voice.state.w, mode, value);
        }
    }
}

/// Calls the same generic code for every number of nodes.
macro_rules! for_nodes {
    ($nodes:expr, $call:ident, $($argument:expr),*) => {
        match $nodes {
            8 => $call::<S, 8>($($argument),*),
            16 => $call::<S, 16>($($argument),*),
            _ => $call::<S, 32>($($argument),*),
        }
    };
}

/// Inner samples to host samples.
struct Lower<'a> {
    outlets: &'a mut [Outlet],
    sound: &'a Sound,
    steps: usize,
}

impl pulp::WithSimd for Lower<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        for (outlet, sound) in self.outlets.iter_mut().zip(self.sound) {
            let Outlet { decimator, high_pass, ready, .. } = outlet;
            let mut count = 0;
            decimator.run(&sound[..self.steps], |index, sample| {
                ready[index] = sample;
                count = index + 1;
            });
            if let Some(filter) = high_pass {
                for sample in &mut ready[..count] {
                    *sample = filter.run(*sample);
                }
            }
        }
    }
}

struct Settle<'a> {
    stage: &'a Stage,
    ground: &'a Ground<'a>,
    parts: &'a mut [Part],
}

impl pulp::WithSimd for Settle<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for part in self.parts {
            part.voice.lay(self.stage, self.ground);
            for_nodes!(self.stage.nodes.len(), settle, simd, self.stage, self.ground, &mut part.voice);
        }
    }
}

#[inline(always)]
fn settle<S: Simd, const K: usize>(simd: S, stage: &Stage, ground: &Ground, voice: &mut Voice) {
    voice.settle::<S, K>(simd, stage, ground);
    voice.books.open(modal_energy(simd, stage, &voice.state));
}

struct Chunk<'a> {
    stage: &'a mut Stage,
    body: Option<&'a BodyRamps>,
    taps_moved: bool,
    ground: &'a Ground<'a>,
    parts: &'a mut [Part],
    steps: usize,
    sound: &'a mut Sound,
}

impl pulp::WithSimd for Chunk<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for_nodes!(self.stage.nodes.len(), chunk, simd, self);
    }
}

#[inline(always)]
fn chunk<S: Simd, const K: usize>(simd: S, work: Chunk) {
    let Chunk { stage, body, taps_moved, ground, parts, steps, sound } = work;
    if let Some(body) = body {
        reshape::<S, K>(simd, stage, body, parts);
    }
    if taps_moved {
        stage.fill_taps();
    }
    for part in parts.iter_mut() {
        play::<S, K>(simd, stage, ground, part, steps, sound);
    }
    stage.settle_taps();
}

/// Gives the resonator its new body. Every mode of every voice keeps its energy about its rest position;
/// the slider follows the sag. What the change costs is booked as drive work.
#[inline(always)]
fn reshape<S: Simd, const K: usize>(simd: S, stage: &mut Stage, body: &BodyRamps, parts: &mut [Part]) {
    for part in parts.iter_mut() {
        part.voice.books.book(-modal_energy(simd, stage, &part.voice.state));
        // Amplitudes in roots of energy while the table changes under them.
        for k in 0..stage.table.resonator {
            let mode = stage.table.modes[k];
            let root = mode.modal_mass.sqrt();
            let (q, w) = (get(&part.voice.state.q, k), get(&part.voice.state.w, k));
            put(&mut part.voice.state.q, k, q * (root * mode.warped) as f32);
            put(&mut part.voice.state.w, k, w * root as f32);
        }
    }
    body.write(&mut stage.resonator);
    stage.refill();
    for part in parts.iter_mut() {
        let voice = &mut part.voice;
        for k in 0..stage.table.resonator {
            let mode = stage.table.modes[k];
            let root = mode.modal_mass.sqrt();
            let (q, w) = (get(&voice.state.q, k), get(&voice.state.w, k));
            put(&mut voice.state.q, k, q / (root * mode.warped) as f32);
            put(&mut voice.state.w, k, w / root as f32);
        }
        let before = voice.mean_rest(K);
        voice.find_rest(stage);
        voice.find_steady(stage);
        let seat = voice.controls.seat_m(stage.length_m(), stage.slider_m());
        voice.take_seat::<S, K>(simd, stage, seat);
        voice.hold_mean_rest(K, before);
        voice.begin::<S, K>(simd, stage);
        voice.look_again::<S, K>(simd);
        voice.books.book(modal_energy(simd, stage, &voice.state));
    }
}

/// One chunk of one voice, its books and its guard.
#[inline(always)]
fn play<S: Simd, const K: usize>(
    simd: S,
    stage: &Stage,
    ground: &Ground,
    part: &mut Part,
    steps: usize,
    sound: &mut Sound,
) {
    let voice = &mut part.voice;
    let tick = voice.controls.tick(steps as f64 * stage.step_s, steps);
    if tick.lands {
        part.asleep = false;
    }
    if part.asleep {
        return;
    }
    if ground.to.is_some() {
        voice.retexture(stage, ground);
    } else if tick.grid_moved {
        voice.lay(stage, ground);
    }
    if tick.load_moved {
        voice.books.book(-modal_energy(simd, stage, &voice.state));
        if tick.lifted {
            voice.books.book(-f64::from(voice.meeting.energy()));
            voice.meeting.let_go();
        }
        voice.find_steady(stage);
        if tick.lands {
            // The slider comes to rest before it is put down.
            for k in stage.table.resonator..stage.table.modes.len() {
                put(&mut voice.state.q, k, 0.0);
                put(&mut voice.state.w, k, 0.0);
            }
            voice.begin::<S, K>(simd, stage);
            voice.touch_down::<S, K>(simd, stage, ground);
        } else {
            voice.begin::<S, K>(simd, stage);
            voice.look_again::<S, K>(simd);
        }
        voice.books.book(modal_energy(simd, stage, &voice.state));
    }
    let mut own: Sound = [[0.0; CHUNK]; MAX_PICKUPS];
    voice.run::<S, K>(simd, stage, ground, &tick, steps, &mut own);
    let stored = modal_energy(simd, stage, &voice.state) + f64::from(voice.meeting.energy());
    let heard =
        own.iter().take(stage.taps.len()).all(|channel| channel.iter().all(|sample| sample.is_finite()));
    let sound_state = voice.books.close(stage, &voice.state.heat, steps, stored);
    voice.state.heat.fill(super::lanes::Row::ZERO);
    if !(heard && sound_state) {
        voice.books.restarts += 1;
        voice.settle::<S, K>(simd, stage, ground);
        voice.books.open(modal_energy(simd, stage, &voice.state));
        part.fade = 0.0;
        return;
    }
    if tick.lifted && stored.abs() < ASLEEP_J_M {
        for rows in [&mut voice.state.q, &mut voice.state.w, &mut voice.state.d] {
            rows.fill(super::lanes::Row([0.0; ROW]));
        }
        part.asleep = true;
    }
    let rise = (stage.step_s / RETURN_S) as f32;
    for (mix, own) in sound.iter_mut().zip(&own).take(stage.taps.len()) {
        let mut fade = part.fade;
        for (mix, own) in mix.iter_mut().zip(own).take(steps) {
            *mix += fade * own;
            fade = (fade + rise).min(1.0);
        }
    }
    part.fade = (part.fade + rise * steps as f32).min(1.0);
}
