//! A scene file with one more table in it, for a command of its own: `[sweep]` beside the scene's keys.

use super::Draft;
use super::draft::EXAMPLE;
use super::source::{parse_toml, place_of, text_of};
use crate::error::{Error, Problem, Problems};
use toml::de::{DeTable, DeValue};

/// One value of the table, with the place it was written at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Path inside the table: `ra`, `set.resonator.modes`.
    pub name: String,
    /// As it would be typed in a terminal; the items of a list are joined by commas.
    pub text: String,
    /// `file:line:column`.
    pub place: String,
}

impl Draft {
    /// The scene of a TOML text, and the entries of its table `table` in the order of their names.
    pub fn beside(text: &str, file: &str, table: &str) -> Result<(Self, Vec<Entry>), Error> {
        let mut whole = parse_toml(text, file, EXAMPLE)?.into_inner();
        let place = |offset: usize| place_of(file, text, offset);
        let mut problems = Problems::default();
        let mut entries = Vec::new();
        match whole.remove(table) {
            None => {}
            Some(found) => match found.get_ref() {
                DeValue::Table(inner) => flatten(inner, "", &place, &mut entries, &mut problems),
                _ => problems.push(Problem::new(
                    place(found.span().start),
                    table,
                    "must be a table",
                    format!("write [{table}] on a line of its own"),
                )),
            },
        }
        let mut draft = Self::default();
        draft.read_table(&whole, "", &place, &mut problems);
        problems.or((draft, entries))
    }
}

/// The values of a table and of the tables in it, with their paths.
pub(super) fn flatten(
    table: &DeTable,
    prefix: &str,
    place: &dyn Fn(usize) -> String,
    entries: &mut Vec<Entry>,
    problems: &mut Problems,
) {
    for (key, value) in table {
        let name = format!("{prefix}{}", key.get_ref());
        let here = place(value.span().start);
        let items = match value.get_ref() {
            DeValue::Table(inner) => {
                flatten(inner, &format!("{name}."), place, entries, problems);
                continue;
            }
            DeValue::Array(items) => items.iter().map(|item| text_of(item.get_ref())).collect(),
            single => text_of(single).map(|text| vec![text]),
        };
        match items {
            Some(items) => entries.push(Entry { name, text: items.join(","), place: here }),
            None => problems.push(Problem::new(
                format!("{here}: {name}"),
                "a date, a list in a list or a number that is not decimal",
                "must be a number, a word, true/false or a list of them",
                "write for example [3, 5, 10] or \"0.02:0.7:7log\"",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_apart_and_both_report_together() {
        let text = "[surface]\nra_um = 4\n[sweep]\nv = \"0.1,0.2\"\nra = [3, 5.5]\n\
                    [sweep.set]\nresonator.modes = [10, 20]\n";
        let (draft, entries) = Draft::beside(text, "a.toml", "sweep").unwrap();
        assert!(draft.is_set("surface.ra_um"));
        let told: Vec<(&str, &str)> = entries.iter().map(|e| (e.name.as_str(), e.text.as_str())).collect();
        assert_eq!(told, [("ra", "3,5.5"), ("set.resonator.modes", "10,20"), ("v", "0.1,0.2")]);
        assert_eq!(entries[0].place, "a.toml:5:6");

        let Err(Error::Input(problems)) =
            Draft::beside("surface.rough = 1\nsweep.ra = [[1]]\n", "b.toml", "sweep")
        else {
            panic!("accepted");
        };
        assert_eq!(problems.0.len(), 2, "{problems:?}");
        assert!(Draft::beside("sweep = 3\n", "c.toml", "sweep").is_err());
        assert!(Draft::beside("[motion]\nspeed_m_s = 1\n", "d.toml", "sweep").unwrap().1.is_empty());
    }
}
