"""CSV files as a source: one pass counts the rows and tells numbers from text."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from imbcore._input.table import MISSING_WORDS
from imbcore._sources.ahead import ahead
from imbcore._sources.arrow import pyarrow
from imbcore._sources.files import unchanged
from imbcore._sources.segments import Backing, Segment
from imbcore.exceptions import DataError

__all__ = ["open_text"]

# Whole numbers that float64 holds exactly, too.
_WHOLE = r"^[+-]?[0-9]{1,15}$"
# Bytes that are parsed at a time.
_BLOCK = 1 << 22

Tell = Callable[[str, int, int], object]


def open_text(paths: Sequence[Path], columns: Sequence[str] | None, tell: Tell) -> Backing:
    """Count the rows of text files, plain or gzip, and find which columns are numbers: one pass over all.

    A column is of numbers when every field that is not missing is a number in every file.

    Raises
    ------
    DataError
        A file is no table, or lacks a column of the first.
    """
    pa = pyarrow(f"{paths[0]}")
    stats = [path.stat() for path in paths]
    total, done = sum(stat.st_size for stat in stats), 0
    # Of every column the first of the three types that holds all its words so far.
    order = (pa.int64(), pa.float64(), pa.string())
    held: dict[str, int] = {}
    lengths = []
    for path, stat in zip(paths, stats, strict=True):
        names = _header(path)[0]
        held = held or dict.fromkeys(names, 0)
        _same_columns(paths[0], path, list(held), names, columns)
        wanted = [name for name in held if columns is None or name in columns]
        rows = blocks = 0
        for batch in ahead(partial(_batches, path, stat, wanted or names[:1])):
            rows, blocks = rows + batch.num_rows, blocks + 1
            for name in batch.schema.names:
                while _spelt(batch[name], order[held[name]]) is None:
                    held[name] += 1
            tell("bytes", done + min(_BLOCK * blocks, stat.st_size), total)
        lengths.append(rows)
        done += stat.st_size
    types = {name: order[at] for name, at in held.items()}
    segments = [
        Segment(os.fspath(path), rows, partial(_read, path, stat, rows, types))
        for path, stat, rows in zip(paths, stats, lengths, strict=True)
        if rows
    ]
    state = ";".join(
        f"{path.resolve()} {s.st_size} {s.st_mtime_ns}" for path, s in zip(paths, stats, strict=True)
    )
    what = f"{paths[0]}" if len(paths) == 1 else f"{len(paths)} text files, {paths[0]} and others,"
    return Backing(what, types, segments, [os.fspath(path) for path in paths], total, state)


def _header(path: Path) -> tuple[list[str], str, int]:
    """Names of the columns, the delimiter that `read_table` takes too, and the first row's line."""
    pa = pyarrow(f"{path}")
    with _opened(path) as file:
        try:
            lines = file.read(1 << 20).decode("utf-8-sig", errors="replace").splitlines()
        except (pa.ArrowException, OSError) as error:
            raise DataError(f"{path}: the file cannot be unpacked ({error})") from error
    blank = next((at for at, line in enumerate(lines) if line), len(lines))
    line = lines[blank : blank + 1]
    if not line:
        raise DataError(f"{path}: the file is empty")
    bare = re.sub(r'"[^"]*"', "", line[0])
    delimiter = max(",;\t", key=bare.count)
    import csv

    names = [name.strip() for name in next(csv.reader(line, delimiter=delimiter))]
    for at, name in enumerate(names):
        if not name:
            raise DataError(f"{path}: column {at + 1} of the header has no name; give it one")
        if names.count(name) > 1:
            raise DataError(f"{path}: two columns are called {name!r}; rename one")
    return names, delimiter, blank + 1


def _opened(path: Path) -> Any:
    packed = path.suffix.lower() == ".gz"
    return pyarrow(f"{path}").input_stream(os.fspath(path), compression="gzip" if packed else None)


def _same_columns(
    first: Path, path: Path, expected: list[str], names: list[str], columns: Sequence[str] | None
) -> None:
    for name in expected:
        if name not in names and (columns is None or name in columns):
            raise DataError(
                f"{path} has no column {name!r}, which {first} has; write it again with that column"
            )
    more = [name for name in names if name not in expected]
    if more and columns is None:
        raise DataError(
            f"{path} has a column {more[0]!r}, which {first} lacks; name those to read in `columns`"
        )


def _batches(path: Path, stat: os.stat_result, columns: Sequence[str]) -> Iterator[Any]:
    """Batches of trimmed words, null where one stands for a missing value."""
    pa = pyarrow(f"{path}")
    from pyarrow import compute, csv

    names, delimiter, first = _header(path)
    unchanged(path, stat)
    gaps = pa.array(list(MISSING_WORDS), pa.string())
    try:
        with (
            _opened(path) as file,
            csv.open_csv(
                file,
                csv.ReadOptions(block_size=_BLOCK, column_names=names, skip_rows=first),
                csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
                csv.ConvertOptions(
                    column_types=dict.fromkeys(names, pa.string()),
                    include_columns=list(columns),
                    strings_can_be_null=False,
                ),
            ) as reader,
        ):
            for batch in reader:
                trimmed = [compute.ascii_trim_whitespace(column) for column in batch.columns]
                kept = [compute.if_else(compute.is_in(one, gaps), None, one) for one in trimmed]
                yield pa.RecordBatch.from_arrays(kept, names=list(columns))
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise DataError(f"{path}: not a readable text table ({str(error).splitlines()[0][:200]})") from error


def _spelt(words: Any, type_: Any) -> Any | None:
    """Read words as values of a type; None where one spells none."""
    pa = pyarrow("text")
    from pyarrow import compute

    if pa.types.is_string(type_):
        return words
    if words.null_count == len(words):
        return words.cast(type_)
    if pa.types.is_integer(type_) and not compute.all(compute.match_substring_regex(words, _WHOLE)).as_py():
        return None
    # A leading plus is fine, as it is elsewhere here; Arrow would refuse it.
    words = compute.replace_substring_regex(words, r"^\+([0-9.iI])", r"\1")
    try:
        numbers = words.cast(type_)
    except pa.ArrowException:
        return None
    # "nan" in a spelling that is not a missing word spells no number.
    odd = pa.types.is_floating(type_) and compute.any(compute.is_nan(numbers)).as_py()
    return None if odd else numbers


def _read(
    path: Path,
    stat: os.stat_result,
    expected: int,
    types: dict[str, Any],
    columns: Sequence[str],
    batch_rows: int,
) -> Iterator[Any]:
    """Read a file again, its columns in the types that all files have."""
    pa = pyarrow(f"{path}")
    found = 0
    for batch in _batches(path, stat, columns):
        found += batch.num_rows
        settled = [_spelt(words, types[name]) for name, words in zip(columns, batch.columns, strict=True)]
        if any(column is None for column in settled):
            raise DataError(f"{path} was changed while it was read; begin again when nobody writes to it")
        yield pa.RecordBatch.from_arrays(settled, names=list(columns))
    if found != expected:
        raise DataError(f"{path} has {found} rows now and had {expected} at first")
