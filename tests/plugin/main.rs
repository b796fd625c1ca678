//! The plugin in a host that is not the framework's: sound, states, parameters, safety.
//!
//! The tests load the library they are linked with. `ASPERITY_CLAP=target/bundled/Asperity.clap` makes them load
//! a bundle instead.

mod events;
mod host;
#[cfg(any(target_os = "linux", windows))]
mod loading;
mod parameters;
mod safety;
#[cfg(target_os = "linux")]
#[path = "../shared/window.rs"]
mod shared;
mod sound;
mod states;
mod vst3_host;
#[cfg(target_os = "linux")]
mod window;
