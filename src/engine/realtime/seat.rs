//! The deflection under the slider where it stands: Φ and C of its seat, the rest deflection, and what the
//! nodes read of the modes.

use super::lanes::ROW;
use super::nodes::put_shape;
use super::rub::Rub;
use super::stage::Stage;
use super::voice::Voice;
use crate::scene::Body;
use pulp::Simd;

impl Voice {
    /// d of a step that begins in the present state.
    #[inline(always)]
    pub(super) fn begin<S: Simd, const K: usize>(&mut self, _simd: S, stage: &Stage) {
        for (state, table) in self.state.rows.iter_mut().zip(&stage.table.rows) {
            for lane in 0..ROW {
                let (q, w) = (state.q.0[lane], state.w.0[lane]);
                let free = w - table.e.0[lane] * (w + 2.0 * q) + table.l.0[lane] * q;
                state.d.0[lane] = free + state.steady.0[lane];
            }
        }
    }

    /// Φ, C and the rest deflection for a slider at `seat_m`.
    #[inline(always)]
    pub(super) fn take_seat<S: Simd, const K: usize>(&mut self, simd: S, stage: &Stage, seat_m: f64) {
        stage.fill_shapes::<S, K>(simd, seat_m, &mut self.phi);
        stage.fill_compliance::<S, K>(simd, &self.phi, &mut self.meeting.compliance);
        self.meeting.let_go_of_held();
        if let Some(rub) = &mut self.rub {
            fill_levers::<S, K>(simd, rub, stage, seat_m);
        }
        self.measure_rest::<S, K>(simd);
    }

    #[inline(always)]
    pub(super) fn measure_rest<S: Simd, const K: usize>(&mut self, simd: S) {
        for j in 0..K {
            let mut sum = simd.splat_f32s(0.0);
            for (phi, q) in self.phi.as_chunks::<K>().0.iter().zip(&self.rest_q) {
                for (&phi, &q) in phi[j].wide::<S>().iter().zip(q.wide::<S>()) {
                    sum = simd.mul_add_e_f32s(phi, q, sum);
                }
            }
            self.rest[j] = simd.reduce_sum_f32s(sum) - self.level;
        }
    }

    /// Deflection at the nodes, now or as it would be one contact-free step ahead.
    #[inline(always)]
    pub(super) fn deflection<S: Simd, const K: usize>(&self, simd: S, ahead: bool) -> [f32; K] {
        // A loop: a closure would be a call without wide registers.
        let mut sums = [simd.splat_f32s(0.0); K];
        for (phi, state) in self.phi.as_chunks::<K>().0.iter().zip(&self.state.rows) {
            for part in 0..ROW / S::F32_LANES {
                let mut place = state.q.wide::<S>()[part];
                if ahead {
                    place = simd.add_f32s(place, state.d.wide::<S>()[part]);
                }
                for (sum, phi) in sums.iter_mut().zip(phi) {
                    *sum = simd.mul_add_e_f32s(phi.wide::<S>()[part], place, *sum);
                }
            }
        }
        let mut there = [0.0; K];
        for ((there, rest), sum) in there.iter_mut().zip(&self.rest).zip(sums) {
            *there = rest + simd.reduce_sum_f32s(sum);
        }
        there
    }

    /// After the state, Φ or the rest have changed between two steps.
    #[inline(always)]
    pub(super) fn look_again<S: Simd, const K: usize>(&mut self, simd: S) {
        let now = self.deflection::<S, K>(simd, false);
        let ahead = self.deflection::<S, K>(simd, true);
        self.now[..K].copy_from_slice(&now);
        self.ahead[..K].copy_from_slice(&ahead);
    }

    /// Mean rest deflection under the slider.
    pub(super) fn mean_rest(&self, nodes: usize) -> f32 {
        self.rest.iter().take(nodes).sum::<f32>() / nodes.max(1) as f32
    }

    /// Shifts the level so that the mean rest deflection is `wanted`: the slider follows the sag.
    pub(super) fn hold_mean_rest(&mut self, nodes: usize, wanted: f32) {
        let shift = self.mean_rest(nodes) - wanted;
        self.level += shift;
        for rest in self.rest.iter_mut().take(nodes) {
            *rest -= shift;
        }
    }
}

/// Levers of friction at the nodes of a slider whose rear end stands at `seat_m`.
#[inline(always)]
fn fill_levers<S: Simd, const K: usize>(simd: S, rub: &mut Rub, stage: &Stage, seat_m: f64) {
    let Some(friction) = rub.friction else { return };
    let half = |bends: bool, body: &Body| if bends { 0.5 * body.beam.thickness_m } else { 0.0 };
    let lever = half(friction.bends_resonator, &stage.resonator);
    stage.fill_slopes::<S, K>(simd, seat_m, lever, &mut rub.levers);
    let (lever, slider) = (-half(friction.pitches_slider, &stage.slider), stage.slider_m());
    for k in stage.table.resonator..stage.table.modes.len() {
        for j in 0..K {
            let place = stage.nodes.place(j) * slider;
            let slope = stage.shapes[1].slope(k - stage.table.resonator, place, slider);
            put_shape(&mut rub.levers, K, k, j, (lever * slope) as f32);
        }
    }
}
