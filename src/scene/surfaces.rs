//! Where the two profiles of a scene come from, and laying them along the bodies.

use super::{MotionKind, Scene};
use crate::error::Error;
use crate::surface::{Profile, Roughness};

#[derive(Debug, Clone, PartialEq)]
pub enum SurfaceSource {
    Smooth,
    Made(Roughness),
    /// Read from a file. Shorter than its body it goes on as its own mirror image, so that no step
    /// arises.
    Measured(Profile),
}

impl SurfaceSource {
    /// The profile with at least `nodes` nodes of distance `step_m`, or a whole loop.
    fn profile(&self, nodes: usize, step_m: f64, periodic: bool) -> Result<Profile, Error> {
        match self {
            Self::Smooth => Ok(Profile { step_m, heights_m: vec![0.0; nodes], periodic }),
            Self::Made(roughness) => roughness.generate(),
            Self::Measured(profile) => Ok(mirrored(profile.clone(), nodes, periodic)),
        }
    }
}

/// Repeats a profile and its mirror image: a loop of both, or as many nodes as asked for.
fn mirrored(profile: Profile, nodes: usize, periodic: bool) -> Profile {
    if profile.periodic && periodic {
        return profile;
    }
    let there = profile.heights_m;
    let back = there.iter().rev().skip(1).take(there.len().saturating_sub(2));
    let mut heights: Vec<f64> = there.iter().chain(back).copied().collect();
    if !periodic {
        heights = heights.iter().copied().cycle().take(nodes).collect();
    }
    Profile { step_m: profile.step_m, heights_m: heights, periodic }
}

impl Scene {
    /// Nodes along a body: both ends carry one.
    pub fn nodes_along(&self, length_m: f64) -> usize {
        (length_m / self.step_m).round() as usize + 1
    }

    /// The resonator's and the slider's profile. Endless motion wants a loop under the slider.
    pub fn profiles(&self) -> Result<(Profile, Profile), Error> {
        let looped = self.motion.kind == MotionKind::Endless;
        let bottom_nodes = self.nodes_along(self.resonator.beam.length_m);
        let top_nodes = self.nodes_along(self.slider.beam.length_m);
        Ok((
            self.bottom.profile(bottom_nodes, self.step_m, looped)?,
            self.top.profile(top_nodes, self.step_m, false)?,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_images_join_without_a_step() {
        let short = Profile { step_m: 1e-6, heights_m: vec![0.0, 1.0, 3.0], periodic: false };
        let open = mirrored(short.clone(), 8, false);
        assert_eq!(open.heights_m, [0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 3.0, 1.0]);
        let loop_ = mirrored(short, 8, true);
        assert_eq!(loop_.heights_m, [0.0, 1.0, 3.0, 1.0]);
    }
}
