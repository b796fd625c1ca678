//! Plugin bundles in `target/bundled`, made by the framework's own bundler.

use std::path::Path;

use crate::built;
use crate::install::remove;

/// The plugin alone: no window system or terminal of the other shells is compiled for it. Features that the caller
/// names come on top.
const PLUGIN_ONLY: [&str; 2] = ["--lib", "--no-default-features"];
const PLUGIN: [&str; 2] = ["--features", "plugin"];

/// `words` are a package and what `cargo build` takes.
pub fn run(words: &[&str]) -> Result<(), String> {
    let words = bundler_words(words);
    let folder = built::folder()?.join("bundled");
    // The bundler adds to what is there: the library of another system would stay in the folder.
    let vst3 = folder.join("Asperity.vst3");
    remove(&vst3).map_err(|error| format!("{}: {error}", vst3.display()))?;
    nice_plug_xtask::main_with_args("cargo xtask", words).map_err(|error| format!("{error:#}"))?;
    leave_out_program(&folder)
}

/// The bundler puts any program of our name that lies about beside the plugins, however old: it was not built with them.
fn leave_out_program(folder: &Path) -> Result<(), String> {
    for name in ["Asperity", "Asperity.exe"] {
        let program = folder.join(name);
        if program.is_file() {
            std::fs::remove_file(&program).map_err(|error| format!("{}: {error}", program.display()))?;
        }
    }
    Ok(())
}

fn bundler_words(words: &[&str]) -> Vec<String> {
    let own = PLUGIN_ONLY.iter().filter(|word| !words.contains(*word));
    ["bundle"].iter().chain(words).chain(own).chain(&PLUGIN).map(|word| (*word).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_lies_about_is_left_out_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("asperity-bundle-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("Asperity.vst3")).unwrap();
        for name in ["Asperity", "Asperity.clap"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        leave_out_program(&folder).unwrap();
        leave_out_program(&folder).unwrap();
        let left = ["Asperity", "Asperity.clap", "Asperity.vst3"].map(|name| folder.join(name).exists());
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(left, [false, true, true]);
    }

    #[test]
    fn a_callers_features_come_on_top() {
        let joined = |words: &[&str]| bundler_words(words).join(" ");
        assert_eq!(
            joined(&["asperity", "--release"]),
            "bundle asperity --release --lib --no-default-features --features plugin"
        );
        assert_eq!(
            joined(&["asperity", "--features", "vst3-controllers"]),
            "bundle asperity --features vst3-controllers --lib --no-default-features --features plugin"
        );
        assert_eq!(
            joined(&["asperity", "--no-default-features", "--features", "vst3-controllers"]),
            "bundle asperity --no-default-features --features vst3-controllers --lib --features plugin"
        );
    }
}
