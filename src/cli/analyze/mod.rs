//! `asperity analyze`: levels, bands, spectrum and loudness of any WAV file.
//!
//! A file of ours says itself what full scale stands for; any other one is calibrated by `--full-scale`, or
//! its levels are re full scale (dBFS).

mod report;

use std::path::{Path, PathBuf};

use clap::Args;

use self::report::{FileReport, table};
use super::out;
use crate::analysis::levels::BandWidth;
use crate::analysis::loudness::Loudness;
use crate::analysis::signal::{Signal, SignalOptions};
use crate::error::{Error, Problem, Problems};
use crate::io::part::check_writable;
use crate::io::wav::{Sound, read_wav};
use crate::picture::sound::{Series, SoundFigure};
use crate::picture::{check_path, save};
use crate::record::Quantity;
use crate::scene::Draft;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
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
    /// JSON on stdout: an object for one file, a list for several
    #[arg(long)]
    json: bool,
}

/// One file with everything found in it.
pub struct Analysis {
    pub path: PathBuf,
    pub sound: Sound,
    pub seconds: f64,
    /// Where the calibration came from: `metadata`, `--full-scale`, or nowhere.
    pub calibration: Option<&'static str>,
    /// What each channel holds, and what 1.0 stands for.
    pub meanings: Vec<(Option<Quantity>, f64)>,
    pub signals: Vec<Signal>,
    pub loudness: Loudness,
    pub natural_hz: Vec<f64>,
}

/// Curves that one picture can hold and still be read.
const MAX_SERIES: usize = 7;

pub fn run(args: AnalyzeArgs) -> Result<(), Error> {
    let options = args.check()?;
    let mut problems = Problems::default();
    let mut analyses = Vec::new();
    for path in &args.files {
        match args.analyze(path, &options) {
            Ok(analysis) => analyses.push(analysis),
            // One bad file does not hide what is wrong with the next.
            Err(Error::Input(found)) => problems.0.extend(found.0),
            Err(other) => return Err(other),
        }
    }
    problems.or(())?;
    if let Some(path) = &args.plot {
        draw(path, &analyses, &options)?;
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
        problems.or(())?;
        self.plot.as_deref().map_or(Ok(()), check_writable)?;
        let bands = if self.bands == "octave" { BandWidth::Octave } else { BandWidth::Third };
        Ok(SignalOptions { bands, resolution_hz: self.resolution })
    }

    fn analyze(&self, path: &Path, options: &SignalOptions) -> Result<Analysis, Error> {
        let mut sound = read_wav(path)?;
        for note in &sound.notes {
            out::say(&format!("{}: {note}", path.display()));
        }
        let frames = sound.channels.first().map_or(0, Vec::len);
        let skipped = (self.skip * sound.rate_hz).round() as usize;
        if skipped > 0 && skipped >= frames {
            return Err(Problem::new(
                path.display().to_string(),
                format!("{:.3} s long", frames as f64 / sound.rate_hz),
                format!("--skip {} leaves nothing", self.skip),
                "skip less",
            )
            .into());
        }
        for channel in &mut sound.channels {
            channel.drain(..skipped);
        }
        let slices: Vec<&[f64]> = sound.channels.iter().map(Vec::as_slice).collect();
        let loudness = Loudness::of(&slices, sound.rate_hz)?;
        let (meanings, calibration) = self.meanings(&sound);
        let natural_hz = sound.metadata.as_ref().map_or(Vec::new(), |m| natural_frequencies(&m.scene_toml));
        let signals = sound
            .channels
            .iter()
            .zip(&meanings)
            .map(|(channel, (_, full_scale))| {
                let samples: Vec<f64> = channel.iter().map(|sample| sample * full_scale).collect();
                Signal::new(&samples, sound.rate_hz, &natural_hz, options)
            })
            .collect();
        let seconds = (frames - skipped) as f64 / sound.rate_hz;
        let path = path.to_owned();
        Ok(Analysis { path, sound, seconds, calibration, meanings, signals, loudness, natural_hz })
    }

    fn meanings(&self, sound: &Sound) -> (Vec<(Option<Quantity>, f64)>, Option<&'static str>) {
        let count = sound.channels.len();
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
        series.extend(shown.take(if analyses.len() == 1 { usize::MAX } else { 1 }));
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
        count => format!("{count} files, the first channel of each"),
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
