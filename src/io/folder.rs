//! The folder that a command makes for its own files, and takes away again if none came.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// To be held until the files are written: a folder that was made and stayed empty goes with it.
#[derive(Debug)]
#[must_use]
pub struct Prepared {
    made: Option<PathBuf>,
}

impl Drop for Prepared {
    fn drop(&mut self) {
        if let Some(folder) = &self.made {
            // A folder that holds anything is not removed, which is what is wanted.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Makes sure that the folder is there and can be written. Only the last step of the path is created: a
/// mistyped path must not grow a tree.
pub fn prepare(folder: &Path) -> Result<Prepared, Error> {
    let failed = |source: io::Error| Error::output(folder, source);
    let mut prepared = Prepared { made: None };
    if !folder.exists() {
        fs::create_dir(folder).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => {
                failed(io::Error::new(source.kind(), "the folder above it does not exist; create it first"))
            }
            _ => failed(source),
        })?;
        prepared.made = Some(folder.to_owned());
    }
    if !folder.is_dir() {
        return Err(failed(io::Error::new(io::ErrorKind::NotADirectory, "is a file; name a folder")));
    }
    super::part::check_writable(&folder.join("probe"))?;
    Ok(prepared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_folder_is_made_and_no_tree() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a");
        let _made = prepare(&folder).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        let deep = prepare(&root.path().join("b").join("c")).unwrap_err();
        assert_eq!(deep.exit_code(), 74);
        assert!(deep.to_string().contains("create it first") && !root.path().join("b").exists());
        fs::write(root.path().join("file"), "x").unwrap();
        assert!(prepare(&root.path().join("file")).unwrap_err().to_string().contains("name a folder"));
    }

    #[test]
    fn an_empty_folder_goes_only_if_it_was_made_here() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a");
        drop(prepare(&folder).unwrap());
        assert!(!folder.exists());
        let made = prepare(&folder).unwrap();
        // It is there already, and stays with its maker.
        drop(prepare(&folder).unwrap());
        assert!(folder.is_dir());
        fs::write(folder.join("table.csv"), "x").unwrap();
        drop(made);
        assert!(folder.join("table.csv").is_file());
    }
}
