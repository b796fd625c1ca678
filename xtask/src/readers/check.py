"""Opens what asperity wrote with the programs that people open it with. Every difference is an exception."""

import csv
import json
import sys
from pathlib import Path

import numpy
import soundfile
import yaml

folder = Path(sys.argv[1])


def columns(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in rows[0]}


def tables(npz, table):
    """Every column of the CSV is an array of the NPZ, number for number."""
    arrays = numpy.load(npz, allow_pickle=False)
    for name, cells in columns(table).items():
        array = arrays[name]
        expected = numpy.array(cells).astype(array.dtype)
        equal = numpy.array_equal(array, expected, equal_nan=array.dtype.kind == "f")
        assert equal, f"{npz}: {name}: {array[:3]} is not {expected[:3]}"
    print(f"{npz.name}: {len(arrays.files)} arrays, as in {table.name}")


def sound(path, form):
    """Length, format and level by libsndfile are those that the file says of itself."""
    told = json.loads(path.with_suffix(".wav.json").read_text())
    info = soundfile.info(path)
    assert (info.frames, info.samplerate) == (told["frames"], told["rate_hz"]), info
    assert (info.channels, info.format) == (len(told["channels"]), form), info
    last, _ = soundfile.read(path, start=info.frames - 1000)
    assert numpy.abs(last).max() > 0 and numpy.isfinite(last).all()
    print(f"{path.name}: {info.format} {info.subtype}, {info.frames} frames, sound to the end")


def listening_test(path):
    """The YAML parses and names files of the set."""
    config = yaml.safe_load(path.read_text())
    pages = [page for page in config["pages"][1] if isinstance(page, dict)]
    named = [page["reference"] for page in pages]
    named += [file for page in pages for file in page["stimuli"].values()]
    named.append(config["pages"][0]["stimulus"])
    files = [path.parent / Path(name).name for name in named]
    assert pages and all(file.is_file() for file in files), named
    lengths = {soundfile.info(file).frames for file in files[:-1]}
    assert len(lengths) == 1, lengths
    print(f"{path.name}: {len(pages)} pages, {len(files)} files, all {lengths.pop()} frames long")


tables(folder / "sweep/results.npz", folder / "sweep/results.csv")
tables(folder / "shocks/shocks.npz", folder / "shocks/shocks.csv")
listening_test(folder / "set/webmushra.yaml")
for name in ["16", "24", "32f"]:
    # The extensible form where the plain one would be ambiguous.
    sound(folder / f"{name}.wav", "WAVEX" if name == "24" else "WAV")
sound(folder / "large.wav", "RF64")
