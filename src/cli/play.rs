//! `asperity play`: the instrument with a window, or without one in a terminal.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use super::out;
use super::scene_args::SceneChanges;
use super::stop::Stop;
use crate::app::meters::Reading;
use crate::app::midi::Inputs;
use crate::app::session::Session;
use crate::app::settings::{self, BUFFERS, RATES_HZ, Settings};
use crate::app::{devices, midi, window};
use crate::error::Error;
use crate::instrument::Patch;
use crate::instrument::parameters::{PICKUPS, Param, Pick, Values};
use crate::io::part::check_writable;
use crate::io::wav::check_name;
use crate::record::Quantity;
use crate::scene::DEFAULT_PRESET;
use crate::units::{VELOCITY_REFERENCE_M_S, decibels};

const SAY_EVERY: Duration = Duration::from_secs(1);
const NAP: Duration = Duration::from_millis(20);

#[derive(Debug, Args)]
pub struct PlayArgs {
    /// Preset name or scene file (.toml)
    #[arg(long, value_name = "P")]
    preset: Option<String>,
    #[command(flatten)]
    changes: SceneChanges,
    /// Device to play on: its id or name, or a part of it; --list-devices names them all
    #[arg(long, value_name = "NAME")]
    audio_device: Option<String>,
    /// MIDI input to listen to, by a part of its name; all of them if none is given
    #[arg(long, value_name = "NAME")]
    midi_device: Vec<String>,
    /// Sample rate to ask the device for
    #[arg(long, value_name = "HZ", value_parser = clap::value_parser!(u32).range(RATES_HZ))]
    rate: Option<u32>,
    /// Samples of a block to ask the device for
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(BUFFERS))]
    buffer: Option<u32>,
    /// Rub without a key from the start; without a window and a MIDI input this is so anyway
    #[arg(long)]
    drone: bool,
    /// Record to a WAV file from the first sample
    #[arg(long, value_name = "OUT.wav")]
    record: Option<PathBuf>,
    /// Play without a window, until Ctrl-C
    #[arg(long)]
    headless: bool,
    /// End after this time, without a window
    #[arg(long, value_name = "S", requires = "headless")]
    seconds: Option<f64>,
    /// Figures of the whole session as JSON on stdout, without a window
    #[arg(long, requires = "headless")]
    json: bool,
    /// Print audio devices and MIDI inputs, and exit
    #[arg(long)]
    list_devices: bool,
}

pub fn run(args: PlayArgs) -> Result<(), Error> {
    if args.list_devices {
        return list_devices();
    }
    let (text, patch) = args.patch()?;
    if let Some(path) = &args.record {
        check_name(path)?;
        check_writable(path)?;
    }
    let settings = args.settings();
    let mut values = *patch.values();
    let keyless = args.headless && midi::names().map_or(true, |names| !settings.midi.any_of(&names));
    if args.drone || keyless {
        values.set(Param::Drone, 1.0);
    }
    args.play(text, patch, values, &settings)
}

impl PlayArgs {
    /// The preset with everything laid over it, and its text.
    fn patch(&self) -> Result<(String, Patch), Error> {
        let (draft, _) = self.changes.read(self.preset.as_deref().unwrap_or(DEFAULT_PRESET))?;
        let text = draft.to_toml();
        Ok((text, Patch::to_play(draft)?))
    }

    /// What was remembered, with what the command line says over it.
    fn settings(&self) -> Settings {
        let (mut settings, problems) =
            settings::path().map_or_else(Default::default, |path| Settings::read(&path));
        for problem in problems.0 {
            out::say(&problem.to_string());
        }
        let wish = &mut settings.wish;
        if let Some(name) = &self.audio_device {
            // Rate and buffer were chosen for the other device.
            *wish = Default::default();
            wish.device = Some(name.clone());
        }
        wish.rate_hz = self.rate.or(wish.rate_hz);
        wish.buffer = self.buffer.or(wish.buffer);
        if !self.midi_device.is_empty() {
            settings.midi = Inputs::Named(self.midi_device.clone());
        }
        settings
    }

