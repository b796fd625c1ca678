//! One binary for all tests that run the program from outside.

#[cfg(feature = "cli")]
mod analyze;
#[cfg(all(feature = "cli", feature = "app", target_os = "linux"))]
mod desk;
#[cfg(all(feature = "cli", unix))]
mod large;
#[cfg(feature = "cli")]
mod midi;
#[cfg(feature = "cli")]
mod own_presets;
#[cfg(all(feature = "cli", feature = "app", target_os = "linux"))]
mod play;
#[cfg(all(feature = "cli", unix))]
mod render_faults;
#[cfg(all(feature = "cli", unix))]
mod render_signals;
#[cfg(feature = "cli")]
mod scenes;
#[cfg(all(feature = "cli", feature = "app", target_os = "linux"))]
mod servers;
#[cfg(all(feature = "cli", feature = "app", target_os = "linux"))]
#[path = "../shared/window.rs"]
mod shared;
#[cfg(feature = "cli")]
mod shocks;
#[cfg(feature = "cli")]
mod squeal;
#[cfg(feature = "cli")]
mod stimuli;
#[cfg(feature = "cli")]
mod stimuli_faults;
#[cfg(feature = "cli")]
mod surface;
#[cfg(feature = "cli")]
mod sweep;
#[cfg(feature = "cli")]
mod sweep_engines;
#[cfg(all(feature = "cli", unix))]
mod sweep_kills;
#[cfg(feature = "cli")]
mod terminal;
#[cfg(feature = "cli")]
mod tiny;
#[cfg(feature = "cli")]
mod validate;
#[cfg(all(feature = "cli", feature = "app", target_os = "linux"))]
mod window;
