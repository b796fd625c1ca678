//! Notes as a player meets them.

use crate::{at, instrument, loudest, off, on, play, rms, setup};

#[test]
fn a_note_sounds_and_ends() {
    let mut one = instrument("steel-on-steel", &[], setup());
    let [left, _] = play(&mut one, &[at(0, on(60)), at(24_000, off(60))], 48_000, &[480]);
    assert!(rms(&left[4800..24_000]) > 1e-4, "{}", rms(&left));
    assert!(loudest(&left) < 1.0);
}
