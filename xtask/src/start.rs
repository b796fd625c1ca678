//! From a fresh machine to a first sound.

use std::path::Path;

use crate::steps::{command, output_of};
use crate::{built, packages};

const SOUND: &str = "out/first-sound.wav";
const PICTURE: &str = "out/first-sound.png";

pub fn run() -> Result<(), String> {
    packages::set_up()?;
    command("cargo", &["build", "--release", "--package", "asperity"])?;
    std::fs::create_dir_all("out").map_err(|error| format!("out: {error}"))?;
    let program = built::program("release")?;
    eprintln!("rendering the first sound …");
    let json = output_of(&program, &["render", "-o", SOUND, "--plot", PICTURE, "--json"])?;
    for file in [SOUND, PICTURE] {
        if !Path::new(file).is_file() {
            return Err(format!("{file} was not written"));
        }
    }
    println!("{}", report(&json)?);
    Ok(())
}

/// What a person wants to know of the rendering: where it is, how long, how loud.
fn report(json: &str) -> Result<String, String> {
    let figures: serde_json::Value =
        serde_json::from_str(json).map_err(|error| format!("render --json printed no JSON: {error}"))?;
    let number =
        |key: &str| figures[key].as_f64().ok_or_else(|| format!("render --json has no number `{key}`"));
    Ok(format!(
        "sound:    {SOUND} ({:.2} s)\nspectrum: {PICTURE}\nlevel:    Lv = {:.1} dB re 1 nm/s",
        number("seconds")?,
        number("lv_db")?
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_says_where_and_how_loud() {
        let text = report(r#"{"lv_db": 117.26, "seconds": 2.5, "shocks": 3}"#).unwrap();
        assert!(text.contains("first-sound.wav (2.50 s)") && text.contains("117.3 dB re 1 nm/s"), "{text}");
    }

    #[test]
    fn silence_and_noise_on_stdout_are_failures() {
        assert!(report(r#"{"lv_db": null, "seconds": 1.0}"#).unwrap_err().contains("lv_db"));
        assert!(report("hello").unwrap_err().contains("no JSON"));
    }
}
