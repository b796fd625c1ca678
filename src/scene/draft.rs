//! Keys and values as people wrote them, each with the place it was written at, in the units of the key
//! names. Nothing here knows what a value means; `keys` knows its range, `build` its meaning.

use super::beside::{Entry, flatten};
use super::keys::{self, Fallback, Key, Kind};
use super::source::{offset_of, parse_toml, place_of, read_text, text_of};
use crate::error::{Error, Problem, Problems};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use toml::de::{DeTable, DeValue};

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Number(f64),
    Integer(u64),
    Word(String),
    Flag(bool),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // `{:?}` keeps the point in whole numbers and the exponent in very small ones.
            Self::Number(number) => write!(f, "{number:?}"),
            Self::Integer(integer) => write!(f, "{integer}"),
            Self::Word(word) => write!(f, "{}", toml::Value::from(word.as_str())),
            Self::Flag(flag) => write!(f, "{flag}"),
        }
    }
}

/// What a preset file says about itself, in its `[preset]` table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct About {
    pub name: String,
    pub category: String,
    pub description: String,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    values: BTreeMap<String, Value>,
    pub about: About,
    /// The `[play]` table: how the scene is played. Carried along as it was written; what plays it knows
    /// what it means.
    pub play: Vec<Entry>,
}

/// Where a whole scene can be seen.
pub(super) const EXAMPLE: &str = "`asperity presets show dang2013` prints a whole scene";

/// Table of the instrument's own keys.
const PLAY: &str = "play.";

impl Draft {
    /// Reads a scene file. A measured profile that lies beside it is found wherever the program was started.
    pub fn from_file(path: &Path) -> Result<Self, Error> {
        let mut draft = Self::from_toml(&read_text(path, "scene file")?, &path.display().to_string())?;
        for key in ["surface.file", "surface.top.file"] {
            if let Some(Value::Word(file)) = draft.values.get_mut(key) {
                let beside = path.with_file_name(&file);
                if let Some(found) = std::path::absolute(beside).ok().filter(|found| found.is_file()) {
                    *file = found.to_string_lossy().into_owned();
                }
            }
        }
        Ok(draft)
    }

