//! Archives for other machines: CLAP, VST3 and program for Linux and, cross-built with mingw-w64, for Windows.
//! What lies in `target/dist` afterwards is whole: archives are renamed into place.
//!
//! macOS cannot be linked without Apple's SDK, so it is type-checked only. Where Wine is installed the Windows
//! program is run under it.

mod archive;

use std::path::{Path, PathBuf};

use crate::install::{copy, remove};
use crate::packages;
use crate::steps::{Steps, command, output_of, succeeds};

const FOLDER: &str = "target/dist";
const WINDOWS: &str = "x86_64-pc-windows-gnu";
const MACOS: &str = "aarch64-apple-darwin";
/// What goes into every archive beside the built files.
const PAPERS: [&str; 3] = ["README.md", "LICENSE-APACHE", "LICENSE-MIT"];
/// Full optimisation, one library type: with two the compiler leaves link-time optimisation out.
const LIBRARY: &str = "rustc --package asperity --lib --crate-type cdylib --profile dist --no-default-features --features plugin";
const PROGRAM: &str = "build --package asperity --bin asperity --profile dist";

pub fn run() -> Result<(), String> {
    packages::set_up()?;
    std::fs::create_dir_all(FOLDER).map_err(|error| format!("{FOLDER}: {error}"))?;
    let mut steps = Steps::default();
    steps.run("this machine", || build(None).and_then(|files| pack(&files, None)));
    steps.run("Windows", || {
        packages::set_up_windows(WINDOWS)?;
        build(Some(WINDOWS)).and_then(|files| pack(&files, Some(WINDOWS)))
    });
    if succeeds("wine", &["--version"]) {
        steps.run("Windows program under Wine", under_wine);
    } else {
        eprintln!("Wine is not installed: the Windows program is built, not run");
    }
    steps.run("macOS, types only", || {
        packages::add_target(MACOS)?;
        let words = format!("check --package asperity --lib --bins --target {MACOS}");
        command("cargo", &words.split(' ').collect::<Vec<_>>())
    });
    steps.close()
}

/// Builds and bundles; the paths of what was made.
fn build(target: Option<&str>) -> Result<Vec<PathBuf>, String> {
    let chosen: Vec<&str> = target.iter().flat_map(|name| ["--target", name]).collect();
    for line in [LIBRARY, PROGRAM] {
        let words: Vec<&str> = line.split(' ').chain(chosen.iter().copied()).collect();
        command("cargo", &words)?;
    }
    let bundled = Path::new("target/bundled");
    remove(bundled).map_err(|error| format!("{}: {error}", bundled.display()))?;
    let mut words = vec!["--profile".to_owned(), "dist".to_owned()];
    words.extend(chosen.iter().map(|word| (*word).to_owned()));
    nice_plug_xtask::bundle(Path::new("target"), "asperity", &words, false)
        .map_err(|error| format!("{error:#}"))?;
    let built = Path::new("target").join(target.unwrap_or_default()).join("dist");
    let program = if target == Some(WINDOWS) { "asperity.exe" } else { "asperity" };
    let mut files = vec![bundled.join("Asperity.clap"), bundled.join("Asperity.vst3"), built.join(program)];
    files.extend(PAPERS.map(PathBuf::from));
    Ok(files)
}

fn pack(files: &[PathBuf], target: Option<&str>) -> Result<(), String> {
    let host = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let system = match target {
        Some(WINDOWS) => "x86_64-windows",
        _ => &host,
    };
    let name = format!("asperity-{}-{system}", version()?);
    let archive = Path::new(FOLDER).join(format!("{name}.zip"));
    let size =
        archive::write(&archive, &name, files).map_err(|error| format!("{}: {error}", archive.display()))?;
    println!("{} ({:.1} MB)", archive.display(), size as f64 / 1e6);
    Ok(())
}

fn version() -> Result<String, String> {
    let id = output_of("cargo", &["pkgid", "--package", "asperity"])?;
    let version = id.trim().rsplit(['#', '@']).next().unwrap_or_default();
    if version.is_empty() { Err("cargo pkgid names no version".into()) } else { Ok(version.to_owned()) }
}

/// The Windows program renders a second of sound in a folder of its own.
fn under_wine() -> Result<(), String> {
    let folder = Path::new("target/wine");
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let program = folder.join("asperity.exe");
    copy(&Path::new("target").join(WINDOWS).join("dist/asperity.exe"), &program)
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let json = output_of("wine", &[&program.to_string_lossy(), "render", "--seconds", "1", "--json"])?;
    let figures: serde_json::Value = serde_json::from_str(json.trim())
        .map_err(|error| format!("render --json under Wine: {error}: {json}"))?;
    match figures["lv_db"].as_f64() {
        Some(level) if level.is_finite() => {
            println!("under Wine: Lv = {level:.1} dB re 1 nm/s");
            Ok(())
        }
        _ => Err(format!("no level under Wine: {json}")),
    }
}
