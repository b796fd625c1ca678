//! What hands do to controls: drag, wheel, keys, typing, reset.

use crate::bench::{Bench, gestures};
use asperity::editor::full_name;
use asperity::instrument::parameters::{Kind, Param};
use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

#[test]
fn each_control_turns_its_own_parameter_within_a_gesture() {
    let mut bench = Bench::new();
    for param in Param::all() {
        bench.take_calls();
        let before = bench.value(param);
        if matches!(param.entry().kind, Kind::Switch { .. }) {
            bench.click(&full_name(param));
        } else {
            let down = param.entry().normalise(before) > 0.5;
            bench.drag(bench.of(param), vec2(0.0, if down { 190.0 } else { -190.0 }), Modifiers::NONE);
        }
        let id = param.entry().id;
        assert_ne!(bench.value(param), before, "{id}");
        assert_eq!(gestures(&bench.take_calls()), [param], "{id}");
    }
}

#[test]
fn a_drag_goes_up_and_shift_makes_it_ten_times_finer() {
    let mut bench = Bench::new();
    let share = |bench: &Bench| Param::Ra.entry().normalise(bench.value(Param::Ra));
    let start = share(&bench);
    bench.drag(bench.of(Param::Ra), vec2(0.0, -66.0), Modifiers::NONE);
    let coarse = share(&bench) - start;
    bench.drag(bench.of(Param::Ra), vec2(0.0, -66.0), Modifiers::SHIFT);
    let fine = share(&bench) - start - coarse;
    assert!((coarse - 0.3).abs() < 1e-3, "{coarse}");
    assert!((fine - 0.03).abs() < 1e-3, "{fine}");
}

#[test]
fn the_wheel_turns_what_is_under_it() {
    let mut bench = Bench::new();
    let share = |bench: &Bench, param: Param| param.entry().normalise(bench.value(param));
    let start = share(&bench, Param::V);
    bench.wheel(bench.of(Param::V), 2.0, Modifiers::NONE);
    let coarse = share(&bench, Param::V) - start;
    assert!((coarse - 0.04).abs() < 1e-6, "{coarse}");
    bench.wheel(bench.of(Param::V), -1.0, Modifiers::SHIFT);
    assert!((share(&bench, Param::V) - start - coarse + 0.002).abs() < 1e-6);
    assert_eq!(gestures(&bench.take_calls()), [Param::V]);
    // Whole values go step by step, words too.
    bench.wheel(bench.of(Param::Voices), 1.0, Modifiers::NONE);
    bench.wheel(bench.of(Param::Law), 1.0, Modifiers::NONE);
    assert_eq!((bench.value(Param::Voices), bench.value(Param::Law)), (9.0, 1.0));
}

#[test]
fn values_can_be_typed() {
    let mut bench = Bench::new();
    for (text, expected) in [("12.5", 12.5), ("3,5 µm", 3.5), ("1e9", 1000.0), ("nonsense", 1000.0)] {
        bench.click("Type Roughness Ra");
        bench.harness.event(egui::Event::Text(text.to_owned()));
        bench.step();
        bench.harness.key_press(Key::Enter);
        bench.step();
        bench.step();
        assert_eq!(bench.value(Param::Ra), expected, "{text}");
    }
    assert_eq!(gestures(&bench.take_calls()), [Param::Ra]);
    bench.click("Type Roughness Ra");
    bench.harness.event(egui::Event::Text("7".to_owned()));
    bench.step();
    bench.harness.key_press(Key::Escape);
    bench.step();
    bench.step();
    assert_eq!(bench.value(Param::Ra), 1000.0, "escape leaves the value alone");
}

#[test]
fn words_are_chosen_from_a_list() {
    let mut bench = Bench::new();
    bench.click("Contact law");
    bench.click("exponential");
    assert_eq!(bench.value(Param::Law), 2.0);
    assert_eq!(gestures(&bench.take_calls()), [Param::Law]);
}

