//! Rates that the engine does not serve. No DAW runs at 8 or 384 kHz, but hosts ask when they scan: the
//! instrument then runs at a whole multiple or a whole part of the host's rate, averaged over the samples in
//! between or drawn straight through them.

use crate::engine::realtime::HOST_RATES_HZ;
use crate::instrument::{Instrument, Timed};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ratio {
    Same,
    /// Samples of the instrument for one of the host.
    Many(usize),
    /// Samples of the host for one of the instrument.
    Part(usize),
}

/// Between a host's rate and the instrument's.
pub struct Bridge {
    ratio: Ratio,
    rate_hz: f64,
    /// Sound of the instrument, left and right.
    inner: [Vec<f32>; 2],
    /// Sample that is being left, the next one, and how far between them the host is.
    from: [f32; 2],
    to: [f32; 2],
    between: usize,
}

impl Bridge {
    /// `None` for a rate that is none.
    pub fn new(host_hz: f64, longest_block: usize) -> Option<Self> {
        if !(host_hz.is_finite() && host_hz >= 1.0) {
            return None;
        }
        let (low, high) = (*HOST_RATES_HZ.start(), *HOST_RATES_HZ.end());
        let (ratio, rate_hz, room) = if host_hz < low {
            let many = (low / host_hz).ceil();
            (Ratio::Many(many as usize), host_hz * many, longest_block * many as usize)
        } else if host_hz > high {
            let part = (host_hz / high).ceil();
            (Ratio::Part(part as usize), host_hz / part, longest_block / part as usize + 2)
        } else {
            (Ratio::Same, host_hz, 0)
        };
        let inner = [vec![0.0; room], vec![0.0; room]];
        Some(Self { ratio, rate_hz, inner, from: [0.0; 2], to: [0.0; 2], between: 0 })
    }

    /// Rate that the instrument runs at.
    pub fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    pub fn reset(&mut self) {
        (self.from, self.to, self.between) = ([0.0; 2], [0.0; 2], 0);
    }

    /// A delay of the instrument in the host's samples.
    pub fn latency(&self, inner: usize) -> usize {
        match self.ratio {
            Ratio::Same => inner,
            Ratio::Many(many) => inner.div_ceil(many),
            Ratio::Part(part) => (inner + 1) * part,
        }
    }

    /// The host's frame of a frame of the instrument.
    pub fn host_frame(&self, inner: usize) -> usize {
        match self.ratio {
            Ratio::Same => inner,
            Ratio::Many(many) => inner / many,
            Ratio::Part(part) => inner * part,
        }
    }

    /// The instrument's frame of a frame of the host.
    pub fn inner_frame(&self, host: usize) -> usize {
        match self.ratio {
            Ratio::Same => host,
            Ratio::Many(many) => host * many,
            Ratio::Part(part) => host / part,
        }
    }

    /// One block of the host; the events are in the instrument's frames.
    pub fn process(
        &mut self,
        instrument: &mut Instrument,
        events: &[Timed],
        left: &mut [f32],
        right: &mut [f32],
    ) {
        let frames = left.len().min(right.len());
        let [inner_left, inner_right] = &mut self.inner;
        match self.ratio {
            Ratio::Same => instrument.process(events, left, right),
            Ratio::Many(many) => {
                let count = (frames * many).min(inner_left.len());
                let (inner_left, inner_right) = (&mut inner_left[..count], &mut inner_right[..count]);
                instrument.process(events, inner_left, inner_right);
                for (out, inner) in [(left, inner_left), (right, inner_right)] {
                    for (sample, many_samples) in out.iter_mut().zip(inner.chunks(many)) {
                        *sample = many_samples.iter().sum::<f32>() / many as f32;
                    }
                }
            }
            Ratio::Part(part) => {
                let count = ((self.between + frames) / part).min(inner_left.len());
                let (inner_left, inner_right) = (&mut inner_left[..count], &mut inner_right[..count]);
                instrument.process(events, inner_left, inner_right);
                let mut fresh = inner_left.iter().zip(inner_right.iter());
                for (left, right) in left.iter_mut().zip(right) {
                    let share = self.between as f32 / part as f32;
                    *left = self.from[0] + share * (self.to[0] - self.from[0]);
                    *right = self.from[1] + share * (self.to[1] - self.from[1]);
                    self.between += 1;
                    if self.between == part {
                        self.between = 0;
                        self.from = self.to;
                        self.to = fresh.next().map_or([0.0; 2], |(left, right)| [*left, *right]);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instrument_always_runs_at_a_rate_it_serves() {
        for host in
            [1.0, 1_000.0, 8_000.0, 22_049.0, 22_050.0, 44_100.0, 192_000.0, 192_001.0, 384_000.0, 768_000.0]
        {
            let bridge = Bridge::new(host, 64).unwrap();
            assert!(HOST_RATES_HZ.contains(&bridge.rate_hz()), "{host}: {}", bridge.rate_hz());
        }
        assert_eq!(Bridge::new(48_000.0, 64).unwrap().ratio, Ratio::Same);
        for none in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Bridge::new(none, 64).is_none());
        }
    }

    #[test]
    fn frames_go_there_and_back() {
        for host in [8_000.0, 48_000.0, 384_000.0] {
            let bridge = Bridge::new(host, 64).unwrap();
            for frame in [0, 6, 64] {
                assert_eq!(bridge.host_frame(bridge.inner_frame(frame)), frame, "{host}");
            }
        }
    }
}
