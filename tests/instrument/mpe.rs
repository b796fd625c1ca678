//! MPE: one note a channel, and the first channel leads them all.

use crate::hands::{SMALL, heard, semitones_above};
use crate::{at, instrument, play, setup};
use asperity::instrument::parameters::Param;
use asperity::instrument::{Event, Note, Timed};

fn key(channel: u8) -> Event {
    Event::NoteOn { note: Note { id: None, channel, key: 60 }, velocity: 0.8 }
}

fn control(channel: u8, number: u8, seven: u8) -> Event {
    Event::Controller { channel, number, value: f32::from(seven) / 127.0 }
}

#[test]
fn mpe_bends_presses_and_colours_one_note_alone() {
    let events = [
        Event::Bend { channel: 2, value: 0.5 },
        Event::Pressure { channel: 2, value: 1.0 },
        control(2, 74, 127),
    ];
    for event in events {
        let with = |channel: u8, event: Option<Event>| {
            let mut all = vec![at(0, key(channel))];
            all.extend(event.map(|event| at(200, event)));
            heard(&[(Param::Mpe, 1.0)], &all, 1600)
        };
        assert!(with(2, Some(event)) != with(2, None), "{event:?}");
        assert!(with(1, Some(event)) == with(1, None), "{event:?}");
    }
    let mut one = instrument(SMALL, &[(Param::Mpe, 1.0), (Param::MpeBend, 24.0)], setup());
    play(&mut one, &[at(0, key(2)), at(100, events[0])], 4800, &[64]);
    assert!((semitones_above(&one, 60) - 12.0).abs() < 0.01);
}

/// As MPE 1.0 has it: what is said on the channel that leads, and a bend range told on any other, is meant for
/// every note.
#[test]
fn val_mpe_leads_all_its_notes_from_the_first_channel() {
    let lead = [
        Event::Bend { channel: 0, value: 0.5 },
        Event::Pressure { channel: 0, value: 1.0 },
        control(0, 74, 127),
        control(0, 1, 127),
        control(0, 123, 0),
        control(0, 120, 0),
    ];
    for event in lead {
        let with = |mpe: f64, event: Option<Event>| {
            let mut all = vec![at(0, key(2))];
            all.extend(event.map(|event| at(200, event)));
            heard(&[(Param::Mpe, mpe)], &all, 3200)
        };
        assert!(with(1.0, Some(event)) != with(1.0, None), "{event:?}");
        assert!(with(0.0, Some(event)) == with(0.0, None), "{event:?} without MPE");
    }
    let mut one = instrument(SMALL, &[(Param::Mpe, 1.0)], setup());
    let told = [control(5, 101, 0), control(5, 100, 0), control(5, 6, 12)];
    let mut events: Vec<Timed> = told.into_iter().map(|event| at(0, event)).collect();
    events.extend([at(0, key(2)), at(0, Event::Bend { channel: 2, value: 0.5 })]);
    play(&mut one, &events, 4800, &[64]);
    assert!((semitones_above(&one, 60) - 6.0).abs() < 0.01, "{}", semitones_above(&one, 60));
}

/// A controller says that it speaks MPE; the switch need not be on.
#[test]
fn val_an_mpe_configuration_message_counts_more_than_the_switch() {
    let configured = |channels: u8, knobs: &[(Param, f64)]| {
        let mut one = instrument(SMALL, knobs, setup());
        let told = [control(0, 101, 0), control(0, 100, 6), control(0, 6, channels)];
        let mut events: Vec<Timed> = told.into_iter().map(|event| at(0, event)).collect();
        events.extend([at(0, key(2)), at(0, Event::Bend { channel: 2, value: 0.25 })]);
        play(&mut one, &events, 4800, &[64]);
        semitones_above(&one, 60)
    };
    let (on, off) = (configured(15, &[]), configured(0, &[(Param::Mpe, 1.0)]));
    assert!((on - 12.0).abs() < 0.01 && (off - 0.5).abs() < 0.01, "{on} {off}");
}
