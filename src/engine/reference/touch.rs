//! A slave node and the master segment that it meets (Dang 2013, eqs. 28 and 29).

use crate::contact::Interpolation;

/// One slave node in contact.
#[derive(Debug, Clone, Copy)]
pub struct Touch {
    /// Slave profile: 0 the resonator's, 1 the slider's.
    pub pass: usize,
    /// Slave node; on a loop counted on without end.
    pub slave: i64,
    /// First node l' of the master segment.
    pub master: i64,
    pub gap: f64,
    /// ≥ 0; the paper's f is its negative.
    pub pressure: f64,
    /// ∂g/∂Δ at fixed deflection: how the drive opens the gap.
    pub opening: f64,
    /// Share of the node that lies under the other profile, and its change with Δ; see `Interface::edge`.
    pub edge: f64,
    pub edge_slope: f64,
}

/// Where a pass finds its master segments at one offset Δ.
#[derive(Clone, Copy)]
pub struct Pairing {
    /// l' = slave + shift.
    pub shift: i64,
    pub cubic: Interpolation,
    pub linear: Interpolation,
}

/// Eqs. 28 and 29: slave node a of profile 1 lies at a - Δ/χ on profile 2, node b of profile 2 at
/// b + Δ/χ on profile 1.
pub fn pairings(offset: f64) -> [Pairing; 2] {
    let whole = offset.floor();
    let fraction = offset - whole;
    let whole = whole as i64;
    let (shift, xi) = if fraction == 0.0 { (-whole, 0.0) } else { (-whole - 1, 1.0 - fraction) };
    let pairing = |shift: i64, xi: f64| Pairing {
        shift,
        cubic: Interpolation::cubic(xi),
        linear: Interpolation::linear(xi),
    };
    [pairing(shift, xi), pairing(whole, fraction)]
}
