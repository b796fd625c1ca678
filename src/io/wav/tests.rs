//! Ours against an independent writer and reader (hound), and files that lie.

use std::path::Path;

use super::super::part::part_path;
use super::*;
use crate::record::Channel;

fn recording(channels: Vec<Vec<f64>>) -> Recording {
    let channel = |samples| Channel { quantity: Quantity::Velocity, position_m: 0.1, samples };
    Recording { rate_hz: 48_000.0, channels: channels.into_iter().map(channel).collect() }
}

fn options(format: SampleFormat, full_scale: f64, channels: usize) -> WavOptions {
    WavOptions {
        format,
        rate_hz: 48_000.0,
        channels: vec![ChannelMetadata::new(Quantity::Velocity, Some(0.1), full_scale); channels],
        mix: None,
        seed: 5,
        engine: "reference".into(),
        quality: None,
        scene_toml: "surface.ra_um = 3.0\n".into(),
    }
}

const FORMATS: [(SampleFormat, f64); 3] = [
    (SampleFormat::Int16, 1.0 / 32_768.0),
    (SampleFormat::Int24, 1.0 / 8_388_608.0),
    (SampleFormat::Float32, 1e-7),
];

#[test]
fn every_format_is_read_back_by_another_program_and_by_us() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sound.wav");
    // Odd lengths of 24-bit mono are where padding is forgotten.
    let wave: Vec<f64> = (0..4801).map(|i| 0.02 * (0.05 * f64::from(i)).sin()).collect();
    for (format, step) in FORMATS {
        for channels in [1, 2, 4] {
            let sound = recording(vec![wave.clone(); channels]);
            let metadata = write_wav(&path, &sound, &options(format, 0.05, channels)).unwrap();
            assert_eq!((metadata.clipped_samples, metadata.frames), (0, 4801));

            let mut reader = hound::WavReader::open(&path).unwrap();
            let spec = reader.spec();
            assert_eq!((spec.bits_per_sample, spec.sample_rate), (format.bits(), 48_000));
            assert_eq!((reader.duration(), usize::from(spec.channels)), (4801, channels));
            let theirs: Vec<f64> = match format {
                SampleFormat::Float32 => reader.samples::<f32>().map(|s| f64::from(s.unwrap())).collect(),
                _ => reader.samples::<i32>().map(|s| f64::from(s.unwrap()) * step).collect(),
            };
            let ours = read_wav(&path).unwrap();
            let told = &ours.head;
            assert_eq!((told.bits.as_str(), told.rate_hz, told.notes.len()), (format.name(), 48_000.0, 0));
            for (frame, written) in wave.iter().enumerate() {
                for (channel, samples) in ours.channels.iter().enumerate() {
                    assert_eq!(samples[frame], theirs[frame * channels + channel]);
                    assert!((samples[frame] - written / 0.05).abs() <= 1.5 * step, "{format:?}");
                }
            }
            let beside: Metadata = serde_json::from_slice(&std::fs::read(side_car(&path)).unwrap()).unwrap();
            assert_eq!((told.metadata.as_ref(), &beside), (Some(&metadata), &metadata));
            assert_eq!((beside.full_scale_m_s, beside.scene_toml.contains("ra_um")), (Some(0.05), true));
            let bytes = std::fs::metadata(&path).unwrap().len();
            let promised = u32::from_le_bytes(std::fs::read(&path).unwrap()[4..8].try_into().unwrap());
            assert_eq!(bytes, u64::from(promised) + 8);
        }
    }
}

