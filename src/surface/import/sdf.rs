//! SDF: the surface data file of ISO 25178-71 (from BCR, EUNA 15178), versions 1.0 and 2.0.
//!
//! ASCII: `aISO-1.0`, then `Name = value` lines up to a `*`, then NumProfiles rows of NumPoints values,
//! `BAD` where nothing was measured, up to another `*`.
//! Binary, little-endian: 8 bytes `bISO-1.0`, manufacturer 10, two dates 12 each, NumPoints and NumProfiles
//! (u16 each; u32 in 2.0), Xscale, Yscale, Zscale, Zresolution (f64), compression, data type, check type
//! (u8 each), then the values. Data types: 0 u8, 1 u16, 2 u32, 3 f32, 4 i8, 5 i16, 6 i32, 7 f64; a point
//! that was not measured holds the largest u16 or u32, the smallest i16, i32, f32 or f64, or NaN.
//! Heights are value × Zscale, the step is Xscale, both in metres.

use super::super::MAX_NODES;
use super::points::{Along, Raw};
use super::{ImportOptions, bad, choose_row};
use crate::error::Error;

pub fn read(bytes: &[u8], name: &str, options: &ImportOptions) -> Result<Raw, Error> {
    match bytes.get(..8) {
        Some(b"aISO-1.0" | b"aISO-2.0") => ascii(bytes, name, options),
        Some(b"bISO-1.0") => binary(bytes, name, options, 2),
        Some(b"bISO-2.0") => binary(bytes, name, options, 4),
        _ => {
            let place = format!("{name}, byte 0");
            let limit = "an SDF file begins with aISO-1.0, bISO-1.0, aISO-2.0 or bISO-2.0";
            Err(bad(&place, "another beginning", limit, "export the profile as SDF, X3P or CSV"))
        }
    }
}

/// What both kinds of header say.
#[derive(Default)]
struct Header {
    points: usize,
    rows: usize,
    x_scale_m: f64,
    z_scale_m: f64,
    compression: usize,
    data_type: usize,
}

impl Header {
    fn check(&self, place: &str) -> Result<(), Error> {
        if self.points == 0 || self.rows == 0 || self.points > MAX_NODES {
            let found = format!("NumPoints {} and NumProfiles {}", self.points, self.rows);
            let limit = format!("must be 1 to {MAX_NODES} points in at least one profile");
            return Err(bad(place, found, limit, "export a shorter profile"));
        }
        if self.compression != 0 {
            let found = format!("Compression {}", self.compression);
            return Err(bad(place, found, "must be 0 (none)", "export without compression"));
        }
        if self.data_type > 7 {
            let found = format!("DataType {}", self.data_type);
            return Err(bad(place, found, "must be 0 to 7", "export as double (7)"));
        }
        // Zero is what a header without the line leaves, and would pass for a flat surface.
        if !(self.z_scale_m.is_finite() && self.x_scale_m.is_finite()) || self.z_scale_m == 0.0 {
            let found = format!("Xscale {} and Zscale {}", self.x_scale_m, self.z_scale_m);
            return Err(bad(place, found, "must be given and finite", "export the file again"));
        }
        Ok(())
    }

    /// A stored value in metres, NaN where it says "not measured".
    fn height(&self, value: f64) -> f64 {
        let missing = match self.data_type {
            1 => value == f64::from(u16::MAX),
            2 => value == f64::from(u32::MAX),
            3 => value <= f64::from(f32::MIN),
            5 => value == f64::from(i16::MIN),
            6 => value == f64::from(i32::MIN),
            7 => value <= f64::MIN,
            _ => false,
        };
        if missing { f64::NAN } else { value * self.z_scale_m }
    }
}

