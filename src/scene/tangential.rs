//! What happens along the surface: the friction between the bodies and what pulls the slider.
//!
//! Without friction and with a rigid drive the scene is the frictionless bench of Dang 2013. The engines
//! read these structs; signs: a positive force pulls towards +x, slip is the slider's speed less the
//! resonator's.

use super::{Draft, Motion, MotionKind};
use crate::error::{Problem, Problems};
use crate::friction::Coulomb;
use crate::scheme::SchemeKind;
use std::f64::consts::TAU;

/// How a contact that does not slip is held.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stick {
    /// The slip speed is exactly zero.
    Exact,
    /// A spring that gives a little, as in SDND106.
    Penalty { stiffness_n_m: f64 },
}

/// Friction between the two surfaces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction {
    pub law: Coulomb,
    pub stick: Stick,
    /// The force acts half a thickness above the resonator's neutral axis, and the surface moves with
    /// -(H/2)·∂u̇/∂x.
    pub bends_resonator: bool,
    /// The same half a thickness below the slider's.
    pub pitches_slider: bool,
    /// The force acts along the local slope.
    pub follows_slope: bool,
}

/// What moves the drive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pull {
    /// It is where [`Motion`] says.
    Speed,
    /// A mass (may be zero) under a force that ends at `end_s`, N per metre of width.
    Force { force_n_m: f64, end_s: f64, mass_kg_m: f64 },
}

/// The spring and dashpot between drive and slider, per metre of width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    pub stiffness_n_m: f64,
    pub damping_n_s_m: f64,
}

/// What pulls, with the cases that are the same to the slider made one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Puller {
    /// x is the motion's.
    Rigid,
    Sprung(Link),
    /// A force that acts on the slider itself.
    Bare {
        force_n_m: f64,
        end_s: f64,
    },
    /// A force on a mass that is tied to the slider.
    Mass {
        force_n_m: f64,
        end_s: f64,
        mass: f64,
        link: Link,
    },
}

/// What pulls the slider along x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drive {
    pub pull: Pull,
    /// `None`: the slider is one with the drive.
    pub link: Option<Link>,
    /// Normal forces act on a slider that is free along x through ∂g/∂x.
    pub feels_contact: bool,
}

impl Drive {
    /// What pulls a slider of `slider_kg_m`, and the mass that it pulls: a drive without a link is one with the
    /// slider, a massless one hands its force straight on.
    pub fn puller(&self, slider_kg_m: f64) -> (Puller, f64) {
        match (self.pull, self.link) {
            (Pull::Speed, None) => (Puller::Rigid, slider_kg_m),
            (Pull::Speed, Some(link)) => (Puller::Sprung(link), slider_kg_m),
            (Pull::Force { force_n_m, end_s, mass_kg_m }, Some(link)) if mass_kg_m > 0.0 => {
                (Puller::Mass { force_n_m, end_s, mass: mass_kg_m, link }, slider_kg_m)
            }
            (Pull::Force { force_n_m, end_s, mass_kg_m }, _) => {
                (Puller::Bare { force_n_m, end_s }, slider_kg_m + mass_kg_m)
            }
        }
    }

    /// At what frequency a slider of `slider_kg_m` swings on its drive, where there is a spring to swing on.
    pub fn swing_hz(&self, slider_kg_m: f64) -> Option<f64> {
        let (link, freedom) = match self.puller(slider_kg_m) {
            (Puller::Sprung(link), moved) => (link, 1.0 / moved),
            (Puller::Mass { mass, link, .. }, moved) => (link, 1.0 / moved + 1.0 / mass),
            (Puller::Rigid | Puller::Bare { .. }, _) => return None,
        };
        Some((link.stiffness_n_m * freedom).sqrt() / TAU)
    }

    /// The slider's x follows [`Motion`] and nothing else, as in Dang 2013.
    pub fn is_rigid(&self) -> bool {
        self.pull == Pull::Speed && self.link.is_none()
    }
}

impl Draft {
    pub(super) fn friction(&self, problems: &mut Problems) -> Option<Friction> {
        let static_coefficient = self.number("friction.static");
        let dynamic_coefficient = self.number("friction.dynamic");
        if dynamic_coefficient > static_coefficient {
            problems.push(Problem::new(
                "friction.dynamic",
                dynamic_coefficient,
                format!("at most friction.static = {static_coefficient}"),
                "raise friction.static or lower friction.dynamic",
            ));
        }
        if static_coefficient == 0.0 {
            return None;
        }
        if self.word("run.integrator") != SchemeKind::CentralDifference.name() {
            problems.push(Problem::new(
                "run.integrator",
                self.word("run.integrator"),
                "friction is solved within a step of central differences",
                "set run.integrator=central-difference",
            ));
        }
        if self.word("contact.law") == "signorini" {
            problems.push(Problem::new(
                "contact.law",
                "signorini",
                "ideal contact has no friction in the time simulation",
                "take penalty, hertz or exponential, or set friction.static=0",
            ));
        }
        let stick = match self.word("friction.stick").as_str() {
            "penalty" => Stick::Penalty { stiffness_n_m: self.number("friction.stick_stiffness_n_m") },
            _ => Stick::Exact,
        };
        Some(Friction {
            law: Coulomb {
                static_coefficient,
                dynamic_coefficient,
                stribeck_m_s: self.number("friction.stribeck_m_s"),
            },
            stick,
            bends_resonator: self.flag("friction.bends_resonator"),
            pitches_slider: self.flag("friction.pitches_slider"),
            follows_slope: self.flag("friction.follows_slope"),
        })
    }