#[test]
fn other_programs_files_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("theirs.wav");
    for (bits, sample_format, full) in [
        (8, hound::SampleFormat::Int, 128.0),
        (16, hound::SampleFormat::Int, 32_768.0),
        (24, hound::SampleFormat::Int, 8_388_608.0),
        (32, hound::SampleFormat::Int, 2_147_483_648.0),
        (32, hound::SampleFormat::Float, 1.0),
    ] {
        let spec = hound::WavSpec { channels: 2, sample_rate: 44_100, bits_per_sample: bits, sample_format };
        let mut writer = hound::WavWriter::create(&path, spec).unwrap();
        for i in -5..5 {
            match sample_format {
                hound::SampleFormat::Float => writer.write_sample(i as f32 / 8.0).unwrap(),
                hound::SampleFormat::Int => writer.write_sample(i).unwrap(),
            }
        }
        writer.finalize().unwrap();
        let sound = read_wav(&path).unwrap();
        assert!(sound.head.metadata.is_none() && sound.head.rate_hz == 44_100.0);
        let scale = if full == 1.0 { 8.0 } else { full };
        let expected: Vec<f64> = [-5, -3, -1, 1, 3].map(|i| f64::from(i) / scale).to_vec();
        assert_eq!(sound.channels[0], expected, "{bits} bits");
    }
}

#[test]
fn beyond_four_gigabytes_the_head_becomes_rf64_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.wav");
    let wave: Vec<f64> = (0..9000).map(|i| (0.01 * f64::from(i)).sin()).collect();
    // A limit of 20 kB stands for the real one.
    let mut stream = WavStream::with_limit(&path, &options(SampleFormat::Int24, 2.0, 1), 20_000).unwrap();
    for block in wave.chunks(1000) {
        stream.take(&[block]).unwrap();
    }
    stream.finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!((&bytes[..8], &bytes[12..16]), (&b"RF64\xff\xff\xff\xff"[..], &b"ds64"[..]));
    let sound = read_wav(&path).unwrap();
    assert_eq!((sound.channels[0].len(), sound.head.metadata.unwrap().frames), (9000, 9000));
    assert!((sound.channels[0][100] - wave[100] / 2.0).abs() < 1e-6);
}

#[test]
fn a_stream_is_valid_at_every_flush_and_equals_the_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (folder.path().join("a.wav"), folder.path().join("b.wav"));
    let wave: Vec<f64> = (0..120_000).map(|i| 0.3 * (0.01 * f64::from(i)).sin()).collect();
    let how = options(SampleFormat::Int16, 1.0, 1);
    write_wav(&one, &recording(vec![wave.clone()]), &how).unwrap();
    let mut stream = WavStream::create(&other, &how).unwrap();
    for (index, block) in wave.chunks(7001).enumerate() {
        stream.take(&[block]).unwrap();
        let part = read_wav(&part_path(&other)).unwrap();
        let taken = (index + 1) * 7001;
        assert!(part.channels[0].len() + 24_000 + 7001 >= taken.min(wave.len()), "half a second behind");
        assert_eq!(part.head.metadata.unwrap().frames, part.channels[0].len() as u64);
    }
    assert!(!other.exists());
    stream.finish().unwrap();
    assert_eq!(std::fs::read(&one).unwrap(), std::fs::read(&other).unwrap());

    let mut stream = WavStream::create(&other, &how).unwrap();
    stream.take(&[&wave[..1000]]).unwrap();
    let kept = stream.keep().unwrap();
    assert_eq!(read_wav(&kept).unwrap().channels[0].len(), 1000);
}

#[test]
fn what_clips_is_counted_and_never_wraps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("loud.wav");
    let loud = recording(vec![vec![0.0, 3.0, -3.0, 0.5], vec![0.9, 1e9, 0.0, -0.9]]);
    for format in [SampleFormat::Int16, SampleFormat::Int24, SampleFormat::Float32] {
        assert_eq!(write_wav(&path, &loud, &options(format, 1.0, 2)).unwrap().clipped_samples, 3);
    }
    write_wav(&path, &loud, &options(SampleFormat::Int16, 1.0, 2)).unwrap();
    let samples: Vec<i16> =
        hound::WavReader::open(&path).unwrap().samples().map(|sample| sample.unwrap()).collect();
    assert_eq!((samples[2], samples[3], samples[4]), (i16::MAX, i16::MAX, i16::MIN));
}

