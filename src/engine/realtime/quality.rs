//! The inner rate: a whole multiple of the host's rate, never below a quality's minimum, so that the
//! host's rate does not change the sound.

use crate::error::{Error, Problem};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quality {
    Draft,
    #[default]
    Live,
    Studio,
}

/// Host rates the engine serves, Hz.
pub const HOST_RATES_HZ: std::ops::RangeInclusive<f64> = 22_050.0..=192_000.0;

impl Quality {
    pub const ALL: [Self; 3] = [Self::Draft, Self::Live, Self::Studio];
    pub const NAMES: [&'static str; 3] = ["draft", "live", "studio"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|quality| quality.name() == name)
    }

    /// Twice, three and eight times the rate of a CD. Three times is the lowest at which every level and octave
    /// agrees with the reference as well as at four.
    pub fn minimum_rate_hz(self) -> f64 {
        [88_200.0, 132_300.0, 352_800.0][self as usize]
    }

    /// Inner steps per host sample.
    pub fn factor(self, host_rate_hz: f64) -> Result<usize, Error> {
        if !HOST_RATES_HZ.contains(&host_rate_hz) {
            return Err(Problem::new(
                "rate",
                format!("{host_rate_hz} Hz"),
                "must be 22050 to 192000 Hz",
                "choose another sample rate",
            )
            .into());
        }
        // A hair of slack: 132,300 / 44,100 must not round up to four.
        Ok((self.minimum_rate_hz() / host_rate_hz - 1e-9).ceil().max(1.0) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_rates_stay_within_one_octave() {
        for quality in Quality::ALL {
            for rate in [22_050.0, 32_000.0, 44_100.0, 48_000.0, 88_200.0, 96_000.0, 176_400.0, 192_000.0] {
                let inner = rate * quality.factor(rate).unwrap() as f64;
                let low = quality.minimum_rate_hz();
                assert!(inner >= low - 1e-6 && inner < 2.2 * low, "{rate}: {inner}");
            }
        }
        assert_eq!(Quality::Live.factor(44_100.0).unwrap(), 3);
        assert_eq!(Quality::Live.factor(48_000.0).unwrap(), 3);
        assert!(Quality::Live.factor(8_000.0).is_err());
        assert!(Quality::Live.factor(f64::NAN).is_err());
    }
}
