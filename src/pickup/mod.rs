//! Listening to a beam at a point or through the air, and bringing the fast inner rate down to the rate of a sound file.
//! Uses `beam` and `record`; knows no engine.

mod decimator;
mod microphone;
mod pan;
mod point;

pub use decimator::Decimator;
pub use microphone::{AIR_DENSITY_KG_M3, Microphone, SOUND_SPEED_M_S, STRIP_WIDTH_M};
pub use pan::{PAN_LAW, sides};
pub use point::Point;