#[test]
fn one_seed_gives_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a.wav"), folder.path().join("b.wav"));
    let quiet = recording(vec![vec![1e-5; 1000]]);
    let mut how = options(SampleFormat::Int16, 1.0, 1);
    write_wav(&a, &quiet, &how).unwrap();
    write_wav(&b, &quiet, &how).unwrap();
    assert_eq!(std::fs::read(&a).unwrap(), std::fs::read(&b).unwrap());
    how.seed = 6;
    write_wav(&b, &quiet, &how).unwrap();
    assert_ne!(read_wav(&a).unwrap().channels, read_wav(&b).unwrap().channels);
}

#[test]
fn what_cannot_be_written_is_refused_before_a_byte() {
    let folder = tempfile::tempdir().unwrap();
    let sound = recording(vec![vec![0.0; 4]]);
    let how = options(SampleFormat::Int16, 1.0, 1);
    let named = |name: &str| folder.path().join(name);
    assert_eq!(write_wav(&named("a.json"), &sound, &how).unwrap_err().exit_code(), 2);

    let both = WavOptions { rate_hz: 44_100.5, ..options(SampleFormat::Int16, 0.0, 1) };
    let Error::Input(problems) = write_wav(&named("a.wav"), &sound, &both).unwrap_err() else { panic!() };
    assert_eq!(problems.0.len(), 2, "all problems at once: {problems:?}");

    let broken = recording(vec![vec![0.0, f64::NAN]]);
    let failure = write_wav(&named("a.wav"), &broken, &how).unwrap_err();
    assert!(failure.to_string().contains("channel 1 is NaN"), "{failure}");
    assert!(write_wav(folder.path(), &sound, &how).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_an_error_with_its_path() {
    let sound = recording(vec![vec![0.5; 100_000]]);
    let how = options(SampleFormat::Int16, 1.0, 1);
    let failure = write_wav(Path::new("/dev/full"), &sound, &how).unwrap_err();
    assert_eq!(failure.exit_code(), 74);
    assert!(failure.to_string().contains("/dev/full"));
    write_wav(Path::new("/dev/null"), &sound, &how).unwrap();
    assert!(is_device(Path::new("/dev/null")) && !part_path(Path::new("/dev/null")).exists());
}

/// A small valid file, byte by byte cut, flipped and filled with large numbers: an answer or a message with
/// its place, never a panic, never a huge allocation.
#[test]
fn hostile_files_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sound.wav");
    write_wav(&path, &recording(vec![vec![0.1; 50]; 2]), &options(SampleFormat::Int24, 1.0, 2)).unwrap();
    let good = std::fs::read(&path).unwrap();
    let attempt = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        match read_wav(&path) {
            Ok(sound) => assert!(sound.channels.iter().all(|channel| channel.len() <= 100_000)),
            Err(Error::Input(problems)) => {
                assert!(problems.0[0].place.contains("sound.wav, byte "), "{problems:?}");
            }
            Err(other) => panic!("{other}"),
        }
    };
    for cut in 0..good.len() {
        attempt(&good[..cut]);
    }
    for place in 0..good.len() {
        let mut bad = good.clone();
        bad[place] ^= 0xFF;
        attempt(&bad);
        bad[place..(place + 4).min(good.len())].fill(0xFF);
        attempt(&bad);
        bad[place..(place + 4).min(good.len())].fill(0);
        attempt(&bad);
    }
    // A million empty chunks, and a float that is no number.
    let mut empty = good[..12].to_vec();
    empty.extend(b"abcd\0\0\0\0".repeat(1 << 17));
    attempt(&empty);
    write_wav(&path, &recording(vec![vec![0.1; 50]]), &options(SampleFormat::Float32, 1.0, 1)).unwrap();
    let mut float = std::fs::read(&path).unwrap();
    let end = float.len();
    float[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    std::fs::write(&path, &float).unwrap();
    assert!(read_wav(&path).unwrap_err().to_string().contains("NaN at 0.00102"));
    assert!(read_wav(folder.path()).is_err() && read_wav(Path::new("/nowhere.wav")).is_err());
}
