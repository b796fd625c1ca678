//! The points of a sweep on many threads. A row does not know which thread made it or when.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::journal::{Journal, Rows};
use super::plan::Plan;
use super::results::row;
use super::shard::Shard;
use crate::error::Error;
use crate::render::render;

/// Progress is counted in these parts of a point.
const PARTS: f64 = 1000.0;

/// How one point ended.
enum End {
    Done(usize, String),
    /// Asked to stop while it ran: nothing of it is kept.
    Stopped,
    Failed(usize, Error),
}

/// Runs what the shard lacks, writing each finished point to the journal and to `rows`. `monitor` hears the
/// share done and returns false to stop; then the points that are running are given up and the answer is
/// false. Points that fail are told together after the others are done.
pub fn run(
    plan: &Plan,
    shard: Shard,
    threads: usize,
    journal: Journal,
    rows: &mut Rows,
    monitor: &(dyn Fn(f64) -> bool + Sync),
) -> Result<bool, Error> {
    let pending: Vec<usize> =
        (0..plan.len()).filter(|point| shard.holds(*point) && !rows.contains_key(point)).collect();
    let total = (pending.len() + rows.len()) as f64;
    let parts = AtomicU64::new((rows.len() as f64 * PARTS) as u64);
    let stopped = AtomicBool::new(false);
    let journal = Mutex::new(journal);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Error::Other(format!("{threads} threads cannot be started: {error}")))?;
    let one = |point: usize| -> Result<End, Error> {
        let mut told = 0;
        let mut listen = |share: f64| {
            let now = (share.clamp(0.0, 1.0) * PARTS) as u64;
            let before = parts.fetch_add(now.saturating_sub(told), Ordering::Relaxed);
            let all = before + now.saturating_sub(told);
            told = told.max(now);
            if !monitor(all as f64 / (PARTS * total)) {
                stopped.store(true, Ordering::Relaxed);
            }
            !stopped.load(Ordering::Relaxed)
        };
        let draft = plan.draft(point);
        let outcome = if listen(0.0) {
            draft.build().and_then(|scene| Ok((render(&scene, &plan.order, &mut listen)?, scene)))
        } else {
            return Ok(End::Stopped);
        };
        let (rendering, scene) = match outcome {
            Ok(done) => done,
            Err(error) => return Ok(End::Failed(point, error)),
        };
        // A run that was cut short is no result, even if it was cut at its very end.
        if stopped.load(Ordering::Relaxed) {
            return Ok(End::Stopped);
        }
        listen(1.0);
        let text = row(plan, point, &draft, &scene, &rendering.figures);
        // A thread that panicked while it held the lock has torn at most its own line.
        journal.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).append(&text).inspect_err(|_| {
            stopped.store(true, Ordering::Relaxed);
        })?;
        Ok(End::Done(point, text))
    };
    // One point at a time, in order: points are long, and neighbours take about as long as each other.
    let ends: Vec<Result<End, Error>> =
        pool.install(|| pending.par_iter().with_max_len(1).map(|point| one(*point)).collect());
    let mut failures = Vec::new();
    let mut all_ran = true;
    for end in ends {
        match end? {
            End::Done(point, text) => {
                rows.insert(point, text);
            }
            End::Stopped => all_ran = false,
            End::Failed(point, error) => {
                failures.push(format!("point {point} ({}): {error}", plan.name(point)))
            }
        }
    }
    if failures.is_empty() { Ok(all_ran) } else { Err(Error::Other(failures.join("\n"))) }
}
