//! One run of a scene, step by step: free step → contact → update, in the order of the paper's
//! Algorithms 1 and 2.

use super::bench::Bench;
use super::books::{Books, Instant};
use super::interface::{Interface, Walk};
use super::lagrange::Lagrange;
use super::rub::{Rub, RubPower};
use super::shock_book::ShockDetail;
use super::touch::Touch;
use crate::beam::ModalBasis;
use crate::error::Error;
use crate::record::{RunFigures, Shock};
use crate::scene::{Contact, Motion, Scene};
use crate::scheme::{CentralDifference, Integrator, ModalSystem, NoForce};

enum Dynamics {
    /// Algorithm 1, or its like with another scheme or law.
    Law(Box<dyn Integrator + Send>),
    /// Algorithm 1 with friction or with a slider that is free along x.
    Rubbing { scheme: CentralDifference, rub: Box<Rub> },
    /// Algorithm 2.
    Ideal { scheme: CentralDifference, multipliers: Lagrange },
}

impl Dynamics {
    fn parts(&self) -> (&dyn Integrator, Option<&Rub>) {
        match self {
            Self::Law(scheme) => (scheme.as_ref(), None),
            Self::Rubbing { scheme, rub } => (scheme, Some(rub)),
            Self::Ideal { scheme, .. } => (scheme, None),
        }
    }
}

/// Amplitudes and their speeds that a run starts from, resonator's first.
pub struct Start {
    pub displacement: Vec<f64>,
    pub velocity: Vec<f64>,
}

pub struct Simulation {
    pub system: ModalSystem,
    pub resonator: ModalBasis,
    pub slider: ModalBasis,
    motion: Motion,
    interface: Interface,
    dynamics: Dynamics,
    books: Books,
    step_s: f64,
    steps: u64,
    force: Vec<f64>,
    /// Touches at the instant last recorded.
    touches: Vec<Touch>,
}

impl Simulation {
    /// Lays the bodies out and settles them. `skip_s` is left out of levels and shock counts.
    pub fn new(
        scene: &Scene,
        walk: Walk,
        step_s: f64,
        skip_s: f64,
        shocks: ShockDetail,
    ) -> Result<Self, Error> {
        let bench = Bench::new(scene, walk, step_s)?;
        let start = Start { displacement: bench.settled.clone(), velocity: vec![0.0; bench.system.len()] };
        Ok(Self::on(bench, scene, start, step_s, skip_s, shocks))
    }

    /// As [`Self::new`], but from a given state of the modes, resonator's first.
    pub fn from_state(scene: &Scene, start: Start, step_s: f64) -> Result<Self, Error> {
        let bench = Bench::new(scene, Walk::Pruned, step_s)?;
        Ok(Self::on(bench, scene, start, step_s, 0.0, ShockDetail::Count))
    }

    fn on(bench: Bench, scene: &Scene, start: Start, step_s: f64, skip_s: f64, shocks: ShockDetail) -> Self {
        let Bench { system, resonator, slider, interface, .. } = bench;
        let Start { displacement, velocity } = start;
        let rest = vec![0.0; system.len()];
        let central =
            |displacement, velocity| CentralDifference::new(&system, step_s, displacement, velocity);
        let dynamics = match scene.contact {
            Contact::Law(_) if scene.friction.is_some() || !scene.drive.is_rigid() => Dynamics::Rubbing {
                scheme: central(displacement, velocity),
                rub: Box::new(Rub::new(scene, system.len(), step_s)),
            },
            Contact::Law(_) => {
                Dynamics::Law(scene.run.integrator.start(&system, step_s, displacement, velocity))
            }
            Contact::Signorini => Dynamics::Ideal {
                scheme: central(displacement, velocity),
                multipliers: Lagrange::new(system.len()),
            },
        };
        let books = Books::new(resonator.len(), scene.resonator.beam.length_m, &interface, skip_s, shocks);
        Self {
            motion: scene.motion,
            interface,
            dynamics,
            books,
            step_s,
            steps: 0,
            force: rest,
            touches: Vec::new(),
            system,
            resonator,
            slider,
        }
    }

    fn time(&self) -> f64 {
        self.steps as f64 * self.step_s
    }

