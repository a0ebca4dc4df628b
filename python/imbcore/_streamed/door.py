"""Which road a fit to a source takes."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native, training
from imbcore._border.options import resolve_seed
from imbcore._border.positive import training_code
from imbcore._border.progress import told
from imbcore._border.user_objects import refuse_held
from imbcore._coded import fit as coded
from imbcore._drawn import forest
from imbcore._drawn.asked import Asked
from imbcore._drawn.census import Counted
from imbcore._input.schema import Schema
from imbcore._input.training_rows import training_rows
from imbcore._input.values import whole_number
from imbcore._sources import open_source
from imbcore._sources.source import Source
from imbcore._streamed import counted, memory, rows
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

__all__ = ["fit_pieces", "fit_sample", "fit_source", "is_source", "load_all"]

# Methods whose fit reads a source in batches with its defaults.
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

Fitted = tuple[native.models.Model, Schema]
# Rows, and the shares of the classes that a model is to be adapted to.
Adapting = tuple[Any, dict[Any, float]]


def is_source(X: Any, y: Any) -> bool:
    """Whether rows come from a source: a name stands in the place of the labels.

    Raises
    ------
    DataError
        X is a file, but nothing says which column holds the labels.
    """
    path = isinstance(X, (str, os.PathLike))
    if path and not isinstance(y, str):
        raise DataError("X is a path; give the name of its column of labels, such as y='target'")
    held = isinstance(X, (np.ndarray, Mapping)) or hasattr(X, "_imbcore_columns_")
    rows = isinstance(X, (list, tuple)) and not all(isinstance(one, (str, os.PathLike)) for one in X)
    return isinstance(y, str) and not held and not rows


def fit_source(
    X: Any,
    y: str,
    method: str,
    parameters: Mapping[str, Any],
    given: Mapping[str, Any],
    constant: bool,
    asked: Mapping[str, Any],
) -> tuple[Fitted, Adapting | None]:
    """Fit a method to a source of rows.

    From counts, where the model is a function of them; else from the rows that are drawn, where those are few
    and known beforehand; else from codes of all rows, where the method reads bins; else from all rows in
    memory, if they fit; or, where that is asked for, from a sample.

    Parameters
    ----------
    X : source
        As :func:`imbcore._sources.open_source` takes it.
    y : str
        Column with the labels.
    method : str
        Name of the method.
    parameters, given : mappings
        Parameters of the method, and options of all methods, ``sample_weight`` the name of a column.
    constant : bool
        Whether one class alone gives a constant model, which a source never does.
    asked : mapping
        ``columns`` and ``chunk_rows`` of the source, and ``sample``: rows of every class that are drawn; a
        class with fewer, and the positive class, has all of its own.

    Returns
    -------
    (native model, Schema), adapting
        After a sample its rows, and the shares of the classes among all.

    Raises
    ------
    UnsupportedError
        The method needs all rows in memory, and they do not fit.
    """
    refuse_held(parameters, "a fit to a source")
    refused = [name for name in ("costs", "feature_names") if given[name] is not None]
    if refused or constant:
        what = f"{refused[0]}=" if refused else 'on_one_class="constant"'
        raise UnsupportedError(f"{what} needs a table in memory; a source has the names of its columns")
    with told(method, given["verbose"], given["callback"]) as callback:
        given = {**given, "verbose": 0, "callback": callback}
        source = open_source(
            X,
            y,
            columns=asked["columns"],
            sample_weight=given["sample_weight"],
            chunk_rows=asked["chunk_rows"],
            callback=callback,
            text_format=asked["text_format"],
            nominal=given["categorical_features"],
        )
        given["sample_weight"] = None
        if asked["sample"] is not None:
            return _of_sample(source, method, parameters, given, asked["sample"])
        request = Asked(method, parameters, given, Counted.of(source, method, given))
        return _of_all(source, request), None


def fit_pieces(source: Source, asked: Asked) -> native.models.Model:
    """Fit a method to a source whose target was read, from pieces of its rows.

    Raises
    ------
    UnsupportedError
        The method, a parameter or an option needs all rows in memory; the message has all reasons.
    """
    reasons: dict[str, None] = {}
    # The last one has the class of every row in four bytes before it says no.
    for road in (counted.fit, forest.fit, coded.fit, rows.fit):
        try:
            return road(source, asked)
        except UnsupportedError as error:
            reasons[str(error)] = None
    # Says less than any other reason.
    bare = f"{asked.method} needs all rows in memory"
    raise UnsupportedError("; ".join([reason for reason in reasons if reason != bare] or [bare]))


def load_all(source: Source, why: UnsupportedError, used: Collection[str]) -> Any:
    """Read all rows as one Arrow table, for methods that need them; ``used`` are no advice.

    Raises
    ------
    UnsupportedError
        They do not fit into memory; the message says why they would have to, and what to do.
    """
    need, free = memory.needed(source), memory.available()
    if free is not None and need > free:
        raise UnsupportedError(
            f"{why}; {source.n_rows:,} rows of {len(source.columns)} columns would take "
            f"some {need / 1e9:,.1f} GB, and {free / 1e9:,.1f} GB are free. Draw a sample, such as "
            "sample=100_000 rows of every class but the positive one, name fewer `columns`, or take "
            f"{', '.join(name for name in _IN_BATCHES if name not in used)}, or a tree or forest with "
            "max_bins, which read rows in pieces"
        ) from why
    return memory.load(source)


def _of_all(source: Source, asked: Asked) -> Fitted:
    try:
        return fit_pieces(source, asked), asked.counted.schema
    except UnsupportedError as error:
        table = load_all(source, error, {asked.method})
    return _in_memory(table, source, asked)


def _in_memory(table: Any, source: Source, asked: Asked) -> Fitted:
    method, options = asked.method, dict(asked.given)
    weights = None if source.weight is None else table[source.weight].to_numpy()
    nominal, names = options.pop("categorical_features"), options.pop("feature_names")
    features = table.select(source.features)
    rows = training_rows(features, table[source.target], weights, nominal, names, method, constant=False)
    options["sample_weight"] = rows.weights
    places = rows.weighted.places
    fitted = training.fit(method, asked.parameters, *rows.parts, constant=False, places=places, **options)
    return fitted, rows.schema


def _of_sample(
    source: Source, method: str, parameters: Mapping[str, Any], given: Mapping[str, Any], sample: int
) -> tuple[Fitted, Adapting]:
    """Fit to all rows of the positive class and some of the others; the shares are those of all rows."""
    most = whole_number("sample", sample, 1)
    tuned = given["threshold"] is not None and not isinstance(given["threshold"], (int, float))
    if source.weight is not None or tuned:
        what = "threshold= is to be a number" if tuned else "leave sample_weight out"
        raise ParameterError(f"sample= changes the shares of the classes: {what}")
    first = Counted.of(source, method, given)
    return fit_sample(source, Asked(method, parameters, given, first), most)


def fit_sample(source: Source, asked: Asked, most: int) -> tuple[Fitted, Adapting]:
    """Fit to a sample of a source whose target was read."""
    given, first = asked.given, asked.counted
    masses, classes = first.masses, first.schema.classes
    weights = masses.astype(np.float64)
    codes = np.arange(len(masses), dtype=np.uint32)
    positive = training_code(given["positive"], classes, codes, weights)
    seed = resolve_seed(given["random_state"])
    drawn = np.sort(
        np.concatenate(
            [_drawn(first.codes, code, masses, most, positive, seed) for code in range(len(codes))]
        )
    )
    table = source.take(drawn)
    fitted = _in_memory(table, source, replace(asked, given={**given, "random_state": seed}))
    shares = dict(zip(classes.tolist(), (masses / masses.sum()).tolist(), strict=True))
    return fitted, (table.select(source.features), shares)


def _drawn(
    codes: NDArray[Any], code: int, masses: NDArray[np.int64], most: int, positive: int, seed: int
) -> NDArray[np.int64]:
    """Numbers of the rows of a class that are taken: a function of the seed, the class and its rows."""
    own = np.flatnonzero(codes == code)
    if code == positive or masses[code] <= most:
        return own
    stream = np.random.Generator(np.random.Philox(key=[seed, int(code)]))
    return own[np.sort(stream.choice(len(own), most, replace=False, shuffle=False))]
