//! Coefficients that step every mode by its exact poles, and the shapes of a beam of any length.
//!
//! With k the inner step, σ = ζω and ω_d = ω√(1-ζ²), the continuous poles are warped once,
//! s = (2/k)·tanh((-σ + jω_d)k/2), W² = |s|², S = -Re s, so that the midpoint rule has them exactly:
//!
//! m'[(v⁺ - v)/k + 2S·d/k + W²(q + d/2)] = f, d = q⁺ - q = k(v + v⁺)/2.
//!
//! With w = k·v and D = 1 + Sk + W²k²/4 a step is d = w - e(w + 2q) + l·q + c·f, q ← q + d,
//! w ← 2d - w, where e = 1 - 1/D, l = 2Sk/D and c = k²/(2m'D). Written so, the determinant of a step
//! is 1 - l whatever the rounding of e: an undamped mode neither grows nor decays in f32, which a
//! rounded rotation does by several per cent in ten seconds.
//! The energy ½m'(v² + W²q²) changes by exactly f·d - (2Sm'/k)·d², so contact can be made passive.
//! The midpoint rule gets gains wrong near the inner Nyquist rate; m' = m·θcos²θ/sinθ with θ = ωk/2 and
//! velocity read as v·ω/W make the response to an impulse exact in both q and v.
//!
//! Limits: 0 ≤ ζ ≤ 1. Modes above 0.45 of the inner rate, or whose waves are shorter than the nodes under
//! the slider can carry, stand still, see [`ModeTable::still`].

use super::lanes::{ROW, Row, rows_for};
use crate::beam::{Beam, Ends, ModalBasis};
use crate::scene::{Body, DampingLaw};
use std::f64::consts::TAU;

/// Highest frequency that moves, as a share of the inner rate.
const HIGHEST_SHARE: f64 = 0.45;
/// Modes up to this many times that frequency have a place in the table: a body that gets longer, thinner
/// or softer brings them down.
const ROOM: f64 = 4.0;

/// One mode's numbers in double precision; the table below is its narrow copy.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Mode {
    pub omega: f64,
    pub zeta: f64,
    /// Mass per area of its body.
    pub mass: f64,
    /// m' of the header.
    pub modal_mass: f64,
    /// W, rad/s.
    pub warped: f64,
    pub e: f64,
    pub l: f64,
    pub c: f64,
    /// 2Sm'/k: joules lost per d².
    pub heat: f64,
}

impl Mode {
    pub fn new(omega: f64, zeta: f64, mass: f64, step_s: f64) -> Self {
        let zeta = zeta.clamp(0.0, 1.0);
        let theta = 0.5 * omega * step_s;
        // tanh(a + jb) of the header with a = -ζθ, b = θ√(1-ζ²).
        let (a, b) = (-zeta * theta, theta * (1.0 - zeta * zeta).sqrt());
        let (sinh, cosh) = ((2.0 * a).sinh(), (2.0 * a).cosh());
        let below = cosh + (2.0 * b).cos();
        let (re, im) = (2.0 / step_s * sinh / below, 2.0 / step_s * (2.0 * b).sin() / below);
        let warped = re.hypot(im);
        let (sk, wk) = (-re * step_s, warped * step_s);
        let d = 1.0 + sk + 0.25 * wk * wk;
        let shrink = if theta < 1e-6 { 1.0 } else { theta * theta.cos().powi(2) / theta.sin() };
        let modal_mass = mass * shrink;
        Self {
            omega,
            zeta,
            mass,
            modal_mass,
            warped,
            e: (sk + 0.25 * wk * wk) / d,
            l: 2.0 * sk / d,
            c: step_s * step_s / (2.0 * modal_mass * d),
            heat: 2.0 * sk * modal_mass / (step_s * step_s),
        }
    }

    /// The same mode, deaf to forces.
    fn held_still(self) -> Self {
        Self { c: 0.0, ..self }
    }

    pub fn is_still(&self) -> bool {
        self.c == 0.0
    }

    /// ω/W: what a stored velocity is multiplied by where it is read.
    pub fn velocity_gain(&self) -> f64 {
        if self.warped > 0.0 { self.omega / self.warped } else { 1.0 }
    }

