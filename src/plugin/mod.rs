//! The instrument in a DAW: CLAP and VST3 from one type. Thin on purpose: parameters and events are handed to
//! `instrument`, sound is handed back, and nothing here knows how a voice works.
//!
//! The two formats differ in one thing. CLAP brings controllers and pitch bend for nothing; VST3 has no MIDI,
//! so the framework would add 2,080 hidden parameters that some hosts take half a minute to list. VST3 therefore
//! gets note expression only, unless the feature `vst3-controllers` asks for the rest.

mod events;
mod host_window;
pub mod knob;
pub mod panel;
mod player;
mod rate;
pub mod root;
mod shell;
pub mod state;
mod threads;
mod window;

pub use shell::Asperity;

/// Which of the two configurations a format has.
type ForClap = Asperity<true>;
type ForVst3 = Asperity<{ cfg!(feature = "vst3-controllers") }>;

nice_plug::nice_export_clap!(ForClap);
nice_plug::nice_export_vst3!(ForVst3);
