//! Asperity: two rough surfaces rub, computed from first principles.
//!
//! One sample's way through the house: `scene` (one experiment, validated, SI) → `engine`
//! (free step → contact → update) → `pickup` → `render` → a file or a loudspeaker. Arrows go one
//! way: a room uses the rooms below it and never looks up.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod beam;
pub mod contact;
pub mod engine;
pub mod error;
pub mod friction;
pub mod instrument;
pub mod io;
pub mod math;
pub mod pickup;
pub mod record;
pub mod render;
pub mod scene;
pub mod scheme;
pub mod squeal;
pub mod surface;
pub mod sweep;
pub mod units;
pub mod verify;

#[cfg(feature = "app")]
pub mod app;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "editor")]
pub mod editor;
#[cfg(feature = "cli")]
pub mod picture;
#[cfg(feature = "plugin")]
pub mod plugin;
