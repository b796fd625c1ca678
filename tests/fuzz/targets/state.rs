#![no_main]
//! What a host hands back: refused, or values in their ranges that are written and read to the same.

use asperity::instrument::State;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if text.contains("file") {
        return;
    }
    let Ok(state) = State::from_text(text) else { return };
    let written = state.to_text();
    let again = State::from_text(&written).expect("what is written can be read");
    assert_eq!(again.to_text(), written);
});
