//! What rubs in one voice and what it has come to: the law, the slider along x, stick or slip, heat and work. How a
//! step is solved is in `grip`.

pub use super::grip::Grip;

use super::grasp::Grasp;
use super::lanes::{ROW, Row};
use super::tow::{Free, Tow};
use crate::engine::tally::Tally;
use crate::friction::Phase;
use crate::record::Rubbing;
use crate::scene::{Friction, Scene};

#[derive(Debug, Clone)]
pub struct Rub {
    pub friction: Option<Friction>,
    pub tow: Tow,
    feels_contact: bool,
    pub(super) phase: Phase,
    /// Slip ended within this step.
    pub(super) caught: bool,
    pub(super) slip_m_s: f64,
    /// Half a thickness times the slope of every mode at the nodes, laid out like Φ.
    pub levers: Vec<Row>,
    /// W.
    pub(super) row: Vec<Row>,
    /// Since the books were last read: heat, drive work, loss in the dashpot.
    pub heat: f64,
    pub drive_work: f64,
    pub loss: f64,
    pub tally: Tally,
}

/// A slider along x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sliding {
    pub place_m: f64,
    pub speed_m_s: f64,
    pub drive_place_m: f64,
    /// Mean speed of the slider's surface over the resonator's where they touch.
    pub slip_m_s: f64,
    pub sticks: bool,
}

impl Rub {
    /// `None` where the slider moves as it is told and nothing rubs.
    pub fn new(scene: &Scene, rows: usize, nodes: usize, step_s: f64) -> Option<Self> {
        let tow = Tow::new(scene, step_s);
        (scene.friction.is_some() || !tow.is_rigid()).then(|| Self {
            friction: scene.friction,
            tow,
            feels_contact: scene.drive.feels_contact,
            phase: Phase::Stick,
            caught: false,
            slip_m_s: 0.0,
            levers: vec![Row::ZERO; rows * nodes],
            row: vec![Row::ZERO; rows],
            heat: 0.0,
            drive_work: 0.0,
            loss: 0.0,
            tally: Tally::new(rows * ROW),
        })
    }

    pub fn start(&mut self, speed_m_s: f64) {
        self.tow.start(speed_m_s);
        self.phase = Phase::Slip { direction: if speed_m_s < 0.0 { -1.0 } else { 1.0 } };
        self.slip_m_s = speed_m_s;
        (self.heat, self.drive_work, self.loss) = (0.0, 0.0, 0.0);
        self.tally.clear();
    }

    /// Friction and drive as the controls say. A spring that is made stiffer while it is stretched takes work.
    pub fn take(&mut self, grasp: &Grasp) {
        if let Some(friction) = &mut self.friction {
            friction.law = grasp.law;
        }
        self.drive_work += self.tow.set_stiffness(grasp.stiffness_n_m);
    }

    pub fn predict(&self, drive_m_s: f64) -> Free {
        self.tow.predict(drive_m_s)
    }

    /// Ends the step under friction `force`; the way in metres.
    pub fn advance(&mut self, free: &Free, force: f64) -> f64 {
        let pulled = self.tow.advance(free, force);
        self.drive_work += pulled.drive_work;
        self.loss += pulled.loss;
        if std::mem::take(&mut self.caught) {
            self.heat += self.tow.catch(pulled.way_m);
        }
        pulled.way_m
    }

    /// Something moves otherwise than it would without friction and on a rigid drive.
    pub fn is_felt(&self) -> bool {
        let coupled = |friction: &Friction| {
            friction.bends_resonator || friction.pitches_slider || friction.follows_slope
        };
        !self.tow.is_rigid() || self.friction.as_ref().is_some_and(coupled)
    }

    /// A slider that is free along x pays for moving the heights with its own speed.
    pub fn pays(&self) -> bool {
        self.feels_contact && !self.tow.is_rigid()
    }

    /// What the slider does along x, `place_m` along the texture.
    pub fn sliding(&self, place_m: f64) -> Sliding {
        Sliding {
            place_m,
            speed_m_s: self.tow.speed,
            drive_place_m: place_m - self.tow.stretch,
            slip_m_s: self.slip_m_s,
            sticks: self.phase == Phase::Stick,
        }
    }

    /// What was counted, where there is friction.
    pub fn rubbing(&self, steps: u64, step_s: f64) -> Option<Rubbing> {
        self.friction.map(|_| self.tally.figures(steps, step_s))
    }
}
