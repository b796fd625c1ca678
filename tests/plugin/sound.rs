//! What comes out: notes at their samples, knobs and modulation, block sizes, the terminal's render.

use std::process::Command;

use asperity::instrument::Patch;
use asperity::instrument::parameters::Param;
use asperity::plugin::state::of_preset;
use clack_extensions::tail::TailLength;
use clack_host::events::event_types::NoteExpressionType;
use clack_host::prelude::ProcessStatus;

use crate::events::{At, What};
use crate::host::{Rack, peak, rms};

/// Notes, wheels, knobs and modulation of every kind, at frames that no block size divides.
fn busy() -> Vec<At> {
    vec![
        (3, What::On(60, 1, 0.9)),
        (701, What::On(67, 2, 0.5)),
        (1501, What::Turn(Param::Ra, 0.7)),
        (1502, What::Modulate(Param::Zeta, Some(2), 0.1)),
        (1777, What::Midi([0xE0, 0, 100])),
        (2503, What::Midi([0xB0, 1, 80])),
        (2600, What::Express(NoteExpressionType::Tuning, 1, 0.5)),
        (3001, What::Off(60)),
        (3500, What::Modulate(Param::V, None, 0.2)),
        (4100, What::On(48, 3, 1.0)),
        (4101, What::Tempo(93.0)),
        (5500, What::Off(67)),
        (6000, What::Turn(Param::P1Pan, 1.0)),
        (6101, What::Midi([0xD0, 90, 0])),
        (7001, What::Choke(48)),
    ]
}

fn bits(sound: &[Vec<f32>; 2]) -> Vec<u32> {
    sound.iter().flatten().map(|sample| sample.to_bits()).collect()
}

/// A whole run of a fresh instance.
fn fresh(frames: usize, pattern: &[usize], events: &[At]) -> [Vec<f32>; 2] {
    Rack::playing().run(frames, pattern, events)
}

#[test]
fn a_note_begins_at_its_sample_and_ends_with_a_word() {
    let mut rack = Rack::playing();
    let start = 1000;
    let sound = rack.run(48_000, &[512], &[(start, What::On(69, 7, 1.0)), (9000, What::Off(69))]);
    assert!(sound.iter().all(|side| peak(&side[..start]) == 0.0), "silent before the key");
    let late = rack.latency() as usize;
    assert!(peak(&sound[0][start..start + late + 480]) > 0.0, "sounds within 10 ms");
    assert!(rms(&sound[0][4800..9000]) > 1e-5);
    // Lifted, the body rings out, and the host is told when it has.
    let mut at = 48_000;
    while rack.ended.is_empty() && at < 48_000 * 60 {
        rack.run(4800, &[2400], &[]);
        at += 4800;
    }
    assert_eq!(rack.ended.first().map(|end| end.1), Some(7));
}

#[test]
fn twelve_ways_to_cut_blocks_give_the_same_bits() {
    let patterns: [&[usize]; 12] = [
        &[4096],
        &[1],
        &[2, 3],
        &[16],
        &[17],
        &[64],
        &[480],
        &[512, 1],
        &[1024, 7, 33],
        &[2048],
        &[15, 16, 17],
        &[0, 100, 0, 333],
    ];
    let whole = fresh(8000, patterns[0], &busy());
    assert!(rms(&whole[0]) > 1e-5 && rms(&whole[1]) > 1e-5);
    for pattern in &patterns[1..] {
        assert!(bits(&fresh(8000, pattern, &busy())) == bits(&whole), "{pattern:?}");
    }
}

/// Automation is heard from its sample on, and not a sample before. What acts on the ringing body is heard with the
/// engine's next chunk; V and the load wait for the next shock.
#[test]
fn automation_acts_at_its_sample() {
    const FRAME: usize = 2777;
    let note = [(0, What::On(60, 1, 0.9))];
    let plain = fresh(4800, &[512], &note);
    for param in [Param::Gain, Param::Zeta, Param::P1Pos, Param::P1Pan, Param::Thickness] {
        let turned = fresh(4800, &[512], &[note[0], (FRAME, What::Turn(param, 1.0))]);
        let mut sides = turned.iter().zip(&plain);
        let first = sides.find_map(|(a, b)| a.iter().zip(b).position(|(a, b)| a != b)).unwrap();
        let late = Rack::playing().latency() as usize + 2 * 16;
        assert!((FRAME..FRAME + late).contains(&first), "{}: {first}", param.entry().id);
    }
}

