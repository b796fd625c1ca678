//! Which points a sweep has: the product of its lists, repeated over seeds, numbered from 0. The first
//! list varies slowest, seeds fastest. Everything is checked, every point built, before anything runs.

use super::check::check_points;
use super::list;
use super::words::{SET, WORDS, unknown};
use crate::engine::realtime::Quality;
use crate::error::{Error, Problem, Problems};
use crate::render::{Engine, Order};
use crate::scene::{Draft, Entry, Value};

/// More points than this would not end in a lifetime.
const MAX_POINTS: usize = 1_000_000;
/// Seconds and skip of a point when nothing is said: the paper's second, and the start that `render` skips.
const SECONDS: f64 = 1.0;
const SKIP_S: f64 = 0.1;

/// One list: the keys it sets, and for each of its settings one text per key. A list of one value is an axis
/// as well, so that keys are laid over the scene in one place and one order.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    pub keys: Vec<String>,
    pub settings: Vec<Vec<String>>,
}

#[derive(Debug, Clone)]
pub struct Plan {
    pub base: Draft,
    pub axes: Vec<Axis>,
    pub seeds: Vec<u64>,
    pub order: Order,
}

impl Plan {
    /// Lays the entries over the scene; a later entry of the same name replaces an earlier one.
    pub fn new(base: Draft, entries: &[Entry]) -> Result<Self, Error> {
        let mut latest: Vec<&Entry> = Vec::new();
        for entry in entries {
            latest.retain(|earlier| earlier.name != entry.name);
            latest.push(entry);
        }
        let mut problems = Problems::default();
        let mut plan = Self {
            base,
            axes: Vec::new(),
            seeds: Vec::new(),
            order: Order {
                engine: Engine::Reference,
                quality: Quality::default(),
                seconds: SECONDS,
                skip_s: SKIP_S,
                rate_hz: None,
            },
        };
        problems.0.extend(latest.iter().filter_map(|entry| unknown(entry)));
        plan.read_axes(&latest, &mut problems);
        plan.read_settings(&latest, &mut problems);
        problems.or(())?;
        let points =
            plan.axes.iter().try_fold(plan.seeds.len(), |all, axis| all.checked_mul(axis.settings.len()));
        if points.is_none_or(|points| points > MAX_POINTS) {
            return Err(Problem::new(
                "sweep",
                points.map_or("more than can be counted".to_owned(), |points| format!("{points} points")),
                format!("at most {MAX_POINTS} points"),
                "shorten the lists",
            )
            .into());
        }
        check_points(&plan)?;
        Ok(plan)
    }

    fn read_axes(&mut self, entries: &[&Entry], problems: &mut Problems) {
        let short = WORDS.iter().filter_map(|word| {
            let entry = entries.iter().find(|entry| entry.name == word.name)?;
            Some((*entry, word.keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>(), 1))
        });
        let set = entries.iter().filter_map(|entry| {
            let keys: Vec<String> =
                entry.name.strip_prefix(SET)?.split('+').map(|key| key.trim().to_owned()).collect();
            let texts = keys.len();
            Some((*entry, keys, texts))
        });
        let mut taken: Vec<String> = Vec::new();
        for (entry, keys, texts) in short.chain(set) {
            for key in &keys {
                if taken.contains(key) {
                    problems.push(Problem::new(&entry.place, key, "is given twice", "leave one of them out"));
                }
            }
            taken.extend(keys.iter().cloned());
            match settings(entry, keys.len(), texts) {
                Ok(settings) => self.add_axis(entry, Axis { keys, settings }, problems),
                Err(problem) => problems.push(problem),
            }
        }
    }

    fn add_axis(&mut self, entry: &Entry, axis: Axis, problems: &mut Problems) {
        let before = problems.0.len();
        let mut seen: Vec<String> = Vec::new();
        for setting in &axis.settings {
            let mut trial = Draft::default();
            for (key, text) in axis.keys.iter().zip(setting) {
                if let Err(found) = trial.set(key, text) {
                    problems.0.extend(found.0.into_iter().map(|problem| at(&entry.place, problem)));
                }
            }
            // `3` and `3.0` are one value.
            let meaning = trial.to_toml();
            if problems.0.len() == before && seen.contains(&meaning) {
                let limit = "is twice in the list: the same run would count double";
                problems.push(Problem::new(&entry.place, setting.join("/"), limit, "leave one out"));
            }
            seen.push(meaning);
        }
        // One wrong key gives the same finding for each value.
        problems.0.dedup();
        if problems.0.len() > before {
            return;
        }
        self.axes.push(axis);
    }

