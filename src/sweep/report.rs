//! A sweep as JSON: the law with its intervals, and every row under the names of its columns.

use serde_json::{Map, Value, json};

use super::laws::{CONFIDENCE, Laws};
use super::results::{Results, WHOLE};
use crate::analysis::fit::Estimate;

/// What cannot be said is null: an exponent that was not varied, the level of silence.
pub fn report(results: &Results, laws: &Laws) -> Value {
    let value = |estimate: Option<Estimate>| estimate.map(|estimate| estimate.value);
    let interval = |estimate: Option<Estimate>| estimate.map(|estimate| estimate.interval());
    json!({
        "m": value(laws.m),
        "n": value(laws.n),
        "m_ci": interval(laws.m),
        "n_ci": interval(laws.n),
        "zeta_db_per_decade": value(laws.zeta_db_per_decade),
        "zeta_db_per_decade_ci": interval(laws.zeta_db_per_decade),
        "c_db": value(laws.c_db),
        "residual_db": laws.residual_db,
        "confidence": CONFIDENCE,
        "left_out": laws.left_out,
        "rows": rows(results),
    })
}

fn rows(results: &Results) -> Vec<Value> {
    let field = |name: &String, text: &String| -> Value {
        if WHOLE.contains(&name.as_str()) {
            return text.parse::<u64>().map_or(Value::Null, Value::from);
        }
        // Words stay words; a number that JSON does not know becomes null.
        text.parse::<f64>().map_or_else(|_| Value::from(text.as_str()), Value::from)
    };
    let row = |row: &Vec<String>| -> Value {
        let fields = results.columns.iter().zip(row);
        fields.map(|(name, text)| (name.clone(), field(name, text))).collect::<Map<_, _>>().into()
    };
    results.rows.iter().map(row).collect()
}
