//! How a slider is rubbed and held while it sounds: coefficients of friction, Stribeck speed, drive stiffness.
//! They glide like all controls; whether there is friction at all, or a spring, the scene decides.

use super::ramp::Ramp;
use crate::friction::Coulomb;
use crate::scene::Scene;

/// Ranges of the scene's keys.
const COEFFICIENT: (f64, f64) = (0.0, 10.0);
const STRIBECK_M_S: (f64, f64) = (0.0, 100.0);
const DRIVE_N_M: (f64, f64) = (1e-3, 1e12);

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grasp {
    pub law: Coulomb,
    /// Of the spring to the drive.
    pub stiffness_n_m: f64,
}

#[derive(Debug, Clone, Copy)]
pub struct GraspControls {
    /// μ_s, μ_d and v_s.
    friction: [Ramp; 3],
    drive: Ramp,
    /// At once somewhere else than the engine last heard.
    jumped: bool,
}

impl GraspControls {
    pub fn new(scene: &Scene, tick_s: f64) -> Self {
        let friction = scene.friction.map_or([0.0; 3], |friction| {
            let Coulomb { static_coefficient, dynamic_coefficient, stribeck_m_s } = friction.law;
            [static_coefficient, dynamic_coefficient, stribeck_m_s]
        });
        let drive_n_m = scene.drive.link.map_or(DRIVE_N_M.1, |link| link.stiffness_n_m);
        Self {
            friction: friction.map(|value| Ramp::linear(value, tick_s)),
            drive: Ramp::by_ratio(drive_n_m, tick_s),
            jumped: true,
        }
    }

    pub fn set_friction(&mut self, law: Coulomb) {
        let [fixed, sliding, stribeck] = &mut self.friction;
        fixed.set(law.static_coefficient, COEFFICIENT);
        sliding.set(law.dynamic_coefficient, COEFFICIENT);
        stribeck.set(law.stribeck_m_s, STRIBECK_M_S);
    }

    pub fn set_drive_stiffness(&mut self, stiffness_n_m: f64) {
        self.drive.set(stiffness_n_m, DRIVE_N_M);
    }

    fn ramps(&mut self) -> impl Iterator<Item = &mut Ramp> {
        self.friction.iter_mut().chain([&mut self.drive])
    }

    /// Everything where it is going, at once.
    pub fn arrive(&mut self) {
        self.jumped = true;
        self.ramps().for_each(|ramp| ramp.jump(ramp.target()));
    }

    /// One tick on; what is new, if anything is.
    pub fn tick(&mut self) -> Option<Grasp> {
        let moves = self.ramps().any(|ramp| ramp.is_moving());
        self.ramps().for_each(Ramp::tick);
        (std::mem::take(&mut self.jumped) || moves).then(|| self.now())
    }

    fn now(&self) -> Grasp {
        let [fixed, sliding, stribeck] = self.friction.map(|ramp| ramp.value());
        let law = Coulomb {
            static_coefficient: fixed,
            // Ramps that began apart may cross on their way.
            dynamic_coefficient: sliding.min(fixed),
            stribeck_m_s: stribeck,
        };
        Grasp { law, stiffness_n_m: self.drive.value() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Draft;

    #[test]
    fn it_speaks_at_first_and_while_it_moves_and_never_says_what_cannot_be() {
        let mut draft = Draft::default();
        for (key, value) in [("friction.static", "0.5"), ("friction.dynamic", "0.4")] {
            draft.set(key, value).unwrap();
        }
        let mut grasp = GraspControls::new(&draft.build().unwrap(), 1e-3);
        let law = |static_coefficient, dynamic_coefficient| Coulomb {
            static_coefficient,
            dynamic_coefficient,
            stribeck_m_s: f64::NAN,
        };
        assert_eq!(grasp.tick().unwrap().law, Coulomb { stribeck_m_s: 0.0, ..law(0.5, 0.4) });
        assert_eq!(grasp.tick(), None);
        grasp.set_friction(law(0.1, 1.0));
        let told: Vec<Grasp> = std::iter::from_fn(|| grasp.tick()).collect();
        assert_eq!(told.len(), 20);
        assert!(told.iter().all(|now| now.law.dynamic_coefficient <= now.law.static_coefficient));
        assert_eq!(told[19].law.static_coefficient, 0.1);
        grasp.set_drive_stiffness(f64::NAN);
        assert_eq!(grasp.tick(), None);
        grasp.set_drive_stiffness(1e5);
        grasp.arrive();
        assert_eq!(grasp.tick().unwrap().stiffness_n_m, 1e5);
    }
}
