//! What a profile should be like, checked before anything is allocated.

use super::{MAX_NODES, Profile, random, regular};
use crate::error::{Error, Problem, Problems};

/// Kind of profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texture {
    /// Random, autocorrelation exp(-(x/lc)²): smooth hills.
    Gaussian,
    /// Random, autocorrelation exp(-x/lc): rough down to the cut-off.
    Exponential,
    /// Random, self-affine below the correlation length with a Hurst exponent.
    SelfAffine,
    /// Regular: a sine.
    Sine,
    /// Regular: an asymmetric row of teeth.
    Teeth,
}

impl Texture {
    pub const ALL: [Self; 5] = [Self::Gaussian, Self::Exponential, Self::SelfAffine, Self::Sine, Self::Teeth];
    /// The names of the public face, in the order of [`Texture::ALL`].
    pub const NAMES: [&'static str; 5] = ["gaussian", "exponential", "self-affine", "periodic", "teeth"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|texture| texture.name() == name)
    }

    /// Drawn from a seed, as opposed to given by a formula.
    pub fn is_random(self) -> bool {
        matches!(self, Self::Gaussian | Self::Exponential | Self::SelfAffine)
    }
}

/// A profile to be made. Values that a texture does not use must be finite and are otherwise ignored:
/// random textures have no `wavelength_m`; only `SelfAffine` has a `hurst`; `Sine` and `Teeth` have
/// neither `corr_length_m` nor `seed`; `Sine` has no `cutoff_m`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Roughness {
    pub texture: Texture,
    /// Arithmetic roughness of the returned profile, exact.
    pub ra_m: f64,
    /// Lag where the expected autocorrelation of the finished surface falls to 1/e.
    pub corr_length_m: f64,
    /// Hurst exponent, 0.1 (jagged) to 1 (smooth).
    pub hurst: f64,
    /// Wavelength of a sine or of one tooth.
    pub wavelength_m: f64,
    /// λs of ISO 16610-21, the wavelength passed at 50 %; 0 = none.
    pub cutoff_m: f64,
    /// Length (open) or period (periodic), taken to the nearest whole number of steps.
    pub length_m: f64,
    pub step_m: f64,
    /// Key of the generator (ChaCha8, see `noise.rs`).
    pub seed: u64,
    /// The end joins the beginning: `length / step` nodes, one less than an open profile has.
    pub periodic: bool,
}

/// Below this a profile has no statistics to speak of.
const MIN_INTERVALS: f64 = 16.0;
/// Smallest and largest Ra: a picometre is below any atom, a centimetre is no longer roughness.
const RA_RANGE_M: (f64, f64) = (1e-12, 1e-2);
/// Smallest step: below a nanometre there are atoms, not a continuum.
const MIN_STEP_M: f64 = 1e-9;
/// Memory of the transform: an open profile is cut from a longer one.
const MAX_SYNTHESIS_NODES: usize = 2 * MAX_NODES;

