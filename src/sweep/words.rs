//! The words a sweep is asked with, the same as flags and in the `[sweep]` table of a SPEC.toml: what is
//! varied (`ra`, `v`, `zeta`, …, `set.KEY`) and how each point is run (`seeds`, `seconds`, `skip`, `engine`, `quality`).

use std::path::Path;

use crate::error::{Error, Problem};
use crate::scene::{Draft, Entry, read_text};

/// A short word that takes a LIST, and the scene keys it sets together.
#[derive(Debug, Clone, Copy)]
pub struct Word {
    pub name: &'static str,
    pub keys: &'static [&'static str],
}

/// In the order in which a grid nests: the first varies slowest.
pub const WORDS: [Word; 7] = [
    Word { name: "ra", keys: &["surface.ra_um"] },
    Word { name: "v", keys: &["motion.speed_m_s"] },
    Word { name: "zeta", keys: &["resonator.damping_ratio", "slider.damping_ratio"] },
    Word { name: "lc", keys: &["surface.corr_length_um"] },
    Word { name: "acf", keys: &["surface.acf"] },
    Word { name: "cutoff", keys: &["surface.cutoff_um"] },
    Word { name: "motion", keys: &["motion.kind"] },
];

/// Words that are one value for the whole sweep.
pub const SETTINGS: [&str; 6] = ["seed", "seeds", "seconds", "skip", "engine", "quality"];

/// Any scene key, or several joined by `+` that go together.
pub const SET: &str = "set.";

/// A scene file with a `[sweep]` table, or without: then only flags say what is varied.
pub fn read_spec(path: &Path) -> Result<(Draft, Vec<Entry>), Error> {
    Draft::beside(&read_text(path, "spec")?, &path.display().to_string(), "sweep")
}

/// What is wrong with the name of an entry.
pub fn unknown(entry: &Entry) -> Option<Problem> {
    if entry.name.starts_with(SET) || all().any(|word| word == entry.name) {
        return None;
    }
    let near = |word: &&str| strsim::damerau_levenshtein(word, &entry.name);
    let nearest = all().min_by_key(near).unwrap_or("ra");
    Some(Problem::new(
        format!("{}: sweep.{}", entry.place, entry.name),
        "unknown key",
        format!("the nearest known one is sweep.{nearest}"),
        "correct the name; scene keys go under [sweep.set]",
    ))
}

fn all() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|word| word.name).chain(SETTINGS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_words_are_told_with_their_neighbour() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spec.toml");
        let text = "[sweep]\nra = [3, 5]\nseedz = 2\nsecond = 1\nset.surface.acf = \"gaussian\"\n";
        std::fs::write(&path, text).unwrap();
        let entries = read_spec(&path).unwrap().1;
        let told: Vec<String> =
            entries.iter().filter_map(unknown).map(|problem| problem.to_string()).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].contains("sweep.second") && told[0].contains("nearest known one is sweep.seconds"));
    }
}
