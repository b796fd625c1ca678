//! How high and how steep a profile can be near a place: what the bounds of `broad_phase` are made of.

use crate::contact::cubic_extremes;

/// Highest point and steepest slope (height per node) of each segment as it is interpolated.
pub fn segment_extremes(heights: &[f64], looped: bool) -> (Vec<f64>, Vec<f64>) {
    let count = heights.len();
    let segments = if looped { count } else { count - 1 };
    (0..segments)
        .map(|segment| {
            if !looped && (segment == 0 || segment + 2 == count) {
                let (left, right) = (heights[segment], heights[segment + 1]);
                return (left.max(right), (right - left).abs());
            }
            let at = |r: usize| heights[(segment + count + r - 1) % count];
            cubic_extremes([at(0), at(1), at(2), at(3)])
        })
        .unzip()
}

/// Largest value within `window` places to either side.
pub fn window_max(values: &[f64], window: usize, looped: bool) -> Vec<f64> {
    let count = values.len() as i64;
    let window = window as i64;
    // Indices of a falling sequence of candidates for the maximum: each enters and leaves once.
    let mut queue: std::collections::VecDeque<i64> = std::collections::VecDeque::new();
    let value = |index: i64| {
        if looped {
            values[index.rem_euclid(count) as usize]
        } else if (0..count).contains(&index) {
            values[index as usize]
        } else {
            f64::MIN
        }
    };
    let mut out = Vec::with_capacity(values.len());
    for index in -window..count + window {
        while queue.back().is_some_and(|&back| value(back) <= value(index)) {
            queue.pop_back();
        }
        queue.push_back(index);
        let centre = index - window;
        if centre >= 0 {
            while queue.front().is_some_and(|&front| front < centre - window) {
                queue.pop_front();
            }
            out.push(queue.front().map_or(f64::MIN, |&front| value(front)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_maxima_are_those_of_a_plain_search() {
        let values: Vec<f64> = (0..50).map(|i| f64::from(i * i * 7919 % 101)).collect();
        for window in [0, 1, 4] {
            for looped in [false, true] {
                let fast = window_max(&values, window, looped);
                for (centre, fast) in fast.iter().enumerate() {
                    let plain = (-(window as i64)..=window as i64)
                        .map(|d| centre as i64 + d)
                        .filter(|i| looped || (0..50).contains(i))
                        .map(|i| values[i.rem_euclid(50) as usize])
                        .fold(f64::MIN, f64::max);
                    assert_eq!(*fast, plain, "window {window}, looped {looped}, place {centre}");
                }
            }
        }
    }
}
