//! The two surfaces of a scene made ready for the engine. Slow: made off the audio thread, then handed over.

use super::texture::{NODES_PER_CUTOFF, Surface};
use crate::contact::Interpolation;
use crate::error::Error;
use crate::scene::{MotionKind, Scene, SurfaceSource};
use crate::surface::{Profile, Roughness};

/// Nodes of the loop that endless motion draws its texture from: 5 m at a step of 5 µm, 4 MB.
const LOOP_NODES: f64 = 1_048_576.0;
/// Longest loop; beyond this nothing more is gained.
const LOOP_M: f64 = 6.0;

/// Both profiles on one grid, shared by all voices.
#[derive(Debug, Clone)]
pub struct Surfaces {
    pub bottom: Surface,
    pub top: Surface,
}

impl Surfaces {
    /// The surfaces that a scene describes: a long loop of texture for endless motion, the scene's own
    /// profiles otherwise.
    pub fn new(scene: &Scene) -> Result<Self, Error> {
        let cutoff_m = cutoff(&scene.bottom).min(cutoff(&scene.top));
        let (mut bottom, top) = scene.profiles()?;
        if scene.motion.kind == MotionKind::Endless
            && let SurfaceSource::Made(roughness) = &scene.bottom
            && roughness.texture.is_random()
        {
            bottom = long_loop(roughness, cutoff_m)?;
        }
        Ok(Self::from_profiles(scene, &bottom, &top))
    }

    /// Given profiles in place of the scene's: what comparisons with the reference use.
    pub fn from_profiles(scene: &Scene, bottom: &Profile, top: &Profile) -> Self {
        let cutoff_m = cutoff(&scene.bottom).min(cutoff(&scene.top));
        let hops =
            bottom.periodic && !matches!(&scene.bottom, SurfaceSource::Made(r) if !r.texture.is_random());
        let bottom = Surface::new(bottom, cutoff_m, scene.seed, hops);
        // The loop may already be on the coarser grid.
        let top = if (top.step_m / bottom.step_m - 1.0).abs() < 1e-6 {
            Surface::new(top, 0.0, scene.seed, false)
        } else {
            Surface::new(top, cutoff_m, scene.seed, false)
        };
        Self { bottom, top }
    }

    /// The same surfaces on another node distance, so that they can take the place of others while
    /// these sound.
    pub fn on_grid(scene: &Scene, step_m: f64) -> Result<Self, Error> {
        let own = Self::new(scene)?;
        if (own.bottom.step_m / step_m - 1.0).abs() < 1e-6 {
            return Ok(own);
        }
        let (bottom, top) = scene.profiles()?;
        Ok(Self::from_profiles(scene, &resampled(&bottom, step_m), &resampled(&top, step_m)))
    }

    pub fn bytes(&self) -> usize {
        self.bottom.bytes() + self.top.bytes()
    }
}

/// Node distances stay below 50 µm even on surfaces that would allow more: contact patches are not wider.
const LONGEST_CUTOFF_M: f64 = 270e-6;

/// Wavelength below which a source has nothing; 0 where that is not known.
fn cutoff(source: &SurfaceSource) -> f64 {
    match source {
        SurfaceSource::Smooth => LONGEST_CUTOFF_M,
        SurfaceSource::Made(roughness) if roughness.texture.is_random() => {
            roughness.cutoff_m.min(LONGEST_CUTOFF_M)
        }
        SurfaceSource::Made(_) | SurfaceSource::Measured(_) => 0.0,
    }
}

fn long_loop(roughness: &Roughness, cutoff_m: f64) -> Result<Profile, Error> {
    let thin = (cutoff_m / NODES_PER_CUTOFF / roughness.step_m + 1e-6).floor().clamp(1.0, 1e6);
    let step_m = roughness.step_m * thin;
    let length_m = (LOOP_NODES * step_m).min(LOOP_M).max(roughness.length_m);
    Roughness { step_m, length_m, periodic: true, ..*roughness }.generate()
}

/// The profile's own cubic read at another step.
fn resampled(profile: &Profile, step_m: f64) -> Profile {
    let len = profile.heights_m.len() as i64;
    let count = (profile.length_m() / step_m).floor() as usize + usize::from(!profile.periodic);
    let at = |n: i64| {
        let index = if profile.periodic { n.rem_euclid(len) } else { n.clamp(0, len - 1) };
        profile.heights_m.get(index as usize).copied().unwrap_or(0.0)
    };
    let heights_m = (0..count)
        .map(|i| {
            let place = i as f64 * step_m / profile.step_m;
            let node = place.floor();
            let weights = Interpolation::cubic(place - node).weights;
            (0..4).map(|r| weights[r] * at(node as i64 - 1 + r as i64)).sum()
        })
        .collect();
    Profile { step_m, heights_m, periodic: profile.periodic }
}
