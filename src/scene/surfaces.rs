//! Where the two profiles of a scene come from, from keys to sources, and laying them along the bodies.

use super::{Draft, MotionKind, Scene};
use crate::error::{Error, Problem, Problems};
use crate::surface::{Profile, Roughness, Texture, import};
use crate::units::{MICRO, micrometres};
use std::path::Path;

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

impl Draft {
    /// Both profiles of bodies of these lengths, and their common step.
    pub(super) fn surfaces(
        &self,
        [resonator_m, slider_m]: [f64; 2],
        seed: u64,
        problems: &mut Problems,
    ) -> (SurfaceSource, SurfaceSource, f64) {
        let bottom = self.surface("surface", resonator_m, seed, problems);
        let top_seed =
            if self.is_set("surface.top.seed") { self.integer("surface.top.seed") } else { other_seed(seed) };
        let top = self.surface("surface.top", slider_m, top_seed, problems);
        let step_m = self.common_step(&bottom, &top, problems);
        (bottom, top, step_m)
    }

    fn surface(&self, which: &str, length_m: f64, seed: u64, problems: &mut Problems) -> SurfaceSource {
        let key = |field: &str| format!("{which}.{field}");
        let ra_m = micrometres(self.number(&key("ra_um")));
        let file = self.word(&key("file"));
        if !file.is_empty() {
            return self.measured(Path::new(&file), which, problems);
        }
        if ra_m == 0.0 {
            return SurfaceSource::Smooth;
        }
        let roughness = Roughness {
            texture: Texture::from_name(&self.word(&key("acf"))).unwrap_or(Texture::Exponential),
            ra_m,
            corr_length_m: micrometres(self.number(&key("corr_length_um"))),
            hurst: self.number(&key("hurst")),
            wavelength_m: micrometres(self.number(&key("wavelength_um"))),
            cutoff_m: micrometres(self.number(&key("cutoff_um"))),
            length_m,
            step_m: micrometres(self.number(&key("step_um"))),
            seed,
            periodic: which == "surface" && self.word("motion.kind") == "endless",
        };
        for mut problem in roughness.problems().0 {
            // The generator speaks of its own length; here that is the body's.
            problem.place = match problem.place.as_str() {
                "length_mm" if which == "surface" => "resonator.length_m".to_owned(),
                "length_mm" => "slider.length_m".to_owned(),
                field => key(field),
            };
            problems.push(problem);
        }
        SurfaceSource::Made(roughness)
    }

    /// A measured profile as it is, or scaled where `ra_um` is set beside the file.
    fn measured(&self, file: &Path, which: &str, problems: &mut Problems) -> SurfaceSource {
        let ra_key = format!("{which}.ra_um");
        match import(file) {
            Ok(profile) if self.is_set(&ra_key) => {
                SurfaceSource::Measured(profile.scaled_to_ra(micrometres(self.number(&ra_key))))
            }
            Ok(profile) => SurfaceSource::Measured(profile),
            Err(error) => {
                match error {
                    Error::Input(found) => problems.0.extend(found.0),
                    other => problems.push(Problem::new(
                        format!("{which}.file"),
                        other,
                        "must be readable",
                        "check the file",
                    )),
                }
                SurfaceSource::Smooth
            }
        }
    }

    /// Both profiles share one χ; a measured one brings its own.
    fn common_step(&self, bottom: &SurfaceSource, top: &SurfaceSource, problems: &mut Problems) -> f64 {
        let step_of = |source: &SurfaceSource, key: &str| match source {
            SurfaceSource::Measured(profile) => profile.step_m,
            SurfaceSource::Smooth | SurfaceSource::Made(_) => micrometres(self.number(key)),
        };
        let (one, other) = (step_of(bottom, "surface.step_um"), step_of(top, "surface.top.step_um"));
        if (one / other - 1.0).abs() > 1e-6 {
            problems.push(Problem::new(
                "surface.top.step_um",
                other / MICRO,
                format!("both profiles share one step; the resonator's is {}", one / MICRO),
                "set surface.step_um to the step of the measured profile, or resample",
            ));
        }
        one
    }
}

/// The slider's seed when none is given: another stream for every seed of the resonator.
fn other_seed(seed: u64) -> u64 {
    seed ^ 0x5EED_0000_0000
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
