//! The real-time engine seen from outside: invariants, agreement with the reference, live controls.

mod agreement;
mod controls;
mod friction;
mod invariants;
mod levers;
mod voices;

use asperity::engine::realtime::{Engine, Settings};
use asperity::scene::{Scene, find_preset};

/// The bench with some keys set.
pub fn scene(keys: &[(&str, &str)]) -> Scene {
    let mut draft = find_preset("dang2013").unwrap();
    for (key, value) in keys {
        draft.set(key, value).unwrap();
    }
    draft.build().unwrap()
}

pub fn endless() -> Scene {
    scene(&[("motion.kind", "endless")])
}

pub fn engine(scene: &Scene, settings: Settings) -> Engine {
    Engine::new(scene, settings).unwrap()
}

/// `frames` samples of the first pick-up, in blocks of `block`.
pub fn play(engine: &mut Engine, frames: usize, block: usize) -> Vec<f32> {
    let mut sound = vec![0.0; frames];
    for part in sound.chunks_mut(block) {
        engine.process(&mut [part]);
    }
    sound
}
