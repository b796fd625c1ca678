//! The level with its last seconds, figures of the contact, and a line of what concerns the machine.

use super::hands::Hands;
use super::levels::Levels;
use super::plot::{explained, grouped, well};
use super::theme;
use crate::instrument::Snapshot;
use crate::instrument::parameters::Param;
use egui::{Align2, Color32, Painter, Pos2, Rect, Stroke, Ui, pos2, vec2};

/// Range of the level's history, dB re 1 nm/s.
const LOWEST_DB: f64 = 40.0;
const HIGHEST_DB: f64 = 180.0;

pub const LEVEL_HELP: &str =
    "Level of the velocity over the whole resonator; share of the time with any contact; shocks per second.";

/// Lv, contact share and shocks a second.
pub fn level(ui: &mut Ui, rect: Rect, levels: &Levels) {
    let (painter, inner) = well(ui, rect, "Level Lv", "dB re 1 nm/s, last 10 s", LEVEL_HELP);
    let figures_height = if inner.height() > 84.0 { 34.0 } else { 0.0 };
    let (upper, figures) = inner.split_top_bottom_at_y(inner.bottom() - figures_height);
    let (number, graph) =
        upper.split_left_right_at_x(upper.left() + (0.32 * upper.width()).clamp(62.0, 110.0));
    let text = levels.lv_db.map_or("–".to_owned(), |level| format!("{level:.1}"));
    let size = (0.5 * number.height()).clamp(16.0, 30.0);
    painter.text(number.center(), Align2::CENTER_CENTER, &text, theme::text(size), theme::TEXT);
    let scale = 20.0;
    history(&painter, Rect::from_min_max(graph.min + vec2(scale, 3.0), graph.max - vec2(6.0, 3.0)), levels);
    if figures_height > 0.0 {
        let (left, right) = figures.split_left_right_at_fraction(0.5);
        let share = format!("{:.1} %", 100.0 * levels.contact_share);
        figure(&painter, left, "in contact", &share, levels.contact_share as f32);
        let shocks = format!("{} /s", grouped(levels.shocks_per_s));
        // A decade of shocks is a fifth of the bar.
        let share = ((levels.shocks_per_s + 1.0).log10() / 5.0) as f32;
        figure(&painter, right, "shocks", &shocks, share);
    }
    let spoken = format!(
        "Level {text} dB re 1 nm/s, in contact {:.0} %, {:.0} shocks per second",
        100.0 * levels.contact_share,
        levels.shocks_per_s
    );
    explained(ui, inner, "level", spoken, LEVEL_HELP);
}

fn history(painter: &Painter, graph: Rect, levels: &Levels) {
    let y = |level: f64| {
        let share = ((level - LOWEST_DB) / (HIGHEST_DB - LOWEST_DB)).clamp(0.0, 1.0) as f32;
        graph.bottom() - share * graph.height()
    };
    for level in [60.0, 80.0, 100.0, 120.0, 140.0, 160.0] {
        painter.hline(graph.x_range(), y(level), theme::line(theme::faint(theme::EDGE, 0.7)));
        if level % 40.0 == 20.0 || graph.height() > 80.0 {
            let at = pos2(graph.left() - 3.0, y(level));
            painter.text(at, Align2::RIGHT_CENTER, format!("{level:.0}"), theme::text(10.0), theme::QUIET);
        }
    }
    let mut line: Vec<Pos2> = Vec::new();
    let finish = |line: &mut Vec<Pos2>| {
        if line.len() > 1 {
            painter.line(std::mem::take(line), Stroke::new(1.5, theme::GREEN));
        }
        line.clear();
    };
    for (place, level) in levels.history().step_by(2) {
        match level {
            Some(level) => line.push(pos2(graph.left() + place * graph.width(), y(level))),
            None => finish(&mut line),
        }
    }
    finish(&mut line);
}

/// A name, a number and a bar under them.
fn figure(painter: &Painter, rect: Rect, name: &str, number: &str, share: f32) {
    let inner = rect.shrink2(vec2(8.0, 3.0));
    painter.text(inner.left_top(), Align2::LEFT_TOP, name, theme::text(11.5), theme::QUIET);
    painter.text(inner.right_top(), Align2::RIGHT_TOP, number, theme::text(12.5), theme::TEXT);
    let bar = Rect::from_min_max(pos2(inner.left(), inner.bottom() - 6.0), inner.max);
    meter(painter, bar, share, theme::AMBER);
}

fn meter(painter: &Painter, bar: Rect, share: f32, colour: Color32) {
    painter.rect_filled(bar, 2, theme::TRACK);
    let lit =
        Rect::from_min_max(bar.min, pos2(bar.left() + bar.width() * share.clamp(0.0, 1.0), bar.bottom()));
    painter.rect_filled(lit, 2, colour);
}

