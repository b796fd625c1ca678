//! From two channels of floats to whatever a device takes: any sample format of cpal, any number of channels.

use cpal::{FromSample, SampleFormat, SizedSample};

/// The largest float below 1: as a whole number of any width it still fits.
const BELOW_ONE: f32 = 1.0 - f32::EPSILON / 2.0;

/// Formats that we can write, the best first. One-bit streams (DSD) are none of them.
pub const FORMATS: [SampleFormat; 12] = [
    SampleFormat::F32,
    SampleFormat::F64,
    SampleFormat::I32,
    SampleFormat::I24,
    SampleFormat::I16,
    SampleFormat::I64,
    SampleFormat::U32,
    SampleFormat::U24,
    SampleFormat::U16,
    SampleFormat::U64,
    SampleFormat::I8,
    SampleFormat::U8,
];

/// Writes frames into interleaved channels: the mean for one channel, left and right for more, silence on
/// all further ones. Beyond the end of the sound there is silence, too.
pub fn interleave<T>(left: &[f32], right: &[f32], out: &mut [T], channels: usize)
where
    T: SizedSample + FromSample<f32>,
{
    let whole = !T::FORMAT.is_float();
    let convert = |sample: f32| {
        let fitting = if whole { sample.clamp(-1.0, BELOW_ONE) } else { sample };
        T::from_sample(fitting)
    };
    let mut sound = left.iter().zip(right);
    for frame in out.chunks_mut(channels.max(1)) {
        let (left, right) = sound.next().map_or((0.0, 0.0), |(left, right)| (*left, *right));
        match frame {
            [only] => *only = convert(0.5 * (left + right)),
            [first, second, others @ ..] => {
                (*first, *second) = (convert(left), convert(right));
                others.fill(T::EQUILIBRIUM);
            }
            [] => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one<T: SizedSample + FromSample<f32>>(sample: f32) -> T {
        let mut out = [T::EQUILIBRIUM; 2];
        interleave(&[sample], &[sample], &mut out, 2);
        assert!(out[0] == out[1]);
        out[0]
    }

    #[test]
    fn full_scale_is_the_end_of_every_format() {
        assert_eq!((one::<f32>(1.5), one::<f64>(-2.0)), (1.5, -2.0));
        assert_eq!([one::<i8>(-1.0), one::<i8>(1.0)], [i8::MIN, i8::MAX]);
        assert_eq!([one::<i16>(-9.0), one::<i16>(0.0), one::<i16>(9.0)], [i16::MIN, 0, i16::MAX]);
        assert_eq!(one::<cpal::I24>(1.0).inner(), (1 << 23) - 1);
        assert_eq!(one::<cpal::I24>(-1.0).inner(), -(1 << 23));
        assert_eq!(one::<cpal::U24>(1.0).inner(), (1 << 24) - 1);
        assert_eq!(one::<i32>(-1.0), i32::MIN);
        assert!(one::<i32>(1.0) > i32::MAX - 256 && one::<i64>(1.0) > i64::MAX - (1 << 41));
        assert_eq!([one::<u8>(-1.0), one::<u8>(0.0), one::<u8>(1.0)], [0, 128, 255]);
        assert_eq!([one::<u16>(0.0), one::<u16>(1.0)], [1 << 15, u16::MAX]);
        assert_eq!((one::<u32>(0.0), one::<u64>(0.0)), (1 << 31, 1 << 63));
        assert_eq!((one::<i16>(f32::NAN), one::<i16>(f32::INFINITY)), (0, i16::MAX));
    }

    #[test]
    fn any_number_of_channels_is_filled() {
        let (left, right) = ([0.5, 0.25], [0.0, 0.75]);
        let mut mono = [9.0f32; 3];
        interleave(&left, &right, &mut mono, 1);
        assert_eq!(mono, [0.25, 0.5, 0.0]);
        let mut four = [9i16; 8];
        interleave(&left, &right, &mut four, 4);
        assert_eq!(four, [16_384, 0, 0, 0, 8_192, 24_576, 0, 0]);
        // No channels at all is no device, but nothing breaks.
        interleave(&left, &right, &mut four, 0);
        interleave::<u8>(&left, &right, &mut [], 2);
    }
}
