//! Patches that come while the instrument plays, sleeps or is busy with something else.

use crate::{at, instrument, loudest, on, play, rms, setup, turn};
use asperity::instrument::parameters::{Param, Values};
use asperity::instrument::{Address, Event, Instrument, Patch, Setup};

/// As in a host that does not wait.
fn live() -> Setup {
    Setup { offline: false, ..setup() }
}

/// Dies away quickly, and every note rubs the same patch of surface.
fn dull(preset: &str) -> (Patch, Values) {
    let patch = Patch::preset(preset).unwrap();
    let mut values = *patch.values();
    for (param, value) in [(Param::Zeta, 0.5), (Param::Release, 0.0), (Param::Place, 0.0)] {
        values.set(param, value);
    }
    (patch, values)
}

/// Plays until the knobs are those.
fn settle(one: &mut Instrument, values: &Values) {
    for _ in 0..3000 {
        let [left, _] = play(one, &[], 480, &[64]);
        assert!(loudest(&left) <= 1.0);
        if one.values() == values {
            return;
        }
        sleep(2);
    }
    panic!("the patch was never heard of");
}

fn sleep(ms: u64) {
    std::thread::sleep(std::time::Duration::from_millis(ms));
}

/// One note after silence.
fn note(one: &mut Instrument) -> [Vec<f32>; 2] {
    play(one, &[at(0, Event::Choke { to: Address::ALL })], 96_000, &[480]);
    assert!(one.is_silent());
    play(one, &[at(0, on(60))], 4800, &[64])
}

/// With all that the worker still had to do done, it plays what a new one plays.
fn ends_as_new(one: &mut Instrument, patch: Patch, values: &Values, setup: Setup) {
    settle(one, values);
    let expected = note(&mut Instrument::new(patch, values, setup).unwrap());
    let found = (0..200).any(|_| {
        sleep(20);
        note(one) == expected
    });
    assert!(found, "it sounds of something else");
}

#[test]
fn patches_load_while_notes_sound_and_live_hosts_do_not_wait() {
    let mut one = instrument("steel-on-steel", &[], live());
    play(&mut one, &[at(0, on(60))], 4800, &[64]);
    let patch = Patch::preset("vibraphone-rub").unwrap();
    let values = *patch.values();
    one.loader().load(patch, &values);
    settle(&mut one, &values);
    let [left, _] = play(&mut one, &[], 48_000, &[64]);
    assert!(rms(&left[24_000..]) > 1e-4, "the held note goes on");
}

/// A player leafs through presets while the host has stopped calling.
#[test]
fn the_last_of_many_patches_is_the_one_that_is_heard() {
    let mut one = instrument("steel-on-steel", &[], live());
    for _ in 0..10 {
        for preset in ["kalimba-tines", "vibraphone-rub"] {
            let (patch, values) = dull(preset);
            one.loader().load(patch, &values);
        }
        sleep(100);
    }
    let (patch, values) = dull("glass-harp");
    one.loader().load(patch.clone(), &values);
    ends_as_new(&mut one, patch, &values, live());
}

/// Knobs that need another engine, one turned before a patch is opened, one while it is made: what is under way for
/// the first must not come over the patch, and the second holds in it.
#[test]
fn knobs_that_are_turned_around_a_patch_act_before_and_after_it() {
    let mut one = instrument("steel-on-steel", &[], live());
    play(&mut one, &[], 4800, &[64]);
    let (patch, mut values) = dull("kalimba-tines");
    play(&mut one, &[at(0, turn(Param::EndsKind, 1.0))], 64, &[64]);
    one.loader().load(patch.clone(), &values);
    play(&mut one, &[at(0, turn(Param::Modes, 3.0))], 64, &[64]);
    assert!(values.get(Param::Modes) != 3.0);
    values.set(Param::Modes, 3.0);
    ends_as_new(&mut one, patch, &values, live());
}

/// Whoever opens a patch does not know that the host is bouncing; what is heard has the bounce's quality all the same.
#[test]
fn patches_opened_in_a_bounce_have_its_quality() {
    let bounced = [(Param::StudioBounce, 1.0)];
    let mut one = instrument("steel-on-steel", &bounced, setup());
    play(&mut one, &[], 4800, &[64]);
    let (patch, mut values) = dull("kalimba-tines");
    values.set(Param::StudioBounce, 1.0);
    one.loader().load(patch.clone(), &values);
    ends_as_new(&mut one, patch, &values, setup());
}
