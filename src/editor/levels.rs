//! Figures that calm down enough to be read, and the level's last seconds.

use crate::instrument::Snapshot;
use std::collections::VecDeque;

/// Pictures of level that are kept: ten seconds.
const KEPT: usize = 600;
/// How much of a new figure counts.
const CALM: f64 = 0.08;
/// How long lamps stay lit, pictures.
const LIT: u32 = 30;

#[derive(Debug, Default)]
pub struct Levels {
    number: u64,
    /// Lv, dB re 1 nm/s, oldest first; none where nothing sounded.
    history: VecDeque<Option<f64>>,
    pub lv_db: Option<f64>,
    pub contact_share: f64,
    pub shocks_per_s: f64,
    pub cpu_share: f64,
    /// Pictures that the lamps of limiter and guard stay lit.
    limiter_lit: u32,
    guard_lit: u32,
    pub reduction_db: f32,
    pub guarded: u64,
}

impl Levels {
    /// Takes a picture in, once.
    pub fn take(&mut self, picture: &Snapshot) {
        if picture.number == self.number {
            return;
        }
        // A window that is painted slowly misses pictures, and time goes on.
        let passed = if self.number == 0 {
            1
        } else {
            picture.number.saturating_sub(self.number).clamp(1, KEPT as u64)
        };
        self.number = picture.number;
        let body = picture.body.filter(|body| body.lv_db.is_finite());
        for _ in 0..passed {
            if self.history.len() == KEPT {
                self.history.pop_front();
            }
            self.history.push_back(body.map(|body| body.lv_db));
        }
        self.lv_db = body.map(|body| calm(self.lv_db.unwrap_or(body.lv_db), body.lv_db));
        let (share, shocks) = body.map_or((0.0, 0.0), |body| (body.contact_share, body.shocks_per_s));
        self.contact_share = calm(self.contact_share, share);
        self.shocks_per_s = calm(self.shocks_per_s, shocks);
        self.cpu_share = calm(self.cpu_share, f64::from(picture.cpu_share)).max(0.0);
        self.limiter_lit = self.limiter_lit.saturating_sub(1);
        if picture.reduction_db > 0.05 {
            self.limiter_lit = LIT;
            self.reduction_db = picture.reduction_db;
        }
        self.guard_lit = self.guard_lit.saturating_sub(1);
        if picture.guarded > self.guarded {
            self.guard_lit = LIT;
        }
        self.guarded = picture.guarded;
    }

    /// Lv from the oldest to the newest, with the place of each between 0 and 1.
    pub fn history(&self) -> impl Iterator<Item = (f32, Option<f64>)> + '_ {
        let first = KEPT - self.history.len();
        self.history.iter().enumerate().map(move |(n, level)| ((first + n) as f32 / KEPT as f32, *level))
    }

    pub fn limits(&self) -> bool {
        self.limiter_lit > 0
    }

    pub fn guards(&self) -> bool {
        self.guard_lit > 0
    }
}

fn calm(old: f64, new: f64) -> f64 {
    let next = old + CALM * (new - old);
    if next.is_finite() { next } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instrument::Body;

    fn picture(number: u64, lv_db: f64) -> Snapshot {
        let body = Some(Body { lv_db, contact_share: 0.5, shocks_per_s: 100.0 });
        Snapshot { number, body, ..Snapshot::default() }
    }

    #[test]
    fn a_picture_counts_once_and_the_past_has_an_end() {
        let mut levels = Levels::default();
        levels.take(&picture(1, 90.0));
        levels.take(&picture(1, 10.0));
        assert_eq!((levels.history().count(), levels.lv_db), (1, Some(90.0)));
        levels.take(&picture(31, 90.0));
        assert_eq!(levels.history().count(), 31, "half a second has passed, whoever saw it");
        (32..2_000).for_each(|number| levels.take(&picture(number, 100.0)));
        assert_eq!(levels.history().count(), KEPT);
        assert!((levels.shocks_per_s - 100.0).abs() < 0.01 && (levels.contact_share - 0.5).abs() < 1e-4);
        levels.take(&Snapshot { number: 5_000, ..Snapshot::default() });
        assert_eq!(levels.lv_db, None);
    }

    #[test]
    fn lamps_light_and_go_out() {
        let mut levels = Levels::default();
        levels.take(&Snapshot { number: 1, reduction_db: 3.0, guarded: 1, ..Snapshot::default() });
        assert!(levels.limits() && levels.guards());
        (2..=2 + u64::from(LIT))
            .for_each(|number| levels.take(&Snapshot { number, guarded: 1, ..Snapshot::default() }));
        assert!(!levels.limits() && !levels.guards());
    }
}
