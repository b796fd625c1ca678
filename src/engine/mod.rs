//! Engines step a scene in time. `reference` is the papers' algorithm in f64, written in their order and
//! symbols. Uses `scene` and the pieces below it; knows no file, no terminal and no sound card.

pub mod realtime;
pub mod reference;
mod tally;
