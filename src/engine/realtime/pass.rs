//! One walk over the modes per inner step: the kick of the step before, the free step ahead, the
//! pick-ups and the deflection at the nodes, each table read once.

use super::lanes::{ROW, Row, sums_of_eight};
use super::modes::ModeTable;
use super::nodes::NODE_GROUP;
use pulp::Simd;

/// Most pick-ups read in one walk.
pub const MAX_PICKUPS: usize = 4;

/// Modal state of one voice, in rows of modes.
#[derive(Debug, Clone)]
pub struct ModalState {
    /// q, metres √metre, about the rest position.
    pub q: Vec<Row>,
    /// w = k·v.
    pub w: Vec<Row>,
    /// d of the step in progress as it would be without contact.
    pub d: Vec<Row>,
    /// Σd² since the books were last read.
    pub heat: Vec<Row>,
    /// c·g: what the steady forces add to every d.
    pub steady: Vec<Row>,
}

impl ModalState {
    pub fn new(rows: usize) -> Self {
        let blank = || vec![Row::ZERO; rows];
        Self { q: blank(), w: blank(), d: blank(), heat: blank(), steady: blank() }
    }
}

/// What a pick-up multiplies w and q with; an empty list is not read at all.
#[derive(Debug, Clone)]
pub struct Taps {
    pub on_w: Vec<Row>,
    pub on_q: Vec<Row>,
}

impl Taps {
    /// Reads the present state.
    #[inline(always)]
    pub fn read<S: Simd>(&self, simd: S, state: &ModalState) -> f32 {
        let mut sum = simd.splat_f32s(0.0);
        for (taps, state) in [(&self.on_w, &state.w), (&self.on_q, &state.q)] {
            for (tap, value) in taps.iter().zip(state) {
                for (tap, value) in tap.wide::<S>().iter().zip(value.wide::<S>()) {
                    sum = simd.mul_add_e_f32s(*tap, *value, sum);
                }
            }
        }
        simd.reduce_sum_f32s(sum)
    }
}

/// Ends the step in progress with the nodal forces `force`, or none in flight, begins the next one and
/// leaves its contact-free deflection at the nodes in `ahead`.
#[inline(always)]
pub fn advance<S: Simd, const K: usize>(
    simd: S,
    table: &ModeTable,
    state: &mut ModalState,
    phi: &[Row],
    force: Option<&[f32; K]>,
    ahead: &mut [f32; K],
) {
    match force {
        Some(force) => walk::<S, K, true>(simd, table, state, phi, force, ahead),
        None => walk::<S, K, false>(simd, table, state, phi, &[0.0; K], ahead),
    }
    // Long sliders or short waves need more nodes than one group of registers holds.
    for first in (NODE_GROUP..K).step_by(NODE_GROUP) {
        let mut sums = [simd.splat_f32s(0.0); NODE_GROUP];
        for ((phi, q), d) in phi.as_chunks::<K>().0.iter().zip(&state.q).zip(&state.d) {
            for part in 0..ROW / S::F32_LANES {
                let there = simd.add_f32s(q.wide::<S>()[part], d.wide::<S>()[part]);
                for (sum, row) in sums.iter_mut().zip(&phi[first..]) {
                    *sum = simd.mul_add_e_f32s(row.wide::<S>()[part], there, *sum);
                }
            }
        }
        ahead[first..first + NODE_GROUP].copy_from_slice(&sums_of_eight(simd, sums));
    }
}

#[inline(always)]
fn walk<S: Simd, const K: usize, const CONTACT: bool>(
    simd: S,
    table: &ModeTable,
    state: &mut ModalState,
    phi: &[Row],
    force: &[f32; K],
    ahead: &mut [f32; K],
) {
    let zero = simd.splat_f32s(0.0);
    let two = simd.splat_f32s(2.0);
    let mut sums = [zero; NODE_GROUP];
    let ModalState { q, w, d, heat, steady } = state;
    let phi = phi.as_chunks::<K>().0.iter();
    let moving = q.iter_mut().zip(w.iter_mut()).zip(d.iter_mut().zip(heat.iter_mut()));
    let fixed = table.e.iter().zip(&table.l).zip(table.c.iter().zip(steady.iter()));
    for ((phi, ((q, w), (d, heat))), ((e, l), (c, steady))) in phi.zip(moving).zip(fixed) {
        for part in 0..ROW / S::F32_LANES {
            let mut step = d.wide::<S>()[part];
            if CONTACT {
                let mut push = [zero; 2];
                for j in 0..K {
                    let f = simd.splat_f32s(force[j]);
                    push[j % 2] = simd.mul_add_e_f32s(phi[j].wide::<S>()[part], f, push[j % 2]);
                }
                step = simd.mul_add_e_f32s(c.wide::<S>()[part], simd.add_f32s(push[0], push[1]), step);
            }
            let place = simd.add_f32s(q.wide::<S>()[part], step);
            let speed = simd.sub_f32s(simd.mul_f32s(two, step), w.wide::<S>()[part]);
            q.wide_mut::<S>()[part] = place;
            w.wide_mut::<S>()[part] = speed;
            let spent = heat.wide::<S>()[part];
            heat.wide_mut::<S>()[part] = simd.mul_add_e_f32s(step, step, spent);
            let bend = simd.mul_add_e_f32s(two, place, speed);
            let kept = simd.sub_f32s(speed, simd.mul_f32s(e.wide::<S>()[part], bend));
            let next = simd.mul_add_e_f32s(l.wide::<S>()[part], place, kept);
            let next = simd.add_f32s(next, steady.wide::<S>()[part]);
            d.wide_mut::<S>()[part] = next;
            let there = simd.add_f32s(place, next);
            for j in 0..NODE_GROUP {
                sums[j] = simd.mul_add_e_f32s(phi[j].wide::<S>()[part], there, sums[j]);
            }
        }
    }
    ahead[..NODE_GROUP].copy_from_slice(&sums_of_eight(simd, sums));
}
