//! The resonator from end to end: its shape at this moment, the slider on it, and pick-ups that can be dragged
//! along it.

use super::hands::Hands;
use super::plot::{round_down, times, well};
use super::theme;
use super::turn::full_name;
use crate::engine::realtime::ContactView;
use crate::instrument::parameters::{PICKUPS, Param, Pick};
use egui::{
    Align2, Id, Key, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2,
};

/// How quickly the scale comes back after a large deflection.
const FOLLOW: f32 = 0.01;
/// Height of the handles' strip.
const HANDLES: f32 = 22.0;

/// Largest deflection of late.
#[derive(Debug, Default)]
pub struct ShapeScale {
    most_m: f32,
}

pub fn show(
    ui: &mut Ui,
    hands: &mut Hands,
    rect: Rect,
    contact: &ContactView,
    scale: &mut ShapeScale,
    sounds: bool,
) {
    let most = contact.deflection_m.iter().fold(0.0, |most: f32, y| most.max(y.abs()));
    let most = if sounds && most.is_finite() { most } else { 0.0 };
    scale.most_m = if most > scale.most_m { most } else { scale.most_m + FOLLOW * (most - scale.most_m) };
    let length_m = if sounds { contact.resonator_m } else { hands.value(Param::Length) as f32 };
    let across = (rect.width() - 44.0) / length_m.max(1e-6);
    let room_px = 0.42 * (rect.height() - 26.0 - HANDLES);
    let exaggeration = round_down(room_px / scale.most_m.max(1e-12) / across).min(1e9);
    let mut note = format!("{:.4} mm", length_m * 1e3);
    note = format!("{} mm", note.trim_end_matches(" mm").trim_end_matches('0').trim_end_matches('.'));
    if sounds {
        note = format!("{note}, deflection {}", times(exaggeration));
    }
    let (painter, inner) = well(ui, rect, "Resonator", &note);
    let (beam, handles) = inner.split_top_bottom_at_y(inner.bottom() - HANDLES);
    let beam = beam.shrink2(vec2(20.0, 2.0));
    let factor = if sounds { across * exaggeration } else { 0.0 };
    let line = shape(&painter, beam, contact, factor);
    if sounds && !contact.lifted {
        slider(&painter, beam, contact, &line);
    }
    supports(&painter, beam, hands.value(Param::EndsKind) == 0.0);
    for n in 0..PICKUPS {
        pickup(ui, hands, n, handles, &line);
    }
}

fn shape(painter: &Painter, beam: Rect, contact: &ContactView, factor: f32) -> Vec<Pos2> {
    let along = beam.width() / (contact.deflection_m.len() - 1) as f32;
    let middle = beam.center().y;
    let point = |(n, up): (usize, &f32)| {
        let y = (middle - up * factor).max(beam.top()).min(beam.bottom());
        pos2(beam.left() + along * n as f32, if y.is_finite() { y } else { middle })
    };
    let line: Vec<Pos2> = contact.deflection_m.iter().enumerate().map(point).collect();
    painter.hline(beam.x_range(), middle, theme::line(theme::EDGE));
    painter.line(line.clone(), Stroke::new(6.0, theme::faint(theme::CYAN, 0.18)));
    painter.line(line.clone(), Stroke::new(2.2, theme::CYAN));
    line
}

/// The point of the drawn beam at a share of its length.
fn on_beam(line: &[Pos2], share: f32) -> Pos2 {
    let place = share.clamp(0.0, 1.0) * (line.len() - 1) as f32;
    let n = (place as usize).min(line.len() - 2);
    line[n].lerp(line[n + 1], place - n as f32)
}

fn slider(painter: &Painter, beam: Rect, contact: &ContactView, line: &[Pos2]) {
    let share = |m: f32| m / contact.resonator_m.max(1e-9);
    let (from, to) = (share(contact.seat_m), share(contact.seat_m + contact.slider_m));
    let left = egui::lerp(beam.left()..=beam.right(), from.clamp(0.0, 1.0));
    let right = egui::lerp(beam.left()..=beam.right(), to.clamp(0.0, 1.0)).max(left + 3.0);
    let bottom = on_beam(line, 0.5 * (from + to)).y - 2.0;
    let block = Rect::from_x_y_ranges(left..=right, (bottom - 11.0).max(beam.top())..=bottom);
    painter.rect(
        block,
        2,
        theme::faint(theme::STEEL, 0.7),
        theme::line(theme::STEEL),
        egui::StrokeKind::Inside,
    );
}

