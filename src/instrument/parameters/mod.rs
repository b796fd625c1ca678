//! Everything that can be turned on the instrument: one table ([`TABLE`]) that hosts, windows, presets and
//! states all read. A parameter's value is a plain `f64` in the unit of its key (`Ra` in µm, lengths in m,
//! words by their place in the list, switches 0 or 1); hosts that want 0 to 1 get it from
//! [`Parameter::normalise`], people get text from [`Parameter::format`].

mod table;
mod text;
mod values;
mod words;

pub use table::{PICKUPS, Param, Pick, TABLE};
pub use values::{Values, shortest};
pub use words::{RIGID_N_M, STROKES, SYNC_WHOLE_NOTES, TARGETS};

/// How a float runs over the travel of its knob.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Skew {
    Linear,
    /// Equal ratios take equal ways; needs a minimum above zero.
    Log,
    /// min + (max - min)·n^p: fine at the lower end, and zero can be reached.
    Power(f64),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Float {
        min: f64,
        max: f64,
        skew: Skew,
        default: f64,
    },
    Int {
        min: i32,
        max: i32,
        default: i32,
    },
    /// One of these words; the value is its place.
    Choice {
        words: &'static [&'static str],
        default: usize,
    },
    Switch {
        default: bool,
    },
}

/// What people read behind the number: shown = plain × scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    pub symbol: &'static str,
    pub scale: f64,
}

/// Where a preset file keeps the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// A scene key in the same unit.
    Scene(&'static str),
    /// A key of the instrument's own table `[play]`.
    Play(&'static str),
    /// Worked out from scene keys: a share of a length, a material by its name.
    Derived,
}

/// What a change does to the sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acts {
    /// Sounding notes follow within a few hundredths of a second.
    Live,
    /// New surfaces are made off the audio thread and faded in under sounding notes.
    Surfaces,
    /// A new engine is built off the audio thread and cross-faded.
    Engine,
    /// Notes and strokes that begin later.
    Notes,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// Never changes, never used again for something else.
    pub id: &'static str,
    pub name: &'static str,
    /// Path of the group, parts divided by `/`.
    pub module: &'static str,
    pub unit: Unit,
    pub kind: Kind,
    pub home: Home,
    pub acts: Acts,
    /// Hosts may modulate it for one note alone.
    pub per_note: bool,
    /// One sentence of physics.
    pub help: &'static str,
}

impl Parameter {
    pub fn default(&self) -> f64 {
        match self.kind {
            Kind::Float { default, .. } => default,
            Kind::Int { default, .. } => f64::from(default),
            Kind::Choice { default, .. } => default as f64,
            Kind::Switch { default } => f64::from(u8::from(default)),
        }
    }

    /// Smallest and largest plain value.
    pub fn range(&self) -> (f64, f64) {
        match self.kind {
            Kind::Float { min, max, .. } => (min, max),
            Kind::Int { min, max, .. } => (f64::from(min), f64::from(max)),
            Kind::Choice { words, .. } => (0.0, words.len().saturating_sub(1) as f64),
            Kind::Switch { .. } => (0.0, 1.0),
        }
    }

    /// Whole values between the ends; `None` for floats.
    pub fn steps(&self) -> Option<usize> {
        let (min, max) = self.range();
        match self.kind {
            Kind::Float { .. } => None,
            _ => Some((max - min) as usize),
        }
    }

    /// The nearest value that can be: clamped, whole where it must be, the default where it is no number.
    pub fn sanitise(&self, plain: f64) -> f64 {
        if plain.is_nan() {
            return self.default();
        }
        let (min, max) = self.range();
        let plain = plain.clamp(min, max);
        if matches!(self.kind, Kind::Float { .. }) { plain } else { plain.round() }
    }

    /// Plain value → 0 … 1 along the knob.
    pub fn normalise(&self, plain: f64) -> f64 {
        let plain = self.sanitise(plain);
        let (min, max) = self.range();
        let share = match self.kind {
            Kind::Float { skew: Skew::Log, .. } => (plain / min).ln() / (max / min).ln(),
            Kind::Float { skew: Skew::Power(power), .. } => ((plain - min) / (max - min)).powf(1.0 / power),
            _ if max > min => (plain - min) / (max - min),
            _ => 0.0,
        };
        share.clamp(0.0, 1.0)
    }

    /// 0 … 1 along the knob → plain value.
    pub fn denormalise(&self, share: f64) -> f64 {
        if share.is_nan() {
            return self.default();
        }
        let share = share.clamp(0.0, 1.0);
        let (min, max) = self.range();
        self.sanitise(match self.kind {
            // The ends are hit exactly.
            _ if share == 1.0 => max,
            Kind::Float { skew: Skew::Log, .. } => min * (max / min).powf(share),
            Kind::Float { skew: Skew::Power(power), .. } => min + (max - min) * share.powf(power),
            _ => min + (max - min) * share,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_table_is_sound() {
        for (index, parameter) in TABLE.iter().enumerate() {
            let id = parameter.id;
            assert!(TABLE[..index].iter().all(|other| other.id != id), "{id} twice");
            assert!(
                id.len() <= 12
                    && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
            );
            assert!(!parameter.help.is_empty() && parameter.help.ends_with('.'), "{id}");
            assert!(!parameter.name.is_empty() && !parameter.module.is_empty());
            let (min, max) = parameter.range();
            assert!(min < max && (min..=max).contains(&parameter.default()), "{id}");
            if let Kind::Float { skew: Skew::Log, min, .. } = parameter.kind {
                assert!(min > 0.0, "{id}");
            }
            assert_eq!(Param::from_id(id).map(Param::index), Some(index));
        }
        assert_eq!([TABLE[0].id, TABLE[1].id, TABLE[2].id], ["ra", "v", "zeta"]);
    }

    #[test]
    fn scene_keys_exist_and_hold_the_whole_range() {
        use crate::scene;
        for parameter in TABLE {
            let Home::Scene(name) = parameter.home else { continue };
            let key = scene::find_key(name).unwrap_or_else(|| panic!("{name} is no scene key"));
            let (min, max) = parameter.range();
            match key.kind {
                scene::Kind::Number { min: low, max: high } => {
                    assert!(min >= low && max <= high, "{name}");
                }
                scene::Kind::Integer { min: low, max: high } => {
                    assert!(min >= low as f64 && max <= high as f64, "{name}");
                }
                scene::Kind::Choice(known) => {
                    let Kind::Choice { words, .. } = parameter.kind else { panic!("{name} is a choice") };
                    assert!(words.iter().all(|word| known.contains(word)), "{name}");
                }
                _ => panic!("{name} is of another kind"),
            }
        }
    }

    proptest! {
        #[test]
        fn plain_and_normalised_go_there_and_back(share in 0.0f64..=1.0) {
            for parameter in TABLE {
                let plain = parameter.denormalise(share);
                let again = parameter.denormalise(parameter.normalise(plain));
                let (min, max) = parameter.range();
                prop_assert!((min..=max).contains(&plain));
                prop_assert!((again - plain).abs() <= 1e-9 * plain.abs().max(1e-12 * (max - min)),
                    "{}: {plain} {again}", parameter.id);
            }
        }

        #[test]
        fn whatever_comes_in_a_value_in_range_comes_out(bits in any::<u64>()) {
            let wild = f64::from_bits(bits);
            for parameter in TABLE {
                let (min, max) = parameter.range();
                for value in [parameter.sanitise(wild), parameter.denormalise(wild), parameter.denormalise(parameter.normalise(wild))] {
                    prop_assert!((min..=max).contains(&value), "{}", parameter.id);
                }
            }
        }
    }
}
