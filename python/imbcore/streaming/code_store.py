"""Storage for the bin codes of rows: a temporary file mapped into memory, or arrays."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore.streaming.rows import StateWithSize

# Errors of file systems that cannot reserve space.
_CANNOT_RESERVE = (errno.EINVAL, errno.EOPNOTSUPP, errno.ENOSYS)


class BinCodeFile:
    """Codes of rows on disk: ``width`` bytes a row, and four for each nominal column.

    The file is deleted from its folder as soon as it is open, or, on Windows, when the process ends. So no
    file is left after an error, Ctrl-C or the end of the process.

    Raises
    ------
    OSError
        The folder for temporary files has too little space; the message names the bytes needed and the
        remedy.
    """

    def __init__(self, n_rows: int, width: int, n_nominal: int) -> None:
        self._shape = (n_rows, width)
        self._n_nominal = n_nominal
        # Aligned, as the level codes are 32-bit integers.
        self._start = -(-n_rows * width // 4) * 4
        self.n_bytes = self._start + 4 * n_rows * n_nominal
        self._folder = tempfile.gettempdir()
        self._file = tempfile.TemporaryFile(prefix="imbcore-", dir=self._folder)  # noqa: SIM115
        try:
            self._reserve()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> BinCodeFile:
        """Return the file, which is closed when the context ends."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file, and so delete it."""
        self._file.close()

    def _reserve(self) -> None:
        # Reserved now, so that a full disk is found before the rows are read; writing to a map would end the
        # process.
        if not hasattr(os, "posix_fallocate") or not self.n_bytes:
            return
        try:
            os.posix_fallocate(self._file.fileno(), 0, self.n_bytes)
        except OSError as error:
            if error.errno not in _CANNOT_RESERVE:
                raise self._disk_full_error(error) from error

    def _disk_full_error(self, error: OSError) -> OSError:
        why = os.strerror(error.errno) if error.errno else str(error)
        return OSError(
            error.errno,
            f"{why}: {self.n_bytes:,} bytes are needed for the codes of the rows (a byte a value) in the "
            "folder for temporary files; make room, or set the environment variable TMPDIR to another folder",
            self._folder,
        )

    def write(self, first: int, codes: NDArray[np.uint8], levels: Sequence[NDArray[np.uint32]]) -> None:
        """Write bin codes and level codes of rows, from number ``first`` on."""
        n_rows, width = self._shape
        try:
            self._put(first * width, codes)
            for at, column in enumerate(levels):
                self._put(self._start + 4 * (at * n_rows + first), column)
        except OSError as error:
            raise self._disk_full_error(error) from error

    def _put(self, place: int, array: NDArray[Any]) -> None:
        self._file.seek(place)
        self._file.write(np.ascontiguousarray(array).data)

    def read(self) -> tuple[NDArray[np.uint8], list[NDArray[np.uint32]]]:
        """Map the codes of all rows into memory."""
        try:
            self._file.flush()
        except OSError as error:
            raise self._disk_full_error(error) from error
        n_rows, _ = self._shape
        nominal = self._map_array(np.dtype(np.uint32), self._start, (self._n_nominal, n_rows))
        return self._map_array(np.dtype(np.uint8), 0, self._shape), list(nominal)

    def _map_array(self, dtype: np.dtype[Any], offset: int, shape: tuple[int, int]) -> NDArray[Any]:
        if 0 in shape:
            return np.empty(shape, dtype)
        return np.memmap(self._file, dtype, "r", offset, shape)


class BinCodeArrays(StateWithSize):
    """Codes of rows in memory, for a cluster; its workers exchange them."""

    def __init__(self, _n_rows: int, width: int, n_nominal: int) -> None:
        self._codes = [np.empty((0, width), np.uint8)]
        self._levels: list[list[NDArray[np.uint32]]] = [[np.empty(0, np.uint32)] for _ in range(n_nominal)]

    def write(self, _first: int, codes: NDArray[np.uint8], levels: Sequence[NDArray[np.uint32]]) -> None:
        """Append the codes of the next rows."""
        # One array needs no copy when it is read.
        self._codes = [*self._codes, codes] if len(self._codes[0]) else [codes]
        self._levels = [
            [*parts, array] if len(parts[0]) else [array]
            for parts, array in zip(self._levels, levels, strict=True)
        ]

    def read(self) -> tuple[NDArray[np.uint8], list[NDArray[np.uint32]]]:
        """Return the codes of all rows."""
        return _concatenate_arrays(self._codes), [_concatenate_arrays(parts) for parts in self._levels]

    @classmethod
    def concatenate(
        cls, parts: Sequence[tuple[NDArray[np.uint8], list[NDArray[np.uint32]]]]
    ) -> BinCodeArrays:
        """Store the codes of consecutive ranges."""
        codes = np.concatenate([codes for codes, _ in parts])
        levels = [np.concatenate(columns) for columns in zip(*(levels for _, levels in parts), strict=True)]
        store = cls(0, codes.shape[1], len(levels))
        store.write(0, codes, levels)
        return store


def _concatenate_arrays(parts: list[NDArray[Any]]) -> NDArray[Any]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
