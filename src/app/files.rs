//! Presets and measured profiles that the user opens, saves or drops on the window. Whatever is wrong with a
//! file is told, and what plays goes on.

use std::path::Path;

use crate::error::{Error, Problem};
use crate::instrument::Patch;
use crate::instrument::parameters::Values;
use crate::io::part::write_whole;
use crate::scene::Draft;
use crate::surface::import;
use crate::units::MICRO;

/// Endings of the files that can be opened, for dialogs.
pub const PRESET_ENDINGS: [&str; 1] = ["toml"];
pub const PROFILE_ENDINGS: [&str; 3] = ["csv", "sdf", "x3p"];

/// What a file turned out to be: a patch with its text.
pub struct Opened {
    pub text: String,
    pub patch: Patch,
}

impl Opened {
    fn new(draft: Draft) -> Result<Self, Error> {
        Ok(Self { text: draft.to_toml(), patch: Patch::to_play(draft)? })
    }
}

/// Opens a preset, or a measured profile as the surface of what is there: `patch` with its knobs at `values`.
pub fn open(path: &Path, patch: &Patch, values: &Values) -> Result<Opened, Error> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let place = path.display().to_string();
    if PRESET_ENDINGS.contains(&ending.as_str()) {
        return Opened::new(Draft::from_file(path)?);
    }
    if !PROFILE_ENDINGS.contains(&ending.as_str()) {
        let limit = "must be a preset (.toml) or a measured profile (.csv, .sdf, .x3p)";
        return Err(
            Problem::new(place, format!("the ending is `{ending}`"), limit, "rename or convert it").into()
        );
    }
    let profile = import(path)?;
    let mut draft = patch.turned(values);
    draft.set("surface.file", &place)?;
    // The profile brings its own heights, and its own step for both surfaces.
    draft.unset("surface.top.step_um");
    draft.set("surface.step_um", &(profile.step_m / MICRO).to_string())?;
    draft.set("surface.ra_um", &(profile.ra() / MICRO).to_string())?;
    Opened::new(draft)
}

/// Writes the patch with its knobs at `values` as a preset that is called like the file.
pub fn save(path: &Path, patch: &Patch, values: &Values) -> Result<String, Error> {
    let mut draft = patch.turned(values);
    draft.about.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let text = draft.to_toml();
    write_whole(path, |out| out.write_all(text.as_bytes()))?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instrument::parameters::Param;

    fn patch() -> Patch {
        Patch::preset(crate::scene::DEFAULT_PRESET).unwrap()
    }

    #[test]
    fn a_saved_preset_opens_with_its_knobs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.toml");
        let mut values = *patch().values();
        values.set(Param::Ra, 12.5);
        let text = save(&path, &patch(), &values).unwrap();
        let opened = open(&path, &patch(), patch().values()).unwrap();
        assert_eq!((opened.patch.values(), opened.text), (&values, text));
        assert_eq!(opened.patch.draft().about.name, "mine");
    }

    #[test]
    fn a_measured_profile_becomes_the_surface() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("measured.CSV");
        let rows: String = (0..100_000)
            .map(|n| format!("{:e},{:e}\n", f64::from(n) * 8e-6, 1e-6 * f64::from(n).sin()))
            .collect();
        std::fs::write(&path, format!("x_m,height_m\n{rows}")).unwrap();
        let mut values = *patch().values();
        values.set(Param::V, 0.25);
        let opened = open(&path, &patch(), &values).unwrap();
        assert!(opened.text.contains("measured.CSV"), "{}", opened.text);
        assert_eq!(opened.patch.values().get(Param::V), 0.25);
        // The mean of a rectified sine, and the knob shows it.
        let ra_um = opened.patch.values().get(Param::Ra);
        assert!((ra_um - 2.0 / std::f64::consts::PI).abs() < 1e-3, "{ra_um}");
    }

    #[test]
    fn what_is_no_preset_and_no_profile_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let tell = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            open(&path, &patch(), patch().values()).err().unwrap().to_string()
        };
        assert!(tell("song.mp3", b"ID3").contains("the ending is `mp3`"));
        assert!(tell("broken.toml", b"][").contains("broken.toml"));
        assert!(tell("broken.x3p", b"PK").contains("broken.x3p"));
        assert!(tell("none", b"").contains("must be a preset"));
        assert!(open(Path::new("/nowhere.toml"), &patch(), patch().values()).is_err());
    }
}
