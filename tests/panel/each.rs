//! Every control by every way of turning it, with its gesture begun and ended, and taken back.

use crate::bench::{Bench, gestures};
use asperity::editor::{SMALLEST, full_name};
use asperity::instrument::parameters::{Kind, Param};
use egui::{Key, Modifiers, Pos2, Rect, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

fn numbers() -> impl Iterator<Item = Param> {
    Param::all().filter(|param| matches!(param.entry().kind, Kind::Float { .. } | Kind::Int { .. }))
}

/// One way or the other, so that there is room for it.
fn away_from(share: f64) -> f64 {
    if share > 0.5 { -1.0 } else { 1.0 }
}

#[test]
fn each_number_is_typed_and_taken_back() {
    let mut bench = Bench::new();
    for param in numbers() {
        let (row, before) = (param.entry(), bench.value(param));
        let text = row.format(row.denormalise(0.5 + 0.25 * away_from(row.normalise(before))));
        bench.click(&format!("Type {}", full_name(param)));
        bench.harness.event(egui::Event::Text(text.clone()));
        bench.step();
        bench.harness.key_press(Key::Enter);
        bench.step();
        bench.step();
        assert_eq!(row.format(bench.value(param)), text, "{}", row.id);
        assert_eq!(gestures(&bench.take_calls()), [param], "{}", row.id);
        bench.click("Undo");
        assert_eq!(bench.value(param), before, "{}", row.id);
        assert_eq!(gestures(&bench.take_calls()), [param], "{}", row.id);
    }
}

#[test]
fn each_control_is_turned_by_the_wheel_and_shift_is_finer() {
    let mut bench = Bench::new();
    for param in Param::all() {
        let row = param.entry();
        let share = |bench: &Bench| row.normalise(bench.value(param));
        let start = share(&bench);
        let way = away_from(start);
        bench.wheel(bench.of(param), way as f32, Modifiers::NONE);
        let coarse = share(&bench) - start;
        assert!(coarse * way > 0.0, "{}: {coarse}", row.id);
        if matches!(row.kind, Kind::Float { .. }) {
            bench.wheel(bench.of(param), way as f32, Modifiers::SHIFT);
            let fine = share(&bench) - start - coarse;
            assert!((fine / coarse - 0.1).abs() < 1e-3, "{}: {fine} of {coarse}", row.id);
        }
        assert_eq!(gestures(&bench.take_calls()), [param], "{}", row.id);
    }
}

#[test]
fn each_control_is_reset_by_a_double_click() {
    let mut bench = Bench::paced(0.03);
    for param in Param::all() {
        let (row, (lowest, highest)) = (param.entry(), param.entry().range());
        let other = if row.default() == highest { lowest } else { highest };
        bench.knobs.values.borrow_mut().set(param, other);
        // Long enough that two clicks are no third and fourth of those before.
        (0..24).for_each(|_| bench.step());
        let name = full_name(param);
        bench.harness.get_by_label(&name).click();
        bench.harness.get_by_label(&name).click();
        bench.step();
        bench.away();
        assert_eq!(bench.value(param), row.default(), "{}", row.id);
        assert_eq!(gestures(&bench.take_calls()), [param], "{}", row.id);
    }
}

#[test]
fn each_control_is_turned_by_keys_once_it_is_chosen() {
    let mut bench = Bench::new();
    for param in Param::all() {
        let before = bench.value(param);
        bench.harness.get_by_label(&full_name(param)).focus();
        bench.step();
        bench.step();
        let key = match (param.entry().kind, away_from(param.entry().normalise(before)) > 0.0) {
            (Kind::Switch { .. }, _) => Key::Space,
            (_, true) => Key::ArrowUp,
            (_, false) => Key::ArrowDown,
        };
        bench.harness.key_press(key);
        bench.step();
        assert_ne!(bench.value(param), before, "{}", param.entry().id);
        assert_eq!(gestures(&bench.take_calls()), [param], "{}", param.entry().id);
    }
    // In a host's window it is the host that undoes.
    bench.harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    bench.step();
    assert_eq!(bench.take_calls(), []);
}

/// One sentence of physics, once the pointer has rested on it.
#[test]
fn each_control_explains_itself_to_a_pointer() {
    let mut bench = Bench::paced(0.1);
    for param in Param::all() {
        let help = param.entry().help.to_owned();
        assert!(!bench.names().contains(&help), "{}: nobody points at it", param.entry().id);
        bench.harness.hover_at(bench.of(param));
        (0..8).for_each(|_| bench.step());
        assert!(bench.names().contains(&help), "{}: {:?}", param.entry().id, bench.names());
        // Long enough for the next one not to follow at once.
        bench.away();
        (0..8).for_each(|_| bench.step());
    }
    assert_eq!(bench.take_calls(), []);
}

/// Buttons, too, and numbers that can be typed: in the smallest window, where there are most of them.
#[test]
fn each_button_explains_itself_to_a_pointer() {
    let mut bench = Bench::paced_with(SMALLEST, 0.1);
    bench.drag(bench.of(Param::Ra), vec2(0.0, -50.0), Modifiers::NONE);
    bench.step();
    let window = Rect::from_min_size(Pos2::ZERO, SMALLEST);
    let root = bench.harness.root();
    let places: Vec<(String, Pos2)> = root
        .children_recursive()
        .filter(|node| node.accesskit_node().role() == egui::accesskit::Role::Button)
        .filter(|node| window.contains(node.rect().center()))
        .filter_map(|node| Some((node.accesskit_node().label()?, node.rect().center())))
        .collect();
    assert!(places.len() > 20, "{places:?}");
    bench.away();
    for (name, place) in places {
        (0..8).for_each(|_| bench.step());
        let before = bench.names().len();
        bench.harness.hover_at(place);
        (0..8).for_each(|_| bench.step());
        assert!(bench.names().len() > before, "{name} says nothing");
        bench.away();
    }
}
