//! What window, MIDI and audio keeper all look at: where the knobs stand, which preset is open, how the
//! device is. The audio thread has none of it but the meters.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use atomic_float::AtomicF64;

use super::meters::Meters;
use crate::error::Error;
use crate::instrument::parameters::{Param, Values};
use crate::instrument::{Instrument, Loader, Patch, Setup, Viewer};

/// One value for every knob, for any thread.
pub struct Knobs(Vec<AtomicF64>);

impl Knobs {
    pub fn new(values: &Values) -> Self {
        Self(Param::all().map(|param| AtomicF64::new(values.get(param))).collect())
    }

    pub fn get(&self, param: Param) -> f64 {
        self.0[param.index()].load(Ordering::Relaxed)
    }

    pub fn set(&self, param: Param, value: f64) {
        let value = param.entry().sanitise(value);
        self.0[param.index()].store(value, Ordering::Relaxed);
    }

    pub fn values(&self) -> Values {
        let mut values = Values::default();
        Param::all().for_each(|param| values.set(param, self.get(param)));
        values
    }

    fn set_all(&self, values: &Values) {
        Param::all().for_each(|param| self.set(param, values.get(param)));
    }
}

/// The preset that was opened last, and who loads the next one while the instrument plays.
struct Opened {
    text: String,
    patch: Patch,
    loader: Option<Loader>,
    viewer: Option<Viewer>,
}

/// How the device is, in words and numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Status {
    /// Id of the device that plays; none while the silent clock runs.
    pub device: Option<String>,
    pub rate_hz: f64,
    /// Frames that were asked for; none where the device decides.
    pub buffer: Option<u32>,
    /// What a person should know now.
    pub message: String,
}

pub struct Shared {
    pub knobs: Knobs,
    pub meters: Arc<Meters>,
    opened: Mutex<Opened>,
    count: AtomicU64,
    status: Mutex<Status>,
}

impl Shared {
    pub fn new(text: String, patch: Patch, values: &Values) -> Self {
        Self {
            knobs: Knobs::new(values),
            meters: Arc::default(),
            opened: Mutex::new(Opened { text, patch, loader: None, viewer: None }),
            count: AtomicU64::new(0),
            status: Mutex::default(),
        }
    }

    /// An instrument for a device of this rate, with everything as it stands.
    pub fn instrument(&self, rate_hz: f64) -> Result<Instrument, Error> {
        let mut opened = lock(&self.opened);
        let setup = Setup { rate_hz, offline: false, limits: true };
        let mut instrument = Instrument::new(opened.patch.clone(), &self.knobs.values(), setup)?;
        opened.loader = Some(instrument.loader());
        opened.viewer = instrument.take_viewer();
        Ok(instrument)
    }

    /// Opens a preset with its knobs at `values`; the instrument fades over to it.
    pub fn open(&self, text: &str, patch: Patch, values: &Values) {
        let mut opened = lock(&self.opened);
        self.knobs.set_all(values);
        if let Some(loader) = &opened.loader {
            loader.load(patch.clone(), values);
        }
        (opened.text, opened.patch) = (text.to_owned(), patch);
        self.count.fetch_add(1, Ordering::AcqRel);
    }

    /// The end for a window of an instrument that was made since the last call.
    pub fn take_viewer(&self) -> Option<Viewer> {
        lock(&self.opened).viewer.take()
    }

    pub fn preset(&self) -> String {
        lock(&self.opened).text.clone()
    }

    pub fn patch(&self) -> Patch {
        lock(&self.opened).patch.clone()
    }

    /// Grows whenever another preset has been opened.
    pub fn presets_opened(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }

    pub fn status(&self) -> Status {
        lock(&self.status).clone()
    }

    pub fn set_status(&self, status: Status) {
        *lock(&self.status) = status;
    }
}

/// A thread that panicked has left whole values behind: each is replaced at once.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
