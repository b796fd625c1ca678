//! Which κ to take (Dang 2013, §4): run a millisecond with both algorithms and compare; while they
//! differ by more than 10 %, change κ.
//!
//! Compared is the vibration level of the resonator's velocity, the quantity that runs are made for:
//! relative difference of v_rms. Contact is chaotic, so a point-by-point comparison would say little
//! after the first shocks.

use super::{Request, run};
use crate::contact::ContactLaw;
use crate::error::{Error, Problem};
use crate::scene::{Contact, Scene};

/// The paper's tolerance.
const TOLERANCE: f64 = 0.10;
/// Each trial stiffens the contact by this factor.
const STIFFER: f64 = 10f64;
const MAX_TRIALS: usize = 8;

#[derive(Debug, Clone)]
pub struct KappaAdvice {
    pub kappa_pa: f64,
    /// Relative difference of v_rms to the Lagrange run at that κ.
    pub difference: f64,
    /// Every κ tried with its difference.
    pub trials: Vec<(f64, f64)>,
}

/// Starts from half of Young's modulus, the lower end of the paper's first estimate, and stiffens.
/// The scene's step must suit the stiffest κ tried; trials beyond it end the search.
pub fn advise_kappa(scene: &Scene, seconds: f64) -> Result<KappaAdvice, Error> {
    let request = Request { seconds, skip_s: 0.0, ..Request::default() };
    let speed = |contact: Contact| -> Result<f64, Error> {
        let trial = Scene { contact, ..scene.clone() };
        Ok(run(&trial, &request, &mut |_| true)?.figures.v_rms_m_s)
    };
    let ideal = speed(Contact::Signorini)?;
    let mut kappa_pa = 0.5 * scene.resonator.beam.young_pa;
    let mut trials: Vec<(f64, f64)> = Vec::new();
    for _ in 0..MAX_TRIALS {
        let Ok(soft) = speed(Contact::Law(ContactLaw::Penalty { kappa_pa })) else { break };
        let difference = (soft / ideal - 1.0).abs();
        trials.push((kappa_pa, difference));
        if difference <= TOLERANCE {
            return Ok(KappaAdvice { kappa_pa, difference, trials });
        }
        kappa_pa *= STIFFER;
    }
    let best = trials.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
    match best {
        Some((kappa_pa, difference)) => Ok(KappaAdvice { kappa_pa, difference, trials }),
        None => Err(Problem::new(
            "run.step_s",
            format!("{:e} s", scene.run.step_s),
            "too long for any κ worth trying",
            "shorten it",
        )
        .into()),
    }
}
