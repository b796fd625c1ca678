//! Values as people read and type them. Four significant digits and the unit; what was printed is read
//! back to a value that prints the same.

use super::{Kind, Parameter};

impl Parameter {
    /// The value with its unit.
    pub fn format(&self, plain: f64) -> String {
        let plain = self.sanitise(plain);
        match self.kind {
            Kind::Choice { words, .. } => words.get(plain as usize).copied().unwrap_or_default().to_owned(),
            Kind::Switch { .. } => if plain > 0.5 { "on" } else { "off" }.to_owned(),
            Kind::Float { .. } | Kind::Int { .. } => {
                let number = four_digits(plain * self.unit.scale);
                if self.unit.symbol.is_empty() { number } else { format!("{number} {}", self.unit.symbol) }
            }
        }
    }

    /// A number in the unit that is shown, with or without the unit behind it; a word; on or off.
    pub fn parse(&self, text: &str) -> Option<f64> {
        let text = text.trim();
        match self.kind {
            Kind::Choice { words, .. } => {
                words.iter().position(|word| word.eq_ignore_ascii_case(text)).map(|place| place as f64)
            }
            Kind::Switch { .. } => match text.to_ascii_lowercase().as_str() {
                "on" | "true" | "yes" | "1" => Some(1.0),
                "off" | "false" | "no" | "0" => Some(0.0),
                _ => None,
            },
            Kind::Float { .. } | Kind::Int { .. } => {
                let number = text.strip_suffix(self.unit.symbol).unwrap_or(text).trim_end();
                let number = number.replace(',', ".").replace('−', "-");
                let value: f64 = number.parse().ok().filter(|value: &f64| value.is_finite())?;
                Some(self.sanitise(value / self.unit.scale))
            }
        }
    }
}

/// At most four significant digits, no idle zeros, an exponent from a million on.
fn four_digits(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    // Never "-0".
    let rounded = rounded + 0.0;
    if rounded.abs() < 1e6 { format!("{rounded}") } else { format!("{rounded:e}") }
}

#[cfg(test)]
mod tests {
    use super::super::{Param, TABLE};
    use proptest::prelude::*;

    #[test]
    fn values_read_as_people_write_them() {
        let zeta = Param::Zeta.entry();
        assert_eq!(zeta.format(0.005), "0.005");
        assert_eq!(Param::Ra.entry().format(5.0), "5 µm");
        assert_eq!(Param::Kappa.entry().format(2.1e12), "2100 GPa");
        assert_eq!(Param::Length.entry().format(0.45), "450 mm");
        assert_eq!(Param::Length.entry().parse("120 mm"), Some(0.12));
        assert_eq!(Param::DriveStiffness.entry().format(1e9), "1e9 N/m");
        assert_eq!(Param::DriveStiffness.entry().parse("2.5e7 N/m"), Some(2.5e7));
        assert_eq!(Param::Law.entry().parse("Hertz"), Some(1.0));
        assert_eq!(Param::Drone.entry().format(1.0), "on");
        assert_eq!(Param::Ra.entry().parse("3,5"), Some(3.5));
        assert_eq!(Param::Ra.entry().parse("1e99"), Some(1000.0));
        for nonsense in ["", "loud", "NaN", "inf", "5 kg"] {
            assert_eq!(Param::Ra.entry().parse(nonsense), None, "{nonsense}");
        }
    }

    proptest! {
        #[test]
        fn text_parses_back_to_the_same_text(share in 0.0f64..=1.0) {
            for parameter in TABLE {
                let text = parameter.format(parameter.denormalise(share));
                let value = parameter.parse(&text);
                prop_assert!(value.is_some(), "{}: {text}", parameter.id);
                prop_assert_eq!(parameter.format(value.unwrap_or_default()), text);
            }
        }

        #[test]
        fn no_text_breaks_the_parser(text in "\\PC{0,40}") {
            for parameter in TABLE {
                if let Some(value) = parameter.parse(&text) {
                    let (min, max) = parameter.range();
                    prop_assert!((min..=max).contains(&value));
                }
            }
        }
    }
}
