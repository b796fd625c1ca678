//! Writes what is played to a WAV file, from the ring that the audio thread fills: calibrated, with the preset
//! as it stood at the start, and valid at every moment of its growth.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rtrb::Consumer;

use super::shared::Shared;
use super::tape::{Frame, TapeState};
use crate::engine::realtime::Quality;
use crate::error::Error;
use crate::instrument::Patch;
use crate::instrument::parameters::{Param, Values};
use crate::io::wav::{ChannelMetadata, SampleFormat, WavOptions, WavStream};
use crate::pickup::PAN_LAW;
use crate::record::{Quantity, SoundSink};
use crate::render::{Engine, Routing};

/// How often the ring is emptied; it holds seconds.
const NAP: Duration = Duration::from_millis(20);
/// A first device may take a while to open; without any the silent clock has long begun.
const LONGEST_START: Duration = Duration::from_secs(30);
/// After this the audio thread has seen that nobody wants more.
const LONGEST_END: Duration = Duration::from_millis(500);
/// Frames converted at once.
const PIECE: usize = 4096;

/// How the last recording went.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What a person should know.
    pub message: String,
    /// Whether the file is whole under its name.
    pub whole: bool,
}

pub struct Recorder {
    state: Arc<TapeState>,
    /// From the start of a recording until its file is whole.
    busy: Arc<AtomicBool>,
    orders: Option<Sender<PathBuf>>,
    outcome: Arc<Mutex<Option<Outcome>>>,
    thread: Option<JoinHandle<()>>,
}

impl Recorder {
    pub fn new(frames: Consumer<Frame>, state: Arc<TapeState>, shared: Arc<Shared>) -> Result<Self, Error> {
        let (orders, inbox) = channel();
        let (outcome, busy) = (Arc::new(Mutex::new(None)), Arc::<AtomicBool>::default());
        let writer =
            Writer { frames, state: state.clone(), busy: busy.clone(), shared, outcome: outcome.clone() };
        let thread = std::thread::Builder::new()
            .name("asperity recorder".to_owned())
            .spawn(move || writer.run(&inbox))
            .map_err(|why| Error::Other(format!("no thread for the recorder: {why}")))?;
        Ok(Self { state, busy, orders: Some(orders), outcome, thread: Some(thread) })
    }

    /// Begins with the next sample that is played; does nothing while the last file is not yet whole.
    pub fn start(&self, path: &Path) {
        if let (false, Some(orders)) = (self.busy.swap(true, Ordering::AcqRel), &self.orders) {
            self.state.start();
            let _ = orders.send(path.to_owned());
        }
    }

    /// A recording runs, or its file is being completed.
    pub fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Acquire)
    }

    pub fn stop(&self) {
        self.state.stop();
    }

    pub fn is_recording(&self) -> bool {
        self.state.is_wanted()
    }

    /// How a recording went that has ended since the last call.
    pub fn take_outcome(&self) -> Option<Outcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Ends and waits for the file to be whole.
    pub fn close(&mut self) -> Option<Outcome> {
        self.stop();
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.take_outcome()
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.close();
    }
}

struct Writer {
    frames: Consumer<Frame>,
    state: Arc<TapeState>,
    busy: Arc<AtomicBool>,
    shared: Arc<Shared>,
    outcome: Arc<Mutex<Option<Outcome>>>,
}

impl Writer {
    fn run(mut self, orders: &Receiver<PathBuf>) {
        while let Ok(path) = orders.recv() {
            let outcome = match self.record(&path) {
                Ok(message) => Outcome { message, whole: true },
                Err(message) => Outcome { message, whole: false },
            };
            self.state.stop();
            self.forget_rest();
            *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
            self.busy.store(false, Ordering::Release);
        }
    }

    fn record(&mut self, path: &Path) -> Result<String, String> {
        // The file says its rate first, and that is known once a device or the silent clock runs.
        let begin = Instant::now();
        while !self.state.is_running() && self.state.is_wanted() && begin.elapsed() < LONGEST_START {
            std::thread::sleep(NAP);
        }
        let rate_hz = self.shared.status().rate_hz;
        let options = options(&self.shared.patch(), &self.shared.knobs.values(), rate_hz)
            .map_err(|error| format!("not recorded: {error}"))?;
        let mut wav = WavStream::create(path, &options).map_err(|error| format!("not recorded: {error}"))?;
        let outcome = self.write(&mut wav, &options).and_then(|()| wav.finish());
        match outcome {
            Ok(metadata) => {
                let seconds = metadata.frames as f64 / rate_hz;
                let gaps = match self.state.lost() {
                    0 => String::new(),
                    lost => format!(", {lost} frames lost because the disk was too slow"),
                };
                Ok(format!("recorded {seconds:.2} s to {}{gaps}", path.display()))
            }
            Err(error) => {
                let kept_s = wav.kept_s();
                let kept = wav.abandon().map(|part| format!("; {} holds {kept_s:.2} s", part.display()));
                Err(format!("recording failed: {error}{}", kept.unwrap_or_default()))
            }
        }
    }