    /// One step, from t_n to t_{n+1}; afterwards the accessors speak of t_n.
    pub fn step(&mut self) -> Result<(), Error> {
        let time_s = self.time();
        let next_s = (self.steps + 1) as f64 * self.step_s;
        match &mut self.dynamics {
            Dynamics::Law(scheme) => {
                self.interface.detect(time_s, scheme.displacement());
                self.interface.project(&mut self.force);
                // Later stages of a Runge–Kutta scheme detect again; keep what belongs to t_n.
                std::mem::swap(&mut self.touches, &mut self.interface.touches);
                scheme.advance(&self.system, time_s, &self.force, &mut self.interface);
            }
            Dynamics::Rubbing { scheme, rub } => {
                if !rub.tow.is_rigid() {
                    self.interface.move_to(rub.tow.place());
                }
                self.interface.detect(time_s, scheme.displacement());
                self.interface.project(&mut self.force);
                std::mem::swap(&mut self.touches, &mut self.interface.touches);
                let (interface, force) = (&mut self.interface, &mut self.force);
                rub.solve(&self.system, scheme, interface, &self.touches, time_s, force);
                scheme.advance(&self.system, time_s, &self.force, &mut NoForce);
            }
            Dynamics::Ideal { scheme, multipliers } => {
                multipliers.solve(&self.system, scheme, &mut self.interface, next_s, &mut self.force);
                std::mem::swap(&mut self.touches, &mut self.interface.touches);
                scheme.advance(&self.system, time_s, &self.force, &mut NoForce);
            }
        }
        let (scheme, rub) = self.dynamics.parts();
        let now = Instant {
            time_s,
            speed_m_s: rub.map_or_else(|| self.motion.speed(time_s), |rub| rub.tow.left().speed_m_s),
            drive_bears_push: rub.is_none_or(Rub::drive_bears_push),
            rub: rub.map_or_else(RubPower::default, |rub| rub.power(time_s, scheme.left_velocity())),
            displacement: scheme.left_displacement(),
            velocity: scheme.left_velocity(),
            force: &self.force,
            touches: &self.touches,
        };
        self.books.record(&now, self.step_s, &self.system, &mut self.interface);
        self.steps += 1;
        if self.steps.is_multiple_of(1024) && !scheme.displacement().iter().all(|u| u.is_finite()) {
            return Err(Error::Other(format!(
                "the run blew up before t = {:.4e} s with a step of {:e} s; shorten run.step_s",
                next_s, self.step_s
            )));
        }
        Ok(())
    }

    fn scheme(&self) -> &dyn Integrator {
        self.dynamics.parts().0
    }

    /// Friction and the slider along x, where the scene has either.
    pub fn rub(&self) -> Option<&Rub> {
        self.dynamics.parts().1
    }

    /// Instant t_n that the accessors below speak of.
    pub fn left_time(&self) -> f64 {
        self.steps.saturating_sub(1) as f64 * self.step_s
    }

    /// All amplitudes at t_n, resonator's first.
    pub fn displacement(&self) -> &[f64] {
        self.scheme().left_displacement()
    }

    pub fn velocity(&self) -> &[f64] {
        self.scheme().left_velocity()
    }

    /// Modal contact forces at t_n.
    pub fn modal_forces(&self) -> &[f64] {
        &self.force
    }

    /// Ü_k at t_n.
    pub fn acceleration(&self, k: usize) -> f64 {
        self.system.acceleration(k, self.displacement()[k], self.velocity()[k], self.force[k])
    }

    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// Σ of all contact forces at t_n, N per metre of width.
    pub fn total_force(&self) -> f64 {
        self.books.total_force
    }

    /// Contact force at one node at t_n, own and reactions together, N per metre of width. Profile 0 is the
    /// resonator's, 1 the slider's.
    pub fn node_force(&self, profile: u8, node: u32) -> f64 {
        self.books.shocks.node_force(profile, node)
    }

    /// Length that a touch stands for: a step χ, less of it at the end of a body or under the other's edge.
    pub fn touch_length_m(&self, touch: &Touch) -> f64 {
        self.interface.touch_length_m(touch)
    }

    pub fn heights(&self, profile: usize) -> &[f64] {
        &self.interface.heights[profile]
    }

    pub fn separation_m(&self) -> f64 {
        self.interface.separation_m
    }

    pub fn shocks(&self) -> &[Shock] {
        &self.books.shocks.ended
    }

    pub fn figures(&self) -> RunFigures {
        self.books.figures(
            &self.system,
            self.displacement(),
            self.velocity(),
            self.steps as f64 * self.step_s,
            self.step_s,
        )
    }
}
