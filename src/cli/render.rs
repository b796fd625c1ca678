//! `asperity render`: a scene to a WAV, its level, and a picture of its spectrum.

use std::path::{Path, PathBuf};

use clap::Args;
use cpu_time::ProcessTime;
use serde::Serialize;

use super::out;
use super::progress::Progress;
use super::scene_args::SceneArgs;
use super::stop::Stop;
use crate::analysis::spectrum::{segment_length, welch};
use crate::error::{Error, Problem, Problems};
use crate::io::part::check_writable;
use crate::io::wav::{SampleFormat, WavOptions, check_size, write_wav};
use crate::picture;
use crate::picture::spectrum::SpectrumFigure;
use crate::record::{Quantity, Recording};
use crate::render::{Engine, Order, Rendering, render};
use crate::scene::{Draft, Scene};

#[derive(Debug, Args)]
pub struct RenderArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// WAV file to write; may be left out with --json
    #[arg(short, long, value_name = "OUT.wav")]
    output: Option<PathBuf>,
    /// Length to simulate; a pass may end earlier
    #[arg(long, value_name = "S", default_value_t = 2.0, allow_negative_numbers = true)]
    seconds: f64,
    /// Start that is left out of the level
    #[arg(long, value_name = "S", default_value_t = 0.1, allow_negative_numbers = true)]
    skip: f64,
    /// Sample rate
    #[arg(long, value_name = "HZ", default_value_t = 48_000.0, allow_negative_numbers = true)]
    rate: f64,
    /// Sample format
    #[arg(long, default_value = "24", value_parser = SampleFormat::NAMES)]
    bits: String,
    /// Engine
    #[arg(long, default_value = Engine::Reference.name(), value_parser = Engine::NAMES)]
    engine: String,
    /// What 1.0 in the file stands for, in the unit of each pick-up
    #[arg(long, value_name = "SI", allow_negative_numbers = true)]
    full_scale: Option<f64>,
    /// Picture of the spectrum of the first pick-up, PNG or SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Figures as JSON on stdout
    #[arg(long)]
    json: bool,
}

/// The contract's keys.
#[derive(Debug, Serialize)]
struct Figures {
    lv_db: f64,
    v_rms_m_s: f64,
    seconds: f64,
    rate_hz: f64,
    inner_rate_hz: f64,
    engine: &'static str,
    quality: Option<&'static str>,
    seed: u64,
    contact_fraction: f64,
    shocks: u64,
    max_force_n_m: f64,
    energy_residual: f64,
    full_scale_m_s: Option<f64>,
    clipped_samples: u64,
    realtime_factor: f64,
}

/// What 1.0 means when nobody says otherwise: loud rubbing stays below it, quiet rubbing well above the
/// noise of 16 bits.
fn usual_full_scale(quantity: Quantity) -> f64 {
    match quantity {
        Quantity::Velocity => 0.1,
        Quantity::Acceleration => 2000.0,
        Quantity::Displacement => 1e-4,
        Quantity::Pressure => 20.0,
    }
}

pub fn run(args: RenderArgs) -> Result<(), Error> {
    let (draft, scene) = args.checked_scene()?;
    let order = args.check(&scene)?;
    let stop = Stop::listen()?;
    let progress = Progress::new("rendering");
    let clock = ProcessTime::now();
    let rendering = render(&scene, &order, &mut |share| {
        progress.at(share);
        !stop.requested()
    })?;
    drop(progress);
    stop.check()?;
    let cpu_s = clock.elapsed().as_secs_f64();
    let mut clipped_samples = 0;
    if let (Some(path), Some(recording)) = (&args.output, &rendering.recording) {
        let metadata = write_wav(path, recording, &args.wav_options(&draft, &scene)?)?;
        clipped_samples = metadata.clipped_samples;
        out::say(&format!("wrote {}", path.display()));
    }
    if let (Some(path), Some(recording)) = (&args.plot, &rendering.recording) {
        draw_spectrum(path, &scene, &rendering, recording)?;
        out::say(&format!("wrote {}", path.display()));
    }
    args.report(&scene, &order, &rendering, clipped_samples, cpu_s)
}

impl RenderArgs {
    /// The scene; if it is bad, its problems and those of the other arguments together.
    fn checked_scene(&self) -> Result<(Draft, Scene), Error> {
        self.scene.read().map_err(|error| match error {
            Error::Input(mut problems) => {
                problems.0.extend(self.order().problems().0);
                Error::Input(problems)
            }
            other => other,
        })
    }

    fn order(&self) -> Order {
        let engine = Engine::from_name(&self.engine).unwrap_or(Engine::Reference);
        let records = self.output.is_some() || self.plot.is_some();
        Order { engine, seconds: self.seconds, skip_s: self.skip, rate_hz: records.then_some(self.rate) }
    }