fn supports(painter: &Painter, beam: Rect, pinned: bool) {
    for x in [beam.left(), beam.right()] {
        let tip = pos2(x, beam.center().y + 3.0);
        if pinned {
            let corners = vec![tip, tip + vec2(-6.0, 10.0), tip + vec2(6.0, 10.0)];
            painter.add(Shape::convex_polygon(corners, theme::TRACK, theme::line(theme::STEEL)));
        } else {
            painter.circle_stroke(tip - vec2(0.0, 3.0), 4.0, theme::line(theme::STEEL));
        }
    }
}

/// One pick-up's handle; a pick-up that is off is shown faintly, and its first touch switches it on.
fn pickup(ui: &mut Ui, hands: &mut Hands, n: usize, handles: Rect, line: &[Pos2]) {
    let (on, position) = (Param::pickup(n, Pick::On), Param::pickup(n, Pick::Position));
    let at = on_beam(line, hands.value(position) as f32);
    let rect = Rect::from_center_size(pos2(at.x, handles.center().y), vec2(20.0, 18.0));
    let response = ui.interact(rect, Id::unique(("asperity pick-up", n)), Sense::click_and_drag());
    if response.drag_started() && hands.value(on) < 0.5 {
        hands.put(on, 1.0);
    }
    lead(ui, hands, position, &response, line[line.len() - 1].x - line[0].x);
    let shown = 100.0 * hands.value(position);
    response
        .widget_info(|| WidgetInfo::slider(true, shown, format!("{} on the resonator", full_name(position))));
    handle(ui, &response, n, at, hands.value(on) > 0.5);
    if hands.state.grip.is_none() {
        response.on_hover_text(format!(
            "Pick-up {}: drag it along the resonator. {}",
            n + 1,
            position.entry().help
        ));
    }
}

/// By pointer and by arrow keys, along a beam that is drawn so long.
fn lead(ui: &Ui, hands: &mut Hands, position: Param, response: &Response, length: f32) {
    if response.drag_started() {
        hands.take(position);
    }
    if response.dragged() && hands.holds(position) {
        let fine = if ui.input(|input| input.modifiers.shift) { 0.1 } else { 1.0 };
        hands.move_by(f64::from(fine * response.drag_motion().x / length.max(1.0)));
    }
    if response.drag_stopped() && hands.holds(position) {
        hands.let_go();
    }
    if response.double_clicked() {
        hands.put(position, position.entry().default());
    }
    if response.has_focus() {
        let arrows = egui::EventFilter { horizontal_arrows: true, ..Default::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
        let key = |key| ui.input(|input| f64::from(u8::from(input.key_pressed(key))));
        let steps = key(Key::ArrowRight) - key(Key::ArrowLeft);
        if steps != 0.0 {
            hands.step(position, 0.5 * steps, ui.input(|input| input.modifiers.shift));
        }
    }
}

fn handle(ui: &Ui, response: &Response, n: usize, at: Pos2, lit: bool) {
    let (painter, rect) = (ui.painter(), response.rect);
    let colour = if lit { theme::AMBER } else { theme::TRACK };
    let edge = if response.has_focus() { theme::CYAN } else { colour };
    if lit {
        painter.line_segment([at, rect.center_top()], Stroke::new(1.0, theme::faint(theme::AMBER, 0.5)));
        painter.circle_filled(at, 3.5, theme::AMBER);
    }
    let fill = if response.hovered() || response.dragged() { theme::EDGE } else { theme::WELL };
    painter.rect(rect, 4, fill, Stroke::new(1.5, edge), egui::StrokeKind::Inside);
    let ink = if lit { theme::AMBER } else { theme::QUIET };
    painter.text(rect.center(), Align2::CENTER_CENTER, n + 1, theme::text(12.0), ink);
}
