//! What `analyze` prints: keys for scripts, a table for people. Every level says what it is re.

use std::io::Write;

use serde::Serialize;

use super::Analysis;
use crate::analysis::signal::{Signal, overall_rms};
use crate::record::Quantity;
use crate::units::decibels;

#[derive(Debug, Serialize)]
pub struct FileReport {
    file: String,
    seconds: f64,
    rate_hz: f64,
    bits: String,
    /// `metadata`, `--full-scale`, or null where levels are re full scale.
    calibration: Option<&'static str>,
    /// Over all velocity channels: the mean of their powers, or the sum for the sides of a mix.
    lv_db: Option<f64>,
    v_rms_m_s: Option<f64>,
    full_scale_m_s: Option<f64>,
    /// Of all pressure channels.
    lp_db: Option<f64>,
    laeq_db: Option<f64>,
    loudness_lufs: Option<f64>,
    true_peak_dbtp: Option<f64>,
    channels: Vec<ChannelReport>,
}

#[derive(Debug, Serialize)]
struct ChannelReport {
    quantity: Option<&'static str>,
    unit: Option<&'static str>,
    /// What 0 dB is.
    reference: &'static str,
    full_scale: f64,
    rms: f64,
    peak: f64,
    level_db: Option<f64>,
    a_weighted_db: Option<f64>,
    centroid_hz: Option<f64>,
    bands: Vec<BandReport>,
    peaks: Vec<PeakReport>,
    modes: Vec<ModeReport>,
}

#[derive(Debug, Serialize)]
struct BandReport {
    nominal_hz: f64,
    level_db: Option<f64>,
}

#[derive(Debug, Clone, Serialize)]
struct PeakReport {
    frequency_hz: f64,
    /// Of the density, dB re reference²/Hz.
    density_db: f64,
    prominence_db: f64,
}

#[derive(Debug, Serialize)]
struct ModeReport {
    mode: usize,
    natural_hz: f64,
    peak_hz: Option<f64>,
    difference_percent: Option<f64>,
    density_db: Option<f64>,
}

/// The strongest peaks that a report lists.
const LISTED_PEAKS: usize = 20;

impl FileReport {
    pub fn new(analysis: &Analysis) -> Self {
        let of = |wanted: Quantity| -> Vec<&Signal> {
            let pairs = analysis.signals.iter().zip(&analysis.meanings);
            pairs.filter(|(_, meaning)| meaning.0 == Some(wanted)).map(|(signal, _)| signal).collect()
        };
        let metadata = analysis.sound.metadata.as_ref();
        let mixed = metadata.is_some_and(|metadata| metadata.mix.is_some());
        let (velocity, pressure) = (of(Quantity::Velocity), of(Quantity::Pressure));
        let v_rms_m_s = overall_rms(&velocity, mixed);
        let level =
            |rms: Option<f64>, of: Quantity| rms.and_then(|rms| finite(decibels(rms / of.reference().0)));
        let weighted: Vec<Signal> = pressure
            .iter()
            .map(|signal| Signal { rms: signal.a_weighted_rms, ..(*signal).clone() })
            .collect();
        let full_scale =
            |meaning: &(Option<Quantity>, f64)| (meaning.0 == Some(Quantity::Velocity)).then_some(meaning.1);
        Self {
            file: analysis.path.display().to_string(),
            seconds: analysis.seconds,
            rate_hz: analysis.sound.rate_hz,
            bits: analysis.sound.bits.clone(),
            calibration: analysis.calibration,
            lv_db: level(v_rms_m_s, Quantity::Velocity),
            v_rms_m_s,
            full_scale_m_s: analysis.meanings.iter().find_map(full_scale),
            lp_db: level(overall_rms(&pressure, mixed), Quantity::Pressure),
            laeq_db: level(overall_rms(&weighted.iter().collect::<Vec<_>>(), mixed), Quantity::Pressure),
            loudness_lufs: analysis.loudness.integrated_lufs,
            true_peak_dbtp: finite(analysis.loudness.true_peak_dbtp()),
            channels: analysis
                .signals
                .iter()
                .zip(&analysis.meanings)
                .map(|(signal, (quantity, full_scale))| ChannelReport::new(signal, *quantity, *full_scale))
                .collect(),
        }
    }

    /// The one number of the file.
    pub fn headline(&self) -> String {
        match (self.lv_db, self.lp_db, self.channels.first()) {
            (Some(lv), ..) => format!("Lv = {lv:.1} dB re 1 nm/s"),
            (_, Some(lp), _) => format!("Lp = {lp:.1} dB re 20 µPa"),
            (.., Some(channel)) => format!("{} dB re {}", one_decimal(channel.level_db), channel.reference),
            _ => "silence".to_owned(),
        }
    }
}

