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
    /// c·g: what the steady forces g add to every d.
    pub steady: Vec<Row>,
    /// g itself.
    pub pull: Vec<Row>,
}

impl ModalState {
    pub fn new(rows: usize) -> Self {
        let blank = || vec![Row::ZERO; rows];
        Self { q: blank(), w: blank(), d: blank(), heat: blank(), steady: blank(), pull: blank() }
    }
}

/// What a pick-up multiplies w and q with; an empty list is not read at all.
#[derive(Debug, Clone)]
pub struct Taps {
    pub on_w: Vec<Row>,
    pub on_q: Vec<Row>,
}

impl Taps {
    /// Reads the present state; the reading is the sum over the lanes.
    #[inline(always)]
    pub fn lanes<S: Simd>(&self, simd: S, state: &ModalState) -> S::f32s {
        let mut sum = simd.splat_f32s(0.0);
        if !self.on_w.is_empty() {
            sum = dot(simd, &self.on_w, &state.w, sum);
        }
        if !self.on_q.is_empty() {
            sum = dot(simd, &self.on_q, &state.q, sum);
        }
        sum
    }
}

#[inline(always)]
fn dot<S: Simd>(simd: S, taps: &[Row], values: &[Row], sum: S::f32s) -> S::f32s {
    match values.len() {
        1 => dot_rows::<S, 1>(simd, taps, values, sum),
        2 => dot_rows::<S, 2>(simd, taps, values, sum),
        3 => dot_rows::<S, 3>(simd, taps, values, sum),
        4 => dot_rows::<S, 4>(simd, taps, values, sum),
        _ => dot_rows::<S, ANY>(simd, taps, values, sum),
    }
}

#[inline(always)]
fn dot_rows<S: Simd, const ROWS: usize>(simd: S, taps: &[Row], values: &[Row], sum: S::f32s) -> S::f32s {
    let mut sums = [sum, simd.splat_f32s(0.0)];
    for (tap, value) in known::<ROWS, _>(taps).iter().zip(known::<ROWS, _>(values)) {
        for part in 0..ROW / S::F32_LANES {
            let sum = &mut sums[part % 2];
            *sum = simd.mul_add_e_f32s(tap.wide::<S>()[part], value.wide::<S>()[part], *sum);
        }
    }
    simd.add_f32s(sums[0], sums[1])
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
    // Loops of known length need no counters; four rows are 64 modes.
    match state.q.len() {
        1 => step::<S, K, 1>(simd, table, state, phi, force, ahead),
        2 => step::<S, K, 2>(simd, table, state, phi, force, ahead),
        3 => step::<S, K, 3>(simd, table, state, phi, force, ahead),
        4 => step::<S, K, 4>(simd, table, state, phi, force, ahead),
        _ => step::<S, K, ANY>(simd, table, state, phi, force, ahead),
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

/// As many rows as there are.
const ANY: usize = 0;

#[inline(always)]
fn step<S: Simd, const K: usize, const ROWS: usize>(
    simd: S,
    table: &ModeTable,
    state: &mut ModalState,
    phi: &[Row],
    force: Option<&[f32; K]>,
    ahead: &mut [f32; K],
) {
    match force {
        Some(force) => walk::<S, K, ROWS, true>(simd, table, state, phi, force, ahead),
        None => walk::<S, K, ROWS, false>(simd, table, state, phi, &[0.0; K], ahead),
    }
}

/// The first `ROWS` of a list, as a slice whose length the compiler knows.
#[inline(always)]
fn known<const ROWS: usize, T>(rows: &[T]) -> &[T] {
    if ROWS == ANY { rows } else { rows.get(..ROWS).unwrap_or(&[]) }
}

#[inline(always)]
fn known_mut<const ROWS: usize, T>(rows: &mut [T]) -> &mut [T] {
    if ROWS == ANY { rows } else { rows.get_mut(..ROWS).unwrap_or(&mut []) }
}

#[inline(always)]
fn walk<S: Simd, const K: usize, const ROWS: usize, const CONTACT: bool>(
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
    let ModalState { q, w, d, heat, steady, .. } = state;
    let phi = known::<ROWS, _>(phi.as_chunks::<K>().0).iter();
    let [q, w, d, heat] = [q, w, d, heat].map(|rows| known_mut::<ROWS, _>(rows).iter_mut());
    let [e, l, c, steady] = [&table.e, &table.l, &table.c, steady].map(|rows| known::<ROWS, _>(rows).iter());
    let (moving, fixed) = (q.zip(w).zip(d.zip(heat)), e.zip(l).zip(c.zip(steady)));
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
