//! What the audio thread shows of itself. Every number is an atomic: written without waiting, read by
//! anybody at any time.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use atomic_float::AtomicF32;

/// CPU share of a period above which a block counts as heavy.
const HEAVY: f32 = 0.5;
/// Share of the newest block in the smoothed load.
const SMOOTHING: f32 = 0.05;

#[derive(Debug, Default)]
pub struct Meters {
    blocks: AtomicU64,
    heavy: AtomicU64,
    overruns: AtomicU64,
    reported: AtomicU64,
    worst: AtomicF32,
    worst_block: AtomicU64,
    load: AtomicF32,
    v_rms: AtomicF32,
    peak: AtomicF32,
    sounding: AtomicUsize,
}

/// One look at all of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// Callbacks so far.
    pub blocks: u64,
    /// Blocks whose CPU time was more than half of what they last.
    pub heavy: u64,
    /// Blocks that were finished later than their sound lasts.
    pub overruns: u64,
    /// Gaps that the sound server has told of.
    pub reported: u64,
    /// CPU time of the worst block as a share of its period, and the present mean.
    pub worst: f32,
    pub load: f32,
    /// How many blocks came before the worst: whether it was the sound or the machine shows when it is played again.
    pub worst_block: u64,
    /// Root mean square of both channels together over half a second, in m/s on velocity pick-ups; and the
    /// largest sample in that time, as a share of full scale.
    pub v_rms_m_s: f32,
    pub peak: f32,
    /// Bodies that sound.
    pub sounding: usize,
}

impl Meters {
    /// On the audio thread, after every block. No thread computes for longer than it has been there, but clocks of
    /// virtual machines may say so: 4 ms of CPU time in 0.14 ms.
    pub fn block(&self, period: Duration, cpu: Duration, wall: Duration) {
        let share = cpu.min(wall).as_secs_f32() / period.as_secs_f32().max(1e-9);
        if share > self.worst.load(Ordering::Relaxed) {
            self.worst.store(share, Ordering::Relaxed);
            self.worst_block.store(self.blocks.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        let load = self.load.load(Ordering::Relaxed);
        self.load.store(load + SMOOTHING * (share - load), Ordering::Relaxed);
        self.heavy.fetch_add(u64::from(share > HEAVY), Ordering::Relaxed);
        self.overruns.fetch_add(u64::from(wall > period), Ordering::Relaxed);
        self.blocks.fetch_add(1, Ordering::Release);
    }

    pub fn level(&self, v_rms_m_s: f32, peak: f32) {
        self.v_rms.store(v_rms_m_s, Ordering::Relaxed);
        self.peak.store(peak, Ordering::Relaxed);
    }

    pub fn sounding(&self, count: usize) {
        self.sounding.store(count, Ordering::Relaxed);
    }

    /// A gap that the sound server has seen.
    pub fn report_gap(&self) {
        self.reported.fetch_add(1, Ordering::Relaxed);
    }

    pub fn read(&self) -> Reading {
        let number = |float: &AtomicF32| float.load(Ordering::Relaxed);
        Reading {
            blocks: self.blocks.load(Ordering::Acquire),
            heavy: self.heavy.load(Ordering::Relaxed),
            overruns: self.overruns.load(Ordering::Relaxed),
            reported: self.reported.load(Ordering::Relaxed),
            worst: number(&self.worst),
            load: number(&self.load),
            worst_block: self.worst_block.load(Ordering::Relaxed),
            v_rms_m_s: number(&self.v_rms),
            peak: number(&self.peak),
            sounding: self.sounding.load(Ordering::Relaxed),
        }
    }

    /// The counts begin anew: another device, or somebody wants to measure.
    pub fn forget(&self) {
        for count in [&self.blocks, &self.heavy, &self.overruns, &self.reported] {
            count.store(0, Ordering::Relaxed);
        }
        self.worst.store(0.0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_counted_by_what_they_took() {
        let meters = Meters::default();
        let ms = Duration::from_millis;
        meters.block(ms(10), ms(1), ms(2));
        meters.block(ms(10), ms(6), ms(7));
        // Put aside by the system: late, though it computed little.
        meters.block(ms(10), ms(2), ms(30));
        // A clock that ran ahead.
        meters.block(ms(10), ms(300), ms(1));
        let read = meters.read();
        assert_eq!((read.blocks, read.heavy, read.overruns), (4, 1, 1));
        assert!((read.worst - 0.6).abs() < 1e-6 && read.worst_block == 1);
        meters.forget();
        assert_eq!((meters.read().blocks, meters.read().worst), (0, 0.0));
    }
}
