//! How a line is drawn.

use plotters::element::{DashedPathElement, PathElement};
use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBColor};

use super::{Area, Painted, style};

/// A place on an area, from its upper left corner.
pub type Pixel = (i32, i32);

/// Colour, width and kind of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    pub colour: RGBColor,
    pub width: u32,
    /// Length of dash and gap in pixels; none for a full line.
    pub dash: Option<(u32, u32)>,
}

impl Stroke {
    /// A line in the n-th colour; full, or dashed where the colours begin again.
    pub fn series(index: usize) -> Self {
        let full = Self { colour: style::series(index), width: 3, dash: None };
        if (index / style::COLOURS).is_multiple_of(2) { full } else { full.dashed() }
    }

    /// A grey dashed line for what is compared with.
    pub fn reference() -> Self {
        Self { colour: style::REFERENCE, width: 2, dash: Some((12, 9)) }
    }

    pub fn thin(self) -> Self {
        Self { width: 1, ..self }
    }

    pub fn dashed(self) -> Self {
        Self { dash: Some((12, 9)), ..self }
    }

    pub fn dotted(self) -> Self {
        Self { dash: Some((3, 7)), ..self }
    }

    /// Joins the pixels in their order.
    pub fn draw<DB: DrawingBackend>(self, area: &Area<DB>, pixels: Vec<Pixel>) -> Painted<DB> {
        let shape = self.colour.stroke_width(self.width);
        match self.dash {
            None => area.draw(&PathElement::new(pixels, shape)),
            Some((dash, gap)) => area.draw(&DashedPathElement::new(pixels, dash, gap, shape)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_in_a_legend_differ_in_colour_or_dash() {
        let strokes: Vec<Stroke> = (0..2 * style::COLOURS).map(Stroke::series).collect();
        for (index, stroke) in strokes.iter().enumerate() {
            assert!(!strokes[..index].contains(stroke), "series {index}");
        }
    }
}
