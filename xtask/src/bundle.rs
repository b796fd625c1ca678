//! Plugin bundles in `target/bundled`, made by the framework's own bundler.

/// The plugin alone: no window system or terminal of the other shells is compiled for it. Features that the caller
/// names come on top.
const PLUGIN_ONLY: [&str; 2] = ["--lib", "--no-default-features"];
const PLUGIN: [&str; 2] = ["--features", "plugin"];

/// `words` are a package and what `cargo build` takes.
pub fn run(words: &[&str]) -> Result<(), String> {
    let words = bundler_words(words);
    nice_plug_xtask::main_with_args("cargo xtask", words).map_err(|error| format!("{error:#}"))
}

fn bundler_words(words: &[&str]) -> Vec<String> {
    let own = PLUGIN_ONLY.iter().filter(|word| !words.contains(*word));
    ["bundle"].iter().chain(words).chain(own).chain(&PLUGIN).map(|word| (*word).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
