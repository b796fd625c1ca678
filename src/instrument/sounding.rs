//! From the engine to two channels: pick-ups are mixed, an engine on its way out is faded under the new one,
//! and nothing beyond full scale leaves.

use super::mixer::{Heard, Pickups, SPAN, Stereo};
use super::parameters::PICKUPS;
use super::player::Instrument;
use super::rig::Rig;

impl Instrument {
    pub(super) fn sound(&mut self, left: &mut [f32], right: &mut [f32]) {
        let frames = left.len();
        if self.is_asleep() {
            left.fill(0.0);
            right.fill(0.0);
            return;
        }
        let mut stereo: Stereo = [[0.0; SPAN]; 2];
        let mut weight = (1.0, 0.0);
        let whole = self.fade_frames() as f64;
        if let Some(leaving) = self.leaving.as_mut().filter(|leaving| leaving.frames > 0) {
            let share = leaving.frames as f64 / whole;
            let heard = run(&mut leaving.rig, frames);
            leaving.mixer.add(&leaving.rig, &heard, frames, (share, -1.0 / whole), &mut stereo);
            weight = (1.0 - share, 1.0 / whole);
            leaving.frames = leaving.frames.saturating_sub(frames);
        }
        let heard = run(&mut self.rig, frames);
        self.mixer.add(&self.rig, &heard, frames, weight, &mut stereo);
        for (frame, (left, right)) in left.iter_mut().zip(right).enumerate() {
            (*left, *right) = (stereo[0][frame] as f32, stereo[1][frame] as f32);
            if self.setup.limits {
                self.limiter.run(left, right);
            }
            self.loudest = self.loudest.max(f64::from(left.abs().max(right.abs())));
        }
    }

    /// Loudest sample since the last call.
    pub(super) fn take_loudest(&mut self) -> f64 {
        std::mem::take(&mut self.loudest)
    }
}

/// The pick-ups of the next frames.
fn run(rig: &mut Rig, frames: usize) -> Heard {
    let silence: Pickups = [[0.0; SPAN]; PICKUPS];
    let mut heard = Heard { sums: silence, leans: silence };
    let count = rig.engine.pickups().min(PICKUPS);
    let frames = frames.min(SPAN);
    let mut sums = heard.sums.each_mut().map(|channel| &mut channel[..frames]);
    let mut leans = heard.leans.each_mut().map(|channel| &mut channel[..frames]);
    rig.engine.process_wide(&mut sums[..count], &mut leans[..count]);
    heard
}
