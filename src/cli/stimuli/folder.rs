//! The folder of a set: made as `DIR.part`, filled, and renamed when it is whole.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::Summary;
use crate::analysis::levels::rms;
use crate::analysis::loudness::Loudness;
use crate::error::{Error, Problem};
use crate::io::part::{part_path, write_whole};
use crate::io::wav::{ChannelMetadata, SampleFormat, WavOptions, read_wav, write_wav};
use crate::pickup::PAN_LAW;
use crate::record::{Channel, Quantity, Recording};
use crate::render::stimuli::{Item, RATE_HZ, Role, Spec, Stimulus, StimulusSet, texts};

pub struct Folder {
    target: PathBuf,
    part: PathBuf,
    whole: bool,
}

/// What a file turned out to be, measured on the file itself.
pub struct Written {
    pub loudness: Loudness,
    /// Of both sides together; 1.0 is full scale.
    pub rms: f64,
    pub clipped_samples: u64,
    pub sha256: String,
}

impl Folder {
    /// Refuses a folder that holds something, and makes the part.
    pub fn prepare(target: &Path) -> Result<Self, Error> {
        let failed = |source: io::Error| Error::output(target, source);
        if target.exists() {
            let mut entries = fs::read_dir(target).map_err(failed)?;
            if entries.next().is_some() {
                return Err(Problem::new(
                    target.display().to_string(),
                    "holds files",
                    "a set goes into a folder of its own",
                    "name a new folder",
                )
                .into());
            }
        }
        let part = part_path(target);
        fs::create_dir(&part).or_else(|source| Self::take_over(&part, source)).map_err(failed)?;
        Ok(Self { target: target.to_owned(), part, whole: false })
    }

    /// A run that was killed left its part, which is taken over.
    fn take_over(part: &Path, source: io::Error) -> io::Result<()> {
        if source.kind() != io::ErrorKind::AlreadyExists || !part.is_dir() {
            return Err(source);
        }
        empty(part)
    }

    pub fn write_sounds(
        &self,
        spec: &Spec,
        items: &[Item],
        set: &StimulusSet,
    ) -> Result<Vec<Written>, Error> {
        set.stimuli.iter().map(|stimulus| self.write_sound(spec, items, stimulus)).collect()
    }

    fn write_sound(&self, spec: &Spec, items: &[Item], stimulus: &Stimulus) -> Result<Written, Error> {
        let item = stimulus.item.map(|index| &items[index]);
        let quantity = stimulus.quantity;
        let channel = match quantity {
            Some(quantity) => ChannelMetadata::new(quantity, None, stimulus.full_scale),
            None => ChannelMetadata {
                quantity: "signal".to_owned(),
                unit: "1".to_owned(),
                position_m: None,
                full_scale: stimulus.full_scale,
            },
        };
        let engine = match (stimulus.role, stimulus.low_pass_hz) {
            (Role::Tone | Role::Noise, _) => stimulus.role.name().to_owned(),
            (_, Some(corner_hz)) => format!("{}, low-passed at {corner_hz} Hz", spec.order.engine.name()),
            _ => spec.order.engine.name().to_owned(),
        };
        let options = WavOptions {
            format: SampleFormat::from_name(&spec.bits).unwrap_or(SampleFormat::Int24),
            rate_hz: RATE_HZ,
            channels: vec![channel; 2],
            mix: Some(PAN_LAW.to_owned()),
            seed: item.map_or(0, |item| item.seed),
            engine,
            quality: item.and(spec.order.quality_name()).map(str::to_owned),
            scene_toml: item.map_or(String::new(), |item| item.draft.to_toml()),
        };
        let recording = Recording {
            rate_hz: RATE_HZ,
            channels: stimulus
                .sides
                .iter()
                .map(|samples| Channel {
                    quantity: quantity.unwrap_or(Quantity::Velocity),
                    position_m: 0.0,
                    samples: samples.clone(),
                })
                .collect(),
        };
        let path = self.part.join(&stimulus.file);
        let metadata = write_wav(&path, &recording, &options)?;
        let sound = read_wav(&path)?;
        let sides: Vec<&[f64]> = sound.channels.iter().map(Vec::as_slice).collect();
        let bytes = fs::read(&path).map_err(|source| Error::output(&path, source))?;
        Ok(Written {
            loudness: Loudness::of(&sides, RATE_HZ)?,
            rms: rms(sides[0]).hypot(rms(sides[1])),
            clipped_samples: metadata.clipped_samples,
            sha256: Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }

    pub fn write_texts(
        &self,
        spec: &Spec,
        spec_text: &str,
        set: &StimulusSet,
        manifest: &str,
        summary: &Summary,
    ) -> Result<(), Error> {
        let noise = set.stimuli.iter().find(|stimulus| stimulus.role == Role::Noise);
        let noise = noise.map_or("", |stimulus| stimulus.file.as_str());
        let json = serde_json::to_string_pretty(summary).expect("plain data has a JSON form") + "\n";
        for (name, text) in [
            ("manifest.csv", manifest),
            ("webmushra.yaml", &texts::webmushra(&spec.name, &set.pages, noise)),
            ("beaqle.js", &texts::beaqle(&spec.name, &set.pages)),
            ("set.json", &json),
            ("spec.toml", spec_text),
        ] {
            write_whole(&self.part.join(name), |out| out.write_all(text.as_bytes()))?;
        }
        Ok(())
    }

    pub fn finish(mut self) -> Result<(), Error> {
        fs::rename(&self.part, &self.target).map_err(|source| Error::output(&self.target, source))?;
        self.whole = true;
        Ok(())
    }
}

impl Drop for Folder {
    /// A set that did not become whole leaves nothing behind.
    fn drop(&mut self) {
        if !self.whole {
            // The first failure is what matters, not one in clearing up after it.
            let _ = empty(&self.part).and_then(|()| fs::remove_dir(&self.part));
        }
    }
}

/// Removes the files of a folder, and nothing that is not a file.
fn empty(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
