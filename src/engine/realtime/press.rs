//! Contact force of one block of sixteen nodes over one inner step.
//!
//! All nodes of a block share the deflection x; node i stands at the combined height z_i, so its
//! penetration is p_i = z_i + x. Heights may move under way, from z⁻ to z⁺. The force over a step is the mean of
//! the law along the way of the penetration, ∫ f(p) dp / (p⁺ - p⁻): the discrete gradient of the contact
//! energy. What the bodies lose or gain and what moving the heights takes, Σ f_i·(z_i⁺ - z_i⁻), is then exactly
//! what the contact stores, whatever the stiffness and the step.
//!
//! | law | mean along the way from b to a (positive parts), ρ = (a - b)/(p⁺ - p⁻) |
//! |---|---|
//! | penalty | κ·ρ·(a + b)/2 |
//! | Hertz | c·ρ·⅖(u⁴ + u³v + u²v² + uv³ + v⁴)/(u + v), u = √a, v = √b |
//! | exponential | p₀·(e^(λa) - e^(λb))/(λ(p⁺ - p⁻)), a and b the whole penetrations |
//!
//! ρ is 1 for a node in contact all the way. The reference finds contact in two passes, nodes of either
//! profile against the other; here the slider's nodes carry both, hence twice the law's pressure.

use super::lanes::{ROW, Row, magnitude, pick};
use crate::contact::ContactLaw;
use pulp::Simd;

/// Part of its own length over which an exponential law may be blurred by the rounding of heights.
const BLUR: f64 = 0.1;
/// Rounding of deflections of some ten micrometres, metres.
const ROUNDING_M: f64 = 2e-12;

/// A law with the node distance and the two passes in it: newtons per metre of width and node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NodeLaw {
    Penalty { stiffness: f32 },
    Hertz { coefficient: f32 },
    Exponential { force: f32, lambda: f32, reach: f32 },
}

impl NodeLaw {
    /// `step_m` is the distance between nodes, `scale` multiplies the stiffness of the law. `ra_m`, the
    /// sum of both, bounds how steep an exponential law can be in single precision: heights of four Ra are
    /// good to 6e-8 of themselves.
    pub fn new(law: &ContactLaw, step_m: f64, scale: f64, ra_m: f64) -> Self {
        let twice = 2.0 * step_m;
        match *law {
            ContactLaw::Penalty { kappa_pa } => {
                Self::Penalty { stiffness: (twice * scale * kappa_pa) as f32 }
            }
            ContactLaw::Hertz { coefficient } => {
                Self::Hertz { coefficient: (twice * scale * coefficient) as f32 }
            }
            ContactLaw::Exponential { p0_pa, lambda_1_m, .. } => {
                let lambda = (scale * lambda_1_m).min(BLUR / (4.0 * ra_m * 6e-8 + ROUNDING_M));
                let reach = law.reach() * lambda_1_m / lambda;
                Self::Exponential {
                    force: (twice * p0_pa) as f32,
                    lambda: lambda as f32,
                    reach: reach as f32,
                }
            }
        }
    }

    /// The law of a node that carries for `many` of its kind.
    #[inline(always)]
    pub fn carrying(self, many: u32) -> Self {
        let many = many as f32;
        match self {
            Self::Penalty { stiffness } => Self::Penalty { stiffness: many * stiffness },
            Self::Hertz { coefficient } => Self::Hertz { coefficient: many * coefficient },
            Self::Exponential { force, lambda, reach } => {
                Self::Exponential { force: many * force, lambda, reach }
            }
        }
    }

    /// Shocks last about one step, so that heights have to move within it: where they jumped, every jump into
    /// contact would bring energy along (1.6 dB at 144 kHz). The shocks of the other laws last several.
    #[inline(always)]
    pub fn is_abrupt(&self) -> bool {
        matches!(self, Self::Hertz { .. })
    }

    /// Grows by orders of magnitude within a step.
    #[inline(always)]
    pub fn is_steep(&self) -> bool {
        matches!(self, Self::Exponential { .. })
    }

    /// Penetrations above minus this carry a force.
    #[inline(always)]
    pub fn reach(&self) -> f32 {
        match *self {
            Self::Penalty { .. } | Self::Hertz { .. } => 0.0,
            Self::Exponential { reach, .. } => reach,
        }
    }
}

/// Force of a block and its slope with the deflection at the end of the step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Press {
    pub force: f32,
    pub stiffness: f32,
}

/// Mean force over the step from deflection `from` to `to`, with the heights at its start and end.
#[inline(always)]
pub fn press<S: Simd>(simd: S, law: &NodeLaw, heights: &[Row; 2], from: f32, to: f32) -> Press {
    match *law {
        NodeLaw::Penalty { stiffness } => penalty(simd, stiffness, heights, from, to),
        NodeLaw::Hertz { coefficient } => hertz(simd, coefficient, heights, from, to),
        NodeLaw::Exponential { force, lambda, reach } => {
            exponential(simd, [force, lambda, reach], heights, from, to)
        }
    }
}

