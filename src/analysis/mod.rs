//! Reading records: levels, spectra, laws, shocks. Uses `record`, `units` and numbers; never an engine,
//! so the same reading serves a simulation and a recorded file.

pub mod fit;
pub mod levels;
#[cfg(feature = "cli")]
pub mod loudness;
pub mod peaks;
pub mod regime;
pub mod shock_study;
pub mod shocks;
pub mod signal;
pub mod spectrum;
pub mod student;