#[test]
fn keys_turn_the_control_that_was_chosen_by_keyboard() {
    let mut bench = Bench::new();
    bench.harness.get_by_label("Damping ζ").focus();
    bench.step();
    // In this frame the control says that arrows are its own, or the next one would move on to a neighbour.
    bench.step();
    let start = bench.value(Param::Zeta);
    bench.harness.key_press(Key::ArrowUp);
    bench.step();
    let up = bench.value(Param::Zeta);
    assert!(up > start);
    bench.harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    bench.step();
    assert!(bench.value(Param::Zeta) < up && bench.value(Param::Zeta) > start);
    bench.harness.key_press(Key::Delete);
    bench.step();
    assert_eq!(bench.value(Param::Zeta), Param::Zeta.entry().default());
    assert!(bench.harness.get_by_label("Damping ζ").is_focused());
    assert_eq!(gestures(&bench.take_calls()), [Param::Zeta]);
}

#[test]
fn tab_reaches_every_control() {
    let mut bench = Bench::new();
    let mut reached = std::collections::HashSet::new();
    for _ in 0..400 {
        bench.harness.key_press(Key::Tab);
        bench.step();
        let root = bench.harness.root();
        let focused = root.children_recursive().find(|node| node.is_focused());
        reached.extend(focused.and_then(|node| node.accesskit_node().label()));
    }
    let missed: Vec<_> = Param::all().map(full_name).filter(|name| !reached.contains(name)).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn a_pointer_leaves_the_keys_to_the_host() {
    let mut bench = Bench::new();
    bench.drag(bench.of(Param::Ra), vec2(0.0, -30.0), Modifiers::NONE);
    bench.click("Next preset");
    bench.click(&full_name(Param::Drone));
    assert!(!bench.harness.ctx.egui_wants_keyboard_input());
    bench.take_calls();
    for key in [Key::Space, Key::ArrowUp, Key::Enter, Key::Delete, Key::A] {
        bench.harness.key_press(key);
        bench.step();
    }
    bench.harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    bench.step();
    assert_eq!(bench.take_calls(), []);
}

#[test]
fn screen_readers_set_and_step() {
    let mut bench = Bench::new();
    let name = full_name(Param::Length);
    bench.harness.get_by_label(&name).set_value_accesskit(120.0);
    bench.step();
    assert_eq!(bench.value(Param::Length), 0.12, "in the unit that is shown");
    bench.harness.get_by_label(&name).increment_accesskit();
    bench.step();
    assert!(bench.value(Param::Length) > 0.12);
    assert_eq!(gestures(&bench.take_calls()), [Param::Length]);
}

#[test]
fn pickups_are_dragged_along_the_resonator() {
    let mut bench = Bench::new();
    let before = bench.value(Param::P1Pos);
    let handle = bench.place("Pick-up 1 position on the resonator");
    bench.drag(handle, vec2(40.0, 0.0), Modifiers::NONE);
    assert!(bench.value(Param::P1Pos) > before + 0.05);
    assert_eq!(gestures(&bench.take_calls()), [Param::P1Pos]);
    bench.wheel(bench.place("Pick-up 1 position on the resonator"), -1.0, Modifiers::NONE);
    bench.drag(bench.place("Pick-up 1 position on the resonator"), vec2(40.0, 0.0), Modifiers::SHIFT);
    assert_eq!(gestures(&bench.take_calls()), [Param::P1Pos]);
    // A pick-up that was off comes on with the first drag.
    let handle = bench.place("Pick-up 3 position on the resonator");
    bench.drag(handle, vec2(20.0, 0.0), Modifiers::NONE);
    assert_eq!(bench.value(Param::P3On), 1.0);
    assert_eq!(gestures(&bench.take_calls()), [Param::P3On, Param::P3Pos]);
}

/// Presets have pick-ups at the same place, and each is still seen and taken hold of.
#[test]
fn pickups_at_one_place_have_a_handle_each() {
    let mut bench = Bench::new();
    let positions = [Param::P1Pos, Param::P2Pos, Param::P3Pos, Param::P4Pos];
    positions.into_iter().for_each(|param| bench.knobs.values.borrow_mut().set(param, 0.5));
    bench.step();
    let name = |n: usize| format!("Pick-up {} position on the resonator", n + 1);
    let rects = [0, 1, 2, 3].map(|n| bench.harness.get_by_label(&name(n)).rect());
    for (n, param) in positions.into_iter().enumerate() {
        assert!(rects[..n].iter().all(|other| !other.intersects(rects[n].shrink(0.1))), "{rects:?}");
        bench.wheel(bench.place(&name(n)), 1.0, Modifiers::NONE);
        assert_eq!(gestures(&bench.take_calls()), [param]);
    }
}
