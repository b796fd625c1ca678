//! The real-time engine, offline: one voice, block by block, its delay taken off, so that a file begins
//! where the scene does.

use super::Order;
use crate::engine::realtime::{Engine, Settings};
use crate::error::{Error, Problem};
use crate::record::{RunFigures, SoundSink};
use crate::scene::Scene;

/// Host samples at a time; the sound does not depend on it.
const BLOCK: usize = 512;
/// The rate of levels without sound.
const USUAL_RATE_HZ: f64 = 48_000.0;

pub fn run_into(
    scene: &Scene,
    order: &Order,
    sink: &mut dyn SoundSink,
    monitor: &mut dyn FnMut(f64) -> bool,
) -> Result<RunFigures, Error> {
    let rate_hz = order.rate_hz.unwrap_or(USUAL_RATE_HZ);
    let settings = Settings { host_rate_hz: rate_hz, quality: order.quality, ..Settings::default() };
    let mut engine = Engine::new(scene, settings)?;
    let seconds = order.seconds.min(scene.end_s());
    let frames = (seconds * rate_hz).round() as usize;
    let skipped = (order.skip_s * rate_hz).round() as usize;
    let late = engine.latency_samples();
    let mut block = vec![vec![0.0f32; BLOCK]; engine.pickups()];
    let mut sound = vec![Vec::with_capacity(BLOCK); engine.pickups()];
    let mut done = 0;
    while done < frames + late {
        if !monitor(done as f64 / (frames + late) as f64) {
            break;
        }
        // Blocks end where the skipped start does and where the sound does.
        let ends = [skipped, frames + late].into_iter().find(|end| *end > done).unwrap_or(done + BLOCK);
        let count = BLOCK.min(ends - done);
        let mut outputs: Vec<&mut [f32]> = block.iter_mut().map(|channel| &mut channel[..count]).collect();
        engine.process(&mut outputs);
        let from = late.saturating_sub(done).min(count);
        for (wide, channel) in sound.iter_mut().zip(&block) {
            wide.clear();
            wide.extend(channel[from..count].iter().map(|sample| f64::from(*sample)));
        }
        if order.rate_hz.is_some() && from < count {
            sink.take(&sound.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
        }
        done += count;
        if done == skipped {
            engine.skip();
        }
    }
    let figures = engine.figures(0);
    Ok(RunFigures { seconds: figures.seconds.min(seconds), ..figures })
}

/// The real-time engine keeps sliders on the resonator.
pub fn refuse_overhang(scene: &Scene) -> Result<(), Problem> {
    if scene.slides_off() {
        return Err(Problem::new(
            "--engine",
            "realtime",
            "keeps the slider on the resonator; a held slider that passes over its end needs the reference",
            "add --engine reference, or take --motion endless",
        ));
    }
    Ok(())
}
