"""Entry point of comparisons: methods on user data with a published protocol."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from imbcore._bindings.progress import Callback
from imbcore._validation.alert_budget import alert_budget_groups, check_budget_period, is_per_period
from imbcore._validation.arguments import closest_name, name_package_in_errors
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.text_format import TextFormat
from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_list, validate_path, validate_real_number, validate_text
from imbcore.evaluation._budget_groups import budget_group_columns
from imbcore.evaluation._comparison import Comparison
from imbcore.evaluation._dependent_tables import TablesWithGroupsAndTimes, warn_of_dependent_tables
from imbcore.evaluation._entries import parse_learners
from imbcore.evaluation._measures import MEASURES
from imbcore.evaluation._policies import policies_by_display_name
from imbcore.evaluation._procedure import Procedure, procedure_of
from imbcore.evaluation._run import run
from imbcore.evaluation._scores import COUNTS, DAY
from imbcore.evaluation._splits import make_splits, write_folds
from imbcore.exceptions import DataError, ParameterError, UnsupportedError
from imbcore.metrics._daily_alerts import PER_DAY
from imbcore.streaming.fit import is_source, load_all
from imbcore.streaming.readers import open_source

SHOWN = ("average_precision", "auc", "f1", "g_mean", "balanced_accuracy", "mcc", "log_loss")
METHODS = ("cart", "hddt", "forest", "balanced_random_forest", "boosted_trees")


@match_rows_by_index
def compare(
    X: Any,
    y: Any = None,
    methods: Sequence[Any] | Mapping[str, Any] = METHODS,
    protocol: Procedure | str | None = None,
    *,
    groups: Any = None,
    time: Any = None,
    time_gap: Any = None,
    label_time: Any = None,
    score: str = "average_precision",
    measures: Sequence[str] = SHOWN,
    positive: Any = None,
    level: float = 0.05,
    random_state: int = 0,
    n_jobs: int | None = 1,
    time_limit: float | None = None,
    out: str | os.PathLike[str] | None = None,
    callback: Callback | None = None,
    dask: Any = None,
    alerts: Mapping[str, Any] | None = None,
    policies: bool | str = False,
    **reading: Any,
) -> Comparison:
    """Compare methods with a published protocol: means, standard deviations, ranks and tests.

    Parameters
    ----------
    X : table of shape (n_rows, n_features), or mapping
        One table, as in :func:`imbcore.fit`. If ``y`` is the name of a column, ``X`` may also be a file or
        another source of rows that fit into memory. If ``y`` is None, ``X`` is a mapping from names to
        tables. Each of these tables is ``(X, y)``, ``(X, y, positive)`` or a
        :class:`imbcore.datasets.Dataset`.
    y : sequence of shape (n_rows,) or str, default=None
        Class labels, or the name of the label column of a source.
    methods : sequence or mapping
        Names of methods, classifiers of imbcore or of any library with the scikit-learn API, or learners of
        :mod:`imbcore.evaluation`. The keys of a mapping are the displayed names. A pair ``(method, {...})``
        sets parameters of one method, as in :func:`imbcore.evaluate`.
    protocol : str, imbcore.evaluation.Procedure or None, default=None
        "5x2", the protocol of a paper ("beat", "hddt", "svr", "boxes", "thesis"), repetitions and folds such
        as "3x10", or a Procedure. None: "1x5" with ``time``, else "5x2".
    groups, time, label_time : sequence of shape (n_rows,), str or dict, default=None
        As in :func:`imbcore.evaluate`: groups are never split between training and test sets, test sets
        follow each other in time, and the labels of training rows are known before the test set begins. A
        text is the name of a column of every table; this column is then not a feature. For several tables, a
        dict from table names to values is valid, too.
    time_gap : int, timedelta, str or dict, default=None
        As in :func:`imbcore.evaluate`.
    score : str, default="average_precision"
        Metric used for ranks, tests and figures.
    measures : sequence of str
        Further metrics to show, by their names in :data:`imbcore.evaluation.MEASURES`. For several tables,
        their means over the tables and their average ranks are shown; ``to_frame`` has the values of every
        table.
    positive : label, default=None
        Positive class of a single table; None as in :func:`imbcore.fit`.
    level : float, default=0.05
        Significance level of the tests.
    random_state : int, default=0
        Seed of folds and methods.
    n_jobs : int or None, default=1
        Number of parallel fits, each on one core; -1 uses all cores.
    time_limit : float or None, default=None
        Time limit of one fit in seconds.
    out : path-like or None, default=None
        Output folder for ``records.jsonl``, ``folds.json``, the page, its tables and its figures. The page
        and the figures need matplotlib. A later call continues the comparison from ``records.jsonl``.
    callback : callable or None, default=None
        Called as ``callback("fits", done, total)`` after every fit.
    dask : distributed.Client, str or None, default=None
        Dask cluster, as in :func:`imbcore.evaluation.run`.
    alerts : dict or None, default=None
        With ``time``, an alert budget such as ``{"alerts": 200, "per": "1d"}``. It adds the scores per day of
        :mod:`imbcore.metrics`, as in :func:`imbcore.evaluate`. Each of these scores except ``alerts_per_day``
        may also be the ``score``.
    policies : bool or str, default=False
        Whether to evaluate trivial policies on the same splits, as in :func:`imbcore.evaluate`. Policies are
        shown, and not ranked or tested.
    **reading
        Format of text files, as in :func:`imbcore.fit`: ``separator``, ``decimal``, ``thousands``,
        ``na_values``, ``encoding``, ``dates``, ``date_format``.

    Returns
    -------
    Comparison
        Result of the comparison: ``print`` shows it, ``write`` creates a page, ``to_frame`` creates a data
        frame.

    Raises
    ------
    ParameterError
        An argument is outside its valid range, or ``out`` has records of another comparison.
    DataError
        A table is invalid, or every fit failed.

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
    text_format = TextFormat.from_options(reading, compare)
    learners = parse_learners(methods)
    counted = [] if time is None else budget_group_columns(learners.values())
    if is_source(X, y):
        by = alert_budget_groups(alerts)
        named_columns = [name for name in (groups, time, label_time, by, *counted) if isinstance(name, str)]
        try:
            source = open_source(X, y, additional=named_columns, text_format=text_format)
        except DataError as error:
            if not isinstance(X, (str, os.PathLike)) or not os.path.isdir(X):
                raise
            raise DataError(
                f"{error}. A folder is read as one table; for several tables give a dict {{name: (X, y)}}"
            ) from error
        table = load_all(source, UnsupportedError("compare needs all rows in memory"), set())
        X, y = table.select([*source.features, *counted]), table[y]
        groups, time, label_time = (
            table[name] if isinstance(name, str) else name for name in (groups, time, label_time)
        )
        if isinstance(by, str):
            alerts = {**dict(alerts or {}), "by": table[by]}
    else:
        text_format.reject_unsupported_options("a table in memory", allowed=("date_format",))
    tables = _tables_by_name(X, y, positive)
    named_measures = [validate_text("score", score), *validate_list("measures", measures)]
    shown = tuple(dict.fromkeys(validate_text("measures", measure) for measure in named_measures))
    _check_measures(shown, alerts, time)
    if not 0 < validate_real_number("level", level) < 1:
        raise ParameterError(f"level must be in (0, 1), got {value_text(level)}")
    folder = None if out is None else Path(validate_path("out", out))
    given = {"groups": groups, "time": time, "label_time": label_time}
    procedure = procedure_of(("5x2" if time is None else "1x5") if protocol is None else protocol)
    folds: Mapping[str, Any]
    daily: tuple[str, ...] = ()
    period = DAY
    if all(value is None for value in (time_gap, *given.values())):
        folds, division = make_splits(tables, procedure, random_state), None
        warn_of_dependent_tables(tables)
    else:
        dependent = TablesWithGroupsAndTimes(
            tables, given, time_gap, text_format.date_format, alerts, counted
        )
        tables, (folds, division) = dependent.tables, dependent.split(procedure, random_state)
        daily, period = next(iter(folds.values())).daily_score_names, next(iter(folds.values())).period
    if missing := [name for name in shown if name in PER_DAY and name not in daily]:
        needed = (
            "amounts; give alerts['amount']"
            if missing[0] == "money_saved_per_day"
            else "groups; give groups= or alerts['by']"
        )
        raise ParameterError(f"{missing[0]!r} needs {needed}")
    shown = tuple(dict.fromkeys([*shown, *daily]))
    trivial = policies_by_display_name(policies, learners)
    records = run(
        learners | trivial,
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
        raise DataError(f"no method could be fitted; the first error was: {records[0]['failure']}")
    about = (float(level), random_state, records, division, tuple(trivial), period)
    found = Comparison(procedure, score, shown, *about)
    if folder is not None:
        write_folds(folder / "folds.json", folds)
        found.save(folder)
    return found


def _check_measures(measures: Sequence[str], alerts: Any, time: Any) -> None:
    """Reject unknown metrics, and an alert budget that is not one per period of time."""
    if alerts is not None and not is_per_period(alerts):
        raise ParameterError(
            "alerts must be a budget per period of time, such as {'alerts': 200, 'per': '1d'}, got "
            f"{value_text(alerts)}"
        )
    if time is None:
        check_budget_period(alerts, None, "alerts")
    if measures[0] in COUNTS:
        raise ParameterError(
            f"score must not be {measures[0]!r}, of which neither more nor less is better; list it in "
            "measures="
        )
    known = MEASURES if alerts is None else (*MEASURES, *PER_DAY)
    for measure in measures:
        if measure in PER_DAY and alerts is None:
            raise ParameterError(
                f"{measure!r} needs a budget and times; give alerts={{'alerts': 200, 'per': '1d'}} and time="
            )
        if measure not in known:
            meant = closest_name(measure, known)
            hint = f"did you mean {meant!r}?" if meant else f"available are {', '.join(known)}"
            raise ParameterError(f"{measure!r} is not a metric of a record; {hint}")


def _tables_by_name(X: Any, y: Any, positive: Any) -> Mapping[str, Any]:
    if y is not None:
        if isinstance(X, Mapping) and isinstance(y, Mapping):
            raise ParameterError(
                "y is a mapping; if X maps names to tables, give the methods as methods=, without y"
            )
        return {"data": (X, y) if positive is None else (X, y, positive)}
    if not isinstance(X, Mapping):
        raise ParameterError("y is missing; without it X must be a mapping from names to (X, y)")
    if positive is not None:
        raise ParameterError("give the positive class of each of several tables as (X, y, positive)")
    return X


name_package_in_errors(globals())
