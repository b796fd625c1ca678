//! The rubbing pad: the hand leads the slider over the resonator. The pad's width is the slider's way, so
//! direction and speed of the drag are those of the slider; higher up presses harder, and half-way up as hard as
//! the preset does. While the pad is shown the stroke is `scrub`; when it goes, everything is as it was before.

use egui::{Align2, EventFilter, FontId, Key, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

use crate::instrument::parameters::{Param, STROKES};

/// Slower than this the slider creeps after the hand; faster is the speed of the hand itself.
const SLOWEST_M_S: f64 = 0.01;
/// Factor by which the slider may outrun the hand, so that it never lags behind.
const HEADROOM: f64 = 1.25;
/// Load at the top of the pad where a preset has none of its own: ten times the weight of the usual slider, and so a
/// firm hand.
const HARDEST_N_M: f64 = 80.0;
/// A load below this is as good as none.
const LEAST_N_M: f64 = 1.0;
/// How long a hand that comes down takes from the preset's load to its own: with all of it at once the resonator
/// leaps by its whole deflection, and what is heard is the limiter.
const PRESS_S: f64 = 0.4;
/// Ways across the pad, and up it, in a second that an arrow key is held.
const ACROSS_PER_S: f64 = 0.5;
const UP_PER_S: f64 = 0.5;

/// What the hand was doing at the last look.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Hand {
    share: f64,
    time_s: f64,
}

/// The load for a hand so far up, 0 to 1, over a preset with this load.
fn load_n_m(up: f64, own_n_m: f64) -> f64 {
    let hardest = if own_n_m > LEAST_N_M { 4.0 * own_n_m } else { HARDEST_N_M };
    hardest * up * up
}

/// Knobs that the hand turns, and how they stood before it came.
const RUBBED: [Param; 3] = [Param::Drone, Param::V, Param::Load];

#[derive(Debug)]
pub struct Pad {
    hand: Option<Hand>,
    /// Where keys have led the hand: across and up, 0 to 1.
    keyed: [f64; 2],
    before: Option<[f64; RUBBED.len()]>,
    /// When the hand came down.
    down_s: f64,
    /// The stroke before the pad was shown.
    stroke: Option<f64>,
}

impl Default for Pad {
    fn default() -> Self {
        Self { hand: None, keyed: [0.5; 2], before: None, down_s: 0.0, stroke: None }
    }
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
            self.down_s = time_s;
            turns.push((Param::Drone, 1.0));
        }
        let speed_m_s =
            self.hand.map_or(0.0, |old| (share - old.share).abs() * way_m / (time_s - old.time_s).max(1e-3));
        self.hand = Some(Hand { share, time_s });
        turns.push((Param::V, (HEADROOM * speed_m_s).max(SLOWEST_M_S)));
        turns.push((Param::Scrub, share));
        let own_n_m = self.before.map_or(0.0, |[_, _, load]| load);
        let pressed = ((time_s - self.down_s) / PRESS_S).clamp(0.0, 1.0);
        turns.push((Param::Load, own_n_m + pressed * (load_n_m(height, own_n_m) - own_n_m)));
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
        let keyed = if response.has_focus() { self.keys(ui, response.id) } else { None };
        let hand = point.map(|point| share_of(rect, point)).or(keyed);
        let chosen = response.has_focus();
        self.paint(ui, rect, hand, chosen, way_m, value);
        let mut turns: Vec<(Param, f64)> = self.arm(value).into_iter().collect();
        turns.extend(match hand {
            Some([share, up]) => self.rub(share, up, ui.input(|input| input.time), way_m, value),
            None => self.let_go(),
        });
        turns
    }

    /// Where arrow keys lead the hand: left and right rub, up and down press.
    fn keys(&mut self, ui: &Ui, id: egui::Id) -> Option<[f64; 2]> {
        let arrows = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..Default::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, arrows));
        let (across, up, passed_s) = ui.input(|input| {
            let way =
                |on: Key, back: Key| f64::from(i8::from(input.key_down(on)) - i8::from(input.key_down(back)));
            let (across, up) = (way(Key::ArrowRight, Key::ArrowLeft), way(Key::ArrowUp, Key::ArrowDown));
            (across, up, f64::from(input.stable_dt.min(0.1)))
        });
        let [share, height] = &mut self.keyed;
        *share = (*share + across * ACROSS_PER_S * passed_s).clamp(0.0, 1.0);
        *height = (*height + up * UP_PER_S * passed_s).clamp(0.0, 1.0);
        (across != 0.0 || up != 0.0).then_some(self.keyed)
    }

    fn paint(
        &self,
        ui: &Ui,
        rect: Rect,
        hand: Option<[f64; 2]>,
        chosen: bool,
        way_m: f64,
        value: &dyn Fn(Param) -> f64,
    ) {
        let painter = ui.painter_at(rect);
        let visuals = ui.visuals();
        let colour = visuals.weak_text_color();
        let lit = visuals.selection.stroke.color;
        let edge = Stroke::new(1.0, if chosen { lit } else { colour });
        painter.rect(rect, 2.0, visuals.extreme_bg_color, edge, StrokeKind::Inside);
        let font = FontId::proportional(12.0);
        let text = format!("rub here: {:.0} mm from end to end, higher presses harder", way_m * 1e3);
        let corner = rect.left_top() + vec2(8.0, 5.0);
        painter.text(corner, Align2::LEFT_TOP, text, font.clone(), colour);
        let own_n_m = self.before.map_or(value(Param::Load), |[_, _, load]| load);
        let half = Param::Load.entry().format(load_n_m(0.5, own_n_m));
        let line = Stroke::new(1.0, visuals.widgets.noninteractive.bg_stroke.color);
        painter.hline(rect.shrink(1.0).x_range(), rect.center().y, line);
        let end = rect.right_center() - vec2(8.0, 1.0);
        painter.text(end, Align2::RIGHT_BOTTOM, half, font.clone(), colour);
        let Some([share, up]) = hand else { return };
        let x = egui::lerp(rect.x_range(), share as f32);
        let point = pos2(x, egui::lerp(rect.bottom()..=rect.top(), up as f32));
        painter.vline(x, rect.y_range(), Stroke::new(2.0, lit));
        painter.circle_filled(point, 6.0, lit);
        let [speed, load] = [Param::V, Param::Load].map(|param| param.entry().format(value(param)));
        let (side, align) =
            if share < 0.8 { (10.0, Align2::LEFT_CENTER) } else { (-10.0, Align2::RIGHT_CENTER) };
        let place = pos2(x + side, point.y.clamp(rect.top() + 26.0, rect.bottom() - 10.0));
        painter.text(place, align, format!("{speed}, {load}"), font, visuals.text_color());
    }
}

