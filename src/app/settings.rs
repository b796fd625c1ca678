//! What the app remembers between sessions: device, rate, buffer, MIDI inputs and learned controllers, as TOML
//! in the user's configuration folder. The file may have been edited or damaged: what is wrong in it is named
//! and left out, the rest counts.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::learn::Controller;
use super::midi::Inputs;
use super::output::Wish;
use crate::error::{Error, Problem, Problems};
use crate::instrument::parameters::Param;
use crate::io::part::write_whole;

/// Bytes that a settings file may have: a hundred times what a full one has.
const LONGEST_FILE: u64 = 1 << 20;
/// Characters of a device's name.
const LONGEST_NAME: usize = 512;
const MOST_INPUTS: usize = 256;
pub const RATES_HZ: std::ops::RangeInclusive<i64> = 1_000..=768_000;
pub const BUFFERS: std::ops::RangeInclusive<i64> = 1..=65_536;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    pub wish: Wish,
    pub midi: Inputs,
    pub learned: BTreeMap<Controller, Param>,
}

/// Where the file lies; none on systems without a folder for it.
pub fn path() -> Option<PathBuf> {
    Some(dirs::config_dir()?.join("asperity").join("app.toml"))
}

impl Settings {
    /// Everything good in the file, and everything wrong with it. No file is no problem.
    pub fn read(path: &Path) -> (Self, Problems) {
        let mut text = String::new();
        let place = path.display().to_string();
        let read = fs::File::open(path).and_then(|file| file.take(LONGEST_FILE).read_to_string(&mut text));
        match read {
            Ok(_) => Self::from_toml(&text, &place),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Default::default(),
            Err(error) => {
                let problem = Problem::new(place, error, "must be a readable text file", "remove it");
                (Self::default(), problem.into())
            }
        }
    }

    fn from_toml(text: &str, place: &str) -> (Self, Problems) {
        let table = match text.parse::<Table>() {
            Ok(table) => table,
            Err(error) => {
                let found = error.message().to_owned();
                let problem = Problem::new(place, found, "must be TOML", "remove the file to begin anew");
                return (Self::default(), problem.into());
            }
        };
        let mut reader = Reader { table, place, problems: Problems::default() };
        let settings = Self {
            wish: Wish {
                device: reader.name("audio", "device"),
                rate_hz: reader.number("audio", "rate_hz", RATES_HZ),
                buffer: reader.number("audio", "buffer", BUFFERS),
            },
            midi: reader.inputs(),
            learned: reader.learned(),
        };
        (settings, reader.problems)
    }

    fn to_toml(&self) -> String {
        let mut audio = Table::new();
        let numbers = [("rate_hz", self.wish.rate_hz), ("buffer", self.wish.buffer)];
        audio.extend(self.wish.device.iter().map(|name| ("device".to_owned(), Value::from(name.as_str()))));
        for (key, number) in numbers {
            audio.extend(number.map(|number| (key.to_owned(), Value::from(i64::from(number)))));
        }
        let mut midi = Table::new();
        if let Inputs::Named(names) = &self.midi {
            midi.insert("inputs".to_owned(), Value::from(names.clone()));
        }
        let controller = |((channel, number), param): (&Controller, &Param)| {
            (format!("{}:{number}", channel + 1), Value::from(param.entry().id))
        };
        let learned: Table = self.learned.iter().map(controller).collect();
        let parts = [("audio", audio), ("midi", midi), ("learned", learned)];
        let whole: Table =
            parts.into_iter().map(|(key, part)| (key.to_owned(), Value::Table(part))).collect();
        whole.to_string()
    }

    pub fn save(&self, path: &Path) -> Result<(), Error> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|source| Error::output(folder, source))?;
        }
        write_whole(path, |out| out.write_all(self.to_toml().as_bytes()))
    }
}

struct Reader<'a> {
    table: Table,
    place: &'a str,
    problems: Problems,
}

