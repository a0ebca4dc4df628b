"""The file of a run: what the run is of, then a record a line, each written as it comes."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Self

from imbcore._input.files import name_errors
from imbcore._input.json_text import read_json
from imbcore.exceptions import DataError, ParameterError
from imbcore.protocols._answers import NOTHING
from imbcore.protocols._task import TIMES, Key, Record, key_of

_FORMAT = 1
# The first bytes of a line that describes the run; all other lines are records.
_HEADER = b'{"run": '


def recorded_tables(folder: Path) -> set[str]:
    """Return the names of all tables in the record files of a folder."""
    names: set[str] = set()
    for path in folder.glob("records*.jsonl"):
        with path.open("rb") as lines:
            for line in lines:
                if line.startswith(_HEADER) and line.endswith(b"\n"):
                    names |= set(json.loads(line)["run"]["tables"])
    return names


# Every record has them.
_FIELDS = frozenset((*NOTHING, *TIMES, "warnings", "failure"))


class RecordFile:
    """Records of one run, on disk; a line that was cut when its process was killed is cut away.

    Parameters
    ----------
    path : path-like
        File of lines of JSON; made where it is not there, with its folder.
    run : mapping
        What the run is of: ``procedure``, ``seed``, ``curves``, and by name ``tables`` and ``learners`` as
        text that tells them apart. Tables and learners may be added in a later run, and others be left out.

    Raises
    ------
    ParameterError
        The file belongs to another run; the message says in what it differs.
    DataError
        The file holds something else.
    """

    def __init__(self, path: str | os.PathLike[str], run: Mapping[str, Any]) -> None:
        self._path = Path(path)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self.records: dict[Key, Record] = {}
        """Records that the file held, by their key."""
        # Without a buffer: closing the file after a full disk must not fail once more.
        self._file = open(self._path, "a+b", buffering=0)  # noqa: SIM115  # closed by __exit__
        try:
            self._read(run)
        except BaseException:
            self._file.close()
            raise

    def _read(self, run: Mapping[str, Any]) -> None:
        _lock(self._file, self._path)
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
                    # Both are read as mappings of text below.
                    _texts(known["tables"])
                    _texts(known["learners"])
                else:
                    if missing := sorted(_FIELDS - found.keys()):
                        raise KeyError(*missing)
                    self.records[key_of(found)] = found
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise DataError(
                    f"{self._path}: line {number} is no record of a run ({type(error).__name__}: {error}); "
                    "name another file"
                ) from error
        if known:
            _check(known, run, self._path)
        now = {
            **run,
            "format": _FORMAT,
            **{of: {**known.get(of, {}), **run[of]} for of in ("tables", "learners")},
        }
        if now != known:
            self._write({"run": now})

    def add(self, record: Record) -> None:
        """Write a record; it is there from then on, even where this process is killed."""
        self._write(record)

    def _write(self, entry: Mapping[str, Any]) -> None:
        left = memoryview(json.dumps(entry, ensure_ascii=False).encode() + b"\n")
        with name_errors(os.fspath(self._path)):
            while left:
                # The last bytes of a full disk take a part of the line, and the next write fails.
                left = left[self._file.write(left) :]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._file.close()


def _texts(found: Any) -> None:
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise TypeError("tables and learners must be objects of text")


def _check(known: Mapping[str, Any], run: Mapping[str, Any], path: Path) -> None:
    """Refuse a file that says it is of something else than this run."""
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


def _lock(file: IO[bytes], path: Path) -> None:
    """Keep a second run from writing the same file."""
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
