//! Complex modes of (s²M + sC + K)·q = 0 with matrices that need not be symmetric.
//!
//! Eigenvalues from the real Schur form of the state matrix (`nalgebra`), scaled so that speeds and
//! displacements weigh the same; shapes by inverse iteration on the quadratic problem itself.

use crate::error::Error;
use nalgebra::{Complex, DMatrix, DVector, Schur};
use std::f64::consts::PI;

type C64 = Complex<f64>;

#[derive(Debug, Clone)]
pub struct Matrices {
    pub mass: DMatrix<f64>,
    pub damping: DMatrix<f64>,
    pub stiffness: DMatrix<f64>,
}

impl Matrices {
    pub fn zeros(count: usize) -> Self {
        let zero = DMatrix::zeros(count, count);
        Self { mass: zero.clone(), damping: zero.clone(), stiffness: zero }
    }

    /// Yᵀ·(M, C, K)·Z.
    pub fn between(&self, left: &DMatrix<f64>, right: &DMatrix<f64>) -> Self {
        let press = |matrix: &DMatrix<f64>| left.transpose() * matrix * right;
        Self { mass: press(&self.mass), damping: press(&self.damping), stiffness: press(&self.stiffness) }
    }
}

/// One mode q·e^(st), s = growth + j·2πf.
#[derive(Debug, Clone)]
pub struct ComplexMode {
    pub frequency_hz: f64,
    /// Re s, 1/s: positive grows.
    pub growth_1_s: f64,
    /// -Re s/|s|.
    pub damping_ratio: f64,
    /// In the coordinates of the matrices, of unit length.
    pub shape: DVector<C64>,
}

impl ComplexMode {
    pub fn eigenvalue(&self) -> C64 {
        C64::new(self.growth_1_s, 2.0 * PI * self.frequency_hz)
    }

    pub fn is_unstable(&self) -> bool {
        self.damping_ratio < super::UNSTABLE_BELOW
    }
}

const MAX_SWEEPS: usize = 100_000;

/// All modes in order of frequency, one of each conjugate pair. A mode that does not swing is kept when it
/// grows.
pub fn complex_modes(matrices: &Matrices) -> Result<Vec<ComplexMode>, Error> {
    let unsolved = || Error::Other("the complex modes of sliding could not be computed".to_owned());
    let count = matrices.mass.nrows();
    let factors = matrices.mass.clone().lu();
    let stiffness = factors.solve(&matrices.stiffness).ok_or_else(unsolved)?;
    let damping = factors.solve(&matrices.damping).ok_or_else(unsolved)?;
    let scale = stiffness.diagonal().amax().sqrt().max(1.0);
    let mut state = DMatrix::zeros(2 * count, 2 * count);
    for k in 0..count {
        state[(k, count + k)] = scale;
    }
    state.view_mut((count, 0), (count, count)).copy_from(&(&stiffness / -scale));
    state.view_mut((count, count), (count, count)).copy_from(&-&damping);
    let schur = Schur::try_new(state, f64::EPSILON, MAX_SWEEPS).ok_or_else(unsolved)?;
    let quiet = 1e-9 * scale;
    let mut modes: Vec<ComplexMode> = schur
        .complex_eigenvalues()
        .iter()
        .filter(|s| s.im > quiet || (s.im.abs() <= quiet && s.re > quiet))
        .map(|&s| ComplexMode {
            frequency_hz: s.im / (2.0 * PI),
            growth_1_s: s.re,
            damping_ratio: -s.re / s.norm(),
            shape: shape(&stiffness, &damping, s),
        })
        .collect();
    modes.sort_by(|a, b| a.frequency_hz.total_cmp(&b.frequency_hz));
    Ok(modes)
}

/// The null vector of s² + s·C + K by inverse iteration a hair beside s.
fn shape(stiffness: &DMatrix<f64>, damping: &DMatrix<f64>, s: C64) -> DVector<C64> {
    let count = stiffness.nrows();
    let beside = s * C64::new(1.0 + 1e-9, 1e-9);
    let dynamic = DMatrix::from_fn(count, count, |k, l| {
        let own = if k == l { beside * beside } else { C64::new(0.0, 0.0) };
        own + beside * damping[(k, l)] + stiffness[(k, l)]
    });
    let factors = dynamic.lu();
    // Any start that no shape is orthogonal to.
    let mut vector = DVector::from_fn(count, |k, _| C64::new(1.0, 0.3 * (k as f64 + 1.0).sin()));
    for _ in 0..4 {
        match factors.solve(&vector) {
            Some(next) if next.norm().is_finite() && next.norm() > 0.0 => vector = next.unscale(next.norm()),
            _ => break,
        }
    }
    vector
}

/// Modal assurance criterion of two shapes: 1 the same, 0 nothing in common.
pub fn mac(a: &DVector<C64>, b: &DVector<C64>) -> f64 {
    a.dotc(b).norm_sqr() / (a.norm_squared() * b.norm_squared())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two(coupling: [f64; 2], zeta: f64) -> Matrices {
        let mut matrices = Matrices::zeros(2);
        matrices.mass = DMatrix::identity(2, 2);
        matrices.damping = DMatrix::identity(2, 2) * (2.0 * zeta * 10.0);
        matrices.stiffness = DMatrix::from_row_slice(2, 2, &[100.0, coupling[0], coupling[1], 110.0]);
        matrices
    }

    #[test]
    fn val_two_masses_flutter_where_theory_says() {
        // s⁴ + 210 s² + 11000 - ab: complex as soon as -ab > 25.
        let still = complex_modes(&two([4.9, -4.9], 0.0)).unwrap();
        assert!(still.iter().all(|mode| mode.growth_1_s.abs() < 1e-9));
        let flutter = complex_modes(&two([10.0, -10.0], 0.0)).unwrap();
        // s² = -105 ± j·√75.
        let s = C64::new(-105.0, 75f64.sqrt()).sqrt();
        let growing = flutter.iter().find(|mode| mode.growth_1_s > 0.0).unwrap();
        assert!((growing.growth_1_s - s.re.abs()).abs() < 1e-9);
        assert!((2.0 * PI * growing.frequency_hz - s.im.abs()).abs() < 1e-9);
        assert!(growing.is_unstable());
    }

    #[test]
    fn shapes_solve_the_problem() {
        let matrices = two([10.0, -3.0], 0.02);
        for mode in complex_modes(&matrices).unwrap() {
            let s = mode.eigenvalue();
            let left = matrices.stiffness.map(C64::from) * &mode.shape
                + matrices.damping.map(C64::from) * &mode.shape * s
                + &mode.shape * (s * s);
            assert!(left.norm() < 1e-6, "{left}");
            assert!((mac(&mode.shape, &(&mode.shape * C64::new(0.0, 2.0))) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_damped_oscillator_has_its_damping_ratio() {
        for mode in complex_modes(&two([0.0, 0.0], 0.03)).unwrap() {
            let omega = mode.eigenvalue().norm();
            assert!((mode.damping_ratio - 0.3 / omega).abs() < 1e-9);
        }
    }
}
