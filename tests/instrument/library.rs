//! The shipped presets: each sounds, none clips, no two are alike.

use asperity::analysis::levels::{BandWidth, bands};
use asperity::analysis::spectrum::{segment_length, welch};
use asperity::engine::realtime::Quality;
use asperity::instrument::parameters::Param;
use asperity::instrument::{Patch, Setup};
use asperity::render::{Engine, Order, Routing, render_into};
use asperity::scene::{find_preset, presets};

use crate::{RATE, at, instrument, loudest, on, play, rms, setup};

const RATE_HZ: f64 = 48_000.0;
/// Bands that lie this far below the loudest are not heard beside it.
const FLOOR_DB: f64 = 80.0;

struct Heard {
    name: &'static str,
    /// Share of full scale.
    peak: f64,
    /// Third-octaves from 63 Hz to 16 kHz about their mean, dB.
    spectrum: Vec<f64>,
}

fn listen(name: &'static str) -> Heard {
    let patch = Patch::preset(name).unwrap();
    let scene = patch.draft().build().unwrap();
    let routing = Routing::stereo(&scene).unwrap();
    let mut recording = routing.recording(RATE_HZ);
    let realtime = Order {
        engine: Engine::Realtime,
        quality: Quality::Live,
        seconds: 2.0,
        skip_s: 0.0,
        rate_hz: Some(RATE_HZ),
    };
    let mut run = |order: &Order| render_into(&scene, order, &routing, &mut recording, &mut |_| true);
    if run(&realtime).is_err() {
        // Held sliders that pass over the end are the reference's.
        run(&Order { engine: Engine::Reference, seconds: 0.2, ..realtime }).unwrap();
    }
    let full_scale = patch.full_scale(scene.pickups[0].quantity);
    let late = recording.channels[0].samples.len() / 20;
    let mut power = Vec::new();
    let mut peak = 0.0f64;
    for channel in &recording.channels {
        peak = channel.samples.iter().fold(peak, |most, x| most.max(x.abs() / full_scale));
        let samples = &channel.samples[late..];
        let spectrum = welch(samples, RATE_HZ, segment_length(samples.len(), RATE_HZ, 4.0));
        let found = bands(&spectrum, BandWidth::Third);
        power.resize(found.len(), 0.0);
        for (sum, band) in power.iter_mut().zip(&found) {
            if (60.0..=16_500.0).contains(&band.nominal_hz) {
                *sum += band.mean_square;
            }
        }
    }
    let levels: Vec<f64> = power.iter().filter(|p| **p > 0.0).map(|p| 10.0 * p.log10()).collect();
    let loudest = levels.iter().fold(f64::MIN, |most, level| most.max(*level));
    let levels: Vec<f64> = levels.iter().map(|level| level.max(loudest - FLOOR_DB)).collect();
    let mean = levels.iter().sum::<f64>() / levels.len() as f64;
    Heard { name, peak, spectrum: levels.iter().map(|level| level - mean).collect() }
}

#[test]
fn every_preset_sounds_and_no_two_sound_alike() {
    let heard: Vec<Heard> = presets().iter().map(|preset| listen(preset.name)).collect();
    assert!(heard.len() >= 24);
    for one in &heard {
        assert!(one.peak.is_finite() && one.peak < 1.0, "{} clips: {}", one.name, one.peak);
        // The runs of the papers are as loud as they are.
        let quiet = if one.name.starts_with("dang") { 1e-5 } else { 0.1 };
        assert!(one.peak > quiet, "{} is nearly silent: {}", one.name, one.peak);
        assert_eq!(one.spectrum.len(), 25, "{}", one.name);
    }
    for (n, one) in heard.iter().enumerate() {
        for other in &heard[..n] {
            let squares = one.spectrum.iter().zip(&other.spectrum).map(|(a, b)| (a - b).powi(2));
            let apart = (squares.sum::<f64>() / 25.0).sqrt();
            assert!(apart >= 3.0, "{} and {} are {apart:.1} dB apart", one.name, other.name);
        }
    }
}

/// What people try first: one key, low, in the middle, high.
#[test]
fn every_preset_that_can_be_played_sounds_at_every_key() {
    let plays = |name: &str| Patch::to_play(find_preset(name).unwrap()).is_ok();
    let played: Vec<&str> = presets().iter().map(|preset| preset.name).filter(|name| plays(name)).collect();
    assert_eq!(played.len() + 1, presets().len(), "the run of Dang 2010 alone can only be rendered");
    for name in played {
        for key in [36, 60, 84] {
            let mut one = instrument(name, &[], Setup { limits: false, ..setup() });
            let [left, right] = play(&mut one, &[at(0, on(key))], RATE, &[480]);
            // A single pass over a short body is soon over; everything else goes on.
            let passes = one.values().choice(Param::Stroke) == 0;
            let from = if passes { 0 } else { RATE / 2 };
            let level = rms(&left[from..]).max(rms(&right[from..]));
            let peak = loudest(&left).max(loudest(&right));
            println!("{name} {key}: {:.1} dB, peak {peak:.2}", 20.0 * level.log10());
            assert!(level > 1e-3, "{name} at key {key}: {level:e}");
            assert!(peak < 1.0, "{name} at key {key}: {peak}");
        }
    }
}
