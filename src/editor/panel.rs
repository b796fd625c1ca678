//! The panel's plan: where everything lies, in a window of any size.

use super::contact::ContactScale;
use super::hands::{HandState, Hands};
use super::levels::Levels;
use super::presets::Presets;
use super::resonator::ShapeScale;
use super::scope::Scope;
use super::sound::SoundScale;
use super::{Control, bar, button, contact, knob, meters, rack, resonator, sound, theme};
use crate::instrument::parameters::{Param, Values};
use crate::instrument::{Snapshot, Viewer};
use egui::{Rect, Ui, Vec2, pos2, vec2};

/// The smallest window that shows everything.
pub const SMALLEST: Vec2 = vec2(640.0, 400.0);
/// The panel within it, when a window keeps a bar for itself.
const LEAST: Vec2 = vec2(640.0, 360.0);
/// A window nobody has resized yet.
pub const USUAL: Vec2 = vec2(1080.0, 700.0);

const BAR: f32 = 40.0;
const STATUS: f32 = 24.0;
/// Below these the pictures share one place.
const ROOMY: Vec2 = vec2(860.0, 540.0);

/// Which picture is seen where there is room for one only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Picture {
    Contact,
    Resonator,
    Spectrum,
    Wave,
    Level,
}

const PICTURES: [(Picture, &str, &str); 5] = [
    (Picture::Contact, "Contact", contact::HELP),
    (Picture::Resonator, "Resonator", resonator::HELP),
    (Picture::Spectrum, "Spectrum", sound::SPECTRUM_HELP),
    (Picture::Wave, "Wave", sound::WAVE_HELP),
    (Picture::Level, "Level", meters::LEVEL_HELP),
];

/// What the panel remembers from frame to frame. A window that is closed and opened again may keep it.
pub struct PanelState {
    hands: HandState,
    presets: Presets,
    sight: Sight,
}

impl Default for PanelState {
    fn default() -> Self {
        Self::new(Presets::default())
    }
}

impl PanelState {
    pub fn new(presets: Presets) -> Self {
        Self { hands: HandState::default(), presets, sight: Sight::default() }
    }

    /// Opens a preset from elsewhere, as a step that can be undone.
    pub fn open(&mut self, control: &dyn Control, preset: &str, values: &Values) {
        self.hands(control, 0.0, false).0.open(preset, values);
    }

    /// The knobs as they stand, and what is looked at.
    fn hands<'a>(
        &'a mut self,
        control: &'a dyn Control,
        now_s: f64,
        popups: bool,
    ) -> (Hands<'a>, &'a mut Presets, &'a mut Sight) {
        let Self { hands: state, presets, sight } = self;
        presets.follow(control.presets_opened(), || control.preset());
        let mut values = Values::default();
        for param in Param::all() {
            values.set(param, control.value(param));
        }
        (Hands { control, state, values, preset: presets.text.clone(), now_s, popups }, presets, sight)
    }
}

/// Everything that is only looked at.
struct Sight {
    picture: Picture,
    seen: Snapshot,
    scope: Scope,
    levels: Levels,
    contact: ContactScale,
    shape: ShapeScale,
    sound: SoundScale,
}

impl Default for Sight {
    fn default() -> Self {
        Self {
            picture: Picture::Contact,
            seen: Snapshot::default(),
            scope: Scope::default(),
            levels: Levels::default(),
            contact: ContactScale::default(),
            shape: ShapeScale::default(),
            sound: SoundScale::default(),
        }
    }
}

impl Sight {
    fn look(&mut self, viewer: Option<&mut Viewer>) {
        let Some(viewer) = viewer else { return };
        self.seen.clone_from(viewer.look());
        viewer.listen(|frame| self.scope.hear(frame));
        self.levels.take(&self.seen);
        self.scope.analyse();
    }
}

/// Draws the whole panel over `ui` and does what hands ask for.
pub fn panel(ui: &mut Ui, state: &mut PanelState, control: &dyn Control, viewer: Option<&mut Viewer>) {
    theme::apply(ui.ctx());
    let now_s = ui.input(|input| input.time);
    let popups = egui::Popup::is_any_open(ui.ctx());
    let (mut hands, presets, sight) = state.hands(control, now_s, popups);
    let hands = &mut hands;
    sight.look(viewer);
    // Hosts may make a window smaller than they were asked to: then it is cut, not squeezed.
    let full = Rect::from_min_size(ui.max_rect().min, ui.max_rect().size().max(LEAST));
    ui.painter().rect_filled(full, 0, theme::GROUND);
    let (top, rest) = full.split_top_bottom_at_y(full.top() + BAR);
    let (middle, bottom) = rest.split_top_bottom_at_y(rest.bottom() - STATUS);
    bar::show(ui, hands, presets, top);
    let middle = middle.shrink(theme::GAP);
    let roomy = full.width() >= ROOMY.x && full.height() >= ROOMY.y;
    let needed = rack::height(middle.width());
    let share = if roomy { 0.46 } else { 0.42 };
    let rack_height = needed.min(share * middle.height()).max(110.0);
    let (stage, rack) = middle.split_top_bottom_at_y(middle.bottom() - rack_height);
    let stage = Rect::from_min_max(stage.min, stage.max - vec2(0.0, theme::GAP));
    if roomy {
        wide_stage(ui, hands, sight, stage);
    } else {
        small_stage(ui, hands, sight, stage);
    }
    rack::show(ui, hands, rack);
    meters::status(ui, hands, bottom, &sight.seen, &sight.levels);
    // Pictures move: sixty frames a second as long as the window is seen.
    ui.request_repaint_after(std::time::Duration::from_millis(16));
}

