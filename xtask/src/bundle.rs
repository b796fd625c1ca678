//! Plugin bundles in `target/bundled`, made by the framework's own bundler.

/// The plugin alone: no window system or terminal of the other shells is compiled for it.
const PLUGIN_ONLY: [&str; 4] = ["--lib", "--no-default-features", "--features", "plugin"];

/// `words` are a package and what `cargo build` takes.
pub fn run(words: &[&str]) -> Result<(), String> {
    let words = bundler_words(words);
    nice_plug_xtask::main_with_args("cargo xtask", words).map_err(|error| format!("{error:#}"))
}

fn bundler_words(words: &[&str]) -> Vec<String> {
    let chosen = words.iter().any(|word| word.contains("features"));
    let features: &[&str] = if chosen { &["--lib"] } else { &PLUGIN_ONLY };
    ["bundle"].iter().chain(words).chain(features).map(|word| (*word).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_the_callers_choice() {
        let joined = |words: &[&str]| bundler_words(words).join(" ");
        assert_eq!(
            joined(&["asperity", "--release"]),
            "bundle asperity --release --lib --no-default-features --features plugin"
        );
        assert_eq!(
            joined(&["asperity", "--features", "vst3-controllers"]),
            "bundle asperity --features vst3-controllers --lib"
        );
    }
}
