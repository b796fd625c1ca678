//! Listening to a beam at a point, and bringing the fast inner rate down to the rate of a sound file.
//! Uses `beam` and `record`; knows no engine.

mod decimator;
mod pan;
mod point;

pub use decimator::Decimator;
pub use pan::{PAN_LAW, sides};
pub use point::Point;
