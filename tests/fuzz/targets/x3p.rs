#![no_main]
//! Profiles of ISO 25178-72. Even first bytes: the rest is the archive. Odd ones: the rest is `main.xml`, up to the
//! first zero, and the numbers it links to, in an archive whose checksums hold.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

mod profile;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    if first % 2 == 0 {
        return profile::check(rest, "a.x3p");
    }
    let end = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
    profile::check(&packed(&rest[..end], rest.get(end + 1..).unwrap_or_default()), "a.x3p");
});

fn packed(xml: &[u8], data: &[u8]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    // Packing is not what is tested, and takes most of the time.
    let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in [("main.xml", xml), ("bindata/data.bin", data)] {
        archive.start_file(name, plain).expect("memory takes it");
        archive.write_all(bytes).expect("memory takes it");
    }
    archive.finish().expect("memory takes it").into_inner()
}
