//! Values of a TOML table with their places: what is wrong is collected with file, line, column and key, and the
//! reading goes on with a usual value, so that all problems are found at once.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::error::{Problem, Problems};
use crate::scene::{offset_of, place_of, text_of};

pub struct Reader<'a> {
    pub file: &'a str,
    pub text: &'a str,
    pub table: &'a DeTable<'a>,
    pub problems: Problems,
}

impl<'a> Reader<'a> {
    pub fn place(&self, offset: usize) -> String {
        place_of(self.file, self.text, offset)
    }

    pub fn at(&mut self, place: &str, key: &str, value: impl ToString, limit: &str, cure: &str) {
        self.problems.push(Problem::new(format!("{place}: {key}"), value.to_string(), limit, cure));
    }

    pub fn problem(&mut self, key: &str, value: impl ToString, limit: impl Into<String>, cure: &str) {
        let offset = self.table.get(key).map_or(0, |value| value.span().start);
        self.at(&self.place(offset), key, value, &limit.into(), cure);
    }

    pub fn word(&mut self, key: &str) -> Option<String> {
        let value = self.table.get(key)?.get_ref();
        let text = text_of(value);
        if text.is_none() {
            self.problem(key, "a list or a table", "must be one value", "give one value");
        }
        text
    }

    pub fn number(&mut self, key: &str, range: Range<f64>, usual: f64) -> f64 {
        let Some(text) = self.word(key) else { return usual };
        match text.parse::<f64>() {
            Ok(number) if number >= range.start && number <= range.end => number,
            _ => {
                let limit = format!("must be a number from {} to {}", range.start, range.end);
                self.problem(key, text, limit, &format!("{usual} is usual"));
                usual
            }
        }
    }

    pub fn optional(&mut self, key: &str, range: Range<f64>) -> Option<f64> {
        self.table.contains_key(key).then(|| self.number(key, range.clone(), range.end))
    }

    pub fn numbers(&mut self, key: &str, range: Range<f64>, usual: &[f64]) -> Vec<f64> {
        let Some(texts) = self.list(key) else { return usual.to_vec() };
        let mut numbers = Vec::new();
        for text in texts {
            match text.parse::<f64>() {
                Ok(number) if range.contains(&number) => numbers.push(number),
                _ => {
                    let limit = format!("numbers from {} to {}", range.start, range.end);
                    self.problem(key, text, limit, "correct the number");
                }
            }
        }
        numbers
    }

    pub fn list(&mut self, key: &str) -> Option<Vec<String>> {
        let value = self.table.get(key)?.get_ref();
        let texts = texts_of(value);
        if texts.is_none() {
            self.problem(key, "not a list of values", "must be a list", "write for example [1, 2, 3]");
        }
        texts
    }

    pub fn choice(&mut self, key: &str, words: &[&str], usual: &str) -> String {
        let Some(word) = self.word(key) else { return usual.to_owned() };
        if words.contains(&word.as_str()) {
            return word;
        }
        self.problem(key, word, format!("must be one of {}", words.join(", ")), "choose one of them");
        usual.to_owned()
    }

    /// Name, place and value of all entries of a table, inner tables opened.
    pub fn entries(&mut self, key: &str) -> Vec<(String, String, &'a DeValue<'a>)> {
        let mut found = Vec::new();
        match self.table.get(key).map(|value| value.get_ref()) {
            None => {}
            Some(DeValue::Table(inner)) => self.open(inner, "", &mut found),
            Some(_) => self.problem(key, "not a table", "must be a table", &format!("write [{key}]")),
        }
        found
    }

    fn open(&self, table: &'a DeTable<'a>, prefix: &str, found: &mut Vec<(String, String, &'a DeValue<'a>)>) {
        for (key, value) in table {
            let name = format!("{prefix}{}", key.get_ref());
            match value.get_ref() {
                DeValue::Table(inner) => self.open(inner, &format!("{name}."), found),
                other => {
                    let place = self.place(offset_of(&name, key, value));
                    found.push((name, place, other));
                }
            }
        }
    }
}

pub fn texts_of(value: &DeValue) -> Option<Vec<String>> {
    match value {
        DeValue::Array(values) => values.iter().map(|value| text_of(value.get_ref())).collect(),
        _ => None,
    }
}
