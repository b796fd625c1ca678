//! The presets that can be opened, the one that is open, and whether it has been changed.

use crate::error::Error;
use crate::instrument::Patch;
use crate::instrument::parameters::{Param, Values};
use crate::io::library::{Library, Listed, Source, shipped};
use std::sync::Arc;

/// Knobs nearer than this share of their way stand at the same place: hosts keep single precision.
const SAME_PLACE: f64 = 1e-6;
/// What a user's own presets are filed under.
const OWN: &str = "User";
const NO_FOLDER: &str = "this system names no folder for your data, so there is no place for presets: set HOME, on Windows APPDATA";
const NO_PRESET: &str = "no preset is open that could be saved: open one first";

pub struct Presets {
    library: Option<Library>,
    listed: Vec<Listed>,
    /// The preset that is open: how often one was opened, its text, and what it says.
    opened: Option<u64>,
    pub text: Arc<str>,
    patch: Option<Patch>,
    /// Which of several presets of one name was opened last.
    chosen: Option<Source>,
    pub search: String,
    pub category: Option<String>,
    /// Name that is being given.
    pub naming: String,
    /// What went wrong last.
    pub trouble: Option<String>,
}

impl Default for Presets {
    fn default() -> Self {
        Self::with(Library::of_user())
    }
}

impl Presets {
    pub fn with(library: Option<Library>) -> Self {
        let mut presets = Self {
            library,
            listed: Vec::new(),
            opened: None,
            text: "".into(),
            patch: None,
            chosen: None,
            search: String::new(),
            category: None,
            naming: String::new(),
            trouble: None,
        };
        presets.list();
        presets
    }

    /// Reads the folder again, and says what cannot be read in it.
    pub fn list(&mut self) {
        let (own, problems) = self.library.as_ref().map(Library::list).unwrap_or_default();
        self.trouble = problems.0.first().map(|problem| match problems.0.len() {
            1 => problem.to_string(),
            count => format!("{problem} ({count} problems in all)"),
        });
        let plays = |listed: &Listed| listed.open().is_ok_and(|draft| Patch::to_play(draft).is_ok());
        self.listed = shipped().into_iter().filter(plays).chain(own).collect();
        let key = |listed: &Listed| (category_of(listed).to_lowercase(), listed.name.to_lowercase());
        self.listed.sort_by_key(key);
    }

    /// Another preset may have been opened, by anybody.
    pub fn follow(&mut self, opened: u64, text: impl FnOnce() -> String) {
        if self.opened != Some(opened) {
            self.opened = Some(opened);
            self.text = text().into();
            self.patch = Patch::from_toml(&self.text, "preset").ok();
        }
    }

    pub fn name(&self) -> &str {
        match &self.patch {
            Some(patch) if !patch.draft().about.name.is_empty() => &patch.draft().about.name,
            _ => "Unnamed",
        }
    }

    pub fn description(&self) -> &str {
        self.patch.as_ref().map_or("", |patch| &patch.draft().about.description)
    }

    pub fn is_changed(&self, values: &Values) -> bool {
        let moved = |patch: &Patch, param: Param| {
            let was = patch.values().normalised(param);
            (was - values.normalised(param)).abs() > SAME_PLACE
        };
        self.patch.as_ref().is_some_and(|patch| Param::all().any(|param| moved(patch, param)))
    }

    pub fn categories(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.listed.iter().map(category_of).collect();
        names.dedup();
        names
    }

    /// Places of those that the search and the category let through.
    pub fn found(&self) -> Vec<usize> {
        let words = self.search.to_lowercase();
        let fits = |listed: &Listed| {
            let category = category_of(listed);
            let text = format!("{} {category} {}", listed.name, listed.description).to_lowercase();
            self.category.as_deref().is_none_or(|wanted| wanted == category)
                && words.split_whitespace().all(|word| text.contains(word))
        };
        (0..self.listed.len()).filter(|n| fits(&self.listed[*n])).collect()
    }

    pub fn listed(&self, n: usize) -> Option<&Listed> {
        self.listed.get(n)
    }

    /// Place of the open preset.
    pub fn place(&self) -> Option<usize> {
        let named = || (0..self.listed.len()).filter(|n| self.listed[*n].name == self.name());
        let chosen = |n: &usize| self.chosen.as_ref() == Some(&self.listed[*n].source);
        named().find(chosen).or_else(|| named().next())
    }

    /// Whether a preset of the user's has the name that is being given.
    pub fn replaces(&self) -> bool {
        let name = self.naming.trim();
        self.listed.iter().any(|listed| listed.name == name && matches!(listed.source, Source::User(_)))
    }

    /// So many places on from the open one, around the end.
    pub fn neighbour(&self, steps: isize) -> Option<usize> {
        let count = self.listed.len() as isize;
        let from = self.place().map_or(if steps > 0 { -1 } else { 0 }, |place| place as isize);
        (count > 0).then(|| (from + steps).rem_euclid(count) as usize)
    }

