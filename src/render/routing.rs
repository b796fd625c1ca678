//! From pick-ups to the channels of a file: each times its gain on its own channel, or all of them mixed to
//! stereo with constant power.

use crate::error::{Error, Problem};
use crate::pickup::{PAN_LAW, sides};
use crate::record::{Channel, Quantity, Recording, SoundSink};
use crate::scene::Scene;

#[derive(Debug, Clone, PartialEq)]
pub struct Routing {
    /// For each channel the factor of each pick-up.
    factors: Vec<Vec<f64>>,
    /// What each channel holds, and where, if at one place.
    pub channels: Vec<(Quantity, Option<f64>)>,
    pub mix: Option<&'static str>,
}

impl Routing {
    /// One channel per pick-up.
    pub fn direct(scene: &Scene) -> Self {
        let pickups = &scene.pickups;
        let row = |n: usize| (0..pickups.len()).map(|m| if m == n { pickups[n].gain } else { 0.0 }).collect();
        Self {
            factors: (0..pickups.len()).map(row).collect(),
            channels: pickups.iter().map(|pickup| (pickup.quantity, Some(pickup.position_m))).collect(),
            mix: None,
        }
    }

    /// Two channels; pick-ups of different quantities have no sum.
    pub fn stereo(scene: &Scene) -> Result<Self, Problem> {
        let first = scene.pickups.first().map_or(Quantity::Velocity, |pickup| pickup.quantity);
        if let Some(other) = scene.pickups.iter().find(|pickup| pickup.quantity != first) {
            return Err(Problem::new(
                "pick-ups",
                format!("{} and {}", first.name(), other.quantity.name()),
                "a stereo mix adds one quantity",
                "give all pick-ups the same quantity, or one channel each",
            ));
        }
        let row =
            |side: usize| scene.pickups.iter().map(|pickup| pickup.gain * sides(pickup.pan)[side]).collect();
        // One pick-up on both sides is still heard at its place; several are not at one.
        let position_m = match &scene.pickups[..] {
            [only] => Some(only.position_m),
            _ => None,
        };
        Ok(Self { factors: vec![row(0), row(1)], channels: vec![(first, position_m); 2], mix: Some(PAN_LAW) })
    }

    /// An empty recording of these channels.
    pub fn recording(&self, rate_hz: f64) -> Recording {
        let channel = |(quantity, position_m): &(Quantity, Option<f64>)| Channel {
            quantity: *quantity,
            position_m: position_m.unwrap_or(f64::NAN),
            samples: Vec::new(),
        };
        Recording { rate_hz, channels: self.channels.iter().map(channel).collect() }
    }

    /// Passes blocks of pick-ups on as blocks of channels.
    pub fn into_sink<'a>(&'a self, sink: &'a mut dyn SoundSink) -> impl SoundSink + 'a {
        Routed { routing: self, sink, block: vec![Vec::new(); self.factors.len()] }
    }
}

struct Routed<'a> {
    routing: &'a Routing,
    sink: &'a mut dyn SoundSink,
    block: Vec<Vec<f64>>,
}

impl SoundSink for Routed<'_> {
    fn take(&mut self, pickups: &[&[f64]]) -> Result<(), Error> {
        let frames = pickups.first().map_or(0, |samples| samples.len());
        for (channel, factors) in self.block.iter_mut().zip(&self.routing.factors) {
            channel.clear();
            channel.resize(frames, 0.0);
            for (samples, factor) in pickups.iter().zip(factors).filter(|(_, factor)| **factor != 0.0) {
                for (sum, sample) in channel.iter_mut().zip(*samples) {
                    *sum += factor * sample;
                }
            }
        }
        let block: Vec<&[f64]> = self.block.iter().map(Vec::as_slice).collect();
        self.sink.take(&block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Draft;

    fn scene(settings: &[(&str, &str)]) -> Scene {
        let mut draft = Draft::default();
        for (key, value) in settings {
            draft.set(key, value).unwrap();
        }
        draft.build().unwrap()
    }

    fn routed(routing: &Routing, pickups: &[&[f64]]) -> Vec<Vec<f64>> {
        let mut recording = routing.recording(48_000.0);
        routing.into_sink(&mut recording).take(pickups).unwrap();
        recording.channels.into_iter().map(|channel| channel.samples).collect()
    }

    #[test]
    fn a_direct_route_is_the_gain() {
        let scene = scene(&[("pickup.1.gain", "2"), ("pickup.2.gain", "-0.5")]);
        assert_eq!(routed(&Routing::direct(&scene), &[&[1.0, 2.0], &[4.0, 8.0]]), [[2.0, 4.0], [-2.0, -4.0]]);
    }

    #[test]
    fn the_power_of_a_pickup_does_not_depend_on_its_pan() {
        for (pan, left) in [("-1", 1.0), ("0", 0.5f64.sqrt()), ("1", 0.0), ("0.5", 0.382_683_432_365_089_8)] {
            let channels = routed(&Routing::stereo(&scene(&[("pickup.1.pan", pan)])).unwrap(), &[&[3.0]]);
            assert!((channels[0][0] - 3.0 * left).abs() < 1e-12, "{pan}: {channels:?}");
            assert!((channels[0][0].hypot(channels[1][0]) - 3.0).abs() < 1e-12);
        }
        let both = scene(&[("pickup.1.pan", "-1"), ("pickup.2.pan", "1"), ("pickup.2.gain", "10")]);
        let routing = Routing::stereo(&both).unwrap();
        let channels = routed(&routing, &[&[1.0], &[2.0]]);
        assert!((channels[0][0] - 1.0).abs() < 1e-12 && (channels[1][0] - 20.0).abs() < 1e-12);
        assert_eq!(routing.channels[0].1, None);
    }

    #[test]
    fn different_quantities_have_no_sum() {
        let mixed = scene(&[("pickup.1.pan", "0"), ("pickup.2.quantity", "displacement")]);
        assert!(Routing::stereo(&mixed).unwrap_err().to_string().contains("velocity and displacement"));
    }
}
