//! SPEC.toml of a stimulus set: what is varied, how long, how loud. Every problem is found with its file, line,
//! column and key before any is reported.

use super::reader::{Reader, texts_of};
use crate::engine::realtime::Quality;
use crate::error::{Error, Problem, Problems};
use crate::render::{Engine, Order};
use crate::scene::{Draft, parse_toml, text_of};

/// How the items of a set are made equally loud, or not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Level {
    /// One gain for all: differences in level are the physics.
    Physical { full_scale: Option<f64> },
    /// Equal integrated loudness (BS.1770).
    Loudness { lufs: f64 },
    /// Equal vibration level at the pick-up; unset: the mean of the set.
    Lv { lv_db: Option<f64>, full_scale: Option<f64> },
}

impl Level {
    pub const NAMES: [&'static str; 3] = ["physical", "loudness", "lv"];

    pub fn name(self) -> &'static str {
        match self {
            Self::Physical { .. } => "physical",
            Self::Loudness { .. } => "loudness",
            Self::Lv { .. } => "lv",
        }
    }
}

/// A scene key with the values that it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor {
    pub key: String,
    pub values: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct Spec {
    pub name: String,
    /// The scene with everything that all items share.
    pub base: Draft,
    pub factors: Vec<Factor>,
    pub seeds: Vec<u64>,
    /// Exact length of an item.
    pub seconds: f64,
    /// How an item is run; its seconds hold the skipped start as well.
    pub order: Order,
    pub ramp_s: f64,
    pub bits: String,
    pub level: Level,
    pub anchors_hz: Vec<f64>,
    /// Index of the factor that one page of a test compares.
    pub compare: usize,
    /// Which of its values the others are compared with.
    pub reference: usize,
}

/// Where the scene of that name comes from: this room knows no file.
pub type Opener = fn(&str) -> Result<Draft, Error>;

/// What webMUSHRA plays.
pub const RATE_HZ: f64 = 48_000.0;
pub const LONGEST_S: f64 = 12.0;
/// What webMUSHRA shows on a page.
const MOST_ON_A_PAGE: usize = 12;

const KEYS: [&str; 16] = [
    "name",
    "scene",
    "engine",
    "quality",
    "seconds",
    "skip_s",
    "ramp_s",
    "bits",
    "seeds",
    "level",
    "full_scale",
    "loudness_lufs",
    "lv_db",
    "anchors_hz",
    "compare",
    "reference",
];

/// Reads a spec; `file` names it in messages, `open` finds its scene.
pub fn read(text: &str, file: &str, open: Opener) -> Result<Spec, Error> {
    let table = parse_toml(text, file, "`asperity stimuli --example` prints a whole spec")?;
    let mut reader = Reader { file, text, table: table.get_ref(), problems: Problems::default() };
    let spec = reader.spec(open);
    reader.problems.or(spec)
}

