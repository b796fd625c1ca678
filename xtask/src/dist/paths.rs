//! Where the builder keeps its libraries is nobody's business: messages of a panic name source files by their path, and
//! what is shipped must not carry somebody's home folder.

use std::path::{Path, PathBuf};

/// What stands in their place.
const INSTEAD: &str = "libraries";

/// The folder below which cargo keeps the sources of libraries.
pub fn sources() -> Result<PathBuf, String> {
    let own = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo = own.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let cargo = cargo.ok_or("neither CARGO_HOME nor a home folder is known; set CARGO_HOME")?;
    Ok(cargo.join("registry").join("src"))
}

/// A setting for cargo that gives these sources another name in what is built.
pub fn renaming(sources: &Path) -> String {
    format!("build.rustflags=['--remap-path-prefix={}={INSTEAD}']", sources.display())
}

/// An error that names the file, or the one in the folder, which tells where the sources lie.
pub fn are_not_in(file: &Path, sources: &Path) -> Result<(), String> {
    let fault = |error: std::io::Error| format!("{}: {error}", file.display());
    if file.is_dir() {
        for entry in std::fs::read_dir(file).map_err(fault)? {
            are_not_in(&entry.map_err(fault)?.path(), sources)?;
        }
        return Ok(());
    }
    let needle = sources.display().to_string().into_bytes();
    let bytes = std::fs::read(file).map_err(fault)?;
    if bytes.windows(needle.len()).any(|window| window == needle) {
        return Err(format!("{}: holds the path {}; build it anew", file.display(), sources.display()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_wherever_it_hides() {
        let folder = std::env::temp_dir().join(format!("asperity-paths-{}", std::process::id()));
        let inner = folder.join("bundle").join("Contents");
        std::fs::create_dir_all(&inner).unwrap();
        let sources = Path::new("/home/somebody/.cargo/registry/src");
        std::fs::write(inner.join("clean"), b"\0libraries/egui/src/lib.rs\0").unwrap();
        assert_eq!(are_not_in(&folder, sources), Ok(()));
        std::fs::write(inner.join("told"), b"\0/home/somebody/.cargo/registry/src/egui/src/lib.rs\0")
            .unwrap();
        let told = are_not_in(&folder, sources).unwrap_err();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(told.contains("told") && told.contains("somebody"), "{told}");
    }

    #[test]
    fn cargo_reads_the_renaming_as_one_flag() {
        let flag = renaming(Path::new("/a b/registry/src"));
        assert_eq!(flag, "build.rustflags=['--remap-path-prefix=/a b/registry/src=libraries']");
    }
}
