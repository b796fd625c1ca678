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

#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    /// What the others are compared with.
    pub reference: bool,
}

impl Series {
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, reference: false }
    }

    pub fn reference(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { reference: true, ..Self::new(name, points) }
    }
}
