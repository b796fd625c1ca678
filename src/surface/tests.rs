//! The room as a whole: what is asked for is what comes out.

use super::*;

/// The bench's surface: exponential, Ra 5 µm, lc 450 µm, λs 27 µm, step 5 µm, 0.45 m.
const BENCH: Roughness = Roughness {
    texture: Texture::Exponential,
    ra_m: 5e-6,
    corr_length_m: 450e-6,
    hurst: 0.8,
    wavelength_m: 1e-3,
    cutoff_m: 27e-6,
    length_m: 0.45,
    step_m: 5e-6,
    seed: 1,
    periodic: false,
};

fn made(spec: Roughness) -> Profile {
    spec.generate().unwrap_or_else(|error| panic!("{spec:?}: {error}"))
}

#[test]
fn node_counts_ra_and_mean() {
    for texture in Texture::ALL {
        let open = made(Roughness { texture, ..BENCH });
        assert_eq!(open.heights_m.len(), 90_001);
        assert!((open.length_m() - 0.45).abs() < 1e-12);
        let round = made(Roughness { texture, periodic: true, ..BENCH });
        assert_eq!(round.heights_m.len(), 90_000);
        assert!((round.length_m() - 0.45).abs() < 1e-12);
        for profile in [open, round] {
            assert!((profile.ra() / 5e-6 - 1.0).abs() < 1e-12, "{texture:?}");
            assert!(profile.mean_m().abs() < 1e-18, "{texture:?} {}", profile.mean_m());
        }
    }
}

#[test]
fn same_seed_same_bits_on_any_number_of_threads() {
    let here = made(BENCH);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let there = pool.install(|| made(BENCH));
        assert!(here.heights_m.iter().zip(&there.heights_m).all(|(a, b)| a.to_bits() == b.to_bits()));
    }
    let other = made(Roughness { seed: 2, ..BENCH });
    let overlap: f64 = here.heights_m.iter().zip(&other.heights_m).map(|(a, b)| a * b).sum();
    let power: f64 = here.heights_m.iter().map(|a| a * a).sum();
    // Two independent surfaces of 1000 correlation lengths: their overlap has standard deviation
    // √(∫ρ² dx / L) = √(lc / L) = 0.032 of their power.
    assert!((overlap / power).abs() < 5.0 * 0.032, "{}", overlap / power);
}

/// Processors differ in the last bits of an FFT and of `ln` or `cos`: machines agree to 1e-12 m, not to the bit.
#[test]
fn regress_heights_of_the_bench() {
    let profile = made(BENCH);
    let golden = [
        (0, 8.373_396_612_5e-6),
        (1, 7.997_896_444_2e-6),
        (12_345, -2.696_196_014_6e-6),
        (45_000, -1.354_215_454_68e-5),
        (90_000, 1.571_204_140_0e-6),
    ];
    for (node, height) in golden {
        let found = profile.heights_m[node];
        assert!((found - height).abs() < 1e-12, "node {node}: {found:e}");
    }
}

#[test]
fn periodic_ends_join_and_open_ends_do_not() {
    let spec = Roughness { texture: Texture::Gaussian, length_m: 0.02, ..BENCH };
    let jump = |profile: &Profile| {
        let z = &profile.heights_m;
        let largest = z.windows(2).map(|w| (w[1] - w[0]).abs()).fold(0.0, f64::max);
        (z[0] - z[z.len() - 1]).abs() / largest
    };
    let mut open_jumps = 0;
    for seed in 0..10 {
        let round = made(Roughness { seed, periodic: true, ..spec });
        assert!(jump(&round) <= 1.0, "seed {seed}: {}", jump(&round));
        open_jumps += usize::from(jump(&made(Roughness { seed, ..spec })) > 3.0);
    }
    assert!(open_jumps >= 7, "{open_jumps}");
}

