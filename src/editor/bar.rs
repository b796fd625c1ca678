//! The bar at the top: presets, the two settings to compare, undo and redo.

use super::button::button;
use super::hands::Hands;
use super::presets::{Presets, category_of};
use super::theme;
use egui::{
    Align2, Key, KeyboardShortcut, Modifiers, Popup, PopupCloseBehavior, Rect, Response, ScrollArea, Ui,
    pos2, vec2,
};

/// Width of the names in the list; what a preset is stands beside it.
const NAMES: f32 = 170.0;

pub fn show(ui: &mut Ui, hands: &mut Hands, presets: &mut Presets, rect: Rect) {
    ui.painter().rect_filled(rect, 0, theme::CARD);
    ui.painter().hline(rect.x_range(), rect.bottom(), theme::line(theme::EDGE));
    let logo = if rect.width() > 760.0 { 118.0 } else { 84.0 };
    let at = pos2(rect.left() + 12.0, rect.center().y);
    let size = if rect.width() > 760.0 { 19.0 } else { 15.0 };
    ui.painter().text(at, Align2::LEFT_CENTER, "Asperity", theme::text(size), theme::AMBER);
    let middle = rect.shrink2(vec2(0.0, 6.0));
    let mut right = middle.right() - 8.0;
    let mut from_right = |width: f32| {
        let place = Rect::from_min_max(pos2(right - width, middle.top()), pos2(right, middle.bottom()));
        right -= width + 4.0;
        place
    };
    let (redo, undo, copy, b, a) =
        (from_right(46.0), from_right(46.0), from_right(56.0), from_right(26.0), from_right(26.0));
    let left = rect.left() + logo;
    chooser(
        ui,
        hands,
        presets,
        Rect::from_min_max(pos2(left, middle.top()), pos2(right - 8.0, middle.bottom())),
    );
    compare(ui, hands, [a, b, copy]);
    steps(ui, hands, [undo, redo]);
}

/// Previous, the open preset, next, save.
fn chooser(ui: &mut Ui, hands: &mut Hands, presets: &mut Presets, rect: Rect) {
    let (previous, rest) = rect.split_left_right_at_x(rect.left() + 26.0);
    let (rest, save) = rest.split_left_right_at_x(rest.right() - 48.0);
    let (name, next) = rest.split_left_right_at_x(rest.right() - 30.0);
    let next = next.shrink2(vec2(2.0, 0.0));
    let name = name.shrink2(vec2(4.0, 0.0));
    for (at, sign, words, step) in [(previous, "<", "Previous preset", -1), (next, ">", "Next preset", 1)] {
        let pressed = button(ui, at, sign, words, true, false).on_hover_text(words).clicked();
        if let Some(n) = presets.neighbour(step).filter(|_| pressed) {
            open(hands, presets, n);
        }
    }
    let changed = presets.is_changed(&hands.values);
    let response = button(ui, name, "", "Presets", true, false);
    let trouble = hands.control.trouble();
    let (shown, colour) = match &trouble {
        Some(_) => ("Preset cannot be opened", theme::RED),
        None => (presets.name(), theme::TEXT),
    };
    let spoken = format!("{shown}{}", if changed { ", changed" } else { "" });
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_value(spoken));
    let painter = ui.painter_at(name);
    let middle = name.center();
    let title = painter.text(middle, Align2::CENTER_CENTER, shown, theme::text(14.0), colour);
    if changed {
        let dot = pos2(title.right() + 9.0, middle.y);
        painter.circle_filled(dot, 3.5, theme::AMBER);
    }
    let help = match (trouble, presets.description(), changed) {
        (Some(why), ..) => format!("{why}\nIt is saved again as it came until you open another preset."),
        (None, text, true) => format!("{text}\nKnobs have been moved since it was opened."),
        (None, text, false) => text.to_owned(),
    };
    if response.clicked() {
        presets.list();
        // Yesterday's search would hide what is looked for today.
        presets.search.clear();
    }
    browser(hands, presets, &response);
    if !Popup::is_any_open(ui.ctx()) {
        response.on_hover_text(help);
    }
    let response = button(ui, save, "Save", "Save preset", true, false);
    if response.clicked() {
        presets.naming = presets.name().to_owned();
        presets.trouble = None;
    }
    saving(hands, presets, &response);
    if !Popup::is_any_open(ui.ctx()) {
        response.on_hover_text("Keeps the knobs as they stand as a preset of your own.");
    }
}

fn open(hands: &mut Hands, presets: &mut Presets, n: usize) {
    if let Some((text, values)) = presets.read(n) {
        hands.open(&text, &values);
    }
}

