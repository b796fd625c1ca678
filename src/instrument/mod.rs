//! Notes, gestures and knobs turned into controls of the real-time engine. Uses `engine`, `scene` and what
//! lies below them; knows no host, no plugin framework, no window and no device, so that plugin, app and
//! terminal all play the same instrument.
//!
//! One note's way: `events` → `handling` → `notes` (which body plays it) → `voice` and `gesture` (what the hand does) →
//! `tuning` and `rig` (the body and the contact in the engine's terms) → the engine → `mixer` → `limiter`.
//! `ticks` moves all of it on in time, `player` holds it together, `worker` makes what takes long and `changes`
//! puts it in place.
//!
//! `parameters` is the one table of what can be turned, `patch` a preset with its knobs, `state` what a host
//! keeps of both, `view` what a window sees.

mod changes;
mod channels;
mod events;
mod fit;
mod gesture;
mod handling;
mod keys;
mod limiter;
pub mod materials;
mod mixer;
mod notes;
pub mod parameters;
mod patch;
mod play;
mod player;
mod rig;
mod sounding;
mod state;
mod ticks;
mod tuning;
mod turned;
mod view;
mod voice;
mod worker;

pub use events::{Address, Event, Expression, Note, NoteEnd, Timed};
pub use patch::Patch;
pub use play::{play_range, play_table};
pub use player::{Instrument, Setup};
pub use state::{STATE_VERSION, State};
pub use view::{Body, Snapshot, Viewer};
pub use worker::Loader;
