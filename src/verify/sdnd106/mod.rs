//! Stick, slip and stick again of two masses on a spring (Code_Aster SDND106).
//!
//! m₁ rubs under a constant N with μ_s and μ_d, m₂ hangs on it by the spring k and is pulled with F until
//! t₂, then let go. Closed form, ω₀² = k/m, Ω₀² = 2k/m, X = x₁ + x₂, Y = x₁ - x₂:
//! - stick to t₁ = arccos(1 - μ_s·N/F)/ω₀: x₁ = 0, x₂ = (F/k)(1 - cos ω₀t);
//! - slip under a pull P (F, then 0): Ẍ = (P - μ_d·N)/m, Ÿ + Ω₀²Y = -(P + μ_d·N)/m;
//! - stick from t₃, where ẋ₁ = 0: x₂ swings about x₁ with ω₀.
//!
//! The constants Ĩ and J̃ of the second slip phase are printed in each other's place: the cosine carries
//! Y(t₂) + μ_d·N/2k, the sine Ẏ(t₂)/Ω₀. The table's values are right. Friction holds m₁ with the force
//! T = -k·x₂, so it pulls in -x.
//!
//! Ours is the slider of the reference engine on its drive: m₁ a rigid slider of 5 kg per metre of width
//! under the load N on smooth surfaces, m₂ a drive of the same mass on the spring k under the force F. The
//! slider starts in balance on the contact, and friction neither bends nor pitches, so that N stays what it
//! is. Once with an exact stick, once with a stick spring of 1e10 N/m, a millionth of the compliance of k:
//! the document names none.

mod closed_form;

pub use closed_form::{ClosedForm, State};

use super::{Effort, Finding, Pen, Series, Sheet, draft};
use crate::engine::reference::{ContactMap, Simulation, Start, balance};
use crate::error::Error;
use crate::scene::{Contact, Scene};
use closed_form::{END_S, LET_GO_S};

pub const NAME: &str = "sdnd106";

const STEP_S: f64 = 1e-6;

/// The two masses as a scene; lengths and contact are free choices that friction along x never sees.
pub const KEYS: [(&str, &str); 24] = [
    ("surface.ra_um", "0"),
    ("surface.step_um", "50000"),
    ("resonator.length_m", "1"),
    ("resonator.thickness_m", "0.1"),
    ("resonator.modes", "1"),
    ("slider.length_m", "0.1"),
    ("slider.thickness_m", "0.01"),
    ("slider.density_kg_m3", "5000"),
    ("slider.load_n_m", "1e4"),
    ("run.gravity_m_s2", "0"),
    ("contact.kappa_pa", "1e11"),
    ("friction.static", "0.3"),
    ("friction.dynamic", "0.2"),
    ("friction.bends_resonator", "false"),
    ("friction.pitches_slider", "false"),
    ("friction.follows_slope", "false"),
    ("motion.kind", "endless"),
    ("motion.start_m", "0.45"),
    ("drive.kind", "force"),
    ("drive.stiffness_n_m", "1e4"),
    ("drive.mass_kg_m", "5"),
    ("drive.force_n_m", "3e3"),
    ("drive.force_end_s", "0.2"),
    ("run.step_s", "1e-6"),
];
/// The stick spring of the second run; its own ω is 4.5e4 rad/s.
const PENALISED: [(&str, &str); 2] =
    [("friction.stick", "penalty"), ("friction.stick_stiffness_n_m", "1e10")];

/// What a run gave.
pub struct Run {
    /// One state for every step, t = n·τ.
    pub states: Vec<State>,
    pub t1: f64,
    pub t3: f64,
}

fn scene(keys: &[(&str, &str)]) -> Result<Scene, Error> {
    let mut draft = draft(&KEYS)?;
    for (key, value) in keys {
        draft.set(key, value)?;
    }
    draft.build()
}

/// The reference engine on a scene of the two masses.
pub fn simulate(keys: &[(&str, &str)]) -> Result<Run, Error> {
    let scene = scene(keys)?;
    let Contact::Law(law) = scene.contact else { return Err(Error::Other("needs a law".to_owned())) };
    let level = balance(&ContactMap::new(&scene)?, &law, 0.0)?.amplitudes;
    let start = Start { velocity: vec![0.0; level.len()], displacement: level };
    let mut simulation = Simulation::from_state(&scene, start, STEP_S)?;
    let origin_m = scene.motion.offset(0.0);
    let steps = (END_S / STEP_S).round() as usize;
    let mut run = Run { states: Vec::with_capacity(steps + 1), t1: f64::NAN, t3: f64::NAN };
    let mut stuck = true;
    for _ in 0..=steps {
        simulation.step()?;
        let time_s = simulation.left_time();
        let Some(rub) = simulation.rub() else { break };
        if stuck && !rub.sticks() && run.t1.is_nan() {
            run.t1 = time_s;
        }
        if !stuck && rub.sticks() && time_s > LET_GO_S && run.t3.is_nan() {
            run.t3 = time_s;
        }
        stuck = rub.sticks();
        let (one, two) = (rub.tow.left(), rub.tow.left_drive());
        run.states.push(State {
            x1: one.place_m - origin_m,
            v1: one.speed_m_s,
            x2: two.place_m - origin_m,
            v2: two.speed_m_s,
        });
    }
    Ok(run)
}

