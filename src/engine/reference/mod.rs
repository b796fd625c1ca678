//! The faithful simulation: Algorithms 1 and 2 of Dang 2013, f64.
//!
//! A step reads like the paper's box: displacement at the nodes (eq. 27), master segment and local
//! coordinate (eqs. 28–29), gap (eq. 30), force (eq. 33 or the multipliers of §2.4.3), reactions
//! (eq. 34), modal forces (eq. 35), new amplitudes (eq. 25).
//!
//! Two ways to walk the nodes give the same bits. `Literal` visits every node of both profiles at every
//! step, as the paper does, and is the baseline for speed. `Pruned` visits only nodes that a rigorous
//! bound cannot rule out, and is what people run.

mod advise;
mod balance;
mod bench;
mod board;
mod books;
mod broad_phase;
mod extremes;
mod interface;
mod lagrange;
mod points;
mod probe;
mod rub;
mod run;
mod shock_book;
mod simulation;
mod stability;
mod start;
mod touch;
mod tow;

pub use interface::Walk;
pub use shock_book::ShockDetail;
pub use touch::Touch;

pub use advise::{KappaAdvice, advise_kappa};
pub use balance::tangent;
pub use balance::{Balance, balance};
pub use points::{ContactMap, ContactPoint};
pub use rub::Rub;
pub use run::{Outcome, Request, run, run_into, run_watched};
pub use simulation::{Simulation, Start};
pub use stability::{StepBound, check_step, step_bound};
pub use tow::{Along, Tow};
