//! Curves that a case can show beside its findings: plain numbers, drawn by whoever has a pen.

/// One picture of curves over one pair of axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// Stem of the file: `olsson-deflection`.
    pub name: &'static str,
    pub title: String,
    /// Labels with their units.
    pub x: &'static str,
    pub y: &'static str,
    pub log_x: bool,
    pub log_y: bool,
    pub series: Vec<Series>,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pen {
    Line,
    /// A mark at every point.
    Marks,
    /// A mark at every point, joined by a line.
    JoinedMarks,
    /// The grey line that the others are compared with.
    Reference,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Empty: not in the legend.
    pub name: String,
    pub points: Vec<(f64, f64)>,
    pub pen: Pen,
}

impl Series {
    pub fn new(name: impl Into<String>, pen: Pen, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, pen }
    }
}
