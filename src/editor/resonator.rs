//! The resonator from end to end: its shape at this moment, the modes it is made of, the slider on it, and
//! pick-ups that can be dragged along it.

use super::hands::Hands;
use super::modes::{Modes, shape_stroke};
use super::plot::{round_down, three_digits, times, well};
use super::theme;
use super::turn::{Lead, full_name, turn_by};
use crate::beam::Ends;
use crate::engine::realtime::ContactView;
use crate::instrument::parameters::{PICKUPS, Param, Pick};
use egui::{Align2, Id, Painter, Pos2, Rangef, Rect, Response, Sense, Shape, Stroke, Ui, Vec2, pos2, vec2};

/// How quickly the scale comes back after a large deflection.
const FOLLOW: f32 = 0.01;
/// Height of the handles' strip, and the size of one.
const HANDLES: f32 = 22.0;
const HANDLE: Vec2 = vec2(20.0, 18.0);

pub const HELP: &str = "The body that sounds, bent as it is bent now, many times exaggerated; the slider on it, \
     pick-ups that can be dragged, and at the right how fast each of its modes swings.";

/// Largest deflection and fastest modes of late.
#[derive(Debug, Default)]
pub struct ShapeScale {
    most_m: f32,
    modes: Modes,
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
    let modes_width = (0.26 * rect.width()).clamp(70.0, 240.0);
    let across = (rect.width() - modes_width - 44.0) / length_m.max(1e-6);
    let room_px = 0.42 * (rect.height() - 26.0 - HANDLES);
    let exaggeration = round_down(room_px / scale.most_m.max(1e-12) / across).min(1e9);
    let mut note = format!("{} mm", three_digits(length_m * 1e3));
    if sounds {
        note = format!("{note}, deflection {}", times(exaggeration));
    }
    let (painter, inner) = well(ui, rect, "Resonator", &note, HELP);
    let (body, bars) = inner.split_left_right_at_x(inner.right() - modes_width);
    let (beam, handles) = body.split_top_bottom_at_y(body.bottom() - HANDLES);
    let beam = beam.shrink2(vec2(20.0, 2.0));
    let pinned = hands.value(Param::EndsKind) == 0.0;
    if sounds {
        scale.modes.take(contact, if pinned { Ends::Pinned } else { Ends::Free });
        if let Some(pointed) = scale.modes.bars(ui, bars.shrink2(vec2(8.0, 2.0)), contact) {
            painter.line(scale.modes.shape(pointed, beam), shape_stroke());
        }
    }
    let factor = if sounds { across * exaggeration } else { 0.0 };
    let line = shape(&painter, beam, contact, factor);
    if sounds && !contact.lifted {
        slider(&painter, beam, contact, &line);
    }
    supports(&painter, beam, pinned);
    let places =
        std::array::from_fn(|n| on_beam(&line, hands.value(Param::pickup(n, Pick::Position)) as f32));
    let middles = apart(places.map(|place| place.x), handles.x_range().shrink(0.5 * HANDLE.x));
    for (n, (place, middle)) in places.into_iter().zip(middles).enumerate() {
        let rect = Rect::from_center_size(pos2(middle, handles.center().y), HANDLE);
        pickup(ui, hands, n, rect, place, line[line.len() - 1].x - line[0].x);
    }
}

/// Handles that would lie on each other, moved apart as little as need be and in the order of their pick-ups:
/// neighbours that are too near share the mean of where they want to be.
fn apart(wanted: [f32; PICKUPS], room: Rangef) -> [f32; PICKUPS] {
    let step = HANDLE.x + 1.0;
    let mut order: [usize; PICKUPS] = std::array::from_fn(|n| n);
    order.sort_by(|one, other| wanted[*one].total_cmp(&wanted[*other]));
    // First places of handles side by side, as if each had no width, and how many share one.
    let mut groups: Vec<(f32, usize)> = Vec::with_capacity(PICKUPS);
    for (n, pickup) in order.iter().enumerate() {
        let (mut first, mut count) = (wanted[*pickup] - step * n as f32, 1);
        while let Some((other, others)) = groups.pop_if(|(other, _)| *other > first) {
            first = (first * count as f32 + other * others as f32) / (count + others) as f32;
            count += others;
        }
        groups.push((first, count));
    }
    let last = room.max - step * (PICKUPS - 1) as f32;
    let firsts = groups.iter().flat_map(|(first, count)| std::iter::repeat_n(*first, *count));
    let mut middles = wanted;
    for (n, (pickup, first)) in order.iter().zip(firsts).enumerate() {
        middles[*pickup] = first.min(last).max(room.min) + step * n as f32;
    }
    middles
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
fn pickup(ui: &mut Ui, hands: &mut Hands, n: usize, rect: Rect, at: Pos2, way: f32) {
    let (on, position) = (Param::pickup(n, Pick::On), Param::pickup(n, Pick::Position));
    let response = ui.interact(rect, Id::unique(("asperity pick-up", n)), Sense::click_and_drag());
    if response.drag_started() && hands.value(on) < 0.5 {
        hands.put(on, 1.0);
    }
    let lead = Lead {
        name: &|| format!("{} on the resonator", full_name(position)),
        motion: |motion| motion.x,
        way,
    };
    let response = turn_by(ui, hands, position, response, &lead);
    handle(ui, &response, n, at, hands.value(on) > 0.5);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_lie_side_by_side_and_move_no_further_than_they_must() {
        let room = Rangef::new(10.0, 290.0);
        let free = [40.0, 90.0, 140.0, 280.0];
        assert_eq!(apart(free, room), free);
        assert_eq!(apart([100.0, 100.0, 30.0, 200.0], room), [89.5, 110.5, 30.0, 200.0]);
        // At an end all of them make room.
        for place in [0.0, 300.0] {
            let middles = apart([place; PICKUPS], room);
            assert!(middles.windows(2).all(|pair| (pair[1] - pair[0] - 21.0).abs() < 1e-3), "{middles:?}");
            assert!(middles.iter().all(|middle| room.contains(*middle)), "{middles:?}");
        }
    }
}
