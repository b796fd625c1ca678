//! The scene arguments that all commands share: a preset or file, `--set`, and short flags for the
//! values people change most.

use clap::Args;

use crate::error::{Error, Problem, Problems};
use crate::instrument::Patch;
use crate::io::library::preset_or_file;
use crate::scene::{DEFAULT_PRESET, Draft, Scene};

#[derive(Debug, Args)]
pub struct SceneArgs {
    /// Preset name or scene file (.toml)
    #[arg(value_name = "PRESET or FILE.toml")]
    pub scene: Option<String>,
    #[command(flatten)]
    pub changes: SceneChanges,
}

impl SceneArgs {
    /// The draft with everything laid over it, and its scene; every problem at once.
    pub fn read(&self) -> Result<(Draft, Scene), Error> {
        self.changes.read(self.scene.as_deref().unwrap_or(DEFAULT_PRESET))
    }

    /// As [`Self::read`], with a scene of the command's own where none is named.
    pub fn read_or(&self, usual: &str) -> Result<(Draft, Scene), Error> {
        match &self.scene {
            Some(_) => self.read(),
            None => self.changes.lay_over(Draft::from_toml(usual, "the usual scene")?),
        }
    }
}

/// What is laid over a preset or file.
#[derive(Debug, Args)]
pub struct SceneChanges {
    /// Set any scene key, as often as wanted
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Arithmetic roughness Ra, µm
    #[arg(long, value_name = "UM", allow_negative_numbers = true)]
    pub ra: Option<String>,
    /// Sliding speed, m/s
    #[arg(long = "v", value_name = "M_S", allow_negative_numbers = true)]
    pub v: Option<String>,
    /// Damping ratio of resonator and slider
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub zeta: Option<String>,
    /// Correlation length, µm
    #[arg(long, value_name = "UM", allow_negative_numbers = true)]
    pub lc: Option<String>,
    /// Autocorrelation: gaussian, exponential, self-affine, periodic, teeth
    #[arg(long, value_name = "KIND")]
    pub acf: Option<String>,
    /// Short-wavelength cut-off λs, µm; 0 is none
    #[arg(long, value_name = "UM", allow_negative_numbers = true)]
    pub cutoff: Option<String>,
    /// pass, endless or reciprocate
    #[arg(long, value_name = "KIND")]
    pub motion: Option<String>,
    /// Surface seed
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<String>,
}

impl SceneChanges {
    /// The draft of `scene` with everything laid over it, and its scene; every problem at once.
    pub fn read(&self, scene: &str) -> Result<(Draft, Scene), Error> {
        self.lay_over(preset_or_file(scene)?)
    }

    fn lay_over(&self, mut draft: Draft) -> Result<(Draft, Scene), Error> {
        let mut problems = Problems::default();
        // Files first: an Ra given beside one scales it, wherever it stands on the line.
        let is_file =
            |assignment: &&String| assignment.split('=').next().is_some_and(|k| k.trim().ends_with(".file"));
        let (files, others): (Vec<&String>, Vec<&String>) = self.set.iter().partition(is_file);
        for assignment in files.into_iter().chain(others) {
            match assignment.split_once('=') {
                Some((key, value)) => {
                    if let Err(found) = draft.set(key.trim(), value) {
                        problems.0.extend(found.0);
                    }
                }
                None => problems.push(Problem::new(
                    "--set",
                    assignment,
                    "must be KEY=VALUE",
                    "write for example --set resonator.modes=60",
                )),
            }
        }
        let short = [
            (&self.ra, &["surface.ra_um"][..]),
            (&self.v, &["motion.speed_m_s"]),
            (&self.zeta, &["resonator.damping_ratio", "slider.damping_ratio"]),
            (&self.lc, &["surface.corr_length_um"]),
            (&self.acf, &["surface.acf"]),
            (&self.cutoff, &["surface.cutoff_um"]),
            (&self.motion, &["motion.kind"]),
            (&self.seed, &["surface.seed"]),
        ];
        for (value, keys) in short {
            for key in keys.iter().filter(|_| value.is_some()) {
                let text = value.as_deref().unwrap_or_default();
                if let Err(found) = draft.set(key, text) {
                    problems.0.extend(found.0);
                }
            }
        }
        problems.0.extend(Patch::play_problems(&draft).0);
        match draft.build() {
            Ok(scene) => problems.or((draft, scene)),
            Err(Error::Input(found)) => {
                problems.0.extend(found.0);
                Err(Error::Input(problems))
            }
            Err(other) => Err(other),
        }
    }
}
