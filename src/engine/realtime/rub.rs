//! Friction within an inner step, solved together with the normal forces.
//!
//! Friction T on the slider does the work T·w with the slip speed w = V̄ + Σ_k W_k·d_k/k. W holds what the
//! reference engine's `rub` does: the surfaces' own ±(H/2)·∂u̇/∂x and the way along a slope. So the same W
//! turns T into modal forces, and T moves the nodes by B = Σ_k φ_k·c_k·W_k.
//!
//! All touches share one slip. In either phase T is linear in the normal forces f: T = -d·μ·Σf while it
//! slips towards d, T = -w/C_t (whatever f makes of w) while it sticks. Put into r⁺ = r_free - C·F + B·T this
//! is the frictionless solve with another compliance, so normal forces stay exact and no energy is made:
//! a phase is kept only if T·w ≤ 0 and |T| ≤ μ_s·Σf. When neither phase holds there is no friction in that
//! step. The shares of the touches in T are those of their last forces. Stick is always exact; the scene's
//! penalised stick belongs to the reference engine.

use super::grasp::Grasp;
use super::lanes::{ROW, Row};
use super::meet::Meeting;
use super::modes::ModeTable;
use super::pass::ModalState;
use super::press::NodeLaw;
use super::solve::Touching;
use super::tow::{Free, Tow};
use crate::engine::tally::Tally;
use crate::friction::Phase;
use crate::record::Rubbing;
use crate::scene::{Friction, Scene};
use pulp::Simd;

#[derive(Debug, Clone)]
pub struct Rub {
    pub friction: Option<Friction>,
    pub tow: Tow,
    feels_contact: bool,
    phase: Phase,
    /// Slip ended within this step.
    caught: bool,
    slip_m_s: f64,
    /// Half a thickness times the slope of every mode at the nodes, laid out like Φ.
    pub levers: Vec<Row>,
    /// W.
    row: Vec<Row>,
    /// Since the books were last read: heat, drive work, loss in the dashpot.
    pub heat: f64,
    pub drive_work: f64,
    pub loss: f64,
    pub tally: Tally,
}

/// A slider along x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sliding {
    pub place_m: f64,
    pub speed_m_s: f64,
    pub drive_place_m: f64,
    /// Mean speed of the slider's surface over the resonator's where they touch.
    pub slip_m_s: f64,
    pub sticks: bool,
}

/// What friction acts on in a step.
pub struct Grip<'a> {
    pub rub: &'a mut Rub,
    pub free: Free,
    /// Way of the heights in this step.
    pub travel_m: f64,
    pub state: &'a mut ModalState,
    pub table: &'a ModeTable,
    pub phi: &'a [Row],
}

/// Ways below this are too short to divide a work in single precision by, metres.
const LEAST_WAY_M: f64 = 1e-9;

/// How T depends on the normal forces.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Guess {
    Stick,
    /// Towards a direction with a coefficient.
    Slip(f64, f64),
    None,
}

impl Rub {
    /// `None` where the slider moves as it is told and nothing rubs.
    pub fn new(scene: &Scene, rows: usize, nodes: usize, step_s: f64) -> Option<Self> {
        let tow = Tow::new(scene, step_s);
        (scene.friction.is_some() || !tow.is_rigid()).then(|| Self {
            friction: scene.friction,
            tow,
            feels_contact: scene.drive.feels_contact,
            phase: Phase::Stick,
            caught: false,
            slip_m_s: 0.0,
            levers: vec![Row::ZERO; rows * nodes],
            row: vec![Row::ZERO; rows],
            heat: 0.0,
            drive_work: 0.0,
            loss: 0.0,
            tally: Tally::new(rows * ROW),
        })
    }

    pub fn start(&mut self, speed_m_s: f64) {
        self.tow.start(speed_m_s);
        self.phase = Phase::Slip { direction: if speed_m_s < 0.0 { -1.0 } else { 1.0 } };
        self.slip_m_s = speed_m_s;
        (self.heat, self.drive_work, self.loss) = (0.0, 0.0, 0.0);
        self.tally.clear();
    }

    /// Friction and drive as the controls say. A spring that is made stiffer while it is stretched takes work.
    pub fn take(&mut self, grasp: &Grasp) {
        if let Some(friction) = &mut self.friction {
            friction.law = grasp.law;
        }
        self.drive_work += self.tow.set_stiffness(grasp.stiffness_n_m);
    }

    pub fn predict(&self, drive_m_s: f64) -> Free {
        self.tow.predict(drive_m_s)
    }

