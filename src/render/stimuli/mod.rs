//! Stimuli for listening tests: every combination of conditions and seeds, each exactly as long as asked,
//! steady from its first sample, with raised-cosine ramps, levelled as a set.
//!
//! A page of a test compares the values of one key, all else equal: same other conditions, same seed. Its
//! anchors are low-passed versions of its reference. Knows no file; [`Spec`] comes as text, sound goes out as
//! samples.

pub mod level;
mod reader;
mod set;
pub mod shape;
mod spec;
pub mod texts;

pub use set::{Page, Role, Stimulus, StimulusSet};
pub use spec::{Factor, LONGEST_S, Level, RATE_HZ, Spec, read};

use rayon::prelude::*;

use self::level::Stereo;
use super::{Routing, render_into};
use crate::error::{Error, Problem, Problems};
use crate::record::Quantity;
use crate::scene::{Draft, Scene};

/// Samples of a whole set in memory: 1 GiB.
const MAX_SAMPLES: f64 = 134_217_728.0;

/// One combination of conditions with one seed.
#[derive(Debug, Clone)]
pub struct Item {
    /// Index of the value of each factor.
    pub values: Vec<usize>,
    pub seed: u64,
    /// Items on one page differ in the compared factor only.
    pub page: usize,
    pub draft: Draft,
    pub scene: Scene,
}

/// A rendered item in SI, not yet ramped, and the level of the whole resonator.
#[derive(Debug, Clone)]
pub struct Rendered {
    pub sides: Stereo,
    /// Space and time mean over the resonator (Dang 2013, eqs. 47–48), dB re 1 nm/s.
    pub lv_db: f64,
}

impl Spec {
    pub fn frames(&self) -> usize {
        (self.seconds * RATE_HZ).round() as usize
    }

    /// All items in the order of the spec, every scene checked.
    pub fn items(&self) -> Result<Vec<Item>, Error> {
        let combinations = self.factors.iter().fold(1.0, |n, factor| n * factor.values.len() as f64);
        let count = combinations * self.seeds.len() as f64;
        let samples = 2.0 * count * self.frames() as f64;
        if samples > MAX_SAMPLES {
            let most = MAX_SAMPLES / (2.0 * self.frames() as f64);
            return Err(Problem::new(
                "conditions",
                format!("{count:.0} items of {} s", self.seconds),
                format!("at most {most:.0} of this length"),
                "take fewer values, fewer seeds or shorter items",
            )
            .into());
        }
        let mut problems = Problems::default();
        let mut items = Vec::new();
        for number in 0..count as usize {
            let mut found = Problems::default();
            if let Some(item) = found.gather(self.item(number))? {
                found.gather(self.check(&item.scene))?;
                items.push(item);
            }
            found.0.into_iter().for_each(|problem| add_once(&mut problems, problem));
        }
        let quantity = Self::quantity(&items);
        if let Some(other) = items.iter().find(|item| Self::quantity(std::slice::from_ref(item)) != quantity)
        {
            let found = Self::quantity(std::slice::from_ref(other)).name();
            problems.push(Problem::new(
                "conditions",
                format!("{} and {found}", quantity.name()),
                "one quantity in a set: levels of two have no common scale",
                "make two sets",
            ));
        }
        problems.or(items)
    }

    /// The seed turns slowest, the last factor fastest.
    fn item(&self, number: usize) -> Result<Item, Error> {
        let mut values = vec![0; self.factors.len()];
        let mut rest = number;
        for (index, factor) in self.factors.iter().enumerate().rev() {
            values[index] = rest % factor.values.len();
            rest /= factor.values.len();
        }
        let seed = self.seeds[rest];
        let mut draft = self.base.clone();
        draft.set("surface.seed", &seed.to_string())?;
        let mut page = rest;
        for (index, (factor, value)) in self.factors.iter().zip(&values).enumerate() {
            draft.set(&factor.key, &factor.values[*value])?;
            if index != self.compare {
                page = page * factor.values.len() + value;
            }
        }
        let scene = draft.build()?;
        Ok(Item { values, seed, page, draft, scene })
    }

    fn check(&self, scene: &Scene) -> Result<(), Problem> {
        Routing::stereo(scene)?;
        self.order.fits(scene).map_err(|problem| Problem {
            place: "engine".into(),
            cure: "write engine = \"reference\", or motion.kind = \"endless\"".into(),
            ..problem
        })?;
        let end_s = scene.end_s();
        if end_s < self.order.seconds {
            return Err(Problem::new(
                "seconds",
                format!("{} s after {} s of start", self.seconds, self.order.skip_s),
                format!("at {} m/s the pass ends after {end_s:.3} s", scene.motion.speed_m_s),
                "set motion.kind = \"endless\", slide more slowly, or make items shorter",
            ));
        }
        Ok(())
    }

    /// What the pick-ups of an item read; all of one quantity, or the spec was refused.
    pub fn quantity(items: &[Item]) -> Quantity {
        let first = items.first().and_then(|item| item.scene.pickups.first());
        first.map_or(Quantity::Velocity, |pickup| pickup.quantity)
    }

    /// Renders all items on all cores; `monitor` is asked from every thread and returns false to stop.
    pub fn render(
        &self,
        items: &[Item],
        monitor: &(dyn Fn(usize, f64) -> bool + Sync),
    ) -> Result<Vec<Rendered>, Error> {
        let one = |(index, item): (usize, &Item)| self.render_item(item, &|share| monitor(index, share));
        items.par_iter().enumerate().map(one).collect()
    }

    fn render_item(&self, item: &Item, monitor: &dyn Fn(f64) -> bool) -> Result<Rendered, Error> {
        let routing = Routing::stereo(&item.scene)?;
        let mut recording = routing.recording(RATE_HZ);
        let figures = render_into(&item.scene, &self.order, &routing, &mut recording, &mut |s| monitor(s))?;
        let start = (self.order.skip_s * RATE_HZ).round() as usize;
        let cut = |channel: usize| -> Vec<f64> {
            let samples = &recording.channels[channel].samples;
            samples.get(start..start + self.frames()).unwrap_or_default().to_vec()
        };
        Ok(Rendered { sides: [cut(0), cut(1)], lv_db: figures.lv_db() })
    }

    /// The anchors made from the reference of each page, ramped: (item, corner, signal).
    pub fn anchors(&self, items: &[Item], rendered: &[Rendered]) -> Vec<(usize, f64, Stereo)> {
        let references = items.iter().enumerate().filter(|(_, item)| self.is_reference(item));
        references
            .flat_map(|(index, _)| self.anchors_hz.iter().map(move |corner_hz| (index, *corner_hz)))
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|(index, corner_hz)| {
                let mut sides =
                    rendered[index].sides.each_ref().map(|side| shape::low_passed(side, corner_hz));
                sides.iter_mut().for_each(|side| shape::ramp(side, self.ramp_s));
                (index, corner_hz, sides)
            })
            .collect()
    }

    pub fn is_reference(&self, item: &Item) -> bool {
        item.values.get(self.compare) == Some(&self.reference)
    }
}

/// A hundred items with the same mistake make it once.
fn add_once(problems: &mut Problems, problem: Problem) {
    if !problems.0.contains(&problem) {
        problems.push(problem);
    }
}
