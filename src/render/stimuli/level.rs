//! How loud: from samples in SI to a factor for each item of a set.
//!
//! An item's factor is 1/full_scale, so that every file stays calibrated whatever was matched. The ceiling is a
//! true peak of -1 dBTP (EBU R 128), anchors included; where the order would pass it, all factors go down by
//! the same amount, which keeps what was matched matched, and the amount is stated.

use super::spec::{Level, RATE_HZ};
use crate::analysis::levels::rms;
use crate::analysis::loudness::Loudness;
use crate::error::{Error, Problem};
use crate::units::decibels;

pub const CEILING_DBTP: f64 = -1.0;
/// Kept below the ceiling: rounding and dither move a peak by less.
const MARGIN_DB: f64 = 0.02;

/// One item of the set, in SI, both channels.
pub type Stereo = [Vec<f64>; 2];

#[derive(Debug, Clone, PartialEq)]
pub struct Gains {
    /// What 1.0 stands for in each item.
    pub full_scales: Vec<f64>,
    /// Gain of each item over its physical level within the set, dB.
    pub matching_db: Vec<f64>,
    /// By how much all went down for the ceiling, dB; 0 if nothing had to.
    pub reduction_db: f64,
    /// What 1.0 stands for where levels are compared: in every item of a physical set; in a set that is matched by
    /// level, the scale on which all have `matched_db`.
    pub common_full_scale: Option<f64>,
    /// The common level of a set that is matched by level, dB.
    pub matched_db: Option<f64>,
}

/// Power of a pick-up panned to two sides.
pub fn stereo_rms(item: &Stereo) -> f64 {
    rms(&item[0]).hypot(rms(&item[1]))
}

pub fn loudness(item: &Stereo, factor: f64) -> Result<Loudness, Error> {
    let scaled = item.each_ref().map(|side| side.iter().map(|x| x * factor).collect::<Vec<f64>>());
    Loudness::of(&[&scaled[0], &scaled[1]], RATE_HZ)
}

/// `extra` are signals that share the factor of the item they name: anchors. `reference` is 0 dB of the
/// quantity.
pub fn gains(
    level: Level,
    items: &[Stereo],
    extra: &[(usize, Stereo)],
    reference: f64,
) -> Result<Gains, Error> {
    for (index, item) in items.iter().enumerate() {
        if stereo_rms(item) == 0.0 {
            return Err(Error::Other(format!("item {} is silent: nothing to level", index + 1)));
        }
    }
    let mut matched_db = None;
    let matching = match level {
        Level::Physical { .. } => vec![1.0; items.len()],
        Level::Lv { lv_db, .. } => {
            let levels: Vec<f64> = items.iter().map(|item| decibels(stereo_rms(item) / reference)).collect();
            let target = lv_db.unwrap_or(levels.iter().sum::<f64>() / levels.len() as f64);
            matched_db = Some(target);
            levels.iter().map(|own| 10f64.powf((target - own) / 20.0)).collect()
        }
        Level::Loudness { lufs } => {
            items.iter().map(|item| loudness_factor(item, lufs)).collect::<Result<_, _>>()?
        }
    };
    // Peaks with every factor of the matching and a full scale of 1.
    let mut highest = 0.0f64;
    let all = items.iter().enumerate().chain(extra.iter().map(|(index, signal)| (*index, signal)));
    for (index, signal) in all {
        highest = highest.max(loudness(signal, matching[index])?.true_peak);
    }
    let allowed = 10f64.powf((CEILING_DBTP - MARGIN_DB) / 20.0);
    let wanted = match level {
        Level::Physical { full_scale } | Level::Lv { full_scale, .. } => full_scale,
        Level::Loudness { .. } => Some(1.0),
    };
    let needed = highest / allowed;
    let common = match (wanted, level) {
        (Some(wanted), _) if needed <= wanted => wanted,
        // Loudness is exact to the last digit, a stated full scale is a short number.
        (_, Level::Loudness { .. }) => needed,
        _ => rounded_up(needed),
    };
    Ok(Gains {
        full_scales: matching.iter().map(|factor| common / factor).collect(),
        matching_db: match level {
            Level::Loudness { .. } => vec![0.0; items.len()],
            _ => matching.iter().map(|factor| decibels(*factor)).collect(),
        },
        reduction_db: wanted.map_or(0.0, |wanted| decibels(common / wanted).max(0.0)),
        common_full_scale: (!matches!(level, Level::Loudness { .. })).then_some(common),
        matched_db,
    })
}