    /// Ends the step under friction `force`; the way in metres.
    pub fn advance(&mut self, free: &Free, force: f64) -> f64 {
        let pulled = self.tow.advance(free, force);
        self.drive_work += pulled.drive_work;
        self.loss += pulled.loss;
        if std::mem::take(&mut self.caught) {
            self.heat += self.tow.catch(pulled.way_m);
        }
        pulled.way_m
    }

    /// Something moves otherwise than it would without friction and on a rigid drive.
    pub fn is_felt(&self) -> bool {
        let coupled = |friction: &Friction| {
            friction.bends_resonator || friction.pitches_slider || friction.follows_slope
        };
        !self.tow.is_rigid() || self.friction.as_ref().is_some_and(coupled)
    }

    /// A slider that is free along x pays for moving the heights with its own speed.
    pub fn pays(&self) -> bool {
        self.feels_contact && !self.tow.is_rigid()
    }

    /// What the slider does along x, `place_m` along the texture.
    pub fn sliding(&self, place_m: f64) -> Sliding {
        Sliding {
            place_m,
            speed_m_s: self.tow.speed,
            drive_place_m: place_m - self.tow.stretch,
            slip_m_s: self.slip_m_s,
            sticks: self.phase == Phase::Stick,
        }
    }

    /// What was counted, where there is friction.
    pub fn rubbing(&self, steps: u64, step_s: f64) -> Option<Rubbing> {
        self.friction.map(|_| self.tally.figures(steps, step_s))
    }
}

