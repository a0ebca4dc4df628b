"""Functional API: fit, load, merge and the list of methods."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from imbcore._bindings import native, training
from imbcore._bindings.parameters import reject_unknown_parameters
from imbcore._model.merging import merge_forests, store_groups
from imbcore._model.model import Model
from imbcore._validation.arguments import argument_names_of, name_package_in_errors
from imbcore._validation.dependence_check import warn_of_dependent_rows
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.options import add_options_to_signature, pop_fit_options
from imbcore._validation.text_format import TextFormat
from imbcore._validation.training_rows import prepare_training_rows
from imbcore._validation.unicode import reject_unsupported_path
from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_text
from imbcore.exceptions import ModelFormatError, ParameterError
from imbcore.streaming.fit import fit_source, is_source, reject_source_options
from imbcore.streaming.readers.source import CHUNK_ROWS

__all__ = ["Method", "MethodList", "Parameter", "fit", "load", "merge", "methods"]


@add_options_to_signature
@match_rows_by_index
def fit(
    X: Any,
    y: Any,
    method: str = "forest",
    *,
    on_one_class: str = "error",
    groups: Any = None,
    time: Any = None,
    time_gap: Any = None,
    columns: Sequence[str] | None = None,
    batch_size: int = CHUNK_ROWS,
    sample: int | None = None,
    **parameters: Any,
) -> Model:
    """Fit a method to data.

    Parameters
    ----------
    X : table of shape (n_rows, n_features), or a source of rows
        A 2-D NumPy array of any memory order and numeric type; a pandas, polars or pyarrow table; any object
        that exports an Arrow stream (needs pyarrow); a dict of columns; or a list of rows. Rows may be dicts;
        a key that is absent is a missing value. NaN, None and NA are missing values. Text and categorical
        columns are nominal features. Float64 arrays in C or Fortran order are used without a copy: no other
        thread may write to them during the call.
        If ``y`` is the name of a column, ``X`` may also be a source of rows, which may be larger than memory
        ("Larger than memory" in the documentation). A source is a Parquet or CSV file ("-": CSV from standard
        input), a folder, a glob, or a list of files. It may also be a pyarrow data set, a polars LazyFrame, a
        duckdb relation, a Dask DataFrame, or a function that returns a ``pyarrow.RecordBatchReader``.
    y : sequence of shape (n_rows,), or str
        Class labels: text, integers, booleans or whole floats, with at least two classes. Labels are matched
        to the rows of ``X`` by index if both are pandas objects, else by position ("Labels" in the
        documentation). Or the name of the label column; ``sample_weight`` is then also the name of a column.
    method : str, default="forest"
        Name of the method, one of :func:`imbcore.methods`.
    on_one_class : "error" or "constant", default="error"
        Behavior if only one class has rows of positive weight: raise an error, or fit a model that always
        predicts this class, with a warning. The estimator classes use "constant".
    groups : sequence of shape (n_rows,), str or None, default=None
        Group of every row, such as a customer, or the name of a column, which is then not a feature. The fit
        draws whole groups for bags, and keeps the rows of a group together in out-of-bag predictions and in
        the inner folds that choose thresholds, calibration and numbers of rounds. Each row with a missing
        value is a group of its own ("Rows that belong together" in the documentation). None: rows are
        independent.
    time : sequence of shape (n_rows,), str or None, default=None
        Time of every row: numbers, dates, or text (``date_format``), or the name of a column, which is then
        not a feature. Thresholds, calibration and numbers of rounds are chosen by inner fits. An inner fit is
        tested on rows that are later than its training rows. If ``groups`` are given as well, an inner fit
        leaves out training rows whose group also occurs in these later rows. The final model is fitted to all
        rows.
    time_gap : int, timedelta, str, dict or None, default=None
        Gap in time between the training rows and the later rows on which thresholds, calibration and numbers
        of rounds are chosen, as in :func:`imbcore.evaluate`.
    columns : sequence of str or None, default=None
        Only for a source: names of the features. None: all columns except those of target, weights, groups
        and times.
    batch_size : int, default=131072
        Only for a source: number of rows read at a time. This number limits the memory and does not change
        the model.
    sample : int or None, default=None
        Only for a source: fit in memory to all rows of the positive class and to a random sample of this many
        rows of every other class. The model is then corrected for the class proportions of all rows.
    **parameters
        Parameters of the method.

    Returns
    -------
    Model
        The fitted model.

    Raises
    ------
    ParameterError
        The method, a parameter or an option is unknown, or a value is outside its valid range.
    DataError
        The data are invalid; the message names the column and the remedy.

    Examples
    --------
    >>> import imbcore
    >>> X = [[5.0, "red"], [6.0, "red"], [7.0, "blue"], [8.0, "blue"]]
    >>> model = imbcore.fit(X, [0, 0, 0, 1], method="cart", max_depth=3, random_state=0)
    >>> model.predict([[8.5, "blue"]]).tolist()
    [1]
    """
    if not isinstance(method, str):
        raise ParameterError(f"method must be a name, such as 'hddt', got {value_text(method)}")
    if validate_text("on_one_class", on_one_class) not in ("error", "constant"):
        raise ParameterError(f"on_one_class must be 'error' or 'constant', got {value_text(on_one_class)}")
    constant = on_one_class == "constant"
    text_format, options = TextFormat.pop_options(parameters), pop_fit_options(parameters)
    reject_unknown_parameters(method, parameters, argument_names_of(fit))
    if is_source(X, y):
        asked_for: dict[str, Any] = {"columns": columns, "batch_size": batch_size, "sample": sample}
        asked_for["text_format"] = text_format
        asked_for["dependence"] = (groups, time, time_gap)
        found, to = fit_source(X, y, method, parameters, options, constant, asked_for)
        training.print_model_size(method, options["verbose"], found[0])
        return Model(*found) if to is None else Model(*found).correct_prior(to[0], prior=to[1])
    text_format.reject_unsupported_options(
        "a table in memory", allowed=("date_format",) if time is not None else ()
    )
    reject_source_options(columns, sample)
    nominal, names = options.pop("categorical_features"), options.pop("feature_names")
    rows = prepare_training_rows(
        X,
        y,
        options["sample_weight"],
        nominal,
        names,
        method,
        constant=constant,
        dependence=(groups, time, time_gap),
        date_format=text_format.date_format,
        threshold=options["threshold"],
    )
    if groups is None and time is None:
        warn_of_dependent_rows(*rows.parts, near_duplicates=False)
    fitted = training.fit(
        method,
        parameters,
        *rows.parts,
        **options | rows.costs(options) | {"sample_weight": rows.weights},
        constant=constant,
        places=rows.weighted.places,
        dependence=rows.dependence,
    )
    return store_groups(Model(fitted, rows.schema)._store_cost_function(options["costs"]), rows.dependence)


def merge(models: Sequence[Model], *, groups: Sequence[Any] | None = None) -> Model:
    """Merge forests that were fitted separately, in the order of the models.

    All trees have equal votes. The forests must have the same method and the same parameters, except for
    ``n_estimators``: the merged forest has the sum of these numbers. The forests may be fitted to parts of
    the rows on independent machines; use a different ``random_state`` for each part. If the class proportions
    differ between the forests, the merged model uses their means, weighted by the numbers of trees.

    Parameters
    ----------
    models : sequence of Model
        Fitted forests, at least one, with the same columns, levels and classes. A group must be in the rows
        of one model only.
    groups : sequence, default=None
        Groups of the rows of every model, one sequence per model. Needed only for models that were fitted
        with groups and then read from a file, copied or pickled.

    Returns
    -------
    Model
        One forest.

    Raises
    ------
    DataError
        The models differ in more than their trees, or a group is in the rows of two models.
    ParameterError
        The groups of a model are needed, and are not given in ``groups``.
    UnsupportedError
        A model is not a forest. Or it has a calibration, a threshold chosen for a metric or target, class
        proportions changed by :meth:`Model.correct_prior`, or out-of-bag predictions.

    Examples
    --------
    >>> import imbcore
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]] * 5, [0, 0, 0, 1] * 5
    >>> halves = [imbcore.fit(X, y, method="random_forest", n_estimators=5, random_state=s) for s in (0, 1)]
    >>> len(imbcore.merge(halves).estimators_)
    10
    """
    if not models or not all(isinstance(model, Model) for model in models):
        raise ParameterError("models must be a list of at least one model")
    return merge_forests(models, groups)


def load(path: str | os.PathLike[str]) -> Model:
    """Read a model file written by :meth:`Model.save`. Nothing in the file is executed.

    Parameters
    ----------
    path : path-like
        File to read.

    Returns
    -------
    Model
        The fitted model.

    Raises
    ------
    ModelFormatError
        The file is damaged, is not a model file, or has an unknown format version.
    OSError
        The file cannot be read.
    """
    reject_unsupported_path(path)
    with open(path, "rb") as file:
        data = file.read()
    try:
        return Model(native.models.from_bytes(data))
    except ModelFormatError as error:
        raise ModelFormatError(f"{os.fspath(path)}: {error}") from error


@dataclass(frozen=True)
class ParameterOption:
    """One option of a parameter: its name, description and own parameters."""

    name: str
    doc: str
    parameters: list[Parameter]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a method.

    ``expected`` describes the valid values. If the parameter selects an entry of a registry, such as a split
    criterion, ``names`` has the names of the entries; else it is empty. ``type`` is the type annotation.
    """

    name: str
    default: Any
    expected: str
    doc: str
    names: tuple[str, ...] = ()
    type: str = "Any"
    choices: tuple[ParameterOption, ...] = ()

    def __str__(self) -> str:
        names = f" Names: {', '.join(self.names)}." if self.names else ""
        return f"{self.default!r}: {self.doc} Must be {self.expected}.{names}"


