//! What a microphone hears: the Rayleigh integral as `pickup::Microphone` has it, with v(t - τ) ≈ v·cos ωτ + ωq·sin ωτ
//! for each mode, which the outlet differentiates.
//!
//! Bodies change while they sound, so this is done on the audio thread: by Simpson's rule on the table of shapes,
//! sixteen modes at a time, on no more points than there is time for. Modes that nobody hears need none.

use super::grid::ShapeGrid;
use super::lanes::{ROW, put};
use super::modes::ModeTable;
use super::pass::Taps;
use super::pickups::Place;
use crate::pickup::{AIR_DENSITY_KG_M3, SOUND_SPEED_M_S, STRIP_WIDTH_M};
use std::f64::consts::{PI, TAU};

/// Points per wave, of the beam and of the air together.
const POINTS_PER_WAVE: f64 = 8.0;
/// Points on the way from the foot of a near microphone to as far off as it is high.
const POINTS_PER_DISTANCE: f64 = 4.0;
const MOST_POINTS: f64 = 640.0;
const AUDIBLE_HZ: f64 = 24_000.0;

/// Writes the taps of a pressure pick-up. Nothing is allocated.
pub fn fill(taps: &mut Taps, place: &Place, table: &ModeTable, grid: &ShapeGrid, length_m: f64) {
    let stride = stride(place, table, grid, length_m);
    for row in 0..table.rows.len() {
        let (in_phase, late) = radiation(place, table, grid, [row, stride], length_m);
        let modes = table.modes.iter().enumerate().take(table.resonator).skip(row * ROW).take(ROW);
        for (k, mode) in modes {
            let speed = mode.velocity_gain() / table.step_s;
            put(&mut taps.on_w, k, (f64::from(in_phase[k % ROW]) * speed) as f32);
            put(&mut taps.on_q, k, (f64::from(late[k % ROW]) * mode.omega) as f32);
        }
    }
}

/// How many of the table's points lie between two that are taken.
fn stride(place: &Place, table: &ModeTable, grid: &ShapeGrid, length_m: f64) -> usize {
    let modes = table.modes.iter().take(table.resonator).enumerate();
    let heard = modes.filter(|(_, mode)| mode.omega < TAU * AUDIBLE_HZ);
    // Mode k has about k/2 waves along the beam.
    let waves = |(k, omega): (usize, f64)| 0.5 * (k + 2) as f64 + omega * length_m / (TAU * SOUND_SPEED_M_S);
    let most = heard.map(|(k, mode)| waves((k, mode.omega))).fold(1.0, f64::max);
    let wanted = (POINTS_PER_WAVE * most).max(POINTS_PER_DISTANCE * length_m / place.distance_m);
    let wanted = wanted.clamp(16.0, MOST_POINTS) as usize;
    let mut stride = ShapeGrid::MULTIPLE / 2;
    while stride > 1 && grid.points() / stride < wanted {
        stride /= 2;
    }
    stride
}

