//! What must never happen, however the plugin is used: a sample above full scale or that is no number, memory
//! asked for on the audio thread, one instance heard in another, memory that stays behind.

use std::time::Duration;

use asperity::instrument::Patch;
use asperity::instrument::parameters::Param;
use asperity::plugin::state::of_preset;
use clack_host::events::event_types::NoteExpressionType;
use cpu_time::ThreadTime;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::events::{At, What, somewhere};
use crate::host::{Rack, peak};

const BLOCK: usize = 32;

/// Anything that a host may send.
fn anything(random: &mut ChaCha8Rng, at: usize) -> At {
    let key = random.random_range(24..96);
    let id = random.random_range(0..32);
    let params: Vec<Param> = Param::all().collect();
    let param = params[random.random_range(0..params.len())];
    let share: f64 = random.random();
    let what = match random.random_range(0..16) {
        0..=3 => What::On(key, id, share),
        4 | 5 => What::Off(key),
        6 => What::Choke(key),
        // Any message on any channel: notes, poly pressure, controllers, programs, channel pressure, bends.
        7..=9 => What::Midi([
            random.random_range(0x80..0xF0),
            random.random_range(0..128),
            random.random_range(0..128),
        ]),
        10 => {
            let per_note = [Param::Ra, Param::V, Param::Zeta, Param::Load, Param::P1Pos];
            What::Modulate(per_note[random.random_range(0..per_note.len())], Some(id), 2.0 * share - 1.0)
        }
        11 => What::Modulate(param, None, 2.0 * share - 1.0),
        12 => {
            let kinds = [
                (NoteExpressionType::Tuning, 240.0 * share - 120.0),
                (NoteExpressionType::Volume, 4.0 * share),
                (NoteExpressionType::Pan, share),
                (NoteExpressionType::Pressure, share),
                (NoteExpressionType::Brightness, share),
                (NoteExpressionType::Expression, share),
                (NoteExpressionType::Vibrato, share),
            ];
            let (kind, value) = kinds[random.random_range(0..kinds.len())];
            What::Express(kind, id, value)
        }
        13 => What::Tempo(20.0 + 300.0 * share),
        _ => What::Turn(param, somewhere(random)),
    };
    (at, what)
}

/// Plays with random automation of everything and counts what the audio thread asks of the allocator.
fn soak(seconds: usize, seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut rack = Rack::new();
    rack.activate(48_000.0, BLOCK as u32);
    let mut events: Vec<At> = Vec::with_capacity(16);
    let mut loudest = 0.0f32;
    let start = ThreadTime::now();
    for block in 0..seconds * 48_000 / BLOCK {
        // The long one takes a while: `--nocapture` shows how far it is.
        if block % (60 * 48_000 / BLOCK) == 0 {
            println!(
                "{} of {seconds} s of sound, {:.0} s of CPU",
                block * BLOCK / 48_000,
                start.elapsed().as_secs_f64()
            );
        }
        events.clear();
        // Some ten events a second.
        while random.random_bool(0.007) && events.len() < 16 {
            let frame = events.last().map_or(0, |event| event.0);
            events.push(anything(&mut random, frame));
        }
        let mut wild = false;
        let asked = allocation_counter::measure(|| {
            for side in rack.block(BLOCK, &events) {
                wild |= !side.iter().all(|sample| sample.is_finite());
                loudest = loudest.max(peak(side));
            }
        });
        assert!(!wild, "block {block} is no sound: {events:?}");
        // What is freed counts below zero.
        assert_eq!((asked.count_total, asked.count_current), (0, 0), "block {block}: {events:?}");
        rack.ended.clear();
    }
    println!("{seconds} s of sound, {:.0} s of CPU, peak {loudest}", start.elapsed().as_secs_f64());
    assert!(loudest > 1e-3, "something was played");
    assert!(loudest <= 1.0, "{loudest}");
}

#[test]
fn soak_of_two_minutes() {
    soak(120, 1);
}

/// cargo test --profile checked --test plugin soak_of_twenty -- --ignored --nocapture
#[test]
#[ignore = "twenty minutes of audio"]
fn soak_of_twenty_minutes() {
    soak(1200, 2);
}

/// A preset that comes in under notes, a reset, a flood of events: nothing of it asks for memory or frees any.
#[test]
fn presets_resets_and_floods_are_taken_without_the_allocator() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let flood: Vec<At> = (0..3000).map(|n| anything(&mut random, n)).collect();
    let mut rack = Rack::playing();
    // The host's own lists grow once.
    rack.block(4096, &flood);
    rack.activate(48_000.0, 4096);
    let quiet = |rack: &mut Rack, what: &str, frames: usize, events: &[At]| {
        let asked = allocation_counter::measure(|| {
            rack.block(frames, events);
        });
        assert_eq!((asked.count_total, asked.count_current), (0, 0), "{what}");
        rack.ended.clear();
    };
    for name in ["glass-harp", "brake-squeal", "steel-on-steel"] {
        let preset = serde_json::to_vec(&of_preset(Patch::preset(name).unwrap())).unwrap();
        quiet(&mut rack, name, 480, &[(0, What::On(60, 1, 0.9))]);
        assert!(rack.load_json(&preset));
        for _ in 0..60 {
            quiet(&mut rack, name, 480, &[]);
            std::thread::sleep(Duration::from_millis(5));
        }
        rack.reset();
        quiet(&mut rack, "after a reset", 480, &[(0, What::On(64, 2, 0.9))]);
    }
    quiet(&mut rack, "a flood", 4096, &flood);
}

