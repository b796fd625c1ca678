//! Heights of the blocks that a step measures (Dang 2013, eqs. 30 and 31, with one local coordinate for all nodes).

use super::broad::{Lie, Place};
use super::lanes::{ROW, Row};
use super::solve::Touching;
use super::strip::Strip;
use crate::contact::Interpolation;
use pulp::Simd;

/// How heights are read in one step: found once for all its blocks.
pub struct Reading<'a> {
    strip: &'a Strip,
    /// The node before each place, and what the four from it on count, at the start and at the end of the step.
    times: [(i64, [f32; 4]); 2],
    moves: bool,
    /// Ra of the slider.
    own_gain: f32,
}

impl<'a> Reading<'a> {
    #[inline(always)]
    pub fn new(strip: &'a Strip, lie: &Lie) -> Self {
        let at = |place: Place| {
            let weights = Interpolation::cubic(f64::from(place.xi)).weights;
            (place.node - 1, weights.map(|weight| weight as f32 * lie.gains[0]))
        };
        let start = at(lie.places[0]);
        let end = if lie.moves { at(lie.places[1]) } else { start };
        Self { strip, times: [start, end], moves: lie.moves, own_gain: lie.gains[1] }
    }

    /// Heights of a block at the start and at the end of the step, and the highest of them.
    #[inline(always)]
    pub fn measure<S: Simd>(&self, simd: S, own: &Row, touching: &mut Touching) {
        let gain = simd.splat_f32s(self.own_gain);
        let times = if self.moves { 2 } else { 1 };
        for (time, (first, weights)) in self.times.into_iter().enumerate().take(times) {
            let first = first + i64::from(touching.block) * ROW as i64;
            let Some(window) = self.strip.heights_from(first).get(..ROW + 3) else {
                touching.highest = [f32::MIN; 2];
                return;
            };
            let taps = [
                S::as_simd_f32s(&window[..ROW]).0,
                S::as_simd_f32s(&window[1..ROW + 1]).0,
                S::as_simd_f32s(&window[2..ROW + 2]).0,
                S::as_simd_f32s(&window[3..ROW + 3]).0,
            ];
            let weights = weights.map(|weight| simd.splat_f32s(weight));
            let mut most = simd.splat_f32s(f32::MIN);
            for part in 0..ROW / S::F32_LANES {
                let mut height = simd.mul_f32s(gain, own.wide::<S>()[part]);
                for (weight, tap) in weights.iter().zip(taps) {
                    height = simd.mul_add_e_f32s(*weight, tap[part], height);
                }
                touching.heights[time].wide_mut::<S>()[part] = height;
                most = simd.max_f32s(most, height);
            }
            touching.highest[time] = simd.reduce_max_f32s(most);
        }
        if times == 1 {
            (touching.heights[1], touching.highest[1]) = (touching.heights[0], touching.highest[0]);
        }
    }
}
