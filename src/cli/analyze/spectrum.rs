//! The lines of a spectrum as a table: frequency, then the density of each channel in dB re reference²/Hz, where the
//! report says what the reference is.

use std::path::Path;

use super::Analysis;
use crate::error::Error;
use crate::io::part::write_whole;
use crate::record::Quantity;

pub fn write(path: &Path, analysis: &Analysis) -> Result<(), Error> {
    let Some(first) = analysis.signals.first() else { return Ok(()) };
    let squares: Vec<f64> = analysis
        .meanings
        .iter()
        .map(|(quantity, _)| quantity.map_or(1.0, |quantity| Quantity::reference(quantity).0).powi(2))
        .collect();
    write_whole(path, |out| {
        write!(out, "frequency_hz")?;
        (1..=analysis.signals.len()).try_for_each(|channel| write!(out, ",channel_{channel}_density_db"))?;
        writeln!(out)?;
        for (line, frequency_hz) in first.spectrum.frequencies_hz.iter().enumerate() {
            write!(out, "{frequency_hz:?}")?;
            for (signal, square) in analysis.signals.iter().zip(&squares) {
                write!(out, ",{:?}", 10.0 * (signal.spectrum.density[line] / square).log10())?;
            }
            writeln!(out)?;
        }
        Ok(())
    })
}
