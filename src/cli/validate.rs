//! `asperity validate`: the papers' cases, ours beside theirs. A finding outside its range makes the exit
//! code 1, after everything has been printed.

use std::path::{Path, PathBuf};

use clap::Args;

use super::out;
use super::progress::Progress;
use super::stop::Stop;
use crate::error::Error;
use crate::picture::curves::{Curve, Curves, Reference};
use crate::picture::{self, Axis, Corner};
use crate::verify::{CASES, Case, Effort, Finding, Pen, Sheet, select};

#[derive(Debug, Args)]
#[command(after_help = cases())]
pub struct ValidateArgs {
    /// Cases to run, all when none is named
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
    /// The papers' own steps, durations and grids instead of a quick part
    #[arg(long)]
    full: bool,
    /// JSON on stdout
    #[arg(long)]
    json: bool,
    /// Folder for the papers' figures, redrawn
    #[arg(long, value_name = "DIR")]
    plot: Option<PathBuf>,
}

fn cases() -> String {
    let widest = CASES.iter().map(|case| case.name.len()).max().unwrap_or(0);
    let lines: Vec<String> =
        CASES.iter().map(|case| format!("  {:widest$}  {}", case.name, case.about)).collect();
    format!("Cases:\n{}", lines.join("\n"))
}

pub fn run(args: ValidateArgs) -> Result<(), Error> {
    let cases = select(&args.cases)?;
    if let Some(folder) = &args.plot {
        std::fs::create_dir_all(folder).map_err(|error| Error::output(folder, error))?;
    }
    let stop = Stop::listen()?;
    let mut all = Vec::new();
    for case in cases {
        let findings = run_case(case, &args, &stop)?;
        if !args.json {
            out::data(|sink| write!(sink, "{}", table(case, &findings)))?;
        }
        all.extend(findings);
    }
    if args.json {
        out::json(&all)?;
    }
    let failed = all.iter().filter(|finding| !finding.pass).count();
    let told = format!("{} of {} findings are in their range", all.len() - failed, all.len());
    if failed > 0 {
        return Err(Error::Other(told));
    }
    out::say(&told);
    Ok(())
}

fn run_case(case: &Case, args: &ValidateArgs, stop: &Stop) -> Result<Vec<Finding>, Error> {
    let progress = Progress::new(case.name);
    let report = |done: usize, total: usize| {
        progress.at(done as f64 / total as f64);
        stop.check()
    };
    let draw = |sheet: &Sheet| match &args.plot {
        Some(folder) => draw(folder, sheet),
        None => Ok(()),
    };
    (case.run)(&Effort { full: args.full, report: &report, draw: &draw })
}

/// One block per finding: the numbers in a line of their own, the note under them.
fn table(case: &Case, findings: &[Finding]) -> String {
    let mut text = format!("{}: {}\n", case.name, case.about);
    for finding in findings {
        let verdict = if finding.pass { "pass" } else { "FAIL" };
        text += &format!("  {verdict}  {}\n", finding.quantity);
        let paper = if finding.paper.is_empty() { "-" } else { &finding.paper };
        text += &format!("        paper {paper} | ours {} | right {}\n", finding.ours, finding.range);
        if !finding.note.is_empty() {
            text += &format!("        {}\n", finding.note);
        }
    }
    text.push('\n');
    text
}

fn draw(folder: &Path, sheet: &Sheet) -> Result<(), Error> {
    let points = || sheet.series.iter().flat_map(|series| series.points.iter()).filter(|p| p.1.is_finite());
    let bounds = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    let (left, right) = bounds(&mut points().map(|p| p.0));
    let (low, high) = bounds(&mut points().map(|p| p.1).filter(|y| !sheet.log_y || *y > 0.0));
    // Room above for the legend.
    let named = sheet.series.iter().filter(|series| !series.name.is_empty()).count() as f64;
    let y = if sheet.log_y {
        Axis::log(sheet.y, low / 1.5, 1.5 * high)
    } else {
        Axis::linear(sheet.y, low - 0.05 * (high - low), high + (0.1 + 0.08 * named) * (high - low))
    };
    let (references, curves): (Vec<_>, Vec<_>) =
        sheet.series.iter().partition(|series| series.pen == Pen::Reference);
    let figure = Curves {
        title: sheet.title.clone(),
        x: if sheet.log_x { Axis::log(sheet.x, left, right) } else { Axis::linear(sheet.x, left, right) },
        y,
        curves: curves
            .into_iter()
            .map(|series| Curve {
                name: series.name.clone(),
                points: series.points.clone(),
                line: series.pen != Pen::Marks,
                markers: series.pen != Pen::Line,
                ..Curve::default()
            })
            .collect(),
        references: references
            .into_iter()
            .map(|series| Reference { name: series.name.clone(), points: series.points.clone() })
            .collect(),
        legend: Some(Corner::UpperRight),
    };
    let path = folder.join(format!("{}.png", sheet.name));
    picture::save(&path, &figure)?;
    out::say(&format!("wrote {}", path.display()));
    Ok(())
}
