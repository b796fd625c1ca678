//! What the signs of a plot mean: in a corner of the axes where there is room, or beside them.

use plotters::element::{Circle, Rectangle, Text};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, RGBColor};

use super::stroke::{Pixel, Stroke};
use super::style::{self, PAPER, text};
use super::{Area, Painted};

/// Where the legend finds room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corner {
    UpperLeft,
    UpperRight,
    LowerLeft,
    LowerRight,
}

/// What a legend shows beside a name.
pub enum Sign {
    Line(Stroke),
    Dot(RGBColor),
    Patch(RGBColor),
}

/// Names in the order of their drawing.
#[derive(Default)]
pub struct Legend {
    rows: Vec<(Sign, String)>,
}

/// Height of a line of the legend, width of its sign, air around.
const ROW: i32 = 40;
const SIGN: i32 = 56;
const PAD: i32 = 14;
/// How much of its colour a patch shows.
pub const PATCH: f64 = 0.4;
/// What stands beside the axes begins level with them, below the title.
const TITLE_PX: u32 = 80;

/// Parts a sheet into one for the axes and one, so wide, for the legend beside them.
pub fn beside<DB: DrawingBackend>(area: &Area<DB>, side_px: u32) -> (Area<DB>, Area<DB>) {
    let width = area.dim_in_pixel().0;
    let (main, side) = area.split_horizontally(width.saturating_sub(side_px));
    (main, side.margin(TITLE_PX, 0, 0, 0))
}

impl Legend {
    pub fn push(&mut self, sign: Sign, name: &str) {
        self.rows.push((sign, name.to_owned()));
    }

    /// A framed box over the plot; nothing where nothing was named.
    pub fn draw_in<DB: DrawingBackend>(&self, inside: &Area<DB>, corner: Corner) -> Painted<DB> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let font = text(style::TICK_PX);
        let mut widest = 0;
        for (_, name) in &self.rows {
            widest = widest.max(inside.estimate_text_size(name, &font)?.0 as i32);
        }
        let (width, height) = (widest + SIGN + 3 * PAD, self.rows.len() as i32 * ROW + PAD);
        let (full_width, full_height) = inside.dim_in_pixel();
        let left = match corner {
            Corner::UpperLeft | Corner::LowerLeft => PAD,
            Corner::UpperRight | Corner::LowerRight => full_width as i32 - width - PAD,
        };
        let top = match corner {
            Corner::UpperLeft | Corner::UpperRight => PAD,
            Corner::LowerLeft | Corner::LowerRight => full_height as i32 - height - PAD,
        };
        let frame = [(left, top), (left + width, top + height)];
        inside.draw(&Rectangle::new(frame, PAPER.mix(0.88).filled()))?;
        inside.draw(&Rectangle::new(frame, style::GRID.stroke_width(1)))?;
        self.draw_rows(inside, (left, top + PAD / 2))
    }

    /// On an area of its own, with `notes` below.
    pub fn draw_beside<DB: DrawingBackend>(&self, area: &Area<DB>, notes: &[String]) -> Painted<DB> {
        self.draw_rows(area, (0, 0))?;
        let left_middle = text(style::TICK_PX).pos(Pos::new(HPos::Left, VPos::Center));
        for (row, note) in notes.iter().enumerate() {
            let middle = (self.rows.len() + row) as i32 * ROW + PAD + ROW / 2;
            area.draw(&Text::new(note.as_str(), (PAD, middle), left_middle.clone()))?;
        }
        Ok(())
    }

    fn draw_rows<DB: DrawingBackend>(&self, area: &Area<DB>, (left, top): Pixel) -> Painted<DB> {
        let left_middle = text(style::TICK_PX).pos(Pos::new(HPos::Left, VPos::Center));
        for (row, (sign, name)) in self.rows.iter().enumerate() {
            let middle = top + row as i32 * ROW + ROW / 2;
            let (from, to) = (left + PAD, left + PAD + SIGN);
            match sign {
                Sign::Line(stroke) => stroke.draw(area, vec![(from, middle), (to, middle)])?,
                Sign::Dot(colour) => {
                    area.draw(&Circle::new(((from + to) / 2, middle), 7, colour.filled()))?;
                }
                Sign::Patch(colour) => {
                    let patch = [(from, middle - 11), (to, middle + 11)];
                    area.draw(&Rectangle::new(patch, colour.mix(PATCH).filled()))?;
                }
            }
            area.draw(&Text::new(name.as_str(), (to + PAD, middle), left_middle.clone()))?;
        }
        Ok(())
    }
}
