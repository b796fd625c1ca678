//! Words and units of the table.

use super::Unit;

pub const fn unit(symbol: &'static str, scale: f64) -> Unit {
    Unit { symbol, scale }
}

pub const NONE: Unit = unit("", 1.0);
pub const UM: Unit = unit("µm", 1.0);
pub const MM: Unit = unit("mm", 1e3);
pub const M: Unit = unit("m", 1.0);
pub const M_S: Unit = unit("m/s", 1.0);
pub const N_M: Unit = unit("N/m", 1.0);
pub const GPA: Unit = unit("GPa", 1e-9);
pub const DENSITY: Unit = unit("kg/m³", 1.0);
pub const DB: Unit = unit("dB", 1.0);
pub const PERCENT: Unit = unit("%", 100.0);
pub const HZ: Unit = unit("Hz", 1.0);
pub const S: Unit = unit("s", 1.0);
pub const SEMITONES: Unit = unit("semitones", 1.0);

/// How the slider is led; the first three are those of scenes.
pub const STROKES: &[&str] = &["pass", "endless", "reciprocate", "synced", "scrub"];
/// Length of one stroke to and fro in whole notes, as players write it.
pub const SYNC_WORDS: &[&str] =
    &["2/1", "1/1", "1/2", "1/2T", "1/4.", "1/4", "1/4T", "1/8.", "1/8", "1/8T", "1/16", "1/16T", "1/32"];
/// The same as numbers.
pub const SYNC_WHOLE_NOTES: [f64; 13] = [
    2.0,
    1.0,
    0.5,
    1.0 / 3.0,
    0.375,
    0.25,
    1.0 / 6.0,
    0.1875,
    0.125,
    1.0 / 12.0,
    0.0625,
    1.0 / 24.0,
    0.03125,
];
/// Drive stiffness from which on slider and hand are one, N/m.
pub const RIGID_N_M: f64 = 1e9;
/// What wheel, pressure and timbre may move.
pub const TARGETS: &[&str] = &["off", "ra", "v", "zeta", "load", "lc", "kappa", "pick-ups"];
pub const LAWS: &[&str] = &["penalty", "hertz", "exponential", "signorini"];

#[cfg(test)]
mod tests {
    use super::*;

    /// `2/1` is two whole notes, a dot makes one and a half of it, a T two thirds.
    #[test]
    fn note_values_are_what_players_read() {
        assert_eq!(SYNC_WORDS.len(), SYNC_WHOLE_NOTES.len());
        for (word, value) in SYNC_WORDS.iter().zip(SYNC_WHOLE_NOTES) {
            let (factor, plain) = match word.chars().last() {
                Some('.') => (1.5, &word[..word.len() - 1]),
                Some('T') => (2.0 / 3.0, &word[..word.len() - 1]),
                _ => (1.0, *word),
            };
            let (over, under) = plain.split_once('/').unwrap();
            let expected = factor * over.parse::<f64>().unwrap() / under.parse::<f64>().unwrap();
            assert!((value - expected).abs() < 1e-12, "{word}: {value}");
        }
    }
}
