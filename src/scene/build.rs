//! From keys to a scene: units, defaults that depend on other values, and all combinations that cannot
//! be. Every problem is found before any is reported.

use super::{Body, Contact, DampingLaw, Draft, Motion, MotionKind, Pickup, Run, Scene, Start, Value};
use crate::beam::{Beam, Ends};
use crate::contact::{ContactLaw, effective_modulus};
use crate::error::{Error, Problem, Problems};
use crate::record::Quantity;
use crate::scheme::SchemeKind;
use crate::units::MICRO;
use std::f64::consts::PI;

/// The rows of mode shapes under both bodies must stay below this many numbers (2 GiB).
const MAX_TABLE: f64 = 268_435_456.0;

impl Draft {
    /// Checks everything and converts to SI.
    pub fn build(&self) -> Result<Scene, Error> {
        let mut problems = Problems::default();
        let resonator = self.body("resonator", &mut problems);
        let slider = self.body("slider", &mut problems);
        let motion = self.motion(&resonator.beam, &slider.beam, &mut problems);
        let run = self.run();
        let load_n_m = self.number("slider.load_n_m");
        let seed = self.integer("surface.seed");
        let lengths = [resonator.beam.length_m, slider.beam.length_m];
        let (bottom, top, step_m) = self.surfaces(lengths, seed, &mut problems);
        // Rough surfaces carry their load on a node here and there, not on the whole length: p_1 of the
        // exponential law is the load on one node of each pass.
        let contact_pressure = (slider.beam.mass() * run.gravity_m_s2 + load_n_m) / (2.0 * step_m);
        let contact = self.contact(&resonator.beam, &slider.beam, step_m, contact_pressure, &mut problems);
        let friction = self.friction(&mut problems);
        let drive = self.drive(&motion, &mut problems);
        let pickups = self.pickups(&resonator.beam, &mut problems);
        if slider.beam.length_m > resonator.beam.length_m {
            problems.push(Problem::new(
                "slider.length_m",
                slider.beam.length_m,
                format!("at most resonator.length_m = {}", resonator.beam.length_m),
                "shorten the slider or lengthen the resonator",
            ));
        }
        let table = (resonator.beam.length_m / step_m) * resonator.modes as f64
            + (slider.beam.length_m / step_m) * (resonator.modes + slider.modes) as f64;
        if table > MAX_TABLE {
            problems.push(Problem::new(
                "surface.step_um",
                step_m / MICRO,
                format!("nodes × modes = {table:.2e} is beyond {MAX_TABLE:.2e}"),
                "take a coarser step, fewer modes or a shorter resonator",
            ));
        }
        problems.or(Scene {
            bottom,
            top,
            step_m,
            resonator,
            slider,
            load_n_m,
            contact,
            friction,
            motion,
            drive,
            pickups,
            run,
            seed,
        })
    }

    pub(super) fn number(&self, name: &str) -> f64 {
        self.optional_number(name).unwrap_or(f64::NAN)
    }

    pub(super) fn optional_number(&self, name: &str) -> Option<f64> {
        match self.value(name) {
            Some(Value::Number(number)) => Some(number),
            _ => None,
        }
    }

    pub(super) fn integer(&self, name: &str) -> u64 {
        match self.value(name) {
            Some(Value::Integer(integer)) => integer,
            _ => 0,
        }
    }

    pub(super) fn word(&self, name: &str) -> String {
        match self.value(name) {
            Some(Value::Word(word)) => word,
            _ => String::new(),
        }
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.value(name) == Some(Value::Flag(true))
    }

    fn body(&self, which: &str, problems: &mut Problems) -> Body {
        let key = |field: &str| format!("{which}.{field}");
        let ends = Ends::from_name(&self.word(&key("ends"))).unwrap_or(Ends::Pinned);
        let beam = Beam {
            length_m: self.number(&key("length_m")),
            thickness_m: self.number(&key("thickness_m")),
            young_pa: self.number(&key("young_pa")),
            density_kg_m3: self.number(&key("density_kg_m3")),
            ends,
        };
        let modes = self.integer(&key("modes")) as usize;
        let flexural = modes > if ends == Ends::Free { 2 } else { 0 };
        if flexural && beam.thickness_m > beam.length_m / 2.0 {
            problems.push(Problem::new(
                key("thickness_m"),
                beam.thickness_m,
                format!("at most half the length ({}) for a body that bends", beam.length_m / 2.0),
                "make it thinner, longer, or rigid (free ends, 2 modes)",
            ));
        }
        if ends == Ends::Free && modes < 2 {
            problems.push(Problem::new(
                key("modes"),
                modes,
                "at least 2 with free ends: translation and rotation",
                "set 2 or more",
            ));
        }
        let damping_law = match self.word(&key("damping_law")).as_str() {
            "viscous" => DampingLaw::Viscous,
            _ => DampingLaw::Constant,
        };
        let needs_bed = which == "resonator" && ends == Ends::Free;
        let support_hz = if needs_bed { self.number("resonator.support_hz") } else { 0.0 };
        Body { beam, modes, damping_ratio: self.number(&key("damping_ratio")), damping_law, support_hz }
    }

