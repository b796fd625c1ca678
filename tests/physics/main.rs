//! The physics from outside, without any audio or terminal crate.

mod contact_runs;
mod friction;
mod random_scenes;
mod reference_walks;
mod slopes;
mod squeal;

use asperity::engine::reference::{Outcome, Request, run};
use asperity::scene::{Draft, Scene, find_preset};

/// The bench with some keys changed.
pub fn bench(changes: &[(&str, &str)]) -> Scene {
    with(find_preset("dang2013").unwrap(), changes)
}

pub fn with(mut draft: Draft, changes: &[(&str, &str)]) -> Scene {
    for (key, value) in changes {
        draft.set(key, value).unwrap();
    }
    draft.build().unwrap()
}

/// A run without recording.
pub fn levels(scene: &Scene, seconds: f64, skip_s: f64) -> Outcome {
    run(scene, &Request { seconds, skip_s, ..Request::default() }, &mut |_| true).unwrap()
}
