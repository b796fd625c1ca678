//! The user's own presets: a folder of TOML files, the same that the terminal reads. A preset's name lives
//! inside its file and never becomes a path: the file is called after the letters and digits of the name
//! and its checksum. What cannot be read is reported and left out.

use super::part::write_whole;
use crate::error::{Error, Problem, Problems};
use crate::scene::{Draft, find_preset, presets};
use std::path::{Path, PathBuf};

/// Longest name, in characters.
const MAX_NAME: usize = 120;
/// Letters and digits of the name that go into the file's.
const MAX_STEM: usize = 40;
/// Files that are looked at.
const MAX_FILES: usize = 10_000;

/// A preset that can be opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub name: String,
    pub category: String,
    pub description: String,
    pub source: Source,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Ships with Asperity, under this name.
    Shipped(&'static str),
    User(PathBuf),
}

impl Listed {
    fn new(draft: &Draft, source: Source, otherwise: &str) -> Self {
        let about = &draft.about;
        let name = if about.name.is_empty() { otherwise } else { &about.name };
        Self {
            name: name.to_owned(),
            category: about.category.clone(),
            description: about.description.clone(),
            source,
        }
    }

    pub fn open(&self) -> Result<Draft, Error> {
        match &self.source {
            Source::Shipped(name) => find_preset(name),
            Source::User(path) => read(path),
        }
    }
}

/// The presets that ship with Asperity.
pub fn shipped() -> Vec<Listed> {
    let listed = |name: &'static str| {
        let draft = find_preset(name).unwrap_or_default();
        Listed::new(&draft, Source::Shipped(name), name)
    };
    presets().iter().map(|preset| listed(preset.name)).collect()
}

/// Whether a word of the command line names a file and not a preset.
pub fn is_file_name(word: &str) -> bool {
    word.ends_with(".toml") || word.contains(['/', '\\'])
}

/// The scene that a word means: a file, a preset that ships, or one of the user's own by the name it gives itself.
pub fn preset_or_file(word: &str) -> Result<Draft, Error> {
    if is_file_name(word) {
        return Draft::from_file(Path::new(word));
    }
    find_preset(word).or_else(|unknown| {
        let own = Library::of_user().map_or(Vec::new(), |library| library.list().0);
        own.iter().find(|one| one.name == word).map_or(Err(unknown), Listed::open)
    })
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    folder: PathBuf,
}

impl Library {
    /// Where this platform keeps a user's data; `None` where it has no such place.
    pub fn of_user() -> Option<Self> {
        Some(Self::at(&dirs::data_dir()?.join("asperity").join("presets")))
    }

    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Everything that can be opened, by name, and what is wrong with the rest. No folder is no presets.
    pub fn list(&self) -> (Vec<Listed>, Problems) {
        let mut problems = Problems::default();
        let mut listed = Vec::new();
        let Ok(files) = std::fs::read_dir(&self.folder) else { return (listed, problems) };
        for path in files.take(MAX_FILES).flatten().map(|entry| entry.path()) {
            if path.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            match read(&path) {
                Ok(draft) => listed.push(Listed::new(&draft, Source::User(path), &stem)),
                Err(Error::Input(found)) => problems.0.extend(found.0),
                Err(other) => problems.push(unreadable(&path, &other)),
            }
        }
        listed.sort_by_key(|one: &Listed| one.name.to_lowercase());
        (listed, problems)
    }

    /// Keeps a preset under the name it gives itself, in place of an older one of that name.
    pub fn save(&self, draft: &Draft) -> Result<PathBuf, Error> {
        let name = &draft.about.name;
        check(name)?;
        let path = self.folder.join(file_name(name));
        if path.symlink_metadata().is_ok() && read(&path).is_ok_and(|old| old.about.name != *name) {
            return Err(Problem::new(
                name,
                "another preset has this file",
                "names must differ",
                "take another",
            )
            .into());
        }
        std::fs::create_dir_all(&self.folder).map_err(|source| Error::output(&self.folder, source))?;
        refuse_link(&path)?;
        write_whole(&path, |file| file.write_all(draft.to_toml().as_bytes()))?;
        Ok(path)
    }
}

