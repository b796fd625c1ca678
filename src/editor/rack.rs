//! All other parameters as cards, one for each group, packed into rows that fill the width. Where they need
//! more room than there is they scroll, and a row of names leads to each.

use super::hands::Hands;
use super::plot::explained;
use super::{knob, theme};
use crate::instrument::parameters::Param;
use egui::{Align2, Id, Rect, ScrollArea, Sense, Ui, UiBuilder, Vec2, WidgetInfo, pos2, vec2};
use std::sync::LazyLock;

/// Title of each card, the module of the table that it shows, and what it is in one sentence.
const CARDS: [(&str, &str, &str); 13] = [
    (
        "Surface",
        "Surface",
        "Both bodies have a rough profile: how high, how wide and how fine its asperities are is the texture \
         that rubs.",
    ),
    (
        "Slider",
        "Slider",
        "The body that is drawn along: length and thickness set its weight and how many asperities lie under it.",
    ),
    (
        "Contact",
        "Contact",
        "Where asperities meet, a force pushes the bodies apart in shocks of microseconds; load presses them \
         together, friction holds them back.",
    ),
    (
        "Resonator",
        "Resonator",
        "The beam that is rubbed and heard: material, length, thickness and ends set its natural frequencies.",
    ),
    ("Stroke", "Gesture", "How the slider is put down, drawn over the resonator and lifted again."),
    ("Pick-up 1", "Pick-ups/1", PICKUP),
    ("Pick-up 2", "Pick-ups/2", PICKUP),
    ("Pick-up 3", "Pick-ups/3", PICKUP),
    ("Pick-up 4", "Pick-ups/4", PICKUP),
    (
        "Play: tuning",
        "Tuning",
        "How keys change the resonator's length or thickness, so that its natural frequencies follow them.",
    ),
    (
        "Play: voices",
        "Voices",
        "How many bodies may sound at once, and what a key that is struck harder does to speed and load.",
    ),
    (
        "Play: expression",
        "Expression",
        "What wheel, pressure and timbre of the player's hand do to the contact.",
    ),
    ("Output", "Output", "How finely time is cut, and which motion is as loud as the output can be."),
];
const PICKUP: &str =
    "What is heard: the motion of one point of the resonator, or the pressure it makes at a distance.";
/// Names that lead to the cards, and which card each leads to.
const NAMES: [(&str, usize); 8] = [
    ("Surface", 0),
    ("Slider", 1),
    ("Contact", 2),
    ("Resonator", 3),
    ("Stroke", 4),
    ("Pick-ups", 5),
    ("Play", 9),
    ("Output", 12),
];
/// The three of the front.
pub const FRONT: [Param; 3] = [Param::Ra, Param::V, Param::Zeta];

/// What lies on each card.
static CONTENTS: LazyLock<Vec<Vec<Param>>> = LazyLock::new(|| {
    let on = |module: &str| {
        let there = |param: &Param| param.entry().module == module && !FRONT.contains(param);
        Param::all().filter(there).collect()
    };
    CARDS.iter().map(|(_, module, _)| on(module)).collect()
});

pub const CELL: Vec2 = vec2(92.0, 78.0);
const WIDEST_CELL: f32 = 152.0;
const HEADER: f32 = 22.0;
const PAD: f32 = 6.0;
const NAMES_HEIGHT: f32 = 24.0;

/// A card's place, from the upper left corner of all.
struct Place {
    card: usize,
    rect: Rect,
    columns: usize,
}

/// Packs the cards into rows; returns their places and the height of all.
fn pack(width: f32) -> (Vec<Place>, f32) {
    let mut places: Vec<Place> = Vec::with_capacity(CARDS.len());
    let (mut x, mut y) = (0.0, 0.0);
    let mut row_start = 0;
    for (card, contents) in CONTENTS.iter().enumerate() {
        let most = (((width - 2.0 * PAD) / CELL.x) as usize).max(1);
        let columns = contents.len().clamp(1, most);
        let rows = contents.len().div_ceil(columns).max(1);
        let size = vec2(columns as f32 * CELL.x + 2.0 * PAD, HEADER + rows as f32 * CELL.y + PAD);
        if x > 0.0 && x + size.x > width {
            y += close_row(&mut places[row_start..], width) + theme::GAP;
            row_start = places.len();
            x = 0.0;
        }
        places.push(Place { card, rect: Rect::from_min_size(pos2(x, y), size), columns });
        x += size.x + theme::GAP;
    }
    y += close_row(&mut places[row_start..], width);
    (places, y)
}