/// A finer step keeps the surface: at common nodes it differs by what the finer one adds.
#[test]
fn finer_step_is_the_same_surface() {
    // The λs filter of 27 µm still passes 2^-(2.7²) = 0.6 % of a wave of 10 µm, which carries little to
    // begin with. On the open profile the mean and Ra are also taken over other nodes: 0.2 % at 20 mm.
    for (periodic, bound) in [(false, 4e-3), (true, 1e-3)] {
        let spec = Roughness { length_m: 0.02, periodic, ..BENCH };
        let coarse = made(spec);
        let fine = made(Roughness { step_m: 1e-6, ..spec });
        let worst = coarse
            .heights_m
            .iter()
            .enumerate()
            .map(|(l, z)| (z - fine.heights_m[5 * l]).abs())
            .fold(0.0, f64::max);
        assert!(worst < bound * 5e-6, "{periodic} {worst:e}");
    }
}

#[test]
fn teeth_keep_their_closed_forms() {
    let spec = Roughness { texture: Texture::Teeth, cutoff_m: 0.0, length_m: 0.1, ..BENCH };
    let teeth = made(spec);
    let highest = teeth.heights_m.iter().copied().fold(0.0, f64::max);
    assert!((highest / (2.0 * 5e-6) - 1.0).abs() < 1e-3, "{highest:e}");
    // Rounded, the tip is lower against the same Ra.
    let rounded = made(Roughness { cutoff_m: 300e-6, ..spec });
    let tip = rounded.heights_m.iter().copied().fold(0.0, f64::max);
    assert!(tip < 0.95 * highest, "{tip:e}");
    // First and last tooth are like the middle ones: whole wavelengths repeat to rounding.
    for l in 0..rounded.heights_m.len() - 200 {
        assert!((rounded.heights_m[l] - rounded.heights_m[l + 200]).abs() < 1e-14, "{l}");
    }
}

#[test]
fn every_problem_is_told_at_once() {
    let bad = Roughness {
        texture: Texture::SelfAffine,
        ra_m: -1e-6,
        corr_length_m: 1.0,
        hurst: 3.0,
        cutoff_m: 1e-6,
        ..BENCH
    };
    let places: Vec<String> = bad.problems().0.into_iter().map(|problem| problem.place).collect();
    assert_eq!(places, ["ra_um", "cutoff_um", "corr_length_um", "hurst"]);
    assert_eq!(bad.generate().unwrap_err().exit_code(), 2);
}

/// Absurd specs are refused before memory is asked for; none panics.
#[test]
fn absurd_specs_are_refused() {
    let values = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 1e-300, 1e300, f64::MIN_POSITIVE];
    for texture in Texture::ALL {
        for v in values {
            for spec in [
                Roughness { texture, ra_m: v, ..BENCH },
                Roughness { texture, length_m: v, ..BENCH },
                Roughness { texture, step_m: v, ..BENCH },
                Roughness { texture, step_m: v, length_m: v, ..BENCH },
            ] {
                assert!(spec.generate().is_err(), "{spec:?}");
            }
            for (random, spec) in [
                (true, Roughness { texture, corr_length_m: v, ..BENCH }),
                (false, Roughness { texture, wavelength_m: v, ..BENCH }),
            ] {
                let used = texture.is_random() == random;
                assert_eq!(spec.problems().is_empty(), !used && v.is_finite(), "{spec:?}");
            }
        }
    }
    // The largest that passes the node count, but not the transform's memory.
    let wide = Roughness { length_m: 9.0, step_m: 1e-6, corr_length_m: 2.0, ..BENCH };
    assert!(wide.generate().is_err());
}

