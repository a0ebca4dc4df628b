"""Files of a source: folders, globs and lists, in the order of their row numbers."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from imbcore._validation.table import PARQUET
from imbcore._validation.unicode import reject_unsupported_path
from imbcore._validation.value_text import value_text
from imbcore.exceptions import DataError, ParameterError

_TEXT = (".csv", ".tsv", ".txt", ".tab", ".csv.gz", ".tsv.gz", ".txt.gz", ".tab.gz")


def natural_sort_key(path: str | os.PathLike[str]) -> tuple[Any, ...]:
    """Sort key by which part-2 comes before part-10."""
    parts = re.split(r"(\d+)", os.fspath(path))
    numbered = tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)
    return (*numbered, (0, os.fspath(path)))


def is_parquet(path: Path) -> bool:
    """Whether the extension is that of Parquet; all other files are text."""
    return path.suffix.lower() in PARQUET


def expand_paths(given: Any) -> list[Path]:
    """List the files of a path, a folder, a glob, or a list of these.

    Files of a folder (with its subfolders) and of a glob are in natural order, files of a list as given.

    Raises
    ------
    DataError
        A file does not exist, or is listed twice.
    ParameterError
        It is not a path, or is the address of a remote file.
    """
    if isinstance(given, (list, tuple)):
        found = [path for one in given for path in expand_paths(one)]
    else:
        if not isinstance(given, (str, os.PathLike)):
            raise ParameterError(f"a file must be given as a path, got {value_text(given)}")
        reject_unsupported_path(given)
        if "://" in os.fspath(given):
            raise ParameterError(
                f"{os.fspath(given)!r} is not a local path; open it as a data set: "
                f"pyarrow.dataset.dataset({os.fspath(given)!r})"
            )
        found = _find_files(Path(given))
    if not found:
        raise DataError("the list of files is empty; name at least one")
    _refuse_repeated_files(found)
    return found


def _find_files(path: Path) -> list[Path]:
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
    return sorted(found, key=natural_sort_key)


def _is_data(path: Path, folder: Path) -> bool:
    """Whether a file is a table; hidden files and metadata of other programs are not."""
    hidden = any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    return not hidden and path.name.lower().endswith((*PARQUET, *_TEXT))


def _refuse_repeated_files(paths: Iterable[Path]) -> None:
    seen: set[str] = set()
    for path in paths:
        key = os.path.realpath(path)
        if key in seen:
            raise DataError(f"{path} is listed twice; its rows would count twice")
        seen.add(key)


def refuse_changed_file(path: Path, before: os.stat_result) -> None:
    """Refuse a file that was changed after it was first opened."""
    now = path.stat()
    if (now.st_size, now.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
        raise DataError(
            f"{path} was changed while it was read; read it again when no other program writes to it"
        )
