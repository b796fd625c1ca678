//! Pitch, measured on the ring after the slider is lifted.

use crate::{at, instrument, note, on, play, setup};
use asperity::engine::realtime::ContactView;
use asperity::instrument::parameters::Param;
use asperity::instrument::{Address, Event, Setup, Timed};
use std::f64::consts::PI;

/// The partial at `hz` of a stretch of sound, as a complex amplitude.
fn partial(sound: &[f32], rate_hz: f64, hz: f64) -> (f64, f64) {
    let (mut re, mut im) = (0.0, 0.0);
    for (i, sample) in sound.iter().enumerate() {
        let window = 0.5 - 0.5 * (2.0 * PI * (i as f64 + 0.5) / sound.len() as f64).cos();
        let angle = 2.0 * PI * hz * i as f64 / rate_hz;
        let x = f64::from(*sample) * window;
        re += x * angle.cos();
        im -= x * angle.sin();
    }
    (re, im)
}

/// Frequency near `hz`. Two looks a moment apart cannot be whole turns of phase apart for anything that the window lets
/// through; two that lie far apart are exact.
fn frequency(sound: &[f32], rate_hz: f64, hz: f64) -> f64 {
    let half = sound.len() / 2;
    [half / 8, half].into_iter().fold(hz, |near_hz, gap| {
        let phase = |sound: &[f32]| {
            let (re, im) = partial(&sound[..half], rate_hz, near_hz);
            im.atan2(re)
        };
        // The second look is counted from its own start.
        let gap_s = gap as f64 / rate_hz;
        let turn = phase(&sound[gap..]) - phase(sound) - 2.0 * PI * near_hz * gap_s;
        let turn = (turn + PI).rem_euclid(2.0 * PI) - PI;
        near_hz + turn / (2.0 * PI * gap_s)
    })
}

/// Left side of a note's ring, from a tenth of a second after the slider is lifted.
fn ring(rate_hz: f64, key: u8, bend: f32, knobs: &[(Param, f64)]) -> Vec<f32> {
    let setup = Setup { rate_hz, offline: true, limits: true };
    let mut all =
        vec![(Param::Zeta, 0.0005), (Param::Modes, 10.0), (Param::Release, 0.0), (Param::Drone, 0.0)];
    all.extend_from_slice(knobs);
    let mut one = instrument("steel-on-steel", &all, setup);
    let (held, wait, heard) = ((0.3 * rate_hz) as usize, (0.1 * rate_hz) as usize, (0.5 * rate_hz) as usize);
    let mut sound = [vec![0.0; held + wait + heard], vec![0.0; held + wait + heard]];
    let [left, right] = &mut sound;
    let events = [
        Timed { frame: 0, event: Event::Bend { channel: 0, value: bend } },
        Timed { frame: 0, event: Event::NoteOn { note: note(key), velocity: 1.0 } },
        Timed { frame: held, event: Event::NoteOff { to: Address::ALL } },
    ];
    one.process(&events, left, right);
    left[held + wait..].to_vec()
}

/// Cents between the ring of a note and its pitch, where there is a partial at all.
fn cents(rate_hz: f64, key: u8, bend: f32, knobs: &[(Param, f64)], hz: f64) -> f64 {
    let sound = ring(rate_hz, key, bend, knobs);
    let loudness = |hz: f64| {
        let (re, im) = partial(&sound, rate_hz, hz);
        re.hypot(im)
    };
    let beside = loudness(0.8 * hz).max(loudness(1.25 * hz));
    assert!(loudness(hz) > 10.0 * beside, "key {key} at {rate_hz} Hz: nothing rings at {hz} Hz");
    1200.0 * (frequency(&sound, rate_hz, hz) / hz).log2()
}

#[test]
fn val_keys_sound_their_pitch_within_a_cent_at_every_rate() {
    for rate_hz in [22_050.0, 32_000.0, 44_100.0, 48_000.0, 88_200.0, 96_000.0, 176_400.0, 192_000.0] {
        for (key, hz) in [(33, 55.0), (60, 261.625_565), (81, 880.0), (105, 3520.0)] {
            for by in [0.0, 1.0] {
                let off = cents(rate_hz, key, 0.0, &[(Param::TuneBy, by)], hz);
                assert!(off.abs() < 1.0, "key {key} at {rate_hz} Hz, by {by}: {off} cents");
            }
        }
    }
}

#[test]
fn val_bends_and_the_master_tune_are_exact() {
    let semitone = 2f64.powf(1.0 / 12.0);
    let off = cents(48_000.0, 57, 0.5, &[], 220.0 * semitone);
    assert!(off.abs() < 1.0, "{off}");
    let off = cents(48_000.0, 57, -1.0, &[(Param::Bend, 12.0)], 110.0);
    assert!(off.abs() < 1.0, "{off}");
    let off = cents(48_000.0, 69, 0.0, &[(Param::Tune, 432.0)], 432.0);
    assert!(off.abs() < 1.0, "{off}");
    // Free ends, and a key that only goes half the way from the body's own pitch.
    let off = cents(48_000.0, 69, 0.0, &[(Param::EndsKind, 1.0)], 440.0);
    assert!(off.abs() < 1.0, "{off}");
    let own_hz = PI / 2.0 * (210e9f64 / 7800.0 / 12.0).sqrt() * 0.002 / 0.45f64.powi(2);
    let off = cents(48_000.0, 69, 0.0, &[(Param::Track, 0.5)], (own_hz * 440.0).sqrt());
    assert!(off.abs() < 1.0, "{off}");
}

/// Two cents sharp: in the highest octaves a ruler with one gap would take them for none, a whole turn of phase later.
#[test]
fn what_is_out_of_tune_is_seen_to_be() {
    for (key, hz) in [(33, 55.0), (81, 880.0), (105, 3520.0)] {
        let off = cents(48_000.0, key, 0.0, &[(Param::Tune, 440.5)], hz);
        assert!((off - 1200.0 * (440.5f64 / 440.0).log2()).abs() < 0.1, "key {key}: {off} cents");
    }
}

#[test]
fn a_slider_is_never_longer_than_a_fifth_of_its_beam() {
    for (key, shrinks) in [(33, false), (69, false), (108, true)] {
        let mut one = instrument("steel-on-steel", &[], setup());
        play(&mut one, &[at(0, on(key))], 4800, &[64]);
        let mut view = ContactView::default();
        one.view(&mut view);
        let (beam, slider) = (f64::from(view.resonator_m), f64::from(view.slider_m));
        let expected = if shrinks { beam / 5.0 } else { 0.02 };
        assert!((slider / expected - 1.0).abs() < 1e-4, "key {key}: {slider} on {beam} m");
    }
}

/// In the middle of a beam its even modes stand still: there a pick-up has to stay on a beam of any length.
#[test]
fn pickups_keep_their_place_on_the_beam() {
    let second_over_first = |key: u8, hz: f64, place: f64| {
        let sound = ring(48_000.0, key, 0.0, &[(Param::P1Pos, place), (Param::P2On, 0.0)]);
        let [one, two] = [hz, 4.0 * hz].map(|hz| {
            let (re, im) = partial(&sound, 48_000.0, hz);
            re.hypot(im)
        });
        two / one
    };
    for (key, hz) in [(45, 110.0), (69, 440.0), (93, 1760.0)] {
        let (middle, beside) = (second_over_first(key, hz, 0.5), second_over_first(key, hz, 0.4));
        assert!(middle < 0.01 * beside, "key {key}: {middle} {beside}");
    }
}
