//! The peaks of a spectrum, and which natural frequency each belongs to.

use super::spectrum::Density;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peak {
    /// Refined between the lines by a parabola through three levels.
    pub frequency_hz: f64,
    /// Height of that parabola, unit² per hertz.
    pub density: f64,
    /// How far one has to go down, in dB, before reaching anything higher.
    pub prominence_db: f64,
}

/// All maxima that stand out by at least `prominence_db`, in the order of frequency.
pub fn peaks(spectrum: &Density, prominence_db: f64) -> Vec<Peak> {
    let levels: Vec<f64> =
        spectrum.density.iter().map(|density| 10.0 * density.max(f64::MIN_POSITIVE).log10()).collect();
    let step = spectrum.resolution_hz();
    let mut found = Vec::new();
    for k in 1..levels.len().saturating_sub(1) {
        let (before, here, after) = (levels[k - 1], levels[k], levels[k + 1]);
        // A plateau counts once, at its start.
        if !(here > before && here >= after) {
            continue;
        }
        let valley = |side: &mut dyn Iterator<Item = &f64>| {
            side.take_while(|level| **level <= here).fold(here, |low, level| low.min(*level))
        };
        let saddle = valley(&mut levels[..k].iter().rev()).max(valley(&mut levels[k + 1..].iter()));
        let prominence = here - saddle;
        if prominence < prominence_db {
            continue;
        }
        let bend = before - 2.0 * here + after;
        let shift = if bend < 0.0 { 0.5 * (before - after) / bend } else { 0.0 };
        found.push(Peak {
            frequency_hz: spectrum.frequencies_hz[k] + shift * step,
            density: 10f64.powf((here - 0.25 * (before - after) * shift) / 10.0),
            prominence_db: prominence,
        });
    }
    found
}

/// A natural frequency and the peak that belongs to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModeMatch {
    pub natural_hz: f64,
    pub peak: Option<Peak>,
}

/// Gives each natural frequency the strongest peak within `tolerance` (a share of the frequency) that is
/// not nearer to another natural frequency.
pub fn match_peaks(found: &[Peak], natural_hz: &[f64], tolerance: f64) -> Vec<ModeMatch> {
    match_peaks_within(found, natural_hz, tolerance, 0.0)
}

/// As [`match_peaks`], with a tolerance that is never narrower than `at_least_hz`.
pub fn match_peaks_within(
    found: &[Peak],
    natural_hz: &[f64],
    tolerance: f64,
    at_least_hz: f64,
) -> Vec<ModeMatch> {
    let distance = |peak: &Peak, natural: f64| (peak.frequency_hz - natural).abs();
    let belongs = |peak: &Peak, natural: f64| {
        distance(peak, natural) <= at_least_hz.max(tolerance * natural)
            && natural_hz.iter().all(|other| distance(peak, natural) <= distance(peak, *other))
    };
    natural_hz
        .iter()
        .map(|natural| {
            let own = found.iter().filter(|peak| belongs(peak, *natural));
            let peak = own.max_by(|a, b| a.density.total_cmp(&b.density)).copied();
            ModeMatch { natural_hz: *natural, peak }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::spectrum::tests::{RATE, sine};
    use super::super::spectrum::{segment_length, welch};
    use super::*;

    #[test]
    fn peaks_are_found_between_the_lines() {
        let mut signal = sine(440.3, 1.0, 96_000);
        for (sample, other) in signal.iter_mut().zip(sine(3127.9, 0.01, 96_000)) {
            *sample += other;
        }
        let spectrum = welch(&signal, RATE, segment_length(signal.len(), RATE, 5.0));
        assert_eq!(spectrum.resolution_hz(), 5.0);
        let found = peaks(&spectrum, 20.0);
        let strongest: Vec<f64> = found.iter().filter(|p| p.density > 1e-7).map(|p| p.frequency_hz).collect();
        assert_eq!(strongest.len(), 2, "{found:?}");
        // The parabola on a Hann peak is off by at most 0.016 lines.
        assert!((strongest[0] - 440.3).abs() < 0.1 && (strongest[1] - 3127.9).abs() < 0.1, "{strongest:?}");
    }

    #[test]
    fn prominence_is_the_way_down_to_the_higher_neighbour() {
        let levels_db = [0.0, 30.0, 20.0, 25.0, 10.0, 40.0, 0.0];
        let spectrum = Density {
            frequencies_hz: (0..7).map(f64::from).collect(),
            density: levels_db.iter().map(|level| 10f64.powf(level / 10.0)).collect(),
        };
        let all: Vec<f64> = peaks(&spectrum, 0.0).iter().map(|peak| peak.prominence_db.round()).collect();
        assert_eq!(all, [20.0, 5.0, 40.0]);
        assert_eq!(peaks(&spectrum, 6.0).len(), 2);
        let empty = Density { frequencies_hz: Vec::new(), density: Vec::new() };
        assert!(peaks(&empty, 1.0).is_empty());
    }

    #[test]
    fn each_peak_serves_one_mode() {
        let peak = |frequency_hz, density| Peak { frequency_hz, density, prominence_db: 20.0 };
        let found = [peak(99.0, 1.0), peak(101.0, 2.0), peak(395.0, 1.0), peak(700.0, 9.0)];
        let matches = match_peaks(&found, &[100.0, 400.0, 410.0, 900.0], 0.05);
        let frequencies: Vec<Option<f64>> =
            matches.iter().map(|m| m.peak.map(|peak| peak.frequency_hz)).collect();
        assert_eq!(frequencies, [Some(101.0), Some(395.0), None, None]);
    }
}
