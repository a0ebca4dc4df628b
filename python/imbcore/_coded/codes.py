"""Codes of the rows of a table, in a file that is mapped into memory and does not outlive the process."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["CodeFile"]

# A file system may know no way to set room aside.
_NO_WAY = (errno.EINVAL, errno.EOPNOTSUPP, errno.ENOSYS)


class CodeFile:
    """Room on disk for the codes of all rows: ``width`` bytes a row, and four for each nominal column.

    The file is taken from its folder as soon as it is open (or by the system when the process ends, where
    that is how it is done), so that nothing is left of it after an error, Ctrl-C or the end of the process.

    Raises
    ------
    OSError
        The folder for temporary files has no room; the message says how much is needed, and what to do.
    """

    def __init__(self, n_rows: int, width: int, n_nominal: int) -> None:
        self._shape = (n_rows, width)
        self._n_nominal = n_nominal
        # Codes of levels begin at a multiple of their size.
        self._start = -(-n_rows * width // 4) * 4
        self.n_bytes = self._start + 4 * n_rows * n_nominal
        self._folder = tempfile.gettempdir()
        self._file = tempfile.TemporaryFile(prefix="imbcore-", dir=self._folder)  # noqa: SIM115
        try:
            self._set_aside()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> CodeFile:
        """Return the file, which is closed when the context ends."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file, and so delete it."""
        self._file.close()

    def _set_aside(self) -> None:
        # At once, so that a full disk is found before the rows are read; a mapped file would end the process.
        if not hasattr(os, "posix_fallocate") or not self.n_bytes:
            return
        try:
            os.posix_fallocate(self._file.fileno(), 0, self.n_bytes)
        except OSError as error:
            if error.errno not in _NO_WAY:
                raise self._full(error) from error

    def _full(self, error: OSError) -> OSError:
        why = os.strerror(error.errno) if error.errno else str(error)
        return OSError(
            error.errno,
            f"{why}: {self.n_bytes:,} bytes are needed for the codes of the rows (a byte a value) in the "
            "folder for temporary files; make room, or set the environment variable TMPDIR to another folder",
            self._folder,
        )

    def write(self, first: int, codes: NDArray[np.uint8], levels: Sequence[NDArray[np.uint32]]) -> None:
        """Write the codes of the rows from number ``first`` on, and those of the nominal columns."""
        n_rows, width = self._shape
        try:
            self._put(first * width, codes)
            for at, column in enumerate(levels):
                self._put(self._start + 4 * (at * n_rows + first), column)
        except OSError as error:
            raise self._full(error) from error

    def _put(self, place: int, array: NDArray[Any]) -> None:
        self._file.seek(place)
        self._file.write(np.ascontiguousarray(array).data)

    def read(self) -> tuple[NDArray[np.uint8], list[NDArray[np.uint32]]]:
        """Map the codes of all rows into memory."""
        try:
            self._file.flush()
        except OSError as error:
            raise self._full(error) from error
        n_rows, _ = self._shape
        nominal = self._map(np.dtype(np.uint32), self._start, (self._n_nominal, n_rows))
        return self._map(np.dtype(np.uint8), 0, self._shape), list(nominal)

    def _map(self, dtype: np.dtype[Any], offset: int, shape: tuple[int, int]) -> NDArray[Any]:
        if 0 in shape:
            return np.empty(shape, dtype)
        return np.memmap(self._file, dtype, "r", offset, shape)
