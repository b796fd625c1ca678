//! What of a voice's bodies moves while it sounds: the resonator's length, thickness, material and
//! damping, the slider's length, and where the pick-ups read. Every value glides (`ramp`).

use super::pass::MAX_PICKUPS;
use super::pickups::Place;
use super::ramp::Ramp;
use super::stage::Stage;
use crate::scene::Body;

/// Ranges: those of the scene's keys.
const ZETA: (f64, f64) = (0.0, 1.0);
const SHORTEST_M: f64 = 1e-3;
const LONGEST_M: f64 = 50.0;
const THICKNESS_M: (f64, f64) = (1e-6, 1.0);
const YOUNG_PA: (f64, f64) = (1e4, 2e12);
const DENSITY: (f64, f64) = (1.0, 30e3);

#[derive(Debug, Clone, Copy)]
pub struct BodyControls {
    length: Ramp,
    thickness: Ramp,
    young: Ramp,
    density: Ramp,
    damping: Ramp,
    slider: Ramp,
    pickups: [Ramp; MAX_PICKUPS],
}

impl BodyControls {
    pub(super) fn new(resonator: &Body, slider: &Body, places: &[Place], tick_s: f64) -> Self {
        let beam = &resonator.beam;
        let place = |p: usize| places.get(p).map_or(0.0, |place| place.position_m);
        Self {
            length: Ramp::by_ratio(beam.length_m, tick_s),
            thickness: Ramp::by_ratio(beam.thickness_m, tick_s),
            young: Ramp::by_ratio(beam.young_pa, tick_s),
            density: Ramp::by_ratio(beam.density_kg_m3, tick_s),
            damping: Ramp::linear(resonator.damping_ratio, tick_s),
            slider: Ramp::by_ratio(slider.beam.length_m, tick_s),
            pickups: std::array::from_fn(|p| Ramp::linear(place(p), tick_s)),
        }
    }

    /// Never shorter than the slider.
    pub fn set_length(&mut self, length_m: f64) {
        self.length.set(length_m, (self.slider.target().max(SHORTEST_M), LONGEST_M));
    }

    pub fn set_thickness(&mut self, thickness_m: f64) {
        self.thickness.set(thickness_m, THICKNESS_M);
    }

    pub fn set_material(&mut self, young_pa: f64, density_kg_m3: f64) {
        self.young.set(young_pa, YOUNG_PA);
        self.density.set(density_kg_m3, DENSITY);
    }

    pub fn set_damping(&mut self, zeta: f64) {
        self.damping.set(zeta, ZETA);
    }

    /// Never longer than the scene's slider nor than the resonator. Its weight follows; the load does not.
    pub fn set_slider_length(&mut self, length_m: f64) {
        let longest = self.slider.first().min(self.length.target());
        self.slider.set(length_m, (SHORTEST_M.min(longest), longest));
    }

    pub fn set_pickup_position(&mut self, pickup: usize, position_m: f64) {
        let length = self.length.target();
        if let Some(ramp) = self.pickups.get_mut(pickup) {
            ramp.set(position_m, (0.0, length));
        }
    }

    /// Values that shape the bodies.
    fn bodies(&mut self) -> [&mut Ramp; 6] {
        let Self { length, thickness, young, density, damping, slider, .. } = self;
        [length, thickness, young, density, damping, slider]
    }

    /// One tick on; which of bodies and pick-ups moved.
    pub(super) fn tick(&mut self) -> Moved {
        let mut moved = Moved { grid: self.slider.is_moving(), ..Moved::default() };
        for ramp in self.bodies() {
            moved.bodies |= ramp.is_moving();
            ramp.tick();
        }
        moved.taps = moved.bodies;
        for ramp in &mut self.pickups {
            moved.taps |= ramp.is_moving();
            ramp.tick();
        }
        moved
    }

    /// Everything where it is going, at once.
    pub(super) fn arrive(&mut self) {
        for ramp in self.bodies() {
            ramp.jump(ramp.target());
        }
        for ramp in &mut self.pickups {
            ramp.jump(ramp.target());
        }
    }

    pub(super) fn write(&self, stage: &mut Stage) {
        let Stage { resonator, slider, .. } = stage;
        resonator.beam.length_m = self.length.value();
        resonator.beam.thickness_m = self.thickness.value();
        resonator.beam.young_pa = self.young.value();
        resonator.beam.density_kg_m3 = self.density.value();
        resonator.damping_ratio = self.damping.value();
        slider.beam.length_m = self.slider.value();
    }

    pub(super) fn write_places(&self, stage: &mut Stage) {
        for (place, ramp) in stage.places.iter_mut().zip(&self.pickups) {
            place.position_m = ramp.value();
        }
    }
}

/// What a tick has moved.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moved {
    pub bodies: bool,
    pub taps: bool,
    /// Nodes of the slider lie anew.
    pub grid: bool,
}
