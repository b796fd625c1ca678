//! What a host reads and writes about parameters.

use std::ffi::CString;

use asperity::instrument::parameters::{Param, TABLE};
use clack_extensions::audio_ports::{AudioPortInfoBuffer, PluginAudioPorts};
use clack_extensions::note_ports::{NotePortInfoBuffer, PluginNotePorts};
use clack_extensions::params::{ParamInfoBuffer, ParamInfoFlags, PluginParams};
use clack_extensions::voice_info::{PluginVoiceInfo, VoiceInfoFlags};

use crate::events::What;
use crate::host::Rack;

#[test]
fn hosts_see_the_table() {
    let mut rack = Rack::new();
    let handle = rack.instance.plugin_handle();
    let params: PluginParams = handle.get_extension().unwrap();
    assert_eq!(params.count(&handle) as usize, TABLE.len());
    for (index, row) in TABLE.iter().enumerate() {
        let mut buffer = ParamInfoBuffer::new();
        let info = params.get_info(&handle, index as u32, &mut buffer).unwrap();
        assert_eq!(info.module, row.module.as_bytes(), "{}", row.id);
        assert!(String::from_utf8_lossy(info.name).ends_with(row.name), "{}", row.id);
        assert_eq!(info.flags.contains(ParamInfoFlags::IS_STEPPED), row.steps().is_some(), "{}", row.id);
        let per_note = info.flags.contains(ParamInfoFlags::IS_MODULATABLE_PER_NOTE_ID);
        assert_eq!(per_note, row.per_note, "{}", row.id);
        assert!(info.flags.contains(ParamInfoFlags::IS_AUTOMATABLE), "{}", row.id);
    }
}

/// Ids, and numbers that hosts keep for them in projects and automation lanes. A change of a line breaks every one
/// of those; a new parameter gets a line of its own.
#[test]
fn regress_ids_and_numbers_of_parameters_never_change() {
    let rack = Rack::new();
    let found: Vec<String> =
        Param::all().map(|param| format!("{} {}", param.entry().id, rack.id(param).0.get())).collect();
    let mut frozen: Vec<&str> = include_str!("golden/parameters.txt").lines().collect();
    let mut sorted: Vec<&str> = found.iter().map(String::as_str).collect();
    frozen.sort_unstable();
    sorted.sort_unstable();
    assert_eq!(sorted, frozen, "in order:\n{}", found.join("\n"));
}

/// As clap-validator asks: text → value → text, and values survive the way through text.
#[test]
fn text_parses_back() {
    let mut rack = Rack::new();
    for param in Param::all() {
        let (id, most) = rack.id(param);
        let handle = rack.instance.plugin_handle();
        let params: PluginParams = handle.get_extension().unwrap();
        for step in 0..=20 {
            let value =
                if most > 1.0 { (most * f64::from(step) / 20.0).round() } else { f64::from(step) / 20.0 };
            let text = |value: f64| {
                let mut buffer = [0u8; 256];
                let text = params.value_to_text(&handle, id, value, &mut buffer).unwrap();
                String::from_utf8(text.to_vec()).unwrap()
            };
            let first = text(value);
            let back = params.text_to_value(&handle, id, &CString::new(first.clone()).unwrap());
            let back = back.unwrap_or_else(|| panic!("{}: {first}", param.entry().id));
            assert_eq!(text(back), first, "{}", param.entry().id);
            let row = param.entry();
            let unit = row.unit.symbol;
            assert!(first.ends_with(unit), "{}: {first}", row.id);
        }
        let nonsense = params.text_to_value(&handle, id, c"no such value");
        assert_eq!(nonsense, None, "{}", param.entry().id);
    }
}

#[test]
fn a_flush_turns_knobs_and_wild_numbers_turn_none() {
    let mut rack = Rack::new();
    for (share, expected) in
        [(0.25, 0.25), (2.0, 1.0), (-5.0, 0.0), (f64::NAN, 0.0), (f64::INFINITY, 0.0), (0.5, 0.5)]
    {
        rack.turn(Param::Ra, share);
        assert!((rack.value(Param::Ra) - expected).abs() < 1e-6, "{share}");
    }
    rack.turn(Param::Seed, 1.0);
    assert_eq!(rack.value(Param::Seed), 1.0);
}

#[test]
fn ports_and_voices_are_those_of_an_instrument() {
    let mut rack = Rack::playing();
    rack.block(64, &[(0, What::Turn(Param::Voices, 1.0))]);
    let handle = rack.instance.plugin_handle();
    let audio: PluginAudioPorts = handle.get_extension().unwrap();
    assert_eq!([audio.count(&handle, true), audio.count(&handle, false)], [0, 1]);
    let mut buffer = AudioPortInfoBuffer::new();
    assert_eq!(audio.get(&handle, 0, false, &mut buffer).unwrap().channel_count, 2);
    let notes: PluginNotePorts = handle.get_extension().unwrap();
    assert_eq!([notes.count(&handle, true), notes.count(&handle, false)], [1, 0]);
    let mut buffer = NotePortInfoBuffer::new();
    assert!(notes.get(&handle, 0, true, &mut buffer).is_some());
    let voices = handle.get_extension::<PluginVoiceInfo>().unwrap().get(&handle).unwrap();
    assert_eq!([voices.voice_count, voices.voice_capacity], [16, 16]);
    assert!(voices.flags.contains(VoiceInfoFlags::SUPPORTS_OVERLAPPING_NOTES));
}