    /// Everything that can be refused before the work starts.
    fn check(&self, scene: &Scene) -> Result<Order, Error> {
        let order = self.order();
        let mut problems = order.problems();
        if order.rate_hz.is_none() && !self.json {
            problems.push(Problem::new(
                "-o",
                "nothing to write",
                "needs an output",
                "give -o OUT.wav, --plot FILE or --json",
            ));
        }
        if let Some(full_scale) = self.full_scale
            && !(full_scale > 0.0 && full_scale.is_finite())
        {
            problems.push(Problem::new("--full-scale", full_scale, "must be above 0", "0.1 is usual"));
        }
        let frames = (self.seconds.clamp(0.0, 1e9) * self.rate.clamp(0.0, 1e9)) as u64;
        check_size(frames, scene.pickups.len(), self.format(), self.rate)
            .unwrap_or_else(|p| problems.push(p));
        if let Some(path) = &self.plot {
            picture::check_path(path).unwrap_or_else(|p| problems.push(p));
        }
        problems.or(())?;
        for path in [&self.output, &self.plot].into_iter().flatten() {
            check_writable(path)?;
        }
        Ok(order)
    }

    fn format(&self) -> SampleFormat {
        SampleFormat::from_name(&self.bits).unwrap_or(SampleFormat::Int24)
    }

    fn full_scales(&self, scene: &Scene) -> Vec<f64> {
        scene
            .pickups
            .iter()
            .map(|pickup| self.full_scale.unwrap_or_else(|| usual_full_scale(pickup.quantity)))
            .collect()
    }

    fn wav_options(&self, draft: &Draft, scene: &Scene) -> Result<WavOptions, Problems> {
        Ok(WavOptions {
            format: self.format(),
            full_scales: self.full_scales(scene),
            seed: scene.seed,
            engine: self.engine.clone(),
            scene_toml: draft.to_toml(),
        })
    }

    fn report(
        &self,
        scene: &Scene,
        order: &Order,
        rendering: &Rendering,
        clipped_samples: u64,
        cpu_s: f64,
    ) -> Result<(), Error> {
        let figures = &rendering.figures;
        let velocity = scene.pickups.iter().position(|pickup| pickup.quantity == Quantity::Velocity);
        let report = Figures {
            lv_db: figures.lv_db(),
            v_rms_m_s: figures.v_rms_m_s,
            seconds: figures.seconds,
            rate_hz: self.rate,
            inner_rate_hz: 1.0 / figures.step_s,
            engine: order.engine.name(),
            quality: None,
            seed: scene.seed,
            contact_fraction: figures.contact_fraction,
            shocks: figures.shocks,
            max_force_n_m: figures.max_force_n_m,
            energy_residual: figures.ledger.residual(),
            full_scale_m_s: velocity.map(|index| self.full_scales(scene)[index]),
            clipped_samples,
            realtime_factor: figures.seconds / cpu_s,
        };
        if self.json {
            return out::json(&report);
        }
        out::line(&format!(
            "Lv = {:.1} dB re 1 nm/s over the resonator, {:.2} s simulated ({:.2} × real time)\n\
             in contact {:.1} % of the time, {} shocks, largest force {:.3} N/m, energy books close to {:.1e}\n\
             full scale {} m/s, {} samples clipped",
            report.lv_db,
            report.seconds,
            report.realtime_factor,
            100.0 * report.contact_fraction,
            report.shocks,
            report.max_force_n_m,
            report.energy_residual,
            report.full_scale_m_s.map_or("–".to_owned(), |value| value.to_string()),
            report.clipped_samples,
        ))
    }
}

/// Resolution of the spectrum picture.
const RESOLUTION_HZ: f64 = 4.0;

fn draw_spectrum(
    path: &Path,
    scene: &Scene,
    rendering: &Rendering,
    recording: &Recording,
) -> Result<(), Error> {
    let Some(channel) = recording.channels.first() else { return Ok(()) };
    let segment = segment_length(channel.samples.len(), recording.rate_hz, RESOLUTION_HZ);
    let density = welch(&channel.samples, recording.rate_hz, segment);
    let basis = scene.resonator.basis();
    let natural: Vec<f64> = (0..basis.len()).map(|k| basis.frequency_hz(k)).collect();
    picture::save(
        path,
        &SpectrumFigure {
            title: format!(
                "{} at {:.0} mm — Lv = {:.1} dB re 1 nm/s",
                channel.quantity.name(),
                channel.position_m * 1e3,
                rendering.figures.lv_db()
            ),
            frequencies_hz: &density.frequencies_hz,
            density: &density.density,
            natural_frequencies_hz: &natural,
        },
    )
}
