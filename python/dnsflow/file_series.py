"""Files of one kind at several times."""
from collections.abc import Sequence

import numpy as np

from dnsflow.array_file import ArrayFile
from dnsflow.errors import MissingPointError, RunFileError
from dnsflow.joined_arrays import JoinedArrays
from dnsflow.shown import Shown

NUMBER = (np.integer, np.floating)


class FileSeries(Shown, Sequence):
    """Files of one kind, the oldest first: series[-1] is the newest.

    Each is opened when it is asked for, as an ArrayFile: a loop over them holds one at a time.
    """

    def __init__(self, folder, paths, file_format):
        """folder: for messages; paths: of the files in order of time."""
        self.folder = folder
        self.paths = list(paths)
        self.file_format = file_format

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, which):
        if isinstance(which, slice):
            return FileSeries(self.folder, self.paths[which], self.file_format)
        if not -len(self) <= which < len(self):
            raise MissingPointError(f"{self.folder} holds {len(self)} {self.file_format} files, "
                                    f"counted from 0, and no number {which}")
        return ArrayFile(self.paths[which], self.file_format)

    def _title(self):
        return f"{len(self)} {self.file_format} files of {self.folder}"

    def _rows(self):
        return [(path.name,) for path in self.paths]

    def joined(self):
        """All of them as arrays over time: joined()["velocity"] is (times, nz, ny, nx, 3).

        JoinedArrays with what every file holds, and with numbers that are attributes of each, such
        as step, as lists over time. `time` is that of a snapshot, and the middle between first_time
        and last_time of averages. Raises RunFileError where there is no file, or one that cannot be
        read.
        """
        files = list(self)
        if not files:
            raise RunFileError(f"{self.folder}: holds no {self.file_format}")
        lists = {name: np.array([file.attributes[name] for file in files])
                 for name in files[-1].attributes
                 if name != "format_version"
                 and all(isinstance(file.attributes.get(name), NUMBER) for file in files)}
        if "first_time" in lists and "last_time" in lists:
            lists["time"] = (lists["first_time"] + lists["last_time"]) / 2
        lists.setdefault("time", np.array([file.time for file in files]))
        common = [name for name in files[-1] if all(name in file for file in files)]
        like = ArrayFile(self.paths[-1], self.file_format, common)
        return JoinedArrays(self.folder, like.attributes, files, like, None, lists)

    def to_xarray(self):
        """All of them as an xarray.Dataset with the dimension time, see joined()."""
        return self.joined().to_xarray()