/// A plain file of this folder; links lead elsewhere and are not followed.
fn read(path: &Path) -> Result<Draft, Error> {
    refuse_link(path)?;
    Draft::from_file(path)
}

fn refuse_link(path: &Path) -> Result<(), Error> {
    match path.symlink_metadata() {
        Ok(found) if !found.is_file() => Err(Problem::new(
            path.display().to_string(),
            "a link or a folder",
            "must be a plain file",
            "copy the preset itself into the folder",
        )
        .into()),
        _ => Ok(()),
    }
}

fn unreadable(path: &Path, why: &Error) -> Problem {
    Problem::new(path.display().to_string(), why, "must be a preset", "mend or remove it")
}

fn check(name: &str) -> Result<(), Problem> {
    let good =
        !name.trim().is_empty() && name.chars().count() <= MAX_NAME && !name.chars().any(char::is_control);
    if good {
        return Ok(());
    }
    let shown: String = name.chars().take(40).flat_map(char::escape_default).collect();
    let limit = format!("must be 1 to {MAX_NAME} characters that can be printed");
    Err(Problem::new("preset.name", shown, limit, "take another name"))
}

/// `letters-and-digits-checksum.toml`: never a reserved name, never a way out of the folder.
fn file_name(name: &str) -> String {
    let kept = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    let stem: String = kept.take(MAX_STEM).collect();
    format!("{}-{:08x}.toml", stem.trim_matches('-'), crc32fast::hash(name.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Draft {
        let mut draft = find_preset("steel-on-steel").unwrap();
        draft.about.name = name.to_owned();
        draft
    }

    #[test]
    fn saved_presets_come_back_whole() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::at(&folder.path().join("deep/er"));
        assert_eq!(library.list(), (Vec::new(), Problems::default()));
        let mut draft = named("Grüße \"aus\" O'Hare\\ ✓");
        draft.set("play.mode", "mono").unwrap();
        library.save(&draft).unwrap();
        library.save(&draft).unwrap();
        let (listed, problems) = library.list();
        assert!(problems.is_empty() && listed.len() == 1, "{problems:?}");
        assert_eq!(listed[0].name, draft.about.name);
        assert_eq!(listed[0].open().unwrap().to_toml(), draft.to_toml());
        assert!(shipped().iter().all(|listed| listed.open().is_ok() && !listed.category.is_empty()));
    }

    #[test]
    fn hostile_names_stay_in_the_folder() {
        let around = tempfile::tempdir().unwrap();
        let library = Library::at(&around.path().join("presets"));
        let long = "x".repeat(MAX_NAME);
        for name in
            ["../../escape", "CON", "/etc/passwd", "C:\\x", ".hidden", "a/b", "nul.toml", "...", &long]
        {
            let path = library.save(&named(name)).unwrap();
            assert_eq!(path.parent(), Some(library.folder()), "{name}");
            let file = path.file_name().unwrap().to_str().unwrap();
            assert!(
                file.len() < 64 && file.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'.')
            );
            assert!(!["con.toml", "nul.toml"].contains(&file));
        }
        for name in ["", " ", "a\0b", "line\nbreak", &"y".repeat(300)] {
            assert!(matches!(library.save(&named(name)), Err(Error::Input(_))));
        }
        assert_eq!(std::fs::read_dir(around.path()).unwrap().count(), 1);
        assert_eq!(library.list().0.len(), 9);
    }

    #[test]
    fn one_bad_file_is_reported_and_the_rest_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::at(folder.path());
        library.save(&named("good")).unwrap();
        std::fs::write(folder.path().join("bad.toml"), "surface.ra_um = -1\n").unwrap();
        std::fs::write(folder.path().join("broken.toml"), "= = =").unwrap();
        std::fs::write(folder.path().join("bytes.toml"), [0xFF, 0xFE, 0x00]).unwrap();
        std::fs::create_dir(folder.path().join("folder.toml")).unwrap();
        std::fs::write(folder.path().join("notes.txt"), "not mine").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link.toml")).unwrap();
        let (listed, problems) = library.list();
        assert_eq!(listed.len(), 1);
        assert_eq!(problems.0.len(), if cfg!(unix) { 5 } else { 4 }, "{problems:?}");
    }
}
