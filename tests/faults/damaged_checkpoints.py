"""Checkpoints changed with HDF5 itself: formally in order, wrong in content. Used by damage.py."""
import shutil

import h5py
import numpy as np

NAN = float("nan")


def text_of(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def attribute(name, value):
    """Replaces an attribute of the file; None: removes it."""
    def edit(file):
        if name in file.attrs:
            del file.attrs[name]
        if value is not None:
            file.attrs.create(name, np.bytes_(value) if isinstance(value, str) else value)
    return edit


def field_of(file):
    """The name of a field of the flow."""
    return "velocity_x" if "velocity_x" in file else next(iter(file))


def field(make):
    """Takes a field away and makes another thing of its name: make(file, name)."""
    def edit(file):
        name = field_of(file)
        del file[name]
        make(file, name)
    return edit


def data(value):
    return field(lambda file, name: file.create_dataset(name, data=value))


def values_of_nan(file):
    """Without touching the checksum."""
    file[field_of(file)][...] = NAN


def swapped_fields(file):
    """Two fields under each other's names, each with the checksum of its own values."""
    names = [name for name in file if file[name].ndim == 3][:2]
    file.move(names[0], "aside")
    file.move(names[1], names[0])
    file.move("aside", names[1])


def without_checksums(file):
    for dataset in file.values():
        dataset.attrs.pop("crc32", None)


def wrong_checksum(file):
    dataset = file[field_of(file)]
    dataset.attrs["crc32"] = np.uint32(int(dataset.attrs.get("crc32", 0)) ^ 1)


def shape(*lengths):
    """A field of an impossible size, announced as such."""
    def edit(file):
        name = field_of(file)
        del file[name]
        chunks = (1, 1, min(1024, lengths[2]))
        file.create_dataset(name, shape=lengths, dtype="f8", chunks=chunks)
        items = text_of(file.attrs["fields"]).split(" ")
        announced = f"{name}:double:{'x'.join(map(str, lengths))}"
        attribute("fields", " ".join(announced if item.split(":")[0] == name else item
                                     for item in items))(file)
    return edit


def another_grid(file):
    text = text_of(file.attrs["case"])
    attribute("case", text.replace("[10, 9, 8]", "[11, 9, 8]")
              .replace("[12, 10, 8]", "[13, 10, 8]"))(file)


def without_numbers(file):
    for name in [name for name in file.attrs if name.startswith("number_")]:
        del file.attrs[name]


def outside_data(file, name):
    file.create_dataset(name, (8, 9, 10), "f8", external=[("/etc/passwd", 0, 5760)])


EDITS = {
    "future format_version": attribute("format_version", np.int64(4)),
    "format_version -1": attribute("format_version", np.int64(-1)),
    "no format_version": attribute("format_version", None),
    "format of a snapshot": attribute("format", "dns snapshot"),
    "no step": attribute("step", None), "step is text": attribute("step", "six"),
    "step is a list": attribute("step", np.arange(5)),
    "step differs from the name": attribute("step", np.int64(3)),
    "step -5": attribute("step", np.int64(-5)), "step 2^62": attribute("step", np.int64(1 << 62)),
    "step is real": attribute("step", np.float64(6.5)),
    "step NaN": attribute("step", np.float64(NAN)),
    "time NaN": attribute("time", np.float64(NAN)),
    "time infinite": attribute("time", np.float64("inf")),
    "time -1": attribute("time", np.float64(-1)), "no time": attribute("time", None),
    "no case": attribute("case", None), "case of one letter": attribute("case", "x"),
    "case is junk": attribute("case", "scheme: ["), "case is a number": attribute("case", 3),
    "case of another grid": another_grid,
    "no list of fields": attribute("fields", None),
    "empty list of fields": attribute("fields", " "),
    "list of fields is junk": attribute("fields", "::: x:y:z ../.."),
    "field missing": field(lambda file, name: None),
    "field of integers": data(np.zeros((8, 9, 10), "i4")),
    "field of text": data(np.array([b"abc"])), "field of one axis": data(np.zeros(5)),
    "field of four axes": data(np.zeros((2, 2, 2, 2))), "field empty": data(np.zeros((0, 0, 0))),
    "field of no axes": data(np.float64(1)),
    "field of half precision": data(np.zeros((8, 9, 10), "f2")), "field NaN": values_of_nan,
    "two fields swapped": swapped_fields, "a wrong checksum": wrong_checksum,
    "no checksums": without_checksums,
    "shape 2^62": shape(1 << 20, 1 << 21, 1 << 21), "shape 2^64": shape(1 << 22, 1 << 21, 1 << 21),
    "shape 2^61": shape(1 << 21, 1 << 20, 1 << 20), "shape 2^40": shape(1 << 14, 1 << 13, 1 << 13),
    "shape past int": shape(1, 1, 1 << 33),
    "shape past 2^63": shape((1 << 31) - 1, (1 << 31) - 1, 4),
    "a group in place of a field": field(lambda file, name: file.create_group(name)),
    "a link to another file": field(
        lambda file, name: file.__setitem__(name, h5py.ExternalLink("/etc/passwd", "/x"))),
    "a link to itself": field(
        lambda file, name: file.__setitem__(name, h5py.SoftLink("/" + name))),
    "data in another file": field(outside_data),
    "numbers missing": without_numbers,
    "samples -1": attribute("statistics_samples", np.int64(-1)),
    "samples missing": attribute("statistics_samples", None),
}
# What a reader cannot recognise as wrong, an expectation: swapped fields have right checksums.
INVISIBLE = ("two fields swapped",)


def edited(original, path, edit):
    """A changed copy of a checkpoint."""
    shutil.copy(original, path)
    with h5py.File(path, "r+") as file:
        edit(file)
    return path
