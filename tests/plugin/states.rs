//! States: the same bytes again, the same sound elsewhere, and nothing that a broken or hostile one can do.

use std::time::Duration;

use asperity::instrument::Patch;
use asperity::instrument::parameters::Param;
use asperity::plugin::state::of_preset;
use asperity::scene::find_preset;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::events::{At, What, somewhere};
use crate::host::{Rack, rms};

/// Every knob somewhere.
fn turn_all(rack: &mut Rack, random: &mut ChaCha8Rng) {
    for param in Param::all() {
        let share: f64 = random.random();
        rack.turn(param, share);
    }
}

fn shares(rack: &mut Rack) -> Vec<f64> {
    Param::all().map(|param| rack.value(param)).collect()
}

#[test]
fn saving_loading_and_saving_again_gives_the_same_bytes() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut one = Rack::new();
    let mut other = Rack::new();
    for _ in 0..200 {
        turn_all(&mut one, &mut random);
        let saved = one.save();
        assert!(other.load(&saved));
        let again = other.save();
        assert_eq!(String::from_utf8_lossy(&again[8..]), String::from_utf8_lossy(&saved[8..]));
        assert_eq!(shares(&mut other), shares(&mut one));
    }
}

#[test]
fn a_state_sounds_the_same_in_another_instance() {
    let mut one = Rack::new();
    for (param, share) in [
        (Param::Ra, 0.61),
        (Param::Length, 0.4),
        (Param::Law, 1.0 / 3.0),
        (Param::Seed, 0.3),
        (Param::P2On, 0.0),
    ] {
        one.turn(param, share);
    }
    let mut other = Rack::new();
    assert!(other.load(&one.save()));
    let sound = |rack: &mut Rack| {
        rack.activate(48_000.0, 480);
        rack.run(4800, &[480], &[(0, What::On(60, 1, 0.9))])
    };
    let (one, other) = (sound(&mut one), sound(&mut other));
    assert!(one == other && one[0].iter().any(|sample| *sample != 0.0));
}

/// Projects saved by the first version open with these values for ever.
#[test]
fn regress_golden_state_of_format_1() {
    let mut rack = Rack::new();
    assert!(rack.load_json(include_bytes!("golden/state-1.json")));
    let seen =
        |rack: &mut Rack, param: Param| param.entry().format(param.entry().denormalise(rack.value(param)));
    for (param, text) in [
        (Param::Ra, "12.5 µm"),
        (Param::V, "0.35 m/s"),
        (Param::Law, "hertz"),
        (Param::Drone, "on"),
        (Param::Seed, "42"),
        (Param::Material, "glass"),
        (Param::P3On, "on"),
        (Param::Zeta, "0.005"),
    ] {
        assert_eq!(seen(&mut rack, param), text);
    }
}

/// A whole project as 0.1.0 saved it, every knob moved, and what each knob read then.
#[test]
fn regress_a_project_of_0_1_0_opens_with_every_knob_in_its_place() {
    let mut rack = Rack::new();
    assert!(rack.load_json(include_bytes!("golden/project-0.1.0.json")));
    let mut known = 0;
    for line in include_str!("golden/project-0.1.0.txt").lines() {
        let (id, text) = line.split_once('\t').unwrap();
        let param = Param::from_id(id).unwrap_or_else(|| panic!("{id} is gone"));
        let row = param.entry();
        assert_eq!(row.format(row.denormalise(rack.value(param))), text, "{id}");
        known += 1;
    }
    assert_eq!(known, 82);
}

#[test]
fn what_is_no_state_is_refused_and_changes_nothing() {
    let mut rack = Rack::new();
    rack.turn(Param::Ra, 0.77);
    let saved = rack.save();
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut noise = vec![0u8; 3000];
    for length in [0, 1, 7, 8, 9, 100, 3000] {
        random.fill_bytes(&mut noise);
        assert!(!rack.load(&noise[..length]), "{length} random bytes");
        assert!(!rack.load_json(&noise[..length]));
        assert_eq!(rack.save(), saved);
    }
    let mut endless = u64::MAX.to_le_bytes().to_vec();
    endless.extend(&saved[8..]);
    assert!(!rack.load(&endless));
    let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
    for text in [&b"{}"[..], b"null", b"[]", b"{\"params\":{}}", b"{\"params\":[],\"fields\":{}}", &deep] {
        assert!(!rack.load_json(text));
    }
    assert!(!rack.load(&saved[..saved.len() / 2]));
    assert_eq!(rack.save(), saved);
}

/// A valid state with bytes changed, cut out, doubled, and numbers blown up.
fn mutated(saved: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut json = saved[8..].to_vec();
    for _ in 0..random.random_range(1..6) {
        let at = random.random_range(0..json.len());
        match random.random_range(0..5) {
            0 => json[at] = random.random(),
            1 => json[at] ^= 1 << random.random_range(0..8),
            2 => {
                let end = (at + random.random_range(1..40)).min(json.len());
                json.drain(at..end);
            }
            3 => {
                let end = (at + random.random_range(1..40)).min(json.len());
                let piece = json[at..end].to_vec();
                json.splice(at..at, piece);
            }
            _ => {
                // A number becomes a wild one.
                let wild = [
                    "1e30",
                    "-1e30",
                    "1e999",
                    "-0.0",
                    "NaN",
                    "null",
                    "2147483647",
                    "-2147483648",
                    "1e-45",
                    "\"x\"",
                    "true",
                ];
                let digit = json[at..].iter().position(u8::is_ascii_digit).map_or(at, |found| at + found);
                let end = json[digit..]
                    .iter()
                    .position(|b| !b"0123456789.eE+-".contains(b))
                    .map_or(json.len(), |n| digit + n);
                json.splice(digit..end, wild[random.random_range(0..wild.len())].bytes());
            }
        }
        if json.is_empty() {
            json.push(b'{');
        }
    }
    json
}

