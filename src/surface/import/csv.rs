//! CSV: one or two columns whose header names the units.
//!
//! `x_m,height_m` or `x_um;z_nm` or `Position (mm)` …: the unit is what follows the last `_`, or stands in
//! brackets: m, mm, um or µm, nm, pm. With heights alone a comment `# step_um = 5` or the import option gives
//! the step. Columns are split at `;`, else at tabs, else at commas, else at blanks, as the header does; a
//! decimal comma is understood wherever the comma is not the separator. Lines beginning with `#` or `%` are
//! comments. An empty cell, `nan`, `bad` or dashes stand for a point that was not measured.

use super::super::MAX_NODES;
use super::points::{Along, Raw};
use super::{ImportOptions, bad};
use crate::error::{Error, Problems};
use std::borrow::Cow;
use std::fmt::Display;

/// Longest line: a profile's has two numbers, and a file without line ends is no table.
const MAX_LINE_BYTES: usize = 1 << 16;

/// Bad lines that are told; a file with so many is of another kind.
const MOST_TOLD: usize = 20;

const HEADER_CURE: &str = "begin with a header that names the units, such as x_m,height_m";

pub fn read(bytes: &[u8], name: &str, options: &ImportOptions) -> Result<Raw, Error> {
    if bytes.contains(&0) {
        let offset = bytes.iter().position(|&b| b == 0).unwrap_or_default();
        let place = format!("{name}, byte {offset}");
        let cure = "give CSV, SDF or X3P; save text as UTF-8";
        return Err(bad(&place, "a zero byte", "is neither text nor SDF nor X3P", cure));
    }
    let mut step_m = options.step_m;
    let mut columns: Option<Columns> = None;
    let (mut positions, mut heights_m) = (Vec::new(), Vec::new());
    let mut problems = Problems::default();
    for (index, line) in lines(bytes).enumerate() {
        let place = format_args!("{name}, line {}", index + 1);
        if line.len() > MAX_LINE_BYTES {
            let limit = format!("must be at most {MAX_LINE_BYTES}");
            let found = format!("{} bytes in a line", line.len());
            return Err(bad(&place.to_string(), found, limit, "write one point to a line"));
        }
        let line = text(line);
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() && columns.as_ref().is_none_or(|columns| columns.position_unit.is_some()) {
            continue;
        }
        if let Some(comment) = line.strip_prefix(['#', '%']) {
            step_m = step_in(comment).or(step_m);
            continue;
        }
        let Some(columns) = &columns else {
            columns = Some(Columns::from_header(line, &place.to_string())?);
            continue;
        };
        if heights_m.len() == MAX_NODES {
            let limit = format!("at most {MAX_NODES} points");
            return Err(bad(&place.to_string(), "one more point", limit, "cut the profile"));
        }
        if let Some((x, z)) = problems.gather(columns.point(line, &place))? {
            positions.extend(x);
            heights_m.push(z);
        }
        if problems.0.len() >= MOST_TOLD {
            break;
        }
    }
    problems.or(())?;
    let Some(columns) = columns else {
        return Err(bad(name, "no line with data", "must have a header and numbers", HEADER_CURE));
    };
    if columns.position_unit.is_some() {
        return Ok(Raw { along: Along::Positions(positions), heights_m, notes: Vec::new() });
    }
    // A file often ends in empty lines: they are no points.
    while heights_m.last().is_some_and(|z| z.is_nan()) {
        heights_m.pop();
    }
    let cure = "add a comment line such as # step_um = 5, or give the step";
    let step_m = step_m.ok_or_else(|| bad(name, "heights only", "the step is not known", cure))?;
    Ok(Raw { along: Along::Step(step_m), heights_m, notes: Vec::new() })
}

/// Lines by `\n`, or by `\r` in files that have no other.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mark = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
    bytes.split(move |&b| b == mark)
}

/// UTF-8, or Latin-1 where that fails: instruments write µ either way.
fn text(line: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => line.iter().map(|&b| char::from(b)).collect::<String>().into(),
    }
}

/// The step named by a comment such as `step_um = 5`.
fn step_in(comment: &str) -> Option<f64> {
    let (key, value) = comment.split_once(['=', ':'])?;
    let unit = unit_in_metres(key.trim().to_lowercase().strip_prefix("step_")?)?;
    value.trim().replace(',', ".").parse::<f64>().ok().map(|value| value * unit)
}

fn unit_in_metres(unit: &str) -> Option<f64> {
    match unit.trim() {
        "m" => Some(1.0),
        "mm" => Some(1e-3),
        "um" | "\u{b5}m" | "\u{3bc}m" => Some(1e-6),
        "nm" => Some(1e-9),
        "pm" => Some(1e-12),
        _ => None,
    }
}

fn is_missing(cell: &str) -> bool {
    let cell = cell.trim();
    cell.is_empty()
        || cell.eq_ignore_ascii_case("nan")
        || cell.eq_ignore_ascii_case("bad")
        || cell.chars().all(|c| matches!(c, '-' | '*'))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Position,
    Height,
}

struct Columns {
    /// None where blanks or a single column need no mark.
    separator: Option<char>,
    /// Metres in the unit of x; None with heights only.
    position_unit: Option<f64>,
    height_unit: f64,
    /// The header has the height first.
    swapped: bool,
}