#[test]
fn reset_and_a_second_activation_are_as_new() {
    let events = [(100, What::On(57, 1, 0.8)), (3000, What::Off(57))];
    let expected = bits(&fresh(6000, &[64], &events));
    let mut rack = Rack::playing();
    rack.run(5001, &[64], &[(0, What::On(40, 2, 1.0)), (7, What::Midi([0xE0, 0, 127]))]);
    rack.reset();
    assert!(bits(&rack.run(6000, &[64], &events)) == expected, "after reset");
    rack.activate(48_000.0, 64);
    assert!(bits(&rack.run(6000, &[64], &events)) == expected, "after activation");
    rack.activate(44_100.0, 64);
    rack.activate(48_000.0, 64);
    assert!(bits(&rack.run(6000, &[64], &events)) == expected, "after another rate");
}

#[test]
fn modulation_reaches_the_note_it_is_meant_for_and_leaves_no_trace_in_the_state() {
    let notes = [(0, What::On(60, 1, 0.8)), (0, What::On(64, 2, 0.8))];
    let with = |what: Option<What>| {
        let mut events = notes.to_vec();
        events.extend(what.map(|what| (1000, what)));
        fresh(4800, &[256], &events)
    };
    let plain = bits(&with(None));
    for param in [Param::Ra, Param::V, Param::Zeta, Param::Load, Param::P1Pos] {
        let one = bits(&with(Some(What::Modulate(param, Some(1), 0.3))));
        let other = bits(&with(Some(What::Modulate(param, Some(2), 0.3))));
        let all = bits(&with(Some(What::Modulate(param, None, 0.3))));
        assert!(one != plain && other != plain && all != plain, "{}", param.entry().id);
        assert!(one != other && one != all, "{}", param.entry().id);
        assert!(bits(&with(Some(What::Modulate(param, Some(99), 0.3)))) == plain, "{}", param.entry().id);
    }
    let mut rack = Rack::playing();
    let before = rack.save();
    rack.block(64, &[(0, What::Modulate(Param::Ra, None, 0.3))]);
    assert_eq!(rack.save(), before);
}

#[test]
fn controllers_expressions_and_tempo_are_heard() {
    let notes = [(0, What::On(60, 1, 0.8))];
    let with = |extra: &[At]| {
        let events: Vec<At> = notes.iter().chain(extra).copied().collect();
        bits(&fresh(9600, &[256], &events))
    };
    let plain = with(&[]);
    for what in [
        What::Midi([0xE0, 0, 127]),
        What::Midi([0xB0, 1, 127]),
        What::Midi([0xD0, 127, 0]),
        What::Midi([0xA0, 60, 127]),
        What::Express(NoteExpressionType::Tuning, 1, 2.0),
        What::Express(NoteExpressionType::Pressure, 1, 1.0),
        What::Express(NoteExpressionType::Brightness, 1, 1.0),
        What::Express(NoteExpressionType::Volume, 1, 0.3),
        What::Express(NoteExpressionType::Pan, 1, 0.9),
        What::Express(NoteExpressionType::Expression, 1, 0.4),
        What::Off(60),
        What::Choke(60),
    ] {
        assert!(with(&[(1000, what)]) != plain, "{what:?}");
    }
    for value in [f64::NAN, f64::INFINITY] {
        assert!(with(&[(1000, What::Express(NoteExpressionType::Tuning, 1, value))]) == plain);
    }
    // A pedal that is down holds the note.
    let held = with(&[(1000, What::Midi([0xB0, 64, 127])), (2000, What::Off(60))]);
    assert!(held == plain);
    // Tempo is nothing to a free stroke, and everything to a synced one.
    assert!(with(&[(1000, What::Tempo(60.0))]) == plain);
    // Offline every change is waited for.
    let synced = |bpm: f64| {
        let mut rack = Rack::new();
        rack.turn(Param::Stroke, 3.0 / 4.0);
        rack.set_offline(true);
        rack.activate(48_000.0, 256);
        bits(&rack.run(9600, &[256], &[(0, What::Tempo(bpm)), (0, What::On(60, 1, 0.8))]))
    };
    assert!(synced(60.0) != synced(200.0));
}