    fn motion(&self, resonator: &Beam, slider: &Beam, problems: &mut Problems) -> Motion {
        let speed_m_s = self.number("motion.speed_m_s");
        let start_m = self.number("motion.start_m");
        let rate_hz = self.number("motion.rate_hz");
        let room = resonator.length_m - slider.length_m;
        if start_m > room && room >= 0.0 {
            problems.push(Problem::new(
                "motion.start_m",
                start_m,
                format!("at most {room}: the slider must lie on the resonator"),
                "start further left",
            ));
        }
        let kind = match self.word("motion.kind").as_str() {
            "endless" => MotionKind::Endless,
            "reciprocate" => {
                let stroke_m =
                    self.optional_number("motion.stroke_m").unwrap_or(speed_m_s.abs() / (PI * rate_hz));
                if self.is_set("motion.stroke_m") && self.is_set("motion.speed_m_s") {
                    problems.push(Problem::new(
                        "motion.stroke_m",
                        stroke_m,
                        "stroke and rate already give the speed",
                        "leave motion.stroke_m or motion.speed_m_s out",
                    ));
                }
                if start_m + stroke_m > room {
                    problems.push(Problem::new(
                        "motion.stroke_m",
                        stroke_m,
                        format!("start + stroke is at most {room}"),
                        "shorten the stroke, raise the rate, lower the speed or start further left",
                    ));
                }
                MotionKind::Reciprocate { stroke_m, rate_hz }
            }
            _ => MotionKind::Pass,
        };
        Motion { kind, speed_m_s, start_m }
    }

    fn run(&self) -> Run {
        Run {
            start: if self.word("run.start") == "rest" { Start::Rest } else { Start::Settled },
            resonator_gravity: self.flag("run.resonator_gravity"),
            gravity_m_s2: self.number("run.gravity_m_s2"),
            step_s: self.number("run.step_s"),
            integrator: SchemeKind::from_name(&self.word("run.integrator"))
                .unwrap_or(SchemeKind::CentralDifference),
            allow_unstable: self.flag("run.allow_unstable"),
            separation_m: self.optional_number("run.separation_m"),
        }
    }

    fn contact(
        &self,
        resonator: &Beam,
        slider: &Beam,
        step_m: f64,
        contact_pressure_pa: f64,
        problems: &mut Problems,
    ) -> Contact {
        let kappa_pa = self.number("contact.kappa_pa");
        match self.word("contact.law").as_str() {
            "hertz" => Contact::Law(ContactLaw::hertz(
                self.number("contact.radius_m"),
                effective_modulus(resonator.young_pa, slider.young_pa),
                self.number("contact.asperity_spacing_m"),
                step_m,
            )),
            "exponential" => {
                if contact_pressure_pa <= 0.0 {
                    problems.push(Problem::new(
                        "contact.law",
                        "exponential",
                        "needs a contact pressure p_1 > 0",
                        "give the slider weight (run.gravity_m_s2) or a load (slider.load_n_m)",
                    ));
                }
                let p1_pa = contact_pressure_pa;
                let p0_pa = self.optional_number("contact.p0_pa").unwrap_or(p1_pa);
                let lambda_1_m = self.optional_number("contact.lambda_1_m").unwrap_or(kappa_pa / p1_pa);
                Contact::Law(ContactLaw::Exponential { p0_pa, lambda_1_m, p1_pa })
            }
            "signorini" => {
                if self.word("run.integrator") != SchemeKind::CentralDifference.name() {
                    problems.push(Problem::new(
                        "run.integrator",
                        self.word("run.integrator"),
                        "Algorithm 2 for ideal contact is built on central differences",
                        "set run.integrator=central-difference",
                    ));
                }
                Contact::Signorini
            }
            _ => Contact::Law(ContactLaw::Penalty { kappa_pa }),
        }
    }

    fn pickups(&self, resonator: &Beam, problems: &mut Problems) -> Vec<Pickup> {
        let mut numbers = self.pickup_numbers();
        if numbers.is_empty() {
            numbers.push(1);
        }
        let mut pickups = Vec::new();
        for number in numbers {
            let key = |field: &str| format!("pickup.{number}.{field}");
            let mut position_m = self.number(&key("position_m"));
            if !self.is_set(&key("position_m")) {
                // The paper's point, kept at the same place in proportion on another beam.
                position_m *= resonator.length_m / 0.45;
            }
            if position_m > resonator.length_m {
                problems.push(Problem::new(
                    key("position_m"),
                    position_m,
                    format!("at most resonator.length_m = {}", resonator.length_m),
                    "move it onto the resonator",
                ));
            }
            pickups.push(Pickup {
                position_m,
                quantity: Quantity::from_name(&self.word(&key("quantity"))).unwrap_or(Quantity::Velocity),
                gain: self.number(&key("gain")),
                pan: self.number(&key("pan")),
                distance_m: self.number(&key("distance_m")),
            });
        }
        pickups
    }
}
