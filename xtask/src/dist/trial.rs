//! An archive as a user meets it: unpacked, its program run, its plugins loaded by hosts that are not ours. What is
//! made for Windows runs under Wine, in a prefix of its own.

use std::path::{Path, PathBuf};

use super::{System, archive, at};
use crate::install::remove;
use crate::steps::{command_with, output_with};

/// How far levels of two systems may lie apart: contact is chaotic, so other roundings are another run.
const SAME_LEVEL_DB: f64 = 1.0;
/// How far their surfaces may.
const SAME_HEIGHT_M: f64 = 1e-12;

pub struct Trial {
    system: System,
    /// What the archive holds.
    folder: PathBuf,
    /// For Wine: its own files, and where it looks for libraries that it lacks.
    prefix: String,
    libraries: String,
}

/// What the program printed and wrote.
pub struct Figures {
    lv_db: f64,
    presets: String,
    heights_m: Vec<f64>,
}

impl Trial {
    pub fn new(archive: &Path, system: System) -> Result<Self, String> {
        let root = std::env::current_dir().map_err(at(Path::new(".")))?.join("target/tried");
        let name = archive.file_stem().unwrap_or_default();
        let folder = root.join(name);
        remove(&folder).map_err(at(&folder))?;
        archive::read(archive, &root).map_err(at(archive))?;
        let stand_ins = root.join("stand-ins");
        if system == System::Windows {
            stand_in(&stand_ins)?;
        }
        Ok(Self {
            system,
            folder,
            prefix: root.join("wine").to_string_lossy().into_owned(),
            // Wine calls the root of this machine Z.
            libraries: format!("Z:{}", stand_ins.display()),
        })
    }

    /// Renders, lists presets, makes a surface.
    pub fn program(&self) -> Result<Figures, String> {
        let json = self.run(&["render", "--seconds", "2", "--json"])?;
        let figures: serde_json::Value =
            serde_json::from_str(json.trim()).map_err(|error| format!("render --json: {error}: {json}"))?;
        let lv_db = figures["lv_db"].as_f64().ok_or_else(|| format!("render --json has no level: {json}"))?;
        let presets = self.run(&["presets", "list"])?.replace('\r', "");
        let file = self.folder.join("surface.csv");
        let csv = file.to_string_lossy();
        self.run(&["surface", "make", "--ra", "5", "--lc", "450", "--length", "20", "-o", &csv])?;
        let table = std::fs::read_to_string(&file).map_err(at(&file))?;
        let figures = Figures { lv_db, presets, heights_m: heights(&table) };
        println!(
            "{}: Lv = {lv_db:.2} dB re 1 nm/s, {} presets, a surface of {} heights",
            self.system.name(),
            figures.presets.lines().count(),
            figures.heights_m.len()
        );
        Ok(figures)
    }

    /// Our tests load the plugins of the archive instead of what they are linked with: CLAP in a host of its own,
    /// both formats as a scanning host does.
    pub fn plugin(&self) -> Result<(), String> {
        let clap = self.folder.join("Asperity.clap");
        let (clap, folder) = (clap.to_string_lossy(), self.folder.to_string_lossy());
        let mut variables = vec![("ASPERITY_CLAP", &*clap), ("ASPERITY_BUNDLES", &*folder)];
        let mut words = vec!["cargo", "test", "--package", "asperity", "--test", "plugin"];
        // A plugin's hidden window wants a display, under Wine too.
        if self.system == System::Windows {
            words.splice(0..0, ["xvfb-run", "-a"]);
        }
        // Where the target is another, libraries compiled for the archive are taken again.
        words.extend(match self.system.target() {
            Some(target) => vec!["--profile", "dist", "--target", target],
            None => vec!["--profile", "checked"],
        });
        if self.system == System::Windows {
            variables.extend(self.wine());
            variables.push(("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", "wine"));
        }
        // Soaks count memory, which a library that is not linked with the test asks for unseen.
        command_with(&variables, words[0], &[&words[1..], &["--", "--skip", "soak"]].concat())?;
        words.extend(["the_bundle", "--", "--ignored", "--nocapture"]);
        command_with(&variables, words[0], &words[1..])
    }

    fn wine(&self) -> [(&str, &str); 3] {
        [("WINEPREFIX", &self.prefix), ("WINEPATH", &self.libraries), ("WINEDEBUG", "-all")]
    }

    fn run(&self, words: &[&str]) -> Result<String, String> {
        let program = self.folder.join(self.system.program());
        let program = program.to_string_lossy();
        match self.system {
            System::Here => output_with(&[], &program, words),
            System::Windows => output_with(&self.wine(), "wine", &[&[&*program], words].concat()),
        }
    }
}

impl Figures {
    pub fn agrees_with(&self, other: &Self) -> Result<(), String> {
        if self.presets != other.presets || self.presets.lines().count() < 24 {
            return Err(format!("other presets:\n{}\n{}", self.presets, other.presets));
        }
        let apart_db = (self.lv_db - other.lv_db).abs();
        if apart_db.is_nan() || apart_db > SAME_LEVEL_DB {
            return Err(format!("levels lie {apart_db:.2} dB apart"));
        }
        let (one, two) = (&self.heights_m, &other.heights_m);
        let apart_m = one.iter().zip(two).fold(0.0f64, |most, (a, b)| most.max((a - b).abs()));
        println!("{apart_db:.2} dB and at most {apart_m:e} m apart");
        if one.len() != two.len() || one.len() < 1000 || apart_m > SAME_HEIGHT_M {
            return Err(format!("{} and {} heights, {apart_m} m apart", one.len(), two.len()));
        }
        Ok(())
    }
}

/// What an older Wine lacks and Windows has.
fn stand_in(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(at(folder))?;
    let library = folder.join("bcryptprimitives.dll");
    let words = ["-shared", "-o", &library.to_string_lossy(), "xtask/src/dist/prng.c", "-ladvapi32"];
    command_with(&[], "x86_64-w64-mingw32-gcc", &words)
}

/// The last column of a table of numbers; other lines are talk.
fn heights(table: &str) -> Vec<f64> {
    table.lines().filter_map(|line| line.split(',').next_back()?.trim().parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(lv_db: f64, height_m: f64) -> Figures {
        let presets: Vec<String> = (0..30).map(|n| format!("preset {n}")).collect();
        Figures { lv_db, presets: presets.join("\n"), heights_m: vec![height_m; 2000] }
    }

    #[test]
    fn two_systems_have_to_agree() {
        let one = figures(100.0, 1.0);
        assert_eq!(one.agrees_with(&figures(100.4, 1.0 + 1e-13)), Ok(()));
        assert!(one.agrees_with(&figures(102.0, 1.0)).unwrap_err().contains("2.00 dB"));
        assert!(one.agrees_with(&figures(f64::NAN, 1.0)).is_err());
        assert!(one.agrees_with(&figures(100.0, 1.0 + 1e-11)).is_err());
        let fewer = Figures { heights_m: vec![1.0; 1999], ..figures(100.0, 1.0) };
        assert!(one.agrees_with(&fewer).is_err());
        let others = Figures { presets: "one".into(), ..figures(100.0, 1.0) };
        assert!(one.agrees_with(&others).is_err() && others.agrees_with(&others).is_err());
    }

    #[test]
    fn heights_are_the_last_column() {
        assert_eq!(heights("# Ra 5\nx_m,height_m\n0,1.5\n5,-2e-3\r\n"), [1.5, -2e-3]);
    }
}
