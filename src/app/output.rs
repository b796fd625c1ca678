//! Opens a device: which of its configurations to take, and the stream that asks the player for sound.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use cpal::traits::{DeviceTrait, StreamTrait};
use cpal::{
    BufferSize, Device, ErrorKind, FromSample, SampleFormat, SizedSample, Stream, StreamConfig,
    SupportedBufferSize, SupportedStreamConfigRange,
};

use super::format::FORMATS;
use super::meters::Meters;
use super::seat::{Seat, Usher, seat};
use crate::engine::realtime::HOST_RATES_HZ;

/// What the user asked for; `None` leaves it to the device.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wish {
    pub device: Option<String>,
    pub rate_hz: Option<u32>,
    pub buffer: Option<u32>,
}

/// Rates that are tried when neither user nor device has one to propose.
const USUAL_RATES_HZ: [u32; 4] = [48_000, 44_100, 96_000, 192_000];
/// Frames that are asked for when the user says nothing: devices' own defaults may be seconds long.
const USUAL_BUFFER: u32 = 512;
/// A sound server that does not answer in this time is taken for dead.
const PATIENCE: Duration = Duration::from_secs(3);

/// How a device will be opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    pub config: StreamConfig,
    pub format: SampleFormat,
    /// Wishes that it does not fulfil, in words.
    pub refused: Vec<String>,
}

/// A stream that runs; dropping it sends the player home.
pub struct Running {
    stream: Stream,
    pub usher: Usher,
    pub choice: Choice,
}

impl Running {
    /// Ends the sound; the player is on its way home.
    pub fn close(self) -> Usher {
        drop(self.stream);
        self.usher
    }
}

/// Opens a device with nobody in its seat yet.
pub fn open(
    device: &Device,
    wish: &Wish,
    meters: &Arc<Meters>,
    lost: &Sender<String>,
) -> Result<Running, String> {
    let ranges: Vec<_> = device.supported_output_configs().map_err(|error| error.to_string())?.collect();
    let own_hz = device.default_output_config().ok().map(|config| config.sample_rate());
    let mut choice = choose(&ranges, own_hz, wish)?;
    let (stream, usher) = match start(device, &choice, meters, lost) {
        Ok(started) => started,
        // The size of the buffer is what devices refuse although they offer it.
        Err(error) => {
            let BufferSize::Fixed(frames) = choice.config.buffer_size else { return Err(error) };
            choice.config.buffer_size = BufferSize::Default;
            if wish.buffer.is_some() {
                choice.refused.push(format!("a buffer of {frames} samples: {error}"));
            }
            start(device, &choice, meters, lost)?
        }
    };
    Ok(Running { stream, usher, choice })
}

fn start(
    device: &Device,
    choice: &Choice,
    meters: &Arc<Meters>,
    lost: &Sender<String>,
) -> Result<(Stream, Usher), String> {
    let (seat, usher) = seat();
    let stream = build(device, choice, seat, meters.clone(), lost.clone())?;
    stream.play().map_err(|error| error.to_string())?;
    Ok((stream, usher))
}

fn build(
    device: &Device,
    choice: &Choice,
    seat: Seat,
    meters: Arc<Meters>,
    lost: Sender<String>,
) -> Result<Stream, String> {
    let open = Opening { device, config: choice.config, seat, meters, lost };
    match choice.format {
        SampleFormat::F32 => open.stream::<f32>(),
        SampleFormat::F64 => open.stream::<f64>(),
        SampleFormat::I8 => open.stream::<i8>(),
        SampleFormat::I16 => open.stream::<i16>(),
        SampleFormat::I24 => open.stream::<cpal::I24>(),
        SampleFormat::I32 => open.stream::<i32>(),
        SampleFormat::I64 => open.stream::<i64>(),
        SampleFormat::U8 => open.stream::<u8>(),
        SampleFormat::U16 => open.stream::<u16>(),
        SampleFormat::U24 => open.stream::<cpal::U24>(),
        SampleFormat::U32 => open.stream::<u32>(),
        SampleFormat::U64 => open.stream::<u64>(),
        other => Err(format!("samples of the format {other} cannot be written")),
    }
}

struct Opening<'a> {
    device: &'a Device,
    config: StreamConfig,
    seat: Seat,
    meters: Arc<Meters>,
    lost: Sender<String>,
}

impl Opening<'_> {
    fn stream<T: SizedSample + FromSample<f32> + 'static>(self) -> Result<Stream, String> {
        let Self { device, config, mut seat, meters, lost } = self;
        let channels = usize::from(config.channels);
        let sound = move |out: &mut [T], _: &cpal::OutputCallbackInfo| seat.fill(out, channels);
        let trouble = move |error: cpal::Error| match error.kind() {
            ErrorKind::Xrun => meters.report_gap(),
            // The stream goes on.
            ErrorKind::DeviceChanged | ErrorKind::RealtimeDenied => {}
            // Nobody listens when the program ends.
            _ => drop(lost.send(error.to_string())),
        };
        device.build_output_stream(config, sound, trouble, Some(PATIENCE)).map_err(|error| error.to_string())
    }
}

