//! The time schemes of Dang 2010 (§4, Table 1, Figs. 3 and 4) and exact modal stepping on its free beam:
//! six undamped modes, no force, τ = 1e-6 s, 0.05 s.
//!
//! Theory, θ = τω. A Runge–Kutta scheme multiplies a mode's energy by |R(iθ)|² each step:
//! - Euler 1 + θ², Heun 1 + θ⁴/4, RK4 1 - θ⁶/72 + θ⁸/576;
//! - Huťa's RK8: R(z) = Σ_{k≤6} z^k/k! + z⁷/4480 + z⁸/483840.
//!
//! The other two keep a quantity near the energy, so that it swings without drifting: with U̇_n by eq. 32
//! central differences give an energy between 1 - θ²/4 and 1, modified Euler one within the factor
//! (1 + θ/2)/(1 - θ/2). Exact stepping keeps it to rounding.
//!
//! The paper does not say how its beam starts. We take two ways: the first mode alone, and the energy
//! shared by all six. The second matters: θ = 0.21 for mode 6, where Heun is no longer nearly stable.

mod limits;

use super::modes::dang_2010_beam;
use super::{Effort, Finding, Pen, Series, Sheet, short};
use crate::beam::ModalBasis;
use crate::error::Error;
use crate::scheme::{ForceField, ModalSystem, SchemeKind};
use std::time::{Duration, Instant};

pub const NAME: &str = "integrators";

const MODES: usize = 6;
/// Figs. 3 and 4.
const STEP_S: f64 = 1e-6;
const STEPS: usize = 50_000;

/// How the energy is shared at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    FirstMode,
    AllModes,
}

impl Start {
    fn told(self) -> &'static str {
        match self {
            Self::FirstMode => "mode 1 alone",
            Self::AllModes => "six modes alike",
        }
    }

    fn modes(self) -> std::ops::Range<usize> {
        match self {
            Self::FirstMode => 0..1,
            Self::AllModes => 0..MODES,
        }
    }
}

/// The undamped, unloaded beam.
pub fn free_beam() -> ModalSystem {
    let basis = ModalBasis::new(dang_2010_beam(), MODES);
    ModalSystem {
        omega: basis.omegas().to_vec(),
        zeta: vec![0.0; MODES],
        mass: vec![basis.beam.mass_per_area(); MODES],
        steady_force: vec![0.0; MODES],
    }
}

/// Deflections that give every mode of the start the same energy.
fn deflections(system: &ModalSystem, start: Start) -> Vec<f64> {
    let share = |k: usize| if start.modes().contains(&k) { 1.0 / system.omega[k] } else { 0.0 };
    (0..system.len()).map(share).collect()
}

/// No force, but every question is counted.
#[derive(Default)]
struct Counter {
    asked: u64,
}

impl ForceField for Counter {
    fn modal_forces(&mut self, _time_s: f64, _displacement: &[f64], out: &mut [f64]) {
        self.asked += 1;
        out.fill(0.0);
    }
}

/// A run of the free beam.
pub struct FreeRun {
    /// Energy over that at the start, by time.
    pub energy: Vec<(f64, f64)>,
    /// Last of them, and the largest distance from 1.
    pub last: f64,
    pub worst: f64,
    /// Force evaluations in a step.
    pub evaluations: u64,
    elapsed: Duration,
}