/// Voices, CPU, latency, full scale, guard and limiter.
pub fn status(ui: &mut Ui, hands: &Hands, rect: Rect, seen: &Snapshot, levels: &Levels) {
    ui.painter().rect_filled(rect, 0, theme::CARD);
    let mut x = rect.left() + 10.0;
    let wide = rect.width() > 860.0;
    let most = hands.value(Param::Voices);
    let voices = format!("{} of {most:.0}", seen.sounding);
    item(
        ui,
        rect,
        &mut x,
        "Voices",
        &voices,
        Some(seen.sounding as f32 / most as f32),
        "Bodies that sound, with those that ring out.",
    );
    let cpu = format!("{:.0} %", 100.0 * levels.cpu_share);
    item(
        ui,
        rect,
        &mut x,
        "CPU",
        &cpu,
        Some(levels.cpu_share as f32),
        "Share of a block's time that its computation takes, the worst block of late.",
    );
    let latency = if seen.rate_hz > 0.0 { 1e3 * seen.latency_samples as f64 / seen.rate_hz } else { 0.0 };
    item(
        ui,
        rect,
        &mut x,
        "Latency",
        &format!("{latency:.1} ms"),
        None,
        "Delay of the filters between the contact and the output; hosts make up for it.",
    );
    if wide {
        let full = Param::Gain.entry();
        let scale = format!("{:.3} m/s", seen.full_scale_m_s);
        item(ui, rect, &mut x, "1.0 =", &scale, None, full.help);
        let rate = format!("{:.1} kHz", seen.rate_hz / 1e3);
        item(ui, rect, &mut x, "Rate", &rate, None, "Sampling rate of the host.");
    }
    // The corner is where hosts let a window be resized.
    let mut right = rect.right() - 20.0;
    let limits = if levels.limits() {
        format!("Limiter -{:.1} dB", levels.reduction_db)
    } else {
        "Limiter".to_owned()
    };
    lamp(
        ui,
        rect,
        &mut right,
        "limiter",
        &limits,
        levels.limits(),
        theme::RED,
        "Lights when the output is turned down to stay below full scale: lower the output gain.",
    );
    let guard = format!("Guard {}", levels.guarded);
    lamp(
        ui,
        rect,
        &mut right,
        "guard",
        &guard,
        levels.guards(),
        theme::AMBER,
        "How often a body was started again because its numbers left the physics.",
    );
}

fn item(ui: &mut Ui, bar: Rect, x: &mut f32, name: &str, value: &str, share: Option<f32>, help: &str) {
    let from = *x;
    let at = pos2(from, bar.center().y);
    let used = ui.painter().text(at, Align2::LEFT_CENTER, name, theme::text(11.5), theme::QUIET);
    let mut right = used.right() + 6.0;
    if let Some(share) = share {
        let rect = Rect::from_min_size(pos2(right, bar.center().y - 3.0), vec2(44.0, 6.0));
        let colour = if share > 0.8 { theme::RED } else { theme::GREEN };
        meter(ui.painter(), rect, share, colour);
        right = rect.right() + 6.0;
    }
    let at = pos2(right, bar.center().y);
    let used = ui.painter().text(at, Align2::LEFT_CENTER, value, theme::text(11.5), theme::TEXT);
    // Numbers that change do not push their neighbours about.
    let room = ui.painter().layout_no_wrap("0000".to_owned(), theme::text(11.5), theme::TEXT).size().x;
    *x = (used.right()).max(right + room) + 18.0;
    let rect = Rect::from_x_y_ranges(from..=used.right(), bar.y_range());
    explained(ui, rect, name, format!("{name} {value}"), help);
}

#[expect(clippy::too_many_arguments, reason = "one lamp, read across")]
fn lamp(
    ui: &mut Ui,
    bar: Rect,
    right: &mut f32,
    name: &str,
    text: &str,
    lit: bool,
    colour: Color32,
    help: &str,
) {
    let ink = if lit { theme::TEXT } else { theme::QUIET };
    let at = pos2(*right, bar.center().y);
    let used = ui.painter().text(at, Align2::RIGHT_CENTER, text, theme::text(11.5), ink);
    let dot = pos2(used.left() - 10.0, bar.center().y);
    if lit {
        ui.painter().circle_filled(dot, 8.0, theme::faint(colour, 0.3));
    }
    ui.painter().circle_filled(dot, 4.5, if lit { colour } else { theme::TRACK });
    let rect = Rect::from_x_y_ranges(dot.x - 6.0..=*right, bar.y_range());
    *right = dot.x - 18.0;
    let spoken = if lit { format!("{text}, lit") } else { text.to_owned() };
    explained(ui, rect, name, spoken, help);
}