/// A row of the document's table.
struct Row {
    time_s: f64,
    size: &'static str,
    printed: f64,
    aster: &'static str,
    /// Bound on the absolute value where the reference is zero.
    zero_below: Option<f64>,
    pick: fn(&State) -> f64,
}

const fn row(
    time_s: f64,
    size: &'static str,
    printed: f64,
    aster: &'static str,
    zero_below: Option<f64>,
    pick: fn(&State) -> f64,
) -> Row {
    Row { time_s, size, printed, aster, zero_below, pick }
}

const ROWS: [Row; 6] = [
    row(0.02, "x1 (m)", 0.0, "2.0621e-5", Some(5e-5), |s| s.x1),
    row(0.02, "x2 (m)", 0.11221, "0.11221", None, |s| s.x2),
    row(0.15, "x1 (m)", 1.35332, "1.35329", None, |s| s.x1),
    row(0.15, "x2 (m)", 1.80751, "1.80751", None, |s| s.x2),
    row(0.34, "speed of x1 (m/s)", 0.0, "-3.3802e-5", Some(1e-4), |s| s.v1),
    row(0.34, "x2 (m)", 3.96813, "3.97012", None, |s| s.x2),
];

pub fn run(effort: &Effort) -> Result<Vec<Finding>, Error> {
    let exact = ClosedForm::new();
    let held = simulate(&[])?;
    effort.report(1, 2)?;
    let penalised = simulate(&PENALISED)?;
    effort.report(2, 2)?;
    let mut findings: Vec<Finding> =
        ROWS.iter().filter(|row| row.zero_below.is_none()).map(|row| closed_row(row, &exact)).collect();
    compare(&mut findings, "", &held, &exact);
    compare(&mut findings, "stick by penalty: ", &penalised, &exact);
    effort.draw(&sheet(&exact, &held))?;
    Ok(findings)
}

/// The rows of the table and both instants for one run.
fn compare(findings: &mut Vec<Finding>, how: &str, ours: &Run, exact: &ClosedForm) {
    for row in &ROWS {
        let value = (row.pick)(&ours.states[(row.time_s / STEP_S).round() as usize]);
        let quantity = format!("{how}{} at t = {} s", row.size, row.time_s);
        let finding = match row.zero_below {
            Some(bound) => Finding::between(NAME, quantity, value, -bound, bound)
                .note("a stick spring gives by the force over its stiffness, an exact stick not at all"),
            None => Finding::near(NAME, quantity, value, row.printed, 1e-3),
        };
        findings.push(finding.paper(format!("{} (Aster {})", row.printed, row.aster)));
    }
    for (name, value, closed, printed, aster) in [
        ("t1, stick to slip (s)", ours.t1, exact.t1, 0.03512, "0.03520"),
        ("t3, slip to stick (s)", ours.t3, exact.t3, 0.31492, "0.31500"),
    ] {
        findings.push(
            Finding::near(NAME, format!("{how}{name}"), value, printed, 1e-3)
                .paper(format!("{printed} (Aster {aster})"))
                .note(format!("closed form {closed:.6}")),
        );
    }
}

/// The closed form, with its two constants put right, against the printed digits.
fn closed_row(row: &Row, exact: &ClosedForm) -> Finding {
    let closed = (row.pick)(&exact.at(row.time_s));
    let quantity = format!("closed form: {} at t = {} s", row.size, row.time_s);
    Finding::between(NAME, quantity, closed, row.printed - 3e-5, row.printed + 3e-5)
        .paper(row.printed.to_string())
        .note(
            "three units of the last printed digit: at 0.15 s the document's own formulas give 1.35334 and \
             1.80753; in the second slip phase its constants I and J are exchanged",
        )
}

fn sheet(exact: &ClosedForm, ours: &Run) -> Sheet {
    let times = |every: usize| (0..ours.states.len()).step_by(every);
    let marks = |pick: fn(&State) -> f64| {
        times(10_000).map(|n| (n as f64 * STEP_S, pick(&ours.states[n]))).collect::<Vec<_>>()
    };
    let closed = |pick: fn(&State) -> f64| {
        times(1000).map(|n| (n as f64 * STEP_S, pick(&exact.at(n as f64 * STEP_S)))).collect::<Vec<_>>()
    };
    Sheet {
        name: "sdnd106-positions",
        title: "Stick, slip and stick again (SDND106)".to_owned(),
        x: "time (s)",
        y: "position (m)",
        log_x: false,
        log_y: false,
        series: vec![
            Series::new("closed form", Pen::Reference, closed(|s| s.x1)),
            Series::new("", Pen::Reference, closed(|s| s.x2)),
            Series::new("x1", Pen::Marks, marks(|s| s.x1)),
            Series::new("x2", Pen::Marks, marks(|s| s.x2)),
        ],
    }
}
