//! One value for every parameter, always in range, whatever was put in.

use super::{Param, TABLE};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Values([f64; TABLE.len()]);

impl Default for Values {
    fn default() -> Self {
        Self(std::array::from_fn(|index| TABLE[index].default()))
    }
}

impl Values {
    pub fn get(&self, param: Param) -> f64 {
        self.0[param.index()]
    }

    /// Of a choice: the place of its word.
    pub fn choice(&self, param: Param) -> usize {
        self.get(param) as usize
    }

    pub fn switch(&self, param: Param) -> bool {
        self.get(param) > 0.5
    }

    pub fn set(&mut self, param: Param, plain: f64) {
        self.0[param.index()] = param.entry().sanitise(plain);
    }

    /// As hosts give it, in single precision: the value is left alone where the host only repeats it, so
    /// that digits beyond single precision survive; otherwise 0.1f32 means 0.1.
    pub fn set_f32(&mut self, param: Param, plain: f32) {
        if self.get(param) as f32 != plain {
            self.set(param, shortest(plain));
        }
    }

    pub fn normalised(&self, param: Param) -> f64 {
        param.entry().normalise(self.get(param))
    }

    /// As [`Self::set_f32`], for hosts that speak 0 to 1.
    pub fn set_normalised(&mut self, param: Param, share: f32) {
        if self.normalised(param) as f32 != share {
            let plain = param.entry().denormalise(f64::from(share));
            self.set(param, shortest(plain as f32));
        }
    }

    /// The value moved along its knob by `offset` (1: the whole way).
    pub fn modulated(&self, param: Param, offset: f64) -> f64 {
        if offset == 0.0 || offset.is_nan() {
            return self.get(param);
        }
        param.entry().denormalise(self.normalised(param) + offset)
    }
}

/// The number that the shortest decimal of `value` stands for: 0.1f32 → 0.1. Allocates nothing.
pub fn shortest(value: f32) -> f64 {
    let mut text = Digits { bytes: [0; 64], len: 0 };
    let written = std::fmt::Write::write_fmt(&mut text, format_args!("{value:e}"));
    let digits = text.bytes.get(..text.len).and_then(|bytes| std::str::from_utf8(bytes).ok());
    match (written, digits.map(str::parse)) {
        (Ok(()), Some(Ok(number))) => number,
        _ => f64::from(value),
    }
}

/// A line of text on the stack.
struct Digits {
    bytes: [u8; 64],
    len: usize,
}

impl std::fmt::Write for Digits {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.len + text.len();
        let room = self.bytes.get_mut(self.len..end).ok_or(std::fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn single_precision_means_its_shortest_decimal() {
        assert_eq!(shortest(0.1), 0.1);
        assert_eq!(shortest(-2.1e12), -2.1e12);
        assert_eq!(shortest(0.0), 0.0);
        assert!(shortest(f32::NAN).is_nan());
        assert_eq!(shortest(f32::INFINITY), f64::INFINITY);
        let info = allocation_counter::measure(|| {
            std::hint::black_box(shortest(std::hint::black_box(0.123_456_7)));
        });
        assert_eq!(info.count_total, 0);
    }

    #[test]
    fn repeating_a_value_in_single_precision_changes_nothing() {
        let mut values = Values::default();
        values.set(Param::Ra, 1.0 / 3.0);
        let before = values;
        for (param, value) in Param::all().map(|param| (param, before.get(param))) {
            values.set_f32(param, value as f32);
            values.set_normalised(param, before.normalised(param) as f32);
        }
        assert_eq!(values, before);
        values.set_f32(Param::V, 0.3);
        assert_eq!(values.get(Param::V), 0.3);
    }

    #[test]
    fn modulation_moves_along_the_knob_and_stops_at_its_ends() {
        let values = Values::default();
        assert_eq!(values.modulated(Param::Ra, 0.0), 5.0);
        assert_eq!(values.modulated(Param::Ra, 9.0), 1000.0);
        assert!(values.modulated(Param::V, -0.1) < 0.1);
        assert_eq!(values.modulated(Param::V, f64::NAN), 0.1);
    }

    proptest! {
        #[test]
        fn nothing_wild_gets_in(index in 0..TABLE.len(), plain in any::<f64>(), single in any::<f32>()) {
            let param = Param::all().nth(index).unwrap();
            let (min, max) = param.entry().range();
            let mut values = Values::default();
            values.set(param, plain);
            prop_assert!((min..=max).contains(&values.get(param)));
            values.set_f32(param, single);
            prop_assert!((min..=max).contains(&values.get(param)));
            values.set_normalised(param, single);
            prop_assert!((min..=max).contains(&values.get(param)));
        }
    }
}