/// The factor that gives an item its loudness.
fn loudness_factor(item: &Stereo, lufs: f64) -> Result<f64, Error> {
    // Measured near full scale, so that the gate at -70 LUFS sees nothing but silence.
    let peak = item.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    let found = loudness(item, 1.0 / peak)?.integrated_lufs.ok_or_else(|| {
        Error::from(Problem::new(
            "level",
            "an item has no loudness",
            "BS.1770 needs 0.4 s above its gate",
            "make items longer, ramps shorter, or match lv",
        ))
    })?;
    Ok(10f64.powf((lufs - found) / 20.0) / peak)
}

/// The next number with three digits, so that a full scale can be read aloud.
fn rounded_up(value: f64) -> f64 {
    let power = 10f64.powi(value.log10().floor() as i32 - 2);
    // Dividing by a whole power keeps 0.0543 from becoming 0.054300000000000001.
    let digits = (value / power).ceil();
    if power < 1.0 { digits / (1.0 / power).round() } else { digits * power }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(amplitude: f64, frequency: f64) -> Stereo {
        let turn = std::f64::consts::TAU * frequency / RATE_HZ;
        let side: Vec<f64> = (0..48_000).map(|n| amplitude * (turn * f64::from(n)).sin()).collect();
        [side.clone(), side]
    }

    #[test]
    fn physical_keeps_differences_and_the_ceiling() {
        let items = [tone(0.01, 300.0), tone(0.03, 900.0)];
        let free = gains(Level::Physical { full_scale: None }, &items, &[], 1e-9).unwrap();
        assert_eq!(free.full_scales[0], free.full_scales[1]);
        assert_eq!((free.full_scales[0], free.reduction_db), (0.0338, 0.0), "0.03/10^(-1.02/20), rounded up");
        let asked = gains(Level::Physical { full_scale: Some(0.1) }, &items, &[], 1e-9).unwrap();
        assert_eq!((asked.full_scales[0], asked.reduction_db), (0.1, 0.0));
        let loud = gains(Level::Physical { full_scale: Some(0.01) }, &items, &[], 1e-9).unwrap();
        assert!((loud.reduction_db - decibels(3.38)).abs() < 1e-9, "{loud:?}");
        // An anchor with a higher peak counts.
        let anchored = gains(Level::Physical { full_scale: None }, &items, &[(0, tone(0.06, 300.0))], 1e-9);
        assert!(anchored.unwrap().full_scales[0] > 0.067);
    }

    #[test]
    fn loudness_and_lv_are_equal_after_matching() {
        let items = [tone(0.01, 300.0), tone(0.03, 3000.0)];
        let set = gains(Level::Loudness { lufs: -23.0 }, &items, &[], 1e-9).unwrap();
        for (item, full_scale) in items.iter().zip(&set.full_scales) {
            let found = loudness(item, 1.0 / full_scale).unwrap().integrated_lufs.unwrap();
            assert!((found + 23.0).abs() < 0.01, "{found}");
        }
        let set = gains(Level::Lv { lv_db: None, full_scale: Some(1.0) }, &items, &[], 1e-9).unwrap();
        let shown: Vec<f64> = items.iter().zip(&set.full_scales).map(|(i, f)| stereo_rms(i) / f).collect();
        assert!((shown[0] / shown[1] - 1.0).abs() < 1e-12);
        assert_eq!((set.common_full_scale, set.matched_db.map(f64::round)), (Some(1.0), Some(145.0)));
        // The mean of 140 and 149.54 dB.
        assert!((decibels(shown[0] / 1e-9) - 144.77).abs() < 0.01, "{shown:?}");
        assert!((set.matching_db[0] + set.matching_db[1]).abs() < 1e-9);
        // Two channels of 0 LUFS peak near 0 dBTP: a decibel too much.
        let hot = gains(Level::Loudness { lufs: 0.0 }, &items, &[], 1e-9).unwrap();
        assert!(hot.reduction_db > 0.5 && hot.reduction_db < 2.5, "{hot:?}");
    }

    #[test]
    fn short_and_silent_items_are_told() {
        let short = [[vec![0.5; 4800], vec![0.5; 4800]]];
        assert!(gains(Level::Loudness { lufs: -23.0 }, &short, &[], 1e-9).is_err());
        let silent = [[vec![0.0; 4800], vec![0.0; 4800]]];
        assert!(gains(Level::Physical { full_scale: None }, &silent, &[], 1e-9).is_err());
        assert_eq!([rounded_up(0.033_75), rounded_up(123.4), rounded_up(1.0)], [0.0338, 124.0, 1.0]);
    }
}
