//! The panel in real windows, opened by a host on an X display while sound runs. Without a display there is
//! nothing to open, so these are not among the quick tests:
//!
//! `MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 xvfb-run -a -s "-screen 0 2000x1200x24 -noreset" cargo test
//! --profile checked --test plugin -- --ignored window`
//!
//! With the first two the C library gives back what is freed; it keeps hundreds of megabytes otherwise, and whether
//! anything leaks cannot be seen.

use crate::events::What;
use crate::host::{Handlers, Rack};
use crate::shared::{Hand, PICTURES, WHEEL_UP, cpu_time, memory_kb};
use asperity::instrument::Patch;
use asperity::instrument::parameters::Param;
use asperity::plugin::state::of_preset;
use clack_extensions::gui::{GuiApiType, GuiConfiguration, GuiSize, PluginGui, Window};
use clack_host::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ConnectionExt, CreateWindowAux, EventMask, WindowClass};

const BLOCK: usize = 256;
/// Where things lie in a window of the usual size.
const PREVIOUS_PRESET: (f64, f64) = (131.0, 20.0);
const NEXT_PRESET: (f64, f64) = (781.0, 20.0);
const ROUGHNESS: (f64, f64) = (63.0, 115.0);
const ROUGHNESS_VALUE: (f64, f64) = (63.0, 213.0);
/// X's numbers for keys without a letter.
const SPACE: u32 = 0x20;
const TAB: u32 = 0xff09;
const ENTER: u32 = 0xff0d;
const ESCAPE: u32 = 0xff1b;

/// There is one pointer, and one memory to watch.
static TURN: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A host's window with the panel in it.
struct Desk {
    hand: Hand,
}

impl Desk {
    /// `width` and `height` in points.
    fn open(instance: &mut PluginInstance<Handlers>, [width, height]: [u32; 2], scale: f64) -> Self {
        let mut hand = Hand::new(scale);
        hand.window = hand.display.generate_id().unwrap();
        let (Hand { display, root, window, .. }, class) = (&hand, WindowClass::INPUT_OUTPUT);
        let size =
            GuiSize { width: hand.pixels(width.into()) as u32, height: hand.pixels(height.into()) as u32 };
        let (wide, high) = (size.width as u16, size.height as u16);
        let aux = CreateWindowAux::new().event_mask(EventMask::KEY_PRESS);
        display.create_window(0, *window, *root, 0, 0, wide, high, 0, class, 0, &aux).unwrap();
        display.map_window(*window).unwrap();
        display.flush().unwrap();
        let handle = instance.plugin_handle();
        let gui: PluginGui = handle.get_extension().unwrap();
        let configuration = GuiConfiguration { api_type: GuiApiType::X11, is_floating: false };
        gui.create(&handle, configuration).unwrap();
        let _ = gui.set_scale(&handle, scale);
        gui.set_size(&handle, size).ok();
        // SAFETY: the parent is destroyed after the panel is.
        unsafe { gui.set_parent(&handle, Window::from_x11_handle((*window).into())) }.unwrap();
        gui.show(&handle).ok();
        let _ = gui.set_size(&handle, size);
        Self { hand }
    }

    fn resize(&self, instance: &mut PluginInstance<Handlers>, width: u32, height: u32) {
        let handle = instance.plugin_handle();
        let gui: PluginGui = handle.get_extension().unwrap();
        gui.set_size(&handle, GuiSize { width, height }).unwrap();
    }

    /// Keys that the host's own window has got since the last call.
    fn keys_of_the_host(&self) -> usize {
        let events = std::iter::from_fn(|| self.hand.display.poll_for_event().unwrap());
        events.filter(|event| matches!(event, Event::KeyPress(_))).count()
    }

    fn close(self, instance: &mut PluginInstance<Handlers>) {
        let handle = instance.plugin_handle();
        let gui: PluginGui = handle.get_extension().unwrap();
        gui.destroy(&handle);
        self.hand.display.destroy_window(self.hand.window).unwrap();
        self.hand.display.flush().unwrap();
    }
}