@dataclass(frozen=True)
class Method:
    """Description of a method: name, title, source in the literature, and parameters."""

    name: str
    title: str
    source: str
    parameters: list[Parameter]

    def __str__(self) -> str:
        width = max((len(p.name) for p in self.parameters), default=0)
        head = f"{self.name}: {self.title} ({self.source})"
        lines = []
        for p in self.parameters:
            lines.append(f"  {p.name:{width}}  {p}")
            for way in p.choices:
                lines.append(f"    {way.name}: {way.doc}")
                lines += [f"      {p.name}__{own.name}  {own}" for own in way.parameters]
        return "\n".join([head, *lines])


class MethodList(list[Method]):
    """All methods; prints as a table."""

    def __str__(self) -> str:
        rows = [("name", "title", "source"), *((m.name, m.title, m.source) for m in self)]
        widths = [max(len(row[at]) for row in rows) for at in range(2)]
        return "\n".join(f"{name:{widths[0]}}  {title:{widths[1]}}  {source}" for name, title, source in rows)

    __repr__ = __str__


def methods() -> MethodList:
    """List all methods with their parameters.

    Returns
    -------
    MethodList
        A list of :class:`Method`.

    Examples
    --------
    >>> import imbcore
    >>> imbcore.methods()[0].name
    'forest'
    """
    return MethodList(_method(entry) for entry in json.loads(native.models.methods()))


def _method(entry: Mapping[str, Any]) -> Method:
    return Method(entry["name"], entry["title"], entry["source"], _parameters_from_specs(entry["params"]))


def _parameters_from_specs(specs: Sequence[Mapping[str, Any]]) -> list[Parameter]:
    def ways(spec: Mapping[str, Any]) -> tuple[ParameterOption, ...]:
        return tuple(
            ParameterOption(way["name"], way["doc"], _parameters_from_specs(way["params"]))
            for way in spec["choices"]
        )

    return [
        Parameter(p["name"], p["default"], p["expected"], p["doc"], tuple(p["names"]), p["type"], ways(p))
        for p in specs
    ]


name_package_in_errors(globals())
