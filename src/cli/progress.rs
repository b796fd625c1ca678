//! A bar with the time left, on a terminal only: logs and pipes stay clean.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Vanishes when dropped.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

/// The bar counts in thousandths, so that one kind of bar serves seconds, points and steps.
const STEPS: u64 = 1000;

impl Progress {
    pub fn new(what: &str) -> Self {
        let target = if std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let style = ProgressStyle::with_template("{msg} {wide_bar} {percent} %, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(STEPS), target).with_style(style);
        Self { bar: bar.with_message(what.to_owned()) }
    }

    /// Share of the work done, from 0 to 1. May be called from any thread, as often as wanted.
    pub fn at(&self, share: f64) {
        self.bar.set_position((share.clamp(0.0, 1.0) * STEPS as f64) as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_beyond_the_ends_are_the_ends() {
        let progress = Progress::new("test");
        for (share, position) in [(0.25, 250), (7.0, 1000), (-1.0, 0), (f64::NAN, 0)] {
            progress.at(share);
            assert_eq!(progress.bar.position(), position);
        }
    }
}
