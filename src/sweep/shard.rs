//! One part of a sweep that is run in parts.

use std::fmt;

use crate::error::Problem;

/// Part `index` (from 1) of `of`: every `of`-th point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    pub index: usize,
    pub of: usize,
}

impl Shard {
    pub const WHOLE: Self = Self { index: 1, of: 1 };

    /// `I/N`, as `--shard` takes it.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let parts = text.split_once('/').map(|(i, n)| (i.trim().parse(), n.trim().parse()));
        match parts {
            Some((Ok(index), Ok(of))) if (1..=of).contains(&index) => Ok(Self { index, of }),
            _ => Err(Problem::new(
                "--shard",
                text,
                "must be I/N with I from 1 to N",
                "write for example --shard 1/4, 2/4, 3/4 and 4/4 for four parts",
            )),
        }
    }

    pub fn holds(&self, point: usize) -> bool {
        point % self.of == self.index - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}
