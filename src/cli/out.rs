//! Data on stdout, talk on stderr. A reader that closes the pipe is not an error: the command stops
//! quietly, and the files it wrote are whole.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::error::Error;

/// Writes data to stdout through one buffer.
pub fn data(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    data_to(&mut io::stdout().lock(), write)
}

/// One line of data.
pub fn line(text: &str) -> Result<(), Error> {
    data(|out| writeln!(out, "{text}"))
}

/// Indented JSON and a line end. Numbers that JSON does not know (the level of silence is minus infinity)
/// become `null`.
pub fn json(value: &impl Serialize) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Error::Other(format!("the result has no JSON form: {error}")))?;
    line(&text)
}

/// One line of talk. Nobody listening is no reason to stop, so failures are let go.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

fn data_to(sink: &mut impl Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    let mut buffered = io::BufWriter::new(sink);
    let outcome = write(&mut buffered).and_then(|()| buffered.flush());
    if outcome.is_err() {
        // What is left in the buffer has nowhere to go; dropping it would try once more.
        let _ = buffered.into_parts();
    }
    outcome.map_err(failed)
}

/// What a failure of stdout means: nothing where its reader left.
pub fn failed(source: io::Error) -> Error {
    match source.kind() {
        io::ErrorKind::BrokenPipe => Error::ClosedPipe,
        _ => Error::output(Path::new("stdout"), source),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Failing(io::ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_closed_pipe_is_quiet_and_a_full_disk_is_not() {
        let closed = data_to(&mut Failing(io::ErrorKind::BrokenPipe), |out| writeln!(out, "x")).unwrap_err();
        assert!(matches!(closed, Error::ClosedPipe) && closed.exit_code() == 0);
        let full = data_to(&mut Failing(io::ErrorKind::StorageFull), |out| writeln!(out, "x")).unwrap_err();
        assert_eq!(full.exit_code(), 74);
        assert!(full.to_string().starts_with("stdout"), "{full}");
    }

    #[test]
    fn data_arrives_whole() {
        let mut sink = Vec::new();
        data_to(&mut sink, |out| (0..3).try_for_each(|i| writeln!(out, "{i}"))).unwrap();
        assert_eq!(sink, b"0\n1\n2\n");
    }
}
