//! Which sweep a journal belongs to.

use serde::{Deserialize, Serialize};

use super::plan::Plan;
use super::results::columns;
use crate::scene::Value;

/// Everything that the rows depend on, as text, so that two can be compared and the difference be named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Numbers of two versions must not meet in one table.
    version: String,
    scene: String,
    lists: Vec<String>,
    seeds: Vec<u64>,
    seconds: String,
    skip: String,
    engine: String,
    /// Of the real-time engine; the reference has none.
    #[serde(default)]
    quality: Option<String>,
    /// Measured profiles with their checksums: a name alone does not say what is in a file.
    files: Vec<String>,
    columns: Vec<String>,
    points: usize,
}

impl Identity {
    pub fn of(plan: &Plan) -> Self {
        let lists = plan.axes.iter().map(|axis| {
            let settings: Vec<String> = axis.settings.iter().map(|texts| texts.join("/")).collect();
            format!("{} = {}", axis.keys.join("+"), settings.join(", "))
        });
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scene: plan.base.to_toml(),
            lists: lists.collect(),
            seeds: plan.seeds.clone(),
            seconds: plan.order.seconds.to_string(),
            skip: plan.order.skip_s.to_string(),
            engine: plan.order.engine.name().to_owned(),
            quality: plan.order.quality_name().map(str::to_owned),
            files: files(plan),
            columns: columns(plan),
            points: plan.len(),
        }
    }

    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    pub fn points(&self) -> usize {
        self.points
    }

    /// Where `other` is another sweep than this one.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let pair = |name: &str, ours: &str, theirs: &str| format!("{name}: {theirs} there, {ours} here");
        let mut found = Vec::new();
        let quality = |of: &Self| of.quality.clone().unwrap_or_else(|| "none".to_owned());
        for (name, ours, theirs) in [
            ("version", &self.version, &other.version),
            ("seconds", &self.seconds, &other.seconds),
            ("skip", &self.skip, &other.skip),
            ("engine", &self.engine, &other.engine),
            ("quality", &quality(self), &quality(other)),
        ] {
            if ours != theirs {
                found.push(pair(name, ours, theirs));
            }
        }
        if self.seeds != other.seeds {
            let told = |seeds: &[u64]| format!("{} from {}", seeds.len(), seeds.first().unwrap_or(&0));
            found.push(pair("seeds", &told(&self.seeds), &told(&other.seeds)));
        }
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        found.extend(line_differences("scene", &lines(&self.scene), &lines(&other.scene)));
        found.extend(line_differences("list", &self.lists, &other.lists));
        found.extend(line_differences("file", &self.files, &other.files));
        if found.is_empty() && self != other {
            found.push("the order of the lists".to_owned());
        }
        found
    }
}

fn line_differences(what: &str, ours: &[String], theirs: &[String]) -> Vec<String> {
    let only = |some: &[String], others: &[String], side: &str| -> Vec<String> {
        let lines = some.iter().filter(|line| !others.contains(line));
        lines.map(|line| format!("{what} only {side}: {line}")).collect()
    };
    [only(theirs, ours, "there"), only(ours, theirs, "here")].concat()
}

/// `path, bytes, CRC-32` of every measured profile; unreadable ones were refused with the plan.
fn files(plan: &Plan) -> Vec<String> {
    let base =
        ["surface.file", "surface.top.file"].into_iter().filter_map(|key| match plan.base.value(key) {
            Some(Value::Word(name)) => Some(name),
            _ => None,
        });
    let listed = plan.axes.iter().flat_map(|axis| {
        let file_keys = axis.keys.iter().enumerate().filter(|(_, key)| key.ends_with(".file"));
        file_keys.flat_map(|(index, _)| axis.settings.iter().map(move |texts| texts[index].clone()))
    });
    let mut names: Vec<String> = base.chain(listed).filter(|name| !name.is_empty()).collect();
    names.sort();
    names.dedup();
    names
        .into_iter()
        .map(|name| {
            let bytes = std::fs::read(&name).unwrap_or_default();
            format!("{name}, {} bytes, {:08x}", bytes.len(), crc32fast::hash(&bytes))
        })
        .collect()
}
