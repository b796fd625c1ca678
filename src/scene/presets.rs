//! The library of scenes that ship with Asperity: the files of `presets/`, embedded.

use super::Draft;
use crate::error::{Error, Problem};

/// What `render` and the instrument take when no preset is named.
pub const DEFAULT_PRESET: &str = "steel-on-steel";

pub struct Preset {
    pub name: &'static str,
    pub text: &'static str,
}

macro_rules! library {
    ($($name:literal),* $(,)?) => {
        &[$(Preset { name: $name, text: include_str!(concat!("../../presets/", $name, ".toml")) }),*]
    };
}

const LIBRARY: &[Preset] = library![
    "bass-beam",
    "bowed-bar",
    "bowed-sheet",
    "brake-squeal",
    "bronze-bells",
    "brush",
    "chalk",
    "creaking-door",
    "creaking-leather",
    "dang2010",
    "dang2013",
    "drone-girder",
    "drone-lake",
    "drone-swarm",
    "file",
    "glass-harp",
    "glass-pane",
    "grasshopper",
    "hand-on-paper",
    "kalimba-tines",
    "marimba-rub",
    "needle",
    "rub-to-creak",
    "rubber-sole",
    "sandpaper",
    "screeching-chalk",
    "skate-on-ice",
    "sled-on-snow",
    "squeaking-sneaker",
    "steel-coarse-fast",
    "steel-crawl",
    "steel-fine",
    "steel-on-steel",
    "stone-chimes",
    "stridulation",
    "tyre-on-road",
    "vibraphone-rub",
    "washboard",
    "wet-glass",
];

pub fn presets() -> &'static [Preset] {
    LIBRARY
}

/// The preset of that name, read and checked.
pub fn find_preset(name: &str) -> Result<Draft, Error> {
    let Some(preset) = LIBRARY.iter().find(|preset| preset.name == name) else {
        let nearest = LIBRARY
            .iter()
            .min_by_key(|preset| strsim::damerau_levenshtein(name, preset.name))
            .map_or(DEFAULT_PRESET, |preset| preset.name);
        return Err(Problem::new(
            name,
            "no such preset",
            format!("the nearest is {nearest}"),
            "`asperity presets list` names them all; a file needs its ending .toml",
        )
        .into());
    };
    Draft::from_toml(preset.text, preset.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_preset_builds_and_says_what_it_is() {
        for preset in presets() {
            let draft = find_preset(preset.name).unwrap();
            let about = &draft.about;
            assert!(!about.name.is_empty() && !about.category.is_empty(), "{}", preset.name);
            assert!(!about.description.is_empty(), "{}", preset.name);
            draft.build().unwrap();
        }
    }

    #[test]
    fn the_library_holds_every_file_of_its_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/presets");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        files.sort();
        assert_eq!(files, presets().iter().map(|preset| preset.name).collect::<Vec<_>>());
    }

    #[test]
    fn val_bench_is_the_papers() {
        // Dang 2013, Tables 6 and 7, and the weight of its slider.
        let scene = find_preset("dang2013").unwrap().build().unwrap();
        assert_eq!(scene.resonator.modes, 40);
        assert_eq!((scene.resonator.beam.length_m, scene.resonator.beam.thickness_m), (0.45, 0.002));
        assert!((scene.normal_load_n_m() - 7.65).abs() < 0.01);
        assert!((scene.slider.beam.mass() - 0.78).abs() < 1e-12);
        assert_eq!(scene.run.step_s, 1e-7);
        assert_eq!(scene.nodes_along(scene.resonator.beam.length_m), 90_001);
    }
}
