//! What a finished sweep leaves in its folder, and what it prints.

use std::path::Path;

use super::figures::figures;
use super::regimes;
use crate::analysis::fit::Estimate;
use crate::cli::out;
use crate::error::Error;
use crate::io::npz::{Column, write_npz};
use crate::io::part::write_whole;
use crate::picture;
use crate::sweep::{CONFIDENCE, Identity, Laws, Results, Rows, Shard, WHOLE, report};

/// Tables and pictures. A part of a sweep has its rows only: a law from every N-th point would mislead.
pub fn write(folder: &Path, identity: &Identity, rows: &Rows, shard: Shard, json: bool) -> Result<(), Error> {
    let results = Results::new(identity, rows);
    write_whole(&folder.join("results.csv"), |out| results.write_csv(out))?;
    if shard != Shard::WHOLE {
        out::say(&format!(
            "part {shard}: {} point(s) in {}; join all {} parts with `asperity sweep merge DIR… -o DIR`",
            rows.len(),
            folder.display(),
            shard.of
        ));
        return if json { out::json(&report(&results, &Laws::default())) } else { Ok(()) };
    }
    let laws = Laws::fit(&results);
    let json_report = report(&results, &laws);
    write_whole(&folder.join("results.json"), |out| {
        serde_json::to_writer_pretty(&mut *out, &json_report)?;
        writeln!(out)
    })?;
    write_npz(&folder.join("results.npz"), &columns(&results))?;
    let mut pictures = Vec::new();
    for (name, figure) in figures(&results, &laws) {
        save_both(folder, name, &figure)?;
        pictures.push(name);
    }
    if let Some(map) = regimes::map(&results) {
        save_both(folder, "regimes", &map)?;
        pictures.push("regimes");
    }
    out::say(&format!(
        "{} points in {}: results.csv, .json, .npz{}",
        rows.len(),
        folder.display(),
        if pictures.is_empty() { String::new() } else { format!(", {} (.png, .svg)", pictures.join(", ")) }
    ));
    if json { out::json(&json_report) } else { out::data(|out| table(&results, &laws, out)) }
}

fn save_both(folder: &Path, name: &str, figure: &impl picture::Figure) -> Result<(), Error> {
    ["png", "svg"]
        .into_iter()
        .try_for_each(|ending| picture::save(&folder.join(format!("{name}.{ending}")), figure))
}

fn columns(results: &Results) -> Vec<(String, Column)> {
    let column = |name: &String| {
        let texts = results.texts(name);
        let whole: Option<Vec<i64>> = texts.iter().map(|text| text.parse().ok()).collect();
        match (whole, results.numbers(name)) {
            (Some(whole), _) if WHOLE.contains(&name.as_str()) => Column::Whole(whole),
            (_, Some(numbers)) => Column::Numbers(numbers),
            _ => Column::Words(texts.into_iter().map(str::to_owned).collect()),
        }
    };
    results.columns.iter().map(|name| (name.clone(), column(name))).collect()
}

/// The law in words for a person.
fn table(results: &Results, laws: &Laws, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    let told = |estimate: &Estimate, unit: &str| {
        let [low, high] = estimate.interval();
        format!("{:.3}{unit} ({:.0} %: {low:.3} to {high:.3})", estimate.value, 100.0 * CONFIDENCE)
    };
    writeln!(out, "Lv = 20·log10(Ra^m · V^n) + s·log10 ζ + c, {} points", results.rows.len())?;
    let lines = [
        ("m", laws.m, ""),
        ("n", laws.n, ""),
        ("s", laws.zeta_db_per_decade, " dB per decade"),
        ("c", laws.c_db, " dB"),
    ];
    for (name, estimate, unit) in lines {
        if let Some(estimate) = estimate {
            writeln!(out, "  {name} = {}", told(&estimate, unit))?;
        }
    }
    match laws.residual_db {
        Some(residual) => writeln!(out, "  what is left: {residual:.2} dB")?,
        None => writeln!(out, "  nothing to fit: too few points, or nothing of Ra, V and ζ varied")?,
    }
    if laws.left_out > 0 {
        writeln!(out, "  {} point(s) left out: silent, or 0 where a logarithm is taken", laws.left_out)?;
    }
    Ok(())
}