impl Reader<'_> {
    fn spec(&mut self, open: Opener) -> Spec {
        self.unknown_keys();
        let scene = self.word("scene").unwrap_or_else(|| "dang2013".into());
        let mut base = open(&scene).unwrap_or_else(|error| {
            self.problem("scene", &scene, error.to_string(), "name a preset or a scene file");
            Draft::default()
        });
        for (key, place, value) in self.entries("set") {
            match text_of(value) {
                Some(word) => self.set(&mut base, &key, &word, &place),
                None => {
                    self.at(&place, &key, "a list or a date", "must be one value", "vary it in [conditions]")
                }
            }
        }
        let factors = self.factors(&base);
        let seconds = self.number("seconds", 0.1..LONGEST_S, 4.0);
        let ramp_s = self.number("ramp_s", 0.0..seconds / 2.0, 0.05f64.min(seconds / 4.0));
        let anchors_hz = self.numbers("anchors_hz", 100.0..20_000.0, &[3500.0, 7000.0]);
        let (compare, reference) = self.comparison(&factors, anchors_hz.len());
        Spec {
            name: self.name(),
            seeds: self.seeds(),
            seconds,
            order: self.order(seconds),
            ramp_s,
            bits: self.choice("bits", &["16", "24"], "24"),
            level: self.level(),
            anchors_hz,
            compare,
            reference,
            base,
            factors,
        }
    }

    fn order(&mut self, seconds: f64) -> Order {
        let engine = self.choice("engine", &Engine::NAMES, Engine::Realtime.name());
        let engine = Engine::from_name(&engine).unwrap_or(Engine::Realtime);
        let quality = self.choice("quality", &Quality::NAMES, Quality::default().name());
        if engine == Engine::Reference && self.table.contains_key("quality") {
            self.problem("quality", quality.clone(), "has no meaning with the reference", "leave it out");
        }
        let skip_s = self.number("skip_s", 0.0..3600.0, 0.5);
        Order {
            engine,
            quality: Quality::from_name(&quality).unwrap_or_default(),
            // A hundredth of a second more than needed: the last samples of a run are bent by its end.
            seconds: skip_s + seconds + 0.01,
            skip_s,
            rate_hz: Some(RATE_HZ),
        }
    }

    fn unknown_keys(&mut self) {
        for (key, _) in self.table {
            let name = key.get_ref().as_ref();
            if KEYS.contains(&name) || matches!(name, "set" | "conditions") {
                continue;
            }
            let known = KEYS.iter().chain(&["set", "conditions"]);
            let nearest = known.min_by_key(|known| strsim::damerau_levenshtein(name, known));
            let limit = format!("the nearest known one is {}", nearest.unwrap_or(&"name"));
            self.at(&self.place(key.span().start), name, "unknown key", &limit, "correct the name");
        }
    }

    /// The name becomes part of paths and addresses.
    fn name(&mut self) -> String {
        let name = self.word("name").unwrap_or_else(|| "stimuli".into());
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
            let limit = "1 to 64 letters, digits, - and _";
            self.problem("name", format!("{name:?}"), limit, "shorten or respell it");
        }
        name
    }

    fn seeds(&mut self) -> Vec<u64> {
        let Some(texts) = self.list("seeds") else { return vec![1] };
        let mut seeds = Vec::new();
        for text in texts {
            match text.parse::<u64>() {
                Ok(seed) if !seeds.contains(&seed) && seed <= 1 << 53 => seeds.push(seed),
                _ => {
                    self.problem("seeds", text, "different whole numbers from 0 to 2^53", "correct the seed")
                }
            }
        }
        if seeds.is_empty() {
            self.problem("seeds", "no seed", "at least one", "write for example [1]");
        }
        seeds
    }

    fn level(&mut self) -> Level {
        let level = self.choice("level", &Level::NAMES, "physical");
        let full_scale = self.optional("full_scale", 1e-9..1e9);
        let lufs = self.optional("loudness_lufs", -60.0..-5.0);
        let lv_db = self.optional("lv_db", 0.0..220.0);
        let unused = match level.as_str() {
            "physical" => [("loudness_lufs", lufs.is_some()), ("lv_db", lv_db.is_some())],
            "loudness" => [("full_scale", full_scale.is_some()), ("lv_db", lv_db.is_some())],
            _ => [("loudness_lufs", lufs.is_some()), ("", false)],
        };
        for (key, _) in unused.into_iter().filter(|(_, set)| *set) {
            self.problem(key, "set", format!("has no meaning with level = {level:?}"), "leave it out");
        }
        match level.as_str() {
            "loudness" => Level::Loudness { lufs: lufs.unwrap_or(-23.0) },
            "lv" => Level::Lv { lv_db, full_scale },
            _ => Level::Physical { full_scale },
        }
    }

    fn set(&mut self, draft: &mut Draft, key: &str, value: &str, place: &str) {
        if let Err(found) = draft.set(key, value) {
            for problem in found.0 {
                self.problems.push(Problem { place: format!("{place}: {}", problem.place), ..problem });
            }
        }
    }

    fn factors(&mut self, base: &Draft) -> Vec<Factor> {
        let mut factors = Vec::new();
        for (key, place, value) in self.entries("conditions") {
            let values = texts_of(value).unwrap_or_default();
            if values.is_empty() {
                self.at(&place, &key, "no values", "must be a list of values", "write for example [3, 10]");
            }
            if key == "surface.seed" {
                self.at(&place, &key, "a seed", "is not a condition", "use seeds = [1, 2, …]");
            }
            for (index, word) in values.iter().enumerate() {
                self.set(&mut base.clone(), &key, word, &place);
                if values[..index].contains(word) {
                    self.at(&place, &key, word, "is there twice", "give each value once");
                }
            }
            factors.push(Factor { key, values });
        }
        if factors.is_empty() {
            self.problem("conditions", "nothing varies", "at least one key", "write [conditions] and a list");
        }
        factors
    }

    fn comparison(&mut self, factors: &[Factor], anchors: usize) -> (usize, usize) {
        let names = factors.iter().map(|factor| factor.key.as_str()).collect::<Vec<_>>().join(", ");
        let compare = match self.word("compare") {
            None => 0,
            Some(key) => factors.iter().position(|factor| factor.key == key).unwrap_or_else(|| {
                self.problem("compare", key, format!("must be one of {names}"), "name a condition");
                0
            }),
        };
        let values = factors.get(compare).map_or(&[][..], |factor| &factor.values);
        let heard = values.len().saturating_sub(1) + anchors;
        if heard > MOST_ON_A_PAGE {
            let limit =
                format!("a page compares at most {MOST_ON_A_PAGE} with its reference, anchors included");
            self.problem("compare", format!("{heard} sounds"), limit, "compare a key with fewer values");
        }
        let reference = match self.word("reference") {
            None => 0,
            Some(word) => values.iter().position(|value| *value == word).unwrap_or_else(|| {
                let limit = format!("must be one of {}", values.join(", "));
                self.problem("reference", word, limit, "name a value of the compared key");
                0
            }),
        };
        (compare, reference)
    }
}
