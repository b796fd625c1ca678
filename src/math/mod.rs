//! (room being furnished)

pub mod fourier;
