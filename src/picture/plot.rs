//! One set of axes with what stands on it. Everything is clipped to the axes, long lines are thinned
//! to what the page can show, and named series enter the legend by themselves.

use plotters::chart::ChartBuilder;
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, RGBColor};

use super::legend::{self, Corner, Legend, Sign};
use super::lines::{clipped, thinned};
use super::stroke::{Pixel, Stroke};
use super::style::{self, INK, PAPER, text};
use super::{Area, Axis, Painted};

pub struct Plot<DB: DrawingBackend> {
    /// The inside of the axes, in pixels.
    inside: Area<DB>,
    x: Axis,
    y: Axis,
    legend: Legend,
}

impl<DB: DrawingBackend> Plot<DB> {
    /// Draws title, grid and axes over the whole area.
    pub fn new(area: &Area<DB>, title: &str, x: Axis, y: Axis) -> Painted<DB, Self> {
        let body = titled(area, title)?;
        let mut chart = ChartBuilder::on(&body)
            .margin(18)
            .margin_right(36)
            .x_label_area_size(84)
            .y_label_area_size(128)
            .build_cartesian_2d(x.clone(), y.clone())?;
        chart
            .configure_mesh()
            .bold_line_style(style::GRID)
            .light_line_style(style::FINE_GRID)
            .axis_style(INK.stroke_width(2))
            .label_style(text(style::TICK_PX))
            .axis_desc_style(text(style::LABEL_PX))
            .x_desc(x.label.as_str())
            .y_desc(y.label.as_str())
            .draw()?;
        let inside = chart.plotting_area().strip_coord_spec();
        Ok(Self { inside, x, y, legend: Legend::default() })
    }

    /// A line through the points in their order; it breaks where a point has no place.
    pub fn line(
        &mut self,
        points: impl IntoIterator<Item = (f64, f64)>,
        stroke: Stroke,
        name: Option<&str>,
    ) -> Painted<DB> {
        let places: Vec<_> = points.into_iter().map(|point| self.place(point)).collect();
        let places = thinned(&places, self.inside.dim_in_pixel().0 as usize);
        for run in clipped(&places) {
            let pixels: Vec<Pixel> = run.into_iter().map(|place| self.pixel(place)).collect();
            self.stroke(pixels, stroke)?;
        }
        self.name(Sign::Line(stroke), name);
        Ok(())
    }

    /// A dot at each point inside the axes.
    pub fn markers(
        &mut self,
        points: impl IntoIterator<Item = (f64, f64)>,
        colour: RGBColor,
        name: Option<&str>,
    ) -> Painted<DB> {
        for place in points.into_iter().map(|point| self.place(point)).filter(|place| is_inside(*place)) {
            self.inside.draw(&Circle::new(self.pixel(place), 7, colour.filled()))?;
        }
        self.name(Sign::Dot(colour), name);
        Ok(())
    }

    /// A vertical bar from low to high at each `(x, low, high)`.
    pub fn error_bars(
        &mut self,
        bars: impl IntoIterator<Item = (f64, f64, f64)>,
        colour: RGBColor,
    ) -> Painted<DB> {
        for (x, low, high) in bars {
            let ends = [self.place((x, low)), self.place((x, high))];
            for run in clipped(&ends) {
                let pixels: Vec<Pixel> = run.iter().map(|place| self.pixel(*place)).collect();
                let caps = pixels.iter().zip(&run).filter(|(_, place)| ends.contains(place));
                for ((px, py), _) in caps {
                    let cap = vec![(px - 7, *py), (px + 7, *py)];
                    self.inside.draw(&PathElement::new(cap, colour.stroke_width(2)))?;
                }
                self.inside.draw(&PathElement::new(pixels, colour.stroke_width(2)))?;
            }
        }
        Ok(())
    }

    /// The pale area between two curves, given as `(x, low, high)` in the order of x.
    pub fn band(
        &mut self,
        bounds: impl IntoIterator<Item = (f64, f64, f64)>,
        colour: RGBColor,
        name: Option<&str>,
    ) -> Painted<DB> {
        let bounds: Vec<_> = bounds
            .into_iter()
            .map(|(x, low, high)| (self.x.place(x), self.y.place(low), self.y.place(high)))
            .filter(|(x, low, high)| (0.0..=1.0).contains(x) && !low.is_nan() && !high.is_nan())
            .collect();
        let edge = |x: f64, y: f64| self.pixel((x, y.clamp(0.0, 1.0)));
        let lower = bounds.iter().map(|(x, low, _)| edge(*x, *low));
        let upper = bounds.iter().rev().map(|(x, _, high)| edge(*x, *high));
        let outline: Vec<Pixel> = lower.chain(upper).collect();
        if bounds.len() > 1 {
            self.inside.draw(&Polygon::new(outline, colour.mix(0.2)))?;
        }
        self.name(Sign::Patch(colour), name);
        Ok(())
    }

