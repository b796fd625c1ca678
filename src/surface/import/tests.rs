//! Good files read back as written; bad ones are refused with the line or the byte.

use super::super::{Roughness, Texture, write_csv};
use super::*;
use std::io::{Cursor, Write};

/// Twelve heights in whole nanometres, so that every data type holds them exactly.
const NM: [i16; 12] = [120, -35, 4, 77, -128, 90, 0, 1, -1, 55, 33, -60];

pub(super) fn read(bytes: &[u8], name: &str) -> Result<Imported, Error> {
    import_bytes(bytes, name, &ImportOptions::default())
}

fn heights(imported: &Imported) -> Vec<f64> {
    imported.profile.heights_m.iter().map(|z| (z * 1e9 * 1e6).round() / 1e6).collect()
}

fn expected() -> Vec<f64> {
    NM.map(f64::from).to_vec()
}

pub(super) fn message(result: Result<Imported, Error>) -> String {
    let error = result.unwrap_err();
    assert_eq!(error.exit_code(), 2);
    error.to_string()
}

pub(super) fn csv(header: &str, line: impl Fn(usize, i16) -> String) -> String {
    let body: Vec<String> = NM.iter().enumerate().map(|(l, &z)| line(l, z)).collect();
    format!("{header}\n{}\n", body.join("\n"))
}

pub(super) fn sdf_ascii(rows: usize) -> String {
    let values = NM.map(|z| z.to_string()).join("\r\n");
    format!(
        "aISO-1.0\r\nManufacID   = TEST\r\nCreateDate  = 010120240000\r\nModDate     = 010120240000\r\n\
         NumPoints   = 12\r\nNumProfiles = {rows}\r\nXscale      = 5.0e-6\r\nYscale      = 1\r\n\
         Zscale      = 1.0e-9\r\nZresolution = -1\r\nCompression = 0\r\nDataType    = 7\r\nCheckType   = 0\r\n\
         *\r\n{}*\r\n",
        format!("{values}\r\n").repeat(rows)
    )
}

pub(super) fn sdf_binary(version: &str, data_type: u8, rows: u32) -> Vec<u8> {
    let mut bytes = format!("bISO-{version}TEST      010120240000010120240000").into_bytes();
    for count in [12, rows] {
        bytes.extend(&count.to_le_bytes()[..if version == "1.0" { 2 } else { 4 }]);
    }
    for scale in [5e-6, 1.0, 1e-9, -1.0] {
        bytes.extend(f64::to_le_bytes(scale));
    }
    bytes.extend([0, data_type, 0]);
    for row in 0..rows {
        for z in NM {
            let z = z + row as i16;
            match data_type {
                3 => bytes.extend(f32::from(z).to_le_bytes()),
                5 => bytes.extend(z.to_le_bytes()),
                6 => bytes.extend(i32::from(z).to_le_bytes()),
                _ => bytes.extend(f64::from(z).to_le_bytes()),
            }
        }
    }
    bytes
}

pub(super) fn zipped(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

pub(super) fn x3p_xml(x_axis: &str, z_type: char, z_increment: f64, record3: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<p:ISO5436_2 xmlns:p="http://www.opengps.eu/2008/ISO5436_2">
  <Record1><Revision>ISO5436 - 2000</Revision><FeatureType>PRF</FeatureType><Axes>
    <CX>{x_axis}</CX>
    <CY><AxisType>I</AxisType><DataType>D</DataType><Increment>1</Increment><Offset>0</Offset></CY>
    <CZ><AxisType>A</AxisType><DataType>{z_type}</DataType><Increment>{z_increment}</Increment></CZ>
  </Axes></Record1>
  <Record3>{record3}</Record3>
</p:ISO5436_2>"#
    )
}

pub(super) const X_STEP: &str = "<AxisType>I</AxisType><DataType>D</DataType><Increment>5e-6</Increment>";
pub(super) const LINKED: &str = "<MatrixDimension><SizeX>12</SizeX><SizeY>1</SizeY><SizeZ>1</SizeZ></MatrixDimension>\
    <DataLink><PointDataLink>bindata/data.bin</PointDataLink></DataLink>";

