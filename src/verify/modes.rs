//! Natural frequencies of pinned beams, f_k = (kπ/L)²·√(D/m)/2π with D/m = EH²/12ρ (Dang 2013, eq. 11;
//! Dang 2010, eq. 7), against every frequency and period that the two papers print.
//!
//! Tolerances are half a unit in the last printed digit; a whole one for the periods of Table 7, which are
//! cut rather than rounded; 1e-5 for Dang 2010's table of five and more digits.

use super::{Effort, Finding};
use crate::beam::{Beam, Ends, ModalBasis};
use crate::error::Error;

pub const NAME: &str = "modes";

/// Dang 2010, §5.1 and Table 3.
const DANG_2010_HZ: [f64; 6] = [941.13, 3764.54, 8470.21, 15058.15, 23528.36, 33880.83];

/// The beam of Dang 2010, §5.1: steel, 100 mm long, 4 mm thick.
pub fn dang_2010_beam() -> Beam {
    Beam { length_m: 0.1, thickness_m: 0.004, young_pa: 210e9, density_kg_m3: 7800.0, ends: Ends::Pinned }
}

/// The beams of Dang 2013, Table 4.
pub fn asperity_beam() -> Beam {
    Beam { length_m: 0.01, thickness_m: 5e-4, young_pa: 5e10, density_kg_m3: 2000.0, ends: Ends::Pinned }
}

/// The resonator of Dang 2013, Table 6.
fn bench_beam() -> Beam {
    Beam { length_m: 0.45, thickness_m: 0.002, young_pa: 210e9, density_kg_m3: 7800.0, ends: Ends::Pinned }
}

pub fn run(_effort: &Effort) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    let twin = ModalBasis::new(dang_2010_beam(), 6);
    for (k, printed) in DANG_2010_HZ.into_iter().enumerate() {
        let quantity = format!("f{} of the beam of Dang 2010 (Hz)", k + 1);
        findings.push(
            Finding::near(NAME, quantity, twin.frequency_hz(k), printed, 1e-5)
                .paper(format!("{printed}"))
                .note("Table 3"),
        );
    }
    let small = ModalBasis::new(asperity_beam(), 15);
    for (k, printed, half_digit) in [(0, 1.13e4, 50.0), (14, 2.55e6, 5e3)] {
        let quantity = format!("f{} of the beams with asperities (Hz)", k + 1);
        findings.push(
            Finding::near(NAME, quantity, small.frequency_hz(k), printed, half_digit / printed)
                .paper(format!("{printed:e}"))
                .note("Dang 2013, Table 5; half a unit of the last printed digit"),
        );
    }
    let bench = ModalBasis::new(bench_beam(), 40);
    findings.push(
        Finding::near(NAME, "f30 of the bench (Hz)", bench.frequency_hz(29), 20_900.0, 50.0 / 20_900.0)
            .paper("20900")
            .note("Dang 2013, §2.2; half a unit of the third digit"),
    );
    findings.extend(periods_of_table_7(&bench));
    Ok(findings)
}

/// T1 and T40 of Dang 2013, Table 7, do not belong to the beam of its Table 6: a beam of 0.40 m has them.
fn periods_of_table_7(bench: &ModalBasis) -> Vec<Finding> {
    let shorter = ModalBasis::new(Beam { length_m: 0.40, ..bench.beam }, 40);
    let mut findings = Vec::new();
    for (k, printed, digit) in [(0, 0.034, 1e-3), (39, 2.12e-5, 1e-7)] {
        let period = 1.0 / shorter.frequency_hz(k);
        let quantity = format!("T{} of a bench of 0.40 m (s)", k + 1);
        findings.push(
            Finding::near(NAME, quantity, period, printed, digit / printed)
                .paper(format!("{printed:e} for L = 0.45 m"))
                .note(format!(
                    "Dang 2013, Table 7, belongs to L = 0.40 m; with its own L = 0.45 m T{} = {} s",
                    k + 1,
                    super::short(1.0 / bench.frequency_hz(k)),
                )),
        );
    }
    findings
}
