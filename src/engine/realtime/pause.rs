//! How long a voice stays silent that the guard has stopped: starting it anew is much work, and one that a setting
//! drives out of its mind would be started in every chunk.

/// A voice that is stopped again and again sits out, twice as long each time.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pause {
    chunks: u32,
    stops: u32,
    /// Chunks without a stop.
    good: u32,
}

impl Pause {
    const MOST_STOPS: u32 = 9;
    const FORGIVEN: u32 = 256;

    /// The first stop costs no time.
    pub fn stopped(&mut self) {
        self.chunks = (1 << self.stops) - 1;
        self.stops = (self.stops + 1).min(Self::MOST_STOPS);
        self.good = 0;
    }

    /// Whether the voice is to be silent for this chunk. One that is held back proves nothing: only chunks that
    /// were played count towards forgiveness.
    pub fn holds(&mut self) -> bool {
        if self.chunks > 0 {
            self.chunks -= 1;
            return true;
        }
        self.good += 1;
        if self.good > Self::FORGIVEN {
            (self.good, self.stops) = (0, 0);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chunks that it is silent for after a stop.
    fn silence(pause: &mut Pause) -> usize {
        pause.stopped();
        std::iter::from_fn(|| pause.holds().then_some(())).count()
    }

    #[test]
    fn silence_doubles_up_to_a_limit() {
        let mut pause = Pause::default();
        let silences: Vec<usize> = (0..12).map(|_| silence(&mut pause)).collect();
        assert_eq!(silences, [0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 511, 511]);
    }

    #[test]
    fn only_chunks_that_were_played_are_forgiven() {
        let mut pause = Pause::default();
        for _ in 0..12 {
            silence(&mut pause);
        }
        // Half a thousand silent chunks prove nothing; the one that `silence` saw played counts.
        assert_eq!(silence(&mut pause), 511);
        (1..Pause::FORGIVEN).for_each(|_| assert!(!pause.holds()));
        assert_eq!(silence(&mut pause), 511, "one short of forgiven");
        (0..Pause::FORGIVEN).for_each(|_| assert!(!pause.holds()));
        assert_eq!(silence(&mut pause), 0);
    }
}
