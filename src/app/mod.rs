//! The instrument on the desktop: its own audio and MIDI loop, a recorder, and a window around the panel. Uses
//! `instrument`, `editor`, `render` (how channels are named) and `io`; knows nothing of plugins.
//!
//! A sound's way: a key, a knob or MIDI → `mail` → `player` (in the device's callback) → `format` → the device,
//! and beside it `tape` → `recorder` → a WAV file. `keeper` moves the player between devices (`devices`,
//! `output`, `seat`) and the silent `clock`; `session` holds it all together; `settings` remembers.

mod clock;
#[cfg(test)]
mod cost;
pub mod devices;
mod files;
mod format;
mod hush;
mod keeper;
pub mod learn;
mod mail;
pub mod meters;
pub mod midi;
pub mod output;
mod player;
pub mod recorder;
mod seat;
pub mod session;
pub mod settings;
pub mod shared;
mod tape;
pub mod window;