/// Ways shorter than this are no ways, metres.
const NO_WAY_M: f32 = 1e-14;

/// Penetrations of the nodes of a register at the start and at the end of a step, and the way between, never too
/// short to divide by: where it would be, it does not matter.
#[inline(always)]
fn way<S: Simd>(simd: S, heights: &[Row; 2], part: usize, [from, to]: [S::f32s; 2]) -> [S::f32s; 3] {
    let start = simd.add_f32s(heights[0].wide::<S>()[part], from);
    let end = simd.add_f32s(heights[1].wide::<S>()[part], to);
    let way = simd.sub_f32s(end, start);
    let short = simd.less_than_f32s(magnitude(simd, way), simd.splat_f32s(NO_WAY_M));
    [start, end, pick(simd, short, simd.splat_f32s(1.0), way)]
}

#[inline(always)]
fn penalty<S: Simd>(simd: S, stiffness: f32, heights: &[Row; 2], from: f32, to: f32) -> Press {
    let (zero, one) = (simd.splat_f32s(0.0), simd.splat_f32s(1.0));
    let half = simd.splat_f32s(0.5);
    let deflections = [simd.splat_f32s(from), simd.splat_f32s(to)];
    let (mut force, mut slope) = (zero, zero);
    for part in 0..ROW / S::F32_LANES {
        let [start, end, way] = way(simd, heights, part, deflections);
        let (b, a) = (simd.max_f32s(start, zero), simd.max_f32s(end, zero));
        let crossing = simd.div_f32s(simd.sub_f32s(a, b), way);
        let all_the_way = simd.less_than_f32s(zero, simd.min_f32s(start, end));
        let share = simd.min_f32s(pick(simd, all_the_way, one, crossing), one);
        let mean = simd.mul_f32s(half, simd.add_f32s(a, b));
        force = simd.mul_add_e_f32s(share, mean, force);
        // ∂/∂x⁺: ½ all the way, ρ - ρ²/2 when entering, ρ²/2 when leaving.
        let bent = simd.mul_f32s(half, simd.mul_f32s(share, share));
        let entering = simd.sub_f32s(share, bent);
        let part = pick(simd, simd.less_than_f32s(start, end), entering, bent);
        slope = simd.add_f32s(slope, part);
    }
    Press {
        force: stiffness * simd.reduce_sum_f32s(force),
        stiffness: stiffness * simd.reduce_sum_f32s(slope),
    }
}

#[inline(always)]
fn hertz<S: Simd>(simd: S, coefficient: f32, heights: &[Row; 2], from: f32, to: f32) -> Press {
    let (zero, one) = (simd.splat_f32s(0.0), simd.splat_f32s(1.0));
    // Keeps the quotient finite where both ends are open; far below any penetration that counts.
    let tiny = simd.splat_f32s(1e-18);
    let [two_and_a_half, half_slope, tolerance] = [2.5, 1.875, 1e-3].map(|x| simd.splat_f32s(x));
    let deflections = [simd.splat_f32s(from), simd.splat_f32s(to)];
    let (mut force, mut slope) = (zero, zero);
    for part in 0..ROW / S::F32_LANES {
        let [start, end, way] = way(simd, heights, part, deflections);
        let (b, a) = (simd.max_f32s(start, zero), simd.max_f32s(end, zero));
        let crossing = simd.div_f32s(simd.sub_f32s(a, b), way);
        let all_the_way = simd.less_than_f32s(zero, simd.min_f32s(start, end));
        let share = simd.min_f32s(pick(simd, all_the_way, one, crossing), one);
        let (u, v) = (simd.sqrt_f32s(a), simd.sqrt_f32s(b));
        let uv = simd.mul_f32s(u, v);
        let squares = simd.mul_add_e_f32s(a, a, simd.mul_f32s(b, b));
        let cross = simd.mul_f32s(uv, simd.add_f32s(uv, simd.add_f32s(a, b)));
        let sum = simd.add_f32s(simd.add_f32s(u, v), tiny);
        let mean = simd.div_f32s(simd.add_f32s(squares, cross), sum);
        // ∂/∂x⁺ of the mean: (f(a) - mean)/(p⁺ - p⁻), whose limit for a short way is half the law's slope.
        let mean = simd.mul_f32s(share, mean);
        force = simd.add_f32s(force, mean);
        let law = simd.mul_f32s(two_and_a_half, simd.mul_f32s(a, u));
        let steep = simd.div_f32s(simd.sub_f32s(law, mean), way);
        let limit = simd.mul_f32s(half_slope, simd.max_f32s(u, v));
        let gone = magnitude(simd, simd.sub_f32s(end, start));
        let short = simd.less_than_f32s(gone, simd.mul_f32s(tolerance, simd.max_f32s(a, b)));
        slope = simd.add_f32s(slope, pick(simd, short, limit, steep));
    }
    Press {
        force: 0.4 * coefficient * simd.reduce_sum_f32s(force),
        stiffness: 0.4 * coefficient * simd.reduce_sum_f32s(slope),
    }
}

