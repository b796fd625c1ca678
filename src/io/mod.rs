//! Files in and out: whole or not at all, and saying what they hold. Uses `scene`, `record` and `error`;
//! computes no physics.

pub mod folder;
pub mod library;
#[cfg(feature = "cli")]
pub mod midi;
#[cfg(feature = "cli")]
pub mod npz;
pub mod part;
#[cfg(feature = "cli")]
pub mod room;
#[cfg(feature = "cli")]
pub mod wav;