fn mutate(count: usize, seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut rack = Rack::new();
    let (mut taken, mut refused) = (0, 0);
    let mut saved = rack.save();
    for round in 0..count {
        if round % 97 == 0 {
            turn_all(&mut rack, &mut random);
            saved = rack.save();
        }
        let before = rack.save();
        if rack.load_json(&mutated(&saved, &mut random)) {
            taken += 1;
            let found = shares(&mut rack);
            assert!(found.iter().all(|share| (0.0..=1.0).contains(share)), "{found:?}");
            let whole = rack.save();
            assert!(rack.load(&whole));
            assert_eq!(rack.save(), whole);
        } else {
            refused += 1;
            assert_eq!(rack.save(), before, "a refused state changed something");
        }
    }
    assert!(taken > count / 10 && refused > count / 10, "{taken} taken, {refused} refused");
}

#[test]
fn mutated_states_do_no_harm() {
    mutate(2_000, 3);
}

/// cargo test --profile checked --test plugin states -- --ignored
#[test]
#[ignore = "a minute or more"]
fn a_hundred_thousand_mutated_states_do_no_harm() {
    mutate(100_000, 4);
}

/// A state that comes while notes sound is heard, and the sound stays finite. Knobs at their ends can cost fifty times
/// the usual, so blocks are short, and what the worker makes is given time to come in.
#[test]
fn states_may_come_while_it_plays() {
    let mut rack = Rack::playing();
    let mut source = Rack::new();
    let mut random = ChaCha8Rng::seed_from_u64(5);
    rack.block(480, &[(0, What::On(60, 1, 0.9))]);
    for round in 0..12 {
        for param in Param::all() {
            source.turn(param, somewhere(&mut random));
        }
        assert!(rack.load(&source.save()));
        for block in 0..10 {
            let note = [(0, What::On(48 + round, 2, 0.9))];
            let sound = rack.block(128, if block % 5 == 0 { &note } else { &[] });
            assert!(sound.iter().all(|side| side.iter().all(|sample| sample.abs() <= 1.0)));
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A project on a machine that lacks its measured profile, or from a newer version: something sounds, the project is
/// not lost by saving it, and with the profile back everything is as it was.
#[test]
fn a_state_that_cannot_be_opened_here_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let profile = folder.path().join("ground.csv");
    let heights: String =
        (0..4000).map(|n| format!("{:e},{:e}\n", n as f64 * 5e-6, 3e-6 * (n as f64 * 0.07).sin())).collect();
    std::fs::write(&profile, format!("x_m,height_m\n{heights}")).unwrap();
    let mut draft = find_preset("steel-on-steel").unwrap();
    draft.set("surface.file", &profile.to_string_lossy()).unwrap();
    let mut one = Rack::new();
    assert!(one.load_json(&serde_json::to_vec(&of_preset(Patch::new(draft).unwrap())).unwrap()));
    one.turn(Param::Zeta, 0.4);
    let saved = one.save();
    let newer = String::from_utf8_lossy(&saved[8..]).replace("state.version = 1", "state.version = 2");
    let away = folder.path().join("away.csv");
    std::fs::rename(&profile, &away).unwrap();
    for state in [&saved[8..], newer.as_bytes()] {
        let mut other = Rack::new();
        assert!(other.load_json(state));
        assert_eq!(shares(&mut other), shares(&mut one), "knobs are where they were");
        let again = other.save();
        assert_eq!(String::from_utf8_lossy(&again[8..]), String::from_utf8_lossy(state));
        other.activate(48_000.0, 480);
        let sound = other.run(4800, &[480], &[(0, What::On(60, 1, 0.9))]);
        assert!(rms(&sound[0]) > 0.0);
        // Another preset takes its place for good.
        let default = Rack::new().save();
        assert!(other.load(&default));
        assert_eq!(other.save(), default);
    }
    std::fs::rename(&away, &profile).unwrap();
    let mut back = Rack::new();
    assert!(back.load(&saved));
    let sound = |rack: &mut Rack| {
        rack.activate(48_000.0, 480);
        rack.run(4800, &[480], &[(0, What::On(60, 1, 0.9))])
    };
    assert!(sound(&mut back) == sound(&mut one));
}

/// A project opens and its automation moves a knob at once, while the preset is still being made.
#[test]
fn a_knob_that_moves_right_after_a_state_stays_where_it_went() {
    let other = serde_json::to_vec(&of_preset(Patch::preset("vibraphone-rub").unwrap())).unwrap();
    let level = |share: Option<f64>| {
        let mut rack = Rack::playing();
        rack.block(480, &[(0, What::On(60, 1, 0.9))]);
        assert!(rack.load_json(&other));
        let turned: Vec<At> = share.map(|share| (0, What::Turn(Param::Gain, share))).into_iter().collect();
        rack.block(480, &turned);
        for _ in 0..100 {
            rack.block(480, &[]);
            std::thread::sleep(Duration::from_millis(10));
        }
        rms(&rack.run(9600, &[480], &[])[0])
    };
    let (plain, soft) = (level(None), level(Some(0.0)));
    assert!(soft < 0.01 * plain, "{soft} {plain}");
}