fn ascii(bytes: &[u8], name: &str, options: &ImportOptions) -> Result<Raw, Error> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines().enumerate().skip(1);
    let place = |index: usize| format!("{name}, line {}", index + 1);
    let mut header = Header::default();
    let mut last = 0;
    for (index, line) in lines.by_ref() {
        last = index;
        if line.trim() == "*" {
            break;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let value = value.trim();
        let wrong = |_| {
            let shown: String = value.chars().take(40).collect();
            bad(&place(index), format!("`{shown}`"), "must be a number", "mend the header")
        };
        let whole = || value.parse::<usize>().map_err(|error| wrong(error.to_string()));
        let real = || value.parse::<f64>().map_err(|error| wrong(error.to_string()));
        match key.trim() {
            "NumPoints" => header.points = whole()?,
            "NumProfiles" => header.rows = whole()?,
            "Xscale" => header.x_scale_m = real()?,
            "Zscale" => header.z_scale_m = real()?,
            "Compression" => header.compression = whole()?,
            "DataType" => header.data_type = whole()?,
            _ => {}
        }
    }
    header.check(&place(last))?;
    let (row, notes) = choose_row(header.rows, options, name)?;
    let wanted = row.saturating_mul(header.points)..row.saturating_add(1).saturating_mul(header.points);
    // A value takes at least two bytes: what the header promises is not believed before that.
    let mut heights_m = Vec::with_capacity(header.points.min(bytes.len() / 2));
    let mut seen = 0;
    'data: for (index, line) in lines {
        last = index;
        for cell in line.split_whitespace() {
            if cell == "*" || seen == wanted.end {
                break 'data;
            }
            if wanted.contains(&seen) {
                heights_m.push(if cell.eq_ignore_ascii_case("bad") {
                    f64::NAN
                } else {
                    let value = cell.parse::<f64>().ok().filter(|value| !value.is_infinite());
                    header.height(value.ok_or_else(|| {
                        let shown: String = cell.chars().take(40).collect();
                        bad(&place(index), format!("`{shown}`"), "must be a number or BAD", "mend the line")
                    })?)
                });
            }
            seen += 1;
        }
    }
    if heights_m.len() < header.points {
        let found = format!("data ends after {seen} values");
        let limit = format!("the header promises {} rows of {}", header.rows, header.points);
        return Err(bad(&place(last), found, limit, "export the file again, it is cut short"));
    }
    Ok(Raw { along: Along::Step(header.x_scale_m), heights_m, notes })
}

fn binary(bytes: &[u8], name: &str, options: &ImportOptions, count_size: usize) -> Result<Raw, Error> {
    let short_at = |offset: usize, what: &str| {
        let place = format!("{name}, byte {offset}");
        bad(&place, format!("{what} ends with the file"), "is cut short", "export the file again")
    };
    let counts_at = 8 + 10 + 12 + 12;
    let scales_at = counts_at + 2 * count_size;
    let data_at = scales_at + 4 * 8 + 3;
    let head = bytes.get(..data_at).ok_or_else(|| short_at(bytes.len(), "the header"))?;
    let whole = |at: usize| {
        let mut wide = [0; 8];
        wide[..count_size].copy_from_slice(&head[at..at + count_size]);
        u64::from_le_bytes(wide) as usize
    };
    let real = |at: usize| {
        let mut wide = [0; 8];
        wide.copy_from_slice(&head[at..at + 8]);
        f64::from_le_bytes(wide)
    };
    let header = Header {
        points: whole(counts_at),
        rows: whole(counts_at + count_size),
        x_scale_m: real(scales_at),
        z_scale_m: real(scales_at + 16),
        compression: usize::from(head[data_at - 3]),
        data_type: usize::from(head[data_at - 2]),
    };
    header.check(&format!("{name}, byte {counts_at}"))?;
    let (row, notes) = choose_row(header.rows, options, name)?;
    let size = [1, 2, 4, 4, 1, 2, 4, 8][header.data_type];
    let row_bytes = header.points * size;
    let from = row.checked_mul(row_bytes).and_then(|skip| skip.checked_add(data_at));
    let data = from.and_then(|from| bytes.get(from..from.checked_add(row_bytes)?));
    let data = data.ok_or_else(|| short_at(bytes.len(), &format!("row {}", row + 1)))?;
    let heights_m =
        data.chunks_exact(size).map(|cell| header.height(value(cell, header.data_type))).collect();
    Ok(Raw { along: Along::Step(header.x_scale_m), heights_m, notes })
}

/// One stored value; `cell` has the size of the type.
fn value(cell: &[u8], data_type: usize) -> f64 {
    let mut b = [0; 8];
    b[..cell.len()].copy_from_slice(cell);
    match data_type {
        0 => f64::from(b[0]),
        1 => f64::from(u16::from_le_bytes([b[0], b[1]])),
        2 => f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        3 => f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        4 => f64::from(i8::from_le_bytes([b[0]])),
        5 => f64::from(i16::from_le_bytes([b[0], b[1]])),
        6 => f64::from(i32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        _ => f64::from_le_bytes(b),
    }
}
