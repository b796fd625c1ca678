//! What is heard: velocity, acceleration, displacement or radiated pressure at a point.
//!
//! Velocity at x is Σ ψ_k(x)·v_k. Acceleration is its derivative, taken by the decimation kernel;
//! displacement is Σ ψ_k(x)·q_k about the rest position, freed of what is left of DC by a high-pass of
//! second order at 8 Hz.
//!
//! Pressure is what `pressure` says.

use super::decimate::Kernel;
use super::grid::ShapeGrid;
use super::lanes::{Row, put};
use super::modes::ModeTable;
use super::pass::Taps;
use super::pressure;
use super::shapes::UnitShapes;
use crate::record::Quantity;
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Corner of the displacement's high-pass.
const HIGH_PASS_HZ: f64 = 8.0;

/// A microphone or a probe on the resonator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    pub position_m: f64,
    pub quantity: Quantity,
    pub distance_m: f64,
}

/// Which kernel a quantity is decimated with.
pub fn kernel(quantity: Quantity) -> Kernel {
    match quantity {
        Quantity::Velocity | Quantity::Displacement => Kernel::Plain,
        Quantity::Acceleration | Quantity::Pressure => Kernel::Derivative,
    }
}

/// Taps of the right size for a quantity, all zero.
pub fn blank(quantity: Quantity, rows: usize) -> Taps {
    let list = |wanted: bool| if wanted { vec![Row::ZERO; rows] } else { Vec::new() };
    Taps {
        on_w: list(quantity != Quantity::Displacement),
        on_q: list(matches!(quantity, Quantity::Displacement | Quantity::Pressure)),
    }
}

/// Writes the taps of one pick-up. Nothing is allocated.
pub fn fill(
    taps: &mut Taps,
    place: &Place,
    table: &ModeTable,
    shapes: &UnitShapes,
    grid: &ShapeGrid,
    length_m: f64,
) {
    if place.quantity == Quantity::Pressure {
        return pressure::fill(taps, place, table, grid, length_m);
    }
    for (k, mode) in table.modes.iter().enumerate().take(table.resonator) {
        let speed = mode.velocity_gain() / table.step_s;
        match place.quantity {
            Quantity::Velocity | Quantity::Acceleration => {
                let shape = shapes.shape(k, place.position_m, length_m);
                put(&mut taps.on_w, k, (shape * speed) as f32);
            }
            Quantity::Displacement | Quantity::Pressure => {
                put(&mut taps.on_q, k, shapes.shape(k, place.position_m, length_m) as f32);
            }
        }
    }
}

/// Second-order Butterworth high-pass at the host's rate, for displacement.
#[derive(Debug, Clone)]
pub struct HighPass {
    b: f64,
    a1: f64,
    a2: f64,
    x: [f64; 2],
    y: [f64; 2],
}

impl HighPass {
    pub fn new(rate_hz: f64) -> Self {
        let k = (PI * HIGH_PASS_HZ / rate_hz).tan();
        let norm = 1.0 / (1.0 + k / FRAC_1_SQRT_2 + k * k);
        Self {
            b: norm,
            a1: 2.0 * (k * k - 1.0) * norm,
            a2: (1.0 - k / FRAC_1_SQRT_2 + k * k) * norm,
            x: [0.0; 2],
            y: [0.0; 2],
        }
    }

    pub fn is_silent(&self) -> bool {
        self.y.iter().chain(&self.x).all(|value| value.abs() < 1e-30)
    }

    pub fn reset(&mut self) {
        self.x = [0.0; 2];
        self.y = [0.0; 2];
    }

    pub fn run(&mut self, input: f32) -> f32 {
        let x = f64::from(input);
        let y = self.b * (x - 2.0 * self.x[0] + self.x[1]) - self.a1 * self.y[0] - self.a2 * self.y[1];
        // Decays to nothing would end in subnormal numbers, which are slow.
        let y = if y.abs() < 1e-30 { 0.0 } else { y };
        if !y.is_finite() {
            // One such number would stay for ever.
            self.reset();
            return 0.0;
        }
        self.x = [x, self.x[0]];
        self.y = [y, self.y[0]];
        y as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_pass_takes_out_a_constant() {
        let mut filter = HighPass::new(48_000.0);
        let mut last = 1.0;
        for _ in 0..48_000 {
            last = filter.run(1.0);
        }
        assert!(last.abs() < 1e-6);
    }
}
