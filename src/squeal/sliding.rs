//! A scene slid steadily on smooth surfaces: what its contact does, law by law.
//!
//! Roughness is what contact stiffness stands for here, as in Vermot 2012, so both surfaces are taken
//! smooth and the slider carries as many nodes as the bodies can follow. The slider stays at the place where
//! the scene starts it.

use super::modes::Matrices;
use crate::contact::ContactLaw;
use crate::engine::reference::{ContactMap, balance};
use crate::error::{Error, Problem};
use crate::friction::Coulomb;
use crate::scene::{Contact, Friction, MotionKind, Pull, Scene, Stick, SurfaceSource};
use nalgebra::{DMatrix, DVector};

/// Fewest and most nodes along the slider.
const NODES: (usize, usize) = (5, 33);
/// Friction of a scene that has none.
const USUAL_FRICTION: f64 = 0.4;

pub struct Sliding {
    /// The scene with smooth surfaces, in endless motion: what a time simulation of the same state runs.
    pub scene: Scene,
    pub map: ContactMap,
    pub law: Coulomb,
    /// Sign of the sliding speed.
    pub direction: f64,
    /// p_1: the load spread over the slider, Pa.
    pub pressure_pa: f64,
    /// n and t of every point, one row each; the last column is x where the slider is free along it.
    normals: DMatrix<f64>,
    tangentials: DMatrix<f64>,
}

/// Steady sliding with a law of the gap.
pub struct Steady {
    pub amplitudes: Vec<f64>,
    /// Pressure of both passes at every node of the slider, Pa.
    pub pressures: Vec<f64>,
    /// Newton's steps.
    pub steps: usize,
    pub matrices: Matrices,
}

impl Sliding {
    pub fn new(scene: &Scene) -> Result<Self, Error> {
        let speed = scene.motion.speed_m_s;
        if speed == 0.0 {
            let cure = "set motion.speed_m_s or --v";
            return Err(Problem::new("motion.speed_m_s", 0, "steady sliding needs a speed", cure).into());
        }
        let load = scene.normal_load_n_m();
        if load <= 0.0 {
            let cure = "set slider.load_n_m or run.gravity_m_s2";
            return Err(Problem::new("slider.load_n_m", load, "steady sliding needs a load", cure).into());
        }
        let smooth = smooth(scene);
        let map = ContactMap::new(&smooth)?;
        let free = smooth.drive.link.is_some() && smooth.drive.pull == Pull::Speed;
        let columns = map.system.len() + usize::from(free);
        let row = |values: &[f64], k: usize, along: f64| values.get(k).copied().unwrap_or(along);
        let fill = |pick: &dyn Fn(usize, usize) -> f64| DMatrix::from_fn(map.points.len(), columns, pick);
        Ok(Self {
            normals: fill(&|i, k| row(&map.points[i].normal, k, 0.0)),
            tangentials: fill(&|i, k| row(&map.points[i].tangential, k, 1.0)),
            law: smooth.friction.map_or(plain(USUAL_FRICTION), |friction| friction.law),
            direction: speed.signum(),
            pressure_pa: load / smooth.slider.beam.length_m,
            map,
            scene: smooth,
        })
    }

    /// μ of the scene at its sliding speed.
    pub fn coefficient(&self) -> f64 {
        self.law.coefficient(self.scene.motion.speed_m_s)
    }

    /// λ = k_c/p_1 (eq. 25); each of the two passes carries half of k_c and of p_1.
    pub fn exponential(&self, stiffness_pa_m: f64) -> ContactLaw {
        ContactLaw::exponential_calibrated(0.5 * stiffness_pa_m, 0.5 * self.pressure_pa)
    }

    /// Steady sliding with friction `mu` by Newton, and the tangent there (eqs. 10–12).
    pub fn steady(&self, law: &ContactLaw, mu: f64) -> Result<Steady, Error> {
        let found = balance(&self.map, law, mu * self.direction)?;
        let stiffness: Vec<f64> = self
            .map
            .points
            .iter()
            .map(|point| point.length_m * law.stiffness(point.gap(&found.amplitudes)))
            .collect();
        let normal: Vec<f64> =
            self.map.points.iter().zip(&found.pressures).map(|(point, p)| point.length_m * p).collect();
        let contact = (&self.normals + &self.tangentials * (mu * self.direction)).transpose()
            * DMatrix::from_diagonal(&DVector::from_vec(stiffness))
            * &self.normals;
        let mut matrices = self.elastic();
        matrices.stiffness += contact;
        matrices.damping += self.falling(mu, &normal);
        Ok(Steady {
            pressures: self.at_nodes(&found.pressures),
            amplitudes: found.amplitudes,
            steps: found.steps,
            matrices,
        })
    }

