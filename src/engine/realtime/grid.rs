//! Mode shapes along the whole resonator on a fine grid, so that a slider that travels finds its Φ by
//! interpolation instead of thousands of sines.
//!
//! Thirty-two points per wave of the highest mode and the cubic of Dang 2013, eq. 31: 2e-4 of the
//! amplitude. Shapes are those of the unit beam; a length scales them by 1/√L.

use super::lanes::{Row, put, rows_for};
use super::modes::ModeTable;
use super::shapes::UnitShapes;
use crate::contact::Interpolation;
use pulp::Simd;

/// Points per wave of the highest mode.
const POINTS_PER_WAVE: f64 = 32.0;

#[derive(Debug, Clone)]
pub struct ShapeGrid {
    points: usize,
    rows: usize,
    /// Rows of modes, point after point, with one point before the beam and two after it.
    shapes: Vec<Row>,
}

impl ShapeGrid {
    /// Points come in so many, so that integrals can leave some out.
    pub const MULTIPLE: usize = 32;

    pub fn points(&self) -> usize {
        self.points
    }

    pub fn new(shapes: &UnitShapes, table: &ModeTable) -> Self {
        let rows = rows_for(table.modes.len());
        let waves = shapes.wave_number(table.resonator.saturating_sub(1), 1.0) / std::f64::consts::TAU;
        let points = ((POINTS_PER_WAVE * waves).ceil().max(16.0) as usize).next_multiple_of(Self::MULTIPLE);
        let mut grid = Self { points, rows, shapes: vec![Row::ZERO; (points + 4) * rows] };
        let at = |k: usize, point: f64| shapes.shape(k, point / points as f64, 1.0);
        for k in 0..table.resonator {
            for i in 0..points + 4 {
                let point = i as f64 - 1.0;
                // Straight on beyond the ends.
                let value = if point < 0.0 {
                    2.0 * at(k, 0.0) - at(k, 1.0)
                } else if i > points + 1 {
                    let end = points as f64;
                    at(k, end) + (point - end) * (at(k, end) - at(k, end - 1.0))
                } else {
                    at(k, point)
                };
                put(&mut grid.shapes, i * rows * super::lanes::ROW + k, value as f32);
            }
        }
        grid
    }

    /// Shapes of a unit beam at the table's point nearest to `place`; the slider's modes are zero there.
    pub fn nearest(&self, place: f64) -> &[Row] {
        self.point((place.clamp(0.0, 1.0) * self.points as f64).round() as usize)
    }

    /// Shapes of a unit beam at one point, row after row.
    pub fn point(&self, point: usize) -> &[Row] {
        self.shapes.get((point + 1) * self.rows..(point + 2) * self.rows).unwrap_or(&[])
    }

    /// Φ for nodes at `places` (shares of the resonator's length): these plus the slider's `own`, both of
    /// unit bodies, for bodies of these lengths.
    #[inline(always)]
    pub fn fill<S: Simd, const K: usize>(
        &self,
        simd: S,
        places: &[f64; K],
        lengths_m: [f64; 2],
        own: &[Row],
        phi: &mut [Row],
    ) {
        let [scale, own_scale] = lengths_m.map(|length| 1.0 / length.sqrt());
        let own_scale = simd.splat_f32s(own_scale as f32);
        for (j, &place) in places.iter().enumerate() {
            let (from, rule) = self.find(place);
            let weights = rule.weights.map(|w| (w * scale) as f32);
            for g in 0..self.rows {
                let (Some(phi), Some(own)) = (phi.get_mut(g * K + j), own.get(g * K + j)) else { continue };
                for (part, out) in phi.wide_mut::<S>().iter_mut().enumerate() {
                    let own = simd.mul_f32s(own_scale, own.wide::<S>()[part]);
                    *out = self.mix(simd, own, from + g, &weights, part);
                }
            }
        }
    }

    /// `lever` times the slopes of the shapes of a resonator of that length at `places`; zero for the slider's modes.
    #[inline(always)]
    pub fn fill_slopes<S: Simd, const K: usize>(
        &self,
        simd: S,
        places: &[f64; K],
        length_m: f64,
        lever: f64,
        slopes: &mut [Row],
    ) {
        let scale = lever * self.points as f64 / (length_m * length_m.sqrt());
        for (j, &place) in places.iter().enumerate() {
            let (from, rule) = self.find(place);
            let weights = rule.slopes.map(|w| (w * scale) as f32);
            for g in 0..self.rows {
                let Some(slope) = slopes.get_mut(g * K + j) else { continue };
                for (part, out) in slope.wide_mut::<S>().iter_mut().enumerate() {
                    *out = self.mix(simd, simd.splat_f32s(0.0), from + g, &weights, part);
                }
            }
        }
    }

    /// First row of the four points about `place`, and how they are mixed there.
    #[inline(always)]
    fn find(&self, place: f64) -> (usize, Interpolation) {
        let point = place.clamp(0.0, 1.0) * self.points as f64;
        let first = point.floor();
        (first as usize * self.rows, Interpolation::cubic(point - first))
    }

    /// `sum` and one register of four points, the first of them at row `from`.
    #[inline(always)]
    fn mix<S: Simd>(
        &self,
        simd: S,
        mut sum: S::f32s,
        from: usize,
        weights: &[f32; 4],
        part: usize,
    ) -> S::f32s {
        for (r, weight) in weights.iter().enumerate() {
            let Some(row) = self.shapes.get(from + r * self.rows) else { continue };
            sum = simd.mul_add_e_f32s(row.wide::<S>()[part], simd.splat_f32s(*weight), sum);
        }
        sum
    }
}