pub(super) fn x3p_short_integers() -> Vec<u8> {
    let data: Vec<u8> = NM.iter().flat_map(|z| z.to_le_bytes()).collect();
    let xml = x3p_xml(X_STEP, 'I', 1e-9, LINKED);
    zipped(&[("main.xml", xml.as_bytes()), ("bindata/data.bin", &data)])
}

#[test]
fn csv_as_we_write_it_reads_back() {
    let spec = Roughness {
        texture: Texture::Exponential,
        ra_m: 5e-6,
        corr_length_m: 100e-6,
        hurst: 0.5,
        wavelength_m: 1e-3,
        cutoff_m: 0.0,
        length_m: 5e-3,
        step_m: 5e-6,
        seed: 3,
        periodic: false,
    };
    let profile = spec.generate().unwrap();
    let mut bytes = Vec::new();
    write_csv(&profile, &mut bytes).unwrap();
    assert!(bytes.starts_with(b"x_m,height_m\n0.0,"));
    let back = read(&bytes, "a.csv").unwrap();
    assert_eq!(back.profile.heights_m, profile.heights_m);
    assert!((back.profile.step_m / 5e-6 - 1.0).abs() < 1e-12);
    assert!(back.notes.is_empty());
}

#[test]
fn csv_units_separators_and_decimal_commas() {
    let files = [
        csv("x_um,z_nm", |l, z| format!("{},{z}", 5 * l)),
        csv("\u{feff}Position (mm);Height [µm]", |l, z| {
            format!("{};{}", l as f64 * 0.005, f64::from(z) / 1e3).replace('.', ",")
        }),
        csv("z_nm\tx_um", |l, z| format!("{z}\t{}", 5 * l)),
        csv("x_um height_nm", |l, z| format!("{}   {z}", 5 * l)),
        csv("# step_um = 5\nheight_nm", |_, z| format!("{z}\r")),
        csv("# a comment\n% step_mm: 0,005\n\nheight (nm)", |_, z| format!("{z}.0e0")),
        csv("x_um,z_nm", |l, z| format!("\"{}\",\"{z}\"", 5 * l)),
        csv("x_um,z_nm", |l, z| format!("{},{z}", 5 * l)).replace('\n', "\r"),
    ];
    for file in &files {
        let found = read(file.as_bytes(), "a.csv").unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(heights(&found), expected(), "{file}");
        assert!((found.profile.step_m / 5e-6 - 1.0).abs() < 1e-9, "{file}");
    }
    let latin1: Vec<u8> = csv("x_um,z_um", |l, z| format!("{},{}", 5 * l, f64::from(z) / 1e3))
        .replace("z_um", "z_µm")
        .chars()
        .map(|c| c as u8)
        .collect();
    assert_eq!(heights(&read(&latin1, "a.csv").unwrap()), expected());
    let alone = csv("height_nm", |_, z| z.to_string());
    let options = ImportOptions { step_m: Some(5e-6), row: None };
    assert_eq!(heights(&import_bytes(alone.as_bytes(), "a.csv", &options).unwrap()), expected());
}

#[test]
fn bad_csv_is_told_with_its_line() {
    for (file, words) in [
        (csv("x,z", |l, z| format!("{l},{z}")), "line 1: column `x`: has no unit"),
        (csv("0,5", |l, z| format!("{l},{z}")), "line 1: column `0`: has no unit"),
        (csv("x_um,y_um,z_um", |l, z| format!("{l},0,{z}")), "line 1: 3 columns"),
        (csv("height_nm", |_, z| z.to_string()), "the step is not known"),
        (
            csv("# step_um=5\nheight_nm", |_, z| format!("{z},5")),
            "line 3: `120,5`: the header has one column",
        ),
        (csv("x_um,z_um", |l, z| format!("{l},5,{z},5")), "line 2: `0,5,120,5`"),
        (
            csv("x_um,z_um", |l, z| if l == 4 { "7,inf".into() } else { format!("{l},{z}") }),
            "line 6, column 2 (height): `inf`",
        ),
        (
            csv("x_um,z_um", |l, z| if l == 4 { "nan,1".into() } else { format!("{l},{z}") }),
            "line 6, column 1",
        ),
        (csv("x_um,z_m", |l, z| format!("{l},{z}")), "check the unit of the heights"),
        (csv("x_m,z_nm", |l, z| format!("{},{z}", 100 * l)), "check the unit of x"),
        (csv("x_um,z_nm", |l, z| format!("{},{z}", l * l * l)), "resample"),
        (csv("x_um,z_nm", |_, z| format!("1,{z}")), "resample"),
        ("x_um,z_nm\n1,2\n2,3\n".into(), "2 points"),
        (",".repeat(100_000), "line 1: 100000 bytes in a line"),
        (String::new(), "no line with data"),
        ("\0\0\0".into(), "byte 0: a zero byte"),
    ] {
        let found = message(read(file.as_bytes(), "a.csv"));
        assert!(found.starts_with("a.csv") && found.contains(words), "{words}: {found}");
    }
}

