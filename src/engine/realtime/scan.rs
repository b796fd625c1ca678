//! All blocks looked at: the list of `broad` made anew.

use super::broad::{Broad, Lie, NOBODY};
use super::lanes::{ROW, lanes_of, rows_for, spread};
use super::strip::{BLOCK, CEILING_SPAN, Strip};
use pulp::Simd;

/// Steps that a list should last.
const LIFE_STEPS: f32 = 30.0;
/// Skins outside these are not worth their scan or their list.
const SKIN_M: (f32, f32) = (1e-7, 2e-5);
/// Nodes that the cubic reads beyond a block.
const STENCIL: i64 = 3;
/// More nodes in a list's life than any slider travels.
const MAX_WAY: f32 = 1e6;
/// Farthest that one list may let the strip travel, in blocks.
const MAX_STRIDES: i64 = 12;

/// All blocks are to be looked at, if the list is really out of date.
pub(super) struct Scan<'a, const K: usize> {
    pub broad: &'a mut Broad,
    pub strip: &'a Strip,
    pub lie: Lie,
    pub now: &'a [f32; K],
    pub r: &'a [f32; K],
}

impl<const K: usize> pulp::WithSimd for Scan<'_, K> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { broad, strip, lie, now, r } = self;
        if !(broad.covers(&lie) && broad.measure_room(simd, &lie, r)) {
            broad.scan(simd, strip, &lie, now, r);
        }
    }
}

impl Broad {
    #[inline(always)]
    fn scan<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        strip: &Strip,
        lie: &Lie,
        now: &[f32; K],
        r: &[f32; K],
    ) {
        self.scans += 1;
        let node = lie.places[0].node;
        self.scanned = node;
        self.onward = lie.travel >= 0.0;
        // As fast as things are moving now, whichever way.
        let pace = self.lift(simd, now, r).max(self.lift(simd, r, now));
        self.skin = (LIFE_STEPS * pace).clamp(SKIN_M.0, SKIN_M.1);
        self.seen[..K].copy_from_slice(r);
        self.base[..K].copy_from_slice(r);
        self.room = self.skin;
        self.seen_swell = lie.swell;
        self.read.fill(f32::NAN);
        // Look ahead in the direction of travel, far enough for a list's life.
        let wanted = (lie.travel.abs() * LIFE_STEPS).min(MAX_WAY) as i64 + 1;
        let strides = ((wanted - 6).max(0) / BLOCK + i64::from(wanted > 6)).min(MAX_STRIDES);
        let span = CEILING_SPAN + strides * BLOCK - BLOCK - STENCIL;
        let start = if lie.travel < 0.0 { node - (span - BLOCK / 2) } else { node };
        let (ceilings, slopes, slack) = strip.ceilings_from(start - 1);
        self.good = (start, start + span - slack);
        let strides = strides as usize;
        self.find_near(simd, lie, ceilings, strides, r);
        self.list.clear();
        self.list_rows = 0;
        for row in 0..rows_for(self.blocks) {
            let mut near = self.near[row];
            while near != 0 {
                let lane = near.trailing_zeros() as usize % ROW;
                near &= near - 1;
                let block = row * ROW + lane;
                let met = slopes.get(block..=block + strides).unwrap_or(&[]);
                let steepest = met.iter().copied().fold(0.0, f32::max);
                self.enlist::<K>(block, self.reaches[row].0[lane], lie.gains[0] * steepest);
            }
        }
    }

    /// What all blocks reach and which are near. No branch depends on what is found: which are near nobody can guess.
    #[inline(always)]
    fn find_near<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        lie: &Lie,
        ceilings: &[f32],
        strides: usize,
        r: &[f32; K],
    ) {
        let limit = simd.splat_f32s(-(self.skin + lie.reach));
        let gains = lie.gains.map(|gain| simd.splat_f32s(gain));
        let r = spread(simd, r);
        self.near.fill(0);
        let rows = self.weights.as_chunks::<K>().0.iter().zip(&self.top);
        let found = self.reaches.iter_mut().zip(&mut self.near);
        for (row, ((weights, top), (reaches, near))) in
            rows.zip(found).enumerate().take(rows_for(self.blocks))
        {
            for part in 0..ROW / S::F32_LANES {
                let first = row * ROW + part * S::F32_LANES;
                let Some(over) = highest_over(simd, ceilings, first, strides) else { break };
                let own = simd.mul_f32s(gains[1], top.wide::<S>()[part]);
                let reach = simd.mul_add_e_f32s(gains[0], over, own);
                reaches.wide_mut::<S>()[part] = reach;
                let mut sums = [reach, simd.splat_f32s(0.0)];
                for j in 0..K {
                    sums[j % 2] = simd.mul_add_e_f32s(weights[j].wide::<S>()[part], r[j], sums[j % 2]);
                }
                let close = simd.greater_than_f32s(simd.add_f32s(sums[0], sums[1]), limit);
                *near |= lanes_of(simd, close) << (part * S::F32_LANES);
            }
        }
    }

    #[inline(always)]
    fn enlist<const K: usize>(&mut self, block: usize, bound: f32, slope: f32) {
        // The middle one of each lot, so that a comb stands even.
        if block >= self.blocks || block as u32 % self.every != self.every / 2 {
            return;
        }
        let (row, lane) = (self.list.len() / ROW, self.list.len() % ROW);
        let (Some(from), Some(to), Some(entries)) = (
            self.weights.as_chunks::<K>().0.get(block / ROW),
            self.entry_weights.as_chunks_mut::<K>().0.get_mut(row),
            self.entries.get_mut(row),
        ) else {
            return;
        };
        if lane == 0 {
            self.list_rows = row + 1;
            // Spare lanes of the last row can never touch.
            *entries = NOBODY;
        }
        for (to, from) in to.iter_mut().zip(from) {
            to.0[lane] = from.0[block % ROW];
        }
        entries.bound.0[lane] = bound;
        entries.slope.0[lane] = slope;
        entries.sight.0[lane] = 1e30;
        self.list.push(block as u32);
    }
}

/// The highest ceilings over a register of blocks from `first` on, each with as many neighbours as there are strides.
#[inline(always)]
fn highest_over<S: Simd>(simd: S, ceilings: &[f32], first: usize, strides: usize) -> Option<S::f32s> {
    let window = ceilings.get(first..first + S::F32_LANES + strides)?;
    let mut over = *S::as_simd_f32s(window).0.first()?;
    for stride in 1..=strides {
        over = simd.max_f32s(over, *S::as_simd_f32s(&window[stride..]).0.first()?);
    }
    Some(over)
}
