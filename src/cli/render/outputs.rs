//! Where a render's sound goes: a file that grows with it, and the first channel in memory for a picture.

use std::path::Path;

use crate::analysis::levels::BandWidth;
use crate::analysis::signal::{Signal, SignalOptions};
use crate::cli::out;
use crate::error::Error;
use crate::io::wav::{WavOptions, WavStream};
use crate::picture;
use crate::picture::sound::{Series, SoundFigure};
use crate::record::SoundSink;
use crate::render::Routing;
use crate::scene::Scene;
use crate::units::decibels;

/// What `analyze` draws by default.
const DRAWN: SignalOptions = SignalOptions { bands: BandWidth::Third, resolution_hz: 4.0 };
/// Samples that a picture may need in memory: 0.8 GB.
pub const MAX_DRAWN: f64 = 1e8;

#[derive(Default)]
pub struct Outputs {
    wav: Option<WavStream>,
    drawn: Option<Vec<f64>>,
}

impl Outputs {
    /// Makes the `.part` before the work starts: what cannot be written is known at once.
    pub fn open(wav: Option<(&Path, &WavOptions)>, draw: bool) -> Result<Self, Error> {
        let wav = wav.map(|(path, options)| WavStream::create(path, options)).transpose()?;
        Ok(Self { wav, drawn: draw.then(Vec::new) })
    }

    /// Completes the file under its name and returns how many samples it clipped.
    pub fn finish(&mut self, path: Option<&Path>) -> Result<u64, Error> {
        let (Some(wav), Some(path)) = (&mut self.wav, path) else { return Ok(0) };
        let metadata = wav.finish()?;
        out::say(&format!("wrote {}", path.display()));
        let clipped = metadata.clipped_samples;
        if clipped > 0 {
            let (over_db, cure) = (decibels(wav.highest()), "raise --full-scale, or take --bits 32f");
            out::say(&format!("{clipped} samples lie beyond full scale, by {over_db:.1} dB at most; {cure}"));
        }
        Ok(clipped)
    }

    /// Stopped by the user: what there is becomes a whole file, but keeps the name of a part.
    pub fn keep(self) -> Result<(), Error> {
        let Some(wav) = self.wav else { return Ok(()) };
        let place = wav.keep()?;
        out::say(&format!("stopped early: {} holds what was rendered", place.display()));
        Ok(())
    }

    /// After a failure: says what is left, if anything is.
    pub fn abandon(self) {
        let Some(wav) = self.wav else { return };
        let kept_s = wav.kept_s();
        if let Some(place) = wav.abandon() {
            out::say(&format!("{} holds the first {kept_s:.2} s", place.display()));
        }
    }

    /// Spectrum and bands of the first channel.
    pub fn draw(
        &self,
        path: &Path,
        scene: &Scene,
        routing: &Routing,
        rate_hz: f64,
        title: String,
    ) -> Result<(), Error> {
        let (Some(samples), Some((quantity, position_m))) = (&self.drawn, routing.channels.first()) else {
            return Ok(());
        };
        let name = match (routing.mix, position_m) {
            (None, Some(position_m)) => format!("{} at {:.0} mm", quantity.name(), position_m * 1e3),
            _ => format!("{}, left side of the mix", quantity.name()),
        };
        let natural_hz = scene.resonator.natural_hz();
        let signal = Signal::new(samples, rate_hz, &natural_hz, &DRAWN);
        let figure = SoundFigure {
            title,
            series: vec![Series { name, signal: &signal }],
            quantity: quantity.name(),
            reference: quantity.reference(),
            width: DRAWN.bands,
            natural_hz: &natural_hz,
        };
        picture::save(path, &figure)?;
        out::say(&format!("wrote {}", path.display()));
        Ok(())
    }
}

impl SoundSink for Outputs {
    fn take(&mut self, block: &[&[f64]]) -> Result<(), Error> {
        if let (Some(drawn), Some(first)) = (&mut self.drawn, block.first()) {
            drawn.extend_from_slice(first);
        }
        self.wav.as_mut().map_or(Ok(()), |wav| wav.take(block))
    }
}
