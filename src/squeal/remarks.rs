//! What a study shows of what Vermot 2012 shows on the brake, in plain sentences, and what it does not.

use super::study::{Law, Study, power};

/// Frequencies count as saturated when they are this near to those of ideal contact.
const SATURATED: f64 = 0.01;

pub fn remarks(study: &Study) -> Vec<String> {
    let mut told = vec![frequencies(study)];
    let Some((perfect, soft)) = study.laws.split_first() else { return told };
    told.extend(convergence(soft));
    told.push(instabilities(study, perfect, soft));
    told
}

fn frequencies(study: &Study) -> String {
    let rise = |at: Option<&(f64, Vec<f64>)>| {
        let pairs = at.map(|(_, hz)| hz.iter().zip(&study.ideal_hz)).into_iter().flatten();
        pairs.map(|(hz, end)| (hz / end - 1.0).abs()).fold(0.0, f64::max)
    };
    let (first, last) = (rise(study.stiffness_curve.first()), rise(study.stiffness_curve.last()));
    if last < SATURATED {
        format!(
            "Frequencies follow an S-curve in contact stiffness: up to {:.0} % below ideal contact when soft, \
             within {:.2} % of it at the stiff end. {}",
            100.0 * first,
            100.0 * last,
            overshoot(study)
        )
    } else {
        format!(
            "Frequencies do not saturate in this range: at the stiff end some are still {:.0} % from ideal contact, \
             because pressure and with it stiffness leave parts of the slider.",
            100.0 * last
        )
    }
}

/// A stiff law that still presses where ideal contact has opened makes some modes too high.
fn overshoot(study: &Study) -> String {
    let above = study.stiffness_curve.iter().flat_map(|(stiffness, hz)| {
        let pairs = hz.iter().zip(&study.ideal_hz);
        pairs.map(move |(hz, end)| (hz / end - 1.0, *stiffness))
    });
    match above.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((above, stiffness)) if above > SATURATED => format!(
            "Not every one rises all the way, unlike on the paper's clamped block: one is {:.0} % above ideal contact \
             at {} MPa/mm and falls again, as nodes that ideal contact opens let go.",
            100.0 * above,
            power(stiffness)
        ),
        _ => "All rise to it from below, as on the paper's clamped block.".to_owned(),
    }
}

fn convergence(soft: &[Law]) -> Option<String> {
    let (first, last) = (soft.first()?, soft.last()?);
    let verdict = if last.frequency_difference < first.frequency_difference {
        "converges"
    } else {
        "does not converge"
    };
    Some(format!(
        "The exponential law with λ = k_c/p_1 {verdict} to ideal contact: frequencies differ by at most {:.2} % \
         ({}) and {:.2} % ({}), pressures by {:.2} and {:.2} p_1.",
        100.0 * first.frequency_difference,
        first.name,
        100.0 * last.frequency_difference,
        last.name,
        first.pressure_difference,
        last.pressure_difference
    ))
}

/// Which unstable modes soft laws have of their own: other shapes at the chosen μ, or squeal where ideal contact
/// slides quietly.
fn instabilities(study: &Study, perfect: &Law, soft: &[Law]) -> String {
    let count = |law: &Law| law.modes.iter().filter(|mode| mode.unstable).count();
    let told: Vec<String> = soft
        .iter()
        .map(|law| format!("{}: {}, {} of another shape", law.name, count(law), law.invented))
        .collect();
    let here = format!(
        "Unstable modes at μ = {} (ideal contact: {}; {}).",
        study.mu,
        count(perfect),
        told.join("; ")
    );
    match &study.invented {
        Some(found) => {
            let laws: Vec<String> = found.modes.iter().map(|mode| mode.law()).collect();
            format!(
                "Soft laws invent instabilities here, as on the brake: at μ = {} ideal contact is stable, and {} \
                 squeal. {here}",
                found.mu,
                laws.join(", ")
            )
        }
        None if soft.iter().all(|law| count(law) == 0) && count(perfect) == 0 => format!(
            "No mode is unstable at μ = {}: this sliding state shows no squeal, with any law. Less damping, a thicker \
             slider or more friction may bring one.",
            study.mu
        ),
        None => format!(
            "Soft laws invent no instabilities here, unlike on the brake: at no μ that was looked at does one squeal \
             while ideal contact does not. {here}"
        ),
    }
}