/// Sound at its own pace, with the host's main thread doing what the panel asks of it.
fn play(rack: &mut Rack, seconds: f64) {
    let start = Instant::now();
    let mut frames = 0;
    while frames as f64 / 48_000.0 < seconds {
        rack.block(BLOCK, &[]);
        frames += BLOCK;
        rack.instance.call_on_main_thread_callback();
        let due = Duration::from_secs_f64(frames as f64 / 48_000.0);
        if let Some(early) = due.checked_sub(start.elapsed()) {
            std::thread::sleep(early);
        }
    }
}

fn sounding(preset: &str) -> Rack {
    let mut rack = Rack::new();
    let state = of_preset(Patch::preset(preset).unwrap());
    assert!(rack.load_json(&serde_json::to_vec(&state).unwrap()));
    rack.activate(48_000.0, BLOCK as u32);
    rack.block(BLOCK, &[(0, What::Turn(Param::Drone, 1.0))]);
    rack
}

/// `cargo xtask screenshots` runs this.
#[test]
#[ignore = "needs an X display and ImageMagick"]
fn window_screenshots() {
    let _turn = turn();
    for (width, height, scale, preset) in PICTURES {
        let mut rack = sounding(preset);
        let desk = Desk::open(&mut rack.instance, [width, height], scale);
        // The level's history is ten seconds long.
        play(&mut rack, 12.0);
        desk.hand.picture(&format!("editor-{width}x{height}@{scale}"));
        desk.close(&mut rack.instance);
    }
}

#[test]
#[ignore = "needs an X display"]
fn window_opens_resizes_and_closes_fifty_times_while_sound_runs() {
    let _turn = turn();
    let mut rack = sounding("steel-on-steel");
    let mut memory = Vec::new();
    for turn in 0..50u32 {
        let desk = Desk::open(&mut rack.instance, [1080, 700], 1.0);
        play(&mut rack, 0.3);
        changes(&mut rack, Param::Ra, || desk.hand.click(ROUGHNESS, WHEEL_UP));
        // There and back, so that only windows can fill the memory.
        let neighbour = [PREVIOUS_PRESET, NEXT_PRESET][turn as usize % 2];
        changes(&mut rack, Param::Length, || desk.hand.click(neighbour, 1));
        desk.resize(&mut rack.instance, 640 + 10 * turn, 400 + 8 * turn);
        play(&mut rack, 0.15);
        desk.close(&mut rack.instance);
        play(&mut rack, 0.02);
        memory.push(memory_kb(std::process::id()));
    }
    println!("resident memory after each round, kB: {memory:?}");
    // Instruments come and go in the background, so single rounds differ by tens of megabytes; what is left when
    // least is there must not grow. Caches fill in the first rounds.
    let least = |rounds: &[u64]| rounds.iter().copied().min().unwrap();
    assert!(least(&memory[35..]) < least(&memory[10..25]) + 16_384, "{memory:?}");
}

#[test]
#[ignore = "needs an X display"]
fn window_of_two_instances_opens_two_hundred_times_at_three_scales() {
    let _turn = turn();
    let mut racks = [sounding("glass-harp"), sounding("washboard")];
    for turn in 0..100u32 {
        let scale = [1.0, 1.5, 2.0][turn as usize % 3];
        let desks = racks.each_mut().map(|rack| Desk::open(&mut rack.instance, [640, 400], scale));
        for (rack, desk) in racks.iter_mut().zip(&desks) {
            play(rack, 0.05);
            desk.resize(&mut rack.instance, 700 + turn, 500 + turn);
            play(rack, 0.05);
        }
        for (rack, desk) in racks.iter_mut().zip(desks) {
            desk.close(&mut rack.instance);
            let [left, _] = rack.block(BLOCK, &[]);
            assert!(left.iter().any(|sample| *sample != 0.0), "round {turn}: it sounds on");
        }
    }
}

