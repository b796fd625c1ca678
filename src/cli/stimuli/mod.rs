//! `asperity stimuli`: a set of WAVs for a listening test from one SPEC.toml.
//!
//! Everything is computed first and written last, into `DIR.part`, which becomes `DIR` when it is whole.

mod folder;
mod manifest;

use std::path::PathBuf;
use std::sync::Mutex;

use clap::Args;
use serde::Serialize;

use self::folder::Folder;
use super::out;
use super::progress::Progress;
use super::stop::Stop;
use crate::error::Error;
use crate::io::library::preset_or_file;
use crate::io::room::check_room;
use crate::pickup::PAN_LAW;
use crate::record::Quantity;
use crate::render::stimuli::level::CEILING_DBTP;
use crate::render::stimuli::{Level, RATE_HZ, Spec, read};
use crate::scene::read_text;

/// Printed by `--example`; a test makes the set that it describes.
pub const EXAMPLE: &str = include_str!("example.toml");

const EXAMPLES: &str = "\
Examples:
  asperity stimuli --example > spec.toml
  asperity stimuli spec.toml -o set

DIR gets the WAVs, a calibration tone and noise, manifest.csv, webmushra.yaml, beaqle.js, set.json and the spec itself.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct StimuliArgs {
    /// What the set holds
    #[arg(value_name = "SPEC.toml", required_unless_present = "example")]
    spec: Option<PathBuf>,
    /// Folder to make; it must not hold anything yet
    #[arg(short, long, value_name = "DIR", required_unless_present = "example")]
    output: Option<PathBuf>,
    /// Print a spec to start from, every key explained
    #[arg(long, exclusive = true)]
    example: bool,
    /// Summary as JSON on stdout
    #[arg(long)]
    json: bool,
}

/// What the set says about itself, in `set.json` and on stdout.
#[derive(Debug, Serialize)]
struct Summary {
    name: String,
    software: &'static str,
    items: usize,
    anchors: usize,
    pages: usize,
    engine: &'static str,
    /// Null for the reference.
    quality: Option<&'static str>,
    seconds: f64,
    ramp_s: f64,
    skip_s: f64,
    rate_hz: f64,
    bits: String,
    mix: &'static str,
    level: &'static str,
    /// What 1.0 stands for in all items, in the unit of the pick-up; null where each item has its own.
    full_scale: Option<f64>,
    /// Of a set that is matched by level: what all items have, dB re the unit's reference, where 1.0 stands for
    /// `matched_full_scale`.
    matched_level_db: Option<f64>,
    matched_full_scale: Option<f64>,
    unit: &'static str,
    /// What 0 dB is.
    reference: &'static str,
    loudness_lufs: Option<f64>,
    /// By how much the whole set went down to stay below the ceiling.
    reduction_db: f64,
    true_peak_ceiling_dbtp: f64,
    highest_true_peak_dbtp: f64,
}

pub fn run(args: StimuliArgs) -> Result<(), Error> {
    let (Some(path), Some(output)) = (&args.spec, &args.output) else {
        return out::data(|sink| sink.write_all(EXAMPLE.as_bytes()));
    };
    let text = read_text(path, "spec")?;
    let spec = read(&text, &path.display().to_string(), preset_or_file)?;
    let items = spec.items()?;
    let files =
        items.len() + items.iter().filter(|item| spec.is_reference(item)).count() * spec.anchors_hz.len();
    check_room(output, (files * spec.frames()) as u64 * 6)?;
    let folder = Folder::prepare(output)?;

    let stop = Stop::listen()?;
    let progress = Progress::new("rendering");
    let shares = Mutex::new(vec![0.0; items.len()]);
    let rendered = spec.render(&items, &|index, share| {
        if let Ok(mut shares) = shares.lock() {
            shares[index] = share;
            progress.at(shares.iter().sum::<f64>() / shares.len() as f64);
        }
        !stop.requested()
    });
    drop(progress);
    stop.check()?;
    let rendered = rendered?;
    let levels: Vec<f64> = rendered.iter().map(|one| one.lv_db).collect();
    let set = spec.assemble(&items, rendered)?;
    stop.check()?;

    let rows = folder.write_sounds(&spec, &items, &set)?;
    let summary = summary(&spec, &set, &rows);
    folder.write_texts(
        &spec,
        &text,
        &set,
        &manifest::table(&spec, &items, &set, &levels, &rows),
        &summary,
    )?;
    stop.check()?;
    folder.finish()?;
    out::say(&format!("wrote {} with {} files", output.display(), set.stimuli.len()));
    if args.json {
        return out::json(&summary);
    }
    out::line(&told(&summary))
}

fn summary(spec: &Spec, set: &crate::render::stimuli::StimulusSet, rows: &[folder::Written]) -> Summary {
    let quantity = set.stimuli.first().and_then(|stimulus| stimulus.quantity);
    let anchors = set.stimuli.iter().filter(|stimulus| stimulus.low_pass_hz.is_some()).count();
    let loudness_lufs = match spec.level {
        Level::Loudness { lufs } => Some(lufs - set.gains.reduction_db),
        Level::Physical { .. } | Level::Lv { .. } => None,
    };
    Summary {
        name: spec.name.clone(),
        software: concat!("asperity ", env!("CARGO_PKG_VERSION")),
        items: set.gains.full_scales.len(),
        anchors,
        pages: set.pages.len(),
        engine: spec.order.engine.name(),
        quality: spec.order.quality_name(),
        seconds: spec.seconds,
        ramp_s: spec.ramp_s,
        skip_s: spec.order.skip_s,
        rate_hz: RATE_HZ,
        bits: spec.bits.clone(),
        mix: PAN_LAW,
        level: spec.level.name(),
        full_scale: set.gains.common_full_scale.filter(|_| set.gains.matched_db.is_none()),
        matched_level_db: set.gains.matched_db,
        matched_full_scale: set.gains.common_full_scale.filter(|_| set.gains.matched_db.is_some()),
        unit: quantity.map_or("", Quantity::unit),
        reference: quantity.map_or("", |quantity| quantity.reference().1),
        loudness_lufs,
        reduction_db: set.gains.reduction_db,
        true_peak_ceiling_dbtp: CEILING_DBTP,
        highest_true_peak_dbtp: rows.iter().map(|row| row.loudness.true_peak_dbtp()).fold(f64::MIN, f64::max),
    }
}

fn told(summary: &Summary) -> String {
    let (unit, reference) = (summary.unit, summary.reference);
    let level = match (summary.full_scale, summary.matched_level_db.zip(summary.matched_full_scale)) {
        (Some(full_scale), _) => format!("one full scale for all, 1.0 = {full_scale} {unit}"),
        (None, Some((level_db, full_scale))) => format!(
            "every item at {level_db:.2} dB re {reference} where 1.0 = {full_scale} {unit}; what was taken \
             from or given to each is in the manifest"
        ),
        (None, None) => format!("every item at {:.2} LUFS", summary.loudness_lufs.unwrap_or(f64::NAN)),
    };
    format!(
        "{} items and {} anchors of {} s on {} pages by the {} engine{}\nlevel {}: {level}\n\
         reduced by {:.2} dB for the ceiling of {} dBTP; highest true peak {:.2} dBTP",
        summary.items,
        summary.anchors,
        summary.seconds,
        summary.pages,
        summary.engine,
        summary.quality.map_or(String::new(), |quality| format!(", {quality}")),
        summary.level,
        summary.reduction_db,
        summary.true_peak_ceiling_dbtp,
        summary.highest_true_peak_dbtp,
    )
}
