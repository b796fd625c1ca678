//! The papers' cases as tests: every finding of the quick run passes, and the numbers behind the findings
//! lie where the papers and the theory put them, by limits written here a second time.

use asperity::verify::{Effort, Finding, Ours, find_case};

/// Runs a case and holds every finding to its range.
fn findings(name: &str) -> Vec<Finding> {
    let case = find_case(name).unwrap();
    let findings = (case.run)(&Effort::quick()).unwrap();
    for finding in &findings {
        assert!(
            finding.pass,
            "{}: {} = {}, right is {} (paper: {}; {})",
            name, finding.quantity, finding.ours, finding.range, finding.paper, finding.note
        );
        assert!(!finding.quantity.is_empty() && !finding.range.is_empty());
        assert_eq!(finding.case, name);
    }
    findings
}

/// The number of the one finding whose quantity begins so.
fn number(findings: &[Finding], quantity: &str) -> f64 {
    let mut found = findings.iter().filter(|finding| finding.quantity.starts_with(quantity));
    match (found.next(), found.next()) {
        (Some(Finding { ours: Ours::Number(number), .. }), None) => *number,
        other => panic!("{quantity}: {other:?}"),
    }
}

#[test]
fn val_modes() {
    let found = findings("modes");
    assert_eq!(found.len(), 11);
    assert!((number(&found, "f6 of the beam") - 33_880.83).abs() < 0.2);
    assert!((number(&found, "f30") - 20_900.0).abs() < 50.0);
}

#[test]
fn val_olsson() {
    let found = findings("olsson");
    for alpha in ["0.125", "0.25", "0.5", "1"] {
        let of = |what: &str| {
            let of_alpha: Vec<Finding> =
                found.iter().filter(|f| f.quantity.contains(&format!("α = {alpha}"))).cloned().collect();
            let exact = |f: &Finding| {
                let after = f.quantity.split("α = ").nth(1).unwrap();
                after.split(' ').next() == Some(alpha)
            };
            number(&of_alpha.into_iter().filter(exact).collect::<Vec<_>>(), what)
        };
        assert!(of("rms deviation") < 1.0);
        assert!((of("mean contact force") - 1.0).abs() < 0.01);
    }
}

#[test]
fn val_asperities() {
    let found = findings("asperities");
    let stiff = number(&found, "penalty κ = 10E against Lagrange");
    let soft = number(&found, "penalty κ = 0.1E against Lagrange");
    assert!(stiff <= 10.0 && soft >= 3.0 * stiff, "{stiff} {soft}");
    assert!(number(&found, "peak force with one mode") > 1.0);
    assert!(number(&found, "largest error from 15 modes on") <= 10.0);
}

#[test]
fn val_integrators() {
    let found = findings("integrators");
    assert!((number(&found, "central-difference: largest stable") - 2.0).abs() < 2e-3);
    assert!((number(&found, "rk4: largest stable") - 8f64.sqrt()).abs() < 3e-3);
    assert!((number(&found, "rk8: observed order") - 6.0).abs() < 0.1);
    // Euler on mode 1: (1 + θ²)^n with θ = 1e-6 · 2π · 941.13.
    let turn = 1e-6 * std::f64::consts::TAU * 941.13;
    let right = (1.0 + turn * turn).powi(50_000);
    assert!((number(&found, "euler, mode 1 alone") / right - 1.0).abs() < 1e-3);
    // Heun with all six modes is far from stable.
    assert!(number(&found, "heun, six modes alike") > 1e9);
}

#[test]
fn val_sdnd106() {
    let found = findings("sdnd106");
    for (quantity, right) in [
        ("x2 (m) at t = 0.02", 0.11221),
        ("x1 (m) at t = 0.15", 1.35332),
        ("x2 (m) at t = 0.15", 1.80751),
        ("x2 (m) at t = 0.34", 3.96813),
        ("t1", 0.03512),
        ("t3", 0.31492),
    ] {
        let ours = number(&found, quantity);
        assert!((ours / right - 1.0).abs() < 1e-3, "{quantity}: {ours}");
    }
    assert!(number(&found, "x1 (m) at t = 0.02").abs() < 5e-5);
    assert!(number(&found, "speed of x1 (m/s) at t = 0.34").abs() < 1e-4);
}

#[test]
fn val_hertz() {
    let found = findings("hertz");
    assert!((number(&found, "frequency of the ringing") - 941.13).abs() < 1.0);
    assert!((number(&found, "damping ratio") - 0.01).abs() < 2e-4);
    assert!(number(&found, "velocity against forces") < 1.0);
    assert!((number(&found, "RSm of the bottom") - 1500.0).abs() < 75.0);
}

#[test]
fn val_realistic() {
    let found = findings("realistic");
    // The paper's exponents are 0.63–0.67 and 0.52–0.63, experiments' 0.8–1.2 and 0.6–1.1.
    assert!((0.6..1.2).contains(&number(&found, "exponent m")));
    assert!((0.45..0.75).contains(&number(&found, "exponent n")));
    assert!((-10.0..-5.5).contains(&number(&found, "Lv against ζ")));
    assert!(number(&found, "durations below 0.1 ms") > 90.0);
    assert!(number(&found, "ΣΔW") > 0.0);
}

#[test]
fn val_laws() {
    let findings = findings("laws");
    // The three laws of the gap agree nearly as well as two surfaces do; ideal contact is apart.
    assert!(number(&findings, "exponential: Lv against penalty (dB)").abs() < 2.0);
}

#[test]
fn val_convergence() {
    let found = findings("convergence");
    assert_eq!(found.len(), 5);
    assert!(number(&found, "|ΔLv| of τ") < 1.0);
}
