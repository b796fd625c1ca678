//! Lines before they meet the page, in places from 0 to 1 along each axis: thinned to what can be seen,
//! cut at the edges.

/// Keeps of each column of the page its first, lowest, highest and last point, so that a million points
/// look the same and weigh little. Lines that turn back in x are left alone.
pub fn thinned(places: &[(f64, f64)], columns: usize) -> Vec<(f64, f64)> {
    let forward = places.windows(2).all(|pair| pair[0].0 <= pair[1].0);
    if places.len() <= 4 * columns || !forward || places.iter().any(|place| place.1.is_nan()) {
        return places.to_vec();
    }
    let column = |place: &(f64, f64)| (place.0 * columns as f64).floor();
    let mut kept = Vec::with_capacity(4 * columns);
    for group in places.chunk_by(|a, b| column(a) == column(b)) {
        let by_height = |a: &&usize, b: &&usize| group[**a].1.total_cmp(&group[**b].1);
        let all: Vec<usize> = (0..group.len()).collect();
        let mut picks = vec![0, group.len() - 1];
        picks.extend(all.iter().min_by(by_height));
        picks.extend(all.iter().max_by(by_height));
        picks.sort_unstable();
        picks.dedup();
        kept.extend(picks.into_iter().map(|pick| group[pick]));
    }
    kept
}

/// Cuts a line at the edges of the unit square into the runs that lie inside.
pub fn clipped(places: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
    let mut runs: Vec<Vec<(f64, f64)>> = Vec::new();
    for pair in places.windows(2) {
        let Some((from, to)) = clip_segment(pair[0], pair[1]) else { continue };
        match runs.last_mut() {
            Some(run) if run.last() == Some(&from) => run.push(to),
            _ => runs.push(vec![from, to]),
        }
    }
    runs
}

/// Liang and Barsky 1984: the part of a segment inside the unit square.
fn clip_segment(from: (f64, f64), to: (f64, f64)) -> Option<((f64, f64), (f64, f64))> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    if !(dx.is_finite() && dy.is_finite()) {
        return None;
    }
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for (slope, room) in [(-dx, from.0), (dx, 1.0 - from.0), (-dy, from.1), (dy, 1.0 - from.1)] {
        if slope == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if slope < 0.0 {
            enter = enter.max(room / slope);
        } else {
            leave = leave.min(room / slope);
        }
    }
    let at = |t: f64| match t {
        0.0 => from,
        1.0 => to,
        _ => (from.0 + t * dx, from.1 + t * dy),
    };
    (enter <= leave).then(|| (at(enter), at(leave)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_at_the_edges() {
        let runs = clipped(&[(-1.0, 0.5), (0.5, 0.5), (0.5, 2.0), (0.7, 2.0), (0.7, 0.1)]);
        assert_eq!(runs, [vec![(0.0, 0.5), (0.5, 0.5), (0.5, 1.0)], vec![(0.7, 1.0), (0.7, 0.1)]]);
        assert!(clipped(&[(0.2, 0.2), (f64::NAN, 0.3), (0.4, f64::INFINITY)]).is_empty());
        assert!(clipped(&[(-0.5, 0.2), (0.2, -0.9)]).is_empty());
    }

    #[test]
    fn thinning_keeps_every_extreme() {
        let long: Vec<(f64, f64)> =
            (0..100_000).map(|i| (i as f64 / 1e5, if i == 54_321 { 9.0 } else { (i % 7) as f64 })).collect();
        let short = thinned(&long, 500);
        assert!(short.len() <= 2000);
        assert!(short.contains(&long[54_321]));
        assert_eq!((short[0], *short.last().unwrap()), (long[0], long[99_999]));
        assert!(short.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        // A loop in x is not a function of x and stays whole.
        let mut turned = long.clone();
        turned.reverse();
        assert_eq!(thinned(&turned, 500).len(), long.len());
    }
}