impl Columns {
    fn from_header(line: &str, place: &str) -> Result<Self, Error> {
        let separator = [';', '\t', ','].into_iter().find(|&mark| line.contains(mark));
        let names: Vec<&str> = match separator {
            Some(mark) => line.split(mark).collect(),
            // A name may hold blanks: `height (um)` is one column, `x_um z_um` are two.
            None if line.split_whitespace().all(|word| name_and_unit(word).is_some()) => {
                line.split_whitespace().collect()
            }
            None => vec![line],
        };
        if !(1..=2).contains(&names.len()) {
            let cure = "keep the columns of x and height";
            return Err(bad(place, format!("{} columns", names.len()), "must be one or two", cure));
        }
        let mut found = Vec::new();
        for name in &names {
            let name = name.trim().trim_matches('"');
            let shown: String = name.chars().take(40).collect();
            let limit = "has no unit (m, mm, um, nm or pm)";
            found.push(
                name_and_unit(name)
                    .ok_or_else(|| bad(place, format!("column `{shown}`"), limit, HEADER_CURE))?,
            );
        }
        let is_x = |name: &str| ["x", "pos", "position", "distance", "length"].contains(&name);
        Ok(match found.as_slice() {
            [(first, a), (second, b)] => {
                let swapped = is_x(second) && !is_x(first);
                let (position_unit, height_unit) = if swapped { (*b, *a) } else { (*a, *b) };
                Self { separator, position_unit: Some(position_unit), height_unit, swapped }
            }
            _ => Self { separator, position_unit: None, height_unit: found[0].1, swapped: false },
        })
    }

    /// `column 2 (height)`, as a person counts.
    fn place_of(&self, what: What) -> String {
        let second = self.position_unit.is_some() && (what == What::Height) != self.swapped;
        let name = if what == What::Height { "height" } else { "x" };
        format!("column {} ({name})", if second { 2 } else { 1 })
    }

    fn count(&self) -> &'static str {
        if self.position_unit.is_some() { "two columns" } else { "one column" }
    }

    /// x (with two columns) and height of a line in metres, or everything that is wrong with it.
    fn point(&self, line: &str, place: &dyn Display) -> Result<(Option<f64>, f64), Error> {
        let (x, z) = self.cells(line).map_err(|found| {
            let limit = format!("the header has {}", self.count());
            let cure = "use a decimal point, or semicolons between columns with decimal commas";
            bad(&place.to_string(), found, limit, cure)
        })?;
        let number = |cell: &str, unit: f64, what: What| {
            self.number(cell).map(|value| value * unit).filter(|v| v.is_finite()).ok_or_else(|| {
                let shown: String = cell.chars().take(40).collect();
                let place = format!("{place}, {}", self.place_of(what));
                bad(&place, format!("`{shown}`"), "must be a finite number", "mend the line")
            })
        };
        let mut problems = Problems::default();
        let x = match (x, self.position_unit) {
            (Some(x), Some(unit)) => problems.gather(number(x, unit, What::Position))?,
            _ => None,
        };
        let z = match is_missing(z) {
            true => Some(f64::NAN),
            false => problems.gather(number(z, self.height_unit, What::Height))?,
        };
        problems.or_gathered(z.map(|z| (x, z)))
    }

    /// The cells of x (with two columns) and height, or what is wrong with the line.
    fn cells<'a>(&self, line: &'a str) -> Result<(Option<&'a str>, &'a str), String> {
        let wrong = || {
            let shown: String = line.chars().take(40).collect();
            format!("`{shown}`")
        };
        if self.position_unit.is_none() {
            let split = line.contains([',', ';', '\t']) || line.split_whitespace().nth(1).is_some();
            return if split { Err(wrong()) } else { Ok((None, line)) };
        }
        let mut parts: Box<dyn Iterator<Item = &str>> = match self.separator {
            Some(mark) => Box::new(line.split(mark)),
            None => Box::new(line.split_whitespace()),
        };
        match (parts.next(), parts.next(), parts.next()) {
            (Some(height), Some(x), None) if self.swapped => Ok((Some(x), height)),
            (Some(x), Some(height), None) => Ok((Some(x), height)),
            // `x,` at the end of a line with trimmed blanks: the height is missing.
            (Some(x), None, None) if self.separator == Some('\t') => Ok((Some(x), "")),
            _ => Err(wrong()),
        }
    }

    fn number(&self, cell: &str) -> Option<f64> {
        let cell = cell.trim().trim_matches('"');
        if self.separator != Some(',') && cell.contains(',') {
            return cell.replace(',', ".").parse().ok();
        }
        cell.parse().ok()
    }
}

/// `height_um`, `Height (µm)` or `z [nm]` as (`height`, 1e-6) and so on.
fn name_and_unit(text: &str) -> Option<(String, f64)> {
    let text = text.to_lowercase();
    let (name, unit) = match text.trim().strip_suffix([')', ']']) {
        Some(inside) => inside.rsplit_once(['(', '['])?,
        None => text.trim().rsplit_once('_')?,
    };
    let name = name.trim();
    (!name.is_empty()).then_some((name.to_owned(), unit_in_metres(unit)?))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{csv, message, read};

    #[test]
    fn every_bad_line_of_a_csv_is_told_at_once() {
        let spoilt = csv("x_um,z_um", |l, z| match l {
            2 => "x,y".into(),
            4 => "7".into(),
            _ => format!("{l},{z}"),
        });
        let found = message(read(spoilt.as_bytes(), "a.csv"));
        for place in ["line 4, column 1 (x): `x`", "line 4, column 2 (height): `y`", "line 6: `7`"] {
            assert!(found.contains(place), "{place}: {found}");
        }
        let another = csv("x_um,z_um", |_, _| "words".into()).repeat(100);
        assert_eq!(message(read(another.as_bytes(), "a.csv")).lines().count(), 20);
    }
}
