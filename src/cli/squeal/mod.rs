//! `asperity squeal`: which modes of steady sliding grow, with which law of contact.

mod files;
mod pictures;

use std::path::PathBuf;

use clap::Args;

use super::out;
use super::scene_args::SceneArgs;
use crate::error::{Error, Problem, Problems};
use crate::io::folder;
use crate::picture;
use crate::squeal::{BRAKE, Options, Study, TARGETS_MPA_MM, study};
use crate::sweep::parse_list;

#[derive(Debug, Args)]
pub struct SquealArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Friction coefficient of the modes; by default the scene's, or 0.4
    #[arg(long, value_name = "MU", allow_negative_numbers = true)]
    mu: Option<f64>,
    /// Coefficients of the growth curves
    #[arg(long, value_name = "LIST", default_value = "0:1:21lin")]
    mus: String,
    /// Contact stiffnesses to calibrate the exponential law to, MPa/mm; by default 10^2, 10^4, 10^5.3 and 10^7
    #[arg(long, value_name = "LIST")]
    stiffness: Option<String>,
    /// Modes above this are left out
    #[arg(long, value_name = "HZ", default_value_t = 20_000.0, allow_negative_numbers = true)]
    highest: f64,
    /// Folder for tables (CSV, JSON) and pictures
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// The stability diagram alone, PNG or SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// JSON on stdout
    #[arg(long)]
    json: bool,
}

pub fn run(args: SquealArgs) -> Result<(), Error> {
    let mut problems = Problems::default();
    let options = options(&args, &mut problems);
    let scene = match args.scene.read_or(BRAKE) {
        Ok((_, scene)) => problems.or(scene)?,
        Err(Error::Input(mut found)) => {
            found.0.extend(problems.0);
            return Err(found.into());
        }
        Err(other) => return Err(other),
    };
    if let Some(path) = &args.plot {
        picture::check_path(path)?;
    }
    let _folder = args.output.as_deref().map(folder::prepare).transpose()?;
    let study = study(&scene, &options)?;
    if let Some(path) = &args.plot {
        picture::save(path, &pictures::stability(&study))?;
        out::say(&format!("wrote {}", path.display()));
    }
    if let Some(folder) = &args.output {
        files::write(folder, &study)?;
        for (name, figure) in pictures::all(&study) {
            picture::save(&folder.join(format!("{name}.png")), &figure)?;
        }
        out::say(&format!(
            "wrote squeal.json, modes, growth, growth_stiffness, mac and frequencies as .csv, and pictures to {}",
            folder.display()
        ));
    }
    if args.json { out::json(&study) } else { out::data(|sink| table(&study, sink)) }
}

fn options(args: &SquealArgs, problems: &mut Problems) -> Options {
    let within = |place: &str, value: f64, low: f64, high: f64, problems: &mut Problems| {
        if !(low..=high).contains(&value) {
            problems.push(Problem::new(place, value, format!("must be from {low} to {high}"), "change it"));
        }
        value
    };
    let numbers = |place: &str, list: &str, low: f64, high: f64, problems: &mut Problems| -> Vec<f64> {
        match parse_list(list) {
            Ok(items) => items
                .iter()
                .map(|item| within(place, item.parse().unwrap_or(f64::NAN), low, high, problems))
                .collect(),
            Err((value, limit, cure)) => {
                problems.push(Problem::new(place, value, limit, cure));
                Vec::new()
            }
        }
    };
    Options {
        mu: args.mu.map(|mu| within("--mu", mu, 0.0, 2.0, problems)),
        mus: numbers("--mus", &args.mus, 0.0, 2.0, problems),
        stiffness_mpa_mm: args.stiffness.as_ref().map_or_else(
            || TARGETS_MPA_MM.to_vec(),
            |list| numbers("--stiffness", list, 1e-3, 1e9, problems),
        ),
        highest_hz: within("--highest", args.highest, 1.0, 1e6, problems),
    }
}

/// Modes shown of every law: the least damped.
const SHOWN: usize = 6;

fn table(study: &Study, sink: &mut dyn std::io::Write) -> std::io::Result<()> {
    writeln!(
        sink,
        "steady sliding at {} m/s, μ = {}, load {:.4e} N/m, p_1 = {:.4e} Pa; unstable below ζ = {:.0e}",
        study.speed_m_s, study.mu, study.load_n_m, study.p1_pa, study.unstable_below
    )?;
    for law in &study.laws {
        let unstable = law.modes.iter().filter(|mode| mode.unstable).count();
        writeln!(
            sink,
            "\n{}: {} of {} nodes loaded, {} modes, {unstable} unstable; least damped:",
            law.name,
            law.loaded_nodes,
            law.nodes,
            law.modes.len()
        )?;
        let mut modes = law.modes.clone();
        modes.sort_by(|a, b| a.damping_ratio.total_cmp(&b.damping_ratio));
        for mode in modes.iter().take(SHOWN) {
            writeln!(
                sink,
                "  {:10.2} Hz   ζ = {:+.4e}   growth {:+.4e} 1/s{}",
                mode.frequency_hz,
                mode.damping_ratio,
                mode.growth_1_s,
                if mode.unstable { "   unstable" } else { "" }
            )?;
        }
        for row in &law.mac_with_ideal {
            let values: Vec<String> = row.iter().map(|value| format!("{value:.3}")).collect();
            writeln!(sink, "  MAC with the unstable modes of ideal contact: {}", values.join("  "))?;
        }
    }
    if let Some(found) = &study.invented {
        writeln!(sink, "\nat μ = {}, where ideal contact is stable:", found.mu)?;
        for mode in &found.modes {
            writeln!(
                sink,
                "  {}: {:.2} Hz unstable, ζ = {:+.4e}; most like {:.2} Hz of ideal contact, ζ = {:+.4e}, MAC {:.3}",
                mode.law(),
                mode.frequency_hz,
                mode.damping_ratio,
                mode.ideal_hz,
                mode.ideal_damping_ratio,
                mode.mac
            )?;
        }
    }
    writeln!(sink)?;
    study.remarks.iter().try_for_each(|remark| writeln!(sink, "{remark}"))
}
