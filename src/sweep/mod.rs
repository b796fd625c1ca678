//! Many runs of one scene: a grid over any of its keys, repeated over surfaces, as one table. Uses
//! `scene`, `render`, `analysis` and `io`; knows no terminal and draws nothing.
//!
//! Words and lists become a [`Plan`]; its points run in any order on any number of threads or machines,
//! each leaving one checked line in a [`Journal`]; [`Results`] are those lines in the order of the plan.

mod check;
mod identity;
mod journal;
mod laws;
mod list;
mod merge;
mod plan;
mod report;
mod results;
mod run;
mod shard;
mod words;

pub use identity::Identity;
pub use journal::{JOURNAL_FILE, Journal, Rows};
pub use laws::{CONFIDENCE, Laws};
pub use list::parse as parse_list;
pub use merge::{merge, write_journal};
pub use plan::Plan;
pub use report::report;
pub use results::{Results, WHOLE};
pub use run::run;
pub use shard::Shard;
pub use words::{WORDS, Word, read_spec};