    /// Columns that stand on the lower axis, `(from, to, height)` each.
    pub fn columns(
        &mut self,
        columns: impl IntoIterator<Item = (f64, f64, f64)>,
        colour: RGBColor,
        name: Option<&str>,
    ) -> Painted<DB> {
        for (from, to, height) in columns {
            let (from, to) = (self.x.place(from).clamp(0.0, 1.0), self.x.place(to).clamp(0.0, 1.0));
            let top = self.y.place(height);
            // Nothing to show: beside the axes, or no height.
            if !(to > from && top > 0.0) {
                continue;
            }
            let corners = [self.pixel((from, 0.0)), self.pixel((to, top.min(1.0)))];
            self.inside.draw(&Rectangle::new(corners, colour.mix(0.45).filled()))?;
            self.inside.draw(&Rectangle::new(corners, colour.stroke_width(1)))?;
        }
        self.name(Sign::Patch(colour), name);
        Ok(())
    }

    /// Lines from bottom to top at each x: natural frequencies, instants.
    pub fn verticals(
        &mut self,
        positions: impl IntoIterator<Item = f64>,
        stroke: Stroke,
        name: Option<&str>,
    ) -> Painted<DB> {
        for place in positions.into_iter().map(|x| self.x.place(x)).filter(|x| (0.0..=1.0).contains(x)) {
            self.stroke(vec![self.pixel((place, 0.0)), self.pixel((place, 1.0))], stroke)?;
        }
        self.name(Sign::Line(stroke), name);
        Ok(())
    }

    /// A line from side to side: a limit, a reference.
    pub fn horizontal(&mut self, y: f64, stroke: Stroke, name: Option<&str>) -> Painted<DB> {
        let place = self.y.place(y);
        if (0.0..=1.0).contains(&place) {
            self.stroke(vec![self.pixel((0.0, place)), self.pixel((1.0, place))], stroke)?;
        }
        self.name(Sign::Line(stroke), name);
        Ok(())
    }

    /// A filled rectangle between two corners, with a text in its middle.
    pub fn field(&mut self, corners: [(f64, f64); 2], colour: RGBColor, inside: &str) -> Painted<DB> {
        let [(ax, ay), (bx, by)] = corners.map(|corner| self.place(corner));
        let cut = |place: f64| place.clamp(0.0, 1.0);
        let (from, to) = (self.pixel((cut(ax), cut(ay))), self.pixel((cut(bx), cut(by))));
        self.inside.draw(&Rectangle::new([from, to], colour.mix(legend::PATCH).filled()))?;
        self.inside.draw(&Rectangle::new([from, to], PAPER.stroke_width(2)))?;
        let middle = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
        let centred = text(style::TICK_PX).pos(Pos::new(HPos::Center, VPos::Center));
        self.inside.draw(&Text::new(inside, middle, centred))
    }

    /// Names a colour that fields are filled with.
    pub fn patch_name(&mut self, colour: RGBColor, name: &str) {
        self.name(Sign::Patch(colour), Some(name));
    }

    /// Draws the legend, if anything was named; last, so that it lies on top.
    pub fn finish(self, corner: Corner) -> Painted<DB> {
        self.legend.draw_in(&self.inside, corner)
    }

    /// Puts the legend on an area of its own, for many series that fill the axes; `notes` stand below it.
    pub fn finish_beside(self, area: &Area<DB>, notes: &[String]) -> Painted<DB> {
        self.legend.draw_beside(area, notes)
    }

    fn name(&mut self, sign: Sign, name: Option<&str>) {
        if let Some(name) = name {
            self.legend.push(sign, name);
        }
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x.place(x), self.y.place(y))
    }

    fn pixel(&self, (x, y): (f64, f64)) -> Pixel {
        let (width, height) = self.inside.dim_in_pixel();
        ((x * f64::from(width)).round() as i32, ((1.0 - y) * f64::from(height)).round() as i32)
    }

    fn stroke(&self, pixels: Vec<Pixel>, stroke: Stroke) -> Painted<DB> {
        stroke.draw(&self.inside, pixels)
    }
}

/// Writes a title over an area and gives what is left below it. The library would set its own captions hard
/// against the frame.
pub fn titled<DB: DrawingBackend>(area: &Area<DB>, title: &str) -> Painted<DB, Area<DB>> {
    let (head, body) = area.split_vertically(if title.is_empty() { 0 } else { 64 });
    let centred = text(style::TITLE_PX).pos(Pos::new(HPos::Center, VPos::Center));
    head.draw(&Text::new(title, (head.dim_in_pixel().0 as i32 / 2, 36), centred))?;
    Ok(body)
}

fn is_inside((x, y): (f64, f64)) -> bool {
    (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y)
}
