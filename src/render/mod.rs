//! Offline runs: a scene in, sound and figures out. Uses the engines; knows no file and no terminal.

mod contact;
mod nodes;
mod realtime;
mod routing;
#[cfg(feature = "cli")]
pub mod stimuli;

use crate::analysis::regime::Regime;
use crate::engine::realtime::Quality;
use crate::engine::reference::{self, ShockDetail, Walk};
use crate::error::{Error, Problem, Problems};
use crate::record::{Recording, Rubbing, RunFigures, SoundSink};
use crate::scene::Scene;

pub use contact::{ContactOrder, ContactRun, contact_run};
pub use routing::Routing;

/// Which engine computes the sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The instrument's engine: the same physics at audio rate.
    Realtime,
    /// The papers' algorithm, f64, microsecond steps.
    Reference,
}

impl Engine {
    pub const ALL: [Self; 2] = [Self::Realtime, Self::Reference];
    pub const NAMES: [&'static str; 2] = ["realtime", "reference"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|engine| engine.name() == name)
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Order {
    pub engine: Engine,
    /// Of the real-time engine.
    pub quality: Quality,
    pub seconds: f64,
    pub skip_s: f64,
    /// Rate of the recording, or `None` for levels only.
    pub rate_hz: Option<f64>,
}

/// Longer than this is a mistake in units.
const MAX_SECONDS: f64 = 86_400.0;
const RATES_HZ: std::ops::RangeInclusive<f64> = 8_000.0..=384_000.0;

impl Order {
    /// The reference has none.
    pub fn quality_name(&self) -> Option<&'static str> {
        (self.engine == Engine::Realtime).then(|| self.quality.name())
    }

    /// Whether the engine can run this scene.
    pub fn fits(&self, scene: &Scene) -> Result<(), Problem> {
        if self.engine == Engine::Realtime { realtime::refuse_overhang(scene) } else { Ok(()) }
    }

    /// Whether anything is left of the scene after the skipped start.
    pub fn outlasts_skip(&self, scene: &Scene) -> Result<(), Problem> {
        let end_s = scene.end_s();
        if end_s > self.skip_s {
            return Ok(());
        }
        Err(Problem::new(
            "--skip",
            self.skip_s,
            format!("must be less than the {end_s:.4} s that the pass lasts"),
            "skip less, slide more slowly, or take --motion endless",
        ))
    }

    /// Everything wrong with the order itself.
    pub fn problems(&self) -> Problems {
        let mut problems = Problems::default();
        if !(self.seconds > 0.0 && self.seconds <= MAX_SECONDS) {
            problems.push(Problem::new(
                "--seconds",
                self.seconds,
                format!("must be above 0 and at most {MAX_SECONDS}"),
                "give the length in seconds",
            ));
        }
        if !(self.skip_s >= 0.0 && self.skip_s < self.seconds) {
            problems.push(Problem::new(
                "--skip",
                self.skip_s,
                format!("must be at least 0 and less than --seconds ({})", self.seconds),
                "skip less (0.1 s unless --skip says otherwise) or render longer",
            ));
        }
        if let Some(rate_hz) = self.rate_hz
            && !(RATES_HZ.contains(&rate_hz) && rate_hz.fract() == 0.0)
        {
            problems.push(Problem::new(
                "--rate",
                rate_hz,
                format!("must be a whole number from {} to {}", RATES_HZ.start(), RATES_HZ.end()),
                "48000 is usual",
            ));
        }
        problems
    }
}

/// In which way a run of the scene rubbed.
pub fn regime(scene: &Scene, rubbing: &Rubbing) -> Regime {
    let drive_hz = scene.drive.swing_hz(scene.slider.beam.mass());
    Regime::of(rubbing, &scene.resonator.natural_hz(), drive_hz)
}

pub struct Rendering {
    pub figures: RunFigures,
    pub recording: Option<Recording>,
}

/// Runs the scene and keeps its sound, one channel per pick-up; `monitor` hears the share done and returns
/// false to stop early.
pub fn render(
    scene: &Scene,
    order: &Order,
    monitor: &mut dyn FnMut(f64) -> bool,
) -> Result<Rendering, Error> {
    let routing = Routing::direct(scene);
    let mut recording = routing.recording(order.rate_hz.unwrap_or(0.0));
    let figures = render_into(scene, order, &routing, &mut recording, monitor)?;
    Ok(Rendering { figures, recording: order.rate_hz.map(|_| recording) })
}

/// As [`render`], but the sound goes to `sink` block by block, in the channels of `routing`.
pub fn render_into(
    scene: &Scene,
    order: &Order,
    routing: &Routing,
    sink: &mut dyn SoundSink,
    monitor: &mut dyn FnMut(f64) -> bool,
) -> Result<RunFigures, Error> {
    order.problems().or(())?;
    order.fits(scene)?;
    order.outlasts_skip(scene)?;
    let mut routed = routing.into_sink(sink);
    if order.engine == Engine::Realtime {
        return realtime::run_into(scene, order, &mut routed, monitor);
    }
    let request = reference::Request {
        seconds: order.seconds,
        skip_s: order.skip_s,
        rate_hz: order.rate_hz,
        walk: Walk::Pruned,
        shocks: ShockDetail::Count,
    };
    let outcome = reference::run_into(scene, &request, &mut routed, monitor)?;
    Ok(outcome.figures)
}
