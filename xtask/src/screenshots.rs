//! Pictures of the plugin's window at three sizes and scale factors, taken on a display of their own.

use crate::packages;
use crate::steps::command;

/// Room for the largest window at twice the usual density.
const SCREEN: &str = "-screen 0 2600x1700x24";
const TEST: &str = "cargo test --profile checked --test plugin -- --ignored window_screenshots";

pub fn run() -> Result<(), String> {
    packages::set_up_display()?;
    let words: Vec<&str> = ["-a", "-s", SCREEN].into_iter().chain(TEST.split(' ')).collect();
    command("xvfb-run", &words)?;
    println!("tests/screenshots holds the new pictures");
    Ok(())
}
