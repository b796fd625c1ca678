//! Which blocks of the slider may touch soon: a list with a skin, as in molecular dynamics
//! (Verlet 1967).
//!
//! A block of sixteen nodes can touch only where top + ceiling + r > 0 with `top` the highest of its
//! own nodes, `ceiling` the highest point of the strip it can meet and r the deflection. Blocks closer to
//! touching than a skin are listed. The list stays good until the deflection has closed by the skin
//! anywhere (nodal change times the Lebesgue constant) or the strip has moved past its ceilings; only then
//! are all blocks looked at again. Nothing is missed and nothing is predicted.

use super::lanes::{ROW, Row, lanes_of, put, rows_for};
use super::nodes::{MAX_NODES, Nodes, lebesgue};
use super::strip::{BLOCK, CEILING_SPAN, Strip};
use pulp::Simd;

/// Steps that a list should last.
const LIFE_STEPS: f32 = 18.0;
/// Skins outside these are not worth their scan or their list.
const SKIN_M: (f32, f32) = (1e-7, 2e-5);
/// Nodes that the cubic reads beyond a block.
const STENCIL: i64 = 3;
/// More nodes in a list's life than any slider travels.
const MAX_WAY: f32 = 1e6;
/// Farthest that one list may let the strip travel, in blocks.
const MAX_STRIDES: i64 = 12;

/// Where the slider stands on the strip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Whole nodes from the strip's node 0.
    pub node: i64,
    /// The part of a node beyond, the same for all nodes.
    pub xi: f32,
}

/// How the two profiles lie in a step.
#[derive(Debug, Clone, Copy)]
pub struct Lie {
    /// Where heights are read: at the start and at the end of the step, or twice in its middle.
    pub places: [Place; 2],
    /// Nodes travelled per step, signed.
    pub travel: f32,
    /// Ra of the strip and of the slider, metres.
    pub gains: [f32; 2],
    /// Gap at which the law begins to act.
    pub reach: f32,
    /// Grows by at least as much as any height does while Ra is changing, metres.
    pub swell: f32,
}

/// Sixteen entries of the list.
#[derive(Debug, Clone, Copy)]
pub struct Entries {
    /// What the blocks can reach.
    pub bound: Row,
    /// What a block was last seen to reach, less slope × way since the scan: with the way added again it
    /// bounds the block until the strip turns round.
    pub sight: Row,
    /// Largest slope that a block can meet, metres per node.
    pub slope: Row,
    /// Contact-free deflection from the last look, and how near it comes to touching.
    pub deflection: Row,
    pub closest: Row,
}

/// All blocks are to be looked at.
struct Scan<'a, const K: usize> {
    broad: &'a mut Broad,
    strip: &'a Strip,
    lie: &'a Lie,
    now: &'a [f32; K],
    r: &'a [f32; K],
}

impl<const K: usize> pulp::WithSimd for Scan<'_, K> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.broad.scan(simd, self.strip, self.lie, self.now, self.r);
    }
}

/// Entries that can never touch.
const NOBODY: Entries = Entries {
    bound: Row([-1e30; ROW]),
    sight: Row([-1e30; ROW]),
    slope: Row::ZERO,
    deflection: Row::ZERO,
    closest: Row::ZERO,
};

#[derive(Debug, Clone)]
pub struct Broad {
    nodes: usize,
    pub lebesgue: f32,
    blocks: usize,
    block_rows: usize,
    /// Share of the slider's length that the weights were made for.
    block_share: f64,
    /// Weights of all nodes at the middle of every block: for each row of blocks, node after node.
    weights: Vec<Row>,
    /// The same, block after block.
    by_block: Vec<f32>,
    /// Highest node of each block over Ra.
    top: Vec<Row>,
    /// One block of so many is listed, a power of two: see `comb`.
    pub every: u32,
    /// Listed blocks.
    pub list: Vec<u32>,
    entries: Vec<Entries>,
    /// Their weights: for each row of entries, node after node.
    entry_weights: Vec<Row>,
    /// Where and in which direction of travel the scan was made.
    scanned: i64,
    onward: bool,
    seen: [f32; MAX_NODES],
    seen_swell: f32,
    skin: f32,
    /// How much further the deflection of the last look may close before the list is out of date.
    pub skin_left: f32,
    /// Whole offsets that the list is good for.
    good: (i64, i64),
    /// Blocks looked at and listed so far: the work done.
    pub scans: u64,
}

