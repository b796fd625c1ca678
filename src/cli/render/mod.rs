//! `asperity render`: a scene to a WAV, its level, and a picture of its spectrum.
//!
//! The file grows while the run goes on. Ctrl-C once completes it as `.part` and exits with 130; a failure
//! leaves what the file held by then as `.part` and says so; the final name is only ever a whole file.

mod midi;
mod outputs;
mod report;
mod rubbed;

use std::path::PathBuf;

use clap::Args;
use cpu_time::ProcessTime;

use self::midi::Score;
use self::outputs::{MAX_DRAWN, Outputs};
use self::report::{Report, Told};
use super::progress::Progress;
use super::scene_args::SceneArgs;
use super::stop::Stop;
use crate::engine::realtime::Quality;
use crate::error::{Error, Problem, Problems};
use crate::instrument::Patch;
use crate::io::midi::read as read_midi;
use crate::io::part::check_writable;
use crate::io::room::check_room;
use crate::io::wav::{ChannelMetadata, SampleFormat, WavOptions, check_name};
use crate::picture;
use crate::record::Quantity;
use crate::render::{Engine, Order, Routing, render_into};
use crate::scene::Scene;

const EXAMPLES: &str = "\
Without a scene the instrument's default is rendered, steel-on-steel. `asperity presets list` names the others.

Examples:
  asperity render -o rub.wav --seconds 3
  asperity render dang2013 --ra 10 --v 0.3 --json
  asperity render dang2013 --engine reference -o bench.wav --plot bench.png
  asperity render --set surface.file=measured.x3p --mix stereo --bits 32f -o measured.wav
  asperity render vibraphone-rub --midi song.mid -o song.wav

Beside OUT.wav goes OUT.wav.json: full scale in SI, scene, seed, engine. Ctrl-C keeps what is done as OUT.wav.part.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RenderArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// WAV file to write; may be left out with --json
    #[arg(short, long, value_name = "OUT.wav")]
    output: Option<PathBuf>,
    /// Length to simulate, 2 s if left out; a pass may end earlier, a MIDI file rings out
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Plays a standard MIDI file through the instrument, in stereo
    #[arg(long, value_name = "FILE.mid")]
    midi: Option<PathBuf>,
    /// Start that is left out of the level
    #[arg(long, value_name = "S", default_value_t = 0.1, allow_negative_numbers = true)]
    skip: f64,
    /// Sample rate
    #[arg(long, value_name = "HZ", default_value_t = 48_000.0, allow_negative_numbers = true)]
    rate: f64,
    /// Sample format
    #[arg(long, default_value = "24", value_parser = SampleFormat::NAMES)]
    bits: String,
    /// One channel per pick-up, or all of them panned to two channels with constant power
    #[arg(long, default_value = "pickups", value_parser = ["pickups", "stereo"])]
    mix: String,
    /// The instrument's engine, or the papers' algorithm
    #[arg(long, default_value = Engine::Realtime.name(), value_parser = Engine::NAMES)]
    engine: String,
    /// Inner rate of the real-time engine: at least 88, 132 or 353 kHz
    #[arg(long, default_value = Quality::Live.name(), value_parser = Quality::NAMES)]
    quality: String,
    /// What 1.0 in the file stands for, in the unit of each pick-up
    #[arg(long, value_name = "SI", allow_negative_numbers = true)]
    full_scale: Option<f64>,
    /// Picture of the first channel: spectrum with natural frequencies, third-octaves; PNG or SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Figures as JSON on stdout
    #[arg(long)]
    json: bool,
}

/// Length when nobody says one.
const USUAL_SECONDS: f64 = 2.0;

/// What was found to be right before the work.
struct Plan {
    order: Order,
    routing: Routing,
    wav: WavOptions,
    score: Option<Score>,
}

pub fn run(args: RenderArgs) -> Result<(), Error> {
    let (scene, plan) = args.plan()?;
    let stop = Stop::listen()?;
    let wav = args.output.as_deref().map(|path| (path, &plan.wav));
    let mut outputs = Outputs::open(wav, args.plot.is_some())?;
    let progress = Progress::new("rendering");
    let clock = ProcessTime::now();
    let mut monitor = |share| {
        progress.at(share);
        !stop.requested()
    };
    let rendered = match &plan.score {
        Some(score) => midi::play_into(&args, score, &mut outputs, &mut monitor).map(Told::Played),
        None => render_into(&scene, &plan.order, &plan.routing, &mut outputs, &mut monitor).map(Told::Run),
    };
    drop(progress);
    let cpu_s = clock.elapsed().as_secs_f64();
    let told = match rendered {
        Ok(told) => told,
        Err(error) => {
            outputs.abandon();
            return Err(error);
        }
    };
    if let Err(interrupted) = stop.check() {
        outputs.keep()?;
        return Err(interrupted);
    }
    let clipped_samples = match outputs.finish(args.output.as_deref()) {
        Ok(count) => count,
        Err(error) => {
            outputs.abandon();
            return Err(error);
        }
    };
    if let Some(path) = &args.plot {
        outputs.draw(path, &scene, &plan.routing, args.rate, told.level())?;
    }
    let report = Report { scene: &scene, plan: &plan, rate_hz: args.rate, clipped_samples, cpu_s };
    report.tell(&told, args.json)
}