pub fn free_run(kind: SchemeKind, start: Start) -> FreeRun {
    let system = free_beam();
    let from = deflections(&system, start);
    let still = vec![0.0; MODES];
    let begin = system.energy(&from, &still);
    let mut scheme = kind.start(&system, STEP_S, from, still.clone());
    let mut field = Counter::default();
    let mut run = FreeRun { energy: vec![], last: 1.0, worst: 0.0, evaluations: 0, elapsed: Duration::ZERO };
    let mut force = still;
    let clock = Instant::now();
    for n in 0..=STEPS {
        // What the engine does: one evaluation at the present displacement, the others asked by the scheme.
        field.modal_forces(n as f64 * STEP_S, scheme.displacement(), &mut force);
        scheme.advance(&system, n as f64 * STEP_S, &force, &mut field);
        if n % 25 == 0 || n == STEPS {
            run.last = system.energy(scheme.left_displacement(), scheme.left_velocity()) / begin;
            run.worst = run.worst.max((run.last - 1.0).abs());
            run.energy.push((n as f64 * STEP_S, run.last));
        }
    }
    run.elapsed = clock.elapsed();
    run.evaluations = field.asked / (STEPS as u64 + 1);
    run
}

/// |R(iθ)|² of the Runge–Kutta schemes.
fn growth(kind: SchemeKind, turn: f64) -> Option<f64> {
    let square = turn * turn;
    match kind {
        SchemeKind::Euler => Some(1.0 + square),
        SchemeKind::Heun => Some(1.0 + square * square / 4.0),
        SchemeKind::RungeKutta4 => Some(1.0 - square.powi(3) / 72.0 + square.powi(4) / 576.0),
        SchemeKind::RungeKutta8 => {
            let real = 1.0 - square / 2.0 + square.powi(2) / 24.0 - square.powi(3) / 720.0
                + square.powi(4) / 483_840.0;
            let imaginary = turn * (1.0 - square / 6.0 + square.powi(2) / 120.0 - square.powi(3) / 4480.0);
            Some(real * real + imaginary * imaginary)
        }
        SchemeKind::CentralDifference | SchemeKind::ModifiedEuler | SchemeKind::Exact => None,
    }
}

/// How far the energy of a scheme that does not drift may swing.
fn swing(kind: SchemeKind, turn: f64) -> f64 {
    match kind {
        SchemeKind::CentralDifference => turn * turn / 4.0,
        SchemeKind::ModifiedEuler => (1.0 + turn / 2.0) / (1.0 - turn / 2.0) - 1.0,
        _ => 0.0,
    }
}

pub fn run(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    for (index, start) in [Start::FirstMode, Start::AllModes].into_iter().enumerate() {
        let mut series = Vec::new();
        for kind in SchemeKind::ALL {
            let free = free_run(kind, start);
            findings.push(energy(kind, start, &free));
            // Euler leaves the page when all modes ring.
            let shown = free.energy.iter().copied().filter(|point| point.1 < 10.0).collect();
            series.push(Series::new(kind.name(), Pen::Line, shown));
        }
        effort.report(index + 1, 5)?;
        effort.draw(&Sheet {
            name: ["integrators-energy-mode1", "integrators-energy"][index],
            title: format!("Energy of a free beam, {} (Dang 2010, Fig. 3)", start.told()),
            x: "time (s)",
            y: "energy over that at the start",
            log_x: false,
            log_y: false,
            series,
        })?;
    }
    findings.extend(cost());
    effort.report(3, 5)?;
    findings.extend(limits::orders());
    effort.report(4, 5)?;
    findings.extend(limits::stability()?);
    Ok(findings)
}

