//! A pick-up at one point of a beam: Σ_k ψ_k(x) times modal displacement, velocity or acceleration.

use crate::beam::ModalBasis;
use crate::math::vector::dot;
use crate::record::Quantity;

pub struct Point {
    shapes: Vec<f64>,
    quantity: Quantity,
    /// Deflection at the start, which a displacement pick-up does not report.
    rest_m: Option<f64>,
}

impl Point {
    pub fn new(basis: &ModalBasis, position_m: f64, quantity: Quantity) -> Self {
        let mut shapes = vec![0.0; basis.len()];
        basis.shapes_at(position_m, &mut shapes);
        Self { shapes, quantity, rest_m: None }
    }

    /// The quantity at this instant from the beam's modal displacements, velocities and accelerations.
    pub fn read(&mut self, displacement: &[f64], velocity: &[f64], acceleration: &[f64]) -> f64 {
        match self.quantity {
            Quantity::Velocity => dot(&self.shapes, velocity),
            Quantity::Displacement => {
                let deflection = dot(&self.shapes, displacement);
                deflection - *self.rest_m.get_or_insert(deflection)
            }
            Quantity::Acceleration => dot(&self.shapes, acceleration),
            // No point of the beam has a pressure: that is a microphone's.
            Quantity::Pressure => f64::NAN,
        }
    }
}