    /// Both bodies without contact, and the slider along x on its spring.
    pub fn elastic(&self) -> Matrices {
        let system = &self.map.system;
        let columns = self.normals.ncols();
        let mut matrices = Matrices::zeros(columns);
        for k in 0..system.len() {
            let (mass, omega) = (system.mass[k], system.omega[k]);
            matrices.mass[(k, k)] = mass;
            matrices.damping[(k, k)] = 2.0 * system.zeta[k] * omega * mass;
            matrices.stiffness[(k, k)] = mass * omega * omega;
        }
        if let Some(link) = self.scene.drive.link.filter(|_| columns > system.len()) {
            let x = columns - 1;
            matrices.mass[(x, x)] = self.scene.slider.beam.mass();
            matrices.damping[(x, x)] = link.damping_n_s_m;
            matrices.stiffness[(x, x)] = link.stiffness_n_m;
        }
        matrices
    }

    /// A curve that falls with speed feeds what slips faster: N·μ'·W·Wᵀ with the mean slip row W (see
    /// `engine::reference::rub`). The slope scales with μ when μ is varied.
    pub fn falling(&self, mu: f64, normal: &[f64]) -> DMatrix<f64> {
        let own = self.coefficient();
        let share = if own > 0.0 { mu / own } else { 1.0 };
        let slope = share * self.law.slope(self.scene.motion.speed_m_s);
        let total: f64 = normal.iter().sum();
        if slope == 0.0 || total <= 0.0 {
            return DMatrix::zeros(self.normals.ncols(), self.normals.ncols());
        }
        let row = self.tangentials.transpose() * DVector::from_column_slice(normal) / total;
        &row * row.transpose() * (slope * total)
    }

    /// Indices of the points that are the slider's own nodes: one pass, so that none stands twice.
    pub fn slider_nodes(&self) -> Vec<usize> {
        (0..self.map.points.len()).filter(|&i| self.map.points[i].pass == 1).collect()
    }

    /// Rows n and n + μ·d·t of some points.
    pub fn rows(&self, points: &[usize], mu: f64) -> (DMatrix<f64>, DMatrix<f64>) {
        let normals = self.normals.select_rows(points);
        let acting = &normals + self.tangentials.select_rows(points) * (mu * self.direction);
        (normals, acting)
    }

    /// Pressures of both passes put together at the slider's nodes.
    fn at_nodes(&self, pressures: &[f64]) -> Vec<f64> {
        let points = &self.map.points;
        let near = 0.5 * self.scene.step_m;
        self.slider_nodes()
            .into_iter()
            .map(|node| {
                let twin = (0..points.len()).find(|&i| {
                    points[i].pass == 0 && (points[i].position_m - points[node].position_m).abs() < near
                });
                pressures[node] + twin.map_or(0.0, |twin| pressures[twin])
            })
            .collect()
    }
}

fn plain(coefficient: f64) -> Coulomb {
    Coulomb { static_coefficient: coefficient, dynamic_coefficient: coefficient, stribeck_m_s: 0.0 }
}

/// The scene on smooth surfaces with its slider on whole nodes.
fn smooth(scene: &Scene) -> Scene {
    // The slider's modes and the resonator's half waves under it span what the gap can do; more nodes than that
    // would leave their forces undetermined in ideal contact.
    let under = scene.resonator.modes as f64 * scene.slider.beam.length_m / scene.resonator.beam.length_m;
    let nodes = (scene.slider.modes + under.ceil() as usize + 1).clamp(NODES.0, NODES.1);
    let step_m = scene.slider.beam.length_m / (nodes - 1) as f64;
    let mut smooth = scene.clone();
    (smooth.bottom, smooth.top) = (SurfaceSource::Smooth, SurfaceSource::Smooth);
    smooth.step_m = step_m;
    smooth.motion.kind = MotionKind::Endless;
    smooth.motion.start_m = (scene.motion.start_m / step_m).round() * step_m;
    if let Contact::Signorini = smooth.contact {
        smooth.contact = Contact::Law(ContactLaw::Penalty { kappa_pa: scene.resonator.beam.young_pa });
    }
    smooth.friction.get_or_insert(Friction {
        law: plain(USUAL_FRICTION),
        stick: Stick::Exact,
        bends_resonator: true,
        pitches_slider: true,
        follows_slope: true,
    });
    smooth
}
