//! `asperity modes`: natural frequencies of both bodies and the end of the theory.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::out;
use super::scene_args::SceneArgs;
use crate::error::{Error, Problems};
use crate::io::part::write_whole;
use crate::picture::curves::{Curve, Curves};
use crate::picture::{self, Axis};
use crate::scene::{Body, Scene};

const EXAMPLES: &str = "\
Without a scene: the instrument's default, steel-on-steel.

Examples:
  asperity modes dang2013
  asperity modes --set resonator.thickness_m=0.005 --plot shapes.png --shapes shapes.csv";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ModesArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Picture of the first shapes, PNG or SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Shapes of all modes of both bodies as CSV: body, mode, x_m, shape (orthonormal, 1/√m)
    #[arg(long, value_name = "FILE.csv")]
    shapes: Option<PathBuf>,
    /// JSON on stdout
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Report {
    resonator: BodyReport,
    slider: BodyReport,
}

#[derive(Debug, Serialize)]
struct BodyReport {
    ends: &'static str,
    frequencies_hz: Vec<f64>,
    damping_ratios: Vec<f64>,
    /// 0.1 c/H: above it Euler–Bernoulli theory ends.
    theory_limit_hz: f64,
    modes_beyond_limit: usize,
}

impl BodyReport {
    fn new(body: &Body) -> Self {
        let omegas = body.omegas(&body.basis());
        let frequencies_hz: Vec<f64> =
            omegas.iter().map(|omega| omega / (2.0 * std::f64::consts::PI)).collect();
        let theory_limit_hz = body.beam.theory_limit_hz();
        Self {
            ends: body.beam.ends.name(),
            damping_ratios: body.damping_ratios(&omegas),
            modes_beyond_limit: frequencies_hz.iter().filter(|f| **f > theory_limit_hz).count(),
            frequencies_hz,
            theory_limit_hz,
        }
    }
}

/// Shapes drawn in the picture.
const DRAWN: usize = 6;
const POINTS: usize = 400;

pub fn run(args: ModesArgs) -> Result<(), Error> {
    let mut problems = Problems::default();
    let scene = problems.gather(args.scene.read())?.map(|(_, scene)| scene);
    problems.gather(args.plot.as_deref().map_or(Ok(()), picture::check_path))?;
    let scene = problems.or_gathered(scene)?;
    if let Some(path) = &args.plot {
        picture::save(path, &shapes(&scene.resonator))?;
        out::say(&format!("wrote {}", path.display()));
    }
    if let Some(path) = &args.shapes {
        write_shapes(path, &scene)?;
        out::say(&format!("wrote {}", path.display()));
    }
    let report =
        Report { resonator: BodyReport::new(&scene.resonator), slider: BodyReport::new(&scene.slider) };
    if args.json {
        return out::json(&report);
    }
    out::data(|sink| {
        for (name, body) in [("resonator", &report.resonator), ("slider", &report.slider)] {
            writeln!(
                sink,
                "{name} ({} ends): {} modes, Euler–Bernoulli holds to about {:.0} Hz (0.1 c/H), {} modes beyond",
                body.ends,
                body.frequencies_hz.len(),
                body.theory_limit_hz,
                body.modes_beyond_limit
            )?;
            for (k, (frequency, zeta)) in body.frequencies_hz.iter().zip(&body.damping_ratios).enumerate() {
                let beyond = if *frequency > body.theory_limit_hz { "  beyond the theory" } else { "" };
                writeln!(sink, "{:4} {frequency:14.2} Hz   ζ = {zeta:.5}{beyond}", k + 1)?;
            }
        }
        Ok(())
    })
}

/// Every shape at a hundred places and both ends.
fn write_shapes(path: &Path, scene: &Scene) -> Result<(), Error> {
    const STEPS: usize = 100;
    write_whole(path, |out| {
        writeln!(out, "body,mode,x_m,shape")?;
        for (name, body) in [("resonator", &scene.resonator), ("slider", &scene.slider)] {
            let basis = body.basis();
            for (k, step) in (0..basis.len()).flat_map(|k| (0..=STEPS).map(move |step| (k, step))) {
                let x = body.beam.length_m * step as f64 / STEPS as f64;
                writeln!(out, "{name},{},{x:?},{:?}", k + 1, basis.shape(k, x))?;
            }
        }
        Ok(())
    })
}

fn shapes(body: &Body) -> Curves {
    let basis = body.basis();
    let length = body.beam.length_m;
    let curves: Vec<Curve> = (0..basis.len().min(DRAWN))
        .map(|k| Curve {
            name: format!("mode {}, {:.1} Hz", k + 1, basis.frequency_hz(k)),
            points: (0..=POINTS)
                .map(|i| {
                    let x = length * i as f64 / POINTS as f64;
                    (1e3 * x, basis.shape(k, x) * length.sqrt())
                })
                .collect(),
            line: true,
            ..Curve::default()
        })
        .collect();
    let values = || curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1));
    Curves {
        title: format!("Mode shapes of the resonator ({} ends)", body.beam.ends.name()),
        x: Axis::linear("position (mm)", 0.0, 1e3 * length),
        y: Axis::linear_over("shape · √length", values()),
        curves,
        references: Vec::new(),
        legend: None,
    }
}
