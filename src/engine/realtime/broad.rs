//! Which blocks of the slider may touch soon: a list with a skin, as in molecular dynamics
//! (Verlet 1967).
//!
//! A block of sixteen nodes can touch only where top + ceiling + r > 0 with `top` the highest of its
//! own nodes, `ceiling` the highest point of the strip it can meet and r the deflection. Blocks closer to
//! touching than a skin are listed. The list stays good until the deflection may have risen by the skin
//! anywhere or the strip has moved past its ceilings; only then are all blocks looked at again. Nothing is
//! missed and nothing is predicted.

use super::lanes::{ROW, Row, put, rows_for};
use super::nodes::{MAX_NODES, Nodes, lebesgue};

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
    /// Heights move within the step.
    pub moves: bool,
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
    /// Deflection at the start of the step and, contact-free, at its end, and how near the blocks come to touching.
    pub start: Row,
    pub free: Row,
    pub closest: Row,
}

/// Entries that can never touch.
pub(super) const NOBODY: Entries = Entries {
    bound: Row([-1e30; ROW]),
    sight: Row([-1e30; ROW]),
    slope: Row::ZERO,
    start: Row::ZERO,
    free: Row::ZERO,
    closest: Row([-1e30; ROW]),
};

#[derive(Debug, Clone)]
pub struct Broad {
    pub(super) nodes: usize,
    pub(super) lebesgue: f32,
    pub(super) over_lebesgue: f32,
    /// Places of the nodes from -1 to 1.
    pub(super) tilt: [f32; MAX_NODES],
    pub(super) blocks: usize,
    pub(super) block_rows: usize,
    /// Share of the slider's length that the weights were made for.
    pub(super) block_share: f64,
    /// Weights of all nodes at the middle of every block: for each row of blocks, node after node.
    pub(super) weights: Vec<Row>,
    /// The same, block after block.
    pub(super) by_block: Vec<f32>,
    /// Highest node of each block over Ra.
    pub(super) top: Vec<Row>,
    /// One block of so many is listed, a power of two: see `comb`.
    pub every: u32,
    /// Of the scan in progress: what the blocks reach, and for each row of them which are near, as bits.
    pub(super) reaches: Vec<Row>,
    pub(super) near: Vec<u32>,
    /// Listed blocks.
    pub list: Vec<u32>,
    pub(super) list_rows: usize,
    pub(super) entries: Vec<Entries>,
    /// Their weights: for each row of entries, node after node.
    pub(super) entry_weights: Vec<Row>,
    /// Where and in which direction of travel the scan was made.
    pub(super) scanned: i64,
    pub(super) onward: bool,
    pub(super) seen: [f32; MAX_NODES],
    pub(super) seen_swell: f32,
    /// Deflection that the entries were last read at.
    pub(super) read: [f32; MAX_NODES],
    pub(super) skin: f32,
    /// What is left of the skin, and the deflection for which that was measured.
    pub(super) room: f32,
    pub(super) base: [f32; MAX_NODES],
    /// Whole offsets that the list is good for.
    pub(super) good: (i64, i64),
    /// Blocks looked at and listed so far: the work done.
    pub scans: u64,
}

impl Broad {
    pub fn new(nodes: usize, most_blocks: usize) -> Self {
        let block_rows = rows_for(most_blocks);
        Self {
            nodes,
            lebesgue: lebesgue(nodes) as f32,
            over_lebesgue: (1.0 / lebesgue(nodes)) as f32,
            tilt: [0.0; MAX_NODES],
            blocks: 0,
            block_rows,
            block_share: 0.0,
            weights: vec![Row::ZERO; nodes * block_rows],
            by_block: vec![0.0; nodes * block_rows * ROW],
            top: vec![Row([f32::MIN; ROW]); block_rows],
            every: 1,
            list: Vec::with_capacity(block_rows * ROW),
            reaches: vec![Row::ZERO; block_rows],
            near: vec![0; block_rows],
            list_rows: 0,
            entries: vec![NOBODY; block_rows],
            scanned: 0,
            onward: true,
            entry_weights: vec![Row::ZERO; nodes * block_rows],
            seen: [0.0; MAX_NODES],
            seen_swell: 0.0,
            read: [f32::NAN; MAX_NODES],
            skin: 0.0,
            room: 0.0,
            base: [0.0; MAX_NODES],
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
        for (j, tilt) in self.tilt.iter_mut().enumerate().take(self.nodes) {
            *tilt = (2.0 * nodes.place(j) - 1.0) as f32;
        }
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

    #[inline(always)]
    pub fn list_rows(&self) -> usize {
        self.list_rows
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

    /// Deflection at an entry at the start of the step and, contact-free, at its end.
    #[inline(always)]
    pub fn deflections(&self, entry: usize) -> Option<[f32; 2]> {
        let row = self.entries.get(entry / ROW)?;
        Some([row.start.0[entry % ROW], row.free.0[entry % ROW]])
    }

    /// An entry that this step has already asked.
    #[inline(always)]
    pub fn pass_over(&mut self, entry: u32) {
        if let Some(row) = self.entries.get_mut(entry as usize / ROW) {
            row.closest.0[entry as usize % ROW] = f32::MIN;
        }
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
}
