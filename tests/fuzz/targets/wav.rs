#![no_main]
//! Sound files, read as `analyze` does: head, then block after block.

use std::io::Cursor;

use asperity::io::wav::WavReader;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(mut reader) = WavReader::new(Cursor::new(bytes), bytes.len() as u64, "a.wav".to_owned()) else {
        return;
    };
    let head = reader.head.clone();
    assert!(head.channels > 0 && head.rate_hz > 0.0);
    let mut frames = 0;
    while let Ok(Some(block)) = reader.next_block() {
        assert_eq!(block.len(), head.channels);
        assert!(block.iter().flatten().all(|sample| sample.is_finite()));
        frames += block[0].len() as u64;
    }
    assert!(frames <= head.frames && head.frames <= bytes.len() as u64);
});
