//! The panel: one piece of code for two windows, the plugin's and the app's. Uses `instrument` and what lies
//! below it; knows no plugin framework, no device and no window system. A shell hands it the knobs as a
//! [`Control`] and what can be seen as a [`Viewer`](crate::instrument::Viewer).

mod bar;
mod button;
mod contact;
mod dial;
mod hands;
mod history;
mod knob;
mod levels;
mod meters;
mod modes;
mod panel;
mod plot;
mod presets;
mod rack;
mod resonator;
mod scope;
mod sound;
mod theme;
mod turn;

pub use panel::{PanelState, SMALLEST, USUAL, panel};
pub use presets::Presets;
pub use turn::full_name;

use crate::instrument::parameters::{Param, Values};

/// What a shell lets the panel do. Called on the thread of the window only.
pub trait Control {
    /// Where the knob stands, in the unit of the table, without the host's modulation.
    fn value(&self, param: Param) -> f64;

    /// A hand takes the knob. Every `set` lies between `begin` and `end`.
    fn begin(&self, param: Param);

    fn set(&self, param: Param, value: f64);

    /// The hand lets go.
    fn end(&self, param: Param);

    /// Text of the preset that was opened last, as its file says.
    fn preset(&self) -> String;

    /// Grows whenever another preset has been opened, by the panel or by anybody else.
    fn presets_opened(&self) -> u64;

    /// Why what was to be opened could not be; it is kept until something else is opened.
    fn trouble(&self) -> Option<String> {
        None
    }

    /// Opens a preset with its knobs at `values`; the text has been checked.
    fn open(&self, preset: &str, values: &Values);

    /// Whether keys that nobody has chosen a control for are the panel's: in a host's window they are the host's.
    fn owns_keys(&self) -> bool {
        false
    }

    /// Whether a right-click on a control has anything to offer.
    fn has_menu(&self) -> bool {
        false
    }

    /// What a right-click on a control offers.
    fn menu(&self, _param: Param, _ui: &mut egui::Ui) {}
}
