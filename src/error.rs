//! What can go wrong, told so that a person can mend it.
//!
//! Bad input is collected, never reported one at a time: a [`Problems`] list holds every finding,
//! each with its place, the value found, the limit and the cure.

use std::fmt;
use std::path::{Path, PathBuf};

/// One finding about input from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Key, file with line and column, or file with byte offset.
    pub place: String,
    /// What was found there.
    pub value: String,
    /// What would have been right.
    pub limit: String,
    /// What to do about it.
    pub cure: String,
}

impl Problem {
    pub fn new(
        place: impl Into<String>,
        value: impl fmt::Display,
        limit: impl Into<String>,
        cure: impl Into<String>,
    ) -> Self {
        Self { place: place.into(), value: value.to_string(), limit: limit.into(), cure: cure.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}; {}", self.place, self.value, self.limit, self.cure)
    }
}

/// Everything found wrong with one input, in the order found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    pub fn push(&mut self, problem: Problem) {
        self.0.push(problem);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps what is wrong with one input, so that the next can be looked at; a failure of another kind ends the search.
    pub fn gather<T>(&mut self, outcome: Result<T, impl Into<Error>>) -> Result<Option<T>, Error> {
        match outcome.map_err(Into::into) {
            Ok(value) => Ok(Some(value)),
            Err(Error::Input(found)) => {
                self.0.extend(found.0);
                Ok(None)
            }
            Err(other) => Err(other),
        }
    }

    /// `Ok(value)` when nothing was found.
    pub fn or<T>(self, value: T) -> Result<T, Error> {
        self.or_gathered(Some(value))
    }

    /// As [`Self::or`] for a value from [`Self::gather`], which is missing only where something was found.
    pub fn or_gathered<T>(self, value: Option<T>) -> Result<T, Error> {
        match value {
            Some(value) if self.is_empty() => Ok(value),
            _ => Err(Error::Input(self)),
        }
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

#[derive(Debug)]
pub enum Error {
    /// Bad input: exit code 2, nothing written.
    Input(Problems),
    /// An output file failed: exit code 74.
    Output { path: PathBuf, source: std::io::Error },
    /// Stopped by a signal (its number): exit code 128 + number.
    Interrupted(i32),
    /// Stdout was closed by its reader: not an error, stop quietly.
    ClosedPipe,
    /// Anything else: exit code 1.
    Other(String),
}

impl Error {
    pub fn output(path: &Path, source: std::io::Error) -> Self {
        Self::Output { path: path.to_owned(), source }
    }

    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Input(_) => 2,
            Self::Output { .. } => 74,
            Self::Interrupted(signal) => u8::try_from(128 + signal).unwrap_or(1),
            Self::ClosedPipe => 0,
            Self::Other(_) => 1,
        }
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::Input(problem.into())
    }
}

impl From<Problems> for Error {
    fn from(problems: Problems) -> Self {
        Self::Input(problems)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(problems) => {
                for (index, problem) in problems.0.iter().enumerate() {
                    if index > 0 {
                        writeln!(f)?;
                    }
                    write!(f, "{problem}")?;
                }
                Ok(())
            }
            Self::Output { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Interrupted(signal) => write!(f, "stopped by signal {signal}"),
            Self::ClosedPipe => write!(f, "output closed by its reader"),
            Self::Other(text) => write!(f, "{text}"),
        }
    }
}

impl std::error::Error for Error {}
