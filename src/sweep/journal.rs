//! What is finished stays finished: one line per point, written whole and synchronised before the next.
//!
//! Each line is the CRC-32 of its text in eight hexadecimal digits, a blank, the text, a line end. The first
//! line says which sweep this is, the others are rows of the table. A process killed while it appends leaves
//! at most one line that fails its check; it is dropped and its point runs again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::identity::Identity;
use super::shard::Shard;
use crate::error::{Error, Problem};
use crate::io::part::write_whole;

/// The journal's name in the folder of a sweep.
pub const JOURNAL_FILE: &str = "journal.txt";

/// Rows by the number of their point.
pub type Rows = BTreeMap<usize, String>;

#[derive(Serialize, Deserialize)]
struct Header {
    shard: String,
    sweep: Identity,
}

/// What a journal holds.
#[derive(Debug)]
pub struct Contents {
    pub shard: Shard,
    pub identity: Identity,
    pub rows: Rows,
    /// Lines that failed their check.
    pub damaged: usize,
}

/// An open journal; no other process can open it as long as this one lives.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Starts a journal, or with `resume` goes on with the one that is there.
    pub fn open(
        folder: &Path,
        identity: &Identity,
        shard: Shard,
        resume: bool,
    ) -> Result<(Self, Contents), Error> {
        let path = folder.join(JOURNAL_FILE);
        let place = path.display().to_string();
        if !path.exists() {
            write_lines(&path, identity, shard, &Rows::new())?;
        } else if !resume {
            let (limit, cure) = ("a sweep is already there", "go on with --resume, or name another folder");
            return Err(Problem::new("-o", folder.display(), limit, cure).into());
        }
        let mut journal = Self::locked(path)?;
        let contents = read(&journal.path)?;
        let mut differences = identity.differences(&contents.identity);
        if contents.shard != shard {
            differences.push(format!("shard: {} there, {shard} here", contents.shard));
        }
        if !differences.is_empty() {
            return Err(Problem::new(
                place,
                "is the journal of another sweep",
                differences.join("; "),
                "repeat the command that began it, or name another folder",
            )
            .into());
        }
        if contents.damaged > 0 {
            write_lines(&journal.path, identity, shard, &contents.rows)?;
            journal = Self::locked(journal.path)?;
        }
        Ok((journal, contents))
    }

    fn locked(path: PathBuf) -> Result<Self, Error> {
        let file =
            OpenOptions::new().append(true).open(&path).map_err(|source| Error::output(&path, source))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(Problem::new(
                path.display().to_string(),
                "another process is writing it",
                "one process at a time",
                "wait for it, or stop it",
            )
            .into()),
            // File systems without locks exist; there it is up to the user.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self { path, file }),
        }
    }

    /// One finished point. Returns when it is on the disk.
    pub fn append(&mut self, row: &str) -> Result<(), Error> {
        self.file
            .write_all(checked_line(row).as_bytes())
            .and_then(|()| self.file.sync_data())
            .map_err(|source| Error::output(&self.path, source))
    }
}

fn checked_line(text: &str) -> String {
    format!("{:08x} {text}\n", crc32fast::hash(text.as_bytes()))
}

/// The text of a line that passes its check.
fn checked_text(line: &str) -> Option<&str> {
    let (crc, text) = line.strip_suffix('\n')?.split_at_checked(8)?;
    let text = text.strip_prefix(' ')?;
    (u32::from_str_radix(crc, 16).ok()? == crc32fast::hash(text.as_bytes())).then_some(text)
}

/// Writes a whole journal.
pub fn write_lines(path: &Path, identity: &Identity, shard: Shard, rows: &Rows) -> Result<(), Error> {
    let header = serde_json::to_string(&Header { shard: shard.to_string(), sweep: identity.clone() })
        .map_err(|error| Error::Other(format!("the plan has no JSON form: {error}")))?;
    write_whole(path, |out| {
        out.write_all(checked_line(&header).as_bytes())?;
        rows.values().try_for_each(|row| out.write_all(checked_line(row).as_bytes()))
    })
}

/// Reads a journal without changing it.
pub fn read(path: &Path) -> Result<Contents, Error> {
    let place = path.display().to_string();
    let refuse = |value: String, limit: &str| {
        Error::from(Problem::new(&place, value, limit, "name the folder of a sweep, or start it anew"))
    };
    let bytes =
        std::fs::read(path).map_err(|why| refuse(why.to_string(), "must be the journal of a sweep"))?;
    // A torn line may end inside a character; what is replaced fails its check.
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.split_inclusive('\n');
    let header = lines
        .next()
        .and_then(checked_text)
        .and_then(|line| serde_json::from_str::<Header>(line).ok())
        .and_then(|header| Some((Shard::parse(&header.shard).ok()?, header.sweep)));
    let Some((shard, identity)) = header else {
        return Err(refuse("its first line fails its check".to_owned(), "must be the journal of a sweep"));
    };
    let mut contents = Contents { shard, identity, rows: Rows::new(), damaged: 0 };
    for line in lines {
        let row = checked_text(line).and_then(|text| Some((text.split(',').next()?.parse().ok()?, text)));
        match row {
            Some((point, text)) if contents.fits(point, text) => {
                contents.rows.insert(point, text.to_owned());
            }
            _ => contents.damaged += 1,
        }
    }
    Ok(contents)
}

impl Contents {
    fn fits(&self, point: usize, text: &str) -> bool {
        point < self.identity.points()
            && self.shard.holds(point)
            && text.split(',').count() == self.identity.columns().len()
            && !self.rows.contains_key(&point)
    }

    /// How many points this part has in all.
    pub fn expected(&self) -> usize {
        (0..self.identity.points()).filter(|point| self.shard.holds(*point)).count()
    }
}
