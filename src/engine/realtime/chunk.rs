//! One chunk of everything: bodies reshaped, voices played, books closed, guard asked, sound lowered to the
//! host's rate. Runs inside one choice of instructions.

use super::body::BodyControls;
use super::books::modal_energy;
use super::modes::Mode;
use super::outlet::{Mix, shares};
use super::pass::MAX_PICKUPS;
use super::pause::Pause;
use super::ramp::Ramp;
use super::stage::Stage;
use super::voice::{CHUNK, Ground, Sound, Voice};
use pulp::Simd;

/// Time a voice takes to come back after the guard stopped it, s.
const RETURN_S: f64 = 0.01;
/// A lifted voice below this energy is asleep, J per metre of width: on the bench half a nanometre per second,
/// 130 dB below a rubbing one.
const ASLEEP_J_M: f64 = 1e-18;

/// A voice, its bodies and whether it is heard.
pub struct Part {
    pub voice: Voice,
    pub stage: Stage,
    pub body: BodyControls,
    pub asleep: bool,
    /// Rises to 1 after the guard stopped the voice.
    pub fade: f32,
    pub pause: Pause,
    /// -1 left, 1 right.
    pub pan: Ramp,
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

/// Puts sliders down: voices as new, but for their books' counts.
pub struct Settle<'a> {
    pub ground: &'a Ground<'a>,
    pub parts: &'a mut [Part],
}

impl pulp::WithSimd for Settle<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for Part { voice, stage, .. } in self.parts {
            voice.lay(stage, self.ground);
            for_nodes!(stage.nodes.len(), settle, simd, stage, self.ground, voice);
        }
    }
}

#[inline(always)]
fn settle<S: Simd, const K: usize>(simd: S, stage: &Stage, ground: &Ground, voice: &mut Voice) {
    voice.settle::<S, K>(simd, stage, ground);
    voice.open_books(simd, stage);
}

/// All voices for one chunk.
pub struct Chunk<'a> {
    pub ground: &'a Ground<'a>,
    pub parts: &'a mut [Part],
    pub steps: usize,
    pub mix: &'a mut Mix,
}

impl pulp::WithSimd for Chunk<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Chunk { ground, parts, steps, mix } = self;
        for part in parts {
            for_nodes!(part.stage.nodes.len(), chunk, simd, ground, part, steps, mix);
        }
    }
}

#[inline(always)]
fn chunk<S: Simd, const K: usize>(simd: S, ground: &Ground, part: &mut Part, steps: usize, mix: &mut Mix) {
    let moved = part.body.tick();
    if moved.bodies {
        reshape::<S, K>(simd, part);
    }
    if moved.grid {
        part.voice.lay(&part.stage, ground);
    }
    if moved.taps {
        part.body.write_places(&mut part.stage);
        part.stage.fill_taps();
    }
    play::<S, K>(simd, ground, part, steps, mix);
    part.stage.settle_taps();
}

