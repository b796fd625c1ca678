use super::*;
use crate::contact::effective_modulus;
use pulp::Scalar;

fn laws() -> [ContactLaw; 3] {
    [
        ContactLaw::Penalty { kappa_pa: 2.1e12 },
        ContactLaw::hertz(5e-6, effective_modulus(210e9, 210e9), 5e-5, 5e-5),
        ContactLaw::exponential_calibrated(1e9, 400.0),
    ]
}

fn heights() -> Row {
    Row(std::array::from_fn(|i| (i as f32 * 1.7).sin() * 3e-7))
}

/// What lies there a step later.
fn moved() -> Row {
    Row(std::array::from_fn(|i| ((i as f32 + 0.2) * 1.7).sin() * 3e-7))
}

/// The same heights all the way.
fn still() -> [Row; 2] {
    [heights(); 2]
}

#[test]
fn work_over_a_step_is_what_the_contact_stores() {
    let ways = [(-1e-7, 1e-7), (1e-7, -1e-7), (5e-7, 6e-7), (-4e-7, 4e-7), (2e-7, -2e-7)];
    for law in laws() {
        let node = NodeLaw::new(&law, 5e-6, 1.0, 1e-5);
        for (from, to) in ways {
            let force = press(Scalar, &node, &still(), from, to).force;
            let work = force * (to - from);
            let gained = stored(Scalar, &node, &heights(), to) - stored(Scalar, &node, &heights(), from);
            assert!((work - gained).abs() <= 2e-3 * gained.abs(), "{law:?} {from} {to}: {work} {gained}");
        }
    }
}

/// Σ f_i·(z_i⁺ - z_i⁻): every node alone, since each has a way of its own.
#[test]
fn heights_that_move_are_paid_for_exactly() {
    for law in laws() {
        let node = NodeLaw::new(&law, 5e-6, 1.0, 1e-5);
        for (from, to) in [(-1e-7f32, 1e-7f32), (1e-7, -1e-7), (2e-7, 2e-7), (5e-7, 6e-7)] {
            let (mut paid, mut traffic) = (0.0, 0.0);
            for i in 0..ROW {
                let alone = |row: Row| Row(std::array::from_fn(|j| if j == i { row.0[i] } else { -1e-3 }));
                let heights = [alone(heights()), alone(moved())];
                let rise = heights[1].0[i] - heights[0].0[i];
                paid += press(Scalar, &node, &heights, from, to).force * (rise + to - from);
                traffic += stored(Scalar, &node, &heights[1], to);
            }
            let gained = stored(Scalar, &node, &moved(), to) - stored(Scalar, &node, &heights(), from);
            assert!((paid - gained).abs() <= 2e-3 * traffic.abs(), "{law:?} {from} {to}: {paid} {gained}");
        }
    }
}

#[test]
fn a_short_step_gives_the_law_itself() {
    for law in laws() {
        let node = NodeLaw::new(&law, 5e-6, 1.0, 1e-5);
        let x = 2e-7f32;
        let sum: f64 = heights().0.iter().map(|z| 2.0 * 5e-6 * law.pressure(-f64::from(z + x))).sum();
        for to in [x, x * 1.000_01] {
            let force = f64::from(press(Scalar, &node, &still(), x, to).force);
            assert!((force / sum - 1.0).abs() < 5e-3, "{law:?}: {force} {sum}");
        }
    }
}

#[test]
fn stiffness_is_the_slope_of_the_force() {
    for law in laws() {
        let node = NodeLaw::new(&law, 5e-6, 1.0, 1e-5);
        for (from, to) in [(-1e-7f32, 1e-7f32), (1e-7, -5e-8), (5e-7, 6e-7)] {
            let at = |to: f32| press(Scalar, &node, &still(), from, to);
            let h = 1e-9;
            let slope = (at(to + h).force - at(to - h).force) / (2.0 * h);
            let ratio = at(to).stiffness / slope;
            assert!((0.95..1.05).contains(&ratio), "{law:?} {from} {to}: {ratio}");
        }
    }
}

#[test]
fn exp_is_good_to_single_precision() {
    for i in -800..=400 {
        let x = i as f32 * 0.1;
        assert!((exp(x) / x.exp() - 1.0).abs() < 1e-5, "{x}");
    }
}
