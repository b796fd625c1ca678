//! `asperity presets`: the library of scenes, one scene whole, or a check of a user's file.

use std::path::PathBuf;

use clap::Subcommand;
use serde::Serialize;

use super::out;
use crate::error::Error;
use crate::instrument::{Patch, play_range, play_table};
use crate::io::library::{Library, Source, preset_or_file, shipped};
use crate::scene::{Draft, KEYS, presets};

#[derive(Debug, Subcommand)]
pub enum PresetsCommand {
    /// Names and one line each: those that ship, then your own
    List {
        /// A list of objects on stdout
        #[arg(long)]
        json: bool,
    },
    /// One preset as TOML
    Show { name: String },
    /// Checks a scene file and says everything that is wrong with it
    Check { file: PathBuf },
    /// Every key with its range, default and meaning
    Keys,
}

pub fn run(command: PresetsCommand) -> Result<(), Error> {
    match command {
        PresetsCommand::List { json } => list(json),
        PresetsCommand::Show { name } => {
            let shipped = presets().iter().find(|preset| preset.name == name);
            let text = match shipped {
                Some(preset) => preset.text.to_owned(),
                None => preset_or_file(&name)?.to_toml(),
            };
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

/// What a script may want to know of a preset. `name` is the word that opens it.
#[derive(Debug, Serialize)]
struct Line {
    name: String,
    category: String,
    description: String,
    /// Null for those that ship.
    file: Option<PathBuf>,
}

/// Files of the user's that cannot be read are told and left out.
fn list(json: bool) -> Result<(), Error> {
    let (own, problems) = Library::of_user().map_or_else(Default::default, |library| library.list());
    for problem in &problems.0 {
        out::say(&problem.to_string());
    }
    let lines: Vec<Line> = shipped()
        .into_iter()
        .chain(own)
        .map(|one| {
            let (name, file) = match one.source {
                Source::Shipped(name) => (name.to_owned(), None),
                Source::User(path) => (one.name, Some(path)),
            };
            Line { name, category: one.category, description: one.description, file }
        })
        .collect();
    if json {
        return out::json(&lines);
    }
    let told = |line: &Line| format!("{:18} {:9} {}", line.name, line.category, line.description);
    out::line(&lines.iter().map(told).collect::<Vec<_>>().join("\n"))
}
