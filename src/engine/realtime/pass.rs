//! One walk over the modes per inner step: the kick of the step before, the free step ahead, the
//! pick-ups and the deflection at the nodes, each table read once.

use super::lanes::{ROW, Row, magnitude, pick, sums_of_eight};
use super::modes::ModeTable;
use super::nodes::NODE_GROUP;
use pulp::Simd;

/// Most pick-ups read in one walk.
pub const MAX_PICKUPS: usize = 4;

/// Amplitudes below this are nothing, metres √metre: at any pitch far below a picometre per second, and their squares
/// are still normal numbers.
const NOTHING: f32 = 1e-18;

/// Sixteen modes of one voice.
#[derive(Debug, Clone, Copy)]
pub struct ModalRow {
    /// q, metres √metre, about the rest position.
    pub q: Row,
    /// w = k·v.
    pub w: Row,
    /// d of the step in progress as it would be without contact.
    pub d: Row,
    /// Σd² since the books were last read.
    pub heat: Row,
    /// c·g: what the steady forces g add to every d.
    pub steady: Row,
    /// g itself.
    pub pull: Row,
}

/// Modal state of one voice.
#[derive(Debug, Clone)]
pub struct ModalState {
    pub rows: Vec<ModalRow>,
}

impl ModalState {
    pub fn new(rows: usize) -> Self {
        let zero = Row::ZERO;
        let blank = ModalRow { q: zero, w: zero, d: zero, heat: zero, steady: zero, pull: zero };
        Self { rows: vec![blank; rows] }
    }

    /// q and w of mode `k`.
    pub fn mode(&self, k: usize) -> [f32; 2] {
        self.rows.get(k / ROW).map_or([0.0; 2], |row| [row.q.0[k % ROW], row.w.0[k % ROW]])
    }

    pub fn set_mode(&mut self, k: usize, [q, w]: [f32; 2]) {
        if let Some(row) = self.rows.get_mut(k / ROW) {
            (row.q.0[k % ROW], row.w.0[k % ROW]) = (q, w);
        }
    }

    /// The steady force on mode `k`, whose d answers a force with `c`.
    pub fn pull_mode(&mut self, k: usize, c: f64, force: f64) {
        if let Some(row) = self.rows.get_mut(k / ROW) {
            (row.steady.0[k % ROW], row.pull.0[k % ROW]) = ((c * force) as f32, force as f32);
        }
    }

    /// Nothing moves.
    pub fn still(&mut self) {
        for row in &mut self.rows {
            (row.q, row.w, row.d) = (Row::ZERO, Row::ZERO, Row::ZERO);
        }
    }

    /// The books have been read. What has died away is nothing from here on: numbers too small to be normal ones
    /// take longer to compute with, and a bar that rings has its high modes among them for most of the time.
    #[inline(always)]
    pub fn clear_heat<S: Simd>(&mut self, simd: S) {
        let (zero, nothing) = (simd.splat_f32s(0.0), simd.splat_f32s(NOTHING));
        for ModalRow { q, w, d, heat, steady, .. } in &mut self.rows {
            *heat = Row::ZERO;
            for part in 0..ROW / S::F32_LANES {
                let size = |row: &Row| magnitude(simd, row.wide::<S>()[part]);
                let largest = simd.max_f32s(simd.max_f32s(size(q), size(w)), size(d));
                let gone = simd.less_than_f32s(largest, nothing);
                let at_rest = [(&mut *q, zero), (&mut *w, zero), (&mut *d, steady.wide::<S>()[part])];
                for (row, rest) in at_rest {
                    let kept = row.wide::<S>()[part];
                    row.wide_mut::<S>()[part] = pick(simd, gone, rest, kept);
                }
            }
        }
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
        match known_rows::<S>(state) {
            1 => self.read::<S, 1>(simd, state),
            2 => self.read::<S, 2>(simd, state),
            3 => self.read::<S, 3>(simd, state),
            4 => self.read::<S, 4>(simd, state),
            _ => self.read::<S, ANY>(simd, state),
        }
    }

    #[inline(always)]
    fn read<S: Simd, const ROWS: usize>(&self, simd: S, state: &ModalState) -> S::f32s {
        let rows = known::<ROWS, _>(&state.rows);
        let mut sum = simd.splat_f32s(0.0);
        for (tap, row) in known::<ROWS, _>(&self.on_w).iter().zip(rows) {
            sum = add_products(simd, tap, &row.w, sum);
        }
        for (tap, row) in known::<ROWS, _>(&self.on_q).iter().zip(rows) {
            sum = add_products(simd, tap, &row.q, sum);
        }
        sum
    }
}

#[inline(always)]
fn add_products<S: Simd>(simd: S, taps: &Row, values: &Row, mut sum: S::f32s) -> S::f32s {
    for (&tap, &value) in taps.wide::<S>().iter().zip(values.wide::<S>()) {
        sum = simd.mul_add_e_f32s(tap, value, sum);
    }
    sum
}

