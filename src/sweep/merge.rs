//! The parts of one sweep, run apart, as one whole. Nothing is taken on trust: each part says in its journal
//! which sweep and which part it is, and every point must be there once.

use std::path::{Path, PathBuf};

use super::identity::Identity;
use super::journal::{self, Contents, JOURNAL_FILE, Rows, write_lines};
use super::shard::Shard;
use crate::error::{Error, Problem, Problems};

/// Reads all parts and checks that they are the whole of one sweep.
pub fn merge(folders: &[PathBuf]) -> Result<(Identity, Rows), Error> {
    let mut problems = Problems::default();
    let mut parts: Vec<(&Path, Contents)> = Vec::new();
    for folder in folders {
        let contents = problems.gather(journal::read(&folder.join(JOURNAL_FILE)))?;
        parts.extend(contents.map(|contents| (folder.as_path(), contents)));
    }
    let Some((first_folder, first)) = parts.first() else { return Err(problems.into()) };
    let of = first.shard.of;
    for (index, (folder, part)) in parts.iter().enumerate() {
        let place = folder.display().to_string();
        let mut differences = first.identity.differences(&part.identity);
        if part.shard.of != of {
            differences.push(format!("{} parts there, {of} here", part.shard.of));
        }
        if !differences.is_empty() {
            problems.push(Problem::new(
                &place,
                format!("belongs to another sweep than {}", first_folder.display()),
                differences.join("; "),
                "leave it out, or merge it with its own parts",
            ));
            continue;
        }
        if let Some((earlier, _)) = parts[..index].iter().find(|(_, other)| other.shard == part.shard) {
            problems.push(Problem::new(
                &place,
                format!("part {} again", part.shard),
                format!("{} has it already", earlier.display()),
                "leave one of them out",
            ));
        }
        let (there, expected) = (part.rows.len(), part.expected());
        if there < expected {
            problems.push(Problem::new(
                &place,
                format!("part {} has {there} of its {expected} points", part.shard),
                "must be finished",
                "repeat its command with --resume",
            ));
        }
    }
    let missing: Vec<String> = (1..=of)
        .filter(|index| parts.iter().all(|(_, part)| part.shard.index != *index))
        .map(|index| Shard { index, of }.to_string())
        .collect();
    if !missing.is_empty() {
        problems.push(Problem::new(
            "merge",
            format!("part {} missing", missing.join(", ")),
            format!("all {of} parts are needed"),
            "name their folders too, or run them",
        ));
    }
    let identity = first.identity.clone();
    let rows = parts.iter().flat_map(|(_, part)| part.rows.clone()).collect();
    problems.or((identity, rows))
}

/// Writes the whole as a journal of its own, so that the merged folder is a sweep like any other.
pub fn write_journal(folder: &Path, identity: &Identity, rows: &Rows) -> Result<(), Error> {
    write_lines(&folder.join(JOURNAL_FILE), identity, Shard::WHOLE, rows)
}