    fn read_settings(&mut self, entries: &[&Entry], problems: &mut Problems) {
        let find = |name: &str| entries.iter().find(|entry| entry.name == name);
        let mut number = |name: &str, usual: f64| match find(name) {
            None => usual,
            Some(entry) => entry.text.trim().parse().unwrap_or_else(|_| {
                problems.push(Problem::new(&entry.place, &entry.text, "must be a number", "give seconds"));
                usual
            }),
        };
        self.order.seconds = number("seconds", SECONDS);
        self.order.skip_s = number("skip", SKIP_S);
        problems.0.extend(self.order.problems().0);
        if let Some(entry) = find("engine") {
            let engine = Engine::from_name(entry.text.trim());
            self.order.engine = engine.unwrap_or_else(|| {
                problems.push(not_one_of(entry, &Engine::NAMES));
                Engine::Realtime
            });
        }
        if let Some(entry) = find("quality") {
            let quality = Quality::from_name(entry.text.trim());
            self.order.quality = quality.unwrap_or_else(|| {
                problems.push(not_one_of(entry, &Quality::NAMES));
                Quality::default()
            });
            if self.order.engine == Engine::Reference {
                let limit = "has no meaning with the reference engine";
                problems.push(Problem::new(
                    &entry.place,
                    &entry.text,
                    limit,
                    "add engine realtime, or leave it out",
                ));
            }
        }
        if let Some(entry) = find("seed")
            && let Err(found) = self.base.set("surface.seed", &entry.text)
        {
            problems.0.extend(found.0.into_iter().map(|problem| at(&entry.place, problem)));
        }
        self.read_seeds(find("seeds").copied(), problems);
    }

    /// Seeds count on from the scene's own, unless the seed itself is varied.
    fn read_seeds(&mut self, entry: Option<&Entry>, problems: &mut Problems) {
        const MOST: u64 = 10_000;
        let first = match self.base.value("surface.seed") {
            Some(Value::Integer(seed)) => seed,
            _ => 1,
        };
        let count = match entry {
            None => Some(1),
            Some(entry) => entry.text.trim().parse().ok().filter(|count| (1..=MOST).contains(count)),
        };
        let (Some(count), place) = (count, entry.map_or("--seeds", |entry| &entry.place)) else {
            let entry = entry.map_or(("--seeds", ""), |entry| (&entry.place, &entry.text));
            let limit = format!("must be a whole number from 1 to {MOST}");
            problems.push(Problem::new(entry.0, entry.1, limit, "give the number of surfaces per point"));
            return;
        };
        let varied = self.axes.iter().any(|axis| axis.keys.iter().any(|key| key == "surface.seed"));
        if varied && count > 1 {
            problems.push(Problem::new(
                place,
                count,
                "surface.seed is already given by a list",
                "leave one of them out",
            ));
        }
        self.seeds = (first..first + count).collect();
    }

    pub fn len(&self) -> usize {
        self.axes.iter().map(|axis| axis.settings.len()).product::<usize>() * self.seeds.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The scene of one point as keys.
    pub fn draft(&self, point: usize) -> Draft {
        let mut draft = self.base.clone();
        let mut rest = point / self.seeds.len();
        // Short words come first in the list and last on the scene: an Ra laid over a measured profile scales it.
        for axis in self.axes.iter().rev() {
            apply(&mut draft, &axis.keys, &axis.settings[rest % axis.settings.len()]);
            rest /= axis.settings.len();
        }
        if !self.axes.iter().any(|axis| axis.keys.iter().any(|key| key == "surface.seed")) {
            let seed = self.seeds[point % self.seeds.len()].to_string();
            apply(&mut draft, &["surface.seed".to_owned()], &[seed]);
        }
        draft
    }

    /// Keys that are not the same at every point, seeds apart.
    pub fn varied_keys(&self) -> impl Iterator<Item = &str> {
        let varied = self.axes.iter().filter(|axis| axis.settings.len() > 1);
        varied.flat_map(|axis| &axis.keys).map(String::as_str)
    }

    /// What is special about a point, in words.
    pub fn name(&self, point: usize) -> String {
        let draft = self.draft(point);
        let keys = self.varied_keys().chain(["surface.seed"]);
        let told: Vec<String> = keys.filter_map(|key| Some(format!("{key}={}", draft.value(key)?))).collect();
        told.join(" ")
    }
}

fn not_one_of(entry: &Entry, names: &[&str]) -> Problem {
    Problem::new(
        &entry.place,
        &entry.text,
        format!("must be one of {}", names.join(", ")),
        "choose one of them",
    )
}

fn at(place: &str, mut problem: Problem) -> Problem {
    problem.place = format!("{place}: {}", problem.place);
    problem
}

fn apply(draft: &mut Draft, keys: &[String], texts: &[String]) {
    for (key, text) in keys.iter().zip(texts) {
        // Every text was tried when the plan was made.
        let _ = draft.set(key, text);
    }
}

/// The settings of a list: `keys` texts each. With several texts an item is written `a/b`; with one it goes
/// to all keys.
fn settings(entry: &Entry, keys: usize, texts: usize) -> Result<Vec<Vec<String>>, Problem> {
    let items = list::parse(&entry.text)
        .map_err(|(value, limit, cure)| Problem::new(&entry.place, value, limit, cure))?;
    items
        .into_iter()
        .map(|item| {
            // Rows of the table are plain text between commas.
            if item.contains(['"', '\n', '\r']) {
                return Err(Problem::new(
                    &entry.place,
                    item,
                    "must hold no quotes or line ends",
                    "rename it",
                ));
            }
            if texts == 1 {
                return Ok(vec![item; keys]);
            }
            let parts: Vec<String> = item.split('/').map(|part| part.trim().to_owned()).collect();
            if parts.len() == texts {
                Ok(parts)
            } else {
                Err(Problem::new(
                    &entry.place,
                    item,
                    format!("{texts} keys go together: each item needs {texts} values with / between them"),
                    "write for example --set surface.ra_um+surface.corr_length_um=3/400,5/450",
                ))
            }
        })
        .collect()
}