impl RenderArgs {
    fn order(&self, score_s: Option<f64>) -> Order {
        let records = self.output.is_some() || self.plot.is_some();
        Order {
            engine: Engine::from_name(&self.engine).unwrap_or(Engine::Realtime),
            quality: Quality::from_name(&self.quality).unwrap_or_default(),
            seconds: self.seconds.or(score_s).unwrap_or(USUAL_SECONDS),
            skip_s: self.skip,
            rate_hz: records.then_some(self.rate),
        }
    }

    /// Everything that can be refused before the work starts, refused at once.
    fn plan(&self) -> Result<(Scene, Plan), Error> {
        let mut problems = Problems::default();
        let scene = problems.gather(self.scene.read())?;
        let cues = problems.gather(self.midi.as_deref().map(read_midi).transpose())?.flatten();
        let order = self.order(cues.as_deref().map(midi::most_seconds));
        problems.0.extend(order.problems().0);
        self.check_choices(&order, &mut problems);
        let Some((draft, scene)) = scene else { return Err(problems.into()) };

        let patch = if self.midi.is_some() { Patch::to_play(draft) } else { Patch::new(draft) }?;
        let quantity = scene.pickups.first().map_or(Quantity::Velocity, |pickup| pickup.quantity);
        let score = cues.map(|cues| Score { cues, quantity, patch: patch.clone() });
        if self.midi.is_none() {
            problems.gather(order.fits(&scene))?;
            problems.gather(order.outlasts_skip(&scene))?;
        }
        let mixed = self.mix == "stereo" || self.midi.is_some();
        let stereo = if mixed { problems.gather(Routing::stereo(&scene))? } else { None };
        let routing = stereo.unwrap_or_else(|| Routing::direct(&scene));
        let wav = self.wav_options(&patch, &scene, &routing, &order);
        if let Some(path) = &self.output {
            problems.gather(check_room(path, (self.frames(&order) * wav.frame_bytes() as f64) as u64))?;
        }
        problems.or(())?;
        for path in [&self.output, &self.plot].into_iter().flatten() {
            check_writable(path)?;
        }
        Ok((scene, Plan { order, routing, wav, score }))
    }

    /// Options that do not go together or mean nothing, and names of files that cannot be.
    fn check_choices(&self, order: &Order, problems: &mut Problems) {
        if self.midi.is_some() && order.engine == Engine::Reference {
            problems.push(Problem::new(
                "--engine",
                "reference",
                "a MIDI file is played in real time",
                "leave it out",
            ));
        }
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
        problems.0.extend(self.output.as_deref().and_then(|path| check_name(path).err()));
        problems.0.extend(self.plot.as_deref().and_then(|path| picture::check_path(path).err()));
        let frames = self.frames(order);
        if self.plot.is_some() && frames > MAX_DRAWN {
            let limit = format!("a picture is drawn of at most {MAX_DRAWN:.0} samples");
            problems.push(Problem::new("--plot", format!("{frames:.0} samples"), limit, "render less"));
        }
    }

    /// At most so many, however absurd the order is.
    fn frames(&self, order: &Order) -> f64 {
        order.seconds.clamp(0.0, 1e9) * self.rate.clamp(0.0, 1e9)
    }

    fn format(&self) -> SampleFormat {
        SampleFormat::from_name(&self.bits).unwrap_or(SampleFormat::Int24)
    }

    /// A preset's output gain makes full scale less.
    fn wav_options(&self, patch: &Patch, scene: &Scene, routing: &Routing, order: &Order) -> WavOptions {
        let channel = |(quantity, position_m): &(Quantity, Option<f64>)| {
            let full_scale = self.full_scale.unwrap_or_else(|| patch.full_scale(*quantity));
            ChannelMetadata::new(*quantity, *position_m, full_scale)
        };
        WavOptions {
            format: self.format(),
            rate_hz: self.rate,
            channels: routing.channels.iter().map(channel).collect(),
            mix: routing.mix.map(str::to_owned),
            seed: scene.seed,
            engine: self.engine.clone(),
            quality: order.quality_name().map(str::to_owned),
            scene_toml: patch.draft().to_toml(),
        }
    }
}
