//! The bundle as a stranger's host plays it: pedalboard, which is built on JUCE and comes into a virtual environment of
//! its own.

use crate::steps::command;
use crate::{built, bundle, packages, python};

const CHECK: &str = "xtask/src/hosts/check.py";

pub fn run() -> Result<(), String> {
    packages::set_up()?;
    let python = python::with("hosts", &["pedalboard", "mido", "numpy"])?;
    bundle::run(&["asperity", "--release"])?;
    let vst3 = built::folder()?.join("bundled/Asperity.vst3");
    command(&python, &[CHECK, &vst3.to_string_lossy()])
}
