//! From an engine's pick-ups to left and right in full scales: the sum that `render --mix stereo` makes, with
//! knobs that glide. Pick-ups of different quantities each have their own full scale.

use super::parameters::PICKUPS;
use super::rig::{Factors, Rig};
use crate::engine::realtime::RAMP_S;
use crate::record::Quantity;

/// Frames at a time: never more than one tick.
pub const SPAN: usize = 64;

/// Pick-ups of one stretch of time.
pub type Pickups = [[f32; SPAN]; PICKUPS];
/// What the engine gave, as [`crate::engine::realtime::Engine::process_wide`] says.
pub struct Heard {
    pub sums: Pickups,
    pub leans: Pickups,
}

/// Left and right in full scales.
pub type Stereo = [[f64; SPAN]; 2];

#[derive(Debug, Clone)]
pub struct Mixer {
    now: Factors,
    goal: Factors,
    /// Ticks until the goal is reached.
    left: u32,
    ticks: u32,
}

impl Mixer {
    pub fn new(factors: Factors, tick_s: f64) -> Self {
        Self { now: factors, goal: factors, left: 0, ticks: ((RAMP_S / tick_s).round() as u32).max(1) }
    }

    pub fn set(&mut self, goal: Factors) {
        if goal != self.goal {
            self.goal = goal;
            self.left = self.ticks;
        }
    }

    /// One tick on.
    pub fn tick(&mut self) {
        if self.left > 0 {
            self.now.approach(&self.goal, 1.0 / f64::from(self.left));
            self.left -= 1;
        }
    }

    /// Adds the sound to left and right, `weight` of it at the first frame and so much more at each that
    /// follows.
    pub fn add(&self, rig: &Rig, heard: &Heard, frames: usize, weight: (f64, f64), out: &mut Stereo) {
        let count = rig.engine.pickups().min(PICKUPS);
        let quantities: [Quantity; PICKUPS] = std::array::from_fn(|n| rig.quantity(n));
        for (side, out) in out.iter_mut().enumerate() {
            let factors = &self.now.sides[side];
            for (frame, out) in out.iter_mut().enumerate().take(frames) {
                let mut sums = [0.0; 4];
                for n in (0..count).filter(|n| factors[*n] != 0.0) {
                    let (sum, lean) = (f64::from(heard.sums[n][frame]), f64::from(heard.leans[n][frame]));
                    let sample = if side == 0 { sum + lean } else { sum - lean };
                    sums[quantities[n] as usize] += factors[n] * sample;
                }
                let scaled = |q: Quantity| sums[q as usize] / (q.usual_full_scale() / self.now.gain);
                let mut sound = 0.0;
                for n in (0..count).filter(|n| !quantities[..*n].contains(&quantities[*n])) {
                    sound += scaled(quantities[n]);
                }
                *out += (weight.0 + weight.1 * frame as f64) * sound;
            }
        }
    }
}
