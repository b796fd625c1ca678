//! A whole run: steps, pick-ups, figures.

use super::interface::Walk;
use super::shock_book::ShockDetail;
use super::simulation::Simulation;
use crate::beam::ModalBasis;
use crate::error::{Error, Problem};
use crate::pickup::{Decimator, Microphone, Point};
use crate::record::{Channel, Quantity, Recording, RunFigures, Shock, SoundSink};
use crate::scene::{Pickup, Scene};

pub struct Request {
    pub seconds: f64,
    /// Left out of levels and shocks.
    pub skip_s: f64,
    /// Rate of the recording; `None` records nothing.
    pub rate_hz: Option<f64>,
    pub walk: Walk,
    pub shocks: ShockDetail,
}

impl Default for Request {
    fn default() -> Self {
        Self { seconds: 1.0, skip_s: 0.1, rate_hz: None, walk: Walk::Pruned, shocks: ShockDetail::Count }
    }
}

pub struct Outcome {
    pub figures: RunFigures,
    pub recording: Option<Recording>,
    pub shocks: Vec<Shock>,
}

/// How often the monitor is asked, in steps.
const MONITOR_STEPS: u64 = 4096;

/// Runs a scene and keeps its sound in memory. `monitor` hears the share done and returns false to stop
/// early; what was simulated by then is returned.
pub fn run(scene: &Scene, request: &Request, monitor: &mut dyn FnMut(f64) -> bool) -> Result<Outcome, Error> {
    let channels = scene
        .pickups
        .iter()
        .map(|p| Channel { quantity: p.quantity, position_m: p.position_m, samples: Vec::new() })
        .collect();
    let mut recording = Recording { rate_hz: request.rate_hz.unwrap_or(0.0), channels };
    let mut outcome = run_into(scene, request, &mut recording, monitor)?;
    outcome.recording = request.rate_hz.map(|_| recording);
    Ok(outcome)
}

/// As [`run`], but the sound goes to `sink` block by block and is not kept.
pub fn run_into(
    scene: &Scene,
    request: &Request,
    sink: &mut dyn SoundSink,
    monitor: &mut dyn FnMut(f64) -> bool,
) -> Result<Outcome, Error> {
    run_watched(scene, request, sink, monitor, &mut |_| {})
}

/// As [`run_into`]; `watch` sees the simulation after every step and changes nothing.
pub fn run_watched(
    scene: &Scene,
    request: &Request,
    sink: &mut dyn SoundSink,
    monitor: &mut dyn FnMut(f64) -> bool,
    watch: &mut dyn FnMut(&Simulation),
) -> Result<Outcome, Error> {
    let (step_s, factor) = step_and_factor(scene.run.step_s, request.rate_hz);
    let seconds = request.seconds.min(scene.end_s());
    if seconds <= request.skip_s {
        return Err(Problem::new(
            "skip",
            format!("{} s", request.skip_s),
            format!("must be less than the {seconds:.4} s that are simulated"),
            "skip less, simulate longer, or slide more slowly so that the pass lasts",
        )
        .into());
    }
    let mut simulation = Simulation::new(scene, request.walk, step_s, request.skip_s, request.shocks)?;
    let mut recorder = request.rate_hz.map(|rate_hz| Recorder::new(scene, &simulation, factor, rate_hz));
    let steps = (seconds / step_s).round() as u64;
    for n in 0..steps {
        if n % MONITOR_STEPS == 0 {
            if let Some(recorder) = &mut recorder {
                recorder.pass_on(sink)?;
            }
            if !monitor(n as f64 / steps as f64) {
                break;
            }
        }
        simulation.step()?;
        watch(&simulation);
        if let Some(recorder) = &mut recorder {
            recorder.take(&simulation);
        }
    }
    if let Some(recorder) = recorder {
        recorder.finish(sink)?;
    }
    Ok(Outcome { figures: simulation.figures(), recording: None, shocks: simulation.shocks().to_vec() })
}

