//! The look that all pictures share: paper, ink, palette, text sizes.
//!
//! The palette is Okabe and Ito's ("Color universal design", 2008): told apart with every common kind
//! of colour blindness and in grey print.

use std::sync::Once;

use plotters::style::{FontStyle, IntoFont, RGBColor, TextStyle, register_font as register};

pub const SIZE: (u32, u32) = (1600, 1000);

pub const PAPER: RGBColor = RGBColor(255, 255, 255);
pub const INK: RGBColor = RGBColor(40, 40, 40);
pub const GRID: RGBColor = RGBColor(218, 218, 218);
pub const FINE_GRID: RGBColor = RGBColor(240, 240, 240);
pub const REFERENCE: RGBColor = RGBColor(110, 110, 110);

/// SVG readers take their own sans-serif; PNG has the embedded one under the same name.
const FONT: &str = "sans-serif";
pub const TITLE_PX: u32 = 36;
pub const LABEL_PX: u32 = 32;
pub const TICK_PX: u32 = 28;

/// Series that differ by colour alone.
pub const COLOURS: usize = 7;
/// Blue, vermilion, green, purple, orange, sky blue, black: the order keeps neighbours far apart.
const PALETTE: [RGBColor; COLOURS] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// Colour of the n-th series.
pub fn series(index: usize) -> RGBColor {
    PALETTE[index % PALETTE.len()]
}

/// Ink of that size.
pub fn text(size_px: u32) -> TextStyle<'static> {
    TextStyle::from((FONT, size_px).into_font()).color(&INK)
}

/// Gives the drawing library the font that travels with the program: no system font is needed.
pub fn register_font() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // The bytes are compiled in and known to parse; a failure would show as missing text at once.
        let _ = register(FONT, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT);
    });
}
