"""Plays the VST3 bundle in a host that is not ours (pedalboard, on JUCE). Every difference is an exception."""

import sys
import time

import numpy
from mido import Message
from pedalboard import load_plugin

RATE_HZ = 48_000
KEY_UP_S = 1.0


def opened():
    start = time.perf_counter()
    plugin = load_plugin(sys.argv[1])
    return plugin, time.perf_counter() - start


def play(plugin, keys, seconds=3.0, buffer=512, velocity=100, rate_hz=RATE_HZ):
    downs = [Message("note_on", note=key, velocity=velocity, time=0.0) for key in keys]
    ups = [Message("note_off", note=key, time=KEY_UP_S) for key in keys]
    sound = plugin(downs + ups, duration=seconds, sample_rate=rate_hz, num_channels=2, buffer_size=buffer)
    assert numpy.isfinite(sound).all() and numpy.abs(sound).max() <= 1.0
    return sound


def turn(plugin, name, text):
    knob = plugin.parameters[name]
    knob.raw_value = knob.get_raw_value_for_text(text)
    assert knob.string_value == text, f"{name}: {knob.string_value} is not {text}"


def level_db(sound):
    rubbing = sound[:, RATE_HZ // 10 : int(KEY_UP_S * RATE_HZ)]
    return 20 * numpy.log10(numpy.sqrt((rubbing**2).mean()))


def first_mode_hz(sound, rate_hz):
    """The highest peak near A4 of what rings after the key was let go."""
    ring = sound[0, int((KEY_UP_S + 0.3) * rate_hz) :]
    size = 16 * len(ring)
    spectrum = numpy.abs(numpy.fft.rfft(ring * numpy.hanning(len(ring)), size))
    hz = numpy.fft.rfftfreq(size, 1 / rate_hz)
    return hz[numpy.argmax(numpy.where(abs(hz - 440) < 40, spectrum, 0))]


plugin, seconds = opened()
assert plugin.is_instrument and seconds < 1.0, f"{seconds} s to open"
print(f"{plugin.name} {plugin.version}: {len(plugin.parameters)} parameters, opened in {1000 * seconds:.0f} ms")

for name, knob in plugin.parameters.items():
    again = knob.get_raw_value_for_text(knob.string_value)
    assert abs(again - knob.raw_value) < 1e-3, f"{name}: {knob.string_value} became {again}, was {knob.raw_value}"
print("every text parses back")

chord = [60, 64, 67]
plain = play(plugin, chord)
assert numpy.abs(plain).max() > 0.01
assert numpy.array_equal(play(plugin, chord), plain), "the same notes again sound otherwise"
for buffer in [1, 32, 100, 1024, 8192]:
    cut = play(plugin, chord, seconds=1.5, buffer=buffer)
    assert numpy.array_equal(cut, plain[:, : cut.shape[1]]), f"blocks of {buffer} sound otherwise"
assert not play(plugin, []).any()
print("the same bits again and in blocks of 1, 32, 100, 1024 and 8192; silence without notes")

knobs = {"roughness_ra": ["1 µm", "20 µm", "5 µm"], "sliding_speed_v": ["0.03 m/s", "0.3 m/s", "0.1 m/s"]}
for name, texts in knobs.items():
    levels = []
    for text in texts:
        turn(plugin, name, text)
        levels.append(level_db(play(plugin, chord)))
    # The last is where the knob was at first.
    assert levels[0] + 3 < levels[2] < levels[1] - 3, f"{name}: {levels}"
    print(name + ": " + ", ".join(f"{text} {level:.1f} dB" for text, level in zip(texts, levels)))

turn(plugin, "damping", "0.001")
for rate_hz in [22_050, 44_100, 48_000, 96_000, 192_000]:
    cents = 1200 * numpy.log2(first_mode_hz(play(plugin, [69], rate_hz=rate_hz), rate_hz) / 440)
    assert abs(cents) < 1, f"{cents} cents at {rate_hz} Hz"
    print(f"A4 rings {cents:+.2f} cents off at {rate_hz} Hz")

turn(plugin, "roughness_ra", "8 µm")
# The host tells of the turn with the first block, so that Ra glides under the first notes.
play(plugin, chord)
second, _ = opened()
second.raw_state = plugin.raw_state
assert second.raw_state == plugin.raw_state
assert numpy.array_equal(play(second, chord), play(plugin, chord)), "its state sounds otherwise in another instance"
print("a second instance takes over the state, and sounds the same to the bit")

loudest = numpy.abs(play(plugin, range(24, 104, 2), velocity=127)).max()
print(f"forty keys at once: peak {loudest:.3f}")
