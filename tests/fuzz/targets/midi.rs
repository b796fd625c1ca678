#![no_main]
//! Standard MIDI files: cues in the order of their time.

use asperity::io::midi::parse;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(cues) = parse(bytes, "a.mid") else { return };
    assert!(cues.iter().all(|cue| cue.seconds.is_finite() && cue.seconds >= 0.0));
    assert!(cues.windows(2).all(|pair| pair[0].seconds <= pair[1].seconds));
});
