//! A real-time engine together with what it was built from, so that a knob's position can be said in the
//! engine's terms: absolute where the engine wants it so, as a factor on what was built otherwise. A knob
//! that stands where it stood when the engine was built gives exactly the scene's own numbers.

use super::parameters::{PICKUPS, Param, Pick, Values};
use super::patch::{Patch, from_decibels, material};
use super::tuning::{Size, first_mode_hz};
use crate::contact::ContactLaw;
use crate::engine::realtime::{Engine, Quality, Settings, Surfaces};
use crate::error::Error;
use crate::friction::Coulomb;
use crate::pickup::sides;
use crate::record::Quantity;
use crate::scene::{Contact, MotionKind, Scene};
use std::sync::Arc;

/// Voices that notes may use: sixteen, and as many in which stolen ones fade out, so that all may be taken at once.
pub const NOTE_VOICES: usize = 32;
/// The voice that rubs without a key.
pub const DRONE: usize = NOTE_VOICES;

/// How an engine is to be built.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Build {
    pub values: Values,
    pub rate_hz: f64,
    pub offline: bool,
}

impl Build {
    pub fn quality(&self) -> Quality {
        if self.offline && self.values.switch(Param::StudioBounce) {
            return Quality::Studio;
        }
        Quality::ALL.get(self.values.choice(Param::QualityKind)).copied().unwrap_or_default()
    }
}

pub struct Rig {
    pub engine: Engine,
    pub built: Values,
    scene: Scene,
    /// Ra of both surfaces and own first mode as built.
    ra_m: [f64; 2],
    first_mode_hz: f64,
    weight_n_m: f64,
    /// Correlation length that the present surfaces were made with, µm.
    pub lc_um: f64,
    /// Which of the knobs' pick-ups each of the engine's is.
    pickups: Vec<usize>,
}

/// What a voice is to do, in physical terms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aim {
    pub speed_m_s: f64,
    /// Strokes to and fro a second.
    pub rate_hz: f64,
    pub ra_um: f64,
    pub load_n_m: f64,
    /// Of the contact law, as the knob says.
    pub kappa_pa: f64,
    pub lc_um: f64,
    pub zeta: f64,
    /// As the knobs say: the dynamic coefficient as a share of the static one.
    pub friction: [f64; 3],
    pub drive_n_m: f64,
    /// Ratio by which the first mode is moved.
    pub ratio: f64,
    pub by_thickness: bool,
    /// Shares of the length, by the knobs' numbers.
    pub positions: [f64; PICKUPS],
    pub volume: f64,
    /// -1 left, 1 right, on top of the pick-ups' own.
    pub pan: f64,
}

impl Rig {
    /// Slow; never on the audio thread. All voices rest.
    pub fn new(patch: &Patch, build: &Build) -> Result<Self, Error> {
        let scene = patch.scene(&build.values)?;
        let settings = Settings {
            host_rate_hz: build.rate_hz,
            quality: build.quality(),
            voices: NOTE_VOICES + 1,
            ..Settings::default()
        };
        let surfaces = Arc::new(Surfaces::new(&scene)?);
        let ra_m = [surfaces.bottom.ra_m, surfaces.top.ra_m];
        let mut engine = Engine::with_surfaces(&scene, settings, surfaces)?;
        for voice in 0..engine.voices() {
            engine.rest(voice);
        }
        let heard = (0..PICKUPS).filter(|n| build.values.switch(Param::pickup(*n, Pick::On)));
        Ok(Self {
            engine,
            built: build.values,
            ra_m,
            first_mode_hz: first_mode_hz(&scene.resonator),
            weight_n_m: scene.slider.beam.mass() * scene.run.gravity_m_s2,
            lc_um: build.values.get(Param::Lc),
            pickups: heard.collect(),
            scene,
        })
    }

    /// New surfaces for this rig's grid; `None` where they need another grid and so another engine.
    pub fn surfaces(patch: &Patch, values: &Values, grid_m: f64, step_m: f64) -> Option<Arc<Surfaces>> {
        let scene = patch.scene(values).ok().filter(|scene| scene.step_m == step_m)?;
        Surfaces::on_grid(&scene, grid_m).ok().map(Arc::new)
    }

