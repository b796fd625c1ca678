//! X3P: the XML surface format of ISO 25178-72 (ISO 5436-2), a ZIP archive around `main.xml`.
//!
//! Record1/Axes: each of CX, CY, CZ is incremental (I: position = index × Increment) or absolute (A: stored
//! with each point), with a data type I (i16), L (i32), F (f32) or D (f64), Increment and Offset; a stored
//! value v means v × Increment + Offset metres. Record3: MatrixDimension (SizeX × SizeY × SizeZ) or
//! ListDimension, and the points either in DataLink/PointDataLink (little-endian, x fastest, the absolute
//! axes of a point side by side) with an optional bit per point in ValidPointsLink (least significant
//! first), or in DataList as `<Datum>` with semicolons between coordinates, empty where not measured.
//! Checksums are not verified: ZIP carries its own.

use super::super::MAX_NODES;
use super::points::{Along, Raw};
use super::{ImportOptions, bad, choose_row};
use crate::error::Error;
use roxmltree::{Document, Node, ParsingOptions};
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// Largest `main.xml`, unpacked: half a million points of a DataList.
const MAX_XML_BYTES: u64 = 32 << 20;
/// Most XML nodes, which take about 64 bytes each.
const MAX_XML_NODES: u32 = 2_000_000;
/// Most points of a map that one row is taken from: what is unpacked to get there costs time.
const MAX_MAP_POINTS: u64 = 100_000_000;

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

pub fn read(bytes: &[u8], name: &str, options: &ImportOptions) -> Result<Raw, Error> {
    let mut archive = ZipArchive::new(Cursor::new(bytes))
        .map_err(|error| bad(name, error, "must be a ZIP archive", "export the profile as X3P again"))?;
    let place = format!("{name}: main.xml");
    let xml = unpack(&mut archive, "main.xml", 0, MAX_XML_BYTES + 1, &place)?;
    if xml.len() as u64 > MAX_XML_BYTES {
        let limit = format!("must unpack to at most {} MiB", MAX_XML_BYTES >> 20);
        return Err(bad(&place, "a larger file", limit, "store the points as binary data"));
    }
    let xml = String::from_utf8_lossy(&xml);
    let rules = ParsingOptions { allow_dtd: false, nodes_limit: MAX_XML_NODES, ..Default::default() };
    let document = Document::parse_with_options(&xml, rules)
        .map_err(|error| bad(&place, error, "must be well-formed XML", "export the profile again"))?;
    let root = document.root_element();
    let layout = Layout::of(root, &place)?;
    let (row, notes) = choose_row(layout.rows, options, name)?;
    let points = match find(root, &["Record3", "DataLink"]) {
        Some(link) => from_archive(&mut archive, link, &layout, row, name)?,
        None => from_list(root, &layout, row, &place)?,
    };
    let mut raw = Raw { along: Along::Step(layout.x.increment), heights_m: points.1, notes };
    if layout.layers > 1 {
        raw.notes.push(format!("{} layers: the first was taken", layout.layers));
    }
    if layout.x.absolute {
        raw.along = Along::Positions(points.0);
    }
    Ok(raw)
}

/// One of CX, CY, CZ.
struct Axis {
    absolute: bool,
    /// `I`, `L`, `F` or `D`.
    kind: u8,
    increment: f64,
    offset: f64,
}

