//! A scene laid out for the engine: both bodies' modes in one list, profiles on boards, the separation at
//! which they just touch.

use super::board::{Board, Part};
use super::broad_phase::BroadPhase;
use super::interface::{Course, Interface, Walk};
use super::stability::check_step;
use super::start::{initial_amplitudes, modal_system};
use crate::beam::ModalBasis;
use crate::error::Error;
use crate::scene::{Contact, Friction, MotionKind, Scene};
use crate::scheme::ModalSystem;
use crate::surface::Profile;

pub struct Bench {
    pub system: ModalSystem,
    pub resonator: ModalBasis,
    pub slider: ModalBasis,
    pub interface: Interface,
    /// Amplitudes that the scene starts from.
    pub settled: Vec<f64>,
}

impl Bench {
    /// Refuses a step that could blow up.
    pub fn new(scene: &Scene, walk: Walk, step_s: f64) -> Result<Self, Error> {
        let profiles = scene.profiles()?;
        check_step(scene, &profiles, step_s)?;
        Ok(Self::lay(scene, profiles, walk))
    }

    /// For a look at the contact without any step in time.
    pub fn still(scene: &Scene) -> Result<Self, Error> {
        Ok(Self::lay(scene, scene.profiles()?, Walk::Literal))
    }

    fn lay(scene: &Scene, profiles: (Profile, Profile), walk: Walk) -> Self {
        let (resonator, slider) = (scene.resonator.basis(), scene.slider.basis());
        let system = modal_system(scene, [&resonator, &slider]);
        let settled = initial_amplitudes(scene, &resonator, &system);
        let mut interface = interface(scene, profiles, [&resonator, &slider], walk);
        interface.separation_m =
            scene.run.separation_m.unwrap_or_else(|| interface.highest_meeting(0.0, &settled));
        Self { system, resonator, slider, interface, settled }
    }
}

/// Profiles, boards and bound of a scene.
fn interface(scene: &Scene, profiles: (Profile, Profile), bases: [&ModalBasis; 2], walk: Walk) -> Interface {
    let step_m = scene.step_m;
    let [resonator, slider] = bases;
    let slider_nodes = profiles.1.heights_m.len();
    let looped = scene.motion.kind == MotionKind::Endless;
    // The slip speed counts the resonator's surface with +H/2 and the slider's with -H/2; see `rub`.
    let arm = |turns: fn(&Friction) -> bool, thickness_m: f64| {
        if scene.friction.as_ref().is_some_and(turns) { 0.5 * thickness_m } else { 0.0 }
    };
    let below = arm(|friction| friction.bends_resonator, scene.resonator.beam.thickness_m);
    let above = -arm(|friction| friction.pitches_slider, scene.slider.beam.thickness_m);
    let lower = |origin_m: f64| Part { basis: resonator.clone(), origin_m, arm_m: below };
    let upper = Part { basis: slider.clone(), origin_m: 0.0, arm_m: above };
    let boards = if looped {
        // The slider's nodes stand on nodes of the resonator's grid.
        let seat_m = (scene.motion.start_m / step_m).round() * step_m;
        vec![Board::new(vec![lower(seat_m), upper], 0, slider_nodes, step_m)]
    } else {
        let resonator_nodes = profiles.0.heights_m.len();
        vec![
            Board::new(vec![lower(0.0)], 0, resonator_nodes, step_m),
            Board::new(vec![upper], resonator.len(), slider_nodes, step_m),
        ]
    };
    let broad = BroadPhase::new(
        bases,
        [&profiles.0.heights_m, &profiles.1.heights_m],
        looped,
        step_m,
        scene.motion.peak_speed(),
    );
    let law = match scene.contact {
        Contact::Law(law) => Some(law),
        Contact::Signorini => None,
    };
    let course = if scene.drive.is_rigid() {
        Course::Imposed(scene.motion)
    } else {
        Course::Free(scene.motion.offset(0.0))
    };
    Interface::new(profiles, boards, law, walk, broad, course)
}
