//! Everything that the framework saves and loads: the panel, and beside it what single precision and a share
//! of a knob's way cannot hold. Shared by the audio thread, which reads knobs without waiting, and the
//! host's main thread, which loads states and looks at the instrument.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use atomic_float::AtomicF64;
use nice_plug::params::persist::PersistentField;
use nice_plug::prelude::Params;

use super::knob::Knob;
use super::panel::Panel;
use super::state::meant;
use super::threads::WindowThreads;
use crate::editor::USUAL;
use crate::instrument::parameters::{Param, Values};
use crate::instrument::{Loader, Patch, State, Viewer};
use crate::scene::DEFAULT_PRESET;

#[derive(Params)]
pub struct Root {
    #[nested]
    pub panel: Arc<Panel>,
    #[persist = "instrument"]
    own: Own,
    /// Width and height of the window, points.
    #[persist = "window"]
    window: Mutex<[f32; 2]>,
    viewer: Mutex<Option<Viewer>>,
    pub(super) window_threads: WindowThreads,
}

impl Default for Root {
    fn default() -> Self {
        let panel = Arc::new(Panel::default());
        Self {
            own: Own::new(panel.clone()),
            panel,
            window: Mutex::new(USUAL.into()),
            viewer: Mutex::new(None),
            window_threads: WindowThreads::default(),
        }
    }
}

impl Root {
    /// What a knob stands at, the host's modulation included.
    pub fn value(&self, param: Param) -> f64 {
        self.own.meant(param, self.panel.knob(param).share())
    }

    /// What the player has set, without the host's modulation.
    pub fn set_value(&self, param: Param) -> f64 {
        self.own.meant(param, self.panel.knob(param).set_share())
    }

    /// Keeps every digit of a value whose share is about to be set.
    pub fn remember(&self, param: Param, value: f64) {
        self.own.exact[param.index()].store(value, Ordering::Relaxed);
    }

    pub fn values(&self) -> Values {
        self.own.values(|knob| knob.share())
    }

    /// Grows whenever a state has been loaded: then any knob may mean another value at the same share.
    pub fn loads(&self) -> u64 {
        self.own.loads.load(Ordering::Acquire)
    }

    /// The preset that was opened last. Never called on the audio thread.
    pub fn patch(&self) -> Option<Patch> {
        lock(&self.own.patch).clone()
    }

    /// Why the state that was loaded last could not be opened.
    pub fn trouble(&self) -> Option<String> {
        lock(&self.own.unread).as_ref().map(|(_, why)| why.clone())
    }

    /// Grows whenever another preset has been opened.
    pub fn presets_opened(&self) -> u64 {
        self.own.presets_opened.load(Ordering::Acquire)
    }

    /// Opens a preset from a window, whose thread may wait; the host hears of the knobs from the caller.
    pub fn open(&self, patch: Patch, values: &Values) {
        self.own.open(patch, values);
    }

    /// Where presets go that are opened while the instrument plays.
    pub fn set_loader(&self, loader: Loader) {
        *lock(&self.own.loader) = Some(loader);
    }

    /// Where a window looks at the instrument that plays.
    pub fn set_viewer(&self, viewer: Viewer) {
        *lock(&self.viewer) = Some(viewer);
    }

    /// Looks at the instrument, if there is one. Never called on the audio thread.
    pub fn with_viewer<R>(&self, look: impl FnOnce(Option<&mut Viewer>) -> R) -> R {
        look(lock(&self.viewer).as_mut())
    }

    pub fn window(&self) -> [f32; 2] {
        *lock(&self.window)
    }

    pub fn set_window(&self, size: [f32; 2]) {
        *lock(&self.window) = size;
    }
}

/// The instrument's own state: the preset, and where each knob stood when it was last set by something that knew
/// more than single precision.
struct Own {
    panel: Arc<Panel>,
    exact: Vec<AtomicF64>,
    loads: AtomicU64,
    patch: Mutex<Option<Patch>>,
    /// A state that could not be opened here, and why. It is saved again as it came until something else is opened.
    unread: Mutex<Option<(String, String)>>,
    presets_opened: AtomicU64,
    loader: Mutex<Option<Loader>>,
}

impl Own {
    fn new(panel: Arc<Panel>) -> Self {
        let patch = Patch::preset(DEFAULT_PRESET).ok();
        let values = patch.as_ref().map(|patch| *patch.values()).unwrap_or_default();
        Self {
            panel,
            exact: Param::all().map(|param| AtomicF64::new(values.get(param))).collect(),
            loads: AtomicU64::new(0),
            patch: Mutex::new(patch),
            unread: Mutex::new(None),
            presets_opened: AtomicU64::new(0),
            loader: Mutex::new(None),
        }
    }

    fn meant(&self, param: Param, share: f32) -> f64 {
        let known = self.exact[param.index()].load(Ordering::Relaxed);
        meant(param.entry(), known, share)
    }

    /// Another preset, or the same one with other knobs.
    fn open(&self, patch: Patch, values: &Values) {
        *lock(&self.unread) = None;
        for param in Param::all() {
            self.exact[param.index()].store(values.get(param), Ordering::Relaxed);
        }
        self.loads.fetch_add(1, Ordering::AcqRel);
        let mut held = lock(&self.patch);
        if held.as_ref().is_some_and(|held| held.draft() == patch.draft()) {
            return;
        }
        *held = Some(patch.clone());
        self.presets_opened.fetch_add(1, Ordering::AcqRel);
        if let Some(loader) = &*lock(&self.loader) {
            loader.load(patch, values);
        }
    }

    /// All knobs by one of their two shares.
    fn values(&self, share: fn(Knob) -> f32) -> Values {
        let mut values = Values::default();
        for param in Param::all() {
            values.set(param, self.meant(param, share(self.panel.knob(param))));
        }
        values
    }
}

/// The framework sets its parameters first, then this.
impl PersistentField<'_, String> for Own {
    fn set(&self, text: String) {
        match State::from_text(&text) {
            Ok(State { patch, values }) => self.open(patch, &values),
            Err(why) => {
                let Ok(patch) = Patch::preset(DEFAULT_PRESET) else { return };
                self.open(patch, &self.values(|knob| knob.set_share()));
                *lock(&self.unread) = Some((text, why.to_string()));
            }
        }
    }

    fn map<F: Fn(&String) -> R, R>(&self, f: F) -> R {
        if let Some((text, _)) = &*lock(&self.unread) {
            return f(text);
        }
        let values = self.values(|knob| knob.set_share());
        let text = lock(&self.patch).clone().map(|patch| State { patch, values }.to_text());
        f(&text.unwrap_or_default())
    }
}

/// A thread that died with the lock has left whole values behind.
fn lock<T>(held: &Mutex<T>) -> MutexGuard<'_, T> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}
