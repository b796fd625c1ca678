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

use super::lanes::Row;
use super::meet::{Meeting, add_scaled};
use super::modes::ModeTable;
use super::nodes::MAX_NODES;
use super::pass::ModalState;
use super::press::NodeLaw;
use super::rub::Rub;
use super::solve::{Touching, dot};
use super::tow::Free;
use crate::friction::Phase;
use pulp::Simd;

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

    /// W for the touches' last forces, and what it makes: B, Σ c·W² and Σ W·d.
    #[inline(always)]
    fn weigh<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        touching: &[Touching],
    ) -> ([f32; MAX_NODES], f64, f64) {
        let total: f32 = touching.iter().map(|t| t.force).sum();
        let follows = self.rub.friction.is_some_and(|friction| friction.follows_slope);
        let (mut levers, mut slopes) = ([0.0f32; K], [0.0f32; K]);
        for t in touching {
            let share = if total > 0.0 { t.force / total } else { 1.0 / touching.len() as f32 };
            if share == 0.0 {
                continue;
            }
            add_scaled::<S, K>(simd, share, &t.weights, &mut levers);
            if follows {
                add_scaled::<S, K>(simd, -share * t.slope, &t.weights, &mut slopes);
            }
        }
        let zero = simd.splat_f32s(0.0);
        let (mut nodes, mut give, mut drift) = ([zero; K], zero, zero);
        let modes = self.rub.row.iter_mut().zip(&self.table.rows).zip(&self.state.rows);
        let shapes = self.rub.levers.as_chunks::<K>().0.iter().zip(self.phi.as_chunks::<K>().0);
        for (((row, table), state), (lever, phi)) in modes.zip(shapes) {
            // Two registers at a time: neither waits for the other's sums.
            for (pair, row) in row.wide_mut::<S>().as_chunks_mut::<2>().0.iter_mut().enumerate() {
                let parts = [2 * pair, 2 * pair + 1];
                let mut own = along::<S, K>(simd, lever, parts, &levers);
                if follows {
                    let across = along::<S, K>(simd, phi, parts, &slopes);
                    own = [simd.add_f32s(own[0], across[0]), simd.add_f32s(own[1], across[1])];
                }
                *row = own;
                let mut pushed = [zero; 2];
                for ((pushed, own), part) in pushed.iter_mut().zip(own).zip(parts) {
                    *pushed = simd.mul_f32s(table.c.wide::<S>()[part], own);
                    give = simd.mul_add_e_f32s(*pushed, own, give);
                    drift = simd.mul_add_e_f32s(state.d.wide::<S>()[part], own, drift);
                }
                for (sum, phi) in nodes.iter_mut().zip(phi) {
                    *sum = simd.mul_add_e_f32s(phi.wide::<S>()[parts[0]], pushed[0], *sum);
                    *sum = simd.mul_add_e_f32s(phi.wide::<S>()[parts[1]], pushed[1], *sum);
                }
            }
        }
        let mut moved = [0.0; MAX_NODES];
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
        let (moved, give, drift) = self.weigh::<S, K>(simd, &meeting.touching[..meeting.count]);
        let compliance = give / step_s + self.free.give;
        let slip = self.free.speed + drift / step_s;
        for t in &mut meeting.touching[..meeting.count] {
            t.plain.0 = t.free;
            t.plain.1[..K].copy_from_slice(&t.yields[..K]);
            t.lifted = dot::<S, K>(simd, &moved, &t.weights);
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
            let constant = set_guess::<S, K>(simd, meeting, guess, (slip, compliance, step_s), &moved);
            *ahead = free_ahead;
            add_scaled::<S, K>(simd, constant as f32, &moved, ahead);
            self.press_together::<S, K>(simd, meeting, law, ahead);
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

    /// Normal forces alone. Friction that acts on nothing leaves every bit as it is without.
    #[inline(always)]
    fn press_together<S: Simd, const K: usize>(
        &self,
        simd: S,
        meeting: &mut Meeting,
        law: &NodeLaw,
        ahead: &[f32; K],
    ) {
        let many = meeting.count > few(K) && !matches!(law, NodeLaw::Exponential { .. });
        if many && self.rub.is_felt() {
            meeting.solve_nodes::<S, K>(simd, law, ahead);
        } else {
            meeting.solve::<S, K>(simd, law, ahead);
        }
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

/// Σ over the nodes of a shape there times a number there, for the modes of two registers.
#[inline(always)]
fn along<S: Simd, const K: usize>(
    simd: S,
    shapes: &[Row; K],
    parts: [usize; 2],
    numbers: &[f32; K],
) -> [S::f32s; 2] {
    let mut sums = [simd.splat_f32s(0.0); 2];
    for (shape, number) in shapes.iter().zip(numbers) {
        let number = simd.splat_f32s(*number);
        for (sum, part) in sums.iter_mut().zip(parts) {
            *sum = simd.mul_add_e_f32s(shape.wide::<S>()[part], number, *sum);
        }
    }
    sums
}

/// Blocks that are solved by their own deflections: where more touch, the nodes are fewer unknowns or quicker ones.
const fn few(nodes: usize) -> usize {
    match nodes {
        8 => 4,
        16 => 8,
        _ => 12,
    }
}

/// Writes what a guess makes of every block's free deflection and yields; the constant part of T.
#[inline(always)]
fn set_guess<S: Simd, const K: usize>(
    simd: S,
    meeting: &mut Meeting,
    guess: Guess,
    (slip, compliance, step_s): (f64, f64, f64),
    moved: &[f32; MAX_NODES],
) -> f64 {
    let constant = if guess == Guess::Stick && compliance > 0.0 { -slip / compliance } else { 0.0 };
    for t in &mut meeting.touching[..meeting.count] {
        t.share = match guess {
            Guess::Stick if compliance > 0.0 => (f64::from(t.lifted) / (step_s * compliance)) as f32,
            Guess::Slip(direction, coefficient) => (-direction * coefficient) as f32,
            Guess::Stick | Guess::None => 0.0,
        };
        t.free = t.plain.0 + constant as f32 * t.lifted;
        t.yields[..K].copy_from_slice(&t.plain.1[..K]);
        add_scaled::<S, K>(simd, -t.share, moved, &mut t.yields);
    }
    constant
}
