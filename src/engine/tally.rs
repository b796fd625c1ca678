//! How a rubbed contact spends its time, counted step by step by either engine: stuck or slipping, how often
//! it lets go, how the slip speed swings, and which mode of the resonator moves most.

use crate::friction::Phase;
use crate::record::Rubbing;

/// Time over which a mode's motion is summed before its steadiness is judged, s.
const WINDOW_S: f64 = 0.01;

/// Σ v² of one mode.
#[derive(Debug, Clone, Copy, Default)]
struct Motion {
    all: f64,
    /// Of the window in progress, and Σ over whole windows of their sums and squared sums.
    now: f64,
    windows: f64,
    squares: f64,
}

#[derive(Debug, Clone)]
pub struct Tally {
    /// Steps in contact, and those of them that stick.
    rubbed: u64,
    stuck: u64,
    /// Way of the slip in progress, Σ of the ways of ended slips and of their squares, m.
    way_m: f64,
    ways: f64,
    squared_ways: f64,
    /// Σ of the slip speed and of its square.
    speeds: f64,
    squared_speeds: f64,
    modes: Vec<Motion>,
    window_s: f64,
    windows: u64,
}

impl Tally {
    pub fn new(modes: usize) -> Self {
        Self {
            rubbed: 0,
            stuck: 0,
            way_m: 0.0,
            ways: 0.0,
            squared_ways: 0.0,
            speeds: 0.0,
            squared_speeds: 0.0,
            modes: vec![Motion::default(); modes],
            window_s: 0.0,
            windows: 0,
        }
    }

    /// Counts from here on; allocates nothing.
    pub fn clear(&mut self) {
        let mut modes = std::mem::take(&mut self.modes);
        modes.fill(Motion::default());
        *self = Self { modes, ..Self::new(0) };
    }

    /// One step in contact.
    pub fn see(&mut self, phase: Phase, speed_m_s: f64, step_s: f64) {
        self.rubbed += 1;
        self.speeds += speed_m_s;
        self.squared_speeds += speed_m_s * speed_m_s;
        if phase == Phase::Stick {
            self.stuck += 1;
            self.ways += self.way_m;
            self.squared_ways += self.way_m * self.way_m;
            self.way_m = 0.0;
        } else {
            self.way_m += speed_m_s.abs() * step_s;
        }
    }

    /// Adds Σ v² of every mode over `time_s`.
    pub fn move_modes(&mut self, squares: impl Iterator<Item = f64>, time_s: f64) {
        self.window_s += time_s;
        let whole = self.window_s >= WINDOW_S;
        if whole {
            self.window_s = 0.0;
            self.windows += 1;
        }
        for (mode, sum) in self.modes.iter_mut().zip(squares) {
            mode.all += sum;
            mode.now += sum;
            if whole {
                mode.windows += mode.now;
                mode.squares += mode.now * mode.now;
                mode.now = 0.0;
            }
        }
    }

    /// What was counted in `steps` steps, in contact or not.
    pub fn figures(&self, steps: u64, step_s: f64) -> Rubbing {
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let spread = |sum: f64, squares: f64, count: f64| {
            let mean = share(sum, count);
            share((share(squares, count) - mean * mean).max(0.0).sqrt(), mean.abs())
        };
        let strongest = self.modes.iter().enumerate().max_by(|a, b| a.1.all.total_cmp(&b.1.all));
        let (mode, most) = strongest.map_or((0, Motion::default()), |(mode, most)| (mode + 1, *most));
        // Of slips of equal length this is their number; many tiny ones beside few long ones do not count.
        let slips = share(self.ways * self.ways, self.squared_ways);
        Rubbing {
            stick_share: share(self.stuck as f64, steps as f64),
            slips_per_s: share(slips, steps as f64 * step_s),
            slip_swing: spread(self.speeds, self.squared_speeds, self.rubbed as f64),
            mode,
            mode_share: share(most.all, self.modes.iter().map(|mode| mode.all).sum()),
            mode_swing: spread(most.windows, most.squares, self.windows as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sawtooth_of_stick_and_slip_is_counted_as_one() {
        let mut tally = Tally::new(3);
        let slip = Phase::Slip { direction: 1.0 };
        // Ten cycles of 30 steps held and 10 steps at 0.4 m/s, and a tiny slip in each hold.
        for _ in 0..10 {
            (0..15).for_each(|_| tally.see(Phase::Stick, 0.0, 1e-5));
            tally.see(slip, 1e-3, 1e-5);
            (0..15).for_each(|_| tally.see(Phase::Stick, 0.0, 1e-5));
            (0..10).for_each(|_| tally.see(slip, 0.4, 1e-5));
        }
        tally.see(Phase::Stick, 0.0, 1e-5);
        let figures = tally.figures(800, 1e-5);
        assert!((figures.stick_share - 301.0 / 800.0).abs() < 1e-12);
        assert!((figures.slips_per_s * 8e-3 - 10.0).abs() < 0.01, "{figures:?}");
        tally.clear();
        assert_eq!(tally.figures(0, 1e-5), Rubbing { mode: 3, ..Rubbing::default() });
    }

    #[test]
    fn steady_and_unsteady_modes_are_told_apart() {
        let mut tally = Tally::new(2);
        for n in 0..1000 {
            let second = if n % 200 < 20 { 3.0 } else { 0.0 };
            tally.move_modes([1.0, second].into_iter(), 1e-3);
        }
        let steady = tally.figures(1, 1.0);
        assert_eq!((steady.mode, steady.mode_swing), (1, 0.0));
        assert!((steady.mode_share - 1.0 / 1.3).abs() < 1e-12);
        tally.move_modes([0.0, 3000.0].into_iter(), 1e-2);
        let struck = tally.figures(1, 1.0);
        assert!(struck.mode == 2 && struck.mode_swing > 1.0, "{struck:?}");
    }

    #[test]
    fn the_swing_of_a_sine_that_just_reaches_zero() {
        let mut tally = Tally::new(1);
        for n in 0..1000 {
            let turn = std::f64::consts::TAU * f64::from(n) / 100.0;
            tally.see(Phase::Slip { direction: 1.0 }, 0.2 * (1.0 + turn.sin()), 1e-5);
        }
        assert!((tally.figures(1000, 1e-5).slip_swing - 0.5f64.sqrt()).abs() < 1e-9);
    }
}
