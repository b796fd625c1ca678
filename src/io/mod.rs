//! Files in and out: whole or not at all, and saying what they hold. Uses `record` and `error`; computes no
//! physics.

pub mod folder;
#[cfg(feature = "cli")]
pub mod npz;
pub mod part;
#[cfg(feature = "cli")]
pub mod room;
#[cfg(feature = "cli")]
pub mod wav;
