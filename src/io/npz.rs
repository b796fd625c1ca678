//! Tables for NumPy: an NPZ is a ZIP of NPY files, one array per column (NumPy's `lib.format`, version 1).
//!
//! The archive carries no time of day: equal tables are equal bytes.

use std::io::{self, Write};
use std::path::Path;

use npyz::WriterBuilder;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::part::write_whole_file;
use crate::error::Error;

/// One named array of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    Numbers(Vec<f64>),
    Whole(Vec<i64>),
    Words(Vec<String>),
}

/// Writes all columns; `numpy.load(path)[name]` reads one.
pub fn write_npz(path: &Path, columns: &[(String, Column)]) -> Result<(), Error> {
    write_whole_file(path, |file| {
        let mut archive = ZipWriter::new(file);
        let options = SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
        for (name, column) in columns {
            archive.start_file(format!("{name}.npy"), options)?;
            match column {
                Column::Numbers(values) => write_array(&mut archive, values, "<f8")?,
                Column::Whole(values) => write_array(&mut archive, values, "<i8")?,
                Column::Words(words) => {
                    // NumPy's fixed-width text, as wide as the longest word.
                    let width = words.iter().map(|word| word.chars().count()).max().unwrap_or(0).max(1);
                    write_array(&mut archive, words, &format!("<U{width}"))?;
                }
            }
        }
        archive.finish()?.flush()
    })
}

fn write_array<T: npyz::Serialize>(sink: impl Write, values: &[T], kind: &str) -> io::Result<()> {
    let kind: npyz::TypeStr =
        kind.parse().map_err(|error| io::Error::other(format!("{kind} is no array type: {error}")))?;
    let mut writer = npyz::WriteOptions::new()
        .dtype(npyz::DType::Plain(kind))
        .shape(&[values.len() as u64])
        .writer(sink)
        .begin_nd()?;
    values.iter().try_for_each(|value| writer.push(value))?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn what_is_written_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npz");
        let table = [
            ("lv_db".to_owned(), Column::Numbers(vec![117.25, f64::NEG_INFINITY, 0.1])),
            ("seed".to_owned(), Column::Whole(vec![1, -2, 1 << 53])),
            ("surface.acf".to_owned(), Column::Words(vec!["gaussian".into(), "é".into(), String::new()])),
            ("nothing".to_owned(), Column::Numbers(vec![])),
        ];
        write_npz(&path, &table).unwrap();
        let mut archive = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
        let mut read = |name: &str| {
            let mut bytes = Vec::new();
            archive.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
            bytes
        };
        let numbers: Vec<f64> = npyz::NpyFile::new(&read("lv_db.npy")[..]).unwrap().into_vec().unwrap();
        assert_eq!(numbers, [117.25, f64::NEG_INFINITY, 0.1]);
        let whole: Vec<i64> = npyz::NpyFile::new(&read("seed.npy")[..]).unwrap().into_vec().unwrap();
        assert_eq!(whole, [1, -2, 1 << 53]);
        let words: Vec<String> =
            npyz::NpyFile::new(&read("surface.acf.npy")[..]).unwrap().into_vec().unwrap();
        assert_eq!(words, ["gaussian", "é", ""]);
        let bytes = std::fs::read(&path).unwrap();
        write_npz(&path, &table).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
}
