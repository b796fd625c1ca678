//! Coefficients that step every mode by its exact poles.
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
//! Limits: 0 ≤ ζ ≤ 1. Modes above 0.45 of the inner rate have no time to swing and only yield: q⁺ = f/(mω²), which
//! is the same step with e = l = 1 and c = 1/(mω²). Their energy ½mω²q² changes by f·d - ½mω²d², so they are passive
//! too; they are not heard as velocity. Modes whose waves are shorter than the nodes under the slider can carry
//! neither move nor yield. Both are counted in [`ModeTable::still`].

use super::lanes::{ROW, Row, rows_for};
use super::shapes::UnitShapes;
use crate::scene::Body;
use std::f64::consts::TAU;

/// Highest frequency that moves, as a share of the inner rate.
const HIGHEST_SHARE: f64 = 0.45;
/// Modes up to this many times that frequency have a place in the table: a body that gets longer, thinner
/// or softer brings them down.
const ROOM: f64 = 4.0;

/// What a mode does with a force.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Answer {
    #[default]
    Swings,
    /// Gives way as a spring does.
    Yields,
    /// Rings out.
    Deaf,
}

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
    pub answer: Answer,
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
            answer: Answer::Swings,
        }
    }

    /// A mode too fast to swing: it follows its force.
    fn yielding(omega: f64, zeta: f64, mass: f64) -> Self {
        let stiffness = mass * omega * omega;
        Self {
            omega,
            zeta,
            mass,
            modal_mass: mass,
            warped: omega,
            e: 1.0,
            l: 1.0,
            c: 1.0 / stiffness,
            heat: 0.5 * stiffness,
            answer: Answer::Yields,
        }
    }

    /// The same mode, deaf to forces.
    fn deaf(self) -> Self {
        Self { c: 0.0, answer: Answer::Deaf, ..self }
    }

    /// 1/(m'W²); nothing yields where forces are not heard.
    pub fn compliance(&self) -> f64 {
        let stiffness = self.modal_mass * self.warped * self.warped;
        if self.c > 0.0 && stiffness > 0.0 { 1.0 / stiffness } else { 0.0 }
    }

    /// ω/W: what a stored velocity is multiplied by where it is read.
    pub fn velocity_gain(&self) -> f64 {
        match self.answer {
            Answer::Yields => 0.0,
            _ if self.warped > 0.0 => self.omega / self.warped,
            _ => 1.0,
        }
    }

    /// Energy per w²: w of a mode that only yields says nothing.
    fn kinetic(&self, step_s: f64) -> f64 {
        if self.answer == Answer::Yields { 0.0 } else { 0.5 * self.modal_mass / (step_s * step_s) }
    }

    /// Mean square velocity per mean d²: (θ/(k·sin θ))². Over a step d/k is the velocity at its middle.
    pub fn square_gain(&self, step_s: f64) -> f64 {
        if self.answer == Answer::Yields {
            return 0.0;
        }
        let theta = 0.5 * self.omega * step_s;
        let stretch = if theta < 1e-6 { 1.0 } else { theta / theta.sin() };
        (stretch / step_s).powi(2)
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
    /// Modes of the scene beyond the reach of the inner rate or of the nodes: they do not swing.
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

    /// Writes all coefficients anew, in place. A mode beyond the inner rate yields, one with a wave number beyond
    /// `shortest_wave_1_m` is deaf to forces, until a change of its body brings it back.
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
            let mass = body.beam.mass_per_area();
            let mode = if shape.wave_number(local, body.beam.length_m) > shortest_wave_1_m {
                Mode::new(omega.min(highest), zeta, mass, self.step_s).deaf()
            } else if omega > highest {
                Mode::yielding(omega, zeta, mass)
            } else {
                Mode::new(omega, zeta, mass, self.step_s)
            };
            self.still += usize::from(mode.answer != Answer::Swings);
            self.modes[k] = mode;
            let heard = if k < self.resonator { mode.square_gain(self.step_s) } else { 0.0 };
            let row = &mut self.rows[k / ROW];
            let lane = k % ROW;
            row.e.0[lane] = mode.e as f32;
            row.l.0[lane] = mode.l as f32;
            row.c.0[lane] = mode.c as f32;
            row.kinetic.0[lane] = mode.kinetic(self.step_s) as f32;
            row.elastic.0[lane] = (0.5 * mode.modal_mass * mode.warped * mode.warped) as f32;
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
mod tests;