#[test]
fn missing_points_and_uneven_steps_are_mended_and_told() {
    let file = |gap: fn(usize) -> bool| {
        (0..100).fold("x_um,z_nm\n".to_owned(), |file, l| {
            file + &if gap(l) { format!("{l},\n") } else { format!("{l},{}\n", 10 * l) }
        })
    };
    let found = read(file(|l| matches!(l, 0 | 50 | 51 | 99)).as_bytes(), "a.csv").unwrap();
    let z = heights(&found);
    assert_eq!((z[0], z[50], z[51], z[99]), (10.0, 500.0, 510.0, 980.0));
    assert_eq!(found.notes, ["4 points that were not measured were interpolated"]);
    let found = message(read(file(|l| l % 10 == 0).as_bytes(), "a.csv"));
    assert!(found.contains("10 of 100 points were not measured"), "{found}");

    // A ramp sampled unevenly is the same ramp on the even grid.
    let uneven = (0..100).rev().fold("x_um,z_nm\n".to_owned(), |file, l| {
        let x = f64::from(l) + if l % 2 == 1 { 0.1 } else { 0.0 };
        file + &format!("{x},{}\n", 10.0 * x)
    });
    let found = read(uneven.as_bytes(), "a.csv").unwrap();
    assert_eq!(found.notes.len(), 2, "{:?}", found.notes);
    for (l, z) in heights(&found).into_iter().enumerate() {
        assert!((z - 10.0 * found.profile.step_m * 1e6 * l as f64).abs() < 1e-3, "{l} {z}");
    }
}

#[test]
fn sdf_reads_every_kind() {
    assert_eq!(heights(&read(sdf_ascii(1).as_bytes(), "a.sdf").unwrap()), expected());
    for version in ["1.0", "2.0"] {
        for data_type in [3, 5, 6, 7] {
            let found = read(&sdf_binary(version, data_type, 1), "a.sdf").unwrap();
            assert_eq!(heights(&found), expected(), "{version} {data_type}");
            assert_eq!(found.profile.step_m, 5e-6);
        }
    }
    // Three short rows out of one run of values.
    let short = sdf_ascii(1).replace("= 12", "= 4").replace("NumProfiles = 1", "NumProfiles = 3");
    assert_eq!(heights(&read(short.as_bytes(), "a.sdf").unwrap()), expected()[4..8]);
    // A map: the middle row, or the one asked for, counted from 1.
    let map = sdf_binary("1.0", 5, 5);
    let found = read(&map, "a.sdf").unwrap();
    assert_eq!(heights(&found)[0], 122.0);
    assert_eq!(found.notes, ["a map of 5 rows: the middle one, row 3, was taken"]);
    let row = |row| import_bytes(&map, "a.sdf", &ImportOptions { row: Some(row), step_m: None });
    assert_eq!(heights(&row(5).unwrap())[0], 124.0);
    assert!(message(row(6)).contains("rows 1 to 5") && message(row(0)).contains("rows 1 to 5"));
    assert_eq!(heights(&read(sdf_ascii(3).as_bytes(), "a.sdf").unwrap()), expected());
    // One point of 24 not measured.
    let mut long = sdf_ascii(2).replace("NumPoints   = 12", "NumPoints = 24").replace("= 2\r\nX", "= 1\r\nX");
    long = long.replacen("\r\n4\r\n", "\r\nBAD\r\n", 1);
    let found = read(long.as_bytes(), "a.sdf").unwrap();
    assert_eq!(heights(&found)[2], 21.0);
}

