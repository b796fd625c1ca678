//! Buttons of the bar.

use super::theme;
use egui::{Align2, Id, Rect, Response, Sense, Ui, WidgetInfo};

/// A button with a sign or a word on it, named in full for whoever cannot see it.
pub fn button(ui: &mut Ui, rect: Rect, sign: &str, name: &str, enabled: bool, lit: bool) -> Response {
    let sense = if enabled { Sense::click() } else { Sense::hover() };
    let response = ui.interact(rect, Id::unique(("asperity button", name)), sense);
    response.widget_info(|| WidgetInfo::selected(egui::Role::Button, enabled, lit, name));
    let fill = match (lit, enabled && response.hovered()) {
        (true, _) => theme::AMBER,
        (false, true) => theme::EDGE,
        (false, false) => theme::WELL,
    };
    let edge = if response.has_focus() { theme::CYAN } else { theme::EDGE };
    let ink = match (lit, enabled) {
        (true, _) => theme::WELL,
        (false, true) => theme::TEXT,
        (false, false) => theme::faint(theme::QUIET, 0.55),
    };
    ui.painter().rect(rect, 4, fill, theme::line(edge), egui::StrokeKind::Inside);
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, sign, theme::text(13.0), ink);
    response
}