impl Lie {
    /// Heights move within the step.
    #[inline(always)]
    pub fn moves(&self) -> bool {
        self.places[0] != self.places[1]
    }
}

impl Broad {
    pub fn new(nodes: usize, most_blocks: usize) -> Self {
        let block_rows = rows_for(most_blocks);
        Self {
            nodes,
            lebesgue: lebesgue(nodes) as f32,
            blocks: 0,
            block_rows,
            block_share: 0.0,
            weights: vec![Row::ZERO; nodes * block_rows],
            by_block: vec![0.0; nodes * block_rows * ROW],
            top: vec![Row([f32::MIN; ROW]); block_rows],
            every: 1,
            list: Vec::with_capacity(block_rows * ROW),
            entries: vec![NOBODY; block_rows],
            scanned: 0,
            onward: true,
            entry_weights: vec![Row::ZERO; nodes * block_rows],
            seen: [0.0; MAX_NODES],
            seen_swell: 0.0,
            skin: 0.0,
            skin_left: 0.0,
            good: (0, -1),
            scans: 0,
        }
    }

    /// Lays `blocks` blocks of length `block_share` (of the slider's) and lists anew at the next step.
    pub fn lay(&mut self, nodes: &Nodes, blocks: usize, block_share: f64) {
        let blocks = blocks.min(self.block_rows * ROW);
        if (self.blocks, self.block_share) == (blocks, block_share) {
            return self.forget();
        }
        (self.blocks, self.block_share) = (blocks, block_share);
        let count = self.nodes;
        for b in 0..self.blocks {
            let place = ((b as f64 + 0.5) * block_share).min(1.0);
            nodes.weights(place, |j, weight| {
                put(&mut self.weights, (b / ROW * count + j) * ROW + b % ROW, weight);
                if let Some(slot) = self.by_block.get_mut(b * count + j) {
                    *slot = weight;
                }
            });
        }
        self.forget();
    }

    /// Highest nodes of the blocks of the slider.
    pub fn set_top(&mut self, rows: &[Row]) {
        for b in 0..self.block_rows * ROW {
            let highest = rows.get(b).map_or(f32::MIN, |row| row.0.iter().copied().fold(f32::MIN, f32::max));
            put(&mut self.top, b, highest.max(-1e30));
        }
        self.forget();
    }

    /// The list no longer holds, whatever the deflection.
    pub fn forget(&mut self) {
        self.good = (0, -1);
    }

    pub fn nodes(&self) -> usize {
        self.nodes
    }

    pub fn list_rows(&self) -> usize {
        rows_for(self.list.len())
    }

    /// Sees to it that the list holds every block that can touch at deflection `r`.
    #[inline(always)]
    pub fn refresh<S: Simd, const K: usize>(
        &mut self,
        simd: S,
        strip: &Strip,
        lie: &Lie,
        now: &[f32; K],
        r: &[f32; K],
    ) {
        if self.covers(lie) {
            let closed = self.closing(simd, &self.seen, r);
            self.skin_left = self.skin - closed - (lie.swell - self.seen_swell);
            if self.skin_left >= 0.0 {
                return;
            }
        }
        // Seldom, and in a call of its own: the steps between keep their registers.
        simd.vectorize(Scan { broad: self, strip, lie, now, r });
        self.skin_left = self.skin;
    }

    /// The strip is still under the list's ceilings.
    #[inline(always)]
    pub fn covers(&self, lie: &Lie) -> bool {
        let [start, end] = lie.places;
        start.node.min(end.node) >= self.good.0
            && start.node.max(end.node) <= self.good.1
            && (lie.travel >= 0.0) == self.onward
    }