/// How far across the pad and how far up it a point is, 0 to 1.
fn share_of(rect: Rect, point: Pos2) -> [f64; 2] {
    let share = (point.x - rect.left()) / rect.width();
    let up = (rect.bottom() - point.y) / rect.height();
    [share, up].map(|part| f64::from(part).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instrument::{Event, Instrument, Patch, Setup, Timed};

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
        assert_eq!(high, HARDEST_N_M, "the usual slider has no load of its own");
        assert_eq!([load_n_m(0.5, 5.0), load_n_m(1.0, 5.0)], [5.0, 20.0], "half-way as hard as the preset");
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

    /// Deepest reduction of the limiter in the first seconds in which a preset is rubbed there and back.
    fn reduction_db(preset: &str, up: f64) -> f32 {
        let patch = Patch::preset(preset).unwrap();
        let mut values = *patch.values();
        let way_m = values.get(Param::Length) - values.get(Param::SliderLength);
        let setup = Setup { rate_hz: 48_000.0, offline: false, limits: true };
        let mut instrument = Instrument::new(patch, &values, setup).unwrap();
        let mut viewer = instrument.take_viewer().unwrap();
        let (mut pad, mut deepest, [mut left, mut right]) = (Pad::default(), 0.0f32, [[0.0; 800]; 2]);
        for picture in 0..90 {
            let time_s = f64::from(picture) / 60.0;
            let share = 0.05 + 0.9 * (1.0 - (time_s % 2.0 - 1.0).abs());
            let value = |param: Param| values.get(param);
            let mut turns: Vec<(Param, f64)> = pad.arm(&value).into_iter().collect();
            turns.extend(pad.rub(share, up, time_s, way_m, &value));
            let event = |(param, value)| Timed { frame: 0, event: Event::Parameter { param, value } };
            let events: Vec<Timed> = turns.iter().copied().map(event).collect();
            turns.iter().for_each(|(param, value)| values.set(*param, *value));
            instrument.process(&events, &mut left, &mut right);
            deepest = deepest.max(viewer.look().reduction_db);
        }
        deepest
    }

    /// With the whole load at once it was 18, 14 and 16 dB.
    #[test]
    fn a_hand_that_comes_down_on_a_free_body_is_no_blow() {
        for (preset, up, most_db) in
            [("marimba-rub", 0.5, 6.0), ("vibraphone-rub", 0.5, 6.0), ("glass-harp", 1.0, 11.0)]
        {
            let deepest = reduction_db(preset, up);
            println!("{preset}, hand {up} of the way up: {deepest:.1} dB");
            assert!(deepest < most_db, "{preset}: {deepest} dB");
        }
        assert!(reduction_db("glass-harp", 0.5) < 0.5, "half-way up it sounds as the preset does");
    }
}