/// As a controller sends it: each note on a channel of its own, and what is said on a channel stays there.
#[test]
fn mpe_reaches_the_note_on_its_channel_and_no_other() {
    let play = |said: Option<[u8; 3]>| {
        let mut rack = Rack::new();
        rack.turn(Param::Mpe, 1.0);
        rack.activate(48_000.0, 256);
        let mut events = vec![(0, What::Midi([0x91, 60, 100]))];
        events.extend(said.map(|said| (1000, What::Midi(said))));
        bits(&rack.run(4800, &[256], &events))
    };
    let plain = play(None);
    for [status, one, two] in [[0xE0, 0, 96], [0xD0, 127, 0], [0xB0, 74, 127]] {
        assert!(play(Some([status | 1, one, two])) != plain, "{status:x}");
        assert!(play(Some([status | 2, one, two])) == plain, "{status:x} on another channel");
    }
}

/// The terminal's stereo file of 32-bit floats against the plugin's drone, its delay taken off. The drone of these
/// presets stays below full scale, where the limiter does nothing.
#[test]
fn the_drone_is_what_render_writes_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["steel-on-steel", "dang2013"] {
        let file = folder.path().join(format!("{name}.wav"));
        let status = Command::new(env!("CARGO_BIN_EXE_asperity"))
            .args([
                "render",
                name,
                "--mix",
                "stereo",
                "--bits",
                "32f",
                "--rate",
                "48000",
                "--seconds",
                "0.2",
                "-o",
            ])
            .arg(&file)
            .output()
            .unwrap();
        assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
        let mut reader = hound::WavReader::open(&file).unwrap();
        let samples: Vec<f32> = reader.samples::<f32>().map(Result::unwrap).collect();
        let frames = samples.len() / 2;
        let mut rack = Rack::new();
        assert!(rack.load_json(&serde_json::to_vec(&of_preset(Patch::preset(name).unwrap())).unwrap()));
        rack.turn(Param::Drone, 1.0);
        rack.activate(48_000.0, 256);
        let late = rack.latency() as usize;
        let sound = rack.run(frames + late, &[256], &[]);
        for (side, channel) in sound.iter().enumerate() {
            let expected: Vec<f32> = samples.iter().skip(side).step_by(2).copied().collect();
            let first = channel[late..].iter().zip(&expected).position(|(a, b)| a.to_bits() != b.to_bits());
            assert_eq!(first, None, "{name}, side {side}: {} against {}", channel[late], expected[0]);
            assert!(rms(&expected) > 1e-5);
        }
    }
}

#[test]
fn it_says_when_it_may_sleep() {
    let mut rack = Rack::playing();
    rack.run(9600, &[480], &[]);
    assert_eq!(rack.status, Some(ProcessStatus::ContinueIfNotQuiet));
    assert!(matches!(rack.tail(), TailLength::Finite(0)), "{:?}", rack.tail());
    rack.block(480, &[(0, What::On(60, 1, 0.8))]);
    assert_eq!(rack.status, Some(ProcessStatus::Continue));
    assert!(matches!(rack.tail(), TailLength::Infinite));
    rack.block(480, &[(0, What::Choke(60))]);
    rack.run(96_000, &[480], &[]);
    assert_eq!(rack.status, Some(ProcessStatus::ContinueIfNotQuiet));
    let block = rack.block(480, &[]);
    assert!(block.iter().all(|side| peak(side) == 0.0));
}

/// As the validators do: rates from 1 to 768 kHz, fractions among them.
#[test]
fn every_rate_that_hosts_try_sounds() {
    for rate in [
        1_000.0, 8_000.0, 11_025.0, 22_050.0, 32_000.0, 44_100.0, 45_678.901, 88_200.0, 96_000.0, 176_400.0,
        192_000.0, 384_000.0, 768_000.0,
    ] {
        let mut rack = Rack::new();
        rack.activate(rate, 512);
        let frames = (0.05 * rate) as usize;
        let sound = rack.run(frames, &[512], &[(0, What::On(60, 1, 1.0))]);
        assert!(sound.iter().flatten().all(|sample| sample.is_finite()), "{rate}");
        assert!(rms(&sound[0]) > 1e-6, "{rate}: {}", rms(&sound[0]));
        assert!(
            sound.iter().flatten().all(|sample| *sample == 0.0 || sample.is_normal()),
            "{rate}: no denormals"
        );
    }
}

#[test]
fn a_bounce_takes_studio_quality_where_that_is_asked() {
    let run = |offline: bool, studio: f64| {
        let mut rack = Rack::new();
        rack.turn(Param::StudioBounce, studio);
        rack.set_offline(offline);
        rack.activate(48_000.0, 512);
        bits(&rack.run(4800, &[512], &[(0, What::On(60, 1, 1.0))]))
    };
    let live = run(false, 0.0);
    assert!(run(true, 0.0) == live && run(false, 1.0) == live);
    assert!(run(true, 1.0) != live);
}
