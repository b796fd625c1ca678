//! Names for the few conversions and constants used at the edges. Inside, everything is SI.

/// Metres in a micrometre.
pub const MICRO: f64 = 1e-6;
/// Metres in a millimetre.
pub const MILLI: f64 = 1e-3;
/// Standard gravity, m/s².
pub const GRAVITY_M_S2: f64 = 9.81;
/// Reference of every velocity level: 1 nm/s (ISO 1683; Dang 2013, eq. 47).
pub const VELOCITY_REFERENCE_M_S: f64 = 1e-9;
/// Reference of every sound pressure level: 20 µPa (ISO 1683).
pub const PRESSURE_REFERENCE_PA: f64 = 20e-6;

/// Reference of every acceleration level: 1 µm/s² (ISO 1683).
pub const ACCELERATION_REFERENCE_M_S2: f64 = 1e-6;
/// Reference of every displacement level: 1 pm (ISO 1683).
pub const DISPLACEMENT_REFERENCE_M: f64 = 1e-12;

/// Micrometres in metres. Divides, because 5/1e6 is the f64 nearest to 5e-6 and 5·1e-6 is not.
pub fn micrometres(number: f64) -> f64 {
    number / 1e6
}

/// 20·log10 of an amplitude ratio.
pub fn decibels(ratio: f64) -> f64 {
    20.0 * ratio.log10()
}
