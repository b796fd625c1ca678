//! Archives for other machines: CLAP, VST3 and program for Linux and, cross-built with mingw-w64, for Windows.
//! What lies in `target/archives` afterwards is whole: archives are renamed into place.
//!
//! Both archives are unpacked again and tried, the Windows one under Wine where that is installed (`--try`
//! installs it). macOS cannot be linked without Apple's SDK, so it is type-checked only.

mod archive;
mod notices;
mod paths;
mod trial;

use std::path::{Path, PathBuf};

use crate::install::{copy, remove};
use crate::steps::{Steps, command, output_of};
use crate::{built, packages};
use trial::Trial;

const FOLDER: &str = "target/archives";
const MACOS: &str = "aarch64-apple-darwin";
/// What goes into every archive beside the built files.
const PAPERS: [&str; 3] = ["README.md", "LICENSE-APACHE", "LICENSE-MIT"];
/// Full optimisation, one library type: with two the compiler leaves link-time optimisation out.
const LIBRARY: &str = "rustc --package asperity --lib --crate-type cdylib --profile dist --no-default-features --features plugin";
const PROGRAM: &str = "build --package asperity --bin asperity --profile dist";

/// A system that archives are made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum System {
    /// The one this runs on.
    Here,
    Windows,
}

impl System {
    /// As the compiler calls it, where it is not its own.
    fn target(self) -> Option<&'static str> {
        (self == Self::Windows).then_some("x86_64-pc-windows-gnu")
    }

    fn name(self) -> String {
        match self {
            Self::Here => format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
            Self::Windows => "x86_64-windows".to_owned(),
        }
    }

    fn program(self) -> String {
        let ending = if self == Self::Windows { ".exe" } else { std::env::consts::EXE_SUFFIX };
        format!("asperity{ending}")
    }

    /// Where to put the files, and what an unsigned program makes people click.
    fn install_notes(self) -> &'static str {
        match self {
            Self::Windows => include_str!("dist/install-windows.txt"),
            Self::Here if cfg!(windows) => include_str!("dist/install-windows.txt"),
            Self::Here if cfg!(target_os = "macos") => include_str!("dist/install-macos.txt"),
            Self::Here => include_str!("dist/install-linux.txt"),
        }
    }
}

/// `must_try`: Wine is installed where it is missing.
pub fn run(must_try: bool) -> Result<(), String> {
    packages::set_up()?;
    let mut steps = Steps::default();
    let mut here = None;
    steps.run("archive for this machine", || {
        here = Some(make(System::Here)?);
        Ok(())
    });
    let mut windows = None;
    steps.run("archive for Windows", || {
        packages::set_up_windows(System::Windows.target().unwrap_or_default())?;
        windows = Some(make(System::Windows)?);
        Ok(())
    });
    let mut known = None;
    if let Some(archive) = here {
        steps.run("this machine's archive tried", || {
            let trial = Trial::new(&archive, System::Here)?;
            known = Some(trial.program()?);
            trial.plugin()
        });
    }
    let wine = if must_try { packages::set_up_wine() } else { packages::wine_is_there() };
    match (windows, known, wine) {
        (Some(archive), Some(known), Ok(())) => {
            let mut trial = None;
            steps.run("Windows program under Wine", || {
                let one = trial.insert(Trial::new(&archive, System::Windows)?);
                one.program()?.agrees_with(&known)
            });
            if let Some(trial) = trial {
                steps.run("Windows plugins under Wine", || trial.plugin());
            }
        }
        (_, _, Err(why)) if must_try => steps.run("Wine", || Err(why)),
        (_, _, Err(why)) => eprintln!("{why}: the Windows archive is made, not tried"),
        _ => {}
    }
    steps.run("macOS, types only", || {
        packages::add_target(MACOS)?;
        let words = format!("check --package asperity --lib --bins --target {MACOS}");
        command("cargo", &words.split(' ').collect::<Vec<_>>())
    });
    steps.close()
}

/// Builds, bundles and packs; the archive's path.
fn make(system: System) -> Result<PathBuf, String> {
    let chosen: Vec<&str> = system.target().iter().flat_map(|name| ["--target", name]).collect();
    let sources = paths::sources()?;
    let renamed = ["--config", &paths::renaming(&sources)];
    for line in [LIBRARY, PROGRAM] {
        let words: Vec<&str> = line.split(' ').chain(chosen.iter().copied()).chain(renamed).collect();
        command("cargo", &words)?;
    }
    let target = built::folder()?;
    let bundled = target.join("bundled");
    remove(&bundled).map_err(at(&bundled))?;
    let mut words = vec!["--profile".to_owned(), "dist".to_owned()];
    words.extend(chosen.iter().map(|word| (*word).to_owned()));
    nice_plug_xtask::bundle(&target, "asperity", &words, false).map_err(|error| format!("{error:#}"))?;
    let made = target.join(system.target().unwrap_or_default()).join("dist");
    let mut files =
        vec![bundled.join("Asperity.clap"), bundled.join("Asperity.vst3"), made.join(system.program())];
    for file in &files {
        paths::are_not_in(file, &sources)?;
    }
    files.extend(PAPERS.map(PathBuf::from));
    pack(&files, system)
}

fn pack(files: &[PathBuf], system: System) -> Result<PathBuf, String> {
    let name = format!("asperity-{}-{}", version()?, system.name());
    let stage = Path::new("target/staged").join(&name);
    remove(&stage).map_err(at(&stage))?;
    std::fs::create_dir_all(&stage).map_err(at(&stage))?;
    for file in files {
        let place = stage.join(file.file_name().unwrap_or_default());
        copy(file, &place).map_err(at(file))?;
    }
    let texts = [
        ("INSTALL.txt", system.install_notes().to_owned()),
        ("NOTICES.txt", notices::text(system.target())?),
    ];
    for (file, text) in texts {
        // Windows' oldest editor shows such lines as well.
        let text = if system == System::Windows { text.replace('\n', "\r\n") } else { text };
        std::fs::write(stage.join(file), text).map_err(at(&stage))?;
    }
    std::fs::create_dir_all(FOLDER).map_err(at(Path::new(FOLDER)))?;
    let archive = Path::new(FOLDER).join(format!("{name}.zip"));
    let size = archive::write(&archive, &stage).map_err(at(&archive))?;
    println!("{} ({:.1} MB)", archive.display(), size as f64 / 1e6);
    Ok(archive)
}

fn version() -> Result<String, String> {
    let id = output_of("cargo", &["pkgid", "--package", "asperity"])?;
    let version = id.trim().rsplit(['#', '@']).next().unwrap_or_default();
    if version.is_empty() { Err("cargo pkgid names no version".into()) } else { Ok(version.to_owned()) }
}

/// Says which file an error of the system is about.
fn at(path: &Path) -> impl Fn(std::io::Error) -> String {
    let path = path.display().to_string();
    move |error| format!("{path}: {error}")
}