#[test]
fn sdf_faults_are_told_with_line_or_byte() {
    let binary = |at: usize, bytes: &[u8]| {
        let mut file = sdf_binary("2.0", 7, 1);
        file[at..at + bytes.len()].copy_from_slice(bytes);
        message(read(&file, "a.sdf"))
    };
    assert!(binary(42, &u32::MAX.to_le_bytes()).contains("byte 42: NumPoints 4294967295"));
    assert!(binary(46, &u32::MAX.to_le_bytes()).contains("cut short"));
    assert!(binary(82, &[1]).contains("Compression 1"));
    assert!(binary(83, &[9]).contains("DataType 9"));
    assert!(binary(66, &f64::NAN.to_le_bytes()).contains("Zscale NaN"));
    let ascii = |from: &str, to: &str| message(read(sdf_ascii(1).replace(from, to).as_bytes(), "a.sdf"));
    assert!(ascii("= 12", "= 12000000000000000000000").contains("line 5:"));
    assert!(ascii("= 12", "= 13").contains("data ends after 12 values"));
    assert!(ascii("-128", "x").contains("line 19: `x`"));
    assert!(ascii("Zscale ", "Wscale ").contains("Zscale 0"));
    assert!(message(read(b"hello", "a.sdf")).contains("byte 0"));
}

#[test]
fn x3p_reads_every_kind() {
    assert_eq!(heights(&read(&x3p_short_integers(), "a.x3p").unwrap()), expected());
    // Absolute x beside each height, in two types.
    let x_axis = "<AxisType>A</AxisType><DataType>F</DataType>";
    let data: Vec<u8> = (0..12)
        .flat_map(|l| {
            let x = (l as f32 * 5e-6).to_le_bytes();
            x.into_iter().chain((f64::from(NM[l]) * 1e-9).to_le_bytes()).collect::<Vec<_>>()
        })
        .collect();
    let xml = x3p_xml(x_axis, 'D', 1.0, LINKED);
    let found = read(&zipped(&[("main.xml", xml.as_bytes()), ("bindata/data.bin", &data)]), "a.x3p").unwrap();
    assert_eq!(heights(&found), expected());
    assert!((found.profile.step_m / 5e-6 - 1.0).abs() < 1e-6);
    // Points in the XML itself.
    let list: String = NM.iter().map(|z| format!("<Datum>{}</Datum>", f64::from(*z) * 1e-9)).collect();
    let record3 = format!("<ListDimension>12</ListDimension><DataList>{list}</DataList>");
    let xml = x3p_xml(X_STEP, 'D', 1.0, &record3);
    assert_eq!(heights(&read(&zipped(&[("main.xml", xml.as_bytes())]), "a.x3p").unwrap()), expected());
    // Two rows of 24 with a mask: the second row's third point is not valid.
    let record3 = LINKED.replace("<SizeX>12", "<SizeX>24").replace("<SizeY>1", "<SizeY>2");
    let record3 =
        record3.replace("</DataLink>", "<ValidPointsLink>bindata/valid.bin</ValidPointsLink></DataLink>");
    let data: Vec<u8> = [NM, NM, NM, NM].iter().flatten().flat_map(|z| i32::from(*z).to_le_bytes()).collect();
    let xml = x3p_xml(X_STEP, 'L', 1e-9, &record3);
    let valid = [255, 255, 255, 0b1111_1011, 255, 255];
    let members =
        [("main.xml", xml.as_bytes()), ("bindata/data.bin", data.as_slice()), ("bindata/valid.bin", &valid)];
    let found = read(&zipped(&members), "a.x3p").unwrap();
    assert_eq!(heights(&found)[2], 21.0);
    assert_eq!(found.notes.len(), 2, "{:?}", found.notes);
}
