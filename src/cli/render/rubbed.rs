//! What a render says about friction, where the scene has any.

use serde::Serialize;

use crate::record::Rubbing;
use crate::render::regime;
use crate::scene::Scene;

#[derive(Debug, Serialize)]
pub struct Rubbed {
    stick_share: f64,
    slips_per_s: f64,
    slip_swing: f64,
    mode: usize,
    mode_share: f64,
    mode_swing: f64,
    regime: &'static str,
}

impl Rubbed {
    pub fn of(scene: &Scene, rubbing: &Rubbing) -> Self {
        let Rubbing { stick_share, slips_per_s, slip_swing, mode, mode_share, mode_swing } = *rubbing;
        let regime = regime(scene, rubbing).name();
        Self { stick_share, slips_per_s, slip_swing, mode, mode_share, mode_swing, regime }
    }

    pub fn line(&self) -> String {
        format!(
            "\n{}: sticks {:.1} % of the time, {:.0} slips a second, {:.0} % of the motion in mode {}",
            self.regime,
            100.0 * self.stick_share,
            self.slips_per_s,
            100.0 * self.mode_share,
            self.mode,
        )
    }
}
