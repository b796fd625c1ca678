//! `asperity shocks`: every shock of a run, their distributions, the force at one node and the contact over
//! time: Figs. 11 and 12 of Dang 2013 for any scene.

mod files;
mod pictures;

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::out;
use super::progress::Progress;
use super::scene_args::SceneArgs;
use super::stop::Stop;
use crate::analysis::shock_study::{Property, ShockStudy};
use crate::analysis::shocks::energy_sum;
use crate::error::{Error, Problems};
use crate::io::folder;
use crate::record::{ContactSample, Shock};
use crate::render::{ContactOrder, ContactRun, contact_run};
use crate::scene::Scene;
use crate::units::MICRO;

/// The scene of Figs. 11 and 12.
const USUAL_PRESET: &str = "dang2013";

const EXAMPLES: &str = "\
Without a scene: dang2013, the bench of the paper. The papers' engine runs it.

Examples:
  asperity shocks --v 0.7 -o shocks
  asperity shocks dang2013 --ra 20 --node-m 0.012 --seconds 0.5 --json -o coarse";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ShocksArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Folder for tables and pictures
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Length to simulate; a pass may end earlier
    #[arg(long, value_name = "S", default_value_t = 1.0, allow_negative_numbers = true)]
    seconds: f64,
    /// Start that is left out
    #[arg(long, value_name = "S", default_value_t = 0.1, allow_negative_numbers = true)]
    skip: f64,
    /// Point of the slider whose force is kept, from its rear end; by default the node with most shocks
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    node_m: Option<f64>,
    /// Rows per second of the contact's history
    #[arg(long, value_name = "HZ", default_value_t = 20_000.0, allow_negative_numbers = true)]
    rate: f64,
    /// Summary as JSON on stdout
    #[arg(long)]
    json: bool,
}

pub fn run(mut args: ShocksArgs) -> Result<(), Error> {
    args.scene.scene.get_or_insert_with(|| USUAL_PRESET.to_owned());
    let order =
        ContactOrder { seconds: args.seconds, skip_s: args.skip, rate_hz: args.rate, node_m: args.node_m };
    let mut problems = Problems::default();
    let scene = problems.gather(args.scene.read())?.map(|(_, scene)| scene);
    problems.0.extend(order.problems(scene.as_ref().map(|scene| scene.slider.beam.length_m)).0);
    let scene = problems.or_gathered(scene)?;
    let _folder = folder::prepare(&args.output)?;
    let stop = Stop::listen()?;
    let progress = Progress::new("rubbing");
    let run = contact_run(&scene, &order, &mut |share| {
        progress.at(share);
        !stop.requested()
    })?;
    drop(progress);
    stop.check()?;
    let findings = Findings::new(&scene, &run);
    findings.write_tables(&args.output)?;
    findings.draw(&args.output)?;
    out::say(&format!(
        "{}: shocks.csv, distributions.csv, contact.csv, node.csv, shocks.npz, shocks.json; force-history, \
         shock-distributions, contact-history (.png, .svg)",
        args.output.display()
    ));
    let summary = findings.summary();
    if args.json { out::json(&summary) } else { out::data(|out| findings.table(&summary, out)) }
}

/// A run and what its shocks say.
struct Findings<'a> {
    scene: &'a Scene,
    run: &'a ContactRun,
    study: ShockStudy,
}

impl<'a> Findings<'a> {
    fn new(scene: &'a Scene, run: &'a ContactRun) -> Self {
        let load = scene.normal_load_n_m();
        let study = ShockStudy::new(&run.shocks, if load > 0.0 { load } else { 1.0 }, run.figures.step_s);
        Self { scene, run, study }
    }

    /// Which weight W forces are counted in.
    fn weight_text(&self) -> String {
        let weight = self.study.weight_n_m;
        match (self.scene.normal_load_n_m() > 0.0, self.scene.load_n_m > 0.0) {
            (false, _) => "1 N/m (the slider is weightless)".to_owned(),
            (true, false) => format!("{weight:.3} N/m, the slider's weight per metre of width"),
            (true, true) => format!("{weight:.3} N/m, the slider's weight and load per metre of width"),
        }
    }