impl Reader<'_> {
    fn get(&self, part: &str, key: &str) -> Option<Value> {
        self.table.get(part)?.as_table()?.get(key).cloned()
    }

    fn complain(&mut self, key: &str, value: &Value, limit: &str) {
        let place = format!("{}: {key}", self.place);
        let shown: String = value.to_string().chars().take(80).collect();
        self.problems.push(Problem::new(
            place,
            shown,
            limit,
            "it is left out; choose it again in the window",
        ));
    }

    fn name(&mut self, part: &str, key: &str) -> Option<String> {
        let value = self.get(part, key)?;
        match value.as_str().filter(|name| !name.is_empty() && name.len() <= LONGEST_NAME) {
            Some(name) => Some(name.to_owned()),
            None => {
                self.complain(&format!("{part}.{key}"), &value, "must be a name");
                None
            }
        }
    }

    fn number(&mut self, part: &str, key: &str, range: std::ops::RangeInclusive<i64>) -> Option<u32> {
        let value = self.get(part, key)?;
        let number = value.as_integer().filter(|number| range.contains(number));
        if number.is_none() {
            let limit = format!("must be a whole number from {} to {}", range.start(), range.end());
            self.complain(&format!("{part}.{key}"), &value, &limit);
        }
        number.and_then(|number| u32::try_from(number).ok())
    }

    fn inputs(&mut self) -> Inputs {
        let Some(value) = self.get("midi", "inputs") else { return Inputs::All };
        let names = value.as_array().filter(|names| names.len() <= MOST_INPUTS).and_then(|names| {
            let fits =
                |name: &Value| name.as_str().filter(|name| name.len() <= LONGEST_NAME).map(str::to_owned);
            names.iter().map(fits).collect()
        });
        names.map_or_else(
            || {
                self.complain("midi.inputs", &value, "must be a list of names");
                Inputs::All
            },
            Inputs::Named,
        )
    }

    /// `"CHANNEL:NUMBER" = "parameter id"`, channels counted from 1.
    fn learned(&mut self) -> BTreeMap<Controller, Param> {
        let Some(Value::Table(table)) = self.table.get("learned").cloned() else { return BTreeMap::new() };
        let mut learned = BTreeMap::new();
        for (key, value) in &table {
            let controller = key.split_once(':').and_then(|(channel, number)| {
                let channel = channel.parse::<u8>().ok().filter(|channel| (1..=16).contains(channel))?;
                Some((channel - 1, number.parse::<u8>().ok().filter(|number| *number < 128)?))
            });
            match (controller, value.as_str().and_then(Param::from_id)) {
                (Some(controller), Some(param)) => {
                    learned.insert(controller, param);
                }
                _ => {
                    let limit = "must be \"CHANNEL:CONTROLLER\" = \"parameter\", as in \"1:21\" = \"ra\"";
                    self.complain(&format!("learned.{key}"), value, limit);
                }
            }
        }
        learned
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn settings_come_back_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new folder").join("app.toml");
        assert_eq!(Settings::read(&path), Default::default());
        let wish = Wish { device: Some("jack:output".into()), rate_hz: Some(96_000), buffer: Some(128) };
        let learned = BTreeMap::from([((0, 21), Param::Ra), ((15, 127), Param::P2Pan)]);
        let full = Settings { wish, midi: Inputs::Named(vec!["Launch \"key\"".into()]), learned };
        for settings in [full, Settings::default()] {
            settings.save(&path).unwrap();
            assert_eq!(Settings::read(&path), (settings, Problems::default()));
        }
    }

    #[test]
    fn what_is_wrong_is_named_and_the_rest_counts() {
        let text = "[audio]\ndevice = 5\nrate_hz = -1\nbuffer = 256\n[midi]\ninputs = \"all\"\n\
                    [learned]\n\"1:21\" = \"ra\"\n\"0:21\" = \"ra\"\n\"1:200\" = \"v\"\n\"2:1\" = \"no such\"\n";
        let (settings, problems) = Settings::from_toml(text, "app.toml");
        assert_eq!(settings.wish, Wish { device: None, rate_hz: None, buffer: Some(256) });
        assert_eq!(settings.learned, BTreeMap::from([((0, 21), Param::Ra)]));
        assert_eq!(problems.0.len(), 6, "{problems:?}");
        assert!(problems.0[1].to_string().contains("audio.rate_hz: -1: must be a whole number from 1000"));
        let (nothing, problems) = Settings::from_toml("][", "app.toml");
        assert_eq!((nothing, problems.0.len()), (Settings::default(), 1));
    }

    proptest! {
        #[test]
        fn no_text_breaks_it(text in "\\PC{0,200}", number in any::<i64>()) {
            Settings::from_toml(&text, "app.toml");
            Settings::from_toml(&format!("[audio]\nbuffer = {number}\n[learned]\n'{number}:1' = 'ra'"), "x");
        }
    }
}
