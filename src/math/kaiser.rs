//! Linear-phase low-pass filters: a sinc under Kaiser's window (J. F. Kaiser, "Nonrecursive digital filter
//! design using the I0-sinh window function", 1974), with his formulas for length and shape.

use std::f64::consts::PI;

/// Odd, symmetric taps with a sum of one: flat to `pass_hz`, down by about `attenuation_db` from `stop_hz`.
pub fn low_pass(pass_hz: f64, stop_hz: f64, rate_hz: f64, attenuation_db: f64) -> Vec<f64> {
    let width = 2.0 * PI * (stop_hz - pass_hz) / rate_hz;
    let half = ((attenuation_db - 8.0) / (2.285 * width) / 2.0).ceil() as i64;
    let beta = 0.1102 * (attenuation_db - 8.7);
    let cutoff = (pass_hz + stop_hz) / rate_hz;
    let mut taps: Vec<f64> = (-half..=half)
        .map(|n| {
            let x = n as f64;
            let sinc = if n == 0 { cutoff } else { (PI * cutoff * x).sin() / (PI * x) };
            sinc * bessel_i0(beta * (1.0 - (x / half as f64).powi(2)).max(0.0).sqrt())
        })
        .collect();
    let sum: f64 = taps.iter().sum();
    for tap in &mut taps {
        *tap /= sum;
    }
    taps
}

/// Modified Bessel function of order zero by its power series.
fn bessel_i0(x: f64) -> f64 {
    let quarter = 0.25 * x * x;
    let (mut term, mut sum, mut k) = (1.0, 1.0, 1.0);
    while term > 1e-18 * sum {
        term *= quarter / (k * k);
        sum += term;
        k += 1.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn val_bessel_i0() {
        // Abramowitz and Stegun, Table 9.8 (e^-x·I0) and Table 9.11.
        assert!((bessel_i0(1.0) - 1.266_065_877_752_008).abs() < 1e-14);
        assert!((bessel_i0(5.0) - 27.239_871_823_604_44).abs() < 1e-12);
    }

    #[test]
    fn passes_and_stops_where_told() {
        let taps = low_pass(3500.0, 4000.0, 48_000.0, 80.0);
        let response = |frequency_hz: f64| -> f64 {
            let middle = (taps.len() / 2) as f64;
            let turn = 2.0 * PI * frequency_hz / 48_000.0;
            let taps = taps.iter().enumerate();
            20.0 * taps.map(|(n, tap)| tap * (turn * (n as f64 - middle)).cos()).sum::<f64>().abs().log10()
        };
        assert!((0..=35).all(|i| response(100.0 * f64::from(i)).abs() < 0.01));
        assert!((40..=240).all(|i| response(100.0 * f64::from(i)) < -79.0));
    }
}
