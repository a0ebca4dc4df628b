"""Entry point of fits to sources, which chooses how a method reads its rows."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native, training
from imbcore._bindings.costs import build_cost_matrix
from imbcore._bindings.options import resolve_seed
from imbcore._bindings.positive import training_positive_code
from imbcore._bindings.progress import progress_callback
from imbcore._bindings.user_objects import refuse_user_objects
from imbcore._validation.alert_budget import alert_budget_groups
from imbcore._validation.labels import Target
from imbcore._validation.row_dependence import INDEPENDENT, GivenDependence, RowGroupsAndTimes
from imbcore._validation.schema import Schema
from imbcore._validation.training_rows import PositiveWeightRows, prepare_training_rows
from imbcore._validation.values import validate_whole_number
from imbcore.exceptions import DataError, ParameterError, UnsupportedError
from imbcore.streaming import binned, counted, memory, sampled, summed
from imbcore.streaming.dependent_rows import warn_of_dependent_source
from imbcore.streaming.local import LocalExecutor
from imbcore.streaming.metadata import SourceSummary
from imbcore.streaming.passes import Executor
from imbcore.streaming.readers import open_source
from imbcore.streaming.readers.source import Source
from imbcore.streaming.request import FitRequest

# Methods that read a source in batches with their default parameters.
_IN_BATCHES = (
    "naive_bayes",
    "tan",
    "kdb",
    "aode",
    "full_bayes",
    "fast_boxes",
    "boosted_trees",
    "balanced_random_forest",
    "under_bagging",
    "balanced_bagging",
    "easy_ensemble",
)

# Of these, the methods that do not read groups and times in batches.
_WITHOUT_GROUPS = ("balanced_random_forest", "under_bagging", "balanced_bagging", "easy_ensemble")

Fitted = tuple[native.models.Model, Schema]
# Sampled rows, and the class proportions of all rows, to which the model is corrected.
PriorCorrection = tuple[Any, dict[Any, float]]


def is_source(X: Any, y: Any) -> bool:
    """Whether rows come from a source: then ``y`` is the name of a column.

    Raises
    ------
    DataError
        X is a file, but y does not name its column of labels.
    """
    path = isinstance(X, (str, os.PathLike))
    if path and not isinstance(y, str):
        raise DataError("X is a path; give the name of its column of labels, such as y='target'")
    table = isinstance(X, (np.ndarray, Mapping)) or hasattr(X, "_imbcore_columns_")
    rows = isinstance(X, (list, tuple)) and not all(isinstance(item, (str, os.PathLike)) for item in X)
    return isinstance(y, str) and not table and not rows


def reject_source_options(columns: Any, sample: Any) -> None:
    """Reject arguments that apply only to a source of rows.

    Raises
    ------
    ParameterError
        ``columns`` or ``sample`` is given for a table in memory.
    """
    only = "applies only to files and other sources of rows, not to a table in memory"
    if columns is not None:
        raise ParameterError(f"columns {only}; select the features of the table with `X[[...]]`")
    if sample is not None:
        raise ParameterError(f"sample {only}; leave it out")


def fit_source(
    X: Any,
    y: str,
    method: str,
    parameters: Mapping[str, Any],
    options: Mapping[str, Any],
    constant: bool,
    reading: Mapping[str, Any],
) -> tuple[Fitted, PriorCorrection | None]:
    """Fit a method to a source of rows.

    The rows are read in batches if the method can learn so, else loaded into memory if they fit; or, on
    request, a sample of the rows is loaded.

    Parameters
    ----------
    X : source
        As :func:`imbcore.streaming.readers.open_source` takes it.
    y : str
        Column with the labels.
    method : str
        Name of the method.
    parameters, options : mappings
        Parameters of the method, and options of all methods, ``sample_weight`` the name of a column.
    constant : bool
        Whether one class alone gives a constant model, which sources do not support.
    reading : mapping
        ``columns``, ``batch_size`` and ``text_format`` of the source, and ``sample``: number of rows that are
        drawn from each class; smaller classes and the positive class keep all rows.

    Returns
    -------
    (native model, Schema), prior_correction
        After a sample its rows, and the class proportions among all rows.

    Raises
    ------
    UnsupportedError
        The method needs all rows in memory, and they do not fit.
    """
    refuse_user_objects(parameters, "a fit to a source")
    refused = [name for name in ("costs", "feature_names") if options[name] is not None]
    if refused or constant:
        what = f"{refused[0]}=" if refused else 'on_one_class="constant"'
        raise UnsupportedError(f"{what} needs a table in memory; a source has the names of its columns")
    with progress_callback(method, options["verbose"], options["callback"]) as callback:
        options = {**options, "verbose": 0, "callback": callback}
        dependence = reading.get("dependence", INDEPENDENT)
        by = alert_budget_groups(options["threshold"])
        source = open_source(
            X,
            y,
            columns=reading["columns"],
            additional=_group_and_time_columns(
                groups=dependence[0], time=dependence[1], **{"threshold['by']": by}
            ),
            sample_weight=options["sample_weight"],
            batch_size=reading["batch_size"],
            callback=callback,
            text_format=reading["text_format"],
            nominal=options["categorical_features"],
        )
        options["sample_weight"] = None
        if dependence[0] is None and dependence[1] is None:
            warn_of_dependent_source(X, source, options["categorical_features"], near_duplicates=False)
        if any(value is not None for value in dependence):
            if reading["sample"] is not None:
                raise UnsupportedError(
                    "sample= draws rows and would tear groups and times apart; omit sample, groups and time"
                )
            date_format = reading["text_format"].date_format
            return _fit_with_groups_or_times(
                source, method, parameters, options, (dependence, date_format)
            ), None
        if reading["sample"] is not None:
            return _fit_checked_sample(source, method, parameters, options, reading["sample"])
        request = FitRequest(method, parameters, options, SourceSummary.from_source(source, method, options))
        return _fit_in_batches_or_memory(source, request), None


def fit_in_passes(executor: Executor, request: FitRequest) -> native.models.Model:
    """Fit a method that needs only counts, a sample of the rows, bins, or sums.

    Raises
    ------
    UnsupportedError
        The method, a parameter or an option needs all rows in memory; the message has all reasons.
    """
    reasons: dict[str, None] = {}
    for fit in (counted.fit, sampled.fit, binned.fit, summed.fit):
        try:
            return fit(executor, request)
        except UnsupportedError as error:
            reasons[str(error)] = None
    # Less specific than any other reason.
    general = f"{request.method} needs all rows in memory"
    raise UnsupportedError("; ".join([reason for reason in reasons if reason != general] or [general]))


def fit_batches(source: Source, request: FitRequest) -> native.models.Model:
    """Fit a method to batches of a source whose first pass is done.

    Raises
    ------
    UnsupportedError
        The method, a parameter or an option needs all rows in memory; the message has all reasons.
    """
    with LocalExecutor(source, request.summary) as executor:
        return fit_in_passes(executor, request)


def load_all(
    source: Source, reason: UnsupportedError, used: Collection[str], *, may_sample: bool = True
) -> Any:
    """Read all rows as one Arrow table.

    If they do not fit, methods in ``used`` are not recommended, and a sample only if ``may_sample``.

    Raises
    ------
    UnsupportedError
        The rows do not fit into memory; the message gives the reason and the remedies.
    """
    need, free = memory.estimate_memory(source), memory.available()
    if free is not None and need > free:
        drawn = (
            "Draw a sample, such as sample=100_000 rows of every class but the positive one, name"
            if may_sample and source.weight is None
            else "Name"
        )
        methods = [*(name for name in _IN_BATCHES if name not in used), "or a tree or forest with max_bins"]
        raise UnsupportedError(
            f"{reason}; {source.n_rows:,} rows of {len(source.columns)} columns would take "
            f"some {need / 1e9:,.1f} GB, and {free / 1e9:,.1f} GB are free. {drawn} fewer `columns`, or take "
            f"{', '.join(methods).removeprefix('or ')}, which read rows in batches"
        ) from reason
    return memory.load(source)


def _fit_in_batches_or_memory(source: Source, request: FitRequest) -> Fitted:
    try:
        model = fit_batches(source, request)
    except UnsupportedError as error:
        table = load_all(source, error, {request.method})
        return _fit_table(table, source, (request.method, request.parameters, request.options))
    # Its schema also has the numeric columns without a value, which the first pass does not read.
    return model, Schema.from_json(model.schema)


def _group_and_time_columns(**given: Any) -> list[str]:
    for name, value in given.items():
        if value is not None and not isinstance(value, str):
            raise ParameterError(
                f"{name} must be the name of a column of the source, got {type(value).__name__}"
            )
    return [value for value in given.values() if value is not None]


def _fit_with_groups_or_times(
    source: Source,
    method: str,
    parameters: Mapping[str, Any],
    options: Mapping[str, Any],
    related: tuple[GivenDependence, str | None],
) -> Fitted:
    """Fit to rows with groups or times, in batches if the method can, else in memory."""
    (groups, time, time_gap), date_format = related
    asked = (method, parameters, options)
    reason = UnsupportedError("groups and time need all rows in memory")
    if method in _IN_BATCHES or parameters.get("max_bins") is not None:
        values = (source.column(groups), source.column(time), time_gap)
        weighted = PositiveWeightRows.from_weights(source.column(source.weight), source.n_rows)
        dependence = weighted.with_dependence(values, date_format).dependence
        dependence = replace(dependence, group_values=None)
        request = FitRequest(*asked, SourceSummary.from_source(source, method, options), dependence)
        try:
            model = fit_batches(source, request)
        except UnsupportedError as error:
            reason = error
        else:
            return model, Schema.from_json(model.schema)
    table = load_all(source, reason, {method, *_WITHOUT_GROUPS}, may_sample=False)
    return _fit_table(table, source, asked, related)


def _fit_table(
    table: Any,
    source: Source,
    asked: tuple[str, Mapping[str, Any], Mapping[str, Any]],
    related: tuple[GivenDependence, str | None] = (INDEPENDENT, None),
    dependence: RowGroupsAndTimes | None = None,
) -> Fitted:
    """Fit to a table; groups and times are named by ``related`` or in ``dependence``."""
    method, parameters, options = asked[0], asked[1], dict(asked[2])
    (groups, time, time_gap), date_format = related
    by = alert_budget_groups(options["threshold"])
    weights = None if source.weight is None else table[source.weight].to_numpy()
    nominal, names = options.pop("categorical_features"), options.pop("feature_names")
    features = table.select(source.features)
    rows = prepare_training_rows(
        features,
        table[source.target],
        weights,
        nominal,
        names,
        method,
        constant=False,
        dependence=(
            None if groups is None else table[groups],
            None if time is None else table[time],
            time_gap,
        ),
        date_format=date_format,
        threshold=options["threshold"],
        by=None if by is None else table[by],
    )
    options["sample_weight"] = rows.weights
    places = rows.weighted.places
    fitted = training.fit(
        method,
        parameters,
        *rows.parts,
        constant=False,
        places=places,
        dependence=rows.dependence if dependence is None else dependence,
        **options,
    )
    return fitted, rows.schema


def _fit_checked_sample(
    source: Source, method: str, parameters: Mapping[str, Any], options: Mapping[str, Any], sample: int
) -> tuple[Fitted, PriorCorrection]:
    n_rows = validate_whole_number("sample", sample, 1)
    tuned = options["threshold"] is not None and not isinstance(options["threshold"], (int, float))
    if source.weight is not None or tuned:
        what = "threshold= is to be a number" if tuned else "leave sample_weight out"
        raise ParameterError(f"sample= changes the class proportions: {what}")
    summary = SourceSummary.from_source(source, method, options)
    return fit_sample(source, FitRequest(method, parameters, options, summary), n_rows)


def fit_sample(source: Source, request: FitRequest, n_rows: int) -> tuple[Fitted, PriorCorrection]:
    """Fit to all rows of the positive class and at most ``n_rows`` of each other class.

    Raises
    ------
    ParameterError
        The correction to the class proportions of all rows would undo costs that are weights.
    """
    options, summary = dict(request.options), request.summary
    counts, classes = summary.class_counts, summary.schema.classes
    if options["cost_matrix"] is not None and options["cost_strategy"] == "reweight":
        raise ParameterError(
            'sample= changes the class proportions: leave cost_strategy="reweight" out, and the costs decide'
        )
    weights = counts.astype(np.float64)
    codes = np.arange(len(counts), dtype=np.uint32)
    positive = training_positive_code(options["positive"], classes, codes, weights)
    if isinstance(options["cost_matrix"], str):
        # By the frequencies of all rows.
        target = Target(codes, classes, False)
        options["cost_matrix"] = build_cost_matrix(options["cost_matrix"], target, weights, request.method)
    seed = resolve_seed(options["random_state"])
    drawn = [_draw_rows(summary.codes, code, n_rows, positive, seed) for code in range(len(counts))]
    rows = np.sort(np.concatenate(drawn))
    table = source.take(rows)
    # The rarest class of the sample may be another than that of all rows.
    given = {**options, "random_state": seed, "positive": classes.tolist()[positive]}
    asked = (request.method, request.parameters, given)
    fitted = _fit_table(table, source, asked, dependence=request.dependence.pick(rows))
    proportions = dict(zip(classes.tolist(), (counts / counts.sum()).tolist(), strict=True))
    return fitted, (table.select(source.features), proportions)


def _draw_rows(codes: NDArray[Any], code: int, n_rows: int, positive: int, seed: int) -> NDArray[np.int64]:
    """Draw row numbers of a class, as a function of the seed, the class and its rows."""
    rows = np.flatnonzero(codes == code)
    if code == positive or len(rows) <= n_rows:
        return rows
    stream = np.random.Generator(np.random.Philox(key=[seed, int(code)]))
    return rows[np.sort(stream.choice(len(rows), n_rows, replace=False, shuffle=False))]