/// Ends the step in progress with the nodal forces `force`, or none in flight, begins the next one and
/// leaves its contact-free deflection at the nodes in `ahead`. `heard` takes what each pick-up reads.
#[inline(always)]
pub fn advance<'a, S: Simd, const K: usize>(
    simd: S,
    table: &ModeTable,
    state: &mut ModalState,
    phi: &[Row],
    force: Option<&[f32; K]>,
    ahead: &mut [f32; K],
    heard: impl Iterator<Item = (&'a Taps, &'a mut S::f32s)>,
) {
    match known_rows::<S>(state) {
        1 => step::<S, K, 1>(simd, table, state, phi, force, ahead, heard),
        2 => step::<S, K, 2>(simd, table, state, phi, force, ahead, heard),
        3 => step::<S, K, 3>(simd, table, state, phi, force, ahead, heard),
        4 => step::<S, K, 4>(simd, table, state, phi, force, ahead, heard),
        _ => step::<S, K, ANY>(simd, table, state, phi, force, ahead, heard),
    }
    // Long sliders or short waves need more nodes than one group of registers holds.
    for first in (NODE_GROUP..K).step_by(NODE_GROUP) {
        let mut sums = [simd.splat_f32s(0.0); NODE_GROUP];
        for (phi, row) in phi.as_chunks::<K>().0.iter().zip(&state.rows) {
            for part in 0..ROW / S::F32_LANES {
                let there = simd.add_f32s(row.q.wide::<S>()[part], row.d.wide::<S>()[part]);
                for (sum, phi) in sums.iter_mut().zip(&phi[first..]) {
                    *sum = simd.mul_add_e_f32s(phi.wide::<S>()[part], there, *sum);
                }
            }
        }
        ahead[first..first + NODE_GROUP].copy_from_slice(&sums_of_eight(simd, sums));
    }
}

/// As many rows as there are.
const ANY: usize = 0;

/// Rows of a state for which there is a loop of known length: it needs no counters. Four rows are 64 modes. One
/// number at a time gains nothing by it, and takes minutes to compile.
#[inline(always)]
fn known_rows<S: Simd>(state: &ModalState) -> usize {
    if S::F32_LANES == 1 { ANY } else { state.rows.len() }
}

#[inline(always)]
fn step<'a, S: Simd, const K: usize, const ROWS: usize>(
    simd: S,
    table: &ModeTable,
    state: &mut ModalState,
    phi: &[Row],
    force: Option<&[f32; K]>,
    ahead: &mut [f32; K],
    heard: impl Iterator<Item = (&'a Taps, &'a mut S::f32s)>,
) {
    if let Some(force) = force {
        kick::<S, K, ROWS>(simd, table, state, phi, force);
    }
    walk::<S, K, ROWS>(simd, table, state, phi, ahead);
    for (taps, heard) in heard {
        *heard = taps.read::<S, ROWS>(simd, state);
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

/// What contact adds to the step in progress: c·Φᵀf. A loop of its own, so that the forces stay in registers.
#[inline(always)]
fn kick<S: Simd, const K: usize, const ROWS: usize>(
    simd: S,
    table: &ModeTable,
    state: &mut ModalState,
    phi: &[Row],
    force: &[f32; K],
) {
    let phi = known::<ROWS, _>(phi.as_chunks::<K>().0).iter();
    let fixed = known::<ROWS, _>(&table.rows).iter();
    for ((phi, table), row) in phi.zip(fixed).zip(known_mut::<ROWS, _>(&mut state.rows)) {
        for part in 0..ROW / S::F32_LANES {
            let mut push = [simd.splat_f32s(0.0); 2];
            for j in 0..K {
                let f = simd.splat_f32s(force[j]);
                push[j % 2] = simd.mul_add_e_f32s(phi[j].wide::<S>()[part], f, push[j % 2]);
            }
            let push = simd.add_f32s(push[0], push[1]);
            let free = row.d.wide::<S>()[part];
            row.d.wide_mut::<S>()[part] = simd.mul_add_e_f32s(table.c.wide::<S>()[part], push, free);
        }
    }
}

#[inline(always)]
fn walk<S: Simd, const K: usize, const ROWS: usize>(
    simd: S,
    table: &ModeTable,
    state: &mut ModalState,
    phi: &[Row],
    ahead: &mut [f32; K],
) {
    let two = simd.splat_f32s(2.0);
    let mut sums = [simd.splat_f32s(0.0); NODE_GROUP];
    let phi = known::<ROWS, _>(phi.as_chunks::<K>().0).iter();
    let fixed = known::<ROWS, _>(&table.rows).iter();
    for ((phi, table), row) in phi.zip(fixed).zip(known_mut::<ROWS, _>(&mut state.rows)) {
        let ModalRow { q, w, d, heat, steady, .. } = row;
        for part in 0..ROW / S::F32_LANES {
            let step = d.wide::<S>()[part];
            let place = simd.add_f32s(q.wide::<S>()[part], step);
            let speed = simd.sub_f32s(simd.mul_f32s(two, step), w.wide::<S>()[part]);
            q.wide_mut::<S>()[part] = place;
            w.wide_mut::<S>()[part] = speed;
            let spent = heat.wide::<S>()[part];
            heat.wide_mut::<S>()[part] = simd.mul_add_e_f32s(step, step, spent);
            let bend = simd.mul_add_e_f32s(two, place, speed);
            let kept = simd.sub_f32s(speed, simd.mul_f32s(table.e.wide::<S>()[part], bend));
            let next = simd.mul_add_e_f32s(table.l.wide::<S>()[part], place, kept);
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