/// The list with its search and categories.
fn browser(hands: &mut Hands, presets: &mut Presets, response: &Response) {
    let width = response.rect.width().max(420.0);
    let popup =
        Popup::from_toggle_button_response(response).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    popup.width(width).show(|ui| {
        let room = 0.62 * ui.ctx().content_rect().height();
        ui.horizontal(|ui| {
            ui.label("Search");
            let field = egui::TextEdit::singleline(&mut presets.search)
                .hint_text("name, kind, words")
                .desired_width(width - 90.0);
            let field = ui.add(field);
            field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Search presets"));
            // Whoever opens the list and types is searching.
            if response.clicked() {
                field.request_focus();
            }
            let first = presets.found().first().copied();
            if let Some(n) = first.filter(|_| entered(ui, &field)) {
                open(hands, presets, n);
                ui.close();
            }
        });
        ui.add_space(2.0);
        ui.horizontal_wrapped(|ui| {
            let all = presets.category.is_none();
            let names: Vec<String> = presets.categories().into_iter().map(str::to_owned).collect();
            if ui.selectable_label(all, "All").clicked() {
                presets.category = None;
            }
            for name in names {
                let chosen = presets.category.as_deref() == Some(name.as_str());
                if ui.selectable_label(chosen, &name).clicked() {
                    presets.category = Some(name);
                }
            }
        });
        ui.separator();
        if let Some(trouble) = &presets.trouble {
            ui.colored_label(theme::RED, trouble);
        }
        ScrollArea::vertical()
            .max_height(room - 60.0)
            .auto_shrink([false, true])
            .show(ui, |ui| list(ui, hands, presets));
    });
}

fn list(ui: &mut Ui, hands: &mut Hands, presets: &mut Presets) {
    let place = presets.place();
    let mut chosen = None;
    let mut heading = String::new();
    for n in presets.found() {
        let Some(listed) = presets.listed(n) else { continue };
        if category_of(listed) != heading {
            heading = category_of(listed).to_owned();
            ui.colored_label(theme::CYAN, &heading);
        }
        ui.horizontal(|ui| {
            let row = ui.selectable_label(place == Some(n), &listed.name);
            ui.add_space((NAMES - row.rect.width()).max(0.0));
            let words = egui::RichText::new(&listed.description).small().color(theme::QUIET);
            ui.add(egui::Label::new(words).truncate());
            if row.on_hover_text(&listed.description).clicked() {
                chosen = Some(n);
            }
        });
    }
    if let Some(n) = chosen {
        open(hands, presets, n);
    }
}

/// Whether a text was ended with Enter.
fn entered(ui: &Ui, field: &Response) -> bool {
    field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))
}

fn saving(hands: &mut Hands, presets: &mut Presets, response: &Response) {
    let popup =
        Popup::from_toggle_button_response(response).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    popup.width(260.0).show(|ui| {
        ui.label("Keep the knobs as they stand under this name:");
        let field = ui.add(egui::TextEdit::singleline(&mut presets.naming).desired_width(f32::INFINITY));
        field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Preset name"));
        if response.clicked() {
            field.request_focus();
        }
        if presets.replaces() {
            ui.colored_label(theme::QUIET, "In place of your preset of this name.");
        }
        if ui.button("Keep").clicked() || entered(ui, &field) {
            let values = hands.values;
            if let Some(text) = presets.save(&values) {
                hands.open(&text, &values);
                ui.close();
            }
        }
        if let Some(trouble) = &presets.trouble {
            ui.colored_label(theme::RED, trouble);
        }
    });
}

fn compare(ui: &mut Ui, hands: &mut Hands, [a, b, copy]: [Rect; 3]) {
    let hears_b = hands.state.history.hears_b();
    for (rect, sign, name, lit) in [(a, "A", "Setting A", !hears_b), (b, "B", "Setting B", hears_b)] {
        let help = "Two settings to compare; the one that is lit sounds.";
        if button(ui, rect, sign, name, true, lit).on_hover_text(help).clicked() && !lit {
            hands.compare();
        }
    }
    let (sign, name) =
        if hears_b { ("B to A", "Copy setting B to A") } else { ("A to B", "Copy setting A to B") };
    if button(ui, copy, sign, name, true, false).on_hover_text(name).clicked() {
        hands.state.history.copy();
    }
}

fn steps(ui: &mut Ui, hands: &mut Hands, [undo, redo]: [Rect; 2]) {
    let (can_undo, can_redo) = (hands.state.history.can_undo(), hands.state.history.can_redo());
    let back = "Takes back the last turn of a knob, or the last preset.";
    if button(ui, undo, "Undo", "Undo", can_undo, false).on_hover_text(back).clicked() {
        hands.undo();
    }
    let again = "Does again what was taken back.";
    if button(ui, redo, "Redo", "Redo", can_redo, false).on_hover_text(again).clicked() {
        hands.redo();
    }
    // In a host's window they are the host's, which undoes in its own way.
    let ours = hands.control.owns_keys() && !ui.ctx().text_edit_focused();
    let again = [(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z), (Modifiers::COMMAND, Key::Y)]
        .map(|(with, key)| KeyboardShortcut::new(with, key));
    let back = KeyboardShortcut::new(Modifiers::COMMAND, Key::Z);
    if ours && ui.input_mut(|input| again.iter().any(|keys| input.consume_shortcut(keys))) {
        hands.redo();
    } else if ours && ui.input_mut(|input| input.consume_shortcut(&back)) {
        hands.undo();
    }
}
