//! Where cargo puts what it builds: `target`, unless the user's settings say otherwise.

use std::path::PathBuf;

use crate::steps::output_of;

/// Cargo's own answer, so that environment and configuration files both count.
pub fn folder() -> Result<PathBuf, String> {
    from_metadata(&output_of("cargo", &["metadata", "--format-version", "1", "--no-deps"])?)
}

fn from_metadata(json: &str) -> Result<PathBuf, String> {
    let told: serde_json::Value =
        serde_json::from_str(json).map_err(|error| format!("cargo metadata: {error}"))?;
    let folder = told["target_directory"].as_str();
    folder.map(PathBuf::from).ok_or_else(|| "cargo metadata names no target_directory".into())
}

/// The program of a profile, as a path that may be run.
pub fn program(profile: &str) -> Result<String, String> {
    let program = folder()?.join(profile).join(format!("asperity{}", std::env::consts::EXE_SUFFIX));
    Ok(program.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_the_one_that_cargo_names() {
        let json = r#"{"packages": [], "target_directory": "/somewhere/else"}"#;
        assert_eq!(from_metadata(json).unwrap(), PathBuf::from("/somewhere/else"));
        assert!(from_metadata("{}").unwrap_err().contains("target_directory"));
        assert!(from_metadata("warning").is_err());
    }

    /// The test itself was built there.
    #[test]
    fn this_program_lies_in_it() {
        let folder = folder().unwrap().canonicalize().unwrap();
        let own = std::env::current_exe().unwrap().canonicalize().unwrap();
        assert!(own.starts_with(&folder), "{} is not in {}", own.display(), folder.display());
    }
}
