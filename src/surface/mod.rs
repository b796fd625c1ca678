//! Rough profiles: made, measured, imported. Uses `math` and `error` only; knows no beam, no contact.

/// Heights on an even grid, metres. Node `l` stands at `l · step_m`.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    pub step_m: f64,
    pub heights_m: Vec<f64>,
    /// The end joins the beginning seamlessly: node `N` is node 0.
    pub periodic: bool,
}