    pub fn step_m(&self) -> f64 {
        self.scene.step_m
    }

    /// Where strokes begin, along the texture.
    pub fn start_m(&self) -> f64 {
        self.scene.motion.start_m
    }

    /// -1 for scenes drawn backwards.
    pub fn direction(&self) -> f64 {
        if self.scene.motion.speed_m_s < 0.0 { -1.0 } else { 1.0 }
    }

    pub fn slider_m(&self) -> f64 {
        self.scene.slider.beam.length_m
    }

    /// Way that a slider has on the resonator.
    pub fn room_m(&self) -> f64 {
        (self.scene.resonator.beam.length_m - self.slider_m()).max(0.0)
    }

    /// Pitch of the body as the knobs set it, without a key.
    pub fn own_hz(&self, values: &Values) -> f64 {
        let turned = |param: Param| values.get(param) / self.built.get(param);
        let (young_pa, density) = self.material(values);
        let (built_pa, built_density) = self.scene_material();
        let speed = (young_pa / built_pa * built_density / density).sqrt();
        self.first_mode_hz * speed * turned(Param::Thickness) / turned(Param::Length).powi(2)
    }

    fn scene_material(&self) -> (f64, f64) {
        (self.scene.resonator.beam.young_pa, self.scene.resonator.beam.density_kg_m3)
    }

    fn material(&self, values: &Values) -> (f64, f64) {
        let knobs = [Param::Material, Param::Young, Param::Density];
        let unmoved = knobs.iter().all(|knob| values.get(*knob) == self.built.get(*knob));
        if unmoved { self.scene_material() } else { material(values) }
    }

    /// `own` where the knob has not moved since the engine was built, the knob's value otherwise.
    fn of(&self, param: Param, value: f64, own: f64) -> f64 {
        if value == self.built.get(param) { own } else { value }
    }

    /// Whether κ is the stiffness of the law in use.
    fn has_kappa(&self) -> bool {
        matches!(
            self.scene.contact,
            Contact::Law(ContactLaw::Penalty { .. } | ContactLaw::Exponential { .. })
        )
    }

    /// Friction and drive stiffness as the knobs say, the scene's own where they have not moved.
    fn grasp(&self, aim: &Aim) -> (Option<Coulomb>, Option<f64>) {
        let law = self.scene.friction.map(|friction| {
            let own = friction.law;
            let [fixed, share, stribeck] = aim.friction;
            let unmoved = [(Param::MuStatic, fixed), (Param::MuDynamic, share)]
                .iter()
                .all(|(param, value)| *value == self.built.get(*param));
            let fixed = self.of(Param::MuStatic, fixed, own.static_coefficient);
            Coulomb {
                static_coefficient: fixed,
                dynamic_coefficient: if unmoved { own.dynamic_coefficient } else { fixed * share },
                stribeck_m_s: self.of(Param::Stribeck, stribeck, own.stribeck_m_s),
            }
        });
        let link = self.scene.drive.link;
        (law, link.map(|link| self.of(Param::DriveStiffness, aim.drive_n_m, link.stiffness_n_m)))
    }

