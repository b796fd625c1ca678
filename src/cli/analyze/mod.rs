//! `asperity analyze`: levels, bands, spectrum and loudness of any WAV file.
//!
//! A file of ours says itself what full scale stands for; any other one is calibrated by `--full-scale`, or
//! its levels are re full scale (dBFS).

mod report;
mod spectrum;

use std::path::{Path, PathBuf};

use clap::Args;

use self::report::{FileReport, table};
use super::out;
use crate::analysis::levels::BandWidth;
use crate::analysis::loudness::{Loudness, LoudnessMeter};
use crate::analysis::signal::{Signal, SignalMeter, SignalOptions};
use crate::analysis::spectrum::segment_length;
use crate::cli::progress::Progress;
use crate::error::{Error, Problem, Problems};
use crate::io::part::check_writable;
use crate::io::wav::{SampleFormat, SoundHead, WavReader};
use crate::picture::sound::{Series, SoundFigure};
use crate::picture::{check_path, save};
use crate::record::Quantity;
use crate::scene::Draft;

const EXAMPLES: &str = "\
Examples:
  asperity analyze rub.wav --plot rub.png
  asperity analyze measured.wav --full-scale 0.05 --bands octave
  asperity analyze a.wav b.wav --skip 0.5 --json
  asperity analyze rub.wav --spectrum lines.csv

A file of ours says itself what 1.0 stands for; of others it is told with --full-scale, or levels are re full scale.";

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct AnalyzeArgs {
    /// WAV files
    #[arg(required = true, value_name = "FILE.wav")]
    files: Vec<PathBuf>,
    /// What 1.0 stands for, in m/s; wins over what the file says
    #[arg(long, value_name = "M_S")]
    full_scale: Option<f64>,
    /// Start that is left out
    #[arg(long, value_name = "S", default_value_t = 0.0)]
    skip: f64,
    /// Bands of the levels
    #[arg(long, default_value = "third", value_parser = ["octave", "third"])]
    bands: String,
    /// Distance between the lines of the spectrum
    #[arg(long, value_name = "HZ", default_value_t = 4.0)]
    resolution: f64,
    /// Picture of spectra and bands, PNG or SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// The spectrum's lines as CSV, of one WAV file
    #[arg(long, value_name = "FILE.csv")]
    spectrum: Option<PathBuf>,
    /// JSON on stdout: an object for one file, a list for several
    #[arg(long)]
    json: bool,
}

/// One file with everything found in it.
pub struct Analysis {
    pub path: PathBuf,
    pub sound: SoundHead,
    pub seconds: f64,
    /// Where the calibration came from: `metadata`, `--full-scale`, or nowhere.
    pub calibration: Option<&'static str>,
    /// What each channel holds, and what 1.0 stands for.
    pub meanings: Vec<(Option<Quantity>, f64)>,
    pub signals: Vec<Signal>,
    pub loudness: Loudness,
    pub natural_hz: Vec<f64>,
}

/// Samples of all channels' segments of the spectrum together: 0.8 GB of tables.
const MAX_SEGMENTS: usize = 1 << 24;
/// Curves that one picture can hold and still be read.
const MAX_SERIES: usize = 7;

pub fn run(args: AnalyzeArgs) -> Result<(), Error> {
    let options = args.check()?;
    let mut problems = Problems::default();
    let mut analyses = Vec::new();
    for path in &args.files {
        // One bad file does not hide what is wrong with the next.
        analyses.extend(problems.gather(args.analyze(path, &options))?);
    }
    problems.or(())?;
    if let Some(path) = &args.plot {
        draw(path, &analyses, &options)?;
        out::say(&format!("wrote {}", path.display()));
    }
    if let (Some(path), Some(analysis)) = (&args.spectrum, analyses.first()) {
        spectrum::write(path, analysis)?;
        out::say(&format!("wrote {}", path.display()));
    }
    let reports: Vec<FileReport> = analyses.iter().map(FileReport::new).collect();
    match (&reports[..], args.json) {
        ([only], true) => out::json(only),
        (several, true) => out::json(&several),
        (several, false) => out::data(|sink| several.iter().try_for_each(|report| table(report, sink))),
    }
}

