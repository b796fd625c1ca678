//! The `[play]` table of a preset: the instrument's own keys beside the scene's, checked against the table of
//! parameters.

use super::parameters::{Home, Kind, Param, Parameter};
use crate::error::Problem;
use crate::scene::Entry;

/// One line of `[play]`.
pub fn read_play(entry: &Entry) -> Result<(Param, f64), Problem> {
    let place = format!("{}: play.{}", entry.place, entry.name);
    if entry.name == "stroke" {
        let own = ["synced", "scrub"].contains(&entry.text.as_str());
        return Param::Stroke
            .entry()
            .parse(&entry.text)
            .filter(|_| own)
            .map(|v| (Param::Stroke, v))
            .ok_or_else(|| {
                Problem::new(place, &entry.text, "must be synced or scrub", "other strokes are motion.kind")
            });
    }
    let is_named = |param: &Param| param.entry().home == Home::Play(known_name(&entry.name));
    let Some(param) = Param::all().find(is_named) else {
        let nearest = play_keys().min_by_key(|key| strsim::damerau_levenshtein(key, &entry.name));
        let limit = format!("the nearest known one is play.{}", nearest.unwrap_or("mode"));
        return Err(Problem::new(place, "unknown key", limit, "correct the name"));
    };
    let parameter = param.entry();
    let (min, max) = parameter.range();
    let plain = match parameter.kind {
        Kind::Choice { .. } | Kind::Switch { .. } => parameter.parse(&entry.text),
        Kind::Float { .. } | Kind::Int { .. } => entry.text.parse().ok(),
    };
    match plain.filter(|value| (min..=max).contains(value) && parameter.sanitise(*value) == *value) {
        Some(value) => Ok((param, value)),
        None => Err(Problem::new(place, &entry.text, play_range(parameter), parameter.help)),
    }
}

/// The table's own copy of a key's name, or an empty one.
fn known_name(name: &str) -> &'static str {
    play_keys().find(|key| *key == name).unwrap_or("")
}

fn play_keys() -> impl Iterator<Item = &'static str> {
    play_table().map(|(key, _)| key)
}

/// Every key of `[play]` with its parameter; a stroke of the instrument's own stands there as well.
pub fn play_table() -> impl Iterator<Item = (&'static str, &'static Parameter)> {
    let own = [("stroke", Param::Stroke.entry())];
    let rest = Param::all().filter_map(|param| match param.entry().home {
        Home::Play(key) => Some((key, param.entry())),
        _ => None,
    });
    rest.chain(own)
}

/// What a `[play]` key may hold, in words.
pub fn play_range(parameter: &Parameter) -> String {
    let (min, max) = parameter.range();
    match parameter.kind {
        Kind::Float { .. } => format!("must be a number from {min:?} to {max:?}"),
        Kind::Int { .. } => format!("must be a whole number from {min} to {max}"),
        Kind::Choice { words, .. } => format!("must be one of {}", words.join(", ")),
        Kind::Switch { .. } => "must be true or false".to_owned(),
    }
}
