//! Everything that the framework saves and loads: the panel, and beside it what single precision and a share
//! of a knob's way cannot hold. Shared by the audio thread, which reads knobs and shows lamps without waiting,
//! and the host's main thread, which loads states.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nice_plug::params::persist::PersistentField;
use nice_plug::prelude::Params;

use super::knob::Knob;
use super::panel::Panel;
use super::state::meant;
use crate::instrument::parameters::{Param, Values};
use crate::instrument::{Loader, Patch, State};
use crate::scene::DEFAULT_PRESET;

#[derive(Params)]
pub struct Root {
    #[nested]
    pub panel: Arc<Panel>,
    #[persist = "instrument"]
    own: Own,
    pub lamps: Lamps,
}

impl Default for Root {
    fn default() -> Self {
        let panel = Arc::new(Panel::default());
        Self { own: Own::new(panel.clone()), panel, lamps: Lamps::default() }
    }
}

impl Root {
    /// What a knob stands at, the host's modulation included.
    pub fn value(&self, param: Param) -> f64 {
        self.own.meant(param, self.panel.knob(param).share())
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

    /// Grows whenever another preset has been opened.
    pub fn presets_opened(&self) -> u64 {
        self.own.presets_opened.load(Ordering::Acquire)
    }

    /// Where presets go that are opened while the instrument plays.
    pub fn set_loader(&self, loader: Loader) {
        *lock(&self.own.loader) = Some(loader);
    }
}

/// What the audio thread shows.
#[derive(Default)]
pub struct Lamps {
    reduction_db: AtomicU32,
    sounding: AtomicUsize,
}

impl Lamps {
    /// On the audio thread, with every block.
    pub fn show(&self, reduction_db: f64, sounding: usize) {
        // The deepest since somebody looked; numbers that are not negative sort as their bits do.
        self.reduction_db.fetch_max((reduction_db.abs() as f32).to_bits(), Ordering::Relaxed);
        self.sounding.store(sounding, Ordering::Relaxed);
    }

    /// How far the limiter has turned down since the last look, dB.
    pub fn take_reduction_db(&self) -> f32 {
        f32::from_bits(self.reduction_db.swap(0, Ordering::Relaxed))
    }

    /// Bodies that sound.
    pub fn sounding(&self) -> usize {
        self.sounding.load(Ordering::Relaxed)
    }
}

/// The instrument's own state: the preset, and where each knob stood when it was last set by something that knew
/// more than single precision.
struct Own {
    panel: Arc<Panel>,
    bits: Vec<AtomicU64>,
    loads: AtomicU64,
    patch: Mutex<Option<Patch>>,
    presets_opened: AtomicU64,
    loader: Mutex<Option<Loader>>,
}

impl Own {
    fn new(panel: Arc<Panel>) -> Self {
        let patch = Patch::preset(DEFAULT_PRESET).ok();
        let values = patch.as_ref().map(|patch| *patch.values()).unwrap_or_default();
        Self {
            panel,
            bits: Param::all().map(|param| AtomicU64::new(values.get(param).to_bits())).collect(),
            loads: AtomicU64::new(0),
            patch: Mutex::new(patch),
            presets_opened: AtomicU64::new(0),
            loader: Mutex::new(None),
        }
    }

    fn meant(&self, param: Param, share: f32) -> f64 {
        let known = f64::from_bits(self.bits[param.index()].load(Ordering::Relaxed));
        meant(param.entry(), known, share)
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
        let Ok(State { patch, values }) = State::from_text(&text) else { return };
        for param in Param::all() {
            self.bits[param.index()].store(values.get(param).to_bits(), Ordering::Relaxed);
        }
        self.loads.fetch_add(1, Ordering::AcqRel);
        let mut held = lock(&self.patch);
        if held.as_ref().is_some_and(|held| held.draft() == patch.draft()) {
            return;
        }
        *held = Some(patch.clone());
        self.presets_opened.fetch_add(1, Ordering::AcqRel);
        if let Some(loader) = &*lock(&self.loader) {
            loader.load(patch, &values);
        }
    }

    fn map<F: Fn(&String) -> R, R>(&self, f: F) -> R {
        let values = self.values(|knob| knob.set_share());
        let text = lock(&self.patch).clone().map(|patch| State { patch, values }.to_text());
        f(&text.unwrap_or_default())
    }
}

/// A thread that died with the lock has left whole values behind.
fn lock<T>(held: &Mutex<T>) -> MutexGuard<'_, T> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}
