//! Laws of dry friction: slip speed of a contact in, tangential force out. Uses nothing of the house; knows
//! no surface, no beam and no time step.

mod coulomb;
mod penalised;

pub use coulomb::{Answer, Coulomb, Phase};
pub use penalised::{Bond, PenalisedStick};