    /// Text and knobs of a preset, checked.
    pub fn read(&mut self, n: usize) -> Option<(String, Values)> {
        let read = |listed: &Listed| -> Result<(String, Values), Error> {
            let patch = Patch::to_play(listed.open()?)?;
            Ok((patch.draft().to_toml(), *patch.values()))
        };
        let opened = self.told(|presets| presets.listed.get(n).map(read).transpose()).flatten();
        if opened.is_some() {
            self.chosen = self.listed.get(n).map(|listed| listed.source.clone());
        }
        opened
    }

    /// Keeps the knobs as they stand under the name that was given; returns the new preset's text.
    pub fn save(&mut self, values: &Values) -> Option<String> {
        let saved = self.told(|presets| {
            let library = presets.library.as_ref().ok_or_else(|| Error::Other(NO_FOLDER.to_owned()))?;
            let patch = presets.patch.as_ref().ok_or_else(|| Error::Other(NO_PRESET.to_owned()))?;
            let mut draft = patch.turned(values);
            draft.about.name = presets.naming.trim().to_owned();
            let path = library.save(&draft)?;
            Ok((draft.to_toml(), path))
        });
        let (text, path) = saved?;
        self.chosen = Some(Source::User(path));
        self.list();
        Some(text)
    }

    /// Says what went wrong.
    fn told<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, Error>) -> Option<T> {
        let outcome = work(self);
        self.trouble = outcome.as_ref().err().map(ToString::to_string);
        outcome.ok()
    }
}

pub fn category_of(listed: &Listed) -> &str {
    match listed.source {
        Source::User(_) => OWN,
        Source::Shipped(_) if listed.category.is_empty() => "Other",
        Source::Shipped(_) => &listed.category,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(presets: &mut Presets, n: usize) -> Values {
        let (text, values) = presets.read(n).unwrap();
        let opened = presets.opened.unwrap_or(0) + 1;
        presets.follow(opened, || text);
        values
    }

    #[test]
    fn every_preset_opens_and_stands_as_its_file_says() {
        let mut presets = Presets::with(None);
        assert!(!presets.found().is_empty());
        for n in presets.found() {
            let values = open(&mut presets, n);
            assert_eq!(presets.place(), Some(n));
            assert!(!presets.is_changed(&values), "{}", presets.name());
            let mut moved = values;
            moved.set(Param::Ra, 1.5 * values.get(Param::Ra));
            assert!(presets.is_changed(&moved));
        }
    }

    #[test]
    fn search_and_category_narrow_the_list() {
        let mut presets = Presets::with(None);
        let all = presets.found().len();
        presets.search = "steel".to_owned();
        let steel = presets.found().len();
        assert!(0 < steel && steel < all);
        presets.search.clear();
        let category = presets.categories()[0].to_owned();
        presets.category = Some(category.clone());
        assert!(presets.found().iter().all(|n| category_of(presets.listed(*n).unwrap()) == category));
        presets.search = "no such words".to_owned();
        assert!(presets.found().is_empty());
    }

    #[test]
    fn neighbours_go_around() {
        let mut presets = Presets::with(None);
        let last = presets.listed.len() - 1;
        open(&mut presets, 0);
        assert_eq!((presets.neighbour(1), presets.neighbour(-1)), (Some(1), Some(last)));
        open(&mut presets, last);
        assert_eq!(presets.neighbour(1), Some(0));
    }

    #[test]
    fn what_is_saved_can_be_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut presets = Presets::with(Some(Library::at(folder.path())));
        let mut values = open(&mut presets, 0);
        values.set(Param::Ra, 33.0);
        presets.naming = " ".to_owned();
        assert!(presets.save(&values).is_none() && presets.trouble.is_some());
        presets.naming = "Mine".to_owned();
        let text = presets.save(&values).unwrap();
        assert!(presets.trouble.is_none());
        presets.follow(99, || text);
        assert_eq!(presets.name(), "Mine");
        assert!(!presets.is_changed(&values));
        let place = presets.place().unwrap();
        assert_eq!(category_of(presets.listed(place).unwrap()), OWN);
        assert_eq!(presets.read(place).unwrap().1.get(Param::Ra), 33.0);
    }

    #[test]
    fn one_of_two_presets_of_a_name_is_open_and_its_neighbours_are_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let mut presets = Presets::with(Some(Library::at(folder.path())));
        let values = open(&mut presets, 0);
        presets.naming = presets.name().to_owned();
        assert!(!presets.replaces());
        let text = presets.save(&values).unwrap();
        presets.follow(99, || text);
        let own = presets.place().unwrap();
        assert_eq!(category_of(presets.listed(own).unwrap()), OWN);
        assert!(presets.replaces());
        let shipped =
            (0..presets.listed.len()).find(|n| *n != own && presets.listed[*n].name == presets.name());
        open(&mut presets, shipped.unwrap());
        assert_eq!(presets.place(), shipped);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_told_and_the_others_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("broken.toml"), "][").unwrap();
        let presets = Presets::with(Some(Library::at(folder.path())));
        assert!(presets.trouble.as_ref().unwrap().contains("broken.toml"), "{:?}", presets.trouble);
        // One of the papers' runs can only be rendered.
        let missing: Vec<String> =
            shipped().into_iter().filter(|one| !presets.listed.contains(one)).map(|one| one.name).collect();
        assert_eq!(missing, ["Twin beams, Dang 2010"]);
    }
}