    /// Reads TOML; `file` names it in messages. All problems are collected.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, Error> {
        let table = parse_toml(text, file, EXAMPLE)?;
        let mut draft = Self::default();
        let mut problems = Problems::default();
        draft.read_table(table.get_ref(), "", &|offset| place_of(file, text, offset), &mut problems);
        problems.or(draft)
    }

    pub(super) fn read_table(
        &mut self,
        table: &DeTable,
        prefix: &str,
        place: &dyn Fn(usize) -> String,
        problems: &mut Problems,
    ) {
        for (key, value) in table {
            let name = format!("{prefix}{}", key.get_ref());
            let here = place(offset_of(&name, key, value));
            match value.get_ref() {
                DeValue::Table(inner) if prefix.is_empty() && name == "preset" => {
                    self.read_about(inner, place, problems);
                }
                DeValue::Table(inner) if prefix.is_empty() && name == "play" => {
                    flatten(inner, "", place, &mut self.play, problems);
                }
                DeValue::Table(inner) => self.read_table(inner, &format!("{name}."), place, problems),
                single => match text_of(single) {
                    Some(text) => self.set_at(&name, &text, &here, problems),
                    None => problems.push(Problem::new(
                        format!("{here}: {name}"),
                        "a list, a date or a number that is not decimal",
                        "must be a number, a word or true/false",
                        "give one value",
                    )),
                },
            }
        }
    }

    fn read_about(&mut self, table: &DeTable, place: &dyn Fn(usize) -> String, problems: &mut Problems) {
        for (key, value) in table {
            let target = match key.get_ref().as_ref() {
                "name" => &mut self.about.name,
                "category" => &mut self.about.category,
                "description" => &mut self.about.description,
                other => {
                    problems.push(Problem::new(
                        format!("{}: preset.{other}", place(key.span().start)),
                        "unknown key",
                        "known: preset.name, preset.category, preset.description",
                        "remove it",
                    ));
                    continue;
                }
            };
            match value.get_ref() {
                DeValue::String(text) => *target = text.to_string(),
                _ => problems.push(Problem::new(
                    format!("{}: preset.{}", place(value.span().start), key.get_ref()),
                    "not a text",
                    "must be a text",
                    "put it in quotes",
                )),
            }
        }
    }

    /// Sets one key from text, as `--set KEY=VALUE` does. A measured profile laid over a scene replaces
    /// its surface, Ra included; an Ra set after it scales it.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), Problems> {
        let mut problems = Problems::default();
        if let Some(surface) = name.strip_suffix(".file") {
            self.values.remove(&format!("{surface}.ra_um"));
        }
        self.set_at(name, text, "", &mut problems);
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Takes a key back to its fallback.
    pub fn unset(&mut self, name: &str) {
        self.values.remove(name);
        self.play.retain(|entry| name.strip_prefix(PLAY) != Some(entry.name.as_str()));
    }

    fn set_at(&mut self, name: &str, text: &str, place: &str, problems: &mut Problems) {
        if let Some(own) = name.strip_prefix(PLAY) {
            self.unset(name);
            let (name, text, place) = (own.to_owned(), text.trim().to_owned(), place.to_owned());
            self.play.push(Entry { name, text, place });
            return;
        }
        let place = if place.is_empty() { name.to_owned() } else { format!("{place}: {name}") };
        let Some(key) = keys::find(name) else {
            let nearest = keys::nearest(name);
            problems.push(Problem::new(
                place,
                "unknown key",
                format!("the nearest known one is {nearest}"),
                "correct the name",
            ));
            return;
        };
        match parse(key, text) {
            Ok(value) => {
                self.values.insert(name.to_owned(), value);
            }
            Err(limit) => {
                problems.push(Problem::new(place, text, limit, format!("give {}", key.help)));
            }
        }
    }

    pub fn is_set(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// The value set, or the key's fallback; `None` where the scene decides.
    pub fn value(&self, name: &str) -> Option<Value> {
        if let Some(value) = self.values.get(name) {
            return Some(value.clone());
        }
        match keys::find(name)?.fallback {
            Fallback::Number(number) => Some(Value::Number(number)),
            Fallback::Integer(integer) => Some(Value::Integer(integer)),
            Fallback::Word(word) => Some(Value::Word(word.to_owned())),
            Fallback::Flag(flag) => Some(Value::Flag(flag)),
            Fallback::Unset => None,
            Fallback::As(other) => self.value(other),
        }
    }

    /// Numbers of the pick-ups that any key names.
    pub fn pickup_numbers(&self) -> Vec<usize> {
        let named = self.values.keys().filter_map(|name| name.strip_prefix("pickup."));
        let mut numbers: Vec<usize> = named.filter_map(|rest| rest.split('.').next()?.parse().ok()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// The values that were set, as TOML with one `key = value` a line.
    pub fn to_toml(&self) -> String {
        let About { name, category, description } = &self.about;
        let about = [("name", name), ("category", category), ("description", description)];
        let about = about
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .map(|(key, text)| format!("preset.{key} = {}\n", Value::Word(text.clone())));
        let scene = self.values.iter().map(|(name, value)| format!("{name} = {value}\n"));
        let mut own: Vec<String> = self
            .play
            .iter()
            .map(|Entry { name, text, .. }| {
                match text.parse::<f64>().is_ok() || text.parse::<bool>().is_ok() {
                    true => format!("{PLAY}{name} = {text}\n"),
                    false => format!("{PLAY}{name} = {}\n", Value::Word(text.clone())),
                }
            })
            .collect();
        own.sort();
        about.chain(scene).chain(own).collect()
    }
}

/// Parses by the key's kind; the error says what would have been right.
fn parse(key: &Key, text: &str) -> Result<Value, String> {
    let text = text.trim();
    match key.kind {
        Kind::Number { min, max } => match text.parse::<f64>() {
            Ok(number) if (min..=max).contains(&number) => Ok(Value::Number(number)),
            _ => Err(format!("must be a number from {min:?} to {max:?}")),
        },
        Kind::Integer { min, max } => match text.parse::<u64>() {
            Ok(integer) if (min..=max).contains(&integer) => Ok(Value::Integer(integer)),
            _ => Err(format!("must be a whole number from {min} to {max}")),
        },
        Kind::Choice(words) if words.contains(&text) => Ok(Value::Word(text.to_owned())),
        Kind::Choice(words) => Err(format!("must be one of {}", words.join(", "))),
        Kind::Text => Ok(Value::Word(text.to_owned())),
        Kind::Flag => text.parse().map(Value::Flag).map_err(|_| "must be true or false".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_is_listed_with_its_place() {
        let text = "[surface]\nra_um = -3\nrough = 2\n[slider]\nload_n_m = nan\n[motion]\nkind = \"fly\"\n";
        let Err(Error::Input(problems)) = Draft::from_toml(text, "a.toml") else { panic!("accepted") };
        let all: Vec<String> = problems.0.iter().map(ToString::to_string).collect();
        assert_eq!(all.len(), 4, "{all:#?}");
        assert!(
            all.iter().any(|p| p.starts_with("a.toml:2:9: surface.ra_um: -3: must be a number from 0.0"))
        );
        assert!(all.iter().any(|p| p.contains("a.toml:3:1: surface.rough: unknown key: the nearest known")));
        assert!(all.iter().any(|p| p.contains("one of pass, endless, reciprocate")));
        assert!(all.iter().any(|p| p.contains("slider.load_n_m")));
    }

    #[test]
    fn toml_round_trips() {
        let mut draft = Draft::default();
        draft.set("surface.ra_um", "3").unwrap();
        draft.set("motion.kind", "endless").unwrap();
        draft.set("run.step_s", "1e-8").unwrap();
        draft.set("pickup.2.pan", "-0.5").unwrap();
        draft.set("surface.file", "a \"b\"\\c.csv").unwrap();
        draft.set("play.mode", "mono").unwrap();
        draft.set("play.attack_s", "1").unwrap();
        draft.set("play.attack_s", "0.5").unwrap();
        let again = Draft::from_toml(&draft.to_toml(), "again").unwrap();
        assert_eq!(again.to_toml(), draft.to_toml());
        assert!(draft.to_toml().ends_with("play.attack_s = 0.5\nplay.mode = \"mono\"\n"));
        assert_eq!((&again.values, again.play.len()), (&draft.values, 2));
    }

    #[test]
    fn broken_toml_names_line_and_column() {
        let Err(error) = Draft::from_toml("a = 1\nb = = 2\n", "x.toml") else { panic!("accepted") };
        assert!(error.to_string().starts_with("x.toml:2:5"), "{error}");
    }
}