impl Axis {
    fn of(root: Node, axis: &str, place: &str) -> Result<Self, Error> {
        let node = find(root, &["Record1", "Axes", axis]).ok_or_else(|| missing(place, axis))?;
        let cell = |name: &str| find(node, &[name]).and_then(|n| n.text()).map(str::trim).unwrap_or_default();
        // Heights are always stored; CY may say nothing at all in a profile.
        let absolute = cell("AxisType") == "A" || axis == "CZ";
        let kind = cell("DataType").bytes().next().unwrap_or(b'D');
        let number = |name: &str, default: f64| match cell(name) {
            "" => Ok(default),
            text => text.parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(|| {
                let shown: String = text.chars().take(40).collect();
                bad(place, format!("{axis}/{name} `{shown}`"), "must be a finite number", "mend the file")
            }),
        };
        if absolute && !b"ILFD".contains(&kind) {
            let found = format!("{axis}/DataType `{}`", char::from(kind).escape_default());
            return Err(bad(place, found, "must be I, L, F or D", "export as D (double)"));
        }
        let increment = match number("Increment", 1.0)? {
            // Writers leave 0 where a stored value needs no factor.
            0.0 if absolute => 1.0,
            other => other,
        };
        Ok(Self { absolute, kind, increment, offset: number("Offset", 0.0)? })
    }

    /// Bytes of one point on this axis.
    fn size(&self) -> usize {
        match (self.absolute, self.kind) {
            (false, _) => 0,
            (_, b'I') => 2,
            (_, b'D') => 8,
            _ => 4,
        }
    }

    fn value(&self, cell: &[u8]) -> f64 {
        let mut b = [0; 8];
        b[..cell.len()].copy_from_slice(cell);
        let stored = match self.kind {
            b'I' => f64::from(i16::from_le_bytes([b[0], b[1]])),
            b'L' => f64::from(i32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            b'F' => f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            _ => f64::from_le_bytes(b),
        };
        self.metres(stored)
    }

    fn metres(&self, stored: f64) -> f64 {
        stored * self.increment + self.offset
    }
}

struct Layout {
    x: Axis,
    y: Axis,
    z: Axis,
    points: usize,
    rows: usize,
    layers: usize,
}

impl Layout {
    fn of(root: Node, place: &str) -> Result<Self, Error> {
        let size = |path: &[&str]| match find(root, path).and_then(|n| n.text()).map(str::trim) {
            None => Ok(None),
            Some(text) => text.parse::<u64>().map(Some).map_err(|_| {
                let shown: String = text.chars().take(40).collect();
                bad(place, format!("{} `{shown}`", path.join("/")), "must be a count", "mend the file")
            }),
        };
        let (points, rows, layers) = match size(&["Record3", "ListDimension"])? {
            Some(points) => (points, 1, 1),
            None => {
                let matrix = |name| size(&["Record3", "MatrixDimension", name]);
                let points =
                    matrix("SizeX")?.ok_or_else(|| missing(place, "Record3/MatrixDimension/SizeX"))?;
                (points, matrix("SizeY")?.unwrap_or(1), matrix("SizeZ")?.unwrap_or(1))
            }
        };
        let total = points.checked_mul(rows);
        if points == 0 || rows == 0 || points > MAX_NODES as u64 || total.is_none_or(|n| n > MAX_MAP_POINTS) {
            let limit = format!("must be 1 to {MAX_NODES} points in a row, {MAX_MAP_POINTS} in all");
            return Err(bad(
                place,
                format!("{rows} rows of {points} points"),
                limit,
                "export a smaller part",
            ));
        }
        let axis = |name| Axis::of(root, name, place);
        let (points, rows, layers) = (points as usize, rows as usize, layers.min(1 << 20) as usize);
        Ok(Self { x: axis("CX")?, y: axis("CY")?, z: axis("CZ")?, points, rows, layers })
    }
}

/// Positions (where stored) and heights.
type Points = (Vec<f64>, Vec<f64>);

fn from_archive(
    archive: &mut Archive,
    link: Node,
    layout: &Layout,
    row: usize,
    name: &str,
) -> Result<Points, Error> {
    let target = |tag| find(link, &[tag]).and_then(|n| n.text()).map(str::trim).filter(|t| !t.is_empty());
    let file = target("PointDataLink").ok_or_else(|| missing(name, "Record3/DataLink/PointDataLink"))?;
    let place = format!("{name}: {file}");
    let (x, y, z) = (layout.x.size(), layout.y.size(), layout.z.size());
    let first = row as u64 * layout.points as u64;
    let wanted = (layout.points * (x + y + z)) as u64;
    let data = unpack(archive, file, first * (x + y + z) as u64, wanted, &place)?;
    if (data.len() as u64) < wanted {
        let offset = first * (x + y + z) as u64 + data.len() as u64;
        let place = format!("{place}, byte {offset}");
        let limit = format!("main.xml promises {} rows of {}", layout.rows, layout.points);
        return Err(bad(&place, "data ends", limit, "export the profile again, it is cut short"));
    }
    let cells = data.chunks_exact(x + y + z);
    let positions = if x > 0 { cells.clone().map(|c| layout.x.value(&c[..x])).collect() } else { Vec::new() };
    let mut heights: Vec<f64> = cells.map(|c| layout.z.value(&c[x + y..])).collect();
    if let Some(file) = target("ValidPointsLink") {
        let place = format!("{name}: {file}");
        let (from, to) = (first / 8, (first + layout.points as u64).div_ceil(8));
        let bits = unpack(archive, file, from, to - from, &place)?;
        for (l, height) in heights.iter_mut().enumerate() {
            let bit = first as usize % 8 + l;
            // Writers cut the file after the last bad point's byte: what is not there is valid.
            if bits.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 0) {
                *height = f64::NAN;
            }
        }
    }
    Ok((positions, heights))
}

