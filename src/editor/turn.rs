//! How any control is turned: by drag, wheel, double-click, keys, by typing, and by assistive tools. What a
//! control looks like is its own matter.

use super::hands::{Hands, Typing};
use super::theme;
use crate::instrument::parameters::{Kind, Param};
use egui::accesskit::{Action, ActionData};
use egui::{
    Event, EventFilter, Id, Key, Modifiers, MouseWheelUnit, Rect, Response, Sense, Ui, Vec2, WidgetInfo,
};

/// Points of drag for the whole way of a knob, and how much finer it goes with shift.
const WAY: f32 = 220.0;
const FINE: f64 = 0.1;
/// Points of smooth scrolling that count as one notch of a wheel.
const NOTCH: f32 = 50.0;

/// Name of a parameter with the group that tells it from others of the same name.
pub fn full_name(param: Param) -> String {
    let row = param.entry();
    match row.module.split_once('/') {
        Some((_, number)) => format!("Pick-up {number} {}", row.name.to_lowercase()),
        None => row.name.to_owned(),
    }
}

pub fn id_of(param: Param) -> Id {
    Id::unique(("asperity control", param.index()))
}

/// How a pointer that drags turns a control.
pub struct Lead<'a> {
    /// For screen readers, made up when one listens.
    pub name: &'a dyn Fn() -> String,
    /// How far the pointer's motion leads, and how far is the whole way, in points.
    pub motion: fn(Vec2) -> f32,
    pub way: f32,
}

/// A control's place on the panel, with everything that turns it.
pub fn turn(ui: &mut Ui, hands: &mut Hands, param: Param, rect: Rect) -> Response {
    let response = ui.interact(rect, id_of(param), Sense::click_and_drag());
    let lead = Lead { name: &|| full_name(param), motion: |motion| motion.x - motion.y, way: WAY };
    turn_by(ui, hands, param, response, &lead)
}

/// The same for whatever is taken hold of elsewhere.
pub fn turn_by(ui: &mut Ui, hands: &mut Hands, param: Param, response: Response, lead: &Lead) -> Response {
    drag(ui, hands, param, &response, lead);
    wheel(ui, hands, param, &response);
    if response.double_clicked() {
        hands.put(param, param.entry().default());
    }
    if response.has_focus() {
        keys(ui, hands, param, response.id);
    }
    follow_focus(&response);
    assist(ui, hands, param, &response, lead.name);
    menu(hands, param, &response);
    explained(response, hands, param)
}

/// What a right-click offers. A menu that is closed costs more than the control: asked for only when one can be open.
pub fn menu(hands: &Hands, param: Param, response: &Response) {
    if hands.control.has_menu() && (hands.popups || response.secondary_clicked()) {
        response.context_menu(|ui| hands.control.menu(param, ui));
    }
}

/// Who goes from control to control by keyboard sees the one that is chosen.
pub fn follow_focus(response: &Response) {
    if response.gained_focus() {
        response.scroll_to_me_animation(None, egui::style::ScrollAnimation::none());
    }
}

fn drag(ui: &Ui, hands: &mut Hands, param: Param, response: &Response, lead: &Lead) {
    if response.drag_started_by(egui::PointerButton::Primary) {
        hands.take(param);
    }
    if response.dragged() && hands.holds(param) {
        let part = f64::from((lead.motion)(response.drag_motion()) / lead.way.max(1.0));
        let fine = ui.input(|input| input.modifiers.shift);
        if part != 0.0 {
            hands.move_by(part * if fine { FINE } else { 1.0 });
        }
    }
    if response.drag_stopped() && hands.holds(param) {
        hands.let_go();
    }
}

pub fn wheel(ui: &Ui, hands: &mut Hands, param: Param, response: &Response) {
    if !response.hovered() {
        return;
    }
    let (notches, fine) = ui.input_mut(|input| {
        let notches: f32 = input.events.iter().map(notches_of).sum();
        // What turns a knob does not scroll the page as well.
        input.smooth_scroll_delta = egui::Vec2::ZERO;
        (notches, input.modifiers.shift)
    });
    if notches != 0.0 {
        hands.step(param, f64::from(notches), fine);
    }
}

fn notches_of(event: &Event) -> f32 {
    match event {
        // With shift some systems turn the wheel sideways.
        Event::MouseWheel { unit, delta, .. } => {
            let way = delta.y + delta.x;
            if *unit == MouseWheelUnit::Point { way / NOTCH } else { way }
        }
        _ => 0.0,
    }
}