    /// Mean square velocity per mean d²: (θ/(k·sin θ))². Over a step d/k is the velocity at its middle.
    pub fn square_gain(&self, step_s: f64) -> f64 {
        let theta = 0.5 * self.omega * step_s;
        let stretch = if theta < 1e-6 { 1.0 } else { theta / theta.sin() };
        (stretch / step_s).powi(2)
    }
}

/// Shapes and wave numbers of a beam of unit length: ψ(x) = unit(x/L)/√L for every length.
#[derive(Debug, Clone)]
pub struct UnitShapes {
    basis: ModalBasis,
    /// α of the unit beam.
    wave: Vec<f64>,
}

impl UnitShapes {
    pub fn new(ends: Ends, modes: usize) -> Self {
        // D = m = 1, so that ω = α².
        let beam = Beam { length_m: 1.0, thickness_m: 1.0, young_pa: 12.0, density_kg_m3: 1.0, ends };
        let basis = ModalBasis::new(beam, modes);
        let wave = basis.omegas().iter().map(|omega| omega.sqrt()).collect();
        Self { basis, wave }
    }

    pub fn len(&self) -> usize {
        self.wave.len()
    }

    /// ψ_k(x) of a beam of length `length_m`.
    pub fn shape(&self, k: usize, x: f64, length_m: f64) -> f64 {
        self.basis.shape(k, (x / length_m).clamp(0.0, 1.0)) / length_m.sqrt()
    }

    /// ψ_k'(x) of a beam of length `length_m`.
    pub fn slope(&self, k: usize, x: f64, length_m: f64) -> f64 {
        self.basis.slope(k, (x / length_m).clamp(0.0, 1.0)) / (length_m * length_m.sqrt())
    }

    /// α_k, 1/m.
    pub fn wave_number(&self, k: usize, length_m: f64) -> f64 {
        self.wave.get(k).copied().unwrap_or(0.0) / length_m
    }

    /// Mean of ψ_k between two places.
    pub fn mean(&self, k: usize, from: f64, to: f64, length_m: f64) -> f64 {
        let span = (to - from) / length_m;
        self.basis.integral(k, from / length_m, to / length_m) / (span * length_m.sqrt())
    }

    /// ω_k of a body; rigid modes swing on the body's soft bed.
    pub fn omega(&self, k: usize, body: &Body) -> f64 {
        let beam = &body.beam;
        let speed = (beam.bending_stiffness() / beam.mass_per_area()).sqrt();
        let omega = self.wave_number(k, beam.length_m).powi(2) * speed;
        if omega > 0.0 { omega } else { TAU * body.support_hz }
    }

    /// ζ_k of a body.
    pub fn zeta(&self, k: usize, body: &Body) -> f64 {
        let first = if body.beam.ends == Ends::Free { 2 } else { 0 };
        let reference = self.omega(first.min(self.len().saturating_sub(1)), body);
        let omega = self.omega(k, body);
        match body.damping_law {
            DampingLaw::Viscous if omega > reference => body.damping_ratio * reference / omega,
            DampingLaw::Viscous | DampingLaw::Constant => body.damping_ratio,
        }
    }
}

/// Sixteen modes as the hot loop reads them: what it needs lies together.
#[derive(Debug, Clone, Copy)]
pub struct ModeRow {
    pub e: Row,
    pub l: Row,
    pub c: Row,
    /// Energy per w² and per q².
    pub kinetic: Row,
    pub elastic: Row,
    /// Loss per Σd², and mean square velocity of the resonator per Σd².
    pub heat: Row,
    pub square: Row,
}

const NO_MODES: ModeRow = ModeRow {
    e: Row::ZERO,
    l: Row::ZERO,
    c: Row::ZERO,
    kinetic: Row::ZERO,
    elastic: Row::ZERO,
    heat: Row::ZERO,
    square: Row::ZERO,
};

