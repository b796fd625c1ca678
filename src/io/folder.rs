//! The folder that a command makes for its own files.

use std::fs;
use std::io;
use std::path::Path;

use crate::error::Error;

/// Makes sure that the folder is there and can be written. Only the last step of the path is created: a
/// mistyped path must not grow a tree.
pub fn prepare(folder: &Path) -> Result<(), Error> {
    let failed = |source: io::Error| Error::output(folder, source);
    if !folder.exists() {
        fs::create_dir(folder).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => {
                failed(io::Error::new(source.kind(), "the folder above it does not exist; create it first"))
            }
            _ => failed(source),
        })?;
    }
    if !folder.is_dir() {
        return Err(failed(io::Error::new(io::ErrorKind::NotADirectory, "is a file; name a folder")));
    }
    super::part::check_writable(&folder.join("probe"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_folder_is_made_and_no_tree() {
        let root = tempfile::tempdir().unwrap();
        prepare(&root.path().join("a")).unwrap();
        prepare(&root.path().join("a")).unwrap();
        assert_eq!(fs::read_dir(root.path().join("a")).unwrap().count(), 0);
        let deep = prepare(&root.path().join("b").join("c")).unwrap_err();
        assert_eq!(deep.exit_code(), 74);
        assert!(deep.to_string().contains("create it first") && !root.path().join("b").exists());
        fs::write(root.path().join("file"), "x").unwrap();
        assert!(prepare(&root.path().join("file")).unwrap_err().to_string().contains("name a folder"));
    }
}
