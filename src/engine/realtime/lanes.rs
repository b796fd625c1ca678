//! Numbers in rows of sixteen, and the one place where the instruction set is chosen.
//!
//! Hot loops are written once against `pulp::Simd` and run either on AVX2 with fused multiply–add,
//! found at run time, or one number at a time: the scalar path is the same source, so it is the
//! reference that the wide one is tested against. No unsafe code is needed on this side.

use pulp::Simd;

/// Numbers in a row: one cache line, a whole number of registers on every path.
pub const ROW: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub struct Row(pub [f32; ROW]);

impl Row {
    pub const ZERO: Self = Self([0.0; ROW]);

    /// The registers that the row is read as.
    #[inline(always)]
    pub fn wide<S: Simd>(&self) -> &[S::f32s] {
        S::as_simd_f32s(&self.0).0
    }

    #[inline(always)]
    pub fn wide_mut<S: Simd>(&mut self) -> &mut [S::f32s] {
        S::as_mut_simd_f32s(&mut self.0).0
    }
}

/// Rows that hold `len` numbers.
pub const fn rows_for(len: usize) -> usize {
    len.div_ceil(ROW)
}

/// Writes number `index` of a list of rows.
pub fn put(rows: &mut [Row], index: usize, value: f32) {
    if let Some(row) = rows.get_mut(index / ROW) {
        row.0[index % ROW] = value;
    }
}

/// Number `index` of a list of rows.
pub fn get(rows: &[Row], index: usize) -> f32 {
    rows.get(index / ROW).map_or(0.0, |row| row.0[index % ROW])
}

/// Which instructions run the hot loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Path {
    /// The widest set that this machine has.
    #[default]
    Wide,
    /// One number at a time: the reference of the wide path.
    Scalar,
}

impl Path {
    /// Runs `work` with this path's instructions.
    #[inline]
    pub fn run<W: pulp::WithSimd>(self, work: W) -> W::Output {
        match self {
            Self::Wide => pulp::Arch::new().dispatch(work),
            Self::Scalar => work.with_simd(pulp::Scalar),
        }
    }
}
