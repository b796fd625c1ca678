//! The tables of a study.

use std::path::Path;

use crate::error::Error;
use crate::io::part::write_whole;
use crate::squeal::Study;

pub fn write(folder: &Path, study: &Study) -> Result<(), Error> {
    write_whole(&folder.join("squeal.json"), |out| {
        serde_json::to_writer_pretty(&mut *out, study)?;
        writeln!(out)
    })?;
    write_whole(&folder.join("modes.csv"), |out| {
        writeln!(out, "law,stiffness_mpa_mm,frequency_hz,damping_ratio,growth_1_s,unstable")?;
        for law in &study.laws {
            let stiffness = law.stiffness_mpa_mm.map_or("inf".to_owned(), |k| format!("{k:e}"));
            let word = if law.stiffness_mpa_mm.is_some() { "exponential" } else { "ideal" };
            for mode in &law.modes {
                writeln!(
                    out,
                    "{word},{stiffness},{},{},{},{}",
                    mode.frequency_hz, mode.damping_ratio, mode.growth_1_s, mode.unstable
                )?;
            }
        }
        Ok(())
    })?;
    write_whole(&folder.join("growth.csv"), |out| {
        writeln!(out, "law,mu,frequency_hz,damping_ratio,growth_1_s")?;
        for curve in &study.growth {
            for (mu, frequency, damping, growth) in &curve.points {
                writeln!(out, "{},{mu},{frequency},{damping},{growth}", curve.name)?;
            }
        }
        Ok(())
    })?;
    write_whole(&folder.join("growth_stiffness.csv"), |out| {
        writeln!(out, "mu,stiffness_mpa_mm,frequency_hz,damping_ratio,growth_1_s")?;
        for at in &study.stiffness_growth {
            let (stiffness, frequency) = (at.stiffness_mpa_mm, at.frequency_hz);
            writeln!(out, "{},{stiffness:e},{frequency},{},{}", study.mu, at.damping_ratio, at.growth_1_s)?;
        }
        Ok(())
    })?;
    write_whole(&folder.join("mac.csv"), |out| {
        writeln!(out, "mu,stiffness_mpa_mm,frequency_hz,damping_ratio,ideal_hz,ideal_damping_ratio,mac")?;
        if let Some(found) = &study.invented {
            for mode in &found.modes {
                writeln!(
                    out,
                    "{},{:e},{},{},{},{},{}",
                    found.mu,
                    mode.stiffness_mpa_mm,
                    mode.frequency_hz,
                    mode.damping_ratio,
                    mode.ideal_hz,
                    mode.ideal_damping_ratio,
                    mode.mac
                )?;
            }
        }
        Ok(())
    })?;
    write_whole(&folder.join("frequencies.csv"), |out| {
        writeln!(out, "stiffness_mpa_mm,mode,frequency_hz")?;
        for (stiffness, frequencies) in &study.stiffness_curve {
            for (index, frequency) in frequencies.iter().enumerate() {
                writeln!(out, "{stiffness:e},{},{frequency}", index + 1)?;
            }
        }
        Ok(())
    })
}
