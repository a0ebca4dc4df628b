"""File of a run: a header, then one record per line, each written immediately."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Self

from imbcore._validation.files import name_file_in_errors
from imbcore._validation.json_text import read_json
from imbcore.evaluation._records import FIELDS, Key, Record, record_key
from imbcore.exceptions import DataError, ParameterError

_FORMAT = 1
# First bytes of a header line; all other lines are records.
_HEADER = b'{"run": '


def recorded_table_names(folder: Path) -> set[str]:
    """Return the names of all tables in the record files of a folder."""
    names: set[str] = set()
    for path in folder.glob("records*.jsonl"):
        with path.open("rb") as lines:
            for line in lines:
                if line.startswith(_HEADER) and line.endswith(b"\n"):
                    names |= set(json.loads(line)["run"]["tables"])
    return names


class RecordFile:
    """Records of one run on disk; an incomplete last line of a killed process is removed.

    Parameters
    ----------
    path : path-like
        JSON lines file, created with its folder if needed.
    run : mapping
        Description of the run: ``procedure``, ``seed``, ``curves``, and by name ``tables`` and ``learners``
        as identifying text. Later runs may add tables and learners, and leave out others.

    Raises
    ------
    ParameterError
        The file belongs to another run; the message gives the difference.
    DataError
        The file has other content.
    """

    def __init__(self, path: str | os.PathLike[str], run: Mapping[str, Any]) -> None:
        self._path = Path(path)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self.records: dict[Key, Record] = {}
        """Records from the file, by their key."""
        # Unbuffered, so that closing the file after a full disk cannot fail again.
        self._file = open(self._path, "a+b", buffering=0)  # noqa: SIM115  # closed by __exit__
        try:
            self._read(run)
        except BaseException:
            self._file.close()
            raise

    def _read(self, run: Mapping[str, Any]) -> None:
        _lock_file(self._file, self._path)
        self._file.seek(0)
        text = self._file.read()
        whole = text.rfind(b"\n") + 1
        if whole < len(text):
            self._file.truncate(whole)
        known: dict[str, Any] = {}
        for number, line in enumerate(text[:whole].splitlines(), 1):
            try:
                found = read_json(line)
                if number == 1 or "run" in found:
                    known = dict(found["run"])
                    # Both are used as mappings of text below.
                    _require_text_values(known["tables"])
                    _require_text_values(known["learners"])
                else:
                    if missing := sorted(FIELDS - found.keys()):
                        raise KeyError(*missing)
                    self.records[record_key(found)] = found
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise DataError(
                    f"{self._path}: line {number} is not a record of a run ({type(error).__name__}: "
                    f"{error}); name another file"
                ) from error
        if known:
            _reject_other_run(known, run, self._path)
        now = {
            **run,
            "format": _FORMAT,
            **{of: {**known.get(of, {}), **run[of]} for of in ("tables", "learners")},
        }
        if now != known:
            self._write({"run": now})

    def add(self, record: Record) -> None:
        """Write a record immediately, so that it survives a kill of this process."""
        self._write(record)

    def _write(self, entry: Mapping[str, Any]) -> None:
        left = memoryview(json.dumps(entry, ensure_ascii=False).encode() + b"\n")
        with name_file_in_errors(os.fspath(self._path)):
            while left:
                # On a full disk a write may be partial; the next one then fails.
                left = left[self._file.write(left) :]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._file.close()


def _require_text_values(found: Any) -> None:
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise TypeError("tables and learners must be objects of text")


def _reject_other_run(known: Mapping[str, Any], run: Mapping[str, Any], path: Path) -> None:
    for name in ("procedure", "seed", "curves"):
        if known.get(name, False) != run[name]:
            raise ParameterError(
                f"{path} belongs to a run with {name} {known.get(name, False)}, not {run[name]}; name "
                "another file, or remove this one"
            )
    for what, kind in (("tables", "table"), ("learners", "method")):
        for name, text in run[what].items():
            if known[what].get(name, text) != text:
                why = "other rows or folds" if kind == "table" else f"other settings: {known[what][name]}"
                raise ParameterError(
                    f"{path} belongs to a run in which the {kind} {name!r} has {why}; name another file, or "
                    f"give this {kind} another name"
                )


def _lock_file(file: IO[bytes], path: Path) -> None:
    """Prevent a second run from writing the same file."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise ParameterError(
            f"{path} is being written by another run; wait for it, or name another file"
        ) from error
