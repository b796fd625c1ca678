//! The engine that plays live: the physics of the reference at audio rate, no samples and no noise
//! generators. Uses `scene` and the pieces below it; knows no host, no device and no file.
//!
//! One inner step (k = 1/inner rate) of one voice:
//!
//! 1. `pass`: every mode takes its exact free step (`modes`); the deflection under the slider comes out
//!    on K nodes (`nodes`).
//! 2. `broad`: nothing can touch, or these few blocks can.
//! 3. `meet`, `press`: contact forces as the discrete gradient of the contact energy, solved together with
//!    the deflection they cause, so that energy comes only from the drive.
//! 4. `pass` again: the kick, and what the pick-ups read.
//!
//! Around it: `texture` and `surfaces` (endless profiles), `control` and `ramp` (what moves), `books`
//! (ledger and guard), `decimate` and `pickups` (the way out), `engine` (voices, chunks, hand-over).
//!
//! State is f32, tables are made in f64. On one machine and build the output is the same to the bit
//! whatever the block size; between machines and instruction sets contact is chaotic and only levels,
//! spectra and statistics agree.

mod books;
mod broad;
mod control;
mod decimate;
mod engine;
mod grid;
mod lanes;
mod meet;
mod modes;
mod nodes;
mod pass;
mod pickups;
mod press;
mod probe;
mod quality;
mod ramp;
mod stage;
mod surfaces;
mod texture;
mod voice;

pub use control::Controls;
pub use engine::{Engine, FADE_S, Settings};
pub use lanes::Path;
pub use meet::Work;
pub use pickups::{AIR_DENSITY_KG_M3, SOUND_SPEED_M_S, STRIP_WIDTH_M};
pub use probe::Bank;
pub use quality::{HOST_RATES_HZ, Quality};
pub use ramp::RAMP_S;
pub use surfaces::Surfaces;
