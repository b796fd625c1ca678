//! Rough profiles: made, measured, imported. Uses `math` and `error` only; knows no beam, no contact.
//!
//! A profile is made from a [`Roughness`]; its limits are checked before anything is allocated.

mod autocorrelation;
mod gaussian;
mod import;
mod measure;
mod noise;
mod random;
mod regular;
mod roughness;
mod spacing;
#[cfg(test)]
mod tests;

pub use autocorrelation::{autocorrelation, correlation_length_m};
pub use gaussian::GaussianFilter;
pub use import::{ImportOptions, Imported, import, import_bytes, import_with};
pub use measure::{Measures, filtered, measure};
pub use roughness::{Roughness, Texture};

use std::io::{self, Write};

/// Most nodes of one profile, made or imported: 80 MB of heights, 22 times the bench at a step of 1 µm.
pub const MAX_NODES: usize = 10_000_000;

/// Heights on an even grid, metres. Node `l` stands at `l · step_m`.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    pub step_m: f64,
    pub heights_m: Vec<f64>,
    /// The end joins the beginning seamlessly: node `N` is node 0.
    pub periodic: bool,
}

impl Profile {
    /// From the first node to the last, or the period.
    pub fn length_m(&self) -> f64 {
        let intervals =
            if self.periodic { self.heights_m.len() } else { self.heights_m.len().saturating_sub(1) };
        intervals as f64 * self.step_m
    }

    pub fn mean_m(&self) -> f64 {
        self.heights_m.iter().sum::<f64>() / self.heights_m.len().max(1) as f64
    }

    /// Arithmetic roughness Ra = mean |z - mean z| over all nodes, unfiltered (ISO 4287, 4.2.1).
    pub fn ra(&self) -> f64 {
        let mean = self.mean_m();
        self.heights_m.iter().map(|z| (z - mean).abs()).sum::<f64>() / self.heights_m.len().max(1) as f64
    }

    /// The same shape with zero mean and exactly this Ra. A flat profile stays flat.
    pub fn scaled_to_ra(mut self, ra_m: f64) -> Self {
        let mean = self.mean_m();
        let ra = self.ra();
        let scale = if ra > 0.0 { ra_m / ra } else { 0.0 };
        for height in &mut self.heights_m {
            *height = (*height - mean) * scale;
        }
        self
    }
}

/// The profile as CSV: header `x_m,height_m`, shortest digits that read back to the same numbers.
pub fn write_csv(profile: &Profile, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    writeln!(out, "x_m,height_m")?;
    for (l, height) in profile.heights_m.iter().enumerate() {
        writeln!(out, "{:?},{height:?}", l as f64 * profile.step_m)?;
    }
    Ok(())
}
