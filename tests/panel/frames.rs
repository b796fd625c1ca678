//! Windows of every size, and what a frame costs.

use crate::bench::{Bench, gestures};
use asperity::editor::{SMALLEST, full_name};
use asperity::instrument::parameters::{Param, Values};
use asperity::instrument::{Instrument, Patch, Setup, Viewer};
use cpu_time::ThreadTime;
use egui::{Modifiers, Rect, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

const FRONT: [Param; 3] = [Param::Ra, Param::V, Param::Zeta];

/// An instrument that rubs, and a window's end of it.
fn rubbing() -> (Instrument, Viewer) {
    let patch = Patch::preset("steel-on-steel").unwrap();
    let mut values = Values::default();
    values.set(Param::Drone, 1.0);
    let setup = Setup { rate_hz: 48_000.0, offline: false, limits: true };
    let mut instrument = Instrument::new(patch, &values, setup).unwrap();
    let viewer = instrument.take_viewer().unwrap();
    (instrument, viewer)
}

fn play(instrument: &mut Instrument, frames: usize) {
    let (mut left, mut right) = (vec![0.0; frames], vec![0.0; frames]);
    instrument.process(&[], &mut left, &mut right);
}

#[test]
fn every_size_shows_the_front_and_names_everything() {
    for (size, scale) in
        [(SMALLEST, 1.0), (SMALLEST, 2.5), (vec2(1080.0, 700.0), 1.5), (vec2(3840.0, 2160.0), 1.0)]
    {
        let mut bench = Bench::with(size, scale, None);
        bench.step();
        assert_eq!(bench.harness.unnamed_widgets(), Vec::<String>::new());
        let window = Rect::from_min_size(egui::Pos2::ZERO, size + vec2(16.0, 16.0));
        for param in FRONT {
            let rect = bench.harness.get_by_label(&full_name(param)).rect();
            assert!(window.contains_rect(rect) && rect.width().min(rect.height()) > 40.0, "{size}: {rect}");
        }
        for param in Param::all() {
            bench.harness.get_by_label(&full_name(param));
        }
    }
}

/// In the smallest window pictures share one place, and groups are reached by their names.
#[test]
fn the_smallest_window_leads_everywhere() {
    let (mut instrument, viewer) = rubbing();
    let mut bench = Bench::with(SMALLEST, 1.0, Some(viewer));
    for (picture, shows) in
        [("Resonator", "Pick-up 1 position on the resonator"), ("Level", "Level "), ("Contact", "Contact: ")]
    {
        bench.click(&format!("Show {picture}"));
        for _ in 0..3 {
            play(&mut instrument, 800);
            bench.step();
        }
        assert!(bench.names().iter().any(|name| name.starts_with(shows)), "{picture}: {:?}", bench.names());
    }
    let window = Rect::from_min_size(egui::Pos2::ZERO, SMALLEST + vec2(16.0, 16.0));
    for (group, param) in [
        ("Output", Param::Gain),
        ("Surface", Param::Lc),
        ("Slider", Param::SliderLength),
        ("Contact", Param::Kappa),
        ("Resonator", Param::Young),
        ("Stroke", Param::Attack),
        ("Pick-ups", Param::P1Pan),
        ("Play", Param::Tune),
    ] {
        bench.click(&format!("Go to {group}"));
        bench.step();
        let rect = bench.harness.get_by_label(&full_name(param)).rect();
        assert!(window.contains_rect(rect), "{group}: {rect}");
        bench.drag(rect.center(), vec2(0.0, -30.0), Modifiers::NONE);
        assert_eq!(gestures(&bench.take_calls()), [param]);
    }
}

/// Whoever goes from control to control by keyboard sees the one that is chosen, also where they scroll.
#[test]
fn the_smallest_window_shows_what_tab_has_chosen() {
    let mut bench = Bench::with(SMALLEST, 1.0, None);
    let hidden: Vec<String> = Param::all().filter(|param| !FRONT.contains(param)).map(full_name).collect();
    let mut reached = std::collections::HashSet::new();
    for _ in 0..250 {
        bench.harness.key_press(egui::Key::Tab);
        // Chosen, scrolled to, drawn there.
        (0..3).for_each(|_| bench.step());
        let room = bench.harness.get_by_label("Go to Surface").rect().bottom()..=SMALLEST.y - 16.0;
        let root = bench.harness.root();
        let Some(chosen) = root.children_recursive().find(|node| node.is_focused()) else { continue };
        let name = chosen.accesskit_node().label().unwrap_or_default();
        if hidden.contains(&name) {
            let rect = chosen.rect();
            assert!(
                room.contains(&rect.top()) && room.contains(&rect.bottom()),
                "{name}: {rect} in {room:?}"
            );
            reached.insert(name);
        }
    }
    assert_eq!(reached.len(), hidden.len());
}

/// Hosts do not always keep to the smallest size that they are told.
#[test]
fn no_size_is_too_small_to_be_drawn() {
    for size in [vec2(1.0, 1.0), vec2(90.0, 60.0), vec2(350.0, 250.0), vec2(3000.0, 20.0)] {
        let (mut instrument, mut viewer) = rubbing();
        viewer.look();
        for _ in 0..10 {
            play(&mut instrument, 800);
        }
        let mut bench = Bench::with(size, 1.0, Some(viewer));
        for _ in 0..3 {
            play(&mut instrument, 800);
            bench.step();
        }
        assert_eq!(bench.harness.unnamed_widgets(), Vec::<String>::new());
    }
}

#[test]
fn the_panel_shows_what_sounds() {
    let (mut instrument, mut viewer) = rubbing();
    play(&mut instrument, 4_800);
    assert_eq!(viewer.look().number, 0, "nobody has looked");
    for _ in 0..30 {
        play(&mut instrument, 800);
        viewer.look();
    }
    let seen = viewer.look().clone();
    let body = seen.body.unwrap();
    assert!(seen.number > 20 && seen.sounding == 1 && seen.cpu_share > 0.0);
    assert!((60.0..150.0).contains(&body.lv_db) && body.shocks_per_s > 10.0, "{body:?}");
    assert!((0.0..=1.0).contains(&body.contact_share) && seen.contact.natural_count > 10);
    let mut bench = Bench::with(vec2(1080.0, 700.0), 1.0, Some(viewer));
    for _ in 0..10 {
        play(&mut instrument, 800);
        bench.step();
    }
    let names = bench.names();
    assert!(names.iter().any(|name| name.starts_with("Voices 1 of")), "{names:?}");
    assert!(names.iter().any(|name| name.starts_with("Level ") && !name.contains('–')), "{names:?}");
    assert!(names.iter().any(|name| name.starts_with("Strongest mode ")), "{names:?}");
    // Half a second after the last look nothing is done any more.
    drop(bench);
    let allowed = allocation_counter::measure(|| play(&mut instrument, 48_000));
    assert!(allowed.count_total <= 2, "the test's own two blocks: {allowed:?}");
}

/// Median CPU time of building and tessellating a frame while sound is seen, ms.
fn frame_ms(width: f32, height: f32) -> f64 {
    let (mut instrument, mut viewer) = rubbing();
    let knobs = Bench::new().knobs;
    let ctx = egui::Context::default();
    let mut state = asperity::editor::PanelState::new(asperity::editor::Presets::with(None));
    let mut times = Vec::new();
    for frame in 0..240 {
        play(&mut instrument, 800);
        let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(width, height)));
        let time = Some(f64::from(frame) / 60.0);
        let input = egui::RawInput { screen_rect, time, ..Default::default() };
        let start = ThreadTime::now();
        let mut output = ctx.run_ui(input, |ui| {
            asperity::editor::panel(ui, &mut state, knobs.as_ref(), Some(&mut viewer));
        });
        let meshes = ctx.tessellate(output.shapes, output.pixels_per_point);
        let spent = start.elapsed().as_secs_f64() * 1e3;
        // Nobody paints here.
        output.textures_delta.clear();
        assert!(!meshes.is_empty());
        if frame >= 40 {
            times.push(spent);
        }
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Printed by `cargo test --profile checked --test panel cost -- --ignored --nocapture`.
#[test]
#[ignore = "a time, which says something on a quiet machine only"]
fn cost_of_a_frame() {
    for (width, height) in [(640.0, 400.0), (1080.0, 700.0), (1920.0, 1080.0)] {
        let spent = frame_ms(width, height);
        println!("{width} × {height}: {spent:.2} ms of CPU to build and tessellate a frame");
        assert!(spent <= 1.6, "{width} × {height}: {spent:.2} ms");
    }
}
