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
    /// A full line in the n-th colour.
    pub fn series(index: usize) -> Self {
        Self { colour: style::series(index), width: 3, dash: None }
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
