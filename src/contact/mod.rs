//! Contact between two profiles: the law that turns a gap into a force, and the geometry that finds the
//! gap. Knows no beam, no motion law and no time step.
//!
//! Sign convention: gap g < 0 is penetration (Dang 2013, eq. 9; the `g > 0` tests in its Algorithms 1
//! and 2 are misprints). Laws return a pressure ≥ 0; the paper's f is its negative.

mod interpolation;
mod law;

pub use interpolation::{Interpolation, cubic_extremes};
pub use law::{ContactLaw, HERTZ_POISSON, effective_modulus};
