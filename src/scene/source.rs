//! The text that a scene is read from: TOML in which every value keeps its place, for messages that point at it.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::keys;
use crate::error::{Error, Problem};

/// Scene files are short; anything longer is something else.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The text of a file; `kind` says in messages what it should be.
pub fn read_text(path: &Path, kind: &str) -> Result<String, Error> {
    let place = path.display().to_string();
    let unreadable = |why: std::io::Error| {
        Error::from(Problem::new(&place, why, format!("must be a readable {kind}"), "check the name"))
    };
    let size = std::fs::metadata(path).map_err(unreadable)?.len();
    if size > MAX_FILE_BYTES {
        let limit = format!("at most {MAX_FILE_BYTES} bytes");
        return Err(Problem::new(place, format!("{size} bytes"), limit, format!("give a {kind}")).into());
    }
    std::fs::read_to_string(path).map_err(unreadable)
}

/// TOML with the places of its values; `example` says where a right one can be seen.
pub fn parse_toml<'a>(text: &'a str, file: &str, example: &str) -> Result<Spanned<DeTable<'a>>, Error> {
    DeTable::parse(text).map_err(|error| {
        let place = error.span().map_or(file.to_owned(), |span| place_of(file, text, span.start));
        Problem::new(place, error.message().trim(), "must be TOML", format!("mend the line; {example}"))
            .into()
    })
}

/// `file:line:column` of a byte offset.
pub fn place_of(file: &str, text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |tail| tail.chars().count()) + 1;
    format!("{file}:{line}:{column}")
}

/// What a message about a scene's entry points at: its value, or the name where no key has it.
pub fn offset_of(name: &str, key: &Spanned<DeString>, value: &Spanned<DeValue>) -> usize {
    if keys::find(name).is_some() { value.span().start } else { key.span().start }
}

/// A single value as it was written.
pub fn text_of(value: &DeValue) -> Option<String> {
    match value {
        DeValue::String(word) => Some(word.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().replace('_', "")),
        DeValue::Float(number) => Some(number.as_str().replace('_', "")),
        DeValue::Boolean(flag) => Some(flag.to_string()),
        _ => None,
    }
}
