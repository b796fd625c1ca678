//! The papers' own cases, ours beside theirs. Uses `scene`, `engine`, `squeal` and everything below them, and
//! compiles with the physics alone.
//!
//! A case is a plain function that returns [`Finding`]s; `asperity validate`, the tests and the README
//! call the same one. A new case is a file here and one line in [`CASES`].
//!
//! A range is what we hold to be right, from theory or from the paper. Where our value and the printed one
//! differ, the note says why; where a range was set after a first run, as for the shares of peak forces, the
//! note says that too.

pub mod agreement;
pub mod asperities;
mod bench;
pub mod convergence;
mod finding;
pub mod hertz;
pub mod integrators;
pub mod laws;
mod modes;
pub mod olsson;
pub mod realistic;
pub mod sdnd106;
mod sheet;
pub mod speed;

pub use finding::{Finding, Ours, short};
pub use sheet::{Pen, Series, Sheet};

use crate::error::{Error, Problem, Problems};
use crate::scene::Draft;

/// Which case to run and how.
pub struct Case {
    /// The word that `asperity validate` takes.
    pub name: &'static str,
    /// One line: which paper, which problem.
    pub about: &'static str,
    pub run: fn(&Effort) -> Result<Vec<Finding>, Error>,
}

/// All cases, in the order in which they are run and printed.
pub const CASES: &[Case] = &[
    Case {
        name: modes::NAME,
        about: "natural frequencies: Dang 2010, Table 3; Dang 2013, Table 5 and text",
        run: modes::run,
    },
    Case {
        name: olsson::NAME,
        about: "a mass moving over a beam: Dang 2013, Figs. 4 and 5, Olsson's closed form",
        run: olsson::run,
    },
    Case {
        name: asperities::NAME,
        about: "one asperity over six: Dang 2013, Figs. 7 and 8",
        run: asperities::run,
    },
    Case {
        name: integrators::NAME,
        about: "six time schemes and exact stepping on a free beam: Dang 2010, Table 1, Figs. 3 and 4",
        run: integrators::run,
    },
    Case {
        name: sdnd106::NAME,
        about: "stick, slip and stick again of two masses: Code_Aster SDND106",
        run: sdnd106::run,
    },
    Case {
        name: hertz::NAME,
        about: "twin beams in Hertz contact: Dang 2010, Table 2 and Fig. 5",
        run: hertz::run,
    },
    Case {
        name: realistic::NAME,
        about: "the bench: exponents, damping, shocks, spectrum (Dang 2013, §4)",
        run: realistic::run,
    },
    Case {
        name: laws::NAME,
        about: "penalty, Hertz, exponential and ideal contact on one scene (Vermot 2012, Dang 2013)",
        run: laws::run,
    },
    Case {
        name: convergence::NAME,
        about: "Lv against space step, time step, modes, κ and seeds",
        run: convergence::run,
    },
];

/// How much work a case may do, and whom it tells how far it is.
pub struct Effort<'a> {
    /// The paper's own steps and durations instead of a quick part of them.
    pub full: bool,
    /// Called now and then with (done, total). An error (a person pressed Ctrl-C) ends the case.
    pub report: &'a (dyn Fn(usize, usize) -> Result<(), Error> + Sync),
    /// Takes the curves that a case can show.
    pub draw: &'a (dyn Fn(&Sheet) -> Result<(), Error> + Sync),
}

impl Effort<'static> {
    /// The quick part, told and shown to nobody.
    pub fn quick() -> Self {
        Self { full: false, report: &|_, _| Ok(()), draw: &|_| Ok(()) }
    }
}

impl Effort<'_> {
    pub fn report(&self, done: usize, total: usize) -> Result<(), Error> {
        (self.report)(done, total)
    }

    pub fn draw(&self, sheet: &Sheet) -> Result<(), Error> {
        (self.draw)(sheet)
    }
}

/// The case of that name.
pub fn find_case(name: &str) -> Option<&'static Case> {
    CASES.iter().find(|case| case.name == name)
}

/// The named cases in the order given, all of them when none is named. Unknown names are told all at once.
pub fn select(names: &[String]) -> Result<Vec<&'static Case>, Error> {
    if names.is_empty() {
        return Ok(CASES.iter().collect());
    }
    let mut problems = Problems::default();
    let mut cases = Vec::new();
    for name in names {
        match find_case(name) {
            Some(case) => cases.push(case),
            None => problems.push(Problem::new(
                "CASE",
                name,
                format!(
                    "the cases are {}",
                    CASES.iter().map(|case| case.name).collect::<Vec<_>>().join(", ")
                ),
                "name one of them, or none to run all",
            )),
        }
    }
    problems.or(cases)
}

/// A draft with these keys set over the defaults; a case adds what it needs and builds its scene.
fn draft(keys: &[(&str, &str)]) -> Result<Draft, Error> {
    let mut draft = Draft::default();
    for (key, value) in keys {
        draft.set(key, value)?;
    }
    Ok(draft)
}

/// Root mean square of `ours - right` as a share of the root mean square of `right`.
fn relative_rms(ours: &[f64], right: &[f64]) -> f64 {
    let difference: f64 = ours.iter().zip(right).map(|(a, b)| (a - b).powi(2)).sum();
    let size: f64 = right.iter().map(|b| b * b).sum();
    (difference / size).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_names_are_unique() {
        for (index, case) in CASES.iter().enumerate() {
            assert!(CASES[..index].iter().all(|other| other.name != case.name));
            assert!(find_case(case.name).is_some() && !case.about.is_empty());
        }
    }

    #[test]
    fn unknown_cases_are_all_told_at_once() {
        let names = ["modes", "mods", "olson"].map(String::from);
        let message = select(&names).err().unwrap().to_string();
        assert!(message.contains("mods") && message.contains("olson") && message.contains("integrators"));
        assert_eq!(select(&names[..1]).unwrap().len(), 1);
        assert_eq!(select(&[]).unwrap().len(), CASES.len());
    }
}
