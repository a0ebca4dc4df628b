"""The door: methods on a user's own data under a paper's procedure."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from imbcore import protocols
from imbcore._compare.comparison import Comparison
from imbcore._evaluate.entries import named
from imbcore._input.labelled import rows_by_index
from imbcore._input.text_format import TextFormat
from imbcore._input.values import items_of, path_of, real_number, text_of
from imbcore.exceptions import DataError, ParameterError, UnsupportedError
from imbcore.streaming.fit import is_source, load_all
from imbcore.streaming.readers import open_source

MEASURES = ("average_precision", "auc", "f1", "g_mean", "balanced_accuracy", "mcc", "log_loss")
METHODS = ("cart", "hddt", "forest", "balanced_random_forest", "boosted_trees")
Progress = Callable[[str, int, int], object]


@rows_by_index
def compare(
    X: Any,
    y: Any = None,
    methods: Sequence[Any] | Mapping[str, Any] = METHODS,
    protocol: protocols.Procedure | str = "5x2",
    *,
    score: str = "average_precision",
    measures: Sequence[str] = MEASURES,
    positive: Any = None,
    level: float = 0.05,
    random_state: int = 0,
    n_jobs: int | None = 1,
    time_limit: float | None = None,
    out: str | os.PathLike[str] | None = None,
    callback: Progress | None = None,
    dask: Any = None,
    **reading: Any,
) -> Comparison:
    """Compare methods by a paper's procedure: means and spreads, ranks and tests.

    Parameters
    ----------
    X : table of shape (n_rows, n_features), or mapping
        As :func:`imbcore.fit` takes it, a file or another source of rows that fit into memory too, where
        ``y`` is the name of a column; or, where ``y`` is None, tables by name, each ``(X, y)``, ``(X, y,
        positive)`` or a :class:`imbcore.datasets.Dataset`.
    y : sequence of shape (n_rows,) or str, default=None
        Class labels, or the name of the column of a source that holds them.
    methods : sequence or mapping
        Names of methods, classifiers of ours or of any library that follows scikit-learn, and learners of
        :mod:`imbcore.protocols`; a mapping gives them names.
    protocol : str or imbcore.protocols.Procedure, default="5x2"
        "5x2", a paper's ("beat", "hddt", "svr", "boxes", "thesis"), repetitions and folds such as "3x10", or
        a value.
    score : str, default="average_precision"
        The measure that ranks, tests and figures are about.
    measures : sequence of str
        What else is shown; names of :data:`imbcore.protocols.MEASURES`.
    positive : label, default=None
        The positive class of one table; None asks the rule.
    level : float, default=0.05
        Of the tests.
    random_state : int, default=0
        Seed of folds and methods.
    n_jobs : int or None, default=1
        Fits at a time, each on one core; -1 takes all cores.
    time_limit : float or None, default=None
        Seconds that a fit may take.
    out : path-like or None, default=None
        Folder for everything: ``records.jsonl``, from which a later call goes on, ``folds.json``, the page,
        tables and figures. These need matplotlib.
    callback : callable or None, default=None
        Called as ``callback("fits", done, total)``.
    dask : distributed.Client, str or None, default=None
        As in :func:`imbcore.protocols.run`.
    **reading
        Format of text files, as in :func:`imbcore.fit`: ``separator``, ``decimal``, ``thousands``,
        ``na_values``, ``encoding``, ``dates``, ``date_format``.

    Returns
    -------
    Comparison
        ``print`` shows it, ``write`` makes a page, ``to_frame`` a table.

    Raises
    ------
    ParameterError
        An argument leaves its domain, or ``out`` holds records of another comparison.
    DataError
        A table cannot be used, or no method could be fitted at all.

    Examples
    --------
    >>> import imbcore
    >>> data = imbcore.datasets.load("breast")
    >>> found = imbcore.compare(data.X, data.y, ["cart", "hddt"])
    >>> found.summary("auc").means.round(2).tolist()
    [[0.91, 0.96]]
    >>> found.tests()[0].test
    '5 x 2 F'
    """
    text_format = TextFormat.of(reading)
    if is_source(X, y):
        source = open_source(X, y, text_format=text_format)
        table = load_all(source, UnsupportedError("compare needs all rows in memory"), set())
        X, y = table.select(source.features), table[y]
    else:
        text_format.refuse_beside("a table in memory")
    tables = _tables(X, y, positive)
    named_measures = [text_of("score", score), *items_of("measures", measures)]
    shown = tuple(dict.fromkeys(text_of("measures", measure) for measure in named_measures))
    for measure in shown:
        if measure not in protocols.MEASURES:
            raise ParameterError(
                f"{measure!r} is no measure of a record; known are {', '.join(protocols.MEASURES)}"
            )
    if not 0 < real_number("level", level) < 1:
        raise ParameterError(f"level must lie between 0 and 1, got {level!r}")
    folder = None if out is None else Path(path_of("out", out))
    procedure = protocols.procedure_of(protocol)
    folds = protocols.deal(tables, procedure, random_state)
    records = protocols.run(
        named([methods] if isinstance(methods, str) else methods),
        tables,
        procedure,
        seed=random_state,
        n_jobs=n_jobs,
        time_limit=time_limit,
        file=None if folder is None else folder / "records.jsonl",
        folds=folds,
        curves=True,
        callback=callback,
        dask=dask,
    )
    if all(record["failure"] for record in records):
        raise DataError(f"no method could be fitted; the first said: {records[0]['failure']}")
    found = Comparison(procedure, score, shown, float(level), random_state, records)
    if folder is not None:
        protocols.write_folds(folder / "folds.json", folds)
        found.save(folder)
    return found


def _tables(X: Any, y: Any, positive: Any) -> Mapping[str, Any]:
    if y is not None:
        return {"data": (X, y) if positive is None else (X, y, positive)}
    if not isinstance(X, Mapping):
        raise ParameterError("y is missing; without it X must be a mapping from names to (X, y)")
    if positive is not None:
        raise ParameterError("give the positive class of each of several tables as (X, y, positive)")
    return X