impl AnalyzeArgs {
    fn check(&self) -> Result<SignalOptions, Error> {
        let mut problems = Problems::default();
        let mut positive = |flag: &str, value: f64, usual: &str| {
            if !(value > 0.0 && value.is_finite()) {
                problems.push(Problem::new(flag, value, "must be above 0", usual));
            }
        };
        positive("--full-scale", self.full_scale.unwrap_or(1.0), "0.1 is usual");
        positive("--resolution", self.resolution, "4 is usual");
        if !(self.skip >= 0.0 && self.skip.is_finite()) {
            problems.push(Problem::new("--skip", self.skip, "must be at least 0", "skip nothing"));
        }
        if let Some(path) = &self.plot {
            check_path(path).unwrap_or_else(|problem| problems.push(problem));
        }
        if self.spectrum.is_some() && self.files.len() > 1 {
            let count = format!("{} files", self.files.len());
            problems.push(Problem::new("--spectrum", count, "is of one file", "analyze them one by one"));
        }
        problems.or(())?;
        for path in [&self.plot, &self.spectrum].into_iter().flatten() {
            check_writable(path)?;
        }
        let bands = if self.bands == "octave" { BandWidth::Octave } else { BandWidth::Third };
        Ok(SignalOptions { bands, resolution_hz: self.resolution })
    }

