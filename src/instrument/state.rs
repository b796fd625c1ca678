//! What a host keeps: the patch as its file says, and where every knob stands. Text that people can read,
//! versioned; older versions are brought up by a table of steps. Whatever comes in, values are in range.

use super::parameters::{Param, Values};
use super::patch::Patch;
use crate::error::{Error, Problem};
use crate::scene::{Draft, Entry};

/// Written today.
pub const STATE_VERSION: u32 = 1;
/// Table of the text that holds the version and the knobs by their ids.
const TABLE_NAME: &str = "state";
const VERSION_KEY: &str = "version";
/// States are short; anything longer is something else.
const MAX_BYTES: usize = 1 << 20;

/// Brings entries from one version to the next.
type Step = fn(&mut Vec<Entry>);
/// Steps by the version they start from, in order.
const MIGRATIONS: &[(u32, Step)] = &[];

#[derive(Debug, Clone)]
pub struct State {
    pub patch: Patch,
    pub values: Values,
}

impl State {
    pub fn to_text(&self) -> String {
        let mut text = format!("{TABLE_NAME}.{VERSION_KEY} = {STATE_VERSION}\n");
        for param in Param::all() {
            text += &format!("{TABLE_NAME}.{} = {:?}\n", param.entry().id, self.values.get(param));
        }
        text + &self.patch.draft().to_toml()
    }

    /// Whether this is a state that cannot be opened here and may well be elsewhere: a newer version wrote it (all
    /// begin with it), or it wants a measured profile.
    pub fn belongs_elsewhere(text: &str) -> bool {
        if text.len() > MAX_BYTES || Self::from_text(text).is_ok() {
            return false;
        }
        let version = text.strip_prefix(&format!("{TABLE_NAME}.{VERSION_KEY} = "));
        let version = version.and_then(|rest| rest.lines().next()?.parse::<u32>().ok());
        let wants_profile =
            |(draft, _): (Draft, _)| ["surface.file", "surface.top.file"].iter().any(|key| draft.is_set(key));
        version.is_some_and(|version| version > STATE_VERSION)
            || version.is_some() && Draft::beside(text, "state", TABLE_NAME).is_ok_and(wants_profile)
    }

    /// The error says why; nothing is half read.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        if text.len() > MAX_BYTES {
            let limit = format!("at most {MAX_BYTES} bytes");
            return Err(Problem::new("state", text.len(), limit, "this is no state").into());
        }
        let (draft, mut entries) = Draft::beside(text, "state", TABLE_NAME)?;
        migrate(&mut entries, MIGRATIONS, STATE_VERSION)?;
        let patch = Patch::new(draft)?;
        let mut values = *patch.values();
        for entry in &entries {
            // Ids of other versions are nobody's.
            if let (Some(param), Ok(value)) = (Param::from_id(&entry.name), entry.text.parse::<f64>()) {
                values.set(param, value);
            }
        }
        Ok(Self { patch, values })
    }
}

fn migrate(entries: &mut Vec<Entry>, steps: &[(u32, Step)], newest: u32) -> Result<(), Problem> {
    let found = entries.iter().find(|entry| entry.name == VERSION_KEY);
    let version = found.and_then(|entry| entry.text.parse::<u32>().ok()).unwrap_or(0);
    if version == 0 || version > newest {
        return Err(Problem::new(
            format!("{TABLE_NAME}.{VERSION_KEY}"),
            found.map_or("missing", |entry| &entry.text),
            format!("must be 1 to {newest}"),
            "a newer Asperity may have written it",
        ));
    }
    for (_, step) in steps.iter().filter(|(from, _)| *from >= version) {
        step(entries);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn moved() -> State {
        let patch = Patch::preset("stridulation").unwrap();
        let mut values = *patch.values();
        values.set(Param::Ra, 1.0 / 3.0);
        values.set(Param::Mode, 2.0);
        State { patch, values }
    }

    #[test]
    fn saved_loaded_and_saved_again_is_the_same_text() {
        let text = moved().to_text();
        let again = State::from_text(&text).unwrap();
        assert_eq!(again.values, moved().values);
        assert_eq!(again.patch.draft().to_toml(), moved().patch.draft().to_toml());
        assert_eq!(again.to_text(), text);
    }

    #[test]
    fn regress_states_of_version_1_load_for_ever() {
        let state = State::from_text(include_str!("../../tests/instrument/state-1.toml")).unwrap();
        assert_eq!(state.values.get(Param::Ra), 7.5);
        assert_eq!(state.values.get(Param::V), 0.25);
        assert_eq!(state.values.choice(Param::Mode), 1);
        assert_eq!(state.values.get(Param::Attack), 0.125);
        assert_eq!(state.patch.values().get(Param::Ra), 5.0);
        assert_eq!(state.patch.draft().about.name, "Steel on steel");
    }

    #[test]
    fn other_versions_are_refused_and_old_ones_brought_up() {
        for version in ["0", "2", "-1", "\"x\"", "1.5"] {
            let text = moved().to_text().replace("state.version = 1", &format!("state.version = {version}"));
            assert!(State::from_text(&text).is_err(), "{version}");
        }
        assert!(State::from_text("").is_err());
        let entry =
            |name: &str, text: &str| Entry { name: name.into(), text: text.into(), place: String::new() };
        let mut entries = vec![entry("version", "2"), entry("old", "5")];
        let never: Step = |_| panic!("a step before the version");
        let rename: Step = |entries| entries.iter_mut().for_each(|e| e.name = e.name.replace("old", "new"));
        let double: Step =
            |entries| entries.iter_mut().filter(|e| e.name == "new").for_each(|e| e.text += "0");
        migrate(&mut entries, &[(1, never), (2, rename), (3, double)], 4).unwrap();
        assert_eq!(entries[1], entry("new", "50"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn mutated_states_never_panic_nor_let_anything_wild_in(
            edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
            cut in proptest::option::of(any::<prop::sample::Index>()),
            numbers in proptest::collection::vec((any::<prop::sample::Index>(), prop::sample::select(
                vec!["1e39", "-1e39", "nan", "inf", "-2147483648", "0", "true", "\"\"", "[[[[[[]]]]]]", "1e-320"],
            )), 0..4),
        ) {
            let mut lines: Vec<String> = moved().to_text().lines().map(str::to_owned).collect();
            for (place, number) in &numbers {
                let line = place.get_mut(&mut lines[..]);
                if let Some((key, _)) = line.split_once('=') {
                    *line = format!("{key}= {number}");
                }
            }
            let mut bytes = lines.join("\n").into_bytes();
            if numbers.is_empty() {
                for (place, byte) in &edits {
                    *place.get_mut(&mut bytes[..]) = *byte;
                }
            }
            if let Some(cut) = cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            if let Ok(state) = State::from_text(&String::from_utf8_lossy(&bytes)) {
                for param in Param::all() {
                    let (min, max) = param.entry().range();
                    prop_assert!((min..=max).contains(&state.values.get(param)));
                }
            }
        }
    }
}
