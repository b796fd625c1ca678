//! `manifest.csv`: one row per file with every parameter of its scene, its levels and its checksum.

use super::folder::Written;
use crate::render::stimuli::level::stereo_rms;
use crate::render::stimuli::{Item, RATE_HZ, Spec, Stimulus, StimulusSet, texts};
use crate::scene::{Draft, KEYS, Value};
use crate::units::decibels;

/// What stands before the scene's own keys, and after them.
const FIRST: [&str; 4] = ["file", "role", "page", "low_pass_hz"];
const LAST: [&str; 18] = [
    "engine",
    "quality",
    "seconds",
    "skip_s",
    "ramp_s",
    "rate_hz",
    "bits",
    "level_mode",
    "full_scale",
    "unit",
    "matching_db",
    "resonator_lv_db",
    "level_db",
    "rms_dbfs",
    "loudness_lufs",
    "true_peak_dbtp",
    "clipped_samples",
    "sha256",
];

pub fn table(spec: &Spec, items: &[Item], set: &StimulusSet, lv_db: &[f64], rows: &[Written]) -> String {
    let keys = scene_keys(items);
    let names = FIRST.iter().map(|name| (*name).to_owned());
    let header: Vec<String> =
        names.chain(keys.iter().cloned()).chain(LAST.iter().map(|name| (*name).to_owned())).collect();
    let rows: Vec<Vec<String>> = set
        .stimuli
        .iter()
        .zip(rows)
        .map(|(stimulus, written)| row(spec, items, stimulus, written, lv_db, &keys))
        .collect();
    texts::csv(&header, &rows)
}

/// Every key of the table, those of the pick-ups once for each that a scene has.
fn scene_keys(items: &[Item]) -> Vec<String> {
    let pickups = items.iter().map(|item| item.scene.pickups.len()).max().unwrap_or(1);
    let names = KEYS.iter().map(|key| key.name);
    names
        .flat_map(|name| match name.contains(".N.") {
            true => (1..=pickups).map(|n| name.replace(".N.", &format!(".{n}."))).collect(),
            false => vec![name.to_owned()],
        })
        .collect()
}

fn row(
    spec: &Spec,
    items: &[Item],
    stimulus: &Stimulus,
    written: &Written,
    lv_db: &[f64],
    keys: &[String],
) -> Vec<String> {
    let item = stimulus.item.map(|index| &items[index]);
    let number =
        |value: Option<f64>| value.filter(|v| v.is_finite()).map_or(String::new(), |v| format!("{v:.3}"));
    let mut cells = vec![
        stimulus.file.clone(),
        stimulus.role.name().to_owned(),
        item.map_or(String::new(), |item| (item.page + 1).to_string()),
        stimulus.low_pass_hz.map_or(String::new(), |corner| corner.to_string()),
    ];
    cells.extend(keys.iter().map(|key| item.map_or(String::new(), |item| value(&item.draft, key))));
    // The level of what the file stands for, ramps included.
    let reference = stimulus.quantity.map(|quantity| quantity.reference().0);
    let level_db = reference.map(|reference| decibels(stereo_rms(&stimulus.sides) / reference));
    let of_item = |word: &str| item.map_or(String::new(), |_| word.to_owned());
    cells.extend([
        of_item(spec.order.engine.name()),
        of_item(spec.order.quality_name().unwrap_or_default()),
        (stimulus.sides[0].len() as f64 / RATE_HZ).to_string(),
        spec.order.skip_s.to_string(),
        spec.ramp_s.to_string(),
        RATE_HZ.to_string(),
        spec.bits.clone(),
        spec.level.name().to_owned(),
        stimulus.full_scale.to_string(),
        stimulus.quantity.map_or("1", |quantity| quantity.unit()).to_owned(),
        number(Some(stimulus.matching_db)),
        number(stimulus.item.filter(|_| stimulus.low_pass_hz.is_none()).map(|index| lv_db[index])),
        number(level_db),
        number(Some(decibels(written.rms))),
        number(written.loudness.integrated_lufs),
        number(Some(written.loudness.true_peak_dbtp())),
        written.clipped_samples.to_string(),
        written.sha256.clone(),
    ]);
    cells
}

/// As a person would write it; empty where the scene decides.
fn value(draft: &Draft, key: &str) -> String {
    match draft.value(key) {
        Some(Value::Word(word)) => word,
        Some(other) => other.to_string(),
        None => String::new(),
    }
}
