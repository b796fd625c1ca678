//! What most licences of the libraries inside ask of whoever hands on a program: their names, and their texts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::steps::output_of;

/// Files that hold a licence begin like this.
const BEGINNINGS: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];

/// A library that is linked in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Library {
    name: String,
    version: String,
    licence: String,
    people: String,
    texts: Vec<String>,
}

/// Everything that the plugin and the program for this target link.
pub fn text(target: Option<&str>) -> Result<String, String> {
    let mut words =
        vec!["tree", "--package", "asperity", "--edges", "normal", "--prefix", "none", "--format", "{p}"];
    words.extend(target.iter().flat_map(|name| ["--target", name]));
    let linked = names(&output_of("cargo", &words)?);
    let json = output_of("cargo", &["metadata", "--format-version", "1"])?;
    let known: Value = serde_json::from_str(&json).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = known["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let libraries: BTreeSet<Library> = packages
        .iter()
        // Our own says what it is in files of its own.
        .filter(|package| !package["source"].is_null())
        .map(library)
        .filter(|one| linked.contains(&(one.name.clone(), one.version.clone())))
        .collect();
    if libraries.len() < 50 {
        return Err(format!("only {} libraries are said to be linked", libraries.len()));
    }
    Ok(written(&libraries))
}

/// Names and versions in the lines of `cargo tree`.
fn names(tree: &str) -> BTreeSet<(String, String)> {
    let pair = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
    };
    tree.lines().filter_map(pair).collect()
}

fn library(package: &Value) -> Library {
    let of = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let authors = package["authors"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let authors: Vec<&str> = authors.collect();
    let people = if authors.is_empty() { of("repository") } else { authors.join(", ") };
    let manifest = of("manifest_path");
    let texts = Path::new(&manifest).parent().map(licence_texts).unwrap_or_default();
    Library { name: of("name"), version: of("version"), licence: of("license"), people, texts }
}

fn licence_texts(folder: &Path) -> Vec<String> {
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let is_one = |name: &str| BEGINNINGS.iter().any(|start| name.to_uppercase().starts_with(start));
    let files = files.flatten().filter(|file| is_one(&file.file_name().to_string_lossy()));
    let mut texts: Vec<String> = files.filter_map(|file| std::fs::read_to_string(file.path()).ok()).collect();
    for text in &mut texts {
        *text = text.replace("\r\n", "\n").trim().to_owned();
    }
    texts.sort();
    texts
}

/// The list, then each text once with the names of all that carry it.
fn written(libraries: &BTreeSet<Library>) -> String {
    let mut text = "Libraries inside these files, their licences, and who wrote them.\n\n".to_owned();
    let mut texts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for Library { name, version, licence, people, texts: own } in libraries {
        text += &format!("{name} {version}: {licence}. {people}\n");
        for one in own {
            texts.entry(one).or_default().push(name);
        }
    }
    for (licence, names) in texts {
        text += &format!("\n{}\n{}\n\n{licence}\n", "-".repeat(80), names.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_stands_there_once_with_all_who_carry_it() {
        let one = |name: &str, texts: &[&str]| Library {
            name: name.into(),
            version: "1.0.0".into(),
            licence: "MIT".into(),
            people: "A. Person".into(),
            texts: texts.iter().map(|text| (*text).to_owned()).collect(),
        };
        let text =
            written(&BTreeSet::from([one("a", &["same"]), one("b", &["same", "other"]), one("c", &[])]));
        assert!(text.contains("c 1.0.0: MIT. A. Person\n"));
        assert!(text.contains("\na, b\n\nsame\n") && text.contains("\nb\n\nother\n"), "{text}");
        assert_eq!(text.matches("same").count(), 1);
    }

    #[test]
    fn the_tree_is_read_as_cargo_prints_it() {
        let tree =
            "asperity v0.1.0 (/here)\negui v0.37.1\negui v0.37.1 (*)\nserde_derive v1.0.2 (proc-macro)\n";
        let found = names(tree);
        assert_eq!(found.len(), 3);
        assert!(found.contains(&("egui".to_owned(), "0.37.1".to_owned())));
    }

    #[test]
    fn what_this_very_program_links_has_its_texts() {
        let text = text(None).unwrap();
        for word in ["\negui 0.", "\nnice-plug 0.", "MIT License", "Apache License"] {
            assert!(text.contains(word), "{word}");
        }
        assert!(!text.contains("\nasperity "));
    }
}
