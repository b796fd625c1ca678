//! Puts the bundles where hosts of this user look for them.

use std::path::{Path, PathBuf};

use crate::{built, bundle};

/// The bundles, and the folder below the user's plugin folder for each.
const BUNDLES: [&str; 2] = ["Asperity.clap", "Asperity.vst3"];

pub fn run() -> Result<(), String> {
    let folders = user_folders()?;
    bundle::run(&["asperity", "--release"])?;
    let bundled = built::folder()?.join("bundled");
    for (bundle, folder) in BUNDLES.iter().zip(&folders) {
        let place = put(&bundled.join(bundle), folder)?;
        println!("installed {}", place.display());
    }
    Ok(())
}

/// Folders for CLAP and VST3, as the two standards name them.
fn user_folders() -> Result<[PathBuf; 2], String> {
    let base = |variable: &str| {
        std::env::var_os(variable).map(PathBuf::from).ok_or(format!(
            "{variable} is not set, so that nobody knows whose folder is meant: set it, or copy target/bundled by hand"
        ))
    };
    Ok(if cfg!(windows) {
        let common = base("LOCALAPPDATA")?.join("Programs").join("Common");
        [common.join("CLAP"), common.join("VST3")]
    } else if cfg!(target_os = "macos") {
        let plugins = base("HOME")?.join("Library/Audio/Plug-Ins");
        [plugins.join("CLAP"), plugins.join("VST3")]
    } else {
        let home = base("HOME")?;
        [home.join(".clap"), home.join(".vst3")]
    })
}

/// Copies a bundle beside its place and then swaps it in: a host that has the old one open keeps it whole.
fn put(bundle: &Path, folder: &Path) -> Result<PathBuf, String> {
    let name = bundle.file_name().ok_or("a bundle without a name")?.to_string_lossy();
    let (place, fresh) = (folder.join(&*name), folder.join(format!("{name}.part")));
    let told = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| format!("{path}: {error}")
    };
    std::fs::create_dir_all(folder).map_err(told(folder))?;
    remove(&fresh).map_err(told(&fresh))?;
    copy(bundle, &fresh).map_err(told(&fresh))?;
    remove(&place).map_err(told(&place))?;
    std::fs::rename(&fresh, &place).map_err(told(&place))?;
    Ok(place)
}

/// A file or a whole folder.
pub fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if !from.is_dir() {
        return std::fs::copy(from, to).map(|_| ());
    }
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// A file, a whole folder, or nothing.
pub fn remove(path: &Path) -> std::io::Result<()> {
    match std::fs::symlink_metadata(path) {
        Err(_) => Ok(()),
        Ok(found) if found.is_dir() => std::fs::remove_dir_all(path),
        Ok(_) => std::fs::remove_file(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of a folder and all below it, by their paths in it.
    fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = PathBuf::from(entry.file_name().unwrap());
            if entry.is_dir() {
                found.extend(files(&entry).into_iter().map(|(path, bytes)| (name.join(path), bytes)));
            } else {
                found.push((name, std::fs::read(&entry).unwrap()));
            }
        }
        found.sort();
        found
    }

    /// cargo test --package xtask install -- --ignored
    #[cfg(target_os = "linux")]
    #[test]
    #[ignore = "builds the release bundle"]
    fn the_command_puts_both_plugins_into_the_users_home() {
        let home = std::env::temp_dir().join(format!("xtask-home-{}", std::process::id()));
        std::fs::create_dir_all(&home).unwrap();
        // The tools' own folders stay where they are.
        let usual = PathBuf::from(std::env::var_os("HOME").unwrap());
        let tools = [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")]
            .map(|(name, folder)| (name, std::env::var_os(name).unwrap_or(usual.join(folder).into())));
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let status = std::process::Command::new("cargo")
            .args(["xtask", "install"])
            .current_dir(&root)
            .envs(tools)
            .env("HOME", &home)
            .status();
        assert!(status.unwrap().success());
        let installed: Vec<_> = [".clap", ".vst3"].iter().flat_map(|name| files(&home.join(name))).collect();
        let mut bundled = files(&built::folder().unwrap().join("bundled"));
        // A program that was built before lies there as well.
        bundled.retain(|(path, _)| BUNDLES.iter().any(|bundle| path.starts_with(bundle)));
        assert!(installed == bundled, "the installed files are not the bundled ones");
        let library = Path::new("Asperity.vst3/Contents/x86_64-linux/Asperity.so");
        assert!(installed.iter().any(|(path, bytes)| path == library && bytes.len() > 1_000_000));
        std::fs::remove_dir_all(&home).unwrap();
    }

    #[test]
    fn a_bundle_takes_the_place_of_the_old_one() {
        let root = std::env::temp_dir().join(format!("xtask-install-{}", std::process::id()));
        let bundle = root.join("made/Asperity.vst3");
        std::fs::create_dir_all(bundle.join("Contents")).unwrap();
        std::fs::write(bundle.join("Contents/new"), "2").unwrap();
        let folder = root.join("plugins");
        std::fs::create_dir_all(folder.join("Asperity.vst3")).unwrap();
        std::fs::write(folder.join("Asperity.vst3/old"), "1").unwrap();
        for _ in 0..2 {
            let place = put(&bundle, &folder).unwrap();
            assert!(place.join("Contents/new").is_file() && !place.join("old").exists());
            assert!(!folder.join("Asperity.vst3.part").exists());
        }
        assert!(put(&root.join("nothing.clap"), &folder).unwrap_err().contains("nothing.clap.part"));
        std::fs::remove_dir_all(&root).unwrap();
    }
}