#[test]
fn thirty_two_instances_interleaved_equal_their_solo_renders() {
    const COUNT: usize = 32;
    let events = |n: usize| -> [At; 3] {
        [
            (n, What::On(40 + n as u16, 1, 0.8)),
            (500 + n, What::Turn(Param::Ra, n as f64 / 32.0)),
            (1500, What::Off(40 + n as u16)),
        ]
    };
    let mut racks: Vec<Rack> = (0..COUNT).map(|_| Rack::playing()).collect();
    let mut together: Vec<Vec<f32>> = vec![Vec::new(); COUNT];
    for start in (0..2400).step_by(100) {
        for (n, rack) in racks.iter_mut().enumerate() {
            let within: Vec<At> = events(n)
                .into_iter()
                .filter(|(frame, _)| (start..start + 100).contains(frame))
                .map(|(frame, what)| (frame - start, what))
                .collect();
            together[n].extend(rack.block(100, &within)[0]);
        }
    }
    for (n, heard) in together.iter().enumerate() {
        assert!(peak(heard) > 0.0);
        assert!(Rack::playing().run(2400, &[100], &events(n))[0] == *heard, "instance {n}");
    }
}

#[test]
fn at_rest_it_costs_next_to_nothing() {
    let mut rack = Rack::playing();
    rack.run(48_000, &[BLOCK], &[(0, What::On(60, 1, 0.9)), (4800, What::Choke(60))]);
    rack.run(48_000, &[BLOCK], &[]);
    let start = ThreadTime::now();
    for _ in 0..10 * 48_000 / BLOCK {
        rack.block(BLOCK, &[]);
    }
    let share = start.elapsed().as_secs_f64() / 10.0;
    assert!(share < 0.005, "{share} of one core");
}

/// As clap-validator asks: no subnormal sample, here in the slow death of a heavily damped body at a low level.
#[test]
fn what_dies_away_ends_in_silence_and_not_in_subnormals() {
    let mut rack = Rack::new();
    for (param, share) in [(Param::Zeta, 1.0), (Param::Gain, 0.0), (Param::P1Gain, 0.0), (Param::P2Gain, 0.0)]
    {
        rack.turn(param, share);
    }
    rack.activate(48_000.0, 480);
    let sound = rack.run(48_000, &[480], &[(0, What::On(60, 1, 1.0)), (4800, What::Off(60))]);
    assert!(sound.iter().flatten().any(|sample| *sample != 0.0));
    assert!(!sound.iter().flatten().any(|sample| sample.is_subnormal()));
}

/// Memory of this process, bytes.
#[cfg(target_os = "linux")]
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "alone in its process: cargo test --profile checked --test plugin instances_that -- --ignored --test-threads 1"]
fn instances_that_come_and_go_leave_nothing_behind() {
    let round = || {
        let mut rack = Rack::playing();
        rack.block(480, &[(0, What::On(60, 1, 0.9))]);
    };
    (0..20).for_each(|_| round());
    let before = resident();
    (0..100).for_each(|_| round());
    let grown = resident().saturating_sub(before);
    assert!(grown < 1 << 20, "{grown} bytes after 100 instances");
}

#[test]
fn a_window_of_silence_and_a_flood_of_events_are_both_survived() {
    let mut rack = Rack::playing();
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let flood: Vec<At> = (0..4000).map(|n| anything(&mut random, n)).collect();
    let block = rack.block(4096, &flood);
    assert!(block.iter().all(|side| side.iter().all(|sample| sample.abs() <= 1.0)));
    assert!(rack.block(0, &[(0, What::On(60, 1, 1.0))]).iter().all(|side| side.is_empty()));
    std::thread::sleep(Duration::from_millis(10));
    rack.block(1, &[]);
}

/// The standard has hosts sort their events; more than one go of them, the latest first.
#[test]
fn events_out_of_order_are_survived() {
    let mut rack = Rack::playing();
    let backwards: Vec<At> =
        (0..3000).rev().map(|n| (n, What::On(36 + (n % 48) as u16, n as u32, 0.5))).collect();
    let block = rack.block(4096, &backwards);
    assert!(block.iter().all(|side| side.iter().all(|sample| sample.abs() <= 1.0)));
    let after = rack.run(4800, &[480], &[]);
    assert!(peak(&after[0]) > 0.0);
}

/// Everything that carries a number carries none, on the note that sounds and on all.
#[test]
fn what_is_no_number_changes_nothing_that_sounds() {
    let play = |wild: Option<f64>| {
        let mut rack = Rack::playing();
        rack.run(4800, &[480], &[(0, What::On(60, 1, 0.9))]);
        let mut events: Vec<At> = Vec::new();
        if let Some(wild) = wild {
            events.extend([(0, What::On(64, 2, wild)), (0, What::Tempo(wild))]);
            let kinds = [
                NoteExpressionType::Tuning,
                NoteExpressionType::Volume,
                NoteExpressionType::Pan,
                NoteExpressionType::Pressure,
                NoteExpressionType::Brightness,
                NoteExpressionType::Expression,
            ];
            events.extend(kinds.map(|kind| (0, What::Express(kind, 1, wild))));
            for param in Param::all() {
                let all = [
                    What::Turn(param, wild),
                    What::Modulate(param, None, wild),
                    What::Modulate(param, Some(1), wild),
                ];
                events.extend(all.map(|what| (0, what)));
            }
        }
        rack.block(480, &events);
        rack.run(960, &[480], &[])
    };
    let plain = play(None);
    assert!(peak(&plain[0]) > 0.0);
    for wild in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(play(Some(wild)) == plain, "{wild}");
    }
}
