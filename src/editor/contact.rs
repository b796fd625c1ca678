//! The contact as it is: both surfaces under the slider, to scale but for a stated exaggeration of heights,
//! lit where they touch, with the force of each contact as a bar.

use super::plot::{filled, round_down, three_digits, times, well};
use super::theme;
use crate::engine::realtime::ContactView;
use egui::{Align2, Painter, Pos2, Rect, Stroke, Ui, pos2, vec2};

/// How quickly the scale follows: at once where the picture would not fit, slowly otherwise.
const FOLLOW: f32 = 0.02;

pub const HELP: &str = "Both rough surfaces under the slider as they move, heights drawn so many times too high; lit \
     where asperities touch, with the force of each as a bar.";

/// Scales that do not jump from picture to picture.
#[derive(Debug, Default)]
pub struct ContactScale {
    span_m: f32,
    middle_m: f32,
    force_n_m: f32,
}

impl ContactScale {
    fn follow(&mut self, contact: &ContactView) {
        let (mut low, mut high) = (f32::MAX, f32::MIN);
        for (below, above) in contact.below_m.iter().zip(&contact.above_m) {
            low = low.min(*below);
            high = high.max(below.max(above.min(*below + 3.0 * self.span_m.max(1e-9))));
        }
        let span = (high - low).clamp(1e-9, 1.0);
        let middle = 0.5 * (high + low);
        let follow = |now: &mut f32, to: f32| {
            *now = if to > *now || !now.is_finite() { to } else { *now + FOLLOW * (to - *now) };
        };
        follow(&mut self.span_m, span);
        if (middle - self.middle_m).abs() > 0.25 * self.span_m || !self.middle_m.is_finite() {
            self.middle_m = middle;
        }
        self.middle_m += 0.1 * (middle - self.middle_m);
        let force = contact.force_n_m.iter().fold(0.0, |most: f32, force| most.max(*force));
        follow(&mut self.force_n_m, force.max(1e-6));
    }
}

pub fn show(ui: &Ui, rect: Rect, contact: &ContactView, scale: &mut ContactScale, sounds: bool) {
    if !sounds || contact.slider_m <= 0.0 {
        let (painter, inner) = well(ui, rect, "Contact", "", HELP);
        let words = "play a note, or switch the drone on";
        painter.text(inner.center(), Align2::CENTER_CENTER, words, theme::text(13.0), theme::QUIET);
        return;
    }
    scale.follow(contact);
    let bars_height = (0.2 * rect.height()).clamp(14.0, 60.0);
    let width_px = rect.width() - 4.0;
    let room_px = rect.height() - 24.0 - bars_height;
    let across = width_px / contact.slider_m;
    let exaggeration = round_down(0.86 * room_px / scale.span_m / across);
    let note = format!("{:.1} mm, heights {}", contact.slider_m * 1e3, times(exaggeration));
    let (painter, inner) = well(ui, rect, "Contact", &note, HELP);
    let (surfaces, bars) = inner.split_top_bottom_at_y(inner.bottom() - bars_height);
    let along = surfaces.width() / (contact.below_m.len() - 1) as f32;
    let point = |(n, height): (usize, &f32)| {
        let up = (height - scale.middle_m) * across * exaggeration;
        pos2(
            surfaces.left() + along * n as f32,
            (surfaces.center().y - up).max(surfaces.top()).min(surfaces.bottom()),
        )
    };
    let below: Vec<Pos2> = contact.below_m.iter().enumerate().map(point).collect();
    let above: Vec<Pos2> = contact.above_m.iter().enumerate().map(point).collect();
    painter.add(filled(
        &above,
        surfaces.top(),
        theme::faint(theme::STEEL, 0.55),
        theme::faint(theme::STEEL, 0.12),
    ));
    painter.add(filled(
        &below,
        surfaces.bottom(),
        theme::faint(theme::CYAN, 0.45),
        theme::faint(theme::CYAN, 0.08),
    ));
    painter.line(above, Stroke::new(1.2, theme::STEEL));
    painter.line(below.clone(), Stroke::new(1.2, theme::CYAN));
    forces(&painter, contact, scale, &below, bars);
}

/// Lit contacts, and a bar under each.
fn forces(painter: &Painter, contact: &ContactView, scale: &ContactScale, below: &[Pos2], bars: Rect) {
    painter.hline(bars.x_range(), bars.bottom() - 1.0, theme::line(theme::EDGE));
    let mut touching = 0;
    for (force, point) in contact.force_n_m.iter().zip(below).filter(|(force, _)| **force > 0.0) {
        touching += 1;
        let share = (force / scale.force_n_m).clamp(0.0, 1.0).sqrt();
        painter.circle_filled(*point, 3.0 + 9.0 * share, theme::faint(theme::AMBER, 0.22));
        painter.circle_filled(*point, 2.0 + 1.5 * share, theme::AMBER);
        let top = bars.bottom() - 1.0 - (bars.height() - 16.0).max(4.0) * share;
        painter.vline(point.x, top..=bars.bottom() - 1.0, Stroke::new(2.5, theme::AMBER));
    }
    let total: f32 = contact.force_n_m.iter().sum();
    let words = match (contact.lifted, touching) {
        (true, _) => "lifted: the body rings free".to_owned(),
        (false, 0) => "in flight".to_owned(),
        (false, 1) => format!("1 contact, {} N/m", three_digits(total)),
        (false, many) => format!("{many} contacts, {} N/m", three_digits(total)),
    };
    painter.text(bars.left_top() + vec2(6.0, 1.0), Align2::LEFT_TOP, words, theme::text(11.5), theme::QUIET);
}
