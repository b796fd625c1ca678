//! Euler–Bernoulli beams in modal form: material, ends, natural frequencies, mode shapes. Uses `math`
//! only; knows no surface, no contact and no time step.
//!
//! Everything is per metre of width: m = ρH, D = EH³/12 (Dang 2013, eq. 3 for a plane problem).

mod modes;

pub use modes::{ModalBasis, ShapeBounds};

/// How a beam is held at both ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// Dang 2013, eq. 4: no deflection, no moment.
    Pinned,
    /// Dang 2013, eq. 5: no moment, no shear; two rigid modes come first.
    Free,
}

impl Ends {
    pub const NAMES: [&'static str; 2] = ["pinned", "free"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Pinned, Self::Free].into_iter().find(|ends| ends.name() == name)
    }
}

/// A uniform beam of rectangular section, one metre wide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Beam {
    pub length_m: f64,
    pub thickness_m: f64,
    pub young_pa: f64,
    pub density_kg_m3: f64,
    pub ends: Ends,
}

impl Beam {
    /// m = ρH, kg/m².
    pub fn mass_per_area(&self) -> f64 {
        self.density_kg_m3 * self.thickness_m
    }

    /// D = EH³/12, N·m.
    pub fn bending_stiffness(&self) -> f64 {
        self.young_pa * self.thickness_m.powi(3) / 12.0
    }

    /// Mass of one metre of width, kg/m.
    pub fn mass(&self) -> f64 {
        self.mass_per_area() * self.length_m
    }

    /// Above about 0.1 c/H the wavelength is no longer long next to the thickness and the theory ends
    /// (Dang 2013, §2).
    pub fn theory_limit_hz(&self) -> f64 {
        0.1 * (self.young_pa / self.density_kg_m3).sqrt() / self.thickness_m
    }
}