/// All modes of both bodies, the resonator's first, in double precision and in rows.
#[derive(Debug, Clone)]
pub struct ModeTable {
    pub step_s: f64,
    pub modes: Vec<Mode>,
    /// How many of them are the resonator's.
    pub resonator: usize,
    /// Modes of the scene beyond the reach of the inner rate or of the nodes; they neither move nor yield.
    pub still: usize,
    /// Modes of the scene, wherever they are.
    wanted: usize,
    pub rows: Vec<ModeRow>,
}

impl ModeTable {
    /// Modes that the inner rate carries; the nodes have no say before [`ModeTable::fill`].
    pub fn new(bodies: [&Body; 2], shapes: [&UnitShapes; 2], step_s: f64) -> Self {
        let kept = |body: &Body, shapes: &UnitShapes| {
            let highest = ROOM * TAU * HIGHEST_SHARE / step_s;
            (0..shapes.len()).take_while(|&k| shapes.omega(k, body) <= highest).count()
        };
        let (one, two) = (kept(bodies[0], shapes[0]), kept(bodies[1], shapes[1]));
        let mut table = Self {
            step_s,
            modes: vec![Mode::default(); one + two],
            resonator: one,
            still: 0,
            wanted: shapes[0].len() + shapes[1].len(),
            rows: vec![NO_MODES; rows_for(one + two)],
        };
        table.fill(bodies, shapes, f64::INFINITY);
        table
    }

    /// The highest frequency a mode of this table may have.
    fn highest_omega(&self) -> f64 {
        TAU * HIGHEST_SHARE / self.step_s
    }

    /// Writes all coefficients anew, in place. A mode beyond the inner rate, or with a wave number beyond
    /// `shortest_wave_1_m`, rings out deaf to forces until a change of its body brings it back.
    pub fn fill(&mut self, bodies: [&Body; 2], shapes: [&UnitShapes; 2], shortest_wave_1_m: f64) {
        let highest = self.highest_omega();
        self.still = self.wanted - self.modes.len();
        for k in 0..self.modes.len() {
            let (body, shape, local) = if k < self.resonator {
                (bodies[0], shapes[0], k)
            } else {
                (bodies[1], shapes[1], k - self.resonator)
            };
            let omega = shape.omega(local, body);
            let zeta = shape.zeta(local, body);
            let mut mode = Mode::new(omega.min(highest), zeta, body.beam.mass_per_area(), self.step_s);
            if omega > highest || shape.wave_number(local, body.beam.length_m) > shortest_wave_1_m {
                mode = mode.held_still();
                self.still += 1;
            }
            self.modes[k] = mode;
            let half_mass = 0.5 * mode.modal_mass;
            let heard = if k < self.resonator { mode.square_gain(self.step_s) } else { 0.0 };
            let row = &mut self.rows[k / ROW];
            let lane = k % ROW;
            row.e.0[lane] = mode.e as f32;
            row.l.0[lane] = mode.l as f32;
            row.c.0[lane] = mode.c as f32;
            row.kinetic.0[lane] = (half_mass / (self.step_s * self.step_s)) as f32;
            row.elastic.0[lane] = (half_mass * mode.warped * mode.warped) as f32;
            row.heat.0[lane] = mode.heat as f32;
            row.square.0[lane] = heard as f32;
        }
    }
}

