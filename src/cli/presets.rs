//! `asperity presets`: the library of scenes, one scene whole, or a check of a user's file.

use std::path::PathBuf;

use clap::Subcommand;

use super::out;
use crate::error::Error;
use crate::instrument::{Patch, play_range, play_table};
use crate::scene::{Draft, KEYS, find_preset, presets};

#[derive(Debug, Subcommand)]
pub enum PresetsCommand {
    /// Names and one line each
    List,
    /// One preset as TOML
    Show { name: String },
    /// Checks a scene file and says everything that is wrong with it
    Check { file: PathBuf },
    /// Every key with its range, default and meaning
    Keys,
}

pub fn run(command: PresetsCommand) -> Result<(), Error> {
    match command {
        PresetsCommand::List => {
            let mut lines = Vec::new();
            for preset in presets() {
                let about = find_preset(preset.name)?.about;
                lines.push(format!("{:18} {:9} {}", preset.name, about.category, about.description));
            }
            out::line(&lines.join("\n"))
        }
        PresetsCommand::Show { name } => {
            find_preset(&name)?;
            let text = presets().iter().find(|preset| preset.name == name).map_or("", |preset| preset.text);
            out::line(text.trim_end())
        }
        PresetsCommand::Check { file } => {
            Patch::new(Draft::from_file(&file)?)?;
            out::line(&format!("{}: good", file.display()))
        }
        PresetsCommand::Keys => out::data(|sink| {
            for key in KEYS {
                writeln!(sink, "{:30} {}\n{:30} {}", key.name, key.help, "", key.range_text())?;
            }
            for (key, entry) in play_table() {
                let (range, default) = (play_range(entry), entry.format(entry.default()));
                writeln!(sink, "play.{key:25} {}\n{:30} {range}; default {default}", entry.help, "")?;
            }
            Ok(())
        }),
    }
}