/// A recording needs a whole number of steps per sample: the step is shortened until it fits.
fn step_and_factor(step_s: f64, rate_hz: Option<f64>) -> (f64, usize) {
    rate_hz.map_or((step_s, 1), |rate_hz| {
        let factor = (1.0 / (step_s * rate_hz)).ceil().max(1.0);
        (1.0 / (factor * rate_hz), factor as usize)
    })
}

/// What reads the beam for one channel.
enum Ear {
    Point(Point),
    Microphone(Microphone),
}

impl Ear {
    fn new(scene: &Scene, basis: &ModalBasis, pickup: &Pickup) -> Self {
        match pickup.quantity {
            Quantity::Pressure => {
                let omegas = scene.resonator.omegas(basis);
                Self::Microphone(Microphone::new(basis, &omegas, pickup.position_m, pickup.distance_m))
            }
            quantity => Self::Point(Point::new(basis, pickup.position_m, quantity)),
        }
    }

    fn read(&mut self, displacement: &[f64], velocity: &[f64], acceleration: &[f64]) -> f64 {
        match self {
            Self::Point(point) => point.read(displacement, velocity, acceleration),
            Self::Microphone(microphone) => microphone.read(velocity, acceleration),
        }
    }
}

/// Reads all pick-ups at the inner rate and passes them on at the rate of the file.
struct Recorder {
    ears: Vec<(Ear, Decimator)>,
    /// Samples not yet passed on, one list per pick-up.
    waiting: Vec<Vec<f64>>,
    passed_on: usize,
    acceleration: Vec<f64>,
    needs_acceleration: bool,
    resonator_modes: usize,
    taken: usize,
    factor: usize,
}

impl Recorder {
    fn new(scene: &Scene, simulation: &Simulation, factor: usize, rate_hz: f64) -> Self {
        let basis = &simulation.resonator;
        let pickups = &scene.pickups;
        Self {
            ears: pickups
                .iter()
                .map(|pickup| (Ear::new(scene, basis, pickup), Decimator::new(factor, rate_hz)))
                .collect(),
            waiting: vec![Vec::new(); pickups.len()],
            passed_on: 0,
            acceleration: vec![0.0; basis.len()],
            needs_acceleration: pickups
                .iter()
                .any(|p| matches!(p.quantity, Quantity::Acceleration | Quantity::Pressure)),
            resonator_modes: basis.len(),
            taken: 0,
            factor,
        }
    }

    fn take(&mut self, simulation: &Simulation) {
        if self.needs_acceleration {
            for (k, value) in self.acceleration.iter_mut().enumerate() {
                *value = simulation.acceleration(k);
            }
        }
        let own = ..self.resonator_modes;
        let (displacement, velocity) = (&simulation.displacement()[own], &simulation.velocity()[own]);
        self.taken += 1;
        for ((ear, decimator), waiting) in self.ears.iter_mut().zip(&mut self.waiting) {
            let sample = ear.read(displacement, velocity, &self.acceleration);
            waiting.extend(decimator.push(sample));
        }
    }

    fn pass_on(&mut self, sink: &mut dyn SoundSink) -> Result<(), Error> {
        let block: Vec<&[f64]> = self.waiting.iter().map(Vec::as_slice).collect();
        sink.take(&block)?;
        self.passed_on += self.waiting.first().map_or(0, Vec::len);
        self.waiting.iter_mut().for_each(Vec::clear);
        Ok(())
    }

    /// Pushes silence until the last samples are out.
    fn finish(mut self, sink: &mut dyn SoundSink) -> Result<(), Error> {
        // Never fewer than were passed on: outputs come later than the inputs they are centred on.
        let wanted = self.taken / self.factor - self.passed_on;
        for ((_, decimator), waiting) in self.ears.iter_mut().zip(&mut self.waiting) {
            for _ in 0..=decimator.delay() {
                waiting.extend(decimator.push(0.0));
            }
            waiting.truncate(wanted);
        }
        self.pass_on(sink)
    }
}