/// z/2 to the power K over K!: Chebyshev interpolation of a wave of phase 2z over the slider leaves
/// about twice this.
pub fn interpolation_error(half_phase: f64, nodes: usize) -> f64 {
    (1..=nodes).fold(2.0, |product, n| product * 0.5 * half_phase / n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ½m'(v² + W²q²) for w = k·v.
    fn energy(mode: &Mode, q: f64, w: f64, step_s: f64) -> f64 {
        let v = w / step_s;
        0.5 * mode.modal_mass * (v * v + (mode.warped * q).powi(2))
    }

    /// A step in double precision.
    fn advance(mode: &Mode, q: &mut f64, w: &mut f64, force: f64) {
        let d = *w - mode.e * (*w + 2.0 * *q) + mode.l * *q + mode.c * force;
        *q += d;
        *w = 2.0 * d - *w;
    }

    #[test]
    fn val_impulse_response_is_exact_up_to_the_limit() {
        let step = 1.0 / 192_000.0;
        for (hz, zeta) in [(23.2, 0.02), (1000.0, 0.0), (9000.0, 0.005), (20_900.0, 0.02), (60_000.0, 0.0)] {
            let mode = Mode::new(TAU * hz, zeta, 3.0, step);
            let (mut q, mut w) = (0.0, 0.0);
            advance(&mode, &mut q, &mut w, 1.0);
            let damped = mode.omega * (1.0 - zeta * zeta).sqrt();
            let mut worst = 0.0f64;
            for n in 1..400 {
                advance(&mode, &mut q, &mut w, 0.0);
                // The kick acts at the middle of its step.
                let t = (f64::from(n) + 0.5) * step;
                let decay = (-zeta * mode.omega * t).exp();
                let speed = step / 3.0;
                let exact_q = speed * decay * (damped * t).sin() / damped;
                let phase = damped * t;
                let exact_v = speed * decay * (phase.cos() - zeta * mode.omega / damped * phase.sin());
                worst = worst.max((q - exact_q).abs() * mode.omega / speed);
                worst = worst.max((w / step * mode.velocity_gain() - exact_v).abs() / speed);
            }
            // Damping and warping meet at second order only.
            assert!(worst < 1e-3 + 2.0 * zeta, "{hz} Hz, ζ = {zeta}: {worst}");
        }
    }

    #[test]
    fn val_energy_changes_by_work_less_heat() {
        let step = 1.0 / 192_000.0;
        let mode = Mode::new(TAU * 5000.0, 0.3, 2.0, step);
        let (mut q, mut w) = (1e-6, 0.0);
        for n in 0..200 {
            let force = f64::from(n % 7) - 2.0;
            let before = energy(&mode, q, w, step);
            let from = q;
            advance(&mode, &mut q, &mut w, force);
            let d = q - from;
            let change = energy(&mode, q, w, step) - before;
            let expected = force * d - mode.heat * d * d;
            assert!((change - expected).abs() <= 1e-9 * (before + expected.abs()), "{change} {expected}");
        }
    }

    #[test]
    fn an_undamped_mode_keeps_its_energy_in_single_precision() {
        let step = 1.0 / 192_000.0;
        for hz in [23.2, 700.0, 15_000.0] {
            let mode = Mode::new(TAU * hz, 0.0, 1.0, step);
            let (e, l) = (mode.e as f32, mode.l as f32);
            let (mut q, mut w) = (1e-6f32, 0.0f32);
            let first = energy(&mode, f64::from(q), f64::from(w), step);
            for _ in 0..1_920_000 {
                let d = w - e * (w + 2.0 * q) + l * q;
                q += d;
                w = 2.0 * d - w;
            }
            let drift = energy(&mode, f64::from(q), f64::from(w), step) / first - 1.0;
            assert!(drift.abs() < 1e-3, "{hz} Hz: {drift:e} in ten seconds");
        }
    }

    #[test]
    fn unit_shapes_scale_to_any_length() {
        let body = Body {
            beam: Beam {
                length_m: 0.45,
                thickness_m: 0.002,
                young_pa: 210e9,
                density_kg_m3: 7800.0,
                ends: Ends::Free,
            },
            modes: 12,
            damping_ratio: 0.01,
            damping_law: DampingLaw::Viscous,
            support_hz: 10.0,
        };
        let unit = UnitShapes::new(Ends::Free, 12);
        let basis = body.basis();
        let omegas = body.omegas(&basis);
        let zetas = body.damping_ratios(&omegas);
        for k in 0..12 {
            assert!((unit.omega(k, &body) / omegas[k] - 1.0).abs() < 1e-12);
            assert!((unit.zeta(k, &body) - zetas[k]).abs() < 1e-15);
            assert!((unit.shape(k, 0.13, 0.45) - basis.shape(k, 0.13)).abs() < 1e-9);
            let mean = basis.integral(k, 0.1, 0.12) / 0.02;
            assert!((unit.mean(k, 0.1, 0.12, 0.45) - mean).abs() < 1e-6);
        }
    }
}