impl Roughness {
    /// Everything wrong with the values, with places named after the scene's keys (`ra_um`, …).
    pub fn problems(&self) -> Problems {
        let mut problems = Problems::default();
        let um = |v: f64| format!("{} µm", short(v * 1e6));
        let fields = [
            ("ra_um", self.ra_m * 1e6),
            ("corr_length_um", self.corr_length_m * 1e6),
            ("hurst", self.hurst),
            ("wavelength_um", self.wavelength_m * 1e6),
            ("cutoff_um", self.cutoff_m * 1e6),
            ("length_mm", self.length_m * 1e3),
            ("step_um", self.step_m * 1e6),
        ];
        for (place, value) in fields.into_iter().filter(|(_, value)| !value.is_finite()) {
            problems.push(Problem::new(place, value, "must be a finite number", "give a number"));
        }
        let mut need = |good: bool, place: &str, value: f64, shown: String, limit: String, cure: &str| {
            if value.is_finite() && !good {
                problems.push(Problem::new(place, shown, limit, cure));
            }
            good
        };
        let Self { ra_m, corr_length_m: lc, wavelength_m: wave, cutoff_m: cut, length_m, step_m, .. } = *self;
        need(
            ra_m >= RA_RANGE_M.0 && ra_m <= RA_RANGE_M.1,
            "ra_um",
            ra_m,
            um(ra_m),
            format!("must be {} to {}", um(RA_RANGE_M.0), um(RA_RANGE_M.1)),
            "give the roughness in micrometres, say 5",
        );
        let step_good = need(
            step_m >= MIN_STEP_M,
            "step_um",
            step_m,
            um(step_m),
            format!("must be at least {}", um(MIN_STEP_M)),
            "give the step in micrometres, say 5",
        );
        let intervals = length_m / step_m;
        // A bad step is told once; what is measured in steps is then only asked to be positive.
        let step_m = if step_good { step_m } else { 0.0 };
        let length_good = step_good
            && need(
                intervals >= MIN_INTERVALS && intervals <= (MAX_NODES - 1) as f64,
                "length_mm",
                intervals,
                format!("{} mm in steps of {}", short(length_m * 1e3), um(step_m)),
                format!("must be {MIN_INTERVALS} to {} steps", MAX_NODES - 1),
                "change the length or the step",
            );
        let cut_good = need(
            cut >= 0.0 && (cut == 0.0 || cut >= 2.0 * step_m),
            "cutoff_um",
            cut,
            um(cut),
            format!("must be 0 (none) or at least two steps ({})", um(2.0 * step_m)),
            "set 0, a longer cut-off or a finer step",
        );
        if self.texture.is_random() {
            // A period must hold the slowest waves it is made of.
            let share = if self.periodic { 10.0 } else { 4.0 };
            let lc_good = need(
                lc > 0.0 && lc >= 2.0 * step_m && (lc <= length_m / share || !length_good),
                "corr_length_um",
                lc,
                um(lc),
                format!(
                    "must be {} (two steps) to {} (length / {share})",
                    um(2.0 * step_m),
                    um(length_m / share)
                ),
                "change the correlation length, the step or the length",
            );
            need(
                !cut_good || !lc_good || cut <= 2.0 * lc,
                "cutoff_um",
                cut,
                um(cut),
                format!("must be at most twice the correlation length ({})", um(2.0 * lc)),
                "shorten the cut-off or raise the correlation length",
            );
            need(
                self.texture != Texture::SelfAffine || (0.1..=1.0).contains(&self.hurst),
                "hurst",
                self.hurst,
                short(self.hurst),
                "must be 0.1 to 1".into(),
                "0.8 is common for ground and fractured surfaces",
            );
            if length_good && lc_good {
                let nodes = intervals.round() * random::repeats(self, intervals.round() as usize) as f64;
                need(
                    nodes <= MAX_SYNTHESIS_NODES as f64,
                    "step_um",
                    step_m,
                    um(step_m),
                    format!("needs a transform of {nodes} nodes, at most {MAX_SYNTHESIS_NODES}"),
                    "use a coarser step or a shorter profile",
                );
            }
        } else {
            let wave_good = need(
                wave > 0.0 && wave >= 8.0 * step_m && (wave <= length_m || !length_good),
                "wavelength_um",
                wave,
                um(wave),
                format!("must be {} (eight steps) to {} (the length)", um(8.0 * step_m), um(length_m)),
                "change the wavelength, the step or the length",
            );
            need(
                !cut_good || !wave_good || self.texture == Texture::Sine || cut <= wave,
                "cutoff_um",
                cut,
                um(cut),
                format!("must be at most the wavelength ({})", um(wave)),
                "shorten the cut-off: it rounds the teeth",
            );
        }
        problems
    }

    /// The profile: zero mean, exact Ra, the same bits for the same spec.
    pub fn generate(&self) -> Result<Profile, Error> {
        self.problems().or(())?;
        let intervals = (self.length_m / self.step_m).round() as usize;
        let heights_m = if self.texture.is_random() {
            random::heights(self, intervals)?
        } else {
            regular::heights(self, intervals)
        };
        Ok(Profile { step_m: self.step_m, heights_m, periodic: self.periodic }.scaled_to_ra(self.ra_m))
    }
}

/// A number for a message: six significant digits, no trailing noise.
pub fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    if rounded == 0.0 || (1e-4..1e9).contains(&rounded.abs()) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}
