//! The three looks of a control: a knob, a list of words, a switch.

use super::dial::Dial;
use super::hands::Hands;
use super::theme;
use super::turn::{follow_focus, full_name, id_of, menu, turn, value_text, wheel};
use crate::instrument::parameters::{Kind, Param};
use egui::{Align2, Color32, Painter, Rect, Response, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};

/// A large knob with its name above and its value below.
pub fn large(ui: &mut Ui, hands: &mut Hands, param: Param, name: &str, rect: Rect) {
    let small = rect.height() < 120.0;
    let (name_height, value_height) = if small { (16.0, 18.0) } else { (22.0, 26.0) };
    let (top, rest) = rect.split_top_bottom_at_y(rect.top() + name_height);
    let (middle, bottom) = rest.split_top_bottom_at_y(rest.bottom() - value_height);
    let name_size = if small { 12.0 } else { 14.0 };
    ui.painter().text(top.center(), Align2::CENTER_CENTER, name, theme::text(name_size), theme::TEXT);
    dial(ui, hands, param, middle.shrink(2.0), 5.0);
    let width = bottom.width().min(120.0);
    let field = Rect::from_center_size(bottom.center(), vec2(width, value_height - 4.0));
    value_text(ui, hands, param, field, if small { 14.0 } else { 19.0 });
}

/// Any parameter in its cell.
pub fn cell(ui: &mut Ui, hands: &mut Hands, param: Param, rect: Rect) {
    let mut name_height = 15.0;
    // What is scrolled away is still reached by keyboard, but nobody reads it.
    if ui.is_rect_visible(rect) {
        let name = label(ui.painter(), param.entry().name, rect.width() - 2.0);
        name_height = name.size().y.max(name_height);
        let corner = pos2(rect.center().x, rect.top() + (name_height - name.size().y) / 2.0);
        ui.painter().galley(corner, name, theme::QUIET);
    }
    let rest = rect.with_min_y(rect.top() + name_height);
    match param.entry().kind {
        Kind::Float { .. } | Kind::Int { .. } => {
            let (middle, bottom) = rest.split_top_bottom_at_y(rest.bottom() - 16.0);
            dial(ui, hands, param, middle.shrink(1.0), 3.0);
            value_text(ui, hands, param, bottom.shrink2(vec2(2.0, 0.0)), 12.0);
        }
        Kind::Choice { words, .. } => {
            let button = Rect::from_center_size(rest.center(), vec2(rest.width() - 6.0, 24.0));
            choice(ui, hands, param, words, button);
        }
        Kind::Switch { .. } => switch(ui, hands, param, rest),
    }
}

/// A name around its middle, in smaller letters where it is long, and in two lines where it would still run into
/// its neighbour.
fn label(painter: &Painter, name: &str, room: f32) -> std::sync::Arc<egui::Galley> {
    let layout = |size: f32, max_rows: usize| {
        let mut job = egui::text::LayoutJob::simple(name.to_owned(), theme::text(size), theme::QUIET, room);
        job.wrap.max_rows = max_rows;
        job.halign = egui::Align::Center;
        painter.fonts_mut(|fonts| fonts.layout_job(job))
    };
    let mut lines = [11.5, 10.0].into_iter().map(|size| layout(size, 1));
    lines.find(|galley| !galley.elided).unwrap_or_else(|| layout(10.0, 2))
}

fn dial(ui: &mut Ui, hands: &mut Hands, param: Param, rect: Rect, width: f32) {
    let response = turn(ui, hands, param, rect);
    if !ui.is_rect_visible(rect) {
        return;
    }
    let radius = 0.5 * rect.width().min(rect.height()) - width / 2.0;
    let centre = pos2(rect.center().x, rect.center().y + 0.07 * radius);
    let share = hands.share(param) as f32;
    let (min, max) = param.entry().range();
    // Knobs that go both ways start in their middle.
    let zero = if min < 0.0 && max > 0.0 { param.entry().normalise(0.0) as f32 } else { 0.0 };
    let hand = if response.hovered() || response.dragged() { Color32::WHITE } else { theme::AMBER };
    let edge = if response.has_focus() { Stroke::new(2.0, theme::CYAN) } else { theme::line(theme::EDGE) };
    let dial = Dial { centre, radius, width, share, zero, hand, edge };
    hands.state.dials.draw(ui.painter(), param, dial);
}

