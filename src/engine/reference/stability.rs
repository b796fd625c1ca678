//! The time step that a run may have.
//!
//! A sufficient bound: the contact adds at most k·(1/m₁ + 1/m₂) to ω², k being its stiffness per square
//! metre when every node touches in both passes, 2κ for the penalty law. Then
//! τ < limit/√(ω_max² + k(1/m₁ + 1/m₂)), with the scheme's limit on the imaginary axis.
//!
//! Laws that stiffen with load have no stiffest state. They are taken at a hundred slider weights, spread
//! out or on one node, and at the hardest impact: all of the approach energy v²/(2C) in one node, C being
//! the compliance Σψ²/m of both bodies there and v the speed at which the steepest flanks of both
//! profiles close the gap, twice, with an allowance for vibration.

use super::tow::Tow;
use crate::contact::ContactLaw;
use crate::error::Problem;
use crate::scene::{Contact, Friction, Scene, Stick};
use crate::scheme::SchemeKind;
use crate::surface::Profile;

/// Forces in a run stay below this many slider weights (Dang 2013, Fig. 12).
const HEAVIEST_SHOCK: f64 = 100.0;
/// Vibration of the loudest benches, m/s (150 dB re 1 nm/s is 0.03).
const VIBRATION_M_S: f64 = 0.1;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepBound {
    /// Largest step that is surely stable, s; 0 for schemes that never are.
    pub step_s: f64,
    /// √(ω_max² + contact), rad/s.
    pub omega: f64,
}

/// The bound for a scene with its own scheme on its own profiles.
pub fn step_bound(scene: &Scene, profiles: &(Profile, Profile)) -> StepBound {
    let highest = |body: &crate::scene::Body| body.omegas(&body.basis()).into_iter().fold(0.0, f64::max);
    let modes = highest(&scene.resonator).max(highest(&scene.slider));
    let contact = match scene.contact {
        Contact::Law(law) => contact_omega_squared(scene, &law, approach_speed(scene, profiles)),
        Contact::Signorini => 0.0,
    };
    let kind = scene.run.integrator;
    let omega = (modes * modes + contact + along_x(scene)).sqrt();
    // Exact stepping feels the contact only, through kicks like those of central differences.
    let step_s = match kind {
        SchemeKind::Exact => 2.0 / contact.sqrt(),
        _ => kind.limit() / omega,
    };
    StepBound { step_s, omega }
}

/// ω² that the drive's spring and the penalised stick can add.
fn along_x(scene: &Scene) -> f64 {
    let spring = Tow::new(scene, 1.0).omega_squared();
    let Some(Friction { stick: Stick::Penalty { stiffness_n_m }, .. }) = scene.friction else {
        return spring;
    };
    let turning: f64 = [&scene.resonator, &scene.slider]
        .map(|body| {
            let basis = body.basis();
            let slopes: f64 = (0..basis.len()).map(|k| basis.bounds(k).slope.powi(2)).sum();
            slopes * (0.5 * body.beam.thickness_m).powi(2) / body.beam.mass_per_area()
        })
        .iter()
        .sum();
    // The stick's dashpot, half of the critical one, costs explicit stepping about a third of its limit.
    spring + 2.0 * stiffness_n_m * (1.0 / scene.slider.beam.mass() + turning)
}

/// Twice the speed at which the steepest flanks close a gap.
fn approach_speed(scene: &Scene, profiles: &(Profile, Profile)) -> f64 {
    let steepest = |profile: &Profile| {
        let steps = profile.heights_m.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        steps.fold(0.0, f64::max) / profile.step_m
    };
    2.0 * scene.motion.peak_speed() * (steepest(&profiles.0) + steepest(&profiles.1)) + VIBRATION_M_S
}

fn contact_omega_squared(scene: &Scene, law: &ContactLaw, approach_m_s: f64) -> f64 {
    let (one, two) = (&scene.resonator, &scene.slider);
    let spread = 1.0 / one.beam.mass_per_area() + 1.0 / two.beam.mass_per_area();
    // Weightless scenes still collide: at least the weight of the slider's mass counts.
    let load = HEAVIEST_SHOCK * scene.normal_load_n_m().max(two.beam.mass() * crate::units::GRAVITY_M_S2);
    let even_pressure = 0.5 * load / two.beam.length_m;
    let even = 2.0 * law.stiffness_at_pressure(even_pressure) * spread;
    if let ContactLaw::Penalty { .. } = law {
        return even;
    }
    let compliance: f64 = [one, two]
        .map(|body| {
            let basis = body.basis();
            (0..basis.len()).map(|k| basis.bounds(k).value.powi(2)).sum::<f64>() / body.beam.mass_per_area()
        })
        .iter()
        .sum();
    let impact_energy = 0.5 * approach_m_s * approach_m_s / compliance;
    let hardest = (load / scene.step_m).max(law.pressure_at_energy(impact_energy / scene.step_m));
    even.max(law.stiffness_at_pressure(hardest) * scene.step_m * compliance)
}

/// Refuses a step beyond the bound, unless the scene says otherwise.
pub fn check_step(scene: &Scene, profiles: &(Profile, Profile), step_s: f64) -> Result<(), Problem> {
    let bound = step_bound(scene, profiles);
    if scene.run.allow_unstable || step_s < bound.step_s {
        return Ok(());
    }
    let kind = scene.run.integrator;
    if bound.step_s == 0.0 {
        return Err(Problem::new(
            "run.integrator",
            kind.name(),
            "is unstable for an undamped mode at any step",
            "choose central-difference, rk4, rk8 or exact, or set run.allow_unstable=true to see it happen",
        ));
    }
    Err(Problem::new(
        "run.step_s",
        format!("{step_s:e} s"),
        format!("must be below {:.3e} s for {} with this contact", bound.step_s, kind.name()),
        format!("set run.step_s={:.1e}, soften the contact or drop modes", 0.5 * bound.step_s),
    ))
}
