//! Everything that the framework saves and loads: the panel, and beside it what single precision and a share
//! of a knob's way cannot hold.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use nice_plug::params::persist::PersistentField;
use nice_plug::prelude::Params;

use super::panel::Panel;
use super::state::{Knobs, PRESET, default_text, same_place};
use crate::error::Error;
use crate::instrument::Patch;
use crate::instrument::parameters::{Param, Values, shortest};

#[derive(Params)]
pub struct Root {
    #[nested]
    pub panel: Arc<Panel>,
    #[persist = "knobs"]
    exact: Exact,
    #[persist = "preset"]
    preset: Preset,
}

impl Default for Root {
    fn default() -> Self {
        let panel = Arc::new(Panel::default());
        Self { exact: Exact::new(panel.clone()), panel, preset: Preset::default() }
    }
}

impl Root {
    /// What a knob stands at, the host's modulation included.
    pub fn value(&self, param: Param) -> f64 {
        self.exact.meant(param, self.panel.knob(param).share())
    }

    pub fn values(&self) -> Values {
        let mut values = Values::default();
        for param in Param::all() {
            values.set(param, self.value(param));
        }
        values
    }

    /// The preset that was opened last. Never called on the audio thread.
    pub fn patch(&self) -> Result<Patch, Error> {
        let text = self.preset.map(String::clone);
        Patch::from_toml(&text, PRESET)
    }

    /// Grows whenever another preset has been opened.
    pub fn presets_opened(&self) -> u64 {
        self.preset.opened.load(Ordering::Acquire)
    }
}

/// Where each knob stood when it was last set by something that knew more than single precision.
struct Exact {
    panel: Arc<Panel>,
    bits: Vec<AtomicU64>,
}

impl Exact {
    fn new(panel: Arc<Panel>) -> Self {
        let values = Values::default();
        Self { panel, bits: Param::all().map(|param| AtomicU64::new(values.get(param).to_bits())).collect() }
    }

    /// The value behind a share: the known one if the share only repeats it.
    fn meant(&self, param: Param, share: f32) -> f64 {
        let row = param.entry();
        let known = f64::from_bits(self.bits[param.index()].load(Ordering::Relaxed));
        if same_place(row, known, share) { known } else { shortest(row.denormalise(share.into()) as f32) }
    }
}

impl PersistentField<'_, Knobs> for Exact {
    fn set(&self, knobs: Knobs) {
        for param in Param::all() {
            let value = knobs.value(param).unwrap_or(param.entry().default());
            self.bits[param.index()].store(value.to_bits(), Ordering::Relaxed);
        }
    }

    fn map<F: Fn(&Knobs) -> R, R>(&self, f: F) -> R {
        let meant = |param: Param| (param, self.meant(param, self.panel.knob(param).set_share()));
        f(&Knobs::written(Param::all().map(meant)))
    }
}

/// The text of the preset, and how often another one has come.
struct Preset {
    text: Mutex<String>,
    opened: AtomicU64,
}

impl Default for Preset {
    fn default() -> Self {
        Self { text: Mutex::new(default_text().to_owned()), opened: AtomicU64::new(0) }
    }
}

impl PersistentField<'_, String> for Preset {
    fn set(&self, text: String) {
        let mut held = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        if *held != text {
            *held = text;
            self.opened.fetch_add(1, Ordering::AcqRel);
        }
    }

    fn map<F: Fn(&String) -> R, R>(&self, f: F) -> R {
        f(&self.text.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
