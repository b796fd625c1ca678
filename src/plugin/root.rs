//! Everything that the framework saves and loads: the panel, and beside it what single precision and a share
//! of a knob's way cannot hold. Shared by the audio thread, which reads knobs without waiting, and the
//! host's main thread, which loads states and looks at the instrument.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use nice_plug::params::persist::PersistentField;
use nice_plug::prelude::Params;

use super::panel::Panel;
use super::state::{Knobs, PRESET, default_text, same_place};
use crate::editor::USUAL;
use crate::error::Error;
use crate::instrument::parameters::{Param, Values, shortest};
use crate::instrument::{Loader, Patch, Viewer};

#[derive(Params)]
pub struct Root {
    #[nested]
    pub panel: Arc<Panel>,
    #[persist = "knobs"]
    exact: Arc<Exact>,
    // Loaded after the knobs, because fields come in the order of their names.
    #[persist = "preset"]
    preset: Preset,
    /// Width and height of the window, points.
    #[persist = "window"]
    pub window: Mutex<[f32; 2]>,
    viewer: Mutex<Option<Viewer>>,
}

impl Default for Root {
    fn default() -> Self {
        let panel = Arc::new(Panel::default());
        let exact = Arc::new(Exact::new(panel.clone()));
        Self {
            panel,
            preset: Preset::new(exact.clone()),
            exact,
            window: Mutex::new(USUAL.into()),
            viewer: Mutex::new(None),
        }
    }
}

impl Root {
    /// What a knob stands at, the host's modulation included.
    pub fn value(&self, param: Param) -> f64 {
        self.exact.meant(param, self.panel.knob(param).share())
    }

    /// What the player has set, without the host's modulation.
    pub fn set_value(&self, param: Param) -> f64 {
        self.exact.meant(param, self.panel.knob(param).set_share())
    }

    /// Keeps every digit of a value whose share is about to be set.
    pub fn remember(&self, param: Param, value: f64) {
        self.exact.bits[param.index()].store(value.to_bits(), Ordering::Relaxed);
    }

    pub fn values(&self) -> Values {
        self.exact.values()
    }

    /// Grows whenever a state has been loaded: then any knob may mean another value at the same share.
    pub fn loads(&self) -> u64 {
        self.exact.loads.load(Ordering::Acquire)
    }

    /// The preset that was opened last. Never called on the audio thread.
    pub fn patch(&self) -> Result<Patch, Error> {
        self.preset.patch()
    }

    /// Grows whenever another preset has been opened.
    pub fn presets_opened(&self) -> u64 {
        self.preset.opened.load(Ordering::Acquire)
    }

    /// Text of the preset that was opened last.
    pub fn preset_text(&self) -> String {
        self.preset.map(String::clone)
    }

    /// Where presets go that are opened while the instrument plays.
    pub fn set_loader(&self, loader: Loader) {
        *self.preset.loader.lock().unwrap_or_else(PoisonError::into_inner) = Some(loader);
    }

    /// Where a window looks at the instrument that plays.
    pub fn set_viewer(&self, viewer: Viewer) {
        *self.viewer.lock().unwrap_or_else(PoisonError::into_inner) = Some(viewer);
    }

    /// Looks at the instrument, if there is one. Never called on the audio thread.
    pub fn with_viewer<R>(&self, look: impl FnOnce(Option<&mut Viewer>) -> R) -> R {
        look(self.viewer.lock().unwrap_or_else(PoisonError::into_inner).as_mut())
    }
}

/// Where each knob stood when it was last set by something that knew more than single precision.
struct Exact {
    panel: Arc<Panel>,
    bits: Vec<AtomicU64>,
    loads: AtomicU64,
}

impl Exact {
    fn new(panel: Arc<Panel>) -> Self {
        let values = Values::default();
        let bits = Param::all().map(|param| AtomicU64::new(values.get(param).to_bits())).collect();
        Self { panel, bits, loads: AtomicU64::new(0) }
    }

    /// The value behind a share: the known one if the share only repeats it.
    fn meant(&self, param: Param, share: f32) -> f64 {
        let row = param.entry();
        let known = f64::from_bits(self.bits[param.index()].load(Ordering::Relaxed));
        if same_place(row, known, share) { known } else { shortest(row.denormalise(share.into()) as f32) }
    }

    fn values(&self) -> Values {
        let mut values = Values::default();
        for param in Param::all() {
            values.set(param, self.meant(param, self.panel.knob(param).share()));
        }
        values
    }
}

impl PersistentField<'_, Knobs> for Arc<Exact> {
    fn set(&self, knobs: Knobs) {
        for param in Param::all() {
            let value = knobs.value(param).unwrap_or(param.entry().default());
            self.bits[param.index()].store(value.to_bits(), Ordering::Relaxed);
        }
        self.loads.fetch_add(1, Ordering::AcqRel);
    }

    fn map<F: Fn(&Knobs) -> R, R>(&self, f: F) -> R {
        let meant = |param: Param| (param, self.meant(param, self.panel.knob(param).set_share()));
        f(&Knobs::written(Param::all().map(meant)))
    }
}

/// The text of the preset, and how often another one has come.
struct Preset {
    exact: Arc<Exact>,
    text: Mutex<String>,
    opened: AtomicU64,
    loader: Mutex<Option<Loader>>,
}

impl Preset {
    fn new(exact: Arc<Exact>) -> Self {
        Self {
            exact,
            text: Mutex::new(default_text().to_owned()),
            opened: AtomicU64::new(0),
            loader: Mutex::new(None),
        }
    }

    fn patch(&self) -> Result<Patch, Error> {
        let text = self.map(String::clone);
        Patch::from_toml(&text, PRESET)
    }
}

impl PersistentField<'_, String> for Preset {
    fn set(&self, text: String) {
        {
            let mut held = self.text.lock().unwrap_or_else(PoisonError::into_inner);
            if *held == text {
                return;
            }
            *held = text;
        }
        self.opened.fetch_add(1, Ordering::AcqRel);
        let loader = self.loader.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(loader), Ok(patch)) = (&*loader, self.patch()) {
            loader.load(patch, &self.exact.values());
        }
    }

    fn map<F: Fn(&String) -> R, R>(&self, f: F) -> R {
        f(&self.text.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
