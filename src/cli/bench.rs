//! `asperity bench`: how fast the real-time engine is, as ratios measured in one run, and how near its
//! levels come to the reference's.

use clap::Args;
use cpu_time::ThreadTime;

use super::out;
use super::progress::Progress;
use super::stop::Stop;
use crate::engine::realtime::Quality;
use crate::error::Error;
use crate::verify::agreement::Extent;
use crate::verify::speed::{SpeedReport, speed};

#[derive(Debug, Args)]
pub struct BenchArgs {
    /// JSON on stdout
    #[arg(long)]
    json: bool,
    /// Two points and two seeds for the levels instead of twelve and twenty-four: seconds instead of minutes
    #[arg(long)]
    quick: bool,
    /// Quality whose levels are compared with the reference; speeds are those of `live`
    #[arg(long, default_value = Quality::Live.name(), value_parser = Quality::NAMES)]
    quality: String,
}

pub fn run(args: BenchArgs) -> Result<(), Error> {
    let stop = Stop::listen()?;
    let progress = Progress::new("bench");
    let start = ThreadTime::now();
    let clock = || start.elapsed().as_secs_f64();
    let quality = Quality::from_name(&args.quality).unwrap_or_default();
    let (extent, blocks) = if args.quick { (Extent::QUICK, 2_000) } else { (Extent::FULL, 20_000) };
    let report = speed(&clock, &extent, quality, blocks, &mut |share| {
        progress.at(share);
        stop.check()
    })?;
    drop(progress);
    if args.json {
        return out::json(&report);
    }
    out::data(|sink| write!(sink, "{}", table(&report)))
}

/// What was measured beside what is aimed at.
fn table(report: &SpeedReport) -> String {
    let rows = [
        ("voice_realtime_factor", report.voice_realtime_factor, "at least 60"),
        ("voices16_load", report.voices16_load, "at most 0.30"),
        ("bare_bank_ratio", report.bare_bank_ratio, "at most 6"),
        ("bank_ns_per_mode_step", report.bank_ns_per_mode_step, "at most 0.6"),
        ("speedup_vs_reference", report.speedup_vs_reference, "at least 200000"),
        ("node_growth_5um_to_1um", report.node_growth_5um_to_1um, "at most 1.3"),
        ("mode_growth_40_to_160", report.mode_growth_40_to_160, "at most 4"),
        ("lv_difference_db", report.lv_difference_db, "at most 0.5"),
        ("lv_worst_point_db", report.lv_worst_point_db, "at most 1"),
        ("octave_worst_db", report.octave_worst_db, "at most 1"),
        ("octave_worst_at_one_point_db", report.octave_worst_at_one_point_db, ""),
        ("octave_worst_at_one_point_error_db", report.octave_worst_at_one_point_error_db, ""),
        ("octave_beyond_chance_db", report.octave_beyond_chance_db, "at most 1"),
        ("block64_p50_share", report.block64_p50_share, ""),
        ("block64_p99_share", report.block64_p99_share, ""),
        ("block64_p999_share", report.block64_p999_share, "at most 0.60"),
        ("block64_worst_share", report.block64_worst_share, ""),
    ];
    rows.iter().map(|(name, value, goal)| format!("{name:<34} {value:>12.4}  {goal}\n")).collect()
}