    fn play(&self, text: String, patch: Patch, values: Values, settings: &Settings) -> Result<(), Error> {
        let stop = Stop::listen()?;
        let mut session = Session::start(text, patch, &values, settings, self.record.as_deref())?;
        if !self.headless {
            let asked = stop.clone();
            window::run(session, Box::new(move || asked.requested()))?;
            return stop.check();
        }
        session.look_for_midi().iter().for_each(|trouble| out::say(trouble));
        let begin = Instant::now();
        let mut said = String::new();
        let mut due = begin + SAY_EVERY;
        while !stop.requested() && self.seconds.is_none_or(|seconds| begin.elapsed().as_secs_f64() < seconds)
        {
            std::thread::sleep(NAP);
            let status = session.shared.status();
            if status.message != said {
                said = status.message;
                out::say(&said);
            }
            if Instant::now() >= due {
                due += SAY_EVERY;
                session.look_for_midi().iter().for_each(|trouble| out::say(trouble));
                out::say(&level_line(&session.shared.meters.read(), &session.shared.knobs.values()));
            }
        }
        let meters = session.shared.meters.read();
        out::say(&summary(&meters));
        if self.json {
            out::json(&Figures {
                seconds: begin.elapsed().as_secs_f64(),
                rate_hz: session.shared.status().rate_hz,
                blocks: meters.blocks,
                worst_cpu_share: meters.worst,
                worst_block: meters.worst_block,
                blocks_above_half: meters.heavy,
                overruns: meters.overruns,
                server_gaps: meters.reported,
            })?;
        }
        let recorded = session.close();
        if let Some(outcome) = recorded {
            if !outcome.whole {
                let path = self.record.as_deref().unwrap_or(Path::new("recording"));
                return Err(Error::output(path, std::io::Error::other(outcome.message)));
            }
            out::say(&outcome.message);
        }
        stop.check()
    }
}

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Figures {
    seconds: f64,
    rate_hz: f64,
    blocks: u64,
    /// CPU time of the worst block as a share of what it lasts.
    worst_cpu_share: f32,
    /// Blocks before the worst.
    worst_block: u64,
    blocks_above_half: u64,
    /// Blocks that were finished later than their sound lasts.
    overruns: u64,
    server_gaps: u64,
}

/// How loud, how busy.
fn level_line(meters: &Reading, values: &Values) -> String {
    let peak_db = decibels(f64::from(meters.peak));
    let lv_db = decibels(f64::from(meters.v_rms_m_s) / VELOCITY_REFERENCE_M_S);
    let level = match (meters.peak > 0.0, hears_velocity(values)) {
        (false, _) => "silence".to_owned(),
        (true, false) => format!("peak {peak_db:.1} dB of full scale"),
        (true, true) => {
            format!("Lv {lv_db:.1} dB re 1 nm/s at the pick-ups, peak {peak_db:.1} dB of full scale")
        }
    };
    format!(
        "{level}, {} sounding, CPU {:.0} % of the period (worst {:.0} %), {} overruns",
        meters.sounding,
        100.0 * meters.load,
        100.0 * meters.worst,
        meters.overruns,
    )
}

fn summary(meters: &Reading) -> String {
    format!(
        "{} blocks; CPU of the worst {:.1} % of its period, {} above 50 %; {} overruns, {} told by the sound server",
        meters.blocks,
        100.0 * meters.worst,
        meters.heavy,
        meters.overruns,
        meters.reported,
    )
}

/// Whether every pick-up that is on hears a velocity: other quantities have no level of this kind.
fn hears_velocity(values: &Values) -> bool {
    (0..PICKUPS).all(|n| {
        let quantity = values.choice(Param::pickup(n, Pick::Quantity));
        !values.switch(Param::pickup(n, Pick::On)) || quantity == Quantity::Velocity as usize
    })
}

fn list_devices() -> Result<(), Error> {
    let mut lines: Vec<String> =
        devices::outputs().iter().map(|output| format!("audio  {}  {}", output.id, output.name)).collect();
    if lines.is_empty() {
        out::say("no audio device");
    }
    match midi::names() {
        Ok(names) if names.is_empty() => out::say("no MIDI input"),
        Ok(names) => lines.extend(names.iter().map(|name| format!("midi   {name}"))),
        Err(why) => out::say(&why),
    }
    out::data(|sink| lines.iter().try_for_each(|line| writeln!(sink, "{line}")))
}
