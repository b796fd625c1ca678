//! Linear stability of steady sliding (Vermot 2012): the steady state under friction, what small vibration
//! about it does, and which modes grow. Uses `scene`, `engine::reference` and what lies below; draws and
//! writes nothing.
//!
//! Sliding makes the stiffness non-symmetric: a rise of normal force raises friction, friction does not
//! raise the normal force. Two modes that come close in frequency can then feed each other, and one grows.

mod curves;
mod invented;
mod modes;
mod remarks;
mod sliding;
mod status;
mod study;

pub use curves::{GrowthCurve, LeastDamped};
pub use invented::{Invented, InventedMode};
pub use modes::{ComplexMode, Matrices, complex_modes, mac};
pub use sliding::{Sliding, Steady};
pub use status::{Ideal, ideal};
pub use study::{Law, ModeLine, Options, Study, TARGETS_MPA_MM, study};

/// A mode is unstable below this damping ratio (Vermot 2012, §4.2: -1e-3 %).
pub const UNSTABLE_BELOW: f64 = -1e-5;

/// 1 MPa/mm in Pa/m.
pub const MPA_PER_MM: f64 = 1e9;

/// The scene that is looked at when none is named, as TOML.
pub const BRAKE: &str = include_str!("brake.toml");
