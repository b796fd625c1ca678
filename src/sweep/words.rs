//! The words a sweep is asked with, the same as flags and in the `[sweep]` table of a SPEC.toml: what is
//! varied (`ra`, `v`, `zeta`, …, `set.KEY`) and how each point is run (`seeds`, `seconds`, `skip`, `engine`).

use std::path::Path;

use crate::error::{Error, Problem, Problems};
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
pub const SETTINGS: [&str; 5] = ["seed", "seeds", "seconds", "skip", "engine"];

/// Any scene key, or several joined by `+` that go together.
pub const SET: &str = "set.";

/// A scene file with a `[sweep]` table, or without: then only flags say what is varied.
pub fn read_spec(path: &Path) -> Result<(Draft, Vec<Entry>), Error> {
    let file = path.display().to_string();
    let (draft, entries) = Draft::beside(&read_text(path)?, &file, "sweep")?;
    let mut problems = Problems::default();
    for entry in &entries {
        let known = entry.name.starts_with(SET) || all().any(|word| word == entry.name);
        if !known {
            let near = |word: &&str| strsim::damerau_levenshtein(word, &entry.name);
            let nearest = all().min_by_key(near).unwrap_or("ra");
            problems.push(Problem::new(
                format!("{}: sweep.{}", entry.place, entry.name),
                "unknown key",
                format!("the nearest known one is sweep.{nearest}"),
                "correct the name; scene keys go under [sweep.set]",
            ));
        }
    }
    problems.or((draft, entries))
}

fn all() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|word| word.name).chain(SETTINGS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unknown_word_is_listed_with_its_neighbour() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spec.toml");
        std::fs::write(
            &path,
            "[sweep]\nra = [3, 5]\nseedz = 2\nsecond = 1\nset.surface.acf = \"gaussian\"\n",
        )
        .unwrap();
        let text = read_spec(&path).unwrap_err().to_string();
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(
            text.contains("sweep.seedz") && text.contains("nearest known one is sweep.seconds"),
            "{text}"
        );
        std::fs::write(&path, "[sweep]\nra = \"3:30:4log\"\nseeds = 2\n").unwrap();
        assert_eq!(read_spec(&path).unwrap().1.len(), 2);
    }
}