    fn analyze(&self, path: &Path, options: &SignalOptions) -> Result<Analysis, Error> {
        let mut wav = WavReader::open(path)?;
        let sound = wav.head.clone();
        for note in &sound.notes {
            out::say(&format!("{}: {note}", path.display()));
        }
        // Floats keep what lies beyond full scale; whole numbers have lost it.
        let cut = sound.metadata.as_ref().filter(|told| told.bits != SampleFormat::Float32.name());
        if let Some(count) = cut.map(|told| told.clipped_samples).filter(|count| *count > 0) {
            let place = path.display();
            out::say(&format!(
                "{place}: {count} samples were clipped when it was written: its levels are too low"
            ));
        }
        let skipped = (self.skip * sound.rate_hz).round() as u64;
        self.check_length(path, &sound, skipped)?;
        wav.go_to(skipped)?;
        let length = (sound.frames - skipped) as usize;
        let (meanings, calibration) = self.meanings(&sound);
        let mut loudness = LoudnessMeter::new(sound.channels, sound.rate_hz)?;
        let new_meter = |_: &_| SignalMeter::new(length, sound.rate_hz, options);
        let mut meters: Vec<SignalMeter> = meanings.iter().map(new_meter).collect();
        let (progress, mut done) = (Progress::new("reading"), 0);
        while let Some(mut block) = wav.next_block()? {
            loudness.add(&block.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
            for ((samples, (_, full_scale)), meter) in block.iter_mut().zip(&meanings).zip(&mut meters) {
                samples.iter_mut().for_each(|sample| *sample *= full_scale);
                meter.add(samples);
            }
            done += block[0].len();
            progress.at(done as f64 / length as f64);
        }
        drop(progress);
        let natural_hz = sound.metadata.as_ref().map_or(Vec::new(), |m| natural_frequencies(&m.scene_toml));
        Ok(Analysis {
            path: path.to_owned(),
            seconds: length as f64 / sound.rate_hz,
            signals: meters.into_iter().map(|meter| meter.finish(&natural_hz)).collect(),
            loudness: loudness.finish()?,
            sound,
            calibration,
            meanings,
            natural_hz,
        })
    }

    /// What is left after the skipped start, and a spectrum that memory holds.
    fn check_length(&self, path: &Path, sound: &SoundHead, skipped: u64) -> Result<(), Problem> {
        if skipped > 0 && skipped >= sound.frames {
            return Err(Problem::new(
                path.display().to_string(),
                format!("{:.3} s long", sound.frames as f64 / sound.rate_hz),
                format!("--skip {} leaves nothing", self.skip),
                "skip less",
            ));
        }
        let segment = segment_length(sound.frames as usize, sound.rate_hz, self.resolution);
        if segment * sound.channels > MAX_SEGMENTS {
            let finest = sound.rate_hz * sound.channels as f64 / MAX_SEGMENTS as f64;
            return Err(Problem::new(
                "--resolution",
                self.resolution,
                format!("at least {finest:.6} Hz for {}", path.display()),
                "4 is usual",
            ));
        }
        Ok(())
    }

    fn meanings(&self, sound: &SoundHead) -> (Vec<(Option<Quantity>, f64)>, Option<&'static str>) {
        let count = sound.channels;
        if let Some(full_scale) = self.full_scale {
            return (vec![(Some(Quantity::Velocity), full_scale); count], Some("--full-scale"));
        }
        // Metadata is believed only where it speaks of this very sound.
        let told = sound.metadata.as_ref().map(|metadata| &metadata.channels);
        match told.filter(|channels| {
            channels.len() == count && channels.iter().all(|c| c.full_scale > 0.0 && c.full_scale.is_finite())
        }) {
            Some(channels) => {
                let meaning = channels.iter().map(|c| (Quantity::from_name(&c.quantity), c.full_scale));
                (meaning.collect(), Some("metadata"))
            }
            None => (vec![(None, 1.0); count], None),
        }
    }
}

/// Of the resonator that a file's scene describes. Profiles that it names stay closed: a sound file has no business
/// to make this program open others. What another version wrote may be unknown to this one, and has no modes.
fn natural_frequencies(scene_toml: &str) -> Vec<f64> {
    // A tone or a noise has no scene.
    if scene_toml.is_empty() {
        return Vec::new();
    }
    let own = scene_toml.lines().filter(|line| !line.contains(".file ="));
    let own: String = own.flat_map(|line| [line, "\n"]).collect();
    let scene = Draft::from_toml(&own, "scene").and_then(|draft| draft.build());
    scene.map_or(Vec::new(), |scene| scene.resonator.natural_hz())
}

/// The channels of one file, or the first of each of several, as far as they hold one quantity.
fn draw(path: &Path, analyses: &[Analysis], options: &SignalOptions) -> Result<(), Error> {
    let Some(first) = analyses.first() else { return Ok(()) };
    let quantity = first.meanings.first().and_then(|(quantity, _)| *quantity);
    let mut series = Vec::new();
    for analysis in analyses {
        let file = analysis.path.file_name().unwrap_or_default().to_string_lossy();
        let channels = analysis.signals.iter().zip(&analysis.meanings).enumerate();
        let shown = channels.filter(|(_, (_, meaning))| meaning.0 == quantity).map(|(index, (signal, _))| {
            let name = if analyses.len() == 1 { format!("channel {}", index + 1) } else { file.to_string() };
            Series { name, signal }
        });
        let before = series.len();
        series.extend(shown.take(if analyses.len() == 1 { usize::MAX } else { 1 }));
        if series.len() == before {
            let wanted = quantity.map_or("uncalibrated signal", Quantity::name);
            out::say(&format!("{file} has no {wanted} and is not in the picture"));
        }
    }
    if series.len() > MAX_SERIES {
        out::say(&format!("the picture shows the first {MAX_SERIES} of {} channels", series.len()));
        series.truncate(MAX_SERIES);
    }
    let report = FileReport::new(first);
    let title = match analyses.len() {
        1 => {
            let name = first.path.file_name().unwrap_or_default().to_string_lossy();
            format!("{name}: {}", report.headline())
        }
        count => format!("{} of {count} files, the first channel of each", series.len()),
    };
    let reference = quantity.map_or((1.0, "full scale"), Quantity::reference);
    let figure = SoundFigure {
        title,
        series,
        quantity: quantity.map_or("signal", Quantity::name),
        reference,
        width: options.bands,
        natural_hz: &first.natural_hz,
    };
    save(path, &figure)
}
