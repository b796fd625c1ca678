//! Small numerical tools without physics. Uses nothing of the house.

pub mod fourier;
pub mod kaiser;
pub mod running_mean;
pub mod vector;

/// Finds the root of `f` between `low` and `high` by bisection; `f` must change sign there.
pub fn bisect(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let rising = f(high) > 0.0;
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if (f(middle) > 0.0) == rising {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}