/// Widens the cards of a row to fill it, as far as cells may grow; returns its height.
fn close_row(row: &mut [Place], width: f32) -> f32 {
    let height = row.iter().map(|place| place.rect.height()).fold(0.0, f32::max);
    let cells: usize = row.iter().map(|place| place.columns).sum();
    let used = row.last().map_or(0.0, |place| place.rect.right());
    let more = ((width - used) / cells.max(1) as f32).clamp(0.0, WIDEST_CELL - CELL.x);
    let mut shift = 0.0;
    for place in row {
        let wider = more * place.columns as f32;
        let left = place.rect.left() + shift;
        place.rect =
            Rect::from_min_size(pos2(left, place.rect.top()), vec2(place.rect.width() + wider, height));
        shift += wider;
    }
    height
}

/// Height that all cards need at this width.
pub fn height(width: f32) -> f32 {
    pack(width).1
}

pub fn show(ui: &mut Ui, hands: &mut Hands, rect: Rect) {
    let (mut places, mut whole) = pack(rect.width());
    let scrolls = whole > rect.height() + 0.5;
    let mut room = rect;
    let mut jump = None;
    if scrolls {
        let (names, rest) = rect.split_top_bottom_at_y(rect.top() + NAMES_HEIGHT);
        jump = names_row(ui, names);
        room = rest;
        // The bar beside the cards.
        (places, whole) = pack(room.width() - 12.0);
    }
    let mut inside = ui.new_child(UiBuilder::new().id_salt("rack").max_rect(room));
    inside.shrink_clip_rect(room);
    ScrollArea::vertical().auto_shrink(false).show(&mut inside, |ui| {
        let (_, all) = ui.allocate_space(vec2(room.width() - 12.0, whole));
        let corner = all.min.to_vec2();
        for place in &places {
            let at = place.rect.translate(corner);
            if jump == Some(place.card) {
                ui.scroll_to_rect_animation(at, Some(egui::Align::TOP), egui::style::ScrollAnimation::none());
            }
            card(ui, hands, place, at);
        }
    });
}

fn card(ui: &mut Ui, hands: &mut Hands, place: &Place, at: Rect) {
    if ui.is_rect_visible(at) {
        let painter = ui.painter();
        painter.rect(at, theme::ROUND, theme::CARD, theme::line(theme::EDGE), egui::StrokeKind::Inside);
        let (title, _, help) = CARDS[place.card];
        let corner = at.left_top() + vec2(10.0, 4.0);
        painter.text(corner, Align2::LEFT_TOP, title, theme::text(12.5), theme::CYAN);
        let header = Rect::from_min_size(at.min, vec2(at.width(), HEADER));
        explained(ui, header, ("asperity card", place.card), format!("{title}: {help}"), help);
    }
    let cell = vec2((at.width() - 2.0 * PAD) / place.columns as f32, CELL.y);
    for (n, param) in CONTENTS[place.card].iter().enumerate() {
        let (column, row) = (n % place.columns, n / place.columns);
        let corner = at.min + vec2(PAD + cell.x * column as f32, HEADER + cell.y * row as f32);
        knob::cell(ui, hands, *param, Rect::from_min_size(corner, cell).shrink2(vec2(2.0, 1.0)));
    }
}

/// The card that was asked for.
fn names_row(ui: &mut Ui, rect: Rect) -> Option<usize> {
    let mut asked = None;
    let width = ((rect.width() + 4.0) / NAMES.len() as f32).min(110.0);
    for (n, (name, card)) in NAMES.iter().enumerate() {
        let corner = rect.min + vec2(width * n as f32, 0.0);
        let chip = Rect::from_min_size(corner, vec2(width - 4.0, rect.height() - 4.0));
        let response = ui.interact(chip, Id::unique(("asperity group", n)), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, format!("Go to {name}")));
        let lit = response.hovered() || response.has_focus();
        let (fill, edge) = if lit { (theme::EDGE, theme::CYAN) } else { (theme::CARD, theme::EDGE) };
        ui.painter().rect(chip, 4, fill, theme::line(edge), egui::StrokeKind::Inside);
        ui.painter().text(chip.center(), Align2::CENTER_CENTER, name, theme::text(12.0), theme::TEXT);
        if response.on_hover_text(CARDS[*card].2).clicked() {
            asked = Some(*card);
        }
    }
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_lies_on_the_panel_once() {
        for param in Param::all() {
            let places = CONTENTS.iter().flatten().chain(&FRONT).filter(|other| **other == param).count();
            assert_eq!(places, 1, "{}", param.entry().id);
        }
    }

    #[test]
    fn cards_fill_the_width_and_never_overlap() {
        for width in [600.0, 900.0, 1_400.0, 2_500.0] {
            let (places, height) = pack(width);
            for (n, place) in places.iter().enumerate() {
                assert!(place.rect.right() <= width + 0.01 && place.rect.bottom() <= height + 0.01);
                let clear = |other: &Place| !other.rect.shrink(0.1).intersects(place.rect.shrink(0.1));
                assert!(places[..n].iter().all(clear), "{width}");
            }
        }
    }
}
