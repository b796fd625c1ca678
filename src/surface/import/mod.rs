//! Measured profiles from files: CSV, SDF (ISO 25178-71), X3P (ISO 25178-72).
//!
//! Files come from anywhere, so each reader asks for memory only after checking the count against what the
//! file can hold and against [`MAX_NODES`], and every error names the line or the byte. What was changed on
//! the way in (points filled, row of a map taken, spacing evened) is told in [`Imported::notes`].

mod csv;
#[cfg(test)]
mod hostile;
mod points;
mod sdf;
#[cfg(test)]
mod tests;
mod x3p;

use super::Profile;
use crate::error::{Error, Problem};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Largest file that is read: 256 MiB, more than ten million nodes as text.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// What a file may leave open.
#[derive(Debug, Clone, Copy, Default)]
pub struct ImportOptions {
    /// Row of a map, counted from 1; the middle one by default.
    pub row: Option<usize>,
    /// Step of a CSV that has heights only.
    pub step_m: Option<f64>,
}

/// A profile and what was done to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    pub profile: Profile,
    pub notes: Vec<String>,
}

/// Reads a profile with nothing asked beyond what the file says.
pub fn import(path: &Path) -> Result<Profile, Error> {
    import_with(path, &ImportOptions::default()).map(|imported| imported.profile)
}

/// Reads a profile, with choices and notes.
pub fn import_with(path: &Path, options: &ImportOptions) -> Result<Imported, Error> {
    let name = path.display().to_string();
    let unreadable =
        |error: std::io::Error| bad(&name, error, "must be a readable file", "check the name and its rights");
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    import_bytes(&bytes, &name, options)
}

/// The same from memory; `name` is what messages call it, and its ending helps where the content does not
/// tell the format.
pub fn import_bytes(bytes: &[u8], name: &str, options: &ImportOptions) -> Result<Imported, Error> {
    if bytes.len() as u64 > MAX_FILE_BYTES {
        let limit = format!("must be at most {} MiB", MAX_FILE_BYTES >> 20);
        return Err(bad(name, "a larger file", limit, "cut the profile or take every other point"));
    }
    let ending = name.rsplit('.').next().unwrap_or_default().to_lowercase();
    let raw = if bytes.starts_with(b"aISO-") || bytes.starts_with(b"bISO-") || ending == "sdf" {
        sdf::read(bytes, name, options)
    } else if bytes.starts_with(b"PK") || ending == "x3p" {
        x3p::read(bytes, name, options)
    } else {
        csv::read(bytes, name, options)
    }?;
    raw.finish(name)
}

/// One finding about a file.
fn bad(
    place: &str,
    value: impl std::fmt::Display,
    limit: impl Into<String>,
    cure: impl Into<String>,
) -> Error {
    Problem::new(place, value, limit, cure).into()
}

/// Row to take of a map, counted from 0, with a note when there was a choice.
fn choose_row(rows: usize, options: &ImportOptions, name: &str) -> Result<(usize, Vec<String>), Error> {
    match options.row {
        Some(row) if row == 0 || row > rows => Err(bad(
            name,
            format!("row {row}"),
            format!("the file has rows 1 to {rows}"),
            "ask for one of them",
        )),
        Some(row) => Ok((row - 1, Vec::new())),
        None if rows == 1 => Ok((0, Vec::new())),
        None => {
            let note = format!("a map of {rows} rows: the middle one, row {}, was taken", rows / 2 + 1);
            Ok((rows / 2, vec![note]))
        }
    }
}