/// (ρ₀b/2π)∫ψ cos(ωτ)/R dx and the same with sin, τ = (R - z)/c, for one row of modes.
fn radiation(
    place: &Place,
    table: &ModeTable,
    grid: &ShapeGrid,
    [row, stride]: [usize; 2],
    length_m: f64,
) -> ([f32; ROW], [f32; ROW]) {
    let mut turns_per_s = [0.0f32; ROW];
    for (turns, mode) in turns_per_s.iter_mut().zip(table.modes.iter().skip(row * ROW)) {
        *turns = (mode.omega / TAU) as f32;
    }
    let count = grid.points() / stride / 2 * 2;
    let width = length_m * stride as f64 / grid.points() as f64;
    let scale = AIR_DENSITY_KG_M3 * STRIP_WIDTH_M / (2.0 * PI) * width / 3.0 / length_m.sqrt();
    let (mut in_phase, mut late) = ([0.0f32; ROW], [0.0f32; ROW]);
    for i in 0..=count {
        let Some(shapes) = grid.point(i * stride).get(row) else { break };
        let away_m = i as f64 * width - place.position_m;
        let distance = (place.distance_m * place.distance_m + away_m * away_m).sqrt();
        let simpson = if i == 0 || i == count { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
        let weight = (scale * simpson / distance) as f32;
        let lag = ((distance - place.distance_m) / SOUND_SPEED_M_S) as f32;
        for lane in 0..ROW {
            let turns = turns_per_s[lane] * lag;
            let strength = weight * shapes.0[lane];
            in_phase[lane] += strength * sine(turns + 0.25);
            late[lane] += strength * sine(turns);
        }
    }
    (in_phase, late)
}

/// sin 2πt for some thousand turns at most, to 1e-4; plain arithmetic that compilers turn into lanes. Adding 1.5·2²³
/// rounds to whole turns.
#[inline(always)]
fn sine(turns: f32) -> f32 {
    let whole = (turns + 12_582_912.0) - 12_582_912.0;
    let x = (turns - whole) * std::f32::consts::TAU;
    let s = x * x;
    x * (1.0
        + s * (-1.0 / 6.0
            + s * (1.0 / 120.0
                + s * (-1.0 / 5_040.0
                    + s * (1.0 / 362_880.0 + s * (-1.0 / 39_916_800.0 + s / 6.227_021e9))))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beam::Ends;
    use crate::engine::realtime::shapes::UnitShapes;
    use crate::record::Quantity;
    use crate::scene::Body;

    /// The bench's resonator with some modes, and where it is listened to.
    fn taps(modes: usize, position_m: f64, distance_m: f64) -> (Taps, ModeTable, UnitShapes) {
        let scene = crate::scene::find_preset("dang2013").unwrap().build().unwrap();
        let bodies = [Body { modes, ..scene.resonator }, scene.slider];
        let shapes = [UnitShapes::new(Ends::Pinned, modes), UnitShapes::new(Ends::Free, 2)];
        let table = ModeTable::new([&bodies[0], &bodies[1]], [&shapes[0], &shapes[1]], 5e-6);
        let grid = ShapeGrid::new(&shapes[0], &table);
        let place = Place { position_m, quantity: Quantity::Pressure, distance_m };
        let mut taps = super::super::pickups::blank(Quantity::Pressure, table.rows.len());
        fill(&mut taps, &place, &table, &grid, 0.45);
        let [shapes, _] = shapes;
        (taps, table, shapes)
    }

    /// In phase and late of one mode.
    fn of(taps: &Taps, table: &ModeTable, k: usize) -> (f64, f64) {
        let mode = &table.modes[k];
        let at = |rows: &[super::super::lanes::Row]| f64::from(rows[k / ROW].0[k % ROW]);
        (at(&taps.on_w) * table.step_s / mode.velocity_gain(), at(&taps.on_q) / mode.omega)
    }

    #[test]
    fn val_pressure_of_a_piston_like_mode_is_the_closed_form() {
        // Far away and at low frequency every point of the first mode is equally far: ∫ψ = √(2/L)·2L/π.
        let (taps, table, _) = taps(3, 0.225, 50.0);
        let volume = (2.0f64 / 0.45).sqrt() * 2.0 * 0.45 / PI;
        let expected = AIR_DENSITY_KG_M3 * STRIP_WIDTH_M / (2.0 * PI * 50.0) * volume;
        let (in_phase, late) = of(&taps, &table, 0);
        assert!((in_phase / expected - 1.0).abs() < 1e-3, "{in_phase} {expected}");
        assert!(late.abs() < 1e-3 * in_phase);
        // The second mode's two halves cancel above its middle.
        assert!(of(&taps, &table, 1).0.abs() < 1e-3 * expected);
    }

    #[test]
    fn val_ringing_modes_radiate_what_the_delayed_integral_says() {
        for distance_m in [0.3, 0.05] {
            let (taps, table, shapes) = taps(40, 0.1, distance_m);
            for k in [0, 7, 14, 25] {
                let (in_phase, late) = of(&taps, &table, k);
                let omega = table.modes[k].omega;
                let points = 20_000;
                let (mut cos_sum, mut sin_sum) = (0.0, 0.0);
                for i in 0..points {
                    let x = (f64::from(i) + 0.5) * 0.45 / f64::from(points);
                    let distance = distance_m.hypot(x - 0.1);
                    let (sin, cos) = (omega * (distance - distance_m) / SOUND_SPEED_M_S).sin_cos();
                    let strength = shapes.shape(k, x, 0.45) / distance;
                    cos_sum += strength * cos;
                    sin_sum += strength * sin;
                }
                let scale = AIR_DENSITY_KG_M3 * STRIP_WIDTH_M / (2.0 * PI) * 0.45 / f64::from(points);
                let (cos_sum, sin_sum) = (scale * cos_sum, scale * sin_sum);
                let off = (in_phase - cos_sum).hypot(late - sin_sum) / cos_sum.hypot(sin_sum);
                assert!(off < 5e-3, "mode {k} at {distance_m} m: {off}");
            }
        }
    }

    #[test]
    fn sines_are_good_enough() {
        for i in -4000..4000 {
            let turns = f64::from(i) * 0.173;
            let off = f64::from(sine(turns as f32)) - (TAU * f64::from(turns as f32)).sin();
            assert!(off.abs() < 1e-4, "{turns}: {off}");
        }
    }
}