#[test]
#[ignore = "needs an X display"]
fn window_leaves_the_hosts_keys_to_the_host() {
    let _turn = turn();
    let mut rack = sounding("steel-on-steel");
    let desk = Desk::open(&mut rack.instance, [1080, 700], 1.0);
    changes(&mut rack, Param::Ra, || desk.hand.click(ROUGHNESS, WHEEL_UP));
    // Keys come back by way of the panel's frames, which a busy machine draws late.
    let host_gets = |signs: &[u32], expected: usize| {
        desk.keys_of_the_host();
        signs.iter().for_each(|sign| desk.hand.key(*sign));
        let (mut count, begin) = (desk.keys_of_the_host(), Instant::now());
        while count < expected && begin.elapsed() < Duration::from_secs(5) {
            desk.hand.rest(1);
            count += desk.keys_of_the_host();
        }
        assert_eq!(count, expected, "{signs:?}");
    };
    // A click on a knob takes the focus away from the host, but not its keys.
    desk.hand.click(ROUGHNESS, 1);
    host_gets(&[SPACE, 'm'.into()], 2);
    // What is typed is the panel's, until it has been entered.
    desk.hand.click(ROUGHNESS_VALUE, 1);
    host_gets(&['7'.into(), ENTER], 0);
    play(&mut rack, 0.2);
    assert!((rack.value(Param::Ra) - Param::Ra.entry().normalise(7.0)).abs() < 1e-6);
    host_gets(&[SPACE], 1);
    // A control that was chosen by keyboard takes the keys that turn it, and only them. The first one chosen is
    // the button of the preset before.
    desk.hand.key(TAB);
    desk.hand.rest(4);
    let length = rack.value(Param::Length);
    host_gets(&[SPACE, 'm'.into(), TAB], 2);
    host_gets(&[ESCAPE], 0);
    host_gets(&[ENTER, SPACE], 2);
    play(&mut rack, 0.2);
    assert_eq!(rack.value(Param::Length), length, "space has pressed nothing");
    desk.close(&mut rack.instance);
}

/// CPU time of the threads that have come since `before`, and have this thread's name or the name of the painter
/// that stands in for a graphics card.
fn drawing(before: &[u32]) -> Duration {
    let name =
        |thread: u32| std::fs::read_to_string(format!("/proc/self/task/{thread}/comm")).unwrap_or_default();
    let own = std::fs::read_to_string("/proc/thread-self/comm").unwrap();
    let new = threads().into_iter().filter(|thread| !before.contains(thread));
    let draws = new.filter(|thread| name(*thread) == own || name(*thread).contains("llvmpipe"));
    draws.map(|thread| cpu_time(std::process::id(), thread)).sum()
}

fn threads() -> Vec<u32> {
    let entries = std::fs::read_dir("/proc/self/task").unwrap().filter_map(Result::ok);
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

#[test]
#[ignore = "needs an X display"]
fn window_that_is_hidden_or_covered_is_not_drawn() {
    let _turn = turn();
    let mut rack = sounding("steel-on-steel");
    let before = threads();
    let desk = Desk::open(&mut rack.instance, [1080, 700], 1.0);
    changes(&mut rack, Param::Ra, || desk.hand.click(ROUGHNESS, WHEEL_UP));
    let spent = |rack: &mut Rack| {
        // Whatever was under way has ended by then.
        play(rack, 0.5);
        let start = drawing(&before);
        play(rack, 3.0);
        drawing(&before) - start
    };
    let seen = spent(&mut rack);
    let handle = rack.instance.plugin_handle();
    let gui: PluginGui = handle.get_extension().unwrap();
    gui.hide(&handle).unwrap();
    let hidden = spent(&mut rack);
    let handle = rack.instance.plugin_handle();
    gui.show(&handle).unwrap();
    let over = desk.hand.cover();
    let covered = spent(&mut rack);
    desk.hand.uncover(over);
    let again = spent(&mut rack);
    println!(
        "CPU time of drawing in 3 s: {seen:?} seen, {hidden:?} hidden, {covered:?} covered, {again:?} seen again"
    );
    assert!(hidden < seen / 10 && covered < seen / 10 && again > seen / 3);
    desk.close(&mut rack.instance);
}

/// A hand at work on another thread than the sound, until a knob has moved: a busy machine takes a while to show
/// a window.
fn changes(rack: &mut Rack, param: Param, deed: impl Fn() + Sync) {
    let (before, begin) = (rack.value(param), Instant::now());
    while rack.value(param) == before {
        assert!(begin.elapsed() < Duration::from_secs(20), "{}: {before}", param.entry().id);
        std::thread::scope(|scope| {
            let hand = scope.spawn(&deed);
            while !hand.is_finished() {
                play(rack, 0.02);
            }
        });
    }
}