/// Three columns: knobs over the level, the contact over the resonator, the spectrum over the wave.
fn wide_stage(ui: &mut Ui, hands: &mut Hands, sight: &mut Sight, rect: Rect) {
    let gap = theme::GAP;
    let left = (0.3 * rect.width()).clamp(280.0, 460.0);
    let (knobs, rest) = rect.split_left_right_at_x(rect.left() + left);
    let rest = Rect::from_min_max(rest.min + vec2(gap, 0.0), rest.max);
    let (middle, right) = rest.split_left_right_at_fraction(0.58);
    let right = Rect::from_min_max(right.min + vec2(gap, 0.0), right.max);
    let halves = |rect: Rect, share: f32| {
        let (upper, lower) = rect.split_top_bottom_at_fraction(share);
        (upper, Rect::from_min_max(lower.min + vec2(0.0, gap), lower.max))
    };
    let (front_rect, level) = halves(knobs, 0.56);
    front(ui, hands, front_rect);
    draw(ui, hands, sight, Picture::Level, level);
    let (contact, shape) = halves(middle, 0.62);
    draw(ui, hands, sight, Picture::Contact, contact);
    draw(ui, hands, sight, Picture::Resonator, shape);
    let (spectrum, wave) = halves(right, 0.62);
    draw(ui, hands, sight, Picture::Spectrum, spectrum);
    draw(ui, hands, sight, Picture::Wave, wave);
}

/// Knobs beside one picture that is chosen by its name.
fn small_stage(ui: &mut Ui, hands: &mut Hands, sight: &mut Sight, rect: Rect) {
    let (knobs, rest) = rect.split_left_right_at_x(rect.left() + (0.44 * rect.width()).clamp(270.0, 420.0));
    front(ui, hands, knobs);
    let rest = Rect::from_min_max(rest.min + vec2(theme::GAP, 0.0), rest.max);
    let (names, place) = rest.split_top_bottom_at_y(rest.top() + 24.0);
    // Longer names get wider chips, so that each has the same room around it.
    let signs = |name: &str| name.chars().count() as f32 + 3.0;
    let each = names.width() / PICTURES.iter().map(|(_, name, _)| signs(name)).sum::<f32>();
    let mut left = names.left();
    for (picture, name, help) in PICTURES {
        let chip = Rect::from_min_size(pos2(left, names.top()), vec2(each * signs(name) - 3.0, 21.0));
        left = chip.right() + 3.0;
        let lit = sight.picture == picture;
        let chip = button::button(ui, chip, name, &format!("Show {name}"), true, lit);
        if chip.on_hover_text(help).clicked() {
            sight.picture = picture;
        }
    }
    draw(ui, hands, sight, sight.picture, place);
}

/// Ra, V and ζ.
fn front(ui: &mut Ui, hands: &mut Hands, rect: Rect) {
    ui.painter().rect(rect, theme::ROUND, theme::CARD, theme::line(theme::EDGE), egui::StrokeKind::Inside);
    let inner = rect.shrink2(vec2(6.0, 6.0));
    let names = ["Roughness Ra", "Speed V", "Damping ζ"];
    let width = inner.width() / names.len() as f32;
    for (n, (param, name)) in rack::FRONT.into_iter().zip(names).enumerate() {
        let corner = inner.min + vec2(width * n as f32, 0.0);
        let place = Rect::from_min_size(corner, vec2(width, inner.height()));
        knob::large(ui, hands, param, name, place.shrink2(vec2(2.0, 0.0)));
    }
}

fn draw(ui: &mut Ui, hands: &mut Hands, sight: &mut Sight, picture: Picture, rect: Rect) {
    let Sight { seen, scope, levels, .. } = sight;
    let sounds = seen.body.is_some();
    match picture {
        Picture::Contact => contact::show(ui, rect, &seen.contact, &mut sight.contact, sounds),
        Picture::Resonator => resonator::show(ui, hands, rect, &seen.contact, &mut sight.shape, sounds),
        Picture::Spectrum => sound::spectrum(ui, rect, scope, seen, &mut sight.sound),
        Picture::Wave => sound::wave(ui, rect, scope, seen, &mut sight.sound),
        Picture::Level => meters::level(ui, rect, levels),
    }
}
