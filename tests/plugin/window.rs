//! The panel in real windows, opened by a host on an X display while sound runs. Without a display there is
//! nothing to open, so these are not among the quick tests:
//!
//! `xvfb-run -a -s "-screen 0 2600x1700x24" cargo test --profile checked --test plugin -- --ignored window`

use crate::host::{Handlers, Rack, What};
use asperity::instrument::Patch;
use asperity::instrument::parameters::Param;
use asperity::plugin::state::of_preset;
use clack_extensions::gui::{GuiApiType, GuiConfiguration, GuiSize, PluginGui, Window};
use clack_host::prelude::*;
use std::path::Path;
use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, CreateWindowAux, WindowClass};
use x11rb::rust_connection::RustConnection;

const BLOCK: usize = 256;

/// A host's window with the panel in it.
struct Desk {
    display: RustConnection,
    window: u32,
}

impl Desk {
    fn open(instance: &mut PluginInstance<Handlers>, width: u32, height: u32, scale: f64) -> Self {
        let (display, screen) = x11rb::connect(None).expect("an X display");
        let root = display.setup().roots[screen].root;
        let window = display.generate_id().unwrap();
        let size = (width as u16, height as u16);
        let aux = CreateWindowAux::new();
        let class = WindowClass::INPUT_OUTPUT;
        display.create_window(0, window, root, 0, 0, size.0, size.1, 0, class, 0, &aux).unwrap();
        display.map_window(window).unwrap();
        display.flush().unwrap();
        let handle = instance.plugin_handle();
        let gui: PluginGui = handle.get_extension().unwrap();
        let configuration = GuiConfiguration { api_type: GuiApiType::X11, is_floating: false };
        gui.create(&handle, configuration).unwrap();
        let _ = gui.set_scale(&handle, scale);
        gui.set_size(&handle, GuiSize { width, height }).ok();
        // SAFETY: the parent is destroyed after the panel is.
        unsafe { gui.set_parent(&handle, Window::from_x11_handle(window.into())) }.unwrap();
        gui.show(&handle).ok();
        let _ = gui.set_size(&handle, GuiSize { width, height });
        Self { display, window }
    }

    fn resize(&self, instance: &mut PluginInstance<Handlers>, width: u32, height: u32) {
        let handle = instance.plugin_handle();
        let gui: PluginGui = handle.get_extension().unwrap();
        gui.set_size(&handle, GuiSize { width, height }).unwrap();
    }

    fn close(self, instance: &mut PluginInstance<Handlers>) {
        let handle = instance.plugin_handle();
        let gui: PluginGui = handle.get_extension().unwrap();
        gui.destroy(&handle);
        self.display.destroy_window(self.window).unwrap();
        self.display.flush().unwrap();
    }

    fn picture(&self, path: &Path) {
        let id = self.window.to_string();
        let target = format!("PNG8:{}", path.display());
        let words = ["-window", &id, "-strip", "-dither", "None", "-colors", "96", &target];
        assert!(std::process::Command::new("import").args(words).status().unwrap().success());
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

/// Resident memory of this process, kB.
fn memory_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// `cargo xtask screenshots` runs this.
#[test]
#[ignore = "needs an X display and ImageMagick"]
fn window_screenshots() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screenshots");
    std::fs::create_dir_all(&folder).unwrap();
    for (width, height, scale, preset) in
        [(640, 400, 1.0, "glass-harp"), (1080, 700, 1.5, "steel-on-steel"), (1280, 800, 2.0, "washboard")]
    {
        let mut rack = sounding(preset);
        let pixels = |points: u32| (f64::from(points) * scale) as u32;
        let desk = Desk::open(&mut rack.instance, pixels(width), pixels(height), scale);
        play(&mut rack, 4.0);
        let file = folder.join(format!("{width}x{height}@{scale}.png"));
        desk.picture(&file);
        desk.close(&mut rack.instance);
        let bytes = file.metadata().unwrap().len();
        assert!((5_000..150_000).contains(&bytes), "{}: {bytes} bytes", file.display());
    }
}

#[test]
#[ignore = "needs an X display"]
fn window_opens_resizes_and_closes_fifty_times_while_sound_runs() {
    let mut rack = sounding("steel-on-steel");
    let mut memory = Vec::new();
    for turn in 0..50u32 {
        let desk = Desk::open(&mut rack.instance, 1080, 700, 1.0);
        play(&mut rack, 0.15);
        desk.resize(&mut rack.instance, 640 + 10 * turn, 400 + 8 * turn);
        rack.block(BLOCK, &[(0, What::Turn(Param::Ra, f64::from(turn) / 50.0))]);
        play(&mut rack, 0.15);
        desk.close(&mut rack.instance);
        play(&mut rack, 0.02);
        memory.push(memory_kb());
    }
    println!("resident memory after each round, kB: {memory:?}");
    // Caches fill in the first rounds; after that it stays within a few megabytes.
    assert!(memory[49] < memory[15] + 8_192, "{memory:?}");
}
