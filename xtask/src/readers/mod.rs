//! What we write, opened by the programs that people open it with: NumPy the tables, libsndfile the sounds, one of
//! them beyond 4 GiB, a YAML parser the listening test. They come into a virtual environment of their own.

use std::fs;

use crate::steps::{command, output_of};
use crate::{built, packages, python};

const FOLDER: &str = "target/readers";
const CHECK: &str = "xtask/src/readers/check.py";

/// Coarse surfaces, few modes, soft contact: sounds within milliseconds of work.
const TINY: &str = "--set surface.step_um=1000 --set surface.cutoff_um=0 --set surface.corr_length_um=3000 \
     --set resonator.modes=4 --set contact.kappa_pa=1e8 --set run.step_s=2e-5 --motion endless --v 0.5";

const SPEC: &str = r#"
name = "set"
seconds = 0.5
skip_s = 0.1
[set]
motion.kind = "endless"
[conditions]
surface.ra_um = [4, 12]
"#;

pub fn run() -> Result<(), String> {
    packages::set_up()?;
    let python = python::with("readers", &["numpy", "soundfile", "pyyaml"])?;
    command("cargo", &["build", "--profile", "checked", "--package", "asperity"])?;
    let files = format!("{FOLDER}/files");
    clear(&files)?;
    fs::create_dir_all(&files).map_err(|error| format!("{files}: {error}"))?;
    let outcome = write_files(&files).and_then(|()| {
        command(&python, &[CHECK, &files])?;
        println!("NumPy, libsndfile and PyYAML opened everything");
        Ok(())
    });
    // Gigabytes are not left behind, whatever was found.
    clear(&files).and(outcome)
}

fn clear(folder: &str) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(format!("{folder}: {error}")),
        _ => Ok(()),
    }
}

fn write_files(files: &str) -> Result<(), String> {
    let spec = format!("{files}/spec.toml");
    fs::write(&spec, SPEC).map_err(|error| format!("{spec}: {error}"))?;
    asperity(&format!(
        "sweep dang2013 -o {files}/sweep {TINY} --ra 3,10 --set surface.acf=gaussian,exponential"
    ))?;
    asperity(&format!("shocks dang2013 -o {files}/shocks --seconds 0.02 --skip 0.005"))?;
    asperity(&format!("stimuli {spec} -o {files}/set"))?;
    for bits in ["16", "24", "32f"] {
        asperity(&format!("render dang2013 {TINY} -o {files}/{bits}.wav --bits {bits} --seconds 1"))?;
    }
    let four = "--set pickup.1.gain=1 --set pickup.2.gain=1 --set pickup.3.gain=1 --set pickup.4.gain=1";
    let long = "--quality draft --bits 32f --rate 192000 --seconds 1500";
    asperity(&format!("render dang2013 {TINY} {four} {long} -o {files}/large.wav"))
}

/// One line of the program; what it prints is for people and not needed here.
fn asperity(line: &str) -> Result<(), String> {
    eprintln!("$ asperity {line}");
    let program = built::program("checked")?;
    output_of(&program, &line.split_whitespace().collect::<Vec<_>>()).map(drop)
}
