//! One chunk of everything: bodies reshaped, voices played, books closed, guard asked, sound lowered to the
//! host's rate. Runs inside one choice of instructions.

use super::books::modal_energy;
use super::decimate::Decimator;
use super::lanes::{Row, get, put};
use super::pass::MAX_PICKUPS;
use super::pickups::HighPass;
use super::ramp::Ramp;
use super::stage::Stage;
use super::voice::{CHUNK, Ground, Sound, Voice};
use crate::record::Quantity;
use crate::scene::Body;
use pulp::Simd;

/// Time a voice takes to come back after the guard stopped it, s.
const RETURN_S: f64 = 0.01;
/// A lifted voice below this energy is asleep, J per metre of width: some 200 dB below a rubbing one.
const ASLEEP_J_M: f64 = 1e-22;

/// What of the resonator moves while it sounds.
#[derive(Debug, Clone, Copy)]
pub struct BodyRamps {
    pub length: Ramp,
    pub thickness: Ramp,
    pub young: Ramp,
    pub density: Ramp,
    pub damping: Ramp,
}

impl BodyRamps {
    pub fn new(body: &Body, tick_s: f64) -> Self {
        let beam = &body.beam;
        Self {
            length: Ramp::by_ratio(beam.length_m, tick_s),
            thickness: Ramp::by_ratio(beam.thickness_m, tick_s),
            young: Ramp::by_ratio(beam.young_pa, tick_s),
            density: Ramp::by_ratio(beam.density_kg_m3, tick_s),
            damping: Ramp::linear(body.damping_ratio, tick_s),
        }
    }

    pub fn all(&mut self) -> [&mut Ramp; 5] {
        [&mut self.length, &mut self.thickness, &mut self.young, &mut self.density, &mut self.damping]
    }

    pub fn write(&self, body: &mut Body) {
        body.beam.length_m = self.length.value();
        body.beam.thickness_m = self.thickness.value();
        body.beam.young_pa = self.young.value();
        body.beam.density_kg_m3 = self.density.value();
        body.damping_ratio = self.damping.value();
    }
}

/// The way out of one pick-up.
pub struct Outlet {
    pub quantity: Quantity,
    pub decimator: Decimator,
    pub high_pass: Option<HighPass>,
    pub ready: [f32; CHUNK],
}

/// A voice and whether it is heard.
pub struct Part {
    pub voice: Voice,
    pub asleep: bool,
    /// Rises to 1 after the guard stopped the voice.
    pub fade: f32,
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
pub struct Lower<'a> {
    pub outlets: &'a mut [Outlet],
    pub sound: &'a Sound,
    pub steps: usize,
}

impl pulp::WithSimd for Lower<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (outlet, sound) in self.outlets.iter_mut().zip(self.sound) {
            let Outlet { decimator, high_pass, ready, .. } = outlet;
            let mut count = 0;
            decimator.run(simd, &sound[..self.steps], |index, sample| {
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

/// Puts every slider down.
pub struct Settle<'a> {
    pub stage: &'a Stage,
    pub ground: &'a Ground<'a>,
    pub parts: &'a mut [Part],
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

/// All voices for one chunk.
pub struct Chunk<'a> {
    pub stage: &'a mut Stage,
    pub body: Option<&'a BodyRamps>,
    pub taps_moved: bool,
    pub ground: &'a Ground<'a>,
    pub parts: &'a mut [Part],
    pub steps: usize,
    pub sound: &'a mut Sound,
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
    // A sum is finite only if all its terms are.
    let heard = own.iter().take(stage.taps.len()).all(|channel| channel.iter().sum::<f32>().is_finite());
    let sound_state = voice.books.close(simd, stage, &voice.state.heat, steps, stored);
    voice.state.heat.fill(Row::ZERO);
    if !(heard && sound_state) {
        voice.books.restarts += 1;
        voice.settle::<S, K>(simd, stage, ground);
        voice.books.open(modal_energy(simd, stage, &voice.state));
        part.fade = 0.0;
        return;
    }
    if tick.lifted && stored.abs() < ASLEEP_J_M {
        for rows in [&mut voice.state.q, &mut voice.state.w, &mut voice.state.d] {
            rows.fill(Row::ZERO);
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
