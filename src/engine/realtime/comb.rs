//! A bound on the work of one step.
//!
//! A soft law, a heavy load or hardly any roughness make hundreds of blocks touch at once, and an exponential law
//! reaches as many. Two things keep the solve small:
//!
//! - The deepest blocks carry: [`MOST_TOUCHING`] of all that touch, [`MOST_RUBBING`] where friction acts, which
//!   feels every change of what carries. The others' share is small, and where two change places they are
//!   equally deep, so no force jumps. The load is borne all the same, a little deeper.
//! - Where more than twice as many lie within the other body, or all of them about equally deep, the slider becomes
//!   a comb: one block of two, of four … carries for its neighbours, with their stiffness. Blocks that are left
//!   out no longer average with the others, so what is rubbed that way is up to 3 dB louder for each halving.
//!
//! A comb gets coarser in the step that needs it, and finer again only after some time with much fewer. What its
//! change does to the contact's energy is booked as work done from outside.

use super::meet::Meeting;
use super::solve::Touching;

/// Blocks solved together at most.
pub const MOST_TOUCHING: usize = 12;
/// The same with friction.
const MOST_RUBBING: usize = 64;
/// Chunks before a comb gets finer.
const PATIENCE: u32 = 64;

#[derive(Debug, Clone, Copy, Default)]
pub struct Comb {
    /// Most blocks within the other body in one step since the last chunk.
    most: usize,
    /// Chunks with much fewer than could be.
    calm: u32,
    /// Other blocks carry than in the step before.
    changed: bool,
}

impl Meeting {
    /// A block costs more the more nodes carry the deflection.
    fn most_touching(&self) -> usize {
        let most = if self.rubs { MOST_RUBBING } else { MOST_TOUCHING };
        match self.broad.nodes() {
            8 => most,
            16 => most * 2 / 3,
            _ => most / 2,
        }
    }

    /// Keeps the deepest blocks. True where there are so many that the list must be made anew with every second of
    /// them.
    #[inline(always)]
    pub(super) fn is_crowded(&mut self) -> bool {
        let most = self.most_touching();
        if self.count <= most && self.broad.every == 1 {
            return false;
        }
        let within = self.touching[..self.count].iter().filter(|t| depth(t) > 0.0).count();
        self.comb.most = self.comb.most.max(within);
        let kept = within <= 2 * most && self.keep_deepest(most);
        if !kept {
            self.comb = Comb { changed: true, ..Comb::default() };
            self.broad.every *= 2;
            self.forget();
        }
        !kept
    }

    /// False where those that would be left out lie about as deep as the others.
    fn keep_deepest(&mut self, most: usize) -> bool {
        if self.count <= most {
            return true;
        }
        let touching = &mut self.touching[..self.count];
        self.ranks.clear();
        self.ranks.extend(touching.iter().enumerate().map(|(n, t)| (depth(t), n as u32)));
        let (deeper, next, _) = self.ranks.select_nth_unstable_by(most, |a, b| b.0.total_cmp(&a.0));
        let deepest = deeper.iter().fold(0.0f32, |deepest, rank| deepest.max(rank.0));
        if next.0 > 0.5 * deepest {
            return false;
        }
        self.ranks.truncate(most);
        self.ranks.sort_unstable_by_key(|rank| rank.1);
        for (place, rank) in self.ranks.iter().enumerate() {
            touching.swap(place, rank.1 as usize);
        }
        self.count = most;
        true
    }

    /// Whether the comb has changed since last asked.
    #[inline(always)]
    pub(super) fn take_change(&mut self) -> bool {
        std::mem::take(&mut self.comb.changed)
    }

    /// After a chunk: a comb that is coarser than it need be gets finer.
    pub(super) fn relax(&mut self) {
        let most = std::mem::take(&mut self.comb.most);
        if self.broad.every == 1 {
            return;
        }
        self.comb.calm = if 2 * most <= self.most_touching() { self.comb.calm + 1 } else { 0 };
        if self.comb.calm > PATIENCE {
            self.comb = Comb { changed: true, ..Comb::default() };
            self.broad.every /= 2;
            self.forget();
        }
    }
}

/// How deep the highest node lies in the other body, at the start or at the end of the step.
#[inline(always)]
fn depth(touching: &Touching) -> f32 {
    touching.highest[1] + touching.from.max(touching.free)
}