/// Gives the bodies their new shape. Every mode keeps its energy about its rest position, rigid modes keep
/// place and speed; the slider follows the sag. What the change costs is booked as drive work.
#[inline(always)]
fn reshape<S: Simd, const K: usize>(simd: S, part: &mut Part) {
    let Part { voice, stage, body, .. } = part;
    voice.books.book(-modal_energy(simd, stage, &voice.state));
    let old_slider_m = stage.slider_m();
    // Amplitudes in roots of energy while the table changes under them.
    scale_modes(stage, voice, |mode| {
        let root = mode.modal_mass.sqrt();
        if mode.warped > 0.0 { [root * mode.warped, root] } else { [1.0; 2] }
    });
    body.write(stage);
    stage.refill();
    let stretch = (stage.slider_m() / old_slider_m).sqrt();
    scale_modes(stage, voice, |mode| {
        let root = mode.modal_mass.sqrt();
        if mode.warped > 0.0 { [1.0 / (root * mode.warped), 1.0 / root] } else { [stretch; 2] }
    });
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

/// Multiplies every mode's q and w.
fn scale_modes(stage: &Stage, voice: &mut Voice, factors: impl Fn(&Mode) -> [f64; 2]) {
    for (k, mode) in stage.table.modes.iter().enumerate() {
        let [on_q, on_w] = factors(mode).map(|factor| factor as f32);
        let [q, w] = voice.state.mode(k);
        voice.state.set_mode(k, [q * on_q, w * on_w]);
    }
}

/// One chunk of one voice, its books and its guard.
#[inline(always)]
fn play<S: Simd, const K: usize>(simd: S, ground: &Ground, part: &mut Part, steps: usize, mix: &mut Mix) {
    let Part { voice, stage, .. } = part;
    let stage = &*stage;
    let tick = voice.controls.tick(steps as f64 * stage.step_s, steps);
    if tick.lands {
        part.asleep = false;
    }
    if part.asleep || part.pause.holds() {
        return;
    }
    if ground.to.is_some() {
        voice.retexture(stage, ground);
    } else if tick.grid_moved || voice.holds_back(stage) {
        voice.stretch(stage, ground);
    }
    if tick.load_moved {
        voice.books.book(-modal_energy(simd, stage, &voice.state));
        if tick.lifted {
            voice.books.book(-f64::from(voice.meeting.energy()));
            voice.meeting.let_go();
        }
        if tick.lifted || tick.lands {
            // A slider in the hand is at rest, as it is before it is put down.
            for k in stage.table.resonator..stage.table.modes.len() {
                voice.state.set_mode(k, [0.0; 2]);
            }
        }
        voice.find_steady(stage);
        if tick.lands {
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
    let ringing = modal_energy(simd, stage, &voice.state);
    let mut stored = ringing + f64::from(voice.meeting.energy());
    if let Some(rub) = &mut voice.rub {
        stored += rub.tow.stored();
        voice.books.book_rub(rub);
    }
    let heard = own.iter().take(stage.taps.len()).all(|channel| is_finite(channel));
    let placed = is_finite(&voice.now) && is_finite(&voice.ahead);
    let sound_state = voice.books.close(simd, stage, &voice.state, steps, stored);
    if let Some(rub) = &mut voice.rub {
        let rows = stage.table.rows.iter().zip(&voice.state.rows);
        let moved = rows.flat_map(|(table, state)| table.square.0.iter().zip(&state.heat.0));
        let moved = moved.take(stage.table.resonator).map(|(square, heat)| f64::from(square * heat));
        rub.tally.move_modes(moved, steps as f64 * stage.step_s);
    }
    voice.state.clear_heat(simd);
    if stage.table.still > 0 {
        voice.forget_speeds(stage);
    }
    if !(heard && placed && sound_state) {
        voice.books.restarts += 1;
        part.pause.stopped();
        voice.mend(stage, ground);
        voice.settle::<S, K>(simd, stage, ground);
        voice.open_books(simd, stage);
        part.fade = 0.0;
        return;
    }
    if tick.lifted && ringing.abs() < ASLEEP_J_M {
        voice.state.still();
        part.asleep = true;
    }
    voice.meeting.relax();
    let pickups = stage.taps.len();
    let rise = (stage.step_s / RETURN_S) as f32;
    let gain = Gain { fade: part.fade, rise, volume: tick.volume, volume_step: tick.volume_step };
    part.fade = (part.fade + rise * steps as f32).min(1.0);
    let from = shares(part.pan.value());
    part.pan.tick();
    let to = shares(part.pan.value());
    add(&own, &mut mix.sum, pickups, steps, &gain, [from[0], to[0]]);
    if from[1] != 0.0 || to[1] != 0.0 {
        mix.leans = true;
        add(&own, &mut mix.lean, pickups, steps, &gain, [from[1], to[1]]);
    }
}

/// How loud a voice is within a chunk.
struct Gain {
    fade: f32,
    rise: f32,
    volume: f32,
    volume_step: f32,
}

/// Adds a voice, of which so much is taken at the start and at the end.
#[inline(always)]
fn add(own: &Sound, mix: &mut Sound, pickups: usize, steps: usize, gain: &Gain, [from, to]: [f32; 2]) {
    for (mix, own) in mix.iter_mut().zip(own).take(pickups) {
        if gain.fade == 1.0 && gain.volume_step == 0.0 && from == to {
            for (mix, own) in mix.iter_mut().zip(own) {
                *mix += from * gain.volume * own;
            }
            continue;
        }
        let (mut fade, mut volume, mut share) = (gain.fade, gain.volume, from);
        for (mix, own) in mix.iter_mut().zip(own).take(steps) {
            *mix += share * fade * volume * own;
            fade = (fade + gain.rise).min(1.0);
            volume += gain.volume_step;
            share += (to - from) / steps as f32;
        }
    }
}

/// No early end: lanes look at all samples at once.
fn is_finite(channel: &[f32]) -> bool {
    let odd = channel.iter().fold(0, |odd, sample| odd | u32::from(sample.abs().to_bits() >= 0x7f80_0000));
    odd == 0
}
