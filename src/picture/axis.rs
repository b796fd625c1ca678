//! One axis, linear or logarithmic, that chooses its own ticks and writes them plainly.
//!
//! Both scales are one type, so that every plot has the same type whatever its axes.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scale {
    Linear,
    Log,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Quantity with its unit: `frequency (Hz)`.
    pub label: String,
    scale: Scale,
    min: f64,
    max: f64,
    ticks: Vec<f64>,
    fine_ticks: Vec<f64>,
    decimals: usize,
}

/// About how many labelled ticks an axis carries.
const TICKS: f64 = 7.0;

impl Axis {
    /// Equal distances for equal differences. Empty or non-finite limits are widened, never refused:
    /// a picture of silence is still a picture.
    pub fn linear(label: impl Into<String>, min: f64, max: f64) -> Self {
        let (min, max) = sound_limits(min, max);
        let step = nice_step((max - min) / TICKS);
        let multiples = |step: f64| -> Vec<f64> {
            let (first, last) = ((min / step - 1e-9).ceil() as i64, (max / step + 1e-9).floor() as i64);
            (first..=last).map(|k| k as f64 * step).collect()
        };
        let decimals = (-(step.log10() + 1e-9).floor()).clamp(0.0, 12.0) as usize;
        Self {
            label: label.into(),
            scale: Scale::Linear,
            min,
            max,
            ticks: multiples(step),
            fine_ticks: multiples(step / 5.0),
            decimals,
        }
    }

    /// Equal distances for equal ratios; the limits have to be positive.
    pub fn log(label: impl Into<String>, min: f64, max: f64) -> Self {
        let max = if max.is_finite() && max > 0.0 { max } else { 1.0 };
        let min = if min.is_finite() && min > 0.0 && min < max { min } else { max / 10.0 };
        let decades = (max / min).log10();
        // Less than a decade needs more than 1-2-5; that while there is room, then decades, then every second.
        let steps: &[f64] = match decades {
            ..=1.0 => &[1.0, 2.0, 3.0, 4.0, 6.0, 8.0],
            ..=3.5 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let stride = (decades / 10.0).ceil().max(1.0) as i32;
        let between = |digits: &[f64], stride: i32| -> Vec<f64> {
            let (first, last) = (min.log10().floor() as i32, max.log10().ceil() as i32);
            (first..=last)
                .filter(|exponent| exponent.rem_euclid(stride) == 0)
                .flat_map(|exponent| digits.iter().map(move |digit| digit * 10f64.powi(exponent)))
                .filter(|tick| (min * (1.0 - 1e-9)..=max * (1.0 + 1e-9)).contains(tick))
                .collect()
        };
        let ticks = between(steps, stride);
        let fine_ticks = between(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], 1);
        Self { label: label.into(), scale: Scale::Log, min, max, ticks, fine_ticks, decimals: 0 }
    }

    /// Linear over all finite values, with a little air at both ends.
    pub fn linear_over(label: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let (min, max) = extent(values.into_iter());
        let air = 0.05 * (max - min);
        Self::linear(label, min - air, max + air)
    }

    /// Logarithmic over all positive finite values, with a little air at both ends.
    pub fn log_over(label: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let (min, max) = extent(values.into_iter().filter(|value| *value > 0.0));
        let air = (max / min).powf(0.05).max(1.05);
        Self::log(label, min / air, max * air)
    }

    pub fn limits(&self) -> (f64, f64) {
        (self.min, self.max)
    }

