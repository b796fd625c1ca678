//! Notes, gestures and knobs turned into controls of the real-time engine. Uses `engine`, `scene` and what
//! lies below them; knows no host, no plugin framework, no window and no device, so that plugin, app and
//! terminal all play the same instrument.
//!
//! `parameters` is the one table of what can be turned.

pub mod materials;
pub mod parameters;