    /// Until nobody wants more and the ring is empty.
    fn write(&mut self, wav: &mut WavStream, options: &WavOptions) -> Result<(), Error> {
        let mut ending: Option<Instant> = None;
        loop {
            if !self.state.is_wanted() && ending.is_none() {
                ending = Some(Instant::now());
            }
            // Asked before the ring is emptied: what was put in until then is in the file.
            let done = ending.is_some_and(|since| !self.state.is_running() || since.elapsed() > LONGEST_END);
            self.empty_into(wav, options)?;
            if done {
                return Ok(());
            }
            std::thread::sleep(NAP);
        }
    }

    fn empty_into(&mut self, wav: &mut WavStream, options: &WavOptions) -> Result<(), Error> {
        let mut sides = [Vec::with_capacity(PIECE), Vec::with_capacity(PIECE)];
        loop {
            let count = self.frames.slots().min(PIECE);
            let Ok(chunk) = self.frames.read_chunk(count) else { return Ok(()) };
            if count == 0 {
                return Ok(());
            }
            for frame in chunk {
                for ((side, sample), channel) in sides.iter_mut().zip(frame).zip(&options.channels) {
                    side.push(f64::from(sample) * channel.full_scale);
                }
            }
            wav.take(&[&sides[0], &sides[1]])?;
            sides.iter_mut().for_each(Vec::clear);
        }
    }

    /// Frames of a recording that has ended do not belong to the next.
    fn forget_rest(&mut self) {
        let begin = Instant::now();
        while self.state.is_running() && begin.elapsed() < LONGEST_END {
            std::thread::sleep(NAP);
        }
        while self.frames.pop().is_ok() {}
    }
}

/// What the file says about itself.
fn options(patch: &Patch, values: &Values, rate_hz: f64) -> Result<WavOptions, Error> {
    let scene = patch.scene(values)?;
    let turned = Patch::new(patch.turned(values))?;
    let channels = match Routing::stereo(&scene) {
        Ok(routing) => routing
            .channels
            .iter()
            .map(|(quantity, position_m)| {
                ChannelMetadata::new(*quantity, *position_m, turned.full_scale(*quantity))
            })
            .collect(),
        // Pick-ups of different quantities, each as a share of its own full scale.
        Err(_) => {
            let (quantity, unit) = ("mixed".to_owned(), "full scale".to_owned());
            let any = Quantity::Velocity;
            let full_scale = turned.full_scale(any) / any.usual_full_scale();
            vec![ChannelMetadata { quantity, unit, position_m: None, full_scale }; 2]
        }
    };
    Ok(WavOptions {
        format: SampleFormat::Float32,
        rate_hz,
        channels,
        mix: Some(PAN_LAW.to_owned()),
        seed: scene.seed,
        engine: Engine::Realtime.name().to_owned(),
        quality: Quality::NAMES.get(values.choice(Param::QualityKind)).map(|name| (*name).to_owned()),
        scene_toml: turned.draft().to_toml(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::player::tests::{RATE_HZ, player};
    use crate::app::shared::Status;
    use crate::io::wav::read_wav;

    #[test]
    fn recordings_follow_one_another_and_say_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let (mut player, _, _, frames, state) = player(true);
        let patch = Patch::preset(crate::scene::DEFAULT_PRESET).unwrap();
        let mut values = *patch.values();
        values.set(Param::Gain, 20.0);
        let shared = Arc::new(Shared::new(String::new(), patch, &values));
        shared.set_status(Status { rate_hz: RATE_HZ, ..Status::default() });
        let mut recorder = Recorder::new(frames, state.clone(), shared).unwrap();
        let mut out = vec![0.0f32; 2 * 480];
        for name in ["one.wav", "two.wav"] {
            recorder.start(&folder.path().join(name));
            (0..100).for_each(|_| player.fill(&mut out, 2));
            recorder.stop();
            player.fill(&mut out, 2);
            let begin = Instant::now();
            let outcome = loop {
                if let Some(outcome) = recorder.take_outcome() {
                    break outcome;
                }
                assert!(begin.elapsed() < Duration::from_secs(10), "the writer does not end");
                std::thread::sleep(NAP);
            };
            while recorder.is_busy() {
                std::thread::sleep(NAP);
            }
            assert!(outcome.whole && outcome.message.contains(name), "{outcome:?}");
            let sound = read_wav(&folder.path().join(name)).unwrap();
            assert!((47_000..=48_000).contains(&sound.channels[0].len()), "{}", sound.channels[0].len());
            let metadata = sound.head.metadata.unwrap();
            assert!((metadata.full_scale_m_s.unwrap() - 0.01).abs() < 1e-12, "+20 dB is a tenth of 0.1 m/s");
            assert!(metadata.scene_toml.contains("gain_db = 20.0"));
            assert_eq!(metadata.quality.as_deref(), Some("live"));
        }
        // A folder that is not there is said, and nothing else happens.
        recorder.start(&folder.path().join("nowhere/three.wav"));
        player.fill(&mut out, 2);
        let outcome = recorder.close().unwrap();
        assert!(!outcome.whole && outcome.message.contains("nowhere"), "{outcome:?}");
    }
}