    /// Hands a voice its aim.
    pub fn apply(&mut self, voice: usize, aim: &Aim, values: &Values) {
        let beam = self.scene.resonator.beam;
        let (young_pa, density) = self.material(values);
        let slider_m = self.slider_m();
        let size = Size {
            length_m: self.of(Param::Length, values.get(Param::Length), beam.length_m),
            thickness_m: self.of(Param::Thickness, values.get(Param::Thickness), beam.thickness_m),
            slider_m,
        };
        let size = size.tuned(aim.ratio, aim.by_thickness);
        let zeta = self.of(Param::Zeta, aim.zeta, self.scene.resonator.damping_ratio);
        let load = self.of(Param::Load, aim.load_n_m, self.scene.load_n_m);
        let factor = |value: f64, param: Param| {
            let built = self.built.get(param);
            if value == built { 1.0 } else { value / built }
        };
        let ra = self.ra_m.map(|ra_m| ra_m * factor(aim.ra_um, Param::Ra));
        let stiffness = if self.has_kappa() { factor(aim.kappa_pa, Param::Kappa) } else { 1.0 };
        let stretch = if aim.lc_um == self.lc_um { 1.0 } else { aim.lc_um / self.lc_um };
        let weight = self.weight_n_m * (size.slider_m / slider_m);
        let rate_hz = match self.scene.motion.kind {
            MotionKind::Reciprocate { rate_hz, .. } => self.of(Param::Rate, aim.rate_hz, rate_hz),
            MotionKind::Pass | MotionKind::Endless => aim.rate_hz,
        };
        let (friction, drive_n_m) = self.grasp(aim);
        if let Some(controls) = self.engine.controls(voice) {
            if let Some(law) = friction {
                controls.set_friction(law);
            }
            if let Some(stiffness_n_m) = drive_n_m {
                controls.set_drive_stiffness(stiffness_n_m);
            }
            controls.set_speed(aim.speed_m_s);
            controls.set_rate(rate_hz);
            controls.set_ra(ra[0], ra[1]);
            controls.set_load(weight + load);
            controls.set_stiffness(stiffness);
            controls.set_stretch(stretch);
            controls.set_volume(aim.volume);
        }
        self.engine.set_pan(voice, aim.pan);
        let positions = self.positions(aim, size.length_m);
        let Some(body) = self.engine.body(voice) else { return };
        // Each is limited by the other's goal: the slider steps back first and is put right afterwards.
        body.set_slider_length(size.slider_m);
        body.set_length(size.length_m);
        body.set_slider_length(size.slider_m);
        body.set_thickness(size.thickness_m);
        body.set_material(young_pa, density);
        body.set_damping(zeta);
        for (place, position_m) in positions.into_iter().enumerate() {
            body.set_pickup_position(place, position_m);
        }
    }

    /// Where the engine's pick-ups are on a body of this length.
    fn positions(&self, aim: &Aim, length_m: f64) -> [f64; PICKUPS] {
        let own_length_m = self.scene.resonator.beam.length_m;
        let mut positions = [0.0; PICKUPS];
        for (position, (&n, pickup)) in positions.iter_mut().zip(self.pickups.iter().zip(&self.scene.pickups))
        {
            let own = pickup.position_m / own_length_m;
            let share = self.of(Param::pickup(n, Pick::Position), aim.positions[n], own);
            let untouched = share == own && length_m == own_length_m;
            *position = if untouched { pickup.position_m } else { share * length_m };
        }
        positions
    }

    /// Factors of the knobs' gains and pans, left and right for each of the engine's pick-ups.
    pub fn factors(&self, values: &Values) -> Factors {
        let mut factors = Factors::default();
        for (place, (&n, pickup)) in self.pickups.iter().zip(&self.scene.pickups).enumerate() {
            let at = |what| Param::pickup(n, what);
            let moved = values.get(at(Pick::Gain)) != self.built.get(at(Pick::Gain));
            let gain = if moved {
                from_decibels(values.get(at(Pick::Gain))).copysign(pickup.gain)
            } else {
                pickup.gain
            };
            let pan = self.of(at(Pick::Pan), values.get(at(Pick::Pan)), pickup.pan);
            for (side, factor) in sides(pan).into_iter().enumerate() {
                factors.sides[side][place] = gain * factor;
            }
        }
        factors.gain = from_decibels(values.get(Param::Gain));
        factors
    }

    pub fn quantity(&self, pickup: usize) -> Quantity {
        self.engine.quantity(pickup).unwrap_or(Quantity::Velocity)
    }
}

/// From pick-ups to two channels.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Factors {
    pub sides: [[f64; PICKUPS]; 2],
    /// Output gain: full scale is the usual one over this.
    pub gain: f64,
}

impl Factors {
    /// A step of the way to `goal`; there when `share` is 1.
    pub fn approach(&mut self, goal: &Self, share: f64) {
        if self == goal || share >= 1.0 {
            *self = *goal;
            return;
        }
        self.gain += (goal.gain - self.gain) * share;
        for (side, goals) in self.sides.iter_mut().zip(&goal.sides) {
            for (factor, goal) in side.iter_mut().zip(goals) {
                *factor += (goal - *factor) * share;
            }
        }
    }
}