/// Fig. 3: energy after 0.05 s, or its largest swing.
fn energy(kind: SchemeKind, start: Start, free: &FreeRun) -> Finding {
    let system = free_beam();
    let modes = start.modes();
    let turns: Vec<f64> = modes.map(|k| STEP_S * system.omega[k]).collect();
    let largest = turns.iter().copied().fold(0.0, f64::max);
    let printed = match kind {
        SchemeKind::Euler => "unstable",
        SchemeKind::ModifiedEuler => "of the three cheap ones the most exact",
        SchemeKind::CentralDifference => "less exact than modified Euler",
        SchemeKind::Heun | SchemeKind::RungeKutta4 | SchemeKind::RungeKutta8 => {
            "more stable and more exact than modified Euler"
        }
        SchemeKind::Exact => "not in the paper",
    };
    let heading = |what: &str| format!("{}, {}: {what}", kind.name(), start.told());
    let Some(_) = growth(kind, largest) else {
        // 2e-9 is what rounding does in 50,000 steps.
        let bound = swing(kind, largest) * 1.001 + 2e-9;
        return Finding::at_most(NAME, heading("largest change of energy"), free.worst, bound)
            .paper(printed)
            .note(match kind {
                SchemeKind::CentralDifference => {
                    "θ²/4 against modified Euler's θ: by this measure it is the more exact of the two"
                }
                SchemeKind::ModifiedEuler => "(1 + θ/2)/(1 - θ/2) - 1, swings and does not drift",
                _ => "rounding only",
            });
    };
    let expected: f64 = turns
        .iter()
        .map(|turn| growth(kind, *turn).unwrap_or(1.0).powi(STEPS as i32) / turns.len() as f64)
        .sum();
    let note = match (kind, start) {
        (SchemeKind::Euler, Start::AllModes) => "(1 + θ²)^50000, beyond any number",
        (SchemeKind::Heun, Start::AllModes) => {
            "(1 + θ⁴/4)^50000: Heun is unstable too; the paper's words hold for low modes only"
        }
        _ => "|R(iθ)|² to the power of 50,000 steps",
    };
    if !expected.is_finite() {
        return Finding::told(
            NAME,
            heading("energy after 0.05 s over that at the start"),
            if free.last.is_finite() { short(free.last) } else { "beyond 1e308".to_owned() },
            "overflows",
            !free.last.is_finite(),
        )
        .paper(printed)
        .note(note);
    }
    Finding::near(NAME, heading("energy after 0.05 s over that at the start"), free.last, expected, 1e-6)
        .paper(printed)
        .note(note)
}

/// Fig. 4: force evaluations, which decide with contact, and the time of the bare schemes.
fn cost() -> Vec<Finding> {
    let expected = [1, 1, 1, 2, 4, 8, 1];
    let mut counted = [0; SchemeKind::ALL.len()];
    let mut fastest = [Duration::MAX; SchemeKind::ALL.len()];
    // Others share the machine: the best of several turns, taken in turn, is the least disturbed.
    for _ in 0..5 {
        for (index, kind) in SchemeKind::ALL.into_iter().enumerate() {
            let free = free_run(kind, Start::FirstMode);
            counted[index] = free.evaluations;
            fastest[index] = fastest[index].min(free.elapsed);
        }
    }
    let ratio = |index: usize| fastest[index].as_secs_f64() / fastest[0].as_secs_f64();
    let tell = |value: &dyn Fn(usize) -> String| -> String {
        let all = SchemeKind::NAMES.iter().enumerate();
        all.map(|(index, name)| format!("{name} {}", value(index))).collect::<Vec<_>>().join(", ")
    };
    vec![
        Finding::told(
            NAME,
            "force evaluations in a step",
            tell(&|index| counted[index].to_string()),
            tell(&|index| expected[index].to_string()),
            counted == expected,
        )
        .paper("Euler, modified Euler and central differences the same")
        .note("with contact these decide: detection costs far more than the modes"),
        Finding::told(
            NAME,
            "time of the bare scheme over that of central differences",
            tell(&|index| format!("{:.1}", ratio(index))),
            "heun < rk4 < rk8",
            ratio(3) < ratio(4) && ratio(4) < ratio(5),
        )
        .paper("RK2 the fastest of the Runge–Kutta schemes (Fig. 4)")
        .note("best of five; Euler shares the machinery of the Runge–Kutta schemes"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn huta_is_stable_below_its_limit_and_not_above() {
        let limit = SchemeKind::RungeKutta8.limit();
        for step in 1..100 {
            let inside = growth(SchemeKind::RungeKutta8, limit * f64::from(step) / 100.0).unwrap();
            assert!(inside <= 1.0, "{step}: {inside}");
        }
        assert!(growth(SchemeKind::RungeKutta8, 1.001 * limit).unwrap() > 1.0);
    }
}
