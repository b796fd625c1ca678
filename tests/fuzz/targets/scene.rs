#![no_main]
//! Scene files: read, checked and built, and the same again from what they write.

use asperity::scene::Draft;

libfuzzer_sys::fuzz_target!(|text: &str| {
    // A scene may name profiles; what is opened then is not the fuzzer's business.
    if text.contains("file") {
        return;
    }
    let Ok(draft) = Draft::from_toml(text, "a.toml") else { return };
    let again = Draft::from_toml(&draft.to_toml(), "again.toml").expect("what is written can be read");
    assert_eq!(again.to_toml(), draft.to_toml());
    if let Ok(scene) = draft.build() {
        assert!(scene.resonator.natural_hz().iter().all(|hz| hz.is_finite()));
    }
});
