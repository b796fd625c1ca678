//! Numbers in rows of sixteen, and the one place where the instruction set is chosen.
//!
//! Hot loops are written once against `pulp::Simd` and run either on AVX2 with fused multiply–add,
//! found at run time, or one number at a time: the scalar path is the same source, so it is the
//! reference that the wide one is tested against. No unsafe code is needed on this side.
//!
//! Registers of sixteen (AVX-512) were tried and left: 4 % faster, for another copy of all loops. A step waits for the
//! step before it and for which blocks come near, not for arithmetic.

use pulp::Simd;
use pulp::bytemuck::cast;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::__m256;

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

const BITS: Row = Row([
    1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0, 16384.0,
    32768.0,
]);

/// AVX2 by name, where it is the path taken: for the few instructions that the vector library does not have for
/// every path.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn avx2<S: Simd>(simd: S) -> Option<pulp::x86::V3> {
    (&simd as &dyn std::any::Any).downcast_ref().copied()
}

/// The lanes of a mask as bits; where there is no instruction for it, powers of two add up exactly in f32.
#[inline(always)]
pub fn lanes_of<S: Simd>(simd: S, mask: S::m32s) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if let Some(by_name) = avx2(simd) {
        return by_name.avx._mm256_movemask_ps(cast(mask)) as u32;
    }
    let picked = pick(simd, mask, BITS.wide::<S>()[0], simd.splat_f32s(0.0));
    simd.reduce_sum_f32s(picked) as u32
}

/// Each number in all lanes of a register.
#[inline(always)]
pub fn spread<S: Simd, const K: usize>(simd: S, r: &[f32; K]) -> [S::f32s; K] {
    let mut wide = [simd.splat_f32s(0.0); K];
    for (wide, r) in wide.iter_mut().zip(r) {
        *wide = simd.splat_f32s(*r);
    }
    wide
}

/// `yes` where the mask is set, `no` elsewhere. The vector library's own is a call where the function around it is
/// large; the parts it is made of never are.
#[inline(always)]
pub fn pick<S: Simd>(simd: S, mask: S::m32s, yes: S::f32s, no: S::f32s) -> S::f32s {
    let bits = simd.select_u32s(mask, simd.transmute_u32s_f32s(yes), simd.transmute_u32s_f32s(no));
    simd.transmute_f32s_u32s(bits)
}

/// |x|; the vector library's own is a call, and not to one instruction.
#[inline(always)]
pub fn magnitude<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    simd.max_f32s(x, simd.sub_f32s(simd.splat_f32s(0.0), x))
}

/// The sums over all lanes of eight registers, without leaving the registers where they are eight wide.
#[inline(always)]
pub fn sums_of_eight<S: Simd>(simd: S, v: [S::f32s; 8]) -> [f32; 8] {
    #[cfg(target_arch = "x86_64")]
    if let Some(by_name) = avx2(simd) {
        return cast(sums_by_shuffles(by_name, v.map(cast)));
    }
    v.map(|v| simd.reduce_sum_f32s(v))
}

/// Registers a … h in, one register of their sums out. Each round adds the halves of neighbours into one register.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn sums_by_shuffles(simd: pulp::x86::V3, v: [__m256; 8]) -> __m256 {
    let avx = simd.avx;
    let pair = |a, b| avx._mm256_add_ps(avx._mm256_unpacklo_ps(a, b), avx._mm256_unpackhi_ps(a, b));
    let four = |ab, cd| {
        avx._mm256_add_ps(avx._mm256_shuffle_ps::<0x44>(ab, cd), avx._mm256_shuffle_ps::<0xee>(ab, cd))
    };
    let (low, high) = (four(pair(v[0], v[1]), pair(v[2], v[3])), four(pair(v[4], v[5]), pair(v[6], v[7])));
    avx._mm256_add_ps(
        avx._mm256_permute2f128_ps::<0x20>(low, high),
        avx._mm256_permute2f128_ps::<0x31>(low, high),
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    struct Sums;

    impl pulp::WithSimd for Sums {
        type Output = ([f32; 8], u32);

        fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
            let mut rows = [Row::ZERO; 8];
            for (r, row) in rows.iter_mut().enumerate() {
                for (lane, value) in row.0.iter_mut().enumerate().take(S::F32_LANES) {
                    *value = (r * 100 + lane * lane) as f32;
                }
            }
            let mask = simd.greater_than_f32s(rows[0].wide::<S>()[0], simd.splat_f32s(3.5));
            (sums_of_eight(simd, rows.map(|row| row.wide::<S>()[0])), lanes_of(simd, mask))
        }
    }

    #[test]
    fn registers_are_summed_and_masks_read_in_order() {
        let lanes = if Path::Wide.run(Sums).1 == 0 { 1 } else { 8 };
        for (path, lanes) in [(Path::Wide, lanes), (Path::Scalar, 1usize)] {
            let (sums, bits) = path.run(Sums);
            for (r, sum) in sums.into_iter().enumerate() {
                let expected: usize = (0..lanes).map(|lane| r * 100 + lane * lane).sum();
                assert_eq!(sum, expected as f32, "{path:?}, register {r}");
            }
            let expected = (0..lanes).filter(|lane| lane * lane > 3).fold(0, |bits, lane| bits | 1 << lane);
            assert_eq!(bits, expected, "{path:?}");
        }
    }
}
