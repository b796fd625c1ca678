//! The whole set: items, anchors, calibration signals, each with its name, its part in the test and what 1.0
//! stands for; and the pages of a test over them.

use super::level::{Gains, Stereo, gains, loudness};
use super::{Item, Level, Rendered, Spec, shape};
use crate::error::Error;
use crate::record::Quantity;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Reference,
    Item,
    Anchor,
    Tone,
    Noise,
}

impl Role {
    pub fn name(self) -> &'static str {
        ["reference", "item", "anchor", "calibration tone", "calibration noise"][self as usize]
    }
}

#[derive(Debug, Clone)]
pub struct Stimulus {
    pub file: String,
    pub role: Role,
    /// The item that it is, or was made from.
    pub item: Option<usize>,
    pub low_pass_hz: Option<f64>,
    pub sides: Stereo,
    /// What 1.0 in the file stands for in the unit of `sides`.
    pub full_scale: f64,
    /// None where samples stand for nothing but themselves.
    pub quantity: Option<Quantity>,
    pub matching_db: f64,
}

/// What is heard on one page.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub title: String,
    pub reference: String,
    /// Label and file of everything compared with the reference.
    pub stimuli: Vec<(String, String)>,
}

pub struct StimulusSet {
    pub stimuli: Vec<Stimulus>,
    pub pages: Vec<Page>,
    pub gains: Gains,
}

/// Loudness of tone and noise where the items have no common one.
const CALIBRATION_LUFS: f64 = -23.0;

impl Spec {
    /// Levels everything and gives it its name.
    pub fn assemble(&self, items: &[Item], rendered: Vec<Rendered>) -> Result<StimulusSet, Error> {
        let quantity = Self::quantity(items);
        let anchors = self.anchors(items, &rendered);
        let mut sides: Vec<Stereo> = rendered.into_iter().map(|one| one.sides).collect();
        sides.iter_mut().flatten().for_each(|side| shape::ramp(side, self.ramp_s));
        let extra: Vec<(usize, Stereo)> =
            anchors.iter().map(|(index, _, signal)| (*index, signal.clone())).collect();
        let gains = gains(self.level, &sides, &extra, quantity.reference().0)?;
        drop(extra);
        let mut stimuli: Vec<Stimulus> = sides
            .into_iter()
            .enumerate()
            .map(|(index, sides)| Stimulus {
                file: format!("{}.wav", self.stem(index, &items[index])),
                role: if self.is_reference(&items[index]) { Role::Reference } else { Role::Item },
                item: Some(index),
                low_pass_hz: None,
                sides,
                full_scale: gains.full_scales[index],
                quantity: Some(quantity),
                matching_db: gains.matching_db[index],
            })
            .collect();
        stimuli.extend(anchors.into_iter().map(|(index, corner_hz, sides)| Stimulus {
            file: format!("{}_lowpass-{corner_hz}.wav", self.stem(index, &items[index])),
            role: Role::Anchor,
            item: Some(index),
            low_pass_hz: Some(corner_hz),
            sides,
            full_scale: gains.full_scales[index],
            quantity: Some(quantity),
            matching_db: gains.matching_db[index],
        }));
        let pages = self.pages(items, &stimuli);
        for (role, signal) in [(Role::Tone, shape::tone()), (Role::Noise, shape::pink_noise())] {
            stimuli.push(self.calibration(role, signal, quantity, &gains)?);
        }
        Ok(StimulusSet { stimuli, pages, gains })
    }

    /// `003_ra_um-10_speed_m_s-0.1_seed-1`.
    fn stem(&self, index: usize, item: &Item) -> String {
        let last = |key: &str| key.rsplit('.').next().unwrap_or(key).to_owned();
        let mut stem = format!("{:03}", index + 1);
        for (factor, value) in self.factors.iter().zip(&item.values) {
            stem += &format!("_{}-{}", last(&factor.key), factor.values[*value]);
        }
        stem += &format!("_seed-{}", item.seed);
        let fits = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
        // File systems end names at 255 bytes; the number alone tells items apart.
        stem.chars().map(fits).take(200).collect()
    }

    fn pages(&self, items: &[Item], stimuli: &[Stimulus]) -> Vec<Page> {
        let of_page =
            |page: usize| stimuli.iter().filter(move |s| s.item.is_some_and(|i| items[i].page == page));
        let references = stimuli.iter().filter(|stimulus| stimulus.role == Role::Reference);
        references
            .filter_map(|stimulus| stimulus.item.map(|index| (stimulus, &items[index])))
            .map(|(reference, item)| Page {
                title: self.page_title(item),
                reference: reference.file.clone(),
                stimuli: of_page(item.page)
                    .filter(|stimulus| stimulus.role != Role::Reference)
                    .map(|stimulus| (self.label(items, stimulus), stimulus.file.clone()))
                    .collect(),
            })
            .collect()
    }

    /// What all sounds of a page share.
    fn page_title(&self, item: &Item) -> String {
        let others =
            self.factors.iter().zip(&item.values).enumerate().filter(|(index, _)| *index != self.compare);
        let mut words: Vec<String> = others
            .map(|(_, (factor, value))| format!("{} = {}", factor.key, factor.values[*value]))
            .collect();
        words.push(format!("seed {}", item.seed));
        words.join(", ")
    }

    /// Short names that results are stored under.
    fn label(&self, items: &[Item], stimulus: &Stimulus) -> String {
        match (stimulus.low_pass_hz, stimulus.item) {
            (Some(corner_hz), _) => format!("anchor{corner_hz}"),
            (None, Some(index)) => {
                let value = &self.factors[self.compare].values[items[index].values[self.compare]];
                format!("value_{value}")
            }
            (None, None) => stimulus.role.name().to_owned(),
        }
    }

    /// A signal of amplitude 1 brought to the loudness of the set; with one full scale for all, it stands for
    /// a level of the quantity as well.
    fn calibration(
        &self,
        role: Role,
        mut signal: Vec<f64>,
        quantity: Quantity,
        gains: &Gains,
    ) -> Result<Stimulus, Error> {
        let meaning = gains.common_full_scale.map(|scale| (quantity, scale));
        shape::ramp(&mut signal, self.ramp_s);
        let target = match self.level {
            Level::Loudness { lufs } => lufs - gains.reduction_db,
            Level::Physical { .. } | Level::Lv { .. } => CALIBRATION_LUFS,
        };
        let sides = [signal.clone(), signal];
        // Ten seconds of a steady signal always have a loudness.
        let found = loudness(&sides, 1.0)?.integrated_lufs.unwrap_or(0.0);
        let factor = 10f64.powf((target - found) / 20.0) * meaning.map_or(1.0, |(_, scale)| scale);
        let file =
            if role == Role::Tone { "calibration_tone_1000-Hz.wav" } else { "calibration_noise_pink.wav" };
        Ok(Stimulus {
            file: file.to_owned(),
            role,
            item: None,
            low_pass_hz: None,
            sides: sides.map(|side| side.into_iter().map(|sample| sample * factor).collect()),
            full_scale: meaning.map_or(1.0, |(_, scale)| scale),
            quantity: meaning.map(|(quantity, _)| quantity),
            matching_db: 0.0,
        })
    }
}
