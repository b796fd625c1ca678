//! One experiment, validated, in SI: what rubs on what, how, and where it is heard. Uses the pieces
//! (`surface`, `beam`, `contact`, `friction`, `scheme`) and no engine.
//!
//! Text comes in as a [`Draft`] (keys and values in the units of their names, from TOML or `--set`);
//! [`Draft::build`] checks everything at once and gives a [`Scene`].

mod beside;
mod build;
mod draft;
mod keys;
mod motion;
mod presets;
mod source;
mod surfaces;
mod tangential;

pub use beside::Entry;
pub use draft::{Draft, Value};
pub use keys::{KEYS, Key, Kind, find as find_key};
pub use motion::{Motion, MotionKind};
pub use presets::{DEFAULT_PRESET, Preset, find_preset, presets};
pub use source::{offset_of, parse_toml, place_of, read_text, text_of};
pub use surfaces::SurfaceSource;
pub use tangential::{Drive, Friction, Link, Pull, Puller, Stick};

use crate::beam::{Beam, Ends, ModalBasis};
use crate::contact::ContactLaw;
use crate::record::Quantity;
use crate::scheme::SchemeKind;

/// How the damping ratio goes over the modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DampingLaw {
    /// One ζ for all modes, as the simulations of Dang 2013 use it.
    Constant,
    /// ζ_k = c/(2mω_k), as its text defines it: ζ holds at the first flexural mode and falls above.
    Viscous,
}

/// A beam, how many of its modes are kept, and how they are damped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    pub beam: Beam,
    pub modes: usize,
    pub damping_ratio: f64,
    pub damping_law: DampingLaw,
    /// Frequency of the soft bed under a free resonator's rigid modes; 0 for a body that needs none.
    pub support_hz: f64,
}

impl Body {
    pub fn basis(&self) -> ModalBasis {
        ModalBasis::new(self.beam, self.modes)
    }

    /// ω_k with the soft bed under rigid modes.
    pub fn omegas(&self, basis: &ModalBasis) -> Vec<f64> {
        let bed = 2.0 * std::f64::consts::PI * self.support_hz;
        basis.omegas().iter().map(|&omega| if omega == 0.0 { bed } else { omega }).collect()
    }

    /// Natural frequencies ω_k/2π.
    pub fn natural_hz(&self) -> Vec<f64> {
        let omegas = self.omegas(&self.basis());
        omegas.into_iter().map(|omega| omega / (2.0 * std::f64::consts::PI)).collect()
    }

    /// ζ_k.
    pub fn damping_ratios(&self, omegas: &[f64]) -> Vec<f64> {
        let first = if self.beam.ends == Ends::Free { 2 } else { 0 };
        let reference = omegas.get(first).or(omegas.last()).copied().unwrap_or(0.0);
        omegas
            .iter()
            .map(|&omega| match self.damping_law {
                DampingLaw::Viscous if omega > reference => self.damping_ratio * reference / omega,
                DampingLaw::Viscous | DampingLaw::Constant => self.damping_ratio,
            })
            .collect()
    }
}

/// How contact forces are found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Contact {
    /// A law of the gap: Algorithm 1 of Dang 2013.
    Law(ContactLaw),
    /// Ideal contact: Algorithm 2, Lagrange multipliers.
    Signorini,
}

/// Where the resonator is listened to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pickup {
    pub position_m: f64,
    pub quantity: Quantity,
    pub gain: f64,
    /// -1 left … +1 right.
    pub pan: f64,
    /// Distance of the microphone for `pressure`.
    pub distance_m: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Resonator in static equilibrium under the slider, slider level and just touching.
    Settled,
    /// Everything undeformed and at rest, gravity switched on at t = 0 (Dang 2013, eq. 26).
    Rest,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    pub start: Start,
    pub resonator_gravity: bool,
    pub gravity_m_s2: f64,
    /// Time step of the reference engine.
    pub step_s: f64,
    pub integrator: SchemeKind,
    /// Runs beyond the stability bound are refused unless this is set.
    pub allow_unstable: bool,
    /// δ, separation of the two reference lines; unset: highest asperities just touch.
    pub separation_m: Option<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    pub bottom: SurfaceSource,
    pub top: SurfaceSource,
    /// χ, shared by both profiles.
    pub step_m: f64,
    pub resonator: Body,
    pub slider: Body,
    /// Extra normal load per metre of width, spread over the slider.
    pub load_n_m: f64,
    pub contact: Contact,
    /// `None`: the frictionless model of Dang 2013.
    pub friction: Option<Friction>,
    pub motion: Motion,
    pub drive: Drive,
    pub pickups: Vec<Pickup>,
    pub run: Run,
    pub seed: u64,
}

impl Scene {
    /// When the motion ends: a free slider when its leading end reaches the end of the resonator, a
    /// slider held at its own ends when the two no longer overlap.
    pub fn end_s(&self) -> f64 {
        let slider_m = self.slider.beam.length_m;
        let overhang_m = if self.slider.beam.ends == Ends::Pinned { slider_m } else { 0.0 };
        self.motion.end_s(self.resonator.beam.length_m, slider_m, overhang_m)
    }

    /// A slider held at its own ends may slide off the resonator.
    pub fn slides_off(&self) -> bool {
        self.motion.kind == MotionKind::Pass && self.slider.beam.ends == Ends::Pinned
    }

    /// Weight and load that press the slider on, N per metre of width.
    pub fn normal_load_n_m(&self) -> f64 {
        self.slider.beam.mass() * self.run.gravity_m_s2 + self.load_n_m
    }
}