fn from_list(root: Node, layout: &Layout, row: usize, place: &str) -> Result<Points, Error> {
    let list = find(root, &["Record3", "DataList"])
        .ok_or_else(|| missing(place, "Record3/DataLink or Record3/DataList"))?;
    let (mut positions, mut heights) = (Vec::new(), Vec::new());
    let data = list.children().filter(|n| n.tag_name().name() == "Datum");
    for datum in data.skip(row * layout.points).take(layout.points) {
        let text = datum.text().map(str::trim).unwrap_or_default();
        let number = |cell: Option<&str>| {
            cell.and_then(|cell| cell.trim().parse::<f64>().ok()).ok_or_else(|| {
                let at = datum.document().text_pos_at(datum.range().start);
                let shown: String = text.chars().take(40).collect();
                let place = format!("{place}, line {}", at.row);
                bad(&place, format!("`{shown}`"), "must hold the coordinates of a point", "mend the file")
            })
        };
        if layout.x.absolute {
            positions.push(layout.x.metres(number(text.split(';').next())?));
        }
        heights.push(if text.is_empty() {
            f64::NAN
        } else {
            layout.z.metres(number(text.rsplit(';').next())?)
        });
    }
    if heights.len() < layout.points {
        let found = format!("row {} has {} points", row + 1, heights.len());
        let limit = format!("{} are promised", layout.points);
        return Err(bad(place, found, limit, "export the profile again, it is cut short"));
    }
    Ok((positions, heights))
}

/// At most `wanted` bytes of a member from byte `skip` on, whatever its header claims to unpack to.
fn unpack(
    archive: &mut Archive,
    member: &str,
    skip: u64,
    wanted: u64,
    place: &str,
) -> Result<Vec<u8>, Error> {
    let fault = |error: &dyn std::fmt::Display| {
        bad(place, error, "must be a readable member of the archive", "export the profile again")
    };
    let mut file = archive.by_name(member).map_err(|error| fault(&error))?;
    let skipped = std::io::copy(&mut (&mut file).take(skip), &mut std::io::sink());
    skipped.map_err(|error| fault(&error))?;
    let mut bytes = Vec::new();
    file.take(wanted).read_to_end(&mut bytes).map_err(|error| fault(&error))?;
    Ok(bytes)
}

/// Child by child, names without their namespace.
fn find<'a, 'input>(from: Node<'a, 'input>, path: &[&str]) -> Option<Node<'a, 'input>> {
    path.iter().try_fold(from, |node, name| node.children().find(|n| n.tag_name().name() == *name))
}

fn missing(place: &str, what: &str) -> Error {
    bad(place, format!("no {what}"), "is needed", "export the profile as X3P again")
}