fn keys(ui: &Ui, hands: &mut Hands, param: Param, id: Id) {
    let arrows = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..Default::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, arrows));
    let (fine, coarse, reset, types) = ui.input_mut(|input| {
        let mut pressed = |with, key| input.count_and_consume_key(with, key) as f64;
        let mut way = |with| {
            let up = pressed(with, Key::ArrowUp) + pressed(with, Key::ArrowRight);
            let down = pressed(with, Key::ArrowDown) + pressed(with, Key::ArrowLeft);
            up - down + 10.0 * (pressed(with, Key::PageUp) - pressed(with, Key::PageDown))
        };
        // Those with shift first: without it means with it, too.
        let (fine, coarse) = (way(Modifiers::SHIFT), way(Modifiers::NONE));
        let reset = pressed(Modifiers::NONE, Key::Delete) + pressed(Modifiers::NONE, Key::Backspace) > 0.0;
        (fine, coarse, reset, pressed(Modifiers::NONE, Key::Enter) > 0.0)
    });
    for (steps, fine) in [(fine, true), (coarse, false)] {
        if steps != 0.0 {
            hands.step(param, steps, fine);
        }
    }
    if reset {
        hands.put(param, param.entry().default());
    }
    if types && matches!(param.entry().kind, Kind::Float { .. } | Kind::Int { .. }) {
        start_typing(hands, param);
    }
}

/// Names the control for screen readers, and does what they ask.
fn assist(ui: &Ui, hands: &mut Hands, param: Param, response: &Response, name: &dyn Fn() -> String) {
    let id = response.id;
    let (steps, asked) = ui.input(|input| {
        let count = |action| input.num_accesskit_action_requests(id, action) as f64;
        let asked = input.accesskit_action_requests(id, Action::SetValue).filter_map(|request| {
            if let Some(ActionData::NumericValue(value)) = request.data { Some(value) } else { None }
        });
        (count(Action::Increment) - count(Action::Decrement), asked.last())
    });
    if steps != 0.0 {
        hands.step(param, steps, false);
    }
    let row = param.entry();
    if let Some(value) = asked {
        hands.put(param, value / row.unit.scale);
    }
    let shown = hands.value(param) * row.unit.scale;
    response.widget_info(|| {
        let mut info = WidgetInfo::slider(ui.is_enabled(), shown, name());
        info.current_text_value = Some(row.format(hands.value(param)));
        info
    });
    let (min, max) = row.range();
    ui.ctx().accesskit_node_builder(id, |node| {
        node.set_min_numeric_value(min * row.unit.scale);
        node.set_max_numeric_value(max * row.unit.scale);
        for action in [Action::SetValue, Action::Increment, Action::Decrement] {
            node.add_action(action);
        }
    });
}

/// One sentence of physics on hover.
fn explained(response: Response, hands: &Hands, param: Param) -> Response {
    let held = hands.state.grip.is_some() || hands.state.typing.is_some();
    if held || !response.hovered() {
        return response;
    }
    let row = param.entry();
    response.on_hover_ui(|ui| {
        ui.set_max_width(300.0);
        ui.colored_label(theme::AMBER, full_name(param));
        ui.label(row.help);
        let (min, max) = row.range();
        if matches!(row.kind, Kind::Float { .. } | Kind::Int { .. }) {
            let range =
                format!("{} to {}, usually {}", row.format(min), row.format(max), row.format(row.default()));
            ui.colored_label(theme::QUIET, range);
        }
    })
}

pub fn start_typing(hands: &mut Hands, param: Param) {
    let text = param.entry().format(hands.value(param));
    hands.state.typing = Some(Typing { param, text, fresh: true });
}

/// The value as text, which becomes a field when it is clicked.
pub fn value_text(ui: &mut Ui, hands: &mut Hands, param: Param, rect: Rect, size: f32) {
    if hands.state.typing.as_ref().is_some_and(|typing| typing.param == param) {
        return value_field(ui, hands, param, rect, size);
    }
    let response = ui.interact(rect, id_of(param).with("value"), Sense::click());
    follow_focus(&response);
    response
        .widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, format!("Type {}", full_name(param))));
    if response.clicked() {
        start_typing(hands, param);
    }
    if !ui.is_rect_visible(rect) {
        return;
    }
    let text = param.entry().format(hands.value(param));
    let colour = if response.hovered() { theme::TEXT } else { theme::AMBER };
    if response.hovered() {
        ui.painter().rect_filled(rect, 3, theme::EDGE);
        ui.set_cursor_icon(egui::CursorIcon::Text);
    }
    ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, text, theme::text(size), colour);
    explained(response, hands, param);
}

fn value_field(ui: &mut Ui, hands: &mut Hands, param: Param, rect: Rect, size: f32) {
    let Some(mut typing) = hands.state.typing.take() else { return };
    let field = egui::TextEdit::singleline(&mut typing.text)
        .id(id_of(param).with("field"))
        .font(theme::text(size))
        .align(egui::Align2::CENTER_CENTER)
        .margin(egui::Margin::ZERO);
    let response = ui.put(rect.expand(2.0), field);
    if typing.fresh {
        response.request_focus();
        select_all(ui, response.id, typing.text.chars().count());
        typing.fresh = false;
    }
    let escaped = ui.input(|input| input.key_pressed(Key::Escape));
    if !response.lost_focus() {
        hands.state.typing = Some(typing);
    } else if !escaped && let Some(value) = param.entry().parse(&typing.text) {
        hands.put(param, value);
    }
}

fn select_all(ui: &Ui, id: Id, count: usize) {
    use egui::text::{CCursor, CCursorRange};
    let mut state = egui::TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::two(CCursor::new(0), CCursor::new(count))));
    state.store(ui.ctx(), id);
}
