//! A virtual display for tests that open real windows, and the pictures they take.

use crate::packages;
use crate::steps::command;

/// Room for the largest window; the display outlives each of them.
const SCREEN: &str = "-screen 0 2000x1200x24 -noreset";
const PICTURES: &str =
    "cargo test --profile checked --test plugin --test asperity -- --ignored window_screenshots";

/// With these the C library gives back what is freed, so that tests see what leaks.
const MEMORY: [&str; 3] = ["env", "MALLOC_ARENA_MAX=1", "MALLOC_MMAP_THRESHOLD_=131072"];

/// Runs a command on a display of its own.
pub fn on_display(words: &[&str]) -> Result<(), String> {
    packages::set_up_display()?;
    command("xvfb-run", &[&["-a", "-s", SCREEN], &MEMORY[..], words].concat())
}

/// Pictures of the app's and the plugin's window at three sizes and scale factors.
pub fn screenshots() -> Result<(), String> {
    on_display(&PICTURES.split(' ').collect::<Vec<_>>())?;
    println!("tests/screenshots holds the new pictures");
    Ok(())
}