/// Dang 2013, Table 8: Ra and lc of each row, over ten seeds.
///
/// Skewness and kurtosis of a Gaussian surface scatter by √(6/L ∫ρ³dx) and √(24/L ∫ρ⁴dx): with
/// ρ = exp(-|x|/lc) that is √(4 lc/L) and √(12 lc/L), about 0.06 and 0.11 on 0.45 m, the size of the
/// paper's own deviations from 0 and 3. Four standard errors for the mean of ten, five for each.
#[test]
fn val_table_8_rows_measure_as_asked() {
    let rows = [(2.89, 400.0), (4.86, 450.0), (7.72, 450.0), (9.54, 500.0), (20.39, 500.0), (30.91, 500.0)];
    for (ra_um, lc_um) in rows {
        let spec = Roughness { ra_m: ra_um * 1e-6, corr_length_m: lc_um * 1e-6, ..BENCH };
        let (mut lc, mut rsk, mut rku) = (0.0, 0.0, 0.0);
        let scatter = |factor: f64| (factor * spec.corr_length_m / spec.length_m).sqrt();
        for seed in 1..=10 {
            let found = measure(&made(Roughness { seed, ..spec }), None, None).unwrap();
            assert!((found.ra_m / spec.ra_m - 1.0).abs() < 0.01);
            // Rq/Ra = √(π/2) for a Gaussian; the printed rows have 1.235 to 1.265.
            assert!((found.rq_m / found.ra_m - 1.2533).abs() < 0.03, "{found:?}");
            let (skewness, excess) = (found.rsk.unwrap(), found.rku.unwrap() - 3.0);
            assert!(skewness.abs() < 5.0 * scatter(4.0) && excess.abs() < 5.0 * scatter(12.0), "{found:?}");
            lc += found.corr_length_m.unwrap() / 10.0;
            rsk += skewness / 10.0;
            rku += excess / 10.0;
        }
        assert!((lc / spec.corr_length_m - 1.0).abs() < 0.15, "{ra_um}: lc {lc:e}");
        assert!(rsk.abs() < 4.0 * scatter(4.0) / 10f64.sqrt(), "{ra_um}: Rsk {rsk}");
        assert!(rku.abs() < 4.0 * scatter(12.0) / 10f64.sqrt(), "{ra_um}: Rku {rku}");
    }
}

/// The named correlation length is that of the finished surface, whatever the texture and cut-off.
#[test]
fn correlation_length_holds_for_every_texture() {
    for (texture, hurst, cutoff_m) in [
        (Texture::Gaussian, 0.5, 0.0),
        (Texture::Gaussian, 0.5, 400e-6),
        (Texture::Exponential, 0.5, 0.0),
        (Texture::Exponential, 0.5, 400e-6),
        (Texture::SelfAffine, 0.2, 0.0),
        (Texture::SelfAffine, 0.8, 27e-6),
        (Texture::SelfAffine, 1.0, 200e-6),
    ] {
        let spec = Roughness { texture, hurst, cutoff_m, ..BENCH };
        let mean = (1..=10)
            .map(|seed| correlation_length_m(&made(Roughness { seed, ..spec })).unwrap())
            .sum::<f64>()
            / 10.0;
        assert!((mean / spec.corr_length_m - 1.0).abs() < 0.05, "{spec:?}: {mean:e}");
    }
}

/// Same seed with and without λs = 50 µm: the wave of that length keeps half its amplitude. Ra and the inner
/// length change with the cut-off too, but alike for all short waves: a wave of 1 mm, passed whole, tells.
#[test]
fn val_cutoff_passes_half_at_lambda_s() {
    let spec = Roughness { periodic: true, cutoff_m: 0.0, length_m: 0.1, ..BENCH };
    let spectrum = |spec| crate::math::fourier::forward(made(spec).heights_m);
    let (bare, cut) = (spectrum(spec), spectrum(Roughness { cutoff_m: 50e-6, ..spec }));
    let ratio = |wavelength_m: f64| {
        let k = (spec.length_m / wavelength_m).round() as usize;
        cut[k].norm() / bare[k].norm()
    };
    let half = ratio(50e-6) / ratio(1e-3);
    assert!((half - 0.5).abs() < 0.5 * 0.01, "{half}");
    let at_half_the_cutoff = ratio(25e-6) / ratio(1e-3);
    assert!((at_half_the_cutoff - 1.0 / 16.0).abs() < 0.01 / 16.0, "{at_half_the_cutoff}");
}

/// A jagged surface in a short period cannot stay correlated over a tenth of it: told, not approximated.
#[test]
fn an_unreachable_correlation_length_is_told() {
    let spec = Roughness {
        texture: Texture::SelfAffine,
        hurst: 0.1,
        corr_length_m: 4.5e-3,
        cutoff_m: 0.0,
        length_m: 0.045,
        periodic: true,
        ..BENCH
    };
    let error = spec.generate().unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().starts_with("corr_length_um: 4500 µm"), "{error}");
}