    /// The most that the deflection can have closed anywhere since `seen`.
    #[inline(always)]
    pub fn closing<S: Simd, const K: usize>(&self, simd: S, seen: &[f32], r: &[f32; K]) -> f32 {
        let mut closed = simd.splat_f32s(f32::MIN);
        for (seen, r) in S::as_simd_f32s(seen).0.iter().zip(S::as_simd_f32s(r).0) {
            closed = simd.max_f32s(closed, simd.sub_f32s(*r, *seen));
        }
        self.lebesgue * simd.reduce_max_f32s(closed)
    }

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
        let closing = r.iter().zip(now).map(|(r, n)| (r - n).abs()).fold(0.0, f32::max);
        self.skin = (LIFE_STEPS * self.lebesgue * closing).clamp(SKIN_M.0, SKIN_M.1);
        self.seen[..K].copy_from_slice(r);
        self.seen_swell = lie.swell;
        // Look ahead in the direction of travel, far enough for a list's life.
        let wanted = (lie.travel.abs() * LIFE_STEPS).min(MAX_WAY) as i64 + 1;
        let strides = ((wanted - 6).max(0) / BLOCK + i64::from(wanted > 6)).min(MAX_STRIDES);
        let span = CEILING_SPAN + strides * BLOCK - BLOCK - STENCIL;
        let start = if lie.travel < 0.0 { node - (span - BLOCK / 2) } else { node };
        let (ceilings, slopes, slack) = strip.ceilings_from(start - 1);
        self.good = (start, start + span - slack);
        self.list.clear();
        let limit = simd.splat_f32s(-(self.skin + lie.reach));
        let gains = lie.gains.map(|gain| simd.splat_f32s(gain));
        let spread = r.map(|r| simd.splat_f32s(r));
        for row in 0..rows_for(self.blocks) {
            for part in 0..ROW / S::F32_LANES {
                let first = row * ROW + part * S::F32_LANES;
                let Some(over) = highest_over(simd, ceilings, first, strides as usize) else { break };
                let own = simd.mul_f32s(gains[1], self.top[row].wide::<S>()[part]);
                let reach = simd.mul_add_e_f32s(gains[0], over, own);
                let Some(weights) = self.weights.as_chunks::<K>().0.get(row) else { break };
                let mut sum = reach;
                for (weight, r) in weights.iter().zip(spread) {
                    sum = simd.mul_add_e_f32s(weight.wide::<S>()[part], r, sum);
                }
                let mut near = lanes_of(simd, simd.greater_than_f32s(sum, limit));
                if near == 0 {
                    continue;
                }
                let mut bound = Row::ZERO;
                bound.wide_mut::<S>()[0] = reach;
                while near != 0 {
                    let lane = near.trailing_zeros() as usize % ROW;
                    near &= near - 1;
                    let block = first + lane;
                    let met = slopes.get(block..=block + strides as usize).unwrap_or(&[]);
                    let steepest = met.iter().copied().fold(0.0, f32::max);
                    self.enlist::<K>(block, bound.0[lane], lie.gains[0] * steepest);
                }
            }
        }
    }

    /// The rows of the list.
    #[inline(always)]
    pub fn entries(&self) -> &[Entries] {
        self.entries.get(..self.list_rows()).unwrap_or(&[])
    }

    /// The same with their weights, to be written to.
    #[inline(always)]
    pub fn weighed_entries<const K: usize>(&mut self) -> impl Iterator<Item = (&[Row; K], &mut Entries)> {
        let rows = self.list_rows();
        let entries = self.entries.get_mut(..rows).unwrap_or(&mut []);
        self.entry_weights.as_chunks::<K>().0.iter().zip(entries)
    }

    /// Weights of the nodes at the middle of a block.
    #[inline(always)]
    pub fn block_weights<const K: usize>(&self, block: usize) -> Option<&[f32; K]> {
        self.by_block.as_chunks::<K>().0.get(block)
    }

    /// The same, whatever their number.
    pub fn weights_of(&self, block: usize) -> &[f32] {
        self.by_block.get(block * self.nodes..(block + 1) * self.nodes).unwrap_or(&[])
    }

    /// Steps after this one for which the strip will still be under the list's ceilings.
    #[inline(always)]
    pub fn steps_covered(&self, lie: &Lie) -> u32 {
        let node = lie.places[1].node;
        let room = if lie.travel < 0.0 { node - self.good.0 } else { self.good.1 - node };
        // One node short of the end, for the part of a node that the slider stands off.
        ((room - 1).max(0) as f32 / lie.travel.abs().max(1e-6)) as u32
    }

    /// Notes what entry `entry` reaches at `way`.
    #[inline(always)]
    pub fn see(&mut self, entry: usize, highest: f32, way: f32) {
        if let Some(row) = self.entries.get_mut(entry / ROW) {
            row.sight.0[entry % ROW] = highest - row.slope.0[entry % ROW] * way;
        }
    }

    /// Way from the scan to the end of the step, in nodes: sights rise with it.
    #[inline(always)]
    pub fn way(&self, lie: &Lie) -> f32 {
        let end = lie.places[1];
        let way = (end.node - self.scanned) as f32 + end.xi;
        if self.onward { way } else { -way }
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
