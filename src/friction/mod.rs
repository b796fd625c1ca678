//! Laws of dry friction: slip and slip speed of one contact in, tangential force out. Uses nothing of the
//! house; knows no surface, no beam and no time step.

mod coulomb;

pub use coulomb::{Bond, Coulomb, Phase};
