//! One run of a scene, step by step: free step → contact → update, in the order of the paper's
//! Algorithms 1 and 2.

use super::board::{Board, Part};
use super::books::{Books, Instant, ShockDetail};
use super::broad_phase::BroadPhase;
use super::interface::{Interface, Touch, Walk};
use super::lagrange::Lagrange;
use super::stability::check_step;
use super::start::{initial_amplitudes, modal_system};
use crate::beam::ModalBasis;
use crate::error::Error;
use crate::record::{RunFigures, Shock};
use crate::scene::{Contact, Motion, MotionKind, Scene};
use crate::scheme::{CentralDifference, Integrator, ModalSystem, NoForce};

enum Dynamics {
    /// Algorithm 1, or its like with another scheme or law.
    Law(Box<dyn Integrator + Send>),
    /// Algorithm 2.
    Ideal { scheme: CentralDifference, multipliers: Lagrange },
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
        let profiles = scene.profiles()?;
        check_step(scene, &profiles, step_s)?;
        let (resonator, slider) = (scene.resonator.basis(), scene.slider.basis());
        let system = modal_system(scene, [&resonator, &slider]);
        let amplitudes = initial_amplitudes(scene, &resonator, &system);
        let mut interface = interface(scene, profiles, [&resonator, &slider], walk);
        interface.separation_m =
            scene.run.separation_m.unwrap_or_else(|| interface.highest_meeting(0.0, &amplitudes));
        let rest = vec![0.0; system.len()];
        let dynamics = match scene.contact {
            Contact::Law(_) => {
                Dynamics::Law(scene.run.integrator.start(&system, step_s, amplitudes, rest.clone()))
            }
            Contact::Signorini => Dynamics::Ideal {
                scheme: CentralDifference::new(&system, step_s, amplitudes, rest.clone()),
                multipliers: Lagrange::new(system.len()),
            },
        };
        let books = Books::new(resonator.len(), scene.resonator.beam.length_m, &interface, skip_s, shocks);
        Ok(Self {
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
        })
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
            Dynamics::Ideal { scheme, multipliers } => {
                multipliers.solve(&self.system, scheme, &mut self.interface, next_s, &mut self.force);
                std::mem::swap(&mut self.touches, &mut self.interface.touches);
                scheme.advance(&self.system, time_s, &self.force, &mut NoForce);
            }
        }
        let scheme: &dyn Integrator = match &self.dynamics {
            Dynamics::Law(scheme) => scheme.as_ref(),
            Dynamics::Ideal { scheme, .. } => scheme,
        };
        let now = Instant {
            time_s,
            speed_m_s: self.motion.speed(time_s),
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
        match &self.dynamics {
            Dynamics::Law(scheme) => scheme.as_ref(),
            Dynamics::Ideal { scheme, .. } => scheme,
        }
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
        self.books.node_force(profile, node)
    }

    /// Length that a touch stands for: a step χ, less of it at the end of a body or under the other's edge.
    pub fn touch_length_m(&self, touch: &Touch) -> f64 {
        self.interface.step_m * self.interface.slave_share(touch) * touch.edge
    }

    pub fn heights(&self, profile: usize) -> &[f64] {
        &self.interface.heights[profile]
    }

    pub fn separation_m(&self) -> f64 {
        self.interface.separation_m
    }

    pub fn shocks(&self) -> &[Shock] {
        &self.books.shocks
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

/// Profiles, boards and bound of a scene.
fn interface(
    scene: &Scene,
    profiles: (crate::surface::Profile, crate::surface::Profile),
    bases: [&ModalBasis; 2],
    walk: Walk,
) -> Interface {
    let step_m = scene.step_m;
    let [resonator, slider] = bases;
    let slider_nodes = profiles.1.heights_m.len();
    let looped = scene.motion.kind == MotionKind::Endless;
    let part = |basis: &ModalBasis, origin_m: f64| Part { basis: basis.clone(), origin_m };
    let boards = if looped {
        // The slider's nodes stand on nodes of the resonator's grid.
        let seat_m = (scene.motion.start_m / step_m).round() * step_m;
        vec![Board::new(vec![part(resonator, seat_m), part(slider, 0.0)], 0, slider_nodes, step_m)]
    } else {
        let resonator_nodes = profiles.0.heights_m.len();
        vec![
            Board::new(vec![part(resonator, 0.0)], 0, resonator_nodes, step_m),
            Board::new(vec![part(slider, 0.0)], resonator.len(), slider_nodes, step_m),
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
    let motion = scene.motion;
    Interface::new(profiles, boards, law, walk, broad, Box::new(move |time_s| motion.offset(time_s)))
}