impl Grip<'_> {
    /// Books what moving the heights took: on a free slider it acts along x.
    pub fn pay(&mut self, work: f64, touching: &[Touching]) -> Free {
        if self.rub.pays() {
            let push = if self.travel_m.abs() > LEAST_WAY_M {
                -work / self.travel_m
            } else {
                -touching.iter().map(|t| f64::from(t.force * t.slope)).sum::<f64>()
            };
            self.free = self.free.pushed(push);
        }
        self.free
    }

    /// W for the touches' last forces.
    #[inline(always)]
    fn weigh<S: Simd, const K: usize>(&mut self, simd: S, touching: &[Touching]) {
        let total: f32 = touching.iter().map(|t| t.force).sum();
        let follows = self.rub.friction.is_some_and(|friction| friction.follows_slope);
        let (mut levers, mut slopes) = ([0.0f32; K], [0.0f32; K]);
        for t in touching {
            let share = if total > 0.0 { t.force / total } else { 1.0 / touching.len() as f32 };
            let slope = if follows { share * t.slope } else { 0.0 };
            for ((lever, tilt), weight) in levers.iter_mut().zip(&mut slopes).zip(&t.weights) {
                *lever += share * weight;
                *tilt -= slope * weight;
            }
        }
        let shapes = self.rub.levers.as_chunks::<K>().0.iter().zip(self.phi.as_chunks::<K>().0);
        for (row, (lever, phi)) in self.rub.row.iter_mut().zip(shapes) {
            for (part, out) in row.wide_mut::<S>().iter_mut().enumerate() {
                let mut sum = simd.splat_f32s(0.0);
                for j in 0..K {
                    sum = simd.mul_add_e_f32s(lever[j].wide::<S>()[part], simd.splat_f32s(levers[j]), sum);
                    sum = simd.mul_add_e_f32s(phi[j].wide::<S>()[part], simd.splat_f32s(slopes[j]), sum);
                }
                *out = sum;
            }
        }
    }

    /// B, Σ c·W² and Σ W·d.
    #[inline(always)]
    fn answer<S: Simd, const K: usize>(&self, simd: S) -> ([f32; K], f64, f64) {
        let zero = simd.splat_f32s(0.0);
        let (mut nodes, mut give, mut drift) = ([zero; K], zero, zero);
        let modes = self.rub.row.iter().zip(&self.table.rows).zip(&self.state.rows);
        for (((row, table), state), phi) in modes.zip(self.phi.as_chunks::<K>().0) {
            for part in 0..ROW / S::F32_LANES {
                let row = row.wide::<S>()[part];
                let pushed = simd.mul_f32s(table.c.wide::<S>()[part], row);
                give = simd.mul_add_e_f32s(pushed, row, give);
                drift = simd.mul_add_e_f32s(state.d.wide::<S>()[part], row, drift);
                for (sum, phi) in nodes.iter_mut().zip(phi) {
                    *sum = simd.mul_add_e_f32s(phi.wide::<S>()[part], pushed, *sum);
                }
            }
        }
        let mut moved = [0.0; K];
        for (out, sum) in moved.iter_mut().zip(nodes) {
            *out = simd.reduce_sum_f32s(sum);
        }
        (moved, f64::from(simd.reduce_sum_f32s(give)), f64::from(simd.reduce_sum_f32s(drift)))
    }

    /// Normal forces and friction of one step; `ahead` is corrected by T, not yet by the normal forces.
    #[inline(always)]
    pub fn solve<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        meeting: &mut Meeting,
        law: &NodeLaw,
        ahead: &mut [f32; K],
    ) -> f64 {
        let Some(friction) = self.rub.friction else {
            meeting.solve::<S, K>(simd, law, ahead);
            return 0.0;
        };
        let step_s = self.table.step_s;
        self.weigh::<S, K>(simd, &meeting.touching[..meeting.count]);
        let (moved, give, drift) = self.answer::<S, K>(simd);
        let compliance = give / step_s + self.free.give;
        let slip = self.free.speed + drift / step_s;
        for t in &mut meeting.touching[..meeting.count] {
            t.plain = (t.free, t.yields);
            t.lifted = moved.iter().zip(&t.weights).map(|(b, w)| b * w).sum();
        }
        let free_ahead = *ahead;
        let coefficient = friction.law.coefficient(self.rub.slip_m_s);
        let slips = |direction: f64| Guess::Slip(direction, coefficient);
        let mut guess = match self.rub.phase {
            Phase::Slip { direction } => slips(direction),
            Phase::Stick => Guess::Stick,
        };
        let towards = |force: f64| if force > 0.0 { -1.0 } else { 1.0 };
        let (mut force, mut speed) = (0.0, slip);
        for attempt in 0..4 {
            let constant = set_guess::<K>(meeting, guess, (slip, compliance, step_s), &moved);
            *ahead = std::array::from_fn(|j| free_ahead[j] + constant as f32 * moved[j]);
            meeting.solve::<S, K>(simd, law, ahead);
            let touching = &meeting.touching[..meeting.count];
            let normal: f64 = touching.iter().map(|t| f64::from(t.force)).sum();
            force = constant + touching.iter().map(|t| f64::from(t.share * t.force)).sum::<f64>();
            let yielded: f64 = touching.iter().map(|t| f64::from(t.lifted * t.force)).sum();
            speed = slip + compliance * force - yielded / step_s;
            let limit = friction.law.static_coefficient * normal;
            guess = match guess {
                Guess::Stick if force.abs() <= limit => break,
                Guess::Slip(direction, _) if direction * speed >= 0.0 && normal > 0.0 => break,
                Guess::None => break,
                _ if normal <= 0.0 || attempt == 2 => Guess::None,
                // Too weak to hold: slips the way it was pulled, at first as hard as it can hold.
                Guess::Stick if attempt == 0 => slips(towards(force)),
                Guess::Stick => Guess::Slip(towards(force), friction.law.static_coefficient),
                Guess::Slip(..) => Guess::Stick,
            };
        }
        self.settle(guess, force, speed);
        force
    }

    /// Remembers the phase, books the heat, and gives T to the modes.
    fn settle(&mut self, guess: Guess, force: f64, speed: f64) {
        let rub = &mut *self.rub;
        rub.caught = guess == Guess::Stick && rub.phase != Phase::Stick;
        rub.phase = match guess {
            Guess::Stick => Phase::Stick,
            Guess::Slip(direction, _) => Phase::Slip { direction },
            Guess::None => Phase::Slip { direction: if speed < 0.0 { -1.0 } else { 1.0 } },
        };
        rub.slip_m_s = if guess == Guess::Stick { 0.0 } else { speed };
        rub.heat -= force * rub.slip_m_s * self.table.step_s;
        rub.tally.see(rub.phase, rub.slip_m_s, self.table.step_s);
        let force = force as f32;
        for ((state, table), row) in self.state.rows.iter_mut().zip(&self.table.rows).zip(&rub.row) {
            for ((d, c), row) in state.d.0.iter_mut().zip(&table.c.0).zip(&row.0) {
                *d += force * c * row;
            }
        }
    }
}

/// Writes what a guess makes of every block's free deflection and yields; the constant part of T.
fn set_guess<const K: usize>(
    meeting: &mut Meeting,
    guess: Guess,
    (slip, compliance, step_s): (f64, f64, f64),
    moved: &[f32; K],
) -> f64 {
    let constant = if guess == Guess::Stick && compliance > 0.0 { -slip / compliance } else { 0.0 };
    for t in &mut meeting.touching[..meeting.count] {
        t.share = match guess {
            Guess::Stick if compliance > 0.0 => (f64::from(t.lifted) / (step_s * compliance)) as f32,
            Guess::Slip(direction, coefficient) => (-direction * coefficient) as f32,
            Guess::Stick | Guess::None => 0.0,
        };
        t.free = t.plain.0 + constant as f32 * t.lifted;
        t.yields = t.plain.1;
        for (y, b) in t.yields.iter_mut().zip(moved) {
            *y -= t.share * b;
        }
    }
    constant
}
