"""Files of a source: folders, globs and lists, in the order in which their rows are numbered."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from imbcore._input.table import PARQUET
from imbcore._input.unicode import require_path
from imbcore.exceptions import DataError, ParameterError

__all__ = ["expand", "is_parquet", "natural", "unchanged"]

_TEXT = (".csv", ".tsv", ".txt", ".tab", ".csv.gz", ".tsv.gz", ".txt.gz", ".tab.gz")


def natural(path: str | os.PathLike[str]) -> tuple[Any, ...]:
    """Key by which part-2 comes before part-10."""
    pieces = re.split(r"(\d+)", os.fspath(path))
    numbered = tuple((int(piece), "") if piece.isdecimal() else (-1, piece) for piece in pieces)
    return (*numbered, (0, os.fspath(path)))


def is_parquet(path: Path) -> bool:
    """Whether the name says Parquet; everything else is text."""
    return path.suffix.lower() in PARQUET


def expand(given: Any) -> list[Path]:
    """Name the files behind a path, a folder, a glob, or a list of those.

    Those of a folder (with the folders in it) and of a glob stand in natural order, those of a list as given.

    Raises
    ------
    DataError
        There is no such file, or one is named twice.
    ParameterError
        It is no path, or an address of another machine.
    """
    if isinstance(given, (list, tuple)):
        found = [path for one in given for path in expand(one)]
    else:
        if not isinstance(given, (str, os.PathLike)):
            raise ParameterError(f"a file is named by a path, got {given!r}")
        require_path(given)
        if "://" in os.fspath(given):
            raise ParameterError(
                f"{os.fspath(given)!r} is no path of this machine; open it as a data set: "
                f"pyarrow.dataset.dataset({os.fspath(given)!r})"
            )
        found = _behind(Path(given))
    if not found:
        raise DataError("the list of files is empty; name at least one")
    _no_repeats(found)
    return found


def _behind(path: Path) -> list[Path]:
    if path.is_dir():
        found = [inside for inside in path.rglob("*") if inside.is_file() and _is_data(inside, path)]
        if not found:
            raise DataError(f"{path}: the folder holds no Parquet or CSV file")
    elif path.exists() or os.fspath(path) == "-" or not glob.has_magic(os.fspath(path)):
        return [path]
    else:
        found = [Path(name) for name in glob.glob(os.fspath(path), recursive=True) if os.path.isfile(name)]
        if not found:
            raise DataError(f"no file matches {os.fspath(path)!r}")
    return sorted(found, key=natural)


def _is_data(path: Path, folder: Path) -> bool:
    """Whether a file of a folder is one of its tables: what other programs hide or note there is none."""
    hidden = any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    return not hidden and path.name.lower().endswith((*PARQUET, *_TEXT))


def _no_repeats(paths: Iterable[Path]) -> None:
    seen: set[str] = set()
    for path in paths:
        key = os.path.realpath(path)
        if key in seen:
            raise DataError(f"{path} is named twice; its rows would count twice")
        seen.add(key)


def unchanged(path: Path, was: os.stat_result) -> None:
    """Refuse a file that another program wrote since it was opened first."""
    now = path.stat()
    if (now.st_size, now.st_mtime_ns) != (was.st_size, was.st_mtime_ns):
        raise DataError(f"{path} was changed while it was read; begin again when nobody writes to it")
