//! The map of regimes over speed and load. What was varied besides stands at its first value; of several
//! surfaces the regime of most is shown.

use crate::analysis::regime::Regime;
use crate::picture::regimes::{Field, RegimeMap};
use crate::sweep::Results;

const SPEED: &str = "v_m_s";
const LOAD: &str = "slider.load_n_m";

/// `None` where there is no friction, or not both speed and load were varied.
pub fn map(results: &Results) -> Option<RegimeMap> {
    let regimes: Vec<Regime> =
        results.texts("regime").into_iter().map(Regime::from_name).collect::<Option<_>>()?;
    let (speeds, loads) = (results.numbers(SPEED)?, results.numbers(LOAD)?);
    let varies = |values: &[f64]| values.iter().any(|value| *value != values[0]);
    if regimes.is_empty() || !varies(&speeds) || !varies(&loads) {
        return None;
    }
    let others = results.other_columns().iter().map(String::as_str).filter(|name| *name != LOAD);
    let held: Vec<(&str, Vec<&str>)> =
        others.chain(["ra_um", "zeta"]).map(|name| (name, results.texts(name))).collect();
    let shown = |row: &usize| held.iter().all(|(_, column)| column[*row] == column[0]);
    let mut places: Vec<(f64, f64, Vec<usize>)> = Vec::new();
    for row in (0..regimes.len()).filter(shown) {
        let at = (speeds[row], loads[row]);
        match places.iter_mut().find(|place| (place.0, place.1) == at) {
            Some(place) => place.2.push(row),
            None => places.push((at.0, at.1, vec![row])),
        }
    }
    let surfaces = places.iter().map(|place| place.2.len()).max().unwrap_or(1);
    let figures = Figures::of(results)?;
    let fields = places.into_iter().map(|(x, y, rows)| {
        let votes = |regime: Regime| rows.iter().filter(|row| regimes[**row] == regime).count();
        // Equal votes go to what is more of an event.
        let regime =
            Regime::ALL.into_iter().max_by_key(|regime| votes(*regime)).unwrap_or(Regime::Continuous);
        let own: Vec<usize> = rows.iter().copied().filter(|row| regimes[*row] == regime).collect();
        Field { x, y, regime: regime as usize, text: figures.words(regime, &own) }
    });
    let mut notes = vec![
        "in a field: dB (continuous),".to_owned(),
        "slips per second (stick–slip),".to_owned(),
        "mode (squeal)".to_owned(),
    ];
    notes.extend(
        held.iter()
            .filter(|(_, column)| column.iter().any(|value| *value != column[0]))
            .map(|(name, column)| format!("{name} = {}", column[0])),
    );
    if surfaces > 1 {
        notes.push(format!("most of {surfaces} surfaces"));
    }
    Some(RegimeMap {
        title: "Regimes of rubbing".to_owned(),
        x_label: "drive speed V (m/s)".to_owned(),
        y_label: "load (N per metre of width)".to_owned(),
        regimes: Regime::NAMES.map(str::to_owned).to_vec(),
        fields: fields.collect(),
        notes,
    })
}

/// The columns that a field's words are made of.
struct Figures {
    level_db: Vec<f64>,
    slips_per_s: Vec<f64>,
    mode: Vec<f64>,
}

impl Figures {
    fn of(results: &Results) -> Option<Self> {
        Some(Self {
            level_db: results.numbers("lv_db")?,
            slips_per_s: results.numbers("slips_per_s")?,
            mode: results.numbers("mode")?,
        })
    }

    fn words(&self, regime: Regime, rows: &[usize]) -> String {
        let mean =
            |column: &[f64]| rows.iter().map(|row| column[*row]).sum::<f64>() / rows.len().max(1) as f64;
        match regime {
            Regime::Continuous => format!("{:.0}", mean(&self.level_db)),
            Regime::StickSlip => format!("{:.0}/s", mean(&self.slips_per_s)),
            Regime::Squeal => format!("f{}", rows.first().map_or(0.0, |row| self.mode[*row])),
        }
    }
}