    fn summary(&self) -> Value {
        let run = self.run;
        let count = run.history.len().max(1) as f64;
        let mean = |value: fn(&ContactSample) -> f64| run.history.iter().map(value).sum::<f64>() / count;
        let quantiles = |property: &Property| {
            json!({
                "median": property.distribution.quantile(0.5),
                "p90": property.distribution.quantile(0.9),
                "p99": property.distribution.quantile(0.99),
                "max": property.distribution.quantile(1.0),
            })
        };
        let forces = &self.study.peak_force.distribution;
        // The paper's M is the slider's mass in kg/m read as newtons, a tenth of its weight.
        let paper_m_n_m = self.scene.slider.beam.mass();
        let paper_m = paper_m_n_m / self.study.weight_n_m;
        let below_paper_m: Vec<f64> =
            [1.0, 10.0, 100.0].iter().map(|times| forces.share_below(times * paper_m)).collect();
        let resonator: Vec<Shock> = run.shocks.iter().copied().filter(|shock| shock.profile == 1).collect();
        let at_node = run.shocks.iter().filter(|shock| shock.profile == 2 && shock.node == run.node.node);
        json!({
            "shocks": run.shocks.len(),
            "seconds": run.figures.seconds,
            "lv_db": run.figures.lv_db(),
            "contact_fraction": run.figures.contact_fraction,
            "max_force_n_m": run.figures.max_force_n_m,
            "weight_n_m": self.study.weight_n_m,
            "weight": self.weight_text(),
            "peak_force_weights": quantiles(&self.study.peak_force),
            "share_below_weight": forces.share_below(1.0),
            "paper_m_n_m": paper_m_n_m,
            "share_below_1_10_100_paper_m": below_paper_m,
            "duration_s": quantiles(&self.study.duration),
            "share_below_100_us": self.study.duration.distribution.share_below(1e-4),
            "energy_j_m": quantiles(&self.study.energy),
            "energy_sum_resonator_j_m": energy_sum(&resonator),
            "mean_contact_nodes": mean(|sample| sample.nodes),
            "mean_contact_spots": mean(|sample| sample.spots),
            "mean_contact_length_m": mean(|sample| sample.length_m),
            "mean_separation_m": mean(|sample| sample.separation_m),
            "node": run.node.node,
            "node_m": run.node.position_m,
            "node_shocks": at_node.count(),
        })
    }

    fn table(&self, summary: &Value, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        let number = |path: &str| summary.pointer(path).and_then(Value::as_f64).unwrap_or(f64::NAN);
        writeln!(
            out,
            "{} shocks in {:.3} s; W = {}",
            summary["shocks"],
            number("/seconds"),
            self.weight_text()
        )?;
        writeln!(
            out,
            "  peak force   median {:.3} W, 99 % below {:.3} W, largest {:.3} W",
            number("/peak_force_weights/median"),
            number("/peak_force_weights/p99"),
            number("/peak_force_weights/max")
        )?;
        writeln!(
            out,
            "  duration     median {:.1} µs, {:.1} % below 100 µs",
            number("/duration_s/median") / MICRO,
            100.0 * number("/share_below_100_us")
        )?;
        writeln!(
            out,
            "  energy       {:.3e} J/m to the resonator in all",
            number("/energy_sum_resonator_j_m")
        )?;
        writeln!(
            out,
            "  contact      {:.2} spots, {:.1} µm of real contact, {:.2} µm mean separation",
            number("/mean_contact_spots"),
            number("/mean_contact_length_m") / MICRO,
            number("/mean_separation_m") / MICRO
        )?;
        let at_mm = number("/node_m") * 1e3;
        writeln!(out, "  node         {at_mm:.3} mm on the slider, {} shocks", summary["node_shocks"])
    }
}