    pub(super) fn drive(&self, motion: &Motion, problems: &mut Problems) -> Drive {
        let link = self
            .optional_number("drive.stiffness_n_m")
            .map(|stiffness_n_m| Link { stiffness_n_m, damping_n_s_m: self.number("drive.damping_n_s_m") });
        if link.is_none() && self.is_set("drive.damping_n_s_m") {
            problems.push(Problem::new(
                "drive.damping_n_s_m",
                self.number("drive.damping_n_s_m"),
                "a rigid drive has no dashpot",
                "set drive.stiffness_n_m too",
            ));
        }
        let pull = match self.word("drive.kind").as_str() {
            "force" => Pull::Force {
                force_n_m: self.number("drive.force_n_m"),
                end_s: self.optional_number("drive.force_end_s").unwrap_or(f64::INFINITY),
                mass_kg_m: self.number("drive.mass_kg_m"),
            },
            _ => Pull::Speed,
        };
        let drive = Drive { pull, link, feels_contact: self.flag("drive.feels_contact") };
        self.check_free_slider(&drive, motion, problems);
        drive
    }

    /// A slider that is free along x may go anywhere.
    fn check_free_slider(&self, drive: &Drive, motion: &Motion, problems: &mut Problems) {
        if drive.is_rigid() {
            return;
        }
        if motion.kind == MotionKind::Pass {
            problems.push(Problem::new(
                "motion.kind",
                "pass",
                "a slider on a spring or under a force may leave the resonator",
                "set motion.kind=endless or motion.kind=reciprocate",
            ));
        }
        if drive.pull != Pull::Speed && motion.kind != MotionKind::Endless {
            problems.push(Problem::new(
                "drive.kind",
                "force",
                "a pulled slider goes as far as it goes",
                "set motion.kind=endless",
            ));
        }
        if self.word("contact.law") == "signorini"
            || self.word("run.integrator") != SchemeKind::CentralDifference.name()
        {
            problems.push(Problem::new(
                "drive.stiffness_n_m",
                "a slider that is free along x",
                "is stepped by central differences with a law of the gap",
                "set run.integrator=central-difference and contact.law=penalty, hertz or exponential",
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(keys: &[(&str, &str)]) -> Draft {
        let mut draft = Draft::default();
        for (key, value) in keys {
            draft.set(key, value).unwrap();
        }
        draft
    }

    #[test]
    fn nothing_is_said_about_friction_by_default() {
        let scene = Draft::default().build().unwrap();
        assert_eq!(scene.friction, None);
        assert!(scene.drive.is_rigid());
    }

    #[test]
    fn keys_become_a_law_and_a_drive() {
        let scene = draft(&[
            ("friction.static", "0.4"),
            ("friction.stribeck_m_s", "0.01"),
            ("friction.dynamic", "0.3"),
            ("motion.kind", "endless"),
            ("drive.stiffness_n_m", "1e5"),
        ])
        .build()
        .unwrap();
        let friction = scene.friction.unwrap();
        assert_eq!(friction.stick, Stick::Exact);
        assert!((friction.law.coefficient(0.0) - 0.4).abs() < 1e-15);
        assert_eq!(scene.drive.link, Some(Link { stiffness_n_m: 1e5, damping_n_s_m: 0.0 }));
        // Without a dynamic coefficient there is one coefficient.
        assert_eq!(
            draft(&[("friction.static", "0.4")]).build().unwrap().friction.unwrap().law.dynamic_coefficient,
            0.4
        );
    }

    #[test]
    fn val_the_slider_swings_on_its_drive() {
        // 0.78 kg/m on 1e5 N/m: 357.99 rad/s; a drive of 0.78 kg/m of its own makes it √2 faster.
        let swing = |keys: &[(&str, &str)]| {
            let scene = draft(keys).build().unwrap();
            scene.drive.swing_hz(scene.slider.beam.mass())
        };
        let sprung = [("motion.kind", "endless"), ("drive.stiffness_n_m", "1e5")];
        assert!((swing(&sprung).unwrap() * TAU - 357.99).abs() < 0.1);
        let heavy = [sprung[0], sprung[1], ("drive.kind", "force"), ("drive.mass_kg_m", "0.78")];
        assert!((swing(&heavy).unwrap() * TAU - 506.3).abs() < 0.2);
        assert_eq!(swing(&[]), None);
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_cure() {
        for keys in [
            &[("friction.static", "0.2"), ("friction.dynamic", "0.3")][..],
            &[("friction.static", "0.2"), ("contact.law", "signorini")],
            &[("friction.static", "0.2"), ("run.integrator", "rk4")],
            &[("drive.stiffness_n_m", "1e5")],
            &[("drive.kind", "force"), ("motion.kind", "reciprocate")],
            &[("drive.damping_n_s_m", "3")],
        ] {
            assert!(draft(keys).build().is_err(), "{keys:?}");
        }
    }
}
