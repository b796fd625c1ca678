//! The contact as it is: both surfaces under the slider, to scale but for a stated exaggeration of heights,
//! lit where they touch, with the force of each contact as a bar. A shock lasts microseconds and the bodies are
//! apart most of the time, so light and bars fade instead of vanishing with the next picture, and the figures
//! stand long enough to be read.

use super::plot::{filled, round_down, three_digits, times, well};
use super::theme;
use crate::engine::realtime::ContactView;
use egui::{Align2, Painter, Pos2, Rect, Stroke, Ui, pos2, vec2};

/// How quickly the scale follows: at once where the picture would not fit, slowly otherwise.
const FOLLOW: f32 = 0.02;

pub const HELP: &str = "Both rough surfaces under the slider as they move, heights drawn so many times too high; lit \
     where asperities touch, with the force of each as a bar; both fade within a quarter of a second.";

/// Time in which a light that is no longer fed falls to a third.
const FADE_S: f32 = 0.1;
/// A light below this share of the brightest is out.
const FAINTEST: f32 = 0.12;
/// How long figures stand, and how long after the last touch the slider counts as in flight.
const STAND_S: f64 = 0.25;

/// Scales that do not jump from picture to picture.
#[derive(Debug, Default)]
pub struct ContactScale {
    span_m: f32,
    middle_m: f32,
    force_n_m: f32,
    glow: Glow,
}

/// What has touched of late.
#[derive(Debug, Default)]
struct Glow {
    /// Force at each place, fading.
    force_n_m: Vec<f32>,
    seen_s: f64,
    /// The last touch: when, how many contacts, and their force together.
    touch: Option<(f64, usize, f32)>,
    words: String,
    told_s: f64,
}

impl Glow {
    fn take(&mut self, contact: &ContactView, now_s: f64) {
        let passed_s = (now_s - self.seen_s).clamp(0.0, 1.0) as f32;
        self.seen_s = now_s;
        self.force_n_m.resize(contact.force_n_m.len(), 0.0);
        let left = (-passed_s / FADE_S).exp();
        for (glow, force) in self.force_n_m.iter_mut().zip(&contact.force_n_m) {
            *glow = force.max(*glow * left);
        }
        let touching = contact.force_n_m.iter().filter(|force| **force > 0.0).count();
        if touching > 0 {
            self.touch = Some((now_s, touching, contact.force_n_m.iter().sum()));
        }
        // A clock that went back is a window that was opened again.
        if self.words.is_empty() || !(0.0..STAND_S).contains(&(now_s - self.told_s)) {
            self.told_s = now_s;
            self.words = match self.touch.filter(|(at_s, ..)| (0.0..STAND_S).contains(&(now_s - at_s))) {
                None => "in flight".to_owned(),
                Some((_, 1, total)) => format!("1 contact, {} N/m", three_digits(total)),
                Some((_, many, total)) => format!("{many} contacts, {} N/m", three_digits(total)),
            };
        }
    }
}

impl ContactScale {
    fn follow(&mut self, contact: &ContactView, now_s: f64) {
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
        self.glow.take(contact, now_s);
    }
}

pub fn show(ui: &Ui, rect: Rect, contact: &ContactView, scale: &mut ContactScale, sounds: bool) {
    if !sounds || contact.slider_m <= 0.0 {
        let (painter, inner) = well(ui, rect, "Contact", "", HELP);
        let words = "play a note, or switch the drone on";
        painter.text(inner.center(), Align2::CENTER_CENTER, words, theme::text(13.0), theme::QUIET);
        return;
    }
    scale.follow(contact, ui.input(|input| input.time));
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
    for ((force, glow), point) in contact.force_n_m.iter().zip(&scale.glow.force_n_m).zip(below) {
        let strength = |force: f32| (force / scale.force_n_m).clamp(0.0, 1.0).sqrt();
        let share = strength(*glow);
        if share < FAINTEST {
            continue;
        }
        let touches = *force > 0.0;
        let colour = if touches { theme::AMBER } else { theme::faint(theme::AMBER, 0.2 + 0.6 * share) };
        painter.circle_filled(*point, 3.0 + 9.0 * share, theme::faint(theme::AMBER, 0.22));
        if touches {
            painter.circle_filled(*point, 2.0 + 1.5 * strength(*force), colour);
        }
        let top = bars.bottom() - 1.0 - (bars.height() - 16.0).max(4.0) * share;
        painter.vline(point.x, top..=bars.bottom() - 1.0, Stroke::new(2.5, colour));
    }
    let words = if contact.lifted { "lifted: the body rings free" } else { &scale.glow.words };
    painter.text(bars.left_top() + vec2(6.0, 1.0), Align2::LEFT_TOP, words, theme::text(11.5), theme::QUIET);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(first: [f32; 3]) -> ContactView {
        let mut contact = ContactView::default();
        contact.force_n_m[..3].copy_from_slice(&first);
        contact
    }

    #[test]
    fn a_touch_glows_after_and_its_figures_can_be_read() {
        let mut scale = ContactScale::default();
        scale.follow(&contact([0.0, 8.0, 4.0]), 1.0);
        assert_eq!(scale.glow.force_n_m[..3], [0.0, 8.0, 4.0]);
        assert_eq!(scale.glow.words, "2 contacts, 12.0 N/m");
        // Six pictures later, in flight all the time.
        scale.follow(&contact([0.0; 3]), 1.1);
        let [none, large, small] = scale.glow.force_n_m[..3] else { panic!("{:?}", scale.glow) };
        assert!(none == 0.0 && (2.0..4.0).contains(&large) && large == 2.0 * small, "{:?}", scale.glow);
        // Another touch is lit at once; the figures stand for their time.
        scale.follow(&contact([1.0, 0.0, 0.0]), 1.2);
        assert_eq!((scale.glow.force_n_m[0], &*scale.glow.words), (1.0, "2 contacts, 12.0 N/m"));
        scale.follow(&contact([0.0; 3]), 1.3);
        assert_eq!(scale.glow.words, "1 contact, 1.00 N/m", "the newest touch, not the empty picture");
        scale.follow(&contact([0.0; 3]), 1.6);
        assert_eq!(scale.glow.words, "in flight");
        // A window that is opened again begins its clock anew.
        scale.follow(&contact([2.0, 0.0, 0.0]), 0.1);
        assert_eq!(scale.glow.words, "1 contact, 2.00 N/m");
    }
}
