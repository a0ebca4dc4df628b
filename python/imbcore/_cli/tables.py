"""Tables as the command line takes them: which column is what, and what a model wants from a new file."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from numpy.typing import NDArray

from imbcore._border.table import read_table
from imbcore._cli.console import nearest, progress
from imbcore._input.columns import MISSING, Nominal
from imbcore._input.table import Table, number_text, write_table
from imbcore.exceptions import DataError

if TYPE_CHECKING:
    from imbcore._model.model import Model

__all__ = [
    "TrainingTable",
    "labels_of",
    "read_features",
    "read_labelled",
    "read_training_table",
    "stdout_writer",
    "write_columns",
]


@dataclass(frozen=True)
class TrainingTable:
    """Features, labels, row weights (``None``: all alike), groups and times of one file."""

    X: Table
    y: NDArray[Any]
    weight: NDArray[np.float64] | None
    groups: NDArray[Any] | None
    time: NDArray[Any] | None


def read_training_table(path: str, options: Mapping[str, Any]) -> TrainingTable:
    """Read a table and take its columns apart.

    Parameters
    ----------
    path
        CSV, CSV.gz or Parquet file.
    options
        ``target`` and ``weight`` (names, the latter or ``None``), ``nominal`` and ``drop`` (lists); where a
        command has them ``groups`` and ``time`` (names or ``None``).

    Returns
    -------
    TrainingTable
        All columns but target, weight, groups, times and dropped ones are features.

    Raises
    ------
    click.UsageError
        There is no such column.
    DataError
        The file is not a table, or a label or weight is missing.
    """
    target, weight, drop = options["target"], options["weight"], list(options["drop"])
    divided = {name: options[name] for name in ("groups", "time") if options.get(name)}
    with progress() as callback:
        table = read_table(path, callback=callback)
        for option, names in (
            ("--target", [target]),
            ("--weight", [weight] if weight else []),
            ("--nominal", options["nominal"]),
            ("--drop", drop),
            *((f"--{option}", [name]) for option, name in divided.items()),
        ):
            for name in names:
                if name not in table.names:
                    raise click.UsageError(
                        f"{option}: {path} has no column {name!r}; {nearest(name, table.names)}"
                    )
        codes = [name for name in options["nominal"] if not isinstance(table[name], Nominal)]
        if codes:
            table = read_table(path, text=codes, callback=callback)
    weights = None
    if weight:
        found = table[weight]
        if isinstance(found, Nominal):
            raise DataError(f"{path}: the weight column {weight!r} holds words, such as {found.levels[0]!r}")
        weights = found
    labels = labels_of(table[target], f"{path}: the target column {target!r}")
    by = {option: _values(table[name]) for option, name in divided.items()}
    others = [target, *([weight] if weight else []), *divided.values(), *drop]
    return TrainingTable(
        table.drop(*dict.fromkeys(others)), labels, weights, by.get("groups"), by.get("time")
    )


def _values(column: Any) -> NDArray[Any]:
    """Values of a column, words as text; None and NaN where there is none."""
    if not isinstance(column, Nominal):
        return np.asarray(column)
    levels = np.array([*(str(level) for level in column.levels), None], dtype=object)
    return levels[np.minimum(column.codes, np.uint32(len(column.levels)))]


def labels_of(column: Any, what: str) -> NDArray[Any]:
    """Labels of a column: words as text, whole numbers as integers.

    Parameters
    ----------
    column
        Column of a table.
    what
        How an error names it.

    Raises
    ------
    DataError
        A label is missing or is a number with a fraction.
    """
    if isinstance(column, Nominal):
        _no_gap(column.codes == MISSING, what)
        return np.array([str(level) for level in column.levels], dtype=object)[column.codes]
    values = np.asarray(column)
    _no_gap(np.isnan(values), what)
    odd = values[values != np.trunc(values)]
    if len(odd):
        raise DataError(f"{what} holds {odd[0]:g}; class labels must be words or whole numbers")
    return values.astype(np.int64)


def _no_gap(gap: NDArray[np.bool_], what: str) -> None:
    if gap.any():
        row = int(np.flatnonzero(gap)[0]) + 1
        raise DataError(
            f"{what} has no label in data row {row} ({int(gap.sum())} such rows); drop or label them"
        )


def read_features(path: str, model: Model) -> Table:
    """Read the features of a model from a table, in the model's order; other columns are ignored.

    Parameters
    ----------
    path
        CSV, CSV.gz or Parquet file.
    model
        Fitted model.

    Returns
    -------
    Table
        Columns of the model. One that held words in training is read as words, though it looks like numbers.

    Raises
    ------
    DataError
        A feature is missing, or holds words where it held numbers (with the line).
    """
    return _read_for(path, model)[0]


def read_labelled(path: str, model: Model, target: str) -> tuple[Table, NDArray[Any]]:
    """Read the features of a model as :func:`read_features` does, and the labels beside them.

    Parameters
    ----------
    path
        CSV, CSV.gz or Parquet file.
    model
        Fitted model.
    target
        Column with the labels.

    Raises
    ------
    click.UsageError
        There is no such column.
    DataError
        As :func:`read_features`; or a label is missing.
    """
    features, labels = _read_for(path, model, target)
    return features, labels_of(labels, f"{path}: the target column {target!r}")


def _read_for(path: str, model: Model, target: str | None = None) -> tuple[Table, Any]:
    """Features of a model, and one more column where it is asked for."""
    with progress() as callback:
        table = read_table(path, callback=callback)
        if target is not None and target not in table.names:
            raise click.UsageError(
                f"--target: {path} has no column {target!r}; {nearest(target, table.names)}"
            )
        labels = None if target is None else table[target]
        names = _feature_columns(table, model, path, target)
        kinds = {
            name: feature.levels is not None and any(isinstance(level, str) for level in feature.levels)
            for name, feature in zip(names, model._schema.features, strict=True)
        }
        text = [name for name in names if kinds[name] and not isinstance(table[name], Nominal)]
        numeric = [
            name
            for name, feature in zip(names, model._schema.features, strict=True)
            if feature.levels is None and isinstance(table[name], Nominal)
        ]
        if text or numeric:
            # Reading again costs time in rare cases only, and gives the line of a word among numbers.
            table = read_table(path, text=text, numeric=numeric, callback=callback)
    return Table({name: table[name] for name in names}), labels


def _feature_columns(table: Table, model: Model, path: str, target: str | None) -> list[str]:
    if not hasattr(model, "feature_names_in_"):
        names = [name for name in table.names if name != target]
        if len(names) != model.n_features_in_:
            beside = "" if target is None else f" beside {target!r}"
            raise DataError(
                f"{path}: the model was fitted without column names and takes exactly {model.n_features_in_} "
                f"columns; the file has {len(names)}{beside}"
            )
        return names
    missing = [name for name in model.feature_names if name not in table.names]
    if missing:
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        shown = ", ".join(map(repr, missing[:5]))
        raise DataError(
            f"{path}: no column {shown}{more}, which the model needs; {nearest(missing[0], table.names)}"
        )
    return model.feature_names


def write_columns(path: str, columns: Mapping[str, Any]) -> None:
    """Write columns to a table file, or as CSV to standard output when ``path`` is ``-``."""
    if path != "-":
        write_table(path, columns)
        return
    with stdout_writer() as put:
        put(columns)


@contextmanager
def stdout_writer() -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Give what writes columns to standard output as CSV, piece by piece."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    headed = False

    def put(columns: Mapping[str, Any]) -> None:
        nonlocal headed
        if not headed:
            writer.writerow(columns)
            headed = True
        for row in zip(*map(_cells, columns.values()), strict=True):
            writer.writerow(row)

    yield put


def _cells(column: Any) -> list[Any]:
    if isinstance(column, Nominal):
        return ["" if code == MISSING else column.levels[code] for code in column.codes.tolist()]
    values = np.asarray(column).tolist()
    return [("" if v != v else number_text(v)) if isinstance(v, float) else v for v in values]
