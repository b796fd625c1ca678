//! What a run leaves behind: sound channels, shocks, energy, counts. Plain data in SI units, written
//! by an engine, read by `analysis` and `io`; nothing here computes physics.

use crate::error::Error;
use crate::units::{
    ACCELERATION_REFERENCE_M_S2, DISPLACEMENT_REFERENCE_M, PRESSURE_REFERENCE_PA, VELOCITY_REFERENCE_M_S,
    decibels,
};

/// What a pick-up reads at its point of the resonator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// m/s
    Velocity,
    /// m/s²
    Acceleration,
    /// m, free of its static part
    Displacement,
    /// Pa at a stated distance from the baffled beam
    Pressure,
}

impl Quantity {
    pub const NAMES: [&'static str; 4] = ["velocity", "acceleration", "displacement", "pressure"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    pub fn unit(self) -> &'static str {
        ["m/s", "m/s²", "m", "Pa"][self as usize]
    }

    /// What its level is called.
    pub fn symbol(self) -> &'static str {
        ["Lv", "La", "Ld", "Lp"][self as usize]
    }

    /// Amplitude of 0 dB in the SI unit (ISO 1683), and how people write it.
    pub fn reference(self) -> (f64, &'static str) {
        match self {
            Self::Velocity => (VELOCITY_REFERENCE_M_S, "1 nm/s"),
            Self::Acceleration => (ACCELERATION_REFERENCE_M_S2, "1 µm/s²"),
            Self::Displacement => (DISPLACEMENT_REFERENCE_M, "1 pm"),
            Self::Pressure => (PRESSURE_REFERENCE_PA, "20 µPa"),
        }
    }

    /// What 1.0 means when nobody says otherwise, in the SI unit: loud rubbing stays below it, quiet rubbing
    /// well above the noise of 16 bits.
    pub fn usual_full_scale(self) -> f64 {
        match self {
            Self::Velocity => 0.1,
            Self::Acceleration => 2000.0,
            Self::Displacement => 1e-4,
            Self::Pressure => 20.0,
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Velocity, Self::Acceleration, Self::Displacement, Self::Pressure];
        all.into_iter().find(|quantity| quantity.name() == name)
    }
}

/// One pick-up's signal.
#[derive(Debug, Clone)]
pub struct Channel {
    pub quantity: Quantity,
    pub position_m: f64,
    /// In the quantity's SI unit.
    pub samples: Vec<f64>,
}

/// All pick-ups of one run at one rate.
#[derive(Debug, Clone)]
pub struct Recording {
    pub rate_hz: f64,
    pub channels: Vec<Channel>,
}

/// Takes a run's sound in blocks while the run goes on: a file that grows, or a [`Recording`].
pub trait SoundSink {
    /// One slice per channel, equally long, in the channels' SI units. An error ends the run.
    fn take(&mut self, block: &[&[f64]]) -> Result<(), Error>;
}

impl SoundSink for Recording {
    fn take(&mut self, block: &[&[f64]]) -> Result<(), Error> {
        for (channel, samples) in self.channels.iter_mut().zip(block) {
            channel.samples.extend_from_slice(samples);
        }
        Ok(())
    }
}

/// One shock at one node (Dang 2013, §4 and eq. 46): from the step its contact force, own and reactions
/// together, begins to push to the step it ceases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shock {
    /// 1 = a node of the resonator's surface, 2 = a node of the slider's.
    pub profile: u8,
    pub node: u32,
    pub start_s: f64,
    pub duration_s: f64,
    /// Largest contact force at the node, N per metre of width: χ·|f|.
    pub peak_force_n_m: f64,
    /// Energy given to the profile's own beam, J per metre of width (eq. 46).
    pub energy_j_m: f64,
}

/// The contact over one short stretch of a run, both passes together.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ContactSample {
    /// End of the stretch.
    pub time_s: f64,
    /// Nodes in contact, mean over the stretch.
    pub nodes: f64,
    /// Separate spots of neighbouring nodes, mean over the stretch.
    pub spots: f64,
    /// Real contact length, mean over the stretch: each pass sees it once, so half of what both see.
    pub length_m: f64,
    /// Mean gap between the profiles under the slider, deflection and heights included, at the end.
    pub separation_m: f64,
    /// Total contact force, mean over the stretch, N per metre of width.
    pub force_n_m: f64,
    /// Its largest value in the stretch.
    pub max_force_n_m: f64,
}

/// The contact force at one node of the slider wherever it is not zero, with a zero where it sets in and
/// ends.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NodeHistory {
    pub node: u32,
    /// From the slider's rear end.
    pub position_m: f64,
    /// Recorded from here on.
    pub from_s: f64,
    /// (time s, force N per metre of width).
    pub forces: Vec<(f64, f64)>,
}

/// Where the energy of a run came from and went, J per metre of width.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct EnergyLedger {
    /// Kinetic, elastic, gravitational and contact energy at the start.
    pub initial: f64,
    /// The same at the end.
    pub stored: f64,
    /// Work of the drive that pulls one profile over the other.
    pub drive_work: f64,
    /// Sum of |drive power|·τ: the scale that the residual is measured against.
    pub drive_traffic: f64,
    /// Lost to modal damping, ≥ 0.
    pub damping_loss: f64,
    /// Lost in the impacts of ideal contact, which stops what it hits; laws of the gap lose nothing.
    pub contact_loss: f64,
    /// Turned into heat by friction.
    pub friction_heat: f64,
}

impl EnergyLedger {
    /// What the books miss, as a share of all energy that went through them.
    pub fn residual(&self) -> f64 {
        let lost = self.damping_loss + self.contact_loss + self.friction_heat;
        let missing = self.stored - self.initial - self.drive_work + lost;
        let scale = self.drive_traffic.max(self.damping_loss).max(self.initial.abs()).max(f64::MIN_POSITIVE);
        missing.abs() / scale
    }
}

/// How a rubbed contact spent its time after the skipped start.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rubbing {
    /// Share of the time in which the contact sticks.
    pub stick_share: f64,
    /// How often it lets go, tiny slips beside long ones not counted.
    pub slips_per_s: f64,
    /// Root mean square of the slip speed about its mean, over the mean: 0.7 where a sine just reaches zero.
    pub slip_swing: f64,
    /// The resonator's mode that moves most, counted from 1; 0: none.
    pub mode: usize,
    /// Its share of the resonator's mean square velocity.
    pub mode_share: f64,
    /// Standard deviation of that mode's v² from one 10 ms to the next, over its mean: none of a steady tone,
    /// about 1 of a mode that noise drives.
    pub mode_swing: f64,
}

/// The figures of one run after its skipped start.
#[derive(Debug, Clone, Default)]
pub struct RunFigures {
    /// Simulated time, including what was skipped.
    pub seconds: f64,
    /// Root mean square of the resonator's velocity over space and time (Dang 2013, eq. 48).
    pub v_rms_m_s: f64,
    /// Share of steps with at least one node in contact.
    pub contact_fraction: f64,
    /// Completed shocks on both profiles.
    pub shocks: u64,
    /// Largest total contact force, N per metre of width.
    pub max_force_n_m: f64,
    pub ledger: EnergyLedger,
    /// Where the scene has friction.
    pub rubbing: Option<Rubbing>,
    /// Time step used, s.
    pub step_s: f64,
    pub steps: u64,
}

impl RunFigures {
    /// Vibration level, dB re 1 nm/s (Dang 2013, eq. 47).
    pub fn lv_db(&self) -> f64 {
        decibels(self.v_rms_m_s / VELOCITY_REFERENCE_M_S)
    }
}
