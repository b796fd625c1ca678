//! What moves while a voice sounds: speed or position, roughness, load, stiffness, correlation scale,
//! friction and drive, lifted or not. Every value glides (`ramp`); what a chunk needs of them is one [`Tick`].

use super::grasp::{Grasp, GraspControls};
use super::lead::Lead;
use super::press::NodeLaw;
use super::ramp::Ramp;
use super::surfaces::Surfaces;
use crate::contact::ContactLaw;
use crate::friction::Coulomb;
use crate::scene::{Contact, Motion, MotionKind, Scene};

/// Ranges that controls are clamped to: those of the scene's keys.
const SPEED_M_S: (f64, f64) = (-50.0, 50.0);
const RA_M: (f64, f64) = (0.0, 1e-3);
const LOAD_N_M: (f64, f64) = (0.0, 1e6);
/// Factors on the scene's own stiffness and correlation length.
const STIFFNESS: (f64, f64) = (1e-6, 1e6);
const STRETCH: (f64, f64) = (0.5, 4.0);
/// Loudness of a voice against the others.
const VOLUME: (f64, f64) = (0.0, 16.0);
/// No gain is exactly zero, so that nodes beyond the slider's end stay out of reach.
const SMALLEST_GAIN: f64 = 1e-12;
/// Penalty that stands in for ideal contact: the bench's κ times this.
const IDEAL_KAPPA_PA: f64 = 2.1e13;

/// One chunk's worth of control.
#[derive(Debug, Clone, Copy)]
pub struct Tick {
    /// Nodes per step.
    pub travel: f64,
    /// Ra of strip and slider at the start of the chunk, and their change per step.
    pub gains: [f32; 2],
    pub gain_steps: [f32; 2],
    pub swelling: bool,
    /// Volume at the start of the chunk, and its change per step.
    pub volume: f32,
    pub volume_step: f32,
    pub law: NodeLaw,
    /// Rear end of a travelling slider at the start of the chunk, and its way per step (0: stays).
    pub seat_m: f64,
    pub seat_step_m: f64,
    pub lifted: bool,
    /// Steady forces, the grid of nodes have changed.
    pub load_moved: bool,
    pub grid_moved: bool,
    /// The slider comes down again with this chunk.
    pub lands: bool,
    /// Friction and drive where they have changed.
    pub grasp: Option<Grasp>,
}

#[derive(Debug, Clone, Copy)]
pub struct Controls {
    speed: Ramp,
    ra: [Ramp; 2],
    load: Ramp,
    stiffness: Ramp,
    stretch: Ramp,
    volume: Ramp,
    grasp: GraspControls,
    lead: Lead,
    lifted: bool,
    was_lifted: bool,
    law: ContactLaw,
    /// Load that the rest position is made for.
    pub nominal_load_n_m: f64,
    grid_m: f64,
    /// Slider over the texture, in nodes.
    offset: f64,
    start: Motion,
    room_m: f64,
}

impl Controls {
    pub fn new(scene: &Scene, surfaces: &Surfaces, tick_s: f64) -> Self {
        let law = match scene.contact {
            Contact::Law(law) => law,
            Contact::Signorini => ContactLaw::Penalty { kappa_pa: IDEAL_KAPPA_PA },
        };
        // A stroke of its own makes another peak speed than the scene's.
        let speed_m_s = match scene.motion.kind {
            MotionKind::Reciprocate { .. } => scene.motion.peak_speed(),
            MotionKind::Pass | MotionKind::Endless => scene.motion.speed_m_s,
        };
        let load = scene.normal_load_n_m();
        let grid_m = surfaces.bottom.step_m;
        Self {
            speed: Ramp::linear(speed_m_s, tick_s),
            ra: [surfaces.bottom.ra_m, surfaces.top.ra_m].map(|ra| Ramp::linear(ra, tick_s)),
            load: Ramp::linear(load, tick_s),
            stiffness: Ramp::by_ratio(1.0, tick_s),
            stretch: Ramp::by_ratio(1.0, tick_s),
            volume: Ramp::linear(1.0, tick_s),
            grasp: GraspControls::new(scene, tick_s),
            lead: Lead::new(scene.motion.kind),
            lifted: false,
            was_lifted: false,
            law,
            nominal_load_n_m: load,
            grid_m,
            offset: scene.motion.offset(0.0) / grid_m,
            start: scene.motion,
            room_m: scene.resonator.beam.length_m - scene.slider.beam.length_m,
        }
    }

    /// Speed, or the largest speed of a swing.
    pub fn set_speed(&mut self, speed_m_s: f64) {
        self.speed.set(speed_m_s, SPEED_M_S);
    }

    /// Swings per second of a slider that goes to and fro; where it is in its swing stays.
    pub fn set_rate(&mut self, rate_hz: f64) {
        self.lead.set_rate(rate_hz);
    }

    /// Ra of the resonator's and the slider's surface.
    pub fn set_ra(&mut self, bottom_m: f64, top_m: f64) {
        self.ra[0].set(bottom_m, RA_M);
        self.ra[1].set(top_m, RA_M);
    }

    pub fn set_load(&mut self, load_n_m: f64) {
        self.load.set(load_n_m, LOAD_N_M);
    }

    /// Factor on the stiffness of the scene's law.
    pub fn set_stiffness(&mut self, factor: f64) {
        self.stiffness.set(factor, STIFFNESS);
    }

    /// Factor on all lengths along the texture, the correlation length among them.
    pub fn set_stretch(&mut self, factor: f64) {
        self.stretch.set(factor, STRETCH);
    }

