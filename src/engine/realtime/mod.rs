//! The engine that plays live: the physics of the reference at audio rate, no samples and no noise
//! generators. Uses `scene` and the pieces below it; knows no host, no device and no file.
//!
//! One inner step (k = 1/inner rate) of one voice:
//!
//! 1. `pass`: every mode takes its exact free step (`modes`); the deflection under the slider comes out
//!    on K nodes (`nodes`).
//! 2. `broad`, `skin`, `scan`, `look`, `reading`: nothing can touch, or these few blocks can.
//! 3. `meet`, `solve`, `crowd`, `press`: contact forces as the discrete gradient of the contact energy, solved
//!    together with the deflection they cause, and with friction (`rub`, `tow`, `grasp`), so that energy comes
//!    only from the drive. `comb` bounds the work.
//! 4. `pass` again: the kick, and what the pick-ups read.
//!
//! Around it: `texture`, `strip` and `surfaces` (endless profiles), `control`, `lead` and `ramp` (what moves),
//! `body` (bodies that change while they sound), `landing` and `seat` (how a slider is put down and where it
//! stands), `books` (ledger and guard), `decimate`, `pickups`, `pressure` and `outlet` (the way out), `run`,
//! `chunk` and `engine` (steps, voices, time, hand-over), `told` and `view` (figures, and a picture for eyes), `poison`
//! (what tests of the guard put in).
//!
//! Limits: at most 32 nodes under the slider, so waves shorter than about a twentieth of its length are
//! blurred; modes above 0.45 of the inner rate yield without swinging; one
//! deflection serves sixteen neighbouring nodes; contact is taken at the slider's nodes with both passes'
//! stiffness; an exponential law no steeper than single precision resolves; ideal contact is a penalty of
//! 2.1e13 Pa.
//!
//! State is f32, tables are made in f64. On one machine and build the output is the same to the bit
//! whatever the block size; between machines and instruction sets contact is chaotic and only levels,
//! spectra and statistics agree.

mod body;
mod books;
mod broad;
mod chunk;
mod comb;
mod control;
mod crowd;
mod decimate;
mod engine;
mod grasp;
mod grid;
mod grip;
mod landing;
mod lanes;
mod lead;
mod look;
mod meet;
mod modes;
mod nodes;
mod outlet;
mod pass;
mod pause;
mod pickups;
mod poison;
mod press;
mod pressure;
mod probe;
mod quality;
mod ramp;
mod reading;
mod rub;
mod run;
mod scan;
mod seat;
mod shapes;
mod skin;
mod solve;
mod stage;
mod strip;
mod surfaces;
mod texture;
mod told;
mod tow;
mod view;
mod voice;

pub use body::BodyControls;
pub use control::Controls;
pub use engine::{Engine, FADE_S, Settings};
pub use lanes::Path;
pub use meet::Work;
#[doc(hidden)]
pub use poison::Kept;
pub use probe::Bank;
pub use quality::{HOST_RATES_HZ, Quality};
pub use ramp::RAMP_S;
pub use rub::Sliding;
pub use surfaces::Surfaces;
pub use view::{COLUMNS, ContactView, NATURALS, POINTS};
