//! The time step that a run may have.
//!
//! A sufficient bound: the contact adds at most k·(1/m₁ + 1/m₂) to ω², k being its stiffness per square
//! metre when every node touches in both passes, 2κ for the penalty law. Laws that stiffen with load are
//! taken at a hundred times the slider's weight, spread out (worst for Hertz) or as one sum (the
//! exponential law's stiffness is λ times the total force). Then τ < limit/√(ω_max² + k(1/m₁ + 1/m₂)),
//! with the scheme's limit on the imaginary axis.

use crate::contact::ContactLaw;
use crate::error::Problem;
use crate::scene::{Contact, Scene};
use crate::scheme::SchemeKind;

/// Forces in a run stay below this many slider weights (Dang 2013, Fig. 12).
const HEAVIEST_SHOCK: f64 = 100.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepBound {
    /// Largest step that is surely stable, s; 0 for schemes that never are.
    pub step_s: f64,
    /// √(ω_max² + contact), rad/s.
    pub omega: f64,
}

/// The bound for a scene with its own scheme.
pub fn step_bound(scene: &Scene) -> StepBound {
    let highest = |body: &crate::scene::Body| body.omegas(&body.basis()).into_iter().fold(0.0, f64::max);
    let modes = highest(&scene.resonator).max(highest(&scene.slider));
    let contact = match scene.contact {
        Contact::Law(law) => contact_omega_squared(scene, &law),
        Contact::Signorini => 0.0,
    };
    let kind = scene.run.integrator;
    let omega = (modes * modes + contact).sqrt();
    // Exact stepping feels the contact only, through kicks like those of central differences.
    let step_s = match kind {
        SchemeKind::Exact => 2.0 / contact.sqrt(),
        _ => kind.limit() / omega,
    };
    StepBound { step_s, omega }
}

fn contact_omega_squared(scene: &Scene, law: &ContactLaw) -> f64 {
    let (one, two) = (&scene.resonator, &scene.slider);
    let spread = 1.0 / one.beam.mass_per_area() + 1.0 / two.beam.mass_per_area();
    // Weightless scenes still collide: at least the weight of the slider's mass counts.
    let load = HEAVIEST_SHOCK * scene.normal_load_n_m().max(two.beam.mass() * crate::units::GRAVITY_M_S2);
    let even_pressure = 0.5 * load / two.beam.length_m;
    let even = 2.0 * law.stiffness_at_pressure(even_pressure) * spread;
    match law {
        ContactLaw::Penalty { .. } => even,
        ContactLaw::Hertz { .. } | ContactLaw::Exponential { .. } => {
            // All on one node: its stiffness over its share χ of the length, on all modes at once.
            let on_one = law.stiffness_at_pressure(load / scene.step_m) * scene.step_m;
            let compliance = |body: &crate::scene::Body| {
                let basis = body.basis();
                let peaks: f64 = (0..basis.len()).map(|k| basis.bounds(k).value.powi(2)).sum();
                peaks / body.beam.mass_per_area()
            };
            even.max(on_one * (compliance(one) + compliance(two)))
        }
    }
}

/// Refuses a step beyond the bound, unless the scene says otherwise.
pub fn check_step(scene: &Scene, step_s: f64) -> Result<(), Problem> {
    let bound = step_bound(scene);
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