/// The best of what a device offers: the wished rate, two channels, the widest samples.
fn choose(ranges: &[SupportedStreamConfigRange], own_hz: Option<u32>, wish: &Wish) -> Result<Choice, String> {
    let mut refused = Vec::new();
    let serves = |range: &&SupportedStreamConfigRange, rate: u32| {
        (range.min_sample_rate()..=range.max_sample_rate()).contains(&rate)
            && FORMATS.contains(&range.sample_format())
            && range.channels() > 0
    };
    let can = |rate: u32| {
        HOST_RATES_HZ.contains(&f64::from(rate)) && ranges.iter().any(|range| serves(&range, rate))
    };
    if let Some(rate) = wish.rate_hz.filter(|rate| !can(*rate)) {
        refused.push(format!("a rate of {rate} Hz"));
    }
    let proposals = wish.rate_hz.into_iter().chain(own_hz).chain(USUAL_RATES_HZ);
    let limits = ranges.iter().flat_map(|range| [range.min_sample_rate(), range.max_sample_rate()]);
    let Some(sample_rate) = proposals.chain(limits).find(|rate| can(*rate)) else {
        return Err("it offers no rate and sample format that can be served".to_owned());
    };
    // Two channels first, then as few more as possible, one at last; then the format.
    let rank = |range: &&SupportedStreamConfigRange| {
        let channels = match range.channels() {
            1 => u16::MAX,
            more => more,
        };
        (channels, FORMATS.iter().position(|format| *format == range.sample_format()))
    };
    let best = ranges.iter().filter(|range| serves(range, sample_rate)).min_by_key(rank);
    let Some(best) = best else { return Err("it offers nothing that can be served".to_owned()) };
    let buffer_size = buffer(best.buffer_size(), wish, &mut refused);
    let config = StreamConfig { channels: best.channels(), sample_rate, buffer_size };
    Ok(Choice { config, format: best.sample_format(), refused })
}

fn buffer(offered: &SupportedBufferSize, wish: &Wish, refused: &mut Vec<String>) -> BufferSize {
    match (*offered, wish.buffer) {
        (SupportedBufferSize::Range { min, max }, Some(wished)) if !(min..=max).contains(&wished) => {
            refused.push(format!("a buffer of {wished} samples (it takes {min} to {max})"));
            BufferSize::Default
        }
        (_, Some(wished)) => BufferSize::Fixed(wished),
        (SupportedBufferSize::Range { min, max }, None) => {
            BufferSize::Fixed(USUAL_BUFFER.clamp(min, max.max(min)))
        }
        (SupportedBufferSize::Unknown, None) => BufferSize::Default,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: SupportedBufferSize = SupportedBufferSize::Unknown;

    fn range(channels: u16, rates: [u32; 2], format: SampleFormat) -> SupportedStreamConfigRange {
        let buffer = SupportedBufferSize::Range { min: 64, max: 1024 };
        SupportedStreamConfigRange::new(channels, rates[0], rates[1], buffer, format)
    }

    fn wish(rate_hz: Option<u32>, buffer: Option<u32>) -> Wish {
        Wish { device: None, rate_hz, buffer }
    }

    #[test]
    fn two_wide_channels_at_the_wished_rate() {
        let ranges = [
            range(1, [8_000, 96_000], SampleFormat::F32),
            range(6, [8_000, 96_000], SampleFormat::F32),
            range(2, [8_000, 96_000], SampleFormat::I16),
            range(2, [8_000, 96_000], SampleFormat::I32),
            range(2, [8_000, 96_000], SampleFormat::DsdU8),
        ];
        let choice = choose(&ranges, Some(44_100), &wish(Some(96_000), Some(128))).unwrap();
        assert_eq!((choice.format, choice.config.channels), (SampleFormat::I32, 2));
        assert_eq!((choice.config.sample_rate, choice.config.buffer_size), (96_000, BufferSize::Fixed(128)));
        assert!(choice.refused.is_empty());
        let own = choose(&ranges, Some(44_100), &Wish::default()).unwrap();
        assert_eq!((own.config.sample_rate, own.config.buffer_size), (44_100, BufferSize::Fixed(512)));
        assert_eq!(choose(&ranges[..1], None, &Wish::default()).unwrap().config.channels, 1);
        assert_eq!(choose(&ranges[..2], None, &Wish::default()).unwrap().config.channels, 6);
    }

    #[test]
    fn what_is_refused_is_said_and_the_device_still_plays() {
        let ranges = [range(2, [48_000, 48_000], SampleFormat::I16)];
        let choice = choose(&ranges, None, &wish(Some(44_100), Some(16))).unwrap();
        assert_eq!((choice.config.sample_rate, choice.config.buffer_size), (48_000, BufferSize::Default));
        assert_eq!(choice.refused.len(), 2);
        assert!(choice.refused[1].contains("64 to 1024"), "{:?}", choice.refused);
        // Rates that the instrument does not serve are refused like those of the device.
        let telephone = [range(2, [8_000, 48_000], SampleFormat::I16)];
        assert_eq!(choose(&telephone, Some(8_000), &Wish::default()).unwrap().config.sample_rate, 48_000);
    }

    #[test]
    fn a_device_that_offers_nothing_is_refused() {
        let dsd = [range(2, [48_000, 48_000], SampleFormat::DsdU32)];
        let slow = [SupportedStreamConfigRange::new(2, 4_000, 8_000, ANY, SampleFormat::F32)];
        for ranges in [&[][..], &dsd, &slow] {
            assert!(choose(ranges, Some(48_000), &Wish::default()).is_err());
        }
    }
}