/// A word that opens the list of all.
fn choice(ui: &mut Ui, hands: &mut Hands, param: Param, words: &[&'static str], rect: Rect) {
    let response = turn(ui, hands, param, rect);
    let place = hands.value(param) as usize;
    if ui.is_rect_visible(rect) {
        paint_choice(ui, &response, words.get(place).copied().unwrap_or_default());
    }
    let entered = response.has_focus() && ui.input(|input| input.key_pressed(egui::Key::Space));
    let open = (response.clicked() || entered).then_some(egui::SetOpenCommand::Toggle);
    // A list that is closed costs more than the button it hangs on.
    if open.is_none() && !hands.popups {
        return;
    }
    egui::Popup::menu(&response).open_memory(open).show(|ui| {
        for (n, other) in words.iter().enumerate() {
            if ui.selectable_label(n == place, *other).clicked() {
                hands.put(param, n as f64);
            }
        }
    });
}

fn paint_choice(ui: &Ui, response: &Response, word: &str) {
    let (painter, rect) = (ui.painter(), response.rect);
    let edge = if response.has_focus() {
        theme::CYAN
    } else if response.hovered() {
        theme::QUIET
    } else {
        theme::EDGE
    };
    painter.rect(rect, 4, theme::WELL, theme::line(edge), egui::StrokeKind::Inside);
    let inner = rect.shrink2(vec2(6.0, 0.0));
    let room = Rect::from_min_max(inner.min, inner.max - vec2(8.0, 0.0));
    painter.with_clip_rect(room.intersect(painter.clip_rect())).text(
        inner.left_center(),
        Align2::LEFT_CENTER,
        word,
        theme::text(12.0),
        theme::AMBER,
    );
    let tip = inner.right_center();
    let arrow = [tip + vec2(-6.0, -2.0), tip + vec2(0.0, -2.0), tip + vec2(-3.0, 2.5)];
    painter.add(Shape::convex_polygon(arrow.to_vec(), theme::QUIET, Stroke::NONE));
}

/// On or off: a lamp that is pressed.
fn switch(ui: &mut Ui, hands: &mut Hands, param: Param, rect: Rect) {
    let body = Rect::from_center_size(rect.center(), vec2(38.0, 20.0));
    let response = ui.interact(body, id_of(param), Sense::click());
    wheel(ui, hands, param, &response);
    let was_on = hands.value(param) > 0.5;
    let keyed = response.has_focus() && ui.input(|input| input.key_pressed(egui::Key::Space));
    if response.clicked() || keyed {
        hands.put(param, f64::from(u8::from(!was_on)));
    }
    if response.double_clicked() {
        hands.put(param, param.entry().default());
    }
    let on = hands.value(param) > 0.5;
    response.widget_info(|| WidgetInfo::selected(egui::Role::CheckBox, true, on, full_name(param)));
    follow_focus(&response);
    menu(hands, param, &response);
    if !ui.is_rect_visible(rect) {
        return;
    }
    let slid = ui.ctx().animate_bool_with_time(response.id, on, 0.1);
    let edge = if response.has_focus() { theme::CYAN } else { theme::EDGE };
    let fill = theme::WELL.lerp_to_gamma(theme::AMBER, 0.85 * slid);
    ui.painter().rect(body, 10, fill, theme::line(edge), egui::StrokeKind::Inside);
    let x = egui::lerp(body.left() + 10.0..=body.right() - 10.0, slid);
    let dot = theme::QUIET.lerp_to_gamma(theme::GROUND, slid);
    ui.painter().circle_filled(pos2(x, body.center().y), 7.0, dot);
    response.on_hover_text(param.entry().help);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_cut_in_the_narrowest_cell() {
        let ctx = egui::Context::default();
        let mut shown = ctx.run_ui(egui::RawInput::default(), |ui| {
            for param in Param::all() {
                let galley = label(ui.painter(), param.entry().name, super::super::rack::CELL.x - 6.0);
                assert!(!galley.elided && galley.size().y < 30.0, "{}", param.entry().name);
            }
        });
        // Nobody paints it.
        shown.textures_delta.clear();
    }
}
