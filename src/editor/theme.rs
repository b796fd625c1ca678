//! Colours and sizes in one place. Every text colour has a contrast of at least 4.5 to 1 on every ground it
//! stands on (WCAG 2.1, 1.4.3); a test holds it.

use egui::{Color32, CornerRadius, FontId, Stroke, Visuals};

pub const GROUND: Color32 = Color32::from_rgb(0x10, 0x13, 0x18);
pub const CARD: Color32 = Color32::from_rgb(0x19, 0x1E, 0x26);
/// Pictures and fields lie a little deeper than their card.
pub const WELL: Color32 = Color32::from_rgb(0x0C, 0x0F, 0x14);
pub const EDGE: Color32 = Color32::from_rgb(0x2B, 0x33, 0x3F);
pub const TRACK: Color32 = Color32::from_rgb(0x37, 0x41, 0x4F);
pub const TEXT: Color32 = Color32::from_rgb(0xEC, 0xF0, 0xF5);
pub const QUIET: Color32 = Color32::from_rgb(0xA3, 0xAF, 0xBF);
/// Values, lit contacts, whatever is on.
pub const AMBER: Color32 = Color32::from_rgb(0xFF, 0xB4, 0x54);
/// The resonator and its sound.
pub const CYAN: Color32 = Color32::from_rgb(0x63, 0xD2, 0xE8);
/// The slider.
pub const STEEL: Color32 = Color32::from_rgb(0x8D, 0x9B, 0xB0);
pub const GREEN: Color32 = Color32::from_rgb(0x86, 0xD9, 0x9A);
pub const RED: Color32 = Color32::from_rgb(0xFF, 0x7A, 0x70);

pub const ROUND: CornerRadius = CornerRadius::same(6);
pub const GAP: f32 = 6.0;

pub fn text(size: f32) -> FontId {
    FontId::proportional(size)
}

pub fn line(colour: Color32) -> Stroke {
    Stroke::new(1.0, colour)
}

/// The same colour, let through by so much.
pub fn faint(colour: Color32, share: f32) -> Color32 {
    colour.gamma_multiply(share)
}

/// Puts the theme on; cheap when it is on already.
pub fn apply(ctx: &egui::Context) {
    if ctx.global_style().visuals.panel_fill == GROUND {
        return;
    }
    ctx.set_theme(egui::Theme::Dark);
    ctx.all_styles_mut(|style| {
        let mut visuals = Visuals::dark();
        visuals.panel_fill = GROUND;
        visuals.window_fill = CARD;
        visuals.window_stroke = line(EDGE);
        visuals.extreme_bg_color = WELL;
        visuals.override_text_color = Some(TEXT);
        visuals.weak_text_color = Some(QUIET);
        visuals.selection.bg_fill = faint(AMBER, 0.35);
        visuals.selection.stroke = line(AMBER);
        visuals.widgets.inactive.weak_bg_fill = CARD;
        visuals.widgets.inactive.bg_stroke = line(EDGE);
        visuals.widgets.hovered.weak_bg_fill = EDGE;
        visuals.widgets.hovered.bg_stroke = line(QUIET);
        visuals.widgets.active.weak_bg_fill = TRACK;
        visuals.widgets.active.bg_stroke = line(AMBER);
        visuals.widgets.open.weak_bg_fill = EDGE;
        style.visuals = visuals;
        style.interaction.selectable_labels = false;
        style.interaction.tooltip_delay = 0.4;
        for font in style.text_styles.values_mut() {
            font.size = font.size.max(12.5);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance, WCAG 2.1.
    fn luminance(colour: Color32) -> f64 {
        let linear = |byte: u8| {
            let share = f64::from(byte) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(colour.r()) + 0.7152 * linear(colour.g()) + 0.0722 * linear(colour.b())
    }

    fn contrast(one: Color32, other: Color32) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn every_text_can_be_read_on_every_ground() {
        for ground in [GROUND, CARD, WELL, EDGE] {
            for ink in [TEXT, QUIET, AMBER, CYAN, STEEL, GREEN, RED] {
                assert!(contrast(ink, ground) >= 4.5, "{ink:?} on {ground:?}: {:.2}", contrast(ink, ground));
            }
        }
        assert!(contrast(WELL, AMBER) >= 4.5, "on a button that is lit");
    }

    /// What egui draws by itself: lists, fields, the app's bar and pad.
    #[test]
    fn texts_of_lists_and_bars_can_be_read() {
        let ctx = egui::Context::default();
        apply(&ctx);
        let visuals = &ctx.global_style().visuals;
        let selected = CARD.blend(visuals.selection.bg_fill);
        let hovered = visuals.widgets.hovered.weak_bg_fill;
        for (ink, ground) in [
            (TEXT, selected),
            (TEXT, hovered),
            (TEXT, visuals.widgets.active.weak_bg_fill),
            (visuals.weak_text_color(), visuals.extreme_bg_color),
            (visuals.warn_fg_color, visuals.panel_fill),
        ] {
            assert!(contrast(ink, ground) >= 4.5, "{ink:?} on {ground:?}: {:.2}", contrast(ink, ground));
        }
        // What is turned and what is chosen by keyboard is seen without reading (WCAG 2.1, 1.4.11).
        for ground in [GROUND, CARD, WELL] {
            assert!(contrast(AMBER, ground) >= 3.0 && contrast(CYAN, ground) >= 3.0);
        }
    }
}
