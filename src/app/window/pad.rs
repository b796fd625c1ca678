//! The rubbing pad: the hand leads the slider over the resonator. The pad's width is the slider's way, so
//! direction and speed of the drag are those of the slider; higher up presses harder. While the pad is shown
//! the stroke is `scrub`; when it goes, everything is as it was before.

use egui::{Align2, FontId, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

use crate::instrument::parameters::{Param, STROKES};

/// Slower than this the slider creeps after the hand; faster is the speed of the hand itself.
const SLOWEST_M_S: f64 = 0.01;
/// Factor by which the slider may outrun the hand, so that it never lags behind.
const HEADROOM: f64 = 1.25;
/// Load at the top of the pad: ten times the weight of the usual slider, and so a firm hand.
const HARDEST_N_M: f64 = 80.0;

/// What the hand was doing at the last look.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Hand {
    share: f64,
    time_s: f64,
}

/// Knobs that the hand turns, and how they stood before it came.
const RUBBED: [Param; 3] = [Param::Drone, Param::V, Param::Load];

#[derive(Debug, Default)]
pub struct Pad {
    hand: Option<Hand>,
    before: Option<[f64; RUBBED.len()]>,
    /// The stroke before the pad was shown.
    stroke: Option<f64>,
}

impl Pad {
    /// The hand at `share` of the width and `height` (0 to 1) at a time: knobs to turn. `way_m` is what the
    /// whole width stands for.
    fn rub(
        &mut self,
        share: f64,
        height: f64,
        time_s: f64,
        way_m: f64,
        value: &dyn Fn(Param) -> f64,
    ) -> Vec<(Param, f64)> {
        let mut turns = Vec::new();
        if self.before.is_none() {
            self.before = Some(RUBBED.map(value));
            turns.push((Param::Drone, 1.0));
        }
        let speed_m_s =
            self.hand.map_or(0.0, |old| (share - old.share).abs() * way_m / (time_s - old.time_s).max(1e-3));
        self.hand = Some(Hand { share, time_s });
        turns.push((Param::V, (HEADROOM * speed_m_s).max(SLOWEST_M_S)));
        turns.push((Param::Scrub, share));
        turns.push((Param::Load, HARDEST_N_M * height * height));
        turns
    }

    /// The hand is gone: what it turned is as it was before it came.
    fn let_go(&mut self) -> Vec<(Param, f64)> {
        self.hand = None;
        self.before.take().map_or_else(Vec::new, |before| RUBBED.into_iter().zip(before).collect())
    }

    /// The pad is no longer shown.
    pub fn close(&mut self) -> Vec<(Param, f64)> {
        let mut turns = self.let_go();
        turns.extend(self.stroke.take().map(|stroke| (Param::Stroke, stroke)));
        turns
    }

    /// The slider follows the hand from the first look on, and again when a preset brings a stroke of its own.
    fn arm(&mut self, value: &dyn Fn(Param) -> f64) -> Option<(Param, f64)> {
        let scrub = STROKES.iter().position(|word| *word == "scrub").unwrap_or_default() as f64;
        let stroke = value(Param::Stroke);
        if stroke == scrub {
            return None;
        }
        self.stroke = Some(stroke);
        Some((Param::Stroke, scrub))
    }

    /// Draws the pad; knobs to turn.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        height: f32,
        way_m: f64,
        value: &dyn Fn(Param) -> f64,
    ) -> Vec<(Param, f64)> {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Group, true, "Rubbing pad"));
        let down = response.is_pointer_button_down_on();
        let point = response.interact_pointer_pos().filter(|_| down);
        self.paint(ui, rect, point, way_m);
        let mut turns: Vec<(Param, f64)> = self.arm(value).into_iter().collect();
        turns.extend(match point {
            Some(point) => {
                let share = f64::from((point.x - rect.left()) / rect.width()).clamp(0.0, 1.0);
                let up = f64::from((rect.bottom() - point.y) / rect.height()).clamp(0.0, 1.0);
                self.rub(share, up, ui.input(|input| input.time), way_m, value)
            }
            None => self.let_go(),
        });
        turns
    }

    fn paint(&self, ui: &Ui, rect: Rect, hand: Option<Pos2>, way_m: f64) {
        let painter = ui.painter_at(rect);
        let visuals = ui.visuals();
        let colour = visuals.weak_text_color();
        painter.rect(rect, 2.0, visuals.extreme_bg_color, Stroke::new(1.0, colour), StrokeKind::Inside);
        let text = format!("rub here: {:.0} mm from end to end, higher presses harder", way_m * 1e3);
        painter.text(rect.center(), Align2::CENTER_CENTER, text, FontId::proportional(12.0), colour);
        if let Some(point) = hand {
            let line = Stroke::new(2.0, visuals.selection.stroke.color);
            painter.vline(point.x, rect.y_range(), line);
            painter.circle_filled(pos2(point.x, point.y.clamp(rect.top(), rect.bottom())), 5.0, line.color);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(turns: &[(Param, f64)], param: Param) -> Option<f64> {
        turns.iter().find(|(turned, _)| *turned == param).map(|(_, value)| *value)
    }

    #[test]
    fn the_slider_goes_where_and_as_fast_as_the_hand() {
        let mut pad = Pad::default();
        let standing = |param: Param| param.entry().default();
        let first = pad.rub(0.2, 0.0, 1.0, 0.4, &standing);
        assert_eq!(turned(&first, Param::Drone), Some(1.0));
        assert_eq!(pad.arm(&standing), Some((Param::Stroke, 4.0)), "scrub");
        assert_eq!(pad.arm(&|_| 4.0), None, "it is already");
        assert_eq!(turned(&first, Param::V), Some(SLOWEST_M_S), "the hand lies still");
        // A tenth of 0.4 m in a fifth of a second, to either side, is 0.2 m/s.
        for share in [0.3, 0.2] {
            let time_s = 1.2 + 2.0 * (0.3 - share);
            let turns = pad.rub(share, 0.5, time_s, 0.4, &standing);
            assert!((turned(&turns, Param::V).unwrap() - HEADROOM * 0.2).abs() < 1e-9, "{turns:?}");
            assert_eq!(turned(&turns, Param::Scrub), Some(share));
            assert_eq!(turned(&turns, Param::Drone), None, "only once");
        }
        let low = turned(&first, Param::Load).unwrap();
        let high = turned(&pad.rub(0.2, 1.0, 2.0, 0.4, &standing), Param::Load).unwrap();
        assert!(high > low);
        // Two looks at the same moment are no infinite speed.
        let now = pad.rub(0.9, 1.0, 2.0, 0.4, &standing);
        assert!(turned(&now, Param::V).unwrap().is_finite());
    }

    #[test]
    fn everything_is_as_before_when_the_hand_goes() {
        let mut pad = Pad::default();
        assert!(pad.close().is_empty());
        pad.arm(&|_| 2.0);
        pad.arm(&|_| 4.0);
        pad.rub(0.5, 0.5, 0.0, 0.4, &|param| if param == Param::V { 0.3 } else { 0.0 });
        // A preset that is opened meanwhile has a stroke of its own, and that is the one that comes back.
        assert_eq!(pad.arm(&|_| 1.0), Some((Param::Stroke, 4.0)));
        let back = pad.close();
        assert_eq!(turned(&back, Param::Stroke), Some(1.0));
        assert_eq!(turned(&back, Param::V), Some(0.3));
        assert_eq!(turned(&back, Param::Drone), Some(0.0));
        assert!(pad.close().is_empty());
    }
}