    /// Where a value stands: 0 at the lower end, 1 at the upper, outside beyond. NaN where the axis has
    /// no place for it (zero on a logarithm).
    pub fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.min) / (self.max - self.min),
            Scale::Log if value > 0.0 => (value / self.min).ln() / (self.max / self.min).ln(),
            Scale::Log => f64::NAN,
        }
    }

    /// The value at a place: inverse of [`Axis::place`].
    pub fn value_at(&self, place: f64) -> f64 {
        match self.scale {
            Scale::Linear => self.min + place * (self.max - self.min),
            Scale::Log => self.min * (self.max / self.min).powf(place),
        }
    }

    fn text(&self, value: f64) -> String {
        match self.scale {
            Scale::Linear if value.abs() >= 1e6 || (self.decimals > 6) => format!("{value:.2e}"),
            // "-0" is a rounding artefact, not a value.
            Scale::Linear => format!("{:.*}", self.decimals, if value.abs() < 1e-12 { 0.0 } else { value }),
            Scale::Log if !(1e-3..1e5).contains(&value) => format!("{value:.0e}"),
            Scale::Log => {
                let decimals = (-(value.log10() + 1e-9).floor()).clamp(0.0, 6.0) as usize;
                format!("{value:.decimals$}")
            }
        }
    }
}

fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

fn sound_limits(min: f64, max: f64) -> (f64, f64) {
    match (min.is_finite() && max.is_finite(), max > min) {
        (true, true) => (min, max),
        (true, false) => {
            let half = if min == 0.0 { 1.0 } else { 0.1 * min.abs() };
            (min - half, min + half)
        }
        _ => (0.0, 1.0),
    }
}

/// The next of 1, 2, 5 times a power of ten.
fn nice_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let digit = [1.0, 2.0, 5.0, 10.0].into_iter().find(|digit| digit * power >= rough * (1.0 - 1e-9));
    digit.unwrap_or(10.0) * power
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        // Far outside is as good as just outside, and keeps pixel numbers far from overflow.
        let place = self.place(*value).clamp(-10.0, 10.0);
        limit.0 + (place * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { self.fine_ticks.clone() } else { self.ticks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.min..self.max
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        self.text(*value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks.iter().map(|tick| axis.text(*tick)).collect()
    }

    #[test]
    fn ticks_are_the_round_numbers_a_person_would_choose() {
        let linear = Axis::linear("x", 0.0, 0.45);
        assert_eq!(labels(&linear), ["0.0", "0.1", "0.2", "0.3", "0.4"]);
        let signed = Axis::linear("x", -12.0, 12.0);
        assert_eq!(labels(&signed), ["-10", "-5", "0", "5", "10"]);
        let audio = Axis::log("f", 20.0, 20_000.0);
        assert_eq!(
            labels(&audio),
            ["20", "50", "100", "200", "500", "1000", "2000", "5000", "10000", "20000"]
        );
        let small = Axis::log("V", 0.02, 0.7);
        assert_eq!(labels(&small), ["0.02", "0.05", "0.1", "0.2", "0.5"]);
        assert_eq!(labels(&Axis::log("V (m/s)", 0.09, 0.45)), ["0.1", "0.2", "0.3", "0.4"]);
        assert!(Axis::log("p", 1e-12, 1e12).ticks.len() < 12);
    }

    #[test]
    fn places_and_values_are_inverse() {
        for axis in [Axis::linear("x", -3.0, 5.0), Axis::log("x", 0.3, 700.0)] {
            for place in [-0.2, 0.0, 0.37, 1.0, 1.5] {
                assert!((axis.place(axis.value_at(place)) - place).abs() < 1e-12);
            }
        }
        assert!(Axis::log("x", 1.0, 10.0).place(0.0).is_nan());
        assert_eq!(Axis::log("x", 10.0, 1000.0).map(&100.0, (0, 600)), 300);
    }

    #[test]
    fn silence_and_nonsense_still_have_an_axis() {
        for axis in [
            Axis::linear_over("x", []),
            Axis::linear_over("x", [0.0; 4]),
            Axis::linear("x", f64::NAN, 1.0),
            Axis::log_over("x", [0.0, -1.0]),
            Axis::log_over("x", [3.0]),
        ] {
            let (min, max) = axis.limits();
            assert!(min < max && min.is_finite() && max.is_finite(), "{axis:?}");
        }
    }
}
