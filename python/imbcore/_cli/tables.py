"""Tables of commands: roles of columns in training, features of a model in new files."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from numpy.typing import NDArray

from imbcore._bindings.table import Role, open_text, read_columns
from imbcore._cli.console import Progress, closest_names_hint, progress_bar_callback
from imbcore._cli.reading import text_format_from_options
from imbcore._model.sourced import roles_of_features
from imbcore._validation.alert_budget import alert_budget_groups
from imbcore._validation.columns import MISSING, Column, Nominal, column_from_array, numbers_as_levels
from imbcore._validation.table import PARQUET, Table, column_values, number_text, write_table
from imbcore._validation.text_format import TextFormat
from imbcore.exceptions import DataError
from imbcore.streaming.readers.open import check_roles

if TYPE_CHECKING:
    from imbcore._model.model import Model


DEPENDENCE = ("groups", "time", "label_time")
"""Options that name columns of groups and times."""
NONE: Mapping[str, Any] = {}


@dataclass(frozen=True)
class TrainingTable:
    """Features, labels, row weights, and columns of groups and times of one file."""

    X: Table
    y: NDArray[Any]
    # None for equal weights.
    weight: NDArray[np.float64] | None
    # Values of the columns that the options ``groups``, ``time`` and ``label_time`` name.
    dependence: dict[str, NDArray[Any]]
    # Numbers of the rows in the file, counted from 0; None for all rows.
    rows: NDArray[np.int64] | None


@dataclass(frozen=True)
class _FileColumns:
    """Columns of one file: features, labels, and additional columns as arrays."""

    features: dict[str, Column]
    labels: NDArray[Any] | None
    additional: dict[str, NDArray[Any]]
    # Numbers of the rows if some are left out.
    rows: NDArray[np.int64] | None = None


def read_training_table(path: str, options: Mapping[str, Any]) -> TrainingTable:
    """Read a table and split its columns by role.

    Parameters
    ----------
    path
        CSV, CSV.gz or Parquet file; "-" is CSV from standard input.
    options
        ``target`` and ``weight`` (column names; ``weight`` may be ``None``), ``nominal`` and ``drop``
        (lists); ``groups``, ``time`` and ``label_time`` (names or ``None``) and ``drop_unlabeled`` if the
        command has them; and the reading options.

    Returns
    -------
    TrainingTable
        All columns except target, weight, groups, times and dropped ones are features.

    Raises
    ------
    click.UsageError
        A column does not exist.
    DataError
        The file is not a table, or a label or weight is missing.
    """
    target, weight = options["target"], options["weight"]
    divided = {name: options[name] for name in DEPENDENCE if options.get(name)}
    # The column that an alert budget counts by is no feature, but the fit or the scores need it.
    counted = {
        f"--{option} by": [by]
        for option in ("threshold", "alerts")
        if isinstance(by := alert_budget_groups(options.get(option)), str) and by not in divided.values()
    }
    named = {
        "--target": [target],
        "--weight": [weight] if weight else [],
        "--nominal": options["nominal"],
        "--drop": options["drop"],
        "--dates": options.get("dates", ()),
        **{f"--{option.replace('_', '-')}": [name] for option, name in divided.items()},
        **counted,
    }
    check_roles(target, weight, None, list(divided.values()))
    text_format = text_format_from_options(options)
    with progress_bar_callback() as callback:
        opened = _open_table_file(path, text_format, callback)
        opened.drop_unlabeled = options.get("drop_unlabeled")
        for option, names in named.items():
            for name in names:
                opened.require_column(option, name)
        # A column that is dropped or has another role is not a feature.
        roles: dict[str, Role] = dict.fromkeys(options["nominal"], "key")
        roles |= dict.fromkeys(options["drop"], "skip")
        roles |= dict.fromkeys([*divided.values(), *chain(*counted.values())], "key")
        roles |= {**({weight: "number"} if weight else {}), target: "label"}
        found = opened.read(roles, "feature", target, [*divided.values(), *([weight] if weight else [])])
    labels = found.labels
    assert labels is not None
    features = {
        name: numbers_as_levels(column, name)
        if name in options["nominal"] and not isinstance(column, Nominal)
        else column
        for name, column in found.features.items()
    }
    by = alert_budget_groups(options.get("threshold"))
    if by in divided.values():
        # A fit removes the column from the features, and the model stores its name.
        features[by] = column_from_array(found.additional[by], by)
    return TrainingTable(
        Table(features),
        labels,
        found.additional[weight].astype(np.float64) if weight else None,
        {option: found.additional[name] for option, name in divided.items()},
        found.rows,
    )


def read_features(path: str, model: Model, text_format: TextFormat) -> Table:
    """Read the features of a model from a table, in its order; other columns are ignored.

    Parameters
    ----------
    path
        CSV, CSV.gz or Parquet file; "-" is CSV from standard input.
    model
        Fitted model.
    text_format
        Format of the file.

    Returns
    -------
    Table
        Columns of the model. A column that was text in training is read as text, even if it looks numeric.

    Raises
    ------
    DataError
        A feature is missing, or contains text in a numeric column (the message gives the line).
    """
    return read_features_and_kept_columns(path, model, text_format, [])[0]


def read_features_and_kept_columns(
    path: str, model: Model, text_format: TextFormat, keep: Sequence[str]
) -> tuple[Table, dict[str, NDArray[Any]]]:
    """Read the features of a model like :func:`read_features`, and other columns verbatim."""
    found = _read_model_columns(path, model, text_format, keep=keep)
    return Table(found.features), found.additional


def read_labelled(
    path: str,
    model: Model,
    target: str | None,
    text_format: TextFormat,
    related: Mapping[str, str | None] = NONE,
) -> tuple[Table, Any, dict[str, NDArray[Any]]]:
    """Read the features of a model like :func:`read_features`, the labels, and other columns.

    Parameters
    ----------
    path
        CSV, CSV.gz or Parquet file; "-" is CSV from standard input.
    model
        Fitted model.
    target
        Column with the labels; None without labels.
    text_format
        Format of the file.
    related
        Names of further columns, such as groups and times, by option; None for an option without column.

    Returns
    -------
    tuple
        Features, labels (None without ``target``), and the values of the further columns by option.

    Raises
    ------
    click.UsageError
        A column does not exist.
    DataError
        As for :func:`read_features`; or a label is missing.
    """
    given = {option: name for option, name in related.items() if name is not None}
    found = _read_model_columns(path, model, text_format, target, related=given)
    values = {option: found.additional[name] for option, name in given.items()}
    return Table(found.features), found.labels, values


def _read_model_columns(
    path: str,
    model: Model,
    text_format: TextFormat,
    target: str | None = None,
    keep: Sequence[str] = (),
    related: Mapping[str, str] = NONE,
) -> _FileColumns:
    with progress_bar_callback() as callback:
        opened = _open_table_file(path, text_format, callback)
        if target is not None:
            opened.require_column("--target", target)
        for name in keep:
            opened.require_column("--keep", name)
        for option, name in related.items():
            opened.require_column(option, name)
        names = _find_feature_columns(opened.names, model, path, target, [*related.values()])
        roles: dict[str, Role] = dict.fromkeys(keep, "text")
        roles |= dict.fromkeys(related.values(), "key")
        roles |= roles_of_features(names, model)
        if target is not None:
            roles[target] = "label"
        return opened.read(roles, "skip", target, [*keep, *related.values()], names)


def _find_feature_columns(
    names: list[str], model: Model, path: str, target: str | None, others: Sequence[str]
) -> list[str]:
    if not hasattr(model, "feature_names_in_"):
        found = [name for name in names if name != target and name not in others]
        if len(found) != model.n_features_in_:
            additional = "" if target is None else f" in addition to {target!r}"
            raise DataError(
                f"{path}: the model was fitted without column names and takes exactly {model.n_features_in_} "
                f"columns; the file has {len(found)}{additional}"
            )
        return found
    known = set(names)
    missing = [name for name in model.feature_names if name not in known]
    if missing:
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        shown = ", ".join(map(repr, missing[:5]))
        raise DataError(
            f"{path}: missing column {shown}{more}, which the model needs; "
            f"{closest_names_hint(missing[0], names)}"
        )
    return model.feature_names


def _open_table_file(
    path: str, text_format: TextFormat, callback: Progress | None
) -> _OpenedTextFile | _OpenedParquetFile:
    if Path(path).suffix.lower() in PARQUET:
        text_format.reject_unsupported_options(path, allowed=("dates", "date_format"))
        return _OpenedParquetFile(path, text_format, callback)
    return _OpenedTextFile(path, text_format, callback)


class _OpenedFile:
    """An opened file of which only the column names are known."""

    def __init__(self, path: str, text_format: TextFormat, callback: Progress | None) -> None:
        self.path, self.text_format, self.callback = path, text_format, callback
        self.names: list[str] = []
        # Whether to leave out rows without a label; None if the command has no such option.
        self.drop_unlabeled: bool | None = None

    def require_column(self, option: str, name: str) -> None:
        """Reject an option that names an unknown column.

        Raises
        ------
        click.UsageError
            The column does not exist.
        """
        if name not in self.names:
            raise click.UsageError(
                f"{option}: {self.path} has no column {name!r}; {closest_names_hint(name, self.names)}"
            )

    def find_labeled_rows(
        self, missing: NDArray[np.bool_], target: str, place: Callable[[int], str]
    ) -> NDArray[np.int64] | None:
        """Return the rows with a label, or None if all have one.

        Raises
        ------
        DataError
            A row has no label, and such rows are not to be left out.
        """
        count = int(missing.sum())
        if count == 0:
            return None
        if not self.drop_unlabeled:
            remedy = (
                "drop or label them" if self.drop_unlabeled is None else "label them, or add --drop-unlabeled"
            )
            raise DataError(
                f"{self.path}, {place(int(np.flatnonzero(missing)[0]))}: the target column {target!r} has no "
                f"label ({count} such rows); {remedy}"
            )
        click.echo(f"{self.path}: {count:,} rows without a label are left out", err=True)
        return np.flatnonzero(~missing)

    def reject_fractional_labels(
        self, labels: NDArray[Any], target: str, place: Callable[[int], str]
    ) -> NDArray[Any]:
        """Reject labels with a fractional part."""
        if labels.dtype.kind == "f":
            odd = np.flatnonzero(labels != np.trunc(labels))
            if len(odd):
                raise DataError(
                    f"{self.path}, {place(int(odd[0]))}: the target column {target!r} holds "
                    f"{labels[odd[0]]:g}; class labels must be text, booleans or whole numbers"
                )
        return labels


class _OpenedTextFile(_OpenedFile):
    def __init__(self, path: str, text_format: TextFormat, callback: Progress | None) -> None:
        super().__init__(path, text_format, callback)
        self.table = open_text([path], text_format)
        self.names = self.table.names

    def read(
        self,
        roles: Mapping[str, Role],
        default: Role,
        target: str | None,
        additional: Sequence[str],
        features: Sequence[str] | None = None,
    ) -> _FileColumns:
        """Read columns; `features` None: all except the target and `additional`."""
        found = read_columns(
            self.table,
            roles,
            default=default,
            text_format=self.text_format,
            what=self.path,
            callback=self.callback,
        )
        others = {target, *additional}
        wanted = [name for name in found.columns if name not in others] if features is None else features
        labels = rows = None
        columns = found.columns
        if target is not None:
            column = columns[target]
            missing = column.codes == MISSING if isinstance(column, Nominal) else np.isnan(column)
            rows = self.find_labeled_rows(missing, target, found.place)
            if rows is not None:
                columns = {name: _take_rows(column, rows) for name, column in columns.items()}
            numbers = np.arange(len(missing)) if rows is None else rows
            labels = self.reject_fractional_labels(
                _labels_as_written(columns[target], found.kinds[target]),
                target,
                lambda row: found.place(int(numbers[row])),
            )
        decoded = {name: _decode_column(columns[name], found.kinds[name]) for name in additional}
        return _FileColumns({name: columns[name] for name in wanted}, labels, decoded, rows)


def _take_rows(column: Column, rows: NDArray[np.int64]) -> Column:
    """Return some rows of a column, with the levels that they have."""
    if not isinstance(column, Nominal):
        return column[rows]
    codes = column.codes[rows]
    known = codes != MISSING
    used, places = np.unique(codes[known], return_inverse=True)
    codes[known] = places
    return Nominal(codes, [column.levels[code] for code in used.tolist()])


def _labels_as_written(column: Column, kind: str) -> NDArray[Any]:
    """Convert labels to text, booleans, integers or floats, as written in the file."""
    if isinstance(column, Nominal):
        return _decode_column(column)
    return column.astype({"integer": np.int64, "boolean": np.bool_}.get(kind, np.float64))


def _decode_column(column: Column, kind: str = "") -> NDArray[Any]:
    """Values of a column, text as text and booleans as such; missing values are None or NaN."""
    if not isinstance(column, Nominal):
        values: NDArray[Any] = np.asarray(column)
        if kind == "boolean":
            decoded = (values != 0).astype(object)
            decoded[np.isnan(values)] = None
            return decoded
        return values
    levels = np.array([*(str(level) for level in column.levels), None], dtype=object)
    return levels[np.minimum(column.codes, np.uint32(len(column.levels)))]


def _row_number_text(row: int) -> str:
    return f"row {row} (counted from 0)"


def _arrow_values(column: Any) -> NDArray[Any]:
    """Values of a column; integers with missing values stay exact, which floats are not."""
    import pyarrow as pa

    exact = pa.types.is_integer(column.type) and column.null_count
    return column_values(column) if exact else np.asarray(column.to_numpy())


class _OpenedParquetFile(_OpenedFile):
    def __init__(self, path: str, text_format: TextFormat, callback: Progress | None) -> None:
        from imbcore.streaming.readers.parquet import open_parquet

        super().__init__(path, text_format, callback)
        self.names = list(open_parquet([Path(path)], None).types)

    def read(
        self,
        roles: Mapping[str, Role],
        default: Role,
        target: str | None,
        additional: Sequence[str],
        features: Sequence[str] | None = None,
    ) -> _FileColumns:
        """Read columns; `features` None: all except the target and `additional`."""
        from imbcore.streaming.memory import load
        from imbcore.streaming.readers import open_source
        from imbcore.streaming.readers.vocabulary import arrow_to_column

        read = [name for name in self.names if roles.get(name, default) != "skip"]
        others = {target, *additional}
        wanted = [name for name in read if name not in others] if features is None else features
        dates = [name for name in self.text_format.dates if name in read]
        source = open_source(
            self.path,
            target,
            columns=wanted,
            additional=[name for name in additional if name not in wanted],
            callback=self.callback,
            text_format=replace(self.text_format, dates=tuple(dates)),
        )
        table = load(source)
        labels = rows = None
        if target is not None:
            missing = np.asarray(table[target].is_null(nan_is_null=True))
            rows = self.find_labeled_rows(missing, target, _row_number_text)
            table = table if rows is None else table.take(rows)
            numbers = np.arange(len(missing)) if rows is None else rows
            labels = self.reject_fractional_labels(
                np.asarray(table[target]), target, lambda row: _row_number_text(int(numbers[row]))
            )
        found = {
            name: arrow_to_column(table[name], name, index, nominal=roles.get(name) == "key")
            for index, name in enumerate(wanted)
        }
        return _FileColumns(found, labels, {name: _arrow_values(table[name]) for name in additional}, rows)


def write_columns(path: str, columns: Mapping[str, Any]) -> None:
    """Write columns to a table file, or as CSV to standard output when ``path`` is ``-``."""
    if path != "-":
        write_table(path, columns)
        return
    with open_csv_stdout_writer() as put:
        put(columns)


@contextmanager
def open_csv_stdout_writer() -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Yield a function that writes columns to standard output as CSV, chunk by chunk."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    headed = False

    def put(columns: Mapping[str, Any]) -> None:
        nonlocal headed
        if not headed:
            writer.writerow(columns)
            headed = True
        for row in zip(*map(_csv_cells, columns.values()), strict=True):
            writer.writerow(row)

    yield put


def _csv_cells(column: Any) -> list[Any]:
    if isinstance(column, Nominal):
        return ["" if code == MISSING else column.levels[code] for code in column.codes.tolist()]
    values = column_values(column).tolist()
    return [("" if v != v else number_text(v)) if isinstance(v, float) else v for v in values]
