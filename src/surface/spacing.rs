//! Mean width of profile elements, RSm (ISO 4287, 4.3.1).
//!
//! An element is a peak with the valley before it, from one upward crossing of the mean line to the next.
//! Which crossings count is a convention; ours is the standard's default:
//! - height: a peak counts when it rises more than 10 % of Rz above the mean line, a valley when it falls
//!   as far below. Rz is the mean peak-to-valley height of the sampling lengths (λc each), or of the whole
//!   profile when there is no λc;
//! - spacing: a peak or valley narrower than 1 % of the sampling length is joined to its neighbours. Only
//!   with λc: without it there is no sampling length.
//!
//! Of several crossings on one rise the last counts, linear between nodes.

/// Share of Rz that a peak or valley has to reach.
const HEIGHT_SHARE: f64 = 0.1;
/// Share of the sampling length that a peak or valley has to be wide.
const WIDTH_SHARE: f64 = 0.01;

/// RSm of heights free of their mean, or None with less than one whole element.
pub fn mean_element_width_m(heights: &[f64], step_m: f64, sampling_length_m: Option<f64>) -> Option<f64> {
    let sampling_nodes = sampling_length_m.map_or(heights.len(), |length| (length / step_m).round() as usize);
    let threshold = HEIGHT_SHARE * mean_peak_to_valley(heights, sampling_nodes);
    let mut crossings = crossings(heights, threshold);
    if let Some(length) = sampling_length_m {
        join_narrow(&mut crossings, WIDTH_SHARE * length / step_m);
    }
    let upward: Vec<f64> = crossings.iter().filter(|c| c.upward).map(|c| c.node).collect();
    let elements = upward.len().checked_sub(1).filter(|&count| count > 0)?;
    Some((upward[elements] - upward[0]) / elements as f64 * step_m)
}

/// Rz: peak-to-valley height averaged over whole sampling lengths.
fn mean_peak_to_valley(heights: &[f64], sampling_nodes: usize) -> f64 {
    let nodes = sampling_nodes.clamp(1, heights.len().max(1));
    let pieces = heights.chunks_exact(nodes);
    let count = pieces.len().max(1) as f64;
    let range = |piece: &[f64]| {
        let (low, high) = piece
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &z| (low.min(z), high.max(z)));
        high - low
    };
    pieces.map(range).sum::<f64>() / count
}

/// A crossing of the mean line between a valley and a peak that both count.
struct Crossing {
    /// Where, in steps.
    node: f64,
    upward: bool,
}

fn crossings(heights: &[f64], threshold: f64) -> Vec<Crossing> {
    let mut found = Vec::new();
    // Side of the last peak or valley that counted, and the last crossing towards the other side.
    let mut side = 0.0;
    let mut last_crossing = None;
    for (l, &z) in heights.iter().enumerate() {
        if l > 0 {
            let before = heights[l - 1];
            if (before < 0.0) != (z < 0.0) {
                last_crossing = Some((l as f64 - z / (z - before), z > before));
            }
        }
        if z.abs() > threshold && z.signum() != side {
            // The first one to count has no partner behind it.
            if side != 0.0
                && let Some((node, upward)) = last_crossing
            {
                found.push(Crossing { node, upward });
            }
            side = z.signum();
        }
    }
    found
}

/// Takes out the two crossings around every peak or valley narrower than `least`.
fn join_narrow(crossings: &mut Vec<Crossing>, least: f64) {
    let mut kept: Vec<Crossing> = Vec::with_capacity(crossings.len());
    for crossing in crossings.drain(..) {
        match kept.last() {
            Some(last) if crossing.node - last.node < least => {
                kept.pop();
            }
            _ => kept.push(crossing),
        }
    }
    *crossings = kept;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn wave(l: usize, wavelength: f64) -> f64 {
        (TAU * l as f64 / wavelength).sin()
    }

    #[test]
    fn ripples_below_a_tenth_of_rz_do_not_count() {
        let bare: Vec<f64> = (0..5000).map(|l| wave(l, 500.0)).collect();
        let rippled: Vec<f64> = (0..5000).map(|l| wave(l, 500.0) + 0.1 * wave(l, 13.0)).collect();
        let width = |z: &[f64]| mean_element_width_m(z, 2.0, None).unwrap();
        assert!((width(&bare) - 1000.0).abs() < 1e-6, "{}", width(&bare));
        // A ripple may move the two outer crossings by its own length, over nine elements.
        assert!((width(&rippled) - 1000.0).abs() < 2.0 * 26.0 / 9.0, "{}", width(&rippled));
    }

    #[test]
    fn narrow_spikes_are_joined_when_there_is_a_sampling_length() {
        let mut heights: Vec<f64> = (0..4000).map(|l| wave(l, 1000.0)).collect();
        heights[250] = -1.0;
        let with = mean_element_width_m(&heights, 1.0, Some(1000.0)).unwrap();
        let without = mean_element_width_m(&heights, 1.0, None).unwrap();
        assert!((with - 1000.0).abs() < 1e-6, "{with}");
        assert!(without < 950.0, "{without}");
    }

    #[test]
    fn less_than_one_element_has_no_width() {
        assert_eq!(mean_element_width_m(&[], 1.0, None), None);
        assert_eq!(mean_element_width_m(&[0.0; 9], 1.0, None), None);
        assert_eq!(mean_element_width_m(&[-1.0, 1.0, -1.0], 1.0, Some(2.0)), None);
    }
}
