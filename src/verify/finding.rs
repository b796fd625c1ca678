//! One line of the proof: what the paper prints, what we get, what we hold to be right.

use serde::Serialize;
use std::fmt;

/// What a run gave: one number in the unit that the quantity names, or words.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Ours {
    Number(f64),
    Text(String),
}

impl From<f64> for Ours {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<String> for Ours {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl fmt::Display for Ours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{}", short(*number)),
            Self::Text(text) => write!(f, "{text}"),
        }
    }
}

/// One line of the proof.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    pub case: &'static str,
    /// What is compared, with its unit.
    pub quantity: String,
    /// What is printed in the paper, as it is printed.
    pub paper: String,
    pub ours: Ours,
    /// What we hold to be right.
    pub range: String,
    pub pass: bool,
    /// Why the range is what it is, and why ours differs from the paper where it does.
    pub note: String,
}

impl Finding {
    /// A number that must lie between two others.
    pub fn between(case: &'static str, quantity: impl Into<String>, ours: f64, low: f64, high: f64) -> Self {
        Self {
            case,
            quantity: quantity.into(),
            paper: String::new(),
            ours: ours.into(),
            range: format!("{} to {}", short(low), short(high)),
            pass: (low..=high).contains(&ours),
            note: String::new(),
        }
    }

    /// A number that must not be above another.
    pub fn at_most(case: &'static str, quantity: impl Into<String>, ours: f64, limit: f64) -> Self {
        Self {
            range: format!("at most {}", short(limit)),
            pass: ours <= limit,
            ..Self::between(case, quantity, ours, 0.0, 0.0)
        }
    }

    /// A number that must not be below another.
    pub fn at_least(case: &'static str, quantity: impl Into<String>, ours: f64, limit: f64) -> Self {
        Self {
            range: format!("at least {}", short(limit)),
            pass: ours >= limit,
            ..Self::between(case, quantity, ours, 0.0, 0.0)
        }
    }

    /// A number that must lie within `tolerance` (a share) of `right`.
    pub fn near(
        case: &'static str,
        quantity: impl Into<String>,
        ours: f64,
        right: f64,
        tolerance: f64,
    ) -> Self {
        Self {
            range: format!("{} ± {} %", short(right), per_cent(tolerance)),
            pass: (ours - right).abs() <= tolerance * right.abs(),
            ..Self::between(case, quantity, ours, 0.0, 0.0)
        }
    }

    /// Words that were judged elsewhere.
    pub fn told(
        case: &'static str,
        quantity: impl Into<String>,
        ours: impl Into<String>,
        range: impl Into<String>,
        pass: bool,
    ) -> Self {
        Self {
            case,
            quantity: quantity.into(),
            paper: String::new(),
            ours: Ours::Text(ours.into()),
            range: range.into(),
            pass,
            note: String::new(),
        }
    }

    pub fn paper(mut self, printed: impl Into<String>) -> Self {
        self.paper = printed.into();
        self
    }

    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }
}

/// A share as per cent with two digits.
fn per_cent(share: f64) -> String {
    let scale = 10f64.powi(1 - (100.0 * share).abs().log10().floor() as i32);
    short((100.0 * share * scale).round() / scale)
}

/// A number for reading: up to seven digits, exponents only where they help.
pub fn short(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 || !number.is_finite() {
        return format!("{number}");
    }
    if (1e-3..1e6).contains(&size) {
        let decimals = (6 - size.log10().floor() as i32).clamp(0, 9) as usize;
        let text = format!("{number:.decimals$}");
        if text.contains('.') {
            return text.trim_end_matches('0').trim_end_matches('.').to_owned();
        }
        return text;
    }
    let text = format!("{number:.4e}");
    match text.split_once('e') {
        Some((digits, exponent)) if digits.contains('.') => {
            format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_pass_inside_their_range_and_fail_outside() {
        assert!(Finding::between("c", "q", 1.0, 1.0, 2.0).pass);
        assert!(!Finding::between("c", "q", 2.1, 1.0, 2.0).pass);
        assert!(Finding::near("c", "q", -1.005, -1.0, 0.01).pass);
        assert!(!Finding::near("c", "q", 1.02, 1.0, 0.01).pass);
        assert!(Finding::at_most("c", "q", 1.0, 1.0).pass && !Finding::at_most("c", "q", 1.1, 1.0).pass);
        assert!(Finding::at_least("c", "q", 1.0, 1.0).pass && !Finding::at_least("c", "q", 0.9, 1.0).pass);
        // A run that blew up proves nothing.
        for finding in [
            Finding::between("c", "q", f64::NAN, 0.0, 1.0),
            Finding::near("c", "q", f64::NAN, 0.0, 1.0),
            Finding::at_most("c", "q", f64::NAN, 1.0),
            Finding::at_least("c", "q", f64::NAN, 1.0),
        ] {
            assert!(!finding.pass);
        }
    }

    #[test]
    fn json_has_the_keys_of_the_public_face() {
        let finding = Finding::near("modes", "f1 (Hz)", 941.1, 941.13, 1e-3).paper("941,13").note("n");
        let json = serde_json::to_value(&finding).unwrap();
        let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
        assert_eq!(keys.len(), 7);
        for key in ["case", "quantity", "paper", "ours", "range", "pass", "note"] {
            assert!(json.get(key).is_some(), "{key}");
        }
        assert_eq!(json["ours"], 941.1);
        assert_eq!(json["range"], "941.13 ± 0.1 %");
        assert_eq!(Finding::near("c", "q", 1.0, 11_300.0, 50.0 / 11_300.0).range, "11300 ± 0.44 %");
    }

    #[test]
    fn numbers_are_short() {
        for (number, text) in [
            (0.0, "0"),
            (941.132, "941.132"),
            (33_880.83, "33880.83"),
            (20_900.0, "20900"),
            (1.5, "1.5"),
            (2.1e12, "2.1e12"),
            (-3.3802e-5, "-3.3802e-5"),
            (0.03512, "0.03512"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(short(number), text);
        }
    }
}