impl ChannelReport {
    fn new(signal: &Signal, quantity: Option<Quantity>, full_scale: f64) -> Self {
        let (reference, name) = quantity.map_or((1.0, "full scale"), Quantity::reference);
        let density_db = |density: f64| 10.0 * (density / (reference * reference)).log10();
        let mut peaks: Vec<_> = signal.peaks.clone();
        peaks.sort_by(|a, b| b.density.total_cmp(&a.density));
        peaks.truncate(LISTED_PEAKS);
        Self {
            quantity: quantity.map(Quantity::name),
            unit: quantity.map(Quantity::unit),
            reference: name,
            full_scale,
            rms: signal.rms,
            peak: signal.peak,
            level_db: finite(signal.level_db(reference)),
            a_weighted_db: finite(signal.a_weighted_db(reference)),
            centroid_hz: signal.centroid_hz,
            bands: signal
                .bands
                .iter()
                .map(|band| BandReport {
                    nominal_hz: (band.nominal_hz * 10.0).round() / 10.0,
                    level_db: finite(band.level_db(reference)),
                })
                .collect(),
            peaks: peaks
                .iter()
                .map(|peak| PeakReport {
                    frequency_hz: peak.frequency_hz,
                    density_db: density_db(peak.density),
                    prominence_db: peak.prominence_db,
                })
                .collect(),
            modes: signal
                .modes
                .iter()
                .enumerate()
                .map(|(index, mode)| ModeReport {
                    mode: index + 1,
                    natural_hz: mode.natural_hz,
                    peak_hz: mode.peak.map(|peak| peak.frequency_hz),
                    difference_percent: mode
                        .peak
                        .map(|peak| 100.0 * (peak.frequency_hz / mode.natural_hz - 1.0)),
                    density_db: mode.peak.map(|peak| density_db(peak.density)),
                })
                .collect(),
        }
    }

    /// What the level is called.
    fn symbol(&self) -> &'static str {
        self.quantity.and_then(Quantity::from_name).map_or("level", Quantity::symbol)
    }
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

fn one_decimal(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.1}"))
}

/// For people.
pub fn table(report: &FileReport, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "{}: {:.3} s, {} Hz, {} bits", report.file, report.seconds, report.rate_hz, report.bits)?;
    match report.calibration {
        Some(by) => writeln!(out, "  {}, calibrated by {by}", report.headline())?,
        None => writeln!(
            out,
            "  not calibrated: levels re full scale; --full-scale M_S says what 1.0 stands for"
        )?,
    }
    writeln!(
        out,
        "  loudness {} LUFS (BS.1770), true peak {} dBTP",
        one_decimal(report.loudness_lufs),
        one_decimal(report.true_peak_dbtp)
    )?;
    for (index, channel) in report.channels.iter().enumerate() {
        let meaning = channel.unit.map(|unit| format!(", 1.0 = {} {unit}", channel.full_scale));
        let quantity = channel.quantity.unwrap_or("signal");
        writeln!(out, "  channel {}: {quantity}{}", index + 1, meaning.unwrap_or_default())?;
        writeln!(
            out,
            "    {} {} dB, A-weighted {} dB re {}; centroid {} Hz",
            channel.symbol(),
            one_decimal(channel.level_db),
            one_decimal(channel.a_weighted_db),
            channel.reference,
            channel.centroid_hz.map_or("–".to_owned(), |f| format!("{f:.0}"))
        )?;
        writeln!(out, "    band (Hz)  level (dB)")?;
        for band in &channel.bands {
            writeln!(out, "    {:>9}  {:>10}", band.nominal_hz, one_decimal(band.level_db))?;
        }
        if !channel.modes.is_empty() {
            writeln!(out, "    mode  natural (Hz)  peak (Hz)  difference (%)  density (dB)")?;
        }
        for mode in channel.modes.iter().filter(|mode| mode.peak_hz.is_some()) {
            writeln!(
                out,
                "    {:>4}  {:>12.1}  {:>9}  {:>14}  {:>12}",
                mode.mode,
                mode.natural_hz,
                one_decimal(mode.peak_hz),
                mode.difference_percent.map_or("–".to_owned(), |value| format!("{value:+.2}")),
                one_decimal(mode.density_db)
            )?;
        }
    }
    Ok(())
}
