//! `asperity surface make` and `asperity surface measure`: roughness profiles for people and scripts.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::out;
use crate::error::{Error, Problem, Problems};
use crate::io::part::write_whole;
use crate::picture::surface::SurfaceFigure;
use crate::picture::{check_path, save};
use crate::surface::{
    ImportOptions, Measures, Profile, Roughness, Texture, filtered, import_with, measure, write_csv,
};

const EXAMPLES: &str = "\
Examples:
  asperity surface make --ra 5 --lc 450 --cutoff 27 --length 20 -o rough.csv --plot rough.png
  asperity surface measure rough.csv --lambda-c 800
  asperity surface measure measured.x3p --json";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SurfaceArgs {
    #[command(subcommand)]
    command: SurfaceCommand,
}

#[derive(Debug, Subcommand)]
enum SurfaceCommand {
    /// Make a rough or regular profile as CSV with the columns x_m,height_m
    Make(MakeArgs),
    /// Measure a profile from CSV, SDF or X3P: Ra, Rq, Rsk, Rku, RSm, correlation length, slope, curvature
    Measure(MeasureArgs),
}

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
struct MakeArgs {
    /// CSV file to write; may be left out with --json or --plot
    #[arg(short, long, value_name = "FILE.csv", required_unless_present_any = ["json", "plot"])]
    output: Option<PathBuf>,
    /// Arithmetic roughness, exact
    #[arg(long, value_name = "UM", default_value_t = 5.0)]
    ra: f64,
    /// Correlation length, where the autocorrelation falls to 0.37
    #[arg(long, value_name = "UM", default_value_t = 450.0)]
    lc: f64,
    /// Texture: gaussian, exponential, self-affine, periodic (a sine) or teeth
    #[arg(long, value_name = "NAME", default_value = "exponential")]
    acf: String,
    /// Hurst exponent of a self-affine surface
    #[arg(long, value_name = "H", default_value_t = 0.8)]
    hurst: f64,
    /// Wavelength of a periodic surface or of one tooth
    #[arg(long, value_name = "UM", default_value_t = 1000.0)]
    wavelength: f64,
    /// Short-wavelength cut-off λs (ISO 16610-21, passed at 50 %); 0 for none
    #[arg(long, value_name = "UM", default_value_t = 27.0)]
    cutoff: f64,
    /// Length of the profile
    #[arg(long, value_name = "MM", default_value_t = 450.0)]
    length: f64,
    /// Distance between its points
    #[arg(long, value_name = "UM", default_value_t = 5.0)]
    step: f64,
    /// Same seed, same surface
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Make the end join the beginning
    #[arg(long)]
    seamless: bool,
    /// Print the measures of the profile as JSON
    #[arg(long)]
    json: bool,
    /// Draw the profile and its height distribution (PNG or SVG)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
struct MeasureArgs {
    /// CSV, SDF (ISO 25178-71) or X3P (ISO 25178-72)
    file: PathBuf,
    /// Short-wavelength filter λs (ISO 16610-21); 0 for none
    #[arg(long, visible_alias = "lambda-s", value_name = "UM", default_value_t = 0.0)]
    cutoff: f64,
    /// Long-wavelength filter λc (ISO 16610-21); 0 for none: only the mean is removed
    #[arg(long, value_name = "UM", default_value_t = 0.0)]
    lambda_c: f64,
    /// Step of a CSV that holds heights only
    #[arg(long, value_name = "UM")]
    step: Option<f64>,
    /// Row of a map, counted from 1; the middle one by default
    #[arg(long, value_name = "N")]
    row: Option<usize>,
    /// Print the measures as JSON
    #[arg(long)]
    json: bool,
    /// Draw the profile and its height distribution (PNG or SVG)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

pub fn run(args: SurfaceArgs) -> Result<(), Error> {
    match args.command {
        SurfaceCommand::Make(args) => make(&args),
        SurfaceCommand::Measure(args) => measure_file(&args),
    }
}

fn make(args: &MakeArgs) -> Result<(), Error> {
    let texture = Texture::from_name(&args.acf);
    let spec = Roughness {
        texture: texture.unwrap_or(Texture::Exponential),
        ra_m: metres(args.ra),
        corr_length_m: metres(args.lc),
        hurst: args.hurst,
        wavelength_m: metres(args.wavelength),
        cutoff_m: metres(args.cutoff),
        length_m: args.length / 1e3,
        step_m: metres(args.step),
        seed: args.seed,
        periodic: args.seamless,
    };
    let mut problems = Problems(spec.problems().0.into_iter().map(as_flag).collect());
    if texture.is_none() {
        let limit = format!("must be one of {}", Texture::NAMES.join(", "));
        problems.push(Problem::new("--acf", &args.acf, limit, nearest_texture(&args.acf)));
    }
    problems.0.extend(args.plot.as_deref().and_then(|path| check_path(path).err()));
    problems.or(())?;
    let profile = spec.generate().map_err(flags)?;
    let measures = measure(&profile, None, None)?;
    if let Some(path) = &args.output {
        write_whole(path, |out| write_csv(&profile, out))?;
    }
    draw(args.plot.as_deref(), &profile, &measures, spec.texture.name())?;
    let source = args.output.as_deref().map(|path| path.display().to_string()).unwrap_or_default();
    report(&measures, &profile, &source, args.json)
}

fn measure_file(args: &MeasureArgs) -> Result<(), Error> {
    let mut problems = Problems::default();
    problems.gather(args.plot.as_deref().map_or(Ok(()), check_path))?;
    let options = ImportOptions { row: args.row, step_m: args.step.map(metres) };
    let imported = problems.gather(import_with(&args.file, &options))?;
    let imported = problems.or_gathered(imported)?;
    for note in &imported.notes {
        out::say(&format!("{}: {note}", args.file.display()));
    }
    let filter = |cutoff_um: f64| (cutoff_um != 0.0).then_some(metres(cutoff_um));
    let (lambda_s_m, lambda_c_m) = (filter(args.cutoff), filter(args.lambda_c));
    let measures = measure(&imported.profile, lambda_s_m, lambda_c_m).map_err(flags)?;
    let source = args.file.display().to_string();
    if args.plot.is_some() {
        let shown = filtered(&imported.profile, lambda_s_m, lambda_c_m);
        draw(args.plot.as_deref(), &shown, &measures, &source)?;
    }
    report(&measures, &imported.profile, &source, args.json)
}

fn draw(path: Option<&Path>, profile: &Profile, measures: &Measures, name: &str) -> Result<(), Error> {
    let Some(path) = path else { return Ok(()) };
    let title = format!("{name}: Ra = {:.3} µm over {}", measures.ra_m * 1e6, circumstances(measures));
    save(path, &SurfaceFigure { title, profile })
}

fn report(measures: &Measures, profile: &Profile, source: &str, as_json: bool) -> Result<(), Error> {
    if as_json {
        out::json(&json_of(measures, profile))
    } else {
        out::data(|out| table(measures, source, out))
    }
}

/// The keys that scripts read. What does not exist is null: the skewness of a flat profile, a filter that was
/// not applied.
fn json_of(measures: &Measures, profile: &Profile) -> Value {
    let um = |length_m: Option<f64>| length_m.map(|length_m| length_m * 1e6);
    json!({
        "ra_um": measures.ra_m * 1e6,
        "rq_um": measures.rq_m * 1e6,
        "rsk": measures.rsk,
        "rku": measures.rku,
        "rsm_um": um(measures.rsm_m),
        "corr_length_um": um(measures.corr_length_m),
        "rms_slope": measures.rms_slope,
        "rms_curvature_1_m": measures.rms_curvature_1_m,
        "evaluation_length_mm": measures.evaluation_length_m * 1e3,
        "lambda_s_um": um(measures.lambda_s_m),
        "lambda_c_um": um(measures.lambda_c_m),
        "step_um": measures.step_m * 1e6,
        "nodes": profile.heights_m.len(),
    })
}

/// What every roughness figure depends on.
fn circumstances(measures: &Measures) -> String {
    let filter = |length_m: Option<f64>| match length_m {
        Some(length_m) => format!("{:.4} µm", length_m * 1e6).replace(".0000", ""),
        None => "none".into(),
    };
    format!(
        "{:.3} mm, λs {}, λc {}",
        measures.evaluation_length_m * 1e3,
        filter(measures.lambda_s_m),
        filter(measures.lambda_c_m)
    )
}

fn table(measures: &Measures, source: &str, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    let um = |length_m: f64| format!("{:.4} µm", length_m * 1e6);
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "none".into());
    if !source.is_empty() {
        writeln!(out, "{source}")?;
    }
    let rows = [
        ("Ra", format!("{:<16} over {}", um(measures.ra_m), circumstances(measures))),
        ("Rq", um(measures.rq_m)),
        ("Rsk", or_none(measures.rsk.map(|value| format!("{value:.4}")))),
        ("Rku", or_none(measures.rku.map(|value| format!("{value:.4}")))),
        ("RSm", or_none(measures.rsm_m.map(um))),
        ("correlation length", or_none(measures.corr_length_m.map(um))),
        ("rms slope", format!("{:.5}", measures.rms_slope)),
        ("rms curvature", format!("{:.4e} 1/m", measures.rms_curvature_1_m)),
        ("step", um(measures.step_m)),
    ];
    rows.iter().try_for_each(|(name, value)| writeln!(out, "  {name:<20}{value}"))
}

/// Divided, because 5 / 1e6 is the number nearest to 5e-6 and 5 × 1e-6 is not: positions in the CSV stay short.
fn metres(um: f64) -> f64 {
    um / 1e6
}

/// Places as the user typed them.
fn as_flag(mut problem: Problem) -> Problem {
    let flag = match problem.place.as_str() {
        "ra_um" => "--ra",
        "corr_length_um" => "--lc",
        "hurst" => "--hurst",
        "wavelength_um" => "--wavelength",
        "cutoff_um" | "lambda_s_um" => "--cutoff",
        "lambda_c_um" => "--lambda-c",
        "length_mm" => "--length",
        "step_um" => "--step",
        _ => return problem,
    };
    problem.place = flag.into();
    problem
}

fn flags(error: Error) -> Error {
    match error {
        Error::Input(list) => Error::Input(Problems(list.0.into_iter().map(as_flag).collect())),
        other => other,
    }
}

fn nearest_texture(name: &str) -> String {
    let near = |known: &&str| strsim::damerau_levenshtein(name, known);
    match Texture::NAMES.into_iter().min_by_key(near) {
        Some(known) if near(&known) <= known.len() / 2 => format!("did you mean {known}?"),
        _ => "choose one of them".into(),
    }
}