/// e^x by 2^n·P(f), relative error below 1e-5; plain arithmetic that compilers turn into lanes. Adding
/// 1.5·2²³ rounds to a whole number and leaves it in the low bits.
#[inline(always)]
fn exp(x: f32) -> f32 {
    let scaled = (x * std::f32::consts::LOG2_E).clamp(-120.0, 120.0);
    let rounded = scaled + 12_582_912.0;
    let f = scaled - (rounded - 12_582_912.0);
    let p = 1.0
        + f * (std::f32::consts::LN_2
            + f * (0.240_226_5
                + f * (0.055_504_1 + f * (0.009_618_1 + f * (0.001_333_4 + f * 0.000_154_0)))));
    p * f32::from_bits(rounded.to_bits().wrapping_add(127) << 23)
}

/// Beyond e^14 times p₀ (half a gigapascal on the bench, where steel yields) the law goes on along its
/// tangent: a wall that grows without end would turn one step of a fast change into any energy.
const STRAIGHT_FROM: f32 = 14.0;

/// Pressure, energy (over p₀ and p₀/λ) and slope of the exponential law at u = λ·depth.
#[inline(always)]
fn grow(u: f32, reach: f32) -> [f32; 3] {
    let e = exp(u.min(STRAIGHT_FROM));
    let beyond = (u - STRAIGHT_FROM).max(0.0);
    let e = if u > -reach { e } else { 0.0 };
    [e * (1.0 + beyond), e * (1.0 + beyond + 0.5 * beyond * beyond), e]
}

#[inline(always)]
fn sum_row<S: Simd>(simd: S, row: &Row) -> f32 {
    let mut sum = simd.splat_f32s(0.0);
    for &part in row.wide::<S>() {
        sum = simd.add_f32s(sum, part);
    }
    simd.reduce_sum_f32s(sum)
}

#[inline(always)]
fn exponential<S: Simd>(
    simd: S,
    [strength, lambda, reach]: [f32; 3],
    heights: &[Row; 2],
    from: f32,
    to: f32,
) -> Press {
    let (mut forces, mut slopes) = (Row::ZERO, Row::ZERO);
    let [before, after] = heights;
    let nodes = before.0.into_iter().zip(after.0);
    for ((force, slope), (before, after)) in forces.0.iter_mut().zip(&mut slopes.0).zip(nodes) {
        let (start, end) = (lambda * (before + from), lambda * (after + to));
        let [first, start_energy, _] = grow(start, lambda * reach);
        let [last, end_energy, steep] = grow(end, lambda * reach);
        // A short way has the middle of its ends for a mean; a long one the difference of the energies.
        let way = end - start;
        let short = way.abs() < 0.05;
        let inverse = 1.0 / if short { 1.0 } else { way };
        let mean = (end_energy - start_energy) * inverse;
        *force = if short { 0.5 * (first + last) } else { mean };
        *slope = if short { 0.5 * steep } else { (last - mean) * inverse };
    }
    Press { force: strength * sum_row(simd, &forces), stiffness: strength * lambda * sum_row(simd, &slopes) }
}

/// Energy of a block at deflection `x`, joules per metre of width.
#[inline(always)]
pub fn stored<S: Simd>(simd: S, law: &NodeLaw, heights: &Row, x: f32) -> f32 {
    let zero = simd.splat_f32s(0.0);
    let mut sum = zero;
    match *law {
        NodeLaw::Penalty { stiffness } => {
            for &z in heights.wide::<S>() {
                let a = simd.max_f32s(simd.add_f32s(z, simd.splat_f32s(x)), zero);
                sum = simd.mul_add_e_f32s(a, a, sum);
            }
            0.5 * stiffness * simd.reduce_sum_f32s(sum)
        }
        NodeLaw::Hertz { coefficient } => {
            for &z in heights.wide::<S>() {
                let a = simd.max_f32s(simd.add_f32s(z, simd.splat_f32s(x)), zero);
                sum = simd.mul_add_e_f32s(simd.mul_f32s(a, a), simd.sqrt_f32s(a), sum);
            }
            0.4 * coefficient * simd.reduce_sum_f32s(sum)
        }
        NodeLaw::Exponential { force, lambda, reach } => {
            let mut energies = Row::ZERO;
            for (energy, z) in energies.0.iter_mut().zip(heights.0) {
                *energy = grow(lambda * (z + x), lambda * reach)[1];
            }
            force / lambda * sum_row(simd, &energies)
        }
    }
}

#[cfg(test)]
mod tests;
