//! Notes, gestures and knobs turned into controls of the real-time engine. Uses `engine`, `scene` and what
//! lies below them; knows no host, no plugin framework, no window and no device, so that plugin, app and
//! terminal all play the same instrument.
//!
//! `parameters` is the one table of what can be turned.

mod events;
mod fit;
mod gesture;
mod limiter;
pub mod materials;
pub mod parameters;
mod patch;
mod tuning;

pub use events::{Address, Event, Expression, Note, NoteEnd, Timed};
pub use patch::{Patch, play_range};
