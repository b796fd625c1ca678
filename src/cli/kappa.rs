//! `asperity kappa`: which penalty coefficient to take, found as Dang 2013, §4 finds it.

use clap::Args;
use serde::Serialize;

use super::out;
use super::scene_args::SceneArgs;
use crate::engine::reference::advise_kappa;
use crate::error::{Error, Problem};

#[derive(Debug, Args)]
pub struct KappaArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Length of every trial run
    #[arg(long, value_name = "S", default_value_t = 0.001, allow_negative_numbers = true)]
    seconds: f64,
    /// JSON on stdout
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Report {
    kappa_pa: f64,
    /// Relative difference of v_rms between the penalty and the Lagrange run.
    difference: f64,
    /// Every κ tried with its difference.
    trials: Vec<(f64, f64)>,
}

pub fn run(args: KappaArgs) -> Result<(), Error> {
    let (_, scene) = args.scene.read()?;
    if !(args.seconds > 0.0 && args.seconds <= 1.0) {
        let limit = "must be above 0 and at most 1";
        return Err(Problem::new("--seconds", args.seconds, limit, "the paper takes 0.001").into());
    }
    let advice = advise_kappa(&scene, args.seconds)?;
    let report = Report { kappa_pa: advice.kappa_pa, difference: advice.difference, trials: advice.trials };
    if args.json {
        return out::json(&report);
    }
    out::data(|sink| {
        for (kappa_pa, difference) in &report.trials {
            writeln!(sink, "κ = {kappa_pa:.2e} Pa: v_rms {:.1} % from ideal contact", 100.0 * difference)?;
        }
        let verdict = if report.difference <= 0.10 { "within" } else { "the best found, not within" };
        writeln!(sink, "take contact.kappa_pa={:.3e}: {verdict} the paper's 10 %", report.kappa_pa)
    })
}
