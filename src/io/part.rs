//! A file under its final name is always whole.
//!
//! Everything goes to `NAME.part` first, is flushed and synchronised, and takes its name by a rename,
//! which the file system does in one step. A failure on the way removes the part and names the path.
//!
//! The folder has to exist: a mistyped path must not grow a tree of folders. Commands whose `-o` is a
//! folder of their own making create that one themselves.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Writes a file that a reader sees either whole or not at all.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    write_whole_file(path, |file| write(file))
}

/// As [`write_whole`], for formats that go back to mend their header.
pub fn write_whole_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Error> {
    let target = target_of(path);
    // `/dev/null` and pipes are written in place: a rename would replace the device by a file.
    if is_device(&target) {
        return fill(&target, write).map_err(|source| Error::output(path, source));
    }
    let part = part_path(&target);
    let outcome = fill(&part, write).and_then(|()| fs::rename(&part, &target));
    outcome.map_err(|source| {
        // The part may never have come to be; what matters is the first failure.
        let _ = fs::remove_file(&part);
        Error::output(path, explained(&target, source))
    })
}

/// Asks, before hours of work, whether `path` could be written in the end.
pub fn check_writable(path: &Path) -> Result<(), Error> {
    let target = target_of(path);
    if target.is_dir() {
        return Err(Error::output(path, io::Error::from(io::ErrorKind::IsADirectory)));
    }
    if is_device(&target) {
        return Ok(());
    }
    let part = part_path(&target);
    File::create(&part)
        .and_then(|_| fs::remove_file(&part))
        .map_err(|source| Error::output(path, explained(&target, source)))
}

/// `NAME.part` beside `NAME`.
pub fn part_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

/// Follows links, so that the linked file is replaced and not the link.
pub(super) fn target_of(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Neither file nor folder: written in place, and nothing is put beside it.
pub fn is_device(target: &Path) -> bool {
    fs::metadata(target).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

fn fill(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let file = File::create(path)?;
    let regular = file.metadata()?.is_file();
    let mut buffered = BufWriter::with_capacity(1 << 16, file);
    write(&mut buffered)?;
    buffered.flush()?;
    // Devices and pipes have nothing to synchronise and say so with an error.
    if regular { buffered.get_ref().sync_all() } else { Ok(()) }
}

/// A missing folder deserves more than "No such file or directory" about a file yet to be made.
pub(super) fn explained(target: &Path, source: io::Error) -> io::Error {
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    match source.kind() {
        io::ErrorKind::NotFound if !folder.is_dir() => {
            let text = format!("the folder {} does not exist; create it first", folder.display());
            io::Error::new(source.kind(), text)
        }
        _ => source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_file_is_whole_and_leaves_no_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        write_whole(&path, |out| out.write_all(b"first")).unwrap();
        write_whole(&path, |out| out.write_all(b"second")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert!(!part_path(&path).exists());
    }

    #[test]
    fn a_failure_keeps_the_old_file_and_removes_the_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        write_whole(&path, |out| out.write_all(b"old")).unwrap();
        let failure = write_whole(&path, |out| {
            out.write_all(&[0; 100_000])?;
            Err(io::Error::other("disk full"))
        })
        .unwrap_err();
        assert_eq!(failure.exit_code(), 74);
        assert!(failure.to_string().contains("table.csv") && failure.to_string().contains("disk full"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert!(!part_path(&path).exists());
    }

    #[test]
    fn a_missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nowhere").join("a.wav");
        for failure in [write_whole(&path, |_| Ok(())), check_writable(&path)] {
            let failure = failure.unwrap_err();
            assert_eq!(failure.exit_code(), 74);
            assert!(failure.to_string().contains("nowhere does not exist"), "{failure}");
        }
        assert!(!folder.path().join("nowhere").exists());
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        assert!(check_writable(folder.path()).is_err());
        assert!(write_whole(folder.path(), |_| Ok(())).is_err());
        assert!(folder.path().is_dir());
        assert!(!part_path(folder.path()).exists());
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_links_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, b"old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write_whole(&link, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());

        write_whole(Path::new("/dev/null"), |out| out.write_all(b"gone")).unwrap();
        assert!(is_device(Path::new("/dev/null")));
        // `/dev/full` refuses every byte: the disk that is full, on every Linux machine.
        let failure = write_whole(Path::new("/dev/full"), |out| out.write_all(b"x")).unwrap_err();
        assert!(failure.to_string().contains("/dev/full"));
    }
}