    /// Coefficients and Stribeck speed. Heard where the scene has friction: switching it on takes another engine.
    pub fn set_friction(&mut self, law: Coulomb) {
        self.grasp.set_friction(law);
    }

    /// Spring from the drive to the slider. Heard where the scene has one.
    pub fn set_drive_stiffness(&mut self, stiffness_n_m: f64) {
        self.grasp.set_drive_stiffness(stiffness_n_m);
    }

    /// Factor on what the pick-ups read of this voice; the physics does not hear it.
    pub fn set_volume(&mut self, factor: f64) {
        self.volume.set(factor, VOLUME);
    }

    /// Leads the slider to a place on the resonator. The first call takes it over from the scene's motion.
    pub fn set_position(&mut self, position_m: f64) {
        if !matches!(self.lead, Lead::Hand(_)) {
            let mut position = self.speed;
            position.jump(self.offset * self.step_m());
            self.lead = Lead::Hand(position);
        }
        let room = self.room_m.max(0.0);
        if let Lead::Hand(ramp) = &mut self.lead {
            ramp.set(position_m, (0.0, room));
        }
    }

    /// Takes the slider off, or puts it down again where it touches.
    pub fn set_lifted(&mut self, lifted: bool) {
        self.lifted = lifted;
    }

    pub fn is_lifted(&self) -> bool {
        self.lifted
    }

    pub fn speed_m_s(&self) -> f64 {
        self.speed.value()
    }

    pub fn load_n_m(&self) -> f64 {
        self.load.value()
    }

    pub fn gains(&self) -> [f32; 2] {
        self.ra.map(|ra| ra.value().max(SMALLEST_GAIN) as f32)
    }

    pub fn offset(&self) -> f64 {
        self.offset
    }

    pub fn arrive(&mut self, offset: f64) {
        self.offset = offset;
    }

    /// The law of one node as stiffness, Ra and node distance are now.
    pub fn node_law(&self) -> NodeLaw {
        let ra_m: f64 = self.ra.iter().map(Ramp::value).sum();
        NodeLaw::new(&self.law, self.step_m(), self.stiffness.value(), ra_m)
    }

    /// Distance between nodes at present.
    pub fn step_m(&self) -> f64 {
        self.grid_m * self.stretch.value()
    }

    pub fn shortest_step_m(&self) -> f64 {
        self.grid_m * STRETCH.0
    }

    /// Where the slider's rear end stands on the resonator.
    pub fn seat_m(&self, length_m: f64, slider_m: f64) -> f64 {
        let room = (length_m - slider_m).max(0.0);
        match self.lead {
            // In place, in proportion when the resonator's length changes.
            Lead::Endless if self.room_m > 0.0 => (self.start.start_m / self.room_m).min(1.0) * room,
            Lead::Endless => 0.0,
            Lead::Pass | Lead::Swing { .. } | Lead::Hand(_) => (self.offset * self.step_m()).clamp(0.0, room),
        }
    }

    fn ramps(&mut self) -> [&mut Ramp; 7] {
        let Self { speed, ra: [bottom, top], load, stiffness, stretch, volume, .. } = self;
        [speed, bottom, top, load, stiffness, stretch, volume]
    }

    /// A new beginning `offset_m` along the texture: everything where it is going, at once, and the rest
    /// position made for the load as it is now.
    pub(super) fn start(&mut self, offset_m: f64) {
        self.grasp.arrive();
        for ramp in self.ramps() {
            ramp.jump(ramp.target());
        }
        self.nominal_load_n_m = self.load.value();
        let begin_m = self.lead.begin(self.start.start_m, offset_m);
        if begin_m.is_finite() {
            self.offset = begin_m / self.step_m();
        }
        self.lifted = false;
        self.was_lifted = false;
    }

    /// One tick on; what the chunk of `chunk_s` and `steps` that follows needs.
    pub fn tick(&mut self, chunk_s: f64, steps: usize) -> Tick {
        let gains = self.gains();
        let speed = self.speed.value();
        let swelling = self.ra.iter().any(Ramp::is_moving);
        let grid_moved = self.stretch.is_moving();
        let load_moved = self.load.is_moving() || self.lifted != self.was_lifted;
        let lands = self.was_lifted && !self.lifted;
        self.was_lifted = self.lifted;
        let old_step_m = self.step_m();
        let volume = self.volume.value();
        for ramp in self.ramps() {
            ramp.tick();
        }
        let step_m = self.step_m();
        if !matches!(self.lead, Lead::Endless) {
            // A slider that travels stays where it is; the texture stretches under it.
            self.offset *= old_step_m / step_m;
        }
        let seat_m = self.offset * step_m;
        let mean_speed = 0.5 * (speed + self.speed.value());
        let way_m = self.lead.advance(mean_speed, chunk_s, seat_m, self.room_m);
        let then = self.gains();
        let per_step = 1.0 / steps.max(1) as f64;
        Tick {
            travel: way_m * per_step / step_m,
            gains,
            gain_steps: std::array::from_fn(|i| (then[i] - gains[i]) * per_step as f32),
            swelling,
            volume: volume as f32,
            volume_step: ((self.volume.value() - volume) * per_step) as f32,
            law: self.node_law(),
            seat_m,
            seat_step_m: if matches!(self.lead, Lead::Endless) { 0.0 } else { way_m * per_step },
            lifted: self.lifted,
            load_moved,
            grid_moved,
            lands,
            grasp: self.grasp.tick(),
        }
    }
}
