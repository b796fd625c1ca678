//! Observed order of each scheme on the free beam, and the step at which it becomes unstable.
//!
//! Limits of θ = τω on the imaginary axis: central differences and modified Euler 2, RK4 2√2, Huťa's RK8
//! 2.2331; Euler and Heun none. Dang 2010's Table 1 prints √2 for Heun, taken from |λ|² without its last
//! term: eq. 41 gives |λ|² = 1 + θ⁴/4 > 1.

use super::super::{Finding, short};
use super::{MODES, NAME, Start, deflections, free_beam, growth};
use crate::engine::reference::{ShockDetail, Simulation, Walk};
use crate::error::Error;
use crate::math::bisect;
use crate::scene::find_preset;
use crate::scheme::{ModalSystem, NoForce, SchemeKind};

/// Time over which errors are compared: three periods of the highest mode.
const SPAN_S: f64 = 1e-4;

/// Largest error of any modal displacement, in units of its amplitude, with `steps` steps.
fn worst_error(kind: SchemeKind, steps: usize) -> f64 {
    let system = free_beam();
    let step_s = SPAN_S / steps as f64;
    let from = deflections(&system, Start::AllModes);
    let mut scheme = kind.start(&system, step_s, from.clone(), vec![0.0; MODES]);
    let still = vec![0.0; MODES];
    let mut worst = 0.0f64;
    for n in 0..steps {
        scheme.advance(&system, n as f64 * step_s, &still, &mut NoForce);
        let time_s = (n + 1) as f64 * step_s;
        for ((now, start), omega) in scheme.displacement().iter().zip(&from).zip(&system.omega) {
            worst = worst.max((now / start - (omega * time_s).cos()).abs());
        }
    }
    worst
}

/// Table 1, column of errors.
pub fn orders() -> Vec<Finding> {
    let mut findings = Vec::new();
    for kind in SchemeKind::ALL {
        let Some(order) = kind.order() else {
            findings.push(
                Finding::at_most(
                    NAME,
                    "exact: error with three steps a period",
                    worst_error(kind, 10),
                    1e-12,
                )
                .paper("not in the paper"),
            );
            continue;
        };
        // Fine enough for the asymptote, coarse enough to stay above rounding.
        let steps = match order {
            1 => 100_000,
            2 => 1000,
            _ => 100,
        };
        let observed = (worst_error(kind, steps) / worst_error(kind, 2 * steps)).log2();
        let printed = match kind {
            SchemeKind::Euler | SchemeKind::ModifiedEuler => "o(τ)",
            SchemeKind::Heun => "o(τ²)",
            SchemeKind::RungeKutta4 => "o(τ⁴)",
            SchemeKind::RungeKutta8 => "o(τ⁵)",
            SchemeKind::CentralDifference | SchemeKind::Exact => "blank",
        };
        let right = f64::from(order);
        let note = match kind {
            SchemeKind::RungeKutta8 => "Huťa's eight stages are of sixth order",
            _ => "from halving the step",
        };
        findings.push(
            Finding::between(
                NAME,
                format!("{}: observed order", kind.name()),
                observed,
                right - 0.1,
                right + 0.1,
            )
            .paper(printed)
            .note(note),
        );
    }
    findings
}

/// Steps over which a run is watched, in two halves.
const PATIENCE: usize = 20_000;
/// Growth from one half to the next that no bounded oscillation shows. A scheme 0.01 % beyond its limit
/// grows by more, even where |R(iθ)| leaves 1 as slowly as Huťa's.
const GROWTH: f64 = 1.01;

fn blows_up(kind: SchemeKind, turn: f64) -> bool {
    let system = ModalSystem { omega: vec![turn], zeta: vec![0.0], mass: vec![1.0], steady_force: vec![0.0] };
    let mut scheme = kind.start(&system, 1.0, vec![1.0], vec![0.0]);
    let mut largest = [0.0f64; 2];
    for n in 0..PATIENCE {
        scheme.advance(&system, n as f64, &[0.0], &mut NoForce);
        let size = scheme.displacement()[0].abs();
        if !size.is_finite() {
            return true;
        }
        let half = &mut largest[2 * n / PATIENCE];
        *half = half.max(size);
    }
    largest[1] > GROWTH * largest[0]
}

/// Table 1, column of steps: found by bisection for the schemes that have a limit, refuted for the others.
pub fn stability() -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    for kind in SchemeKind::ALL {
        let limit = kind.limit();
        let heading = format!("{}: largest stable τω", kind.name());
        let printed = match kind {
            SchemeKind::CentralDifference | SchemeKind::ModifiedEuler => "2",
            SchemeKind::Heun => "√2",
            SchemeKind::Euler => "unstable",
            SchemeKind::RungeKutta4 | SchemeKind::RungeKutta8 => "blank",
            SchemeKind::Exact => "not in the paper",
        };
        let finding = if limit > 0.0 && limit.is_finite() {
            let found = bisect(0.5, 4.0, |turn| if blows_up(kind, turn) { 1.0 } else { -1.0 });
            Finding::near(NAME, heading, found, limit, 1e-3)
        } else if limit == 0.0 {
            // Well inside what the paper prints for Heun.
            let turn = 0.5;
            let each = growth(kind, turn).unwrap_or(1.0);
            Finding::told(
                NAME,
                heading,
                if blows_up(kind, turn) { "none: blows up at 0.5" } else { "stable at 0.5" },
                "none",
                blows_up(kind, turn) && each > 1.0,
            )
            .note(format!(
                "the energy grows by {} each step at τω = 0.5{}",
                short(each),
                if kind == SchemeKind::Heun { "; √2 forgets the term (τω)⁴/4 of |λ|²" } else { "" }
            ))
        } else {
            Finding::told(
                NAME,
                heading,
                if blows_up(kind, 1e3) { "blows up at 1000" } else { "stable at 1000" },
                "no limit",
                !blows_up(kind, 1e3),
            )
        };
        findings.push(finding.paper(printed));
    }
    findings.push(engine_beyond_its_limit()?);
    Ok(findings)
}

/// The engine refuses a step beyond the limit; told to go on all the same, it shows why.
fn engine_beyond_its_limit() -> Result<Finding, Error> {
    let mut draft = find_preset("dang2010")?;
    let highest = free_beam().highest_omega();
    let step_s = 1.02 * SchemeKind::CentralDifference.limit() / highest;
    draft.set("run.step_s", &step_s.to_string())?;
    // Pressed together by 1 µm at the highest asperities, so that something moves.
    draft.set("run.separation_m", "1e-5")?;
    let refused = Simulation::new(&draft.build()?, Walk::Pruned, step_s, 0.0, ShockDetail::Count).is_err();
    draft.set("run.allow_unstable", "true")?;
    let mut run = Simulation::new(&draft.build()?, Walk::Pruned, step_s, 0.0, ShockDetail::Count)?;
    let blown = (0..PATIENCE).any(|_| run.step().is_err());
    let told = match (refused, blown) {
        (true, true) => "refused; blows up when allowed",
        (true, false) => "refused; stays finite when allowed",
        (false, _) => "not refused",
    };
    Ok(Finding::told(
        NAME,
        "engine at τω = 2.04 of the highest mode, central differences",
        told,
        "refused; blows up when allowed",
        refused && blown,
    )
    .paper("τ < 2/ω"))
}
