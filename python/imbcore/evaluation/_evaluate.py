"""Entry point of evaluations: methods and classifiers on user data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args, overload

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings.options import resolve_seed
from imbcore._bindings.parameters import fractions_to_row_counts, reject_unknown_parameters
from imbcore._bindings.training import validate_sample_weights
from imbcore._bindings.trials import (
    NativeEvaluationPlan,
    Rows,
    check_method_parameters,
    create_splits,
    cross_validate,
)
from imbcore._bindings.user_objects import user_object_names
from imbcore._signatures import MethodName
from imbcore._validation.alert_budget import (
    alert_budget_as_threshold,
    alert_budget_groups,
    parse_alert_budget,
)
from imbcore._validation.arguments import argument_names_of, name_package_in_errors, suggest_closest_name
from imbcore._validation.costs import cost_matrix_of_goal
from imbcore._validation.dependence import seconds_to_dates, split_off_columns
from imbcore._validation.dependence_check import warn_of_dependent_rows, warn_of_group_column
from imbcore._validation.frame import to_training_data
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.labels import Target
from imbcore._validation.options import OPTIONS, add_options_to_signature, pop_fit_options
from imbcore._validation.text_format import TextFormat
from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_whole_number
from imbcore.evaluation._dependence import Splits, TableGroupsAndTimes
from imbcore.evaluation._entries import MethodToEvaluate, parse_methods
from imbcore.evaluation._evaluation import Evaluation, Evaluations
from imbcore.evaluation._few_positives import count_positives, warn_of_few_positives
from imbcore.evaluation._given_splits import GivenSplits
from imbcore.evaluation._group_intervals import jackknife_means
from imbcore.evaluation._held_out_scores import HeldOutScores
from imbcore.evaluation._scores import DAY, order_scores
from imbcore.evaluation._streamed_folds import SourceTable
from imbcore.exceptions import ParameterError, UnsupportedError
from imbcore.metrics._daily_alerts import DailyAlerts, amount_column, column_values
from imbcore.metrics._periods import mean_rows_per_day
from imbcore.streaming.dependent_rows import warn_of_dependent_source
from imbcore.streaming.fit import is_source, reject_source_options
from imbcore.streaming.readers.source import CHUNK_ROWS

__all__ = ["evaluate"]


@overload
def evaluate(X: Any, y: Any, method: list[Any] | Mapping[str, Any], **parameters: Any) -> Evaluations: ...


@overload
def evaluate(X: Any, y: Any, method: Any = ..., **parameters: Any) -> Evaluation: ...


@add_options_to_signature
@match_rows_by_index
def evaluate(
    X: Any,
    y: Any,
    method: Any = "forest",
    *,
    folds: Any = 5,
    repeats: int = 1,
    groups: Any = None,
    time: Any = None,
    time_gap: Any = None,
    label_time: Any = None,
    alerts: Any = None,
    level: float = 0.95,
    columns: Sequence[str] | None = None,
    batch_size: int = CHUNK_ROWS,
    sample: int | None = None,
    policies: bool | str = False,
    **parameters: Any,
) -> Evaluation | Evaluations:
    """Score methods on held-out rows: by stratified, grouped or time-ordered cross-validation.

    Parameters
    ----------
    X, y
        As in :func:`imbcore.fit`: a table and its labels, or a source of rows that may be larger than memory
        and the name of the label column.
    method : str, classifier, list or dict, default="forest"
        Name of a method, a classifier with the scikit-learn API, or a learner of :mod:`imbcore.evaluation`.
        Several of these, as a list or as the values of a dict with their names, are evaluated on the same
        splits. A pair ``(method, {...})`` sets parameters and options of one method. The possible options are
        ``class_weight``, ``cost_matrix``, ``cost_strategy``, ``threshold`` and ``calibrate``. The values of a
        pair override ``parameters``, which apply to all methods.
    folds : int, list of tuple, or splitter, default=5
        Number of folds, at least 2; each fold is the test set once.
        Or own splits, as ``cv`` of scikit-learn: a splitter such as ``ShuffleSplit``, or pairs ``(train,
        test)``. ``train`` and ``test`` are positions of rows, or one boolean per row. ``groups``, ``time``
        and ``time_gap`` do not change own splits: they apply to scores and to choices inside the fits, such
        as that of a threshold. ``label_time`` still drops training rows.
    repeats : int, default=1
        Number of repetitions with different folds, at least 1.
    groups : sequence of shape (n_rows,), default=None
        Group of every row, such as a customer, or the name of a column, which is then not a feature. Each row
        with a missing value is a group of its own. Without ``time``, a group is never split between folds,
        and the classes are distributed over the folds as evenly as the groups allow. With ``time``, training
        rows of groups that occur in a test set are dropped from its training set. None: stratified folds of
        rows, unless ``time`` is given.
    time : sequence of shape (n_rows,), default=None
        Time of every row: numbers, dates, or ISO 8601 text; or the name of a column, which is then not a
        feature. Rows need not be sorted. The rows are divided in the order of time into ``folds + 1`` parts;
        rows with equal times stay in one part. Every part except the first is a test set. The earlier rows
        are used for training, except the rows that ``time_gap``, ``label_time`` or ``groups`` exclude.
    time_gap : int, timedelta, str or dict, default=None
        If ``time`` is given: gap between every training set and its test set. Rows in the gap are not used
        for training. An integer is a number of rows, as in scikit-learn's ``TimeSeriesSplit``. If times are
        dates, the gap may also be a timedelta or text such as "7d". If times are numbers, it may be
        ``{"time": 7.0}``.
    label_time : sequence of shape (n_rows,), default=None
        If ``time`` is given: the time when the label of every row became known, or the name of the column of
        these times. Rows whose label became known after the first time of a test set are dropped from its
        training set.
    alerts : float or dict, default=None
        Alert budget for precision and recall: a number of alerts for all rows together, or ``{"alerts": 200,
        "per": 50000}``, or ``{"alert_rate": 0.01}``. The budget is converted to a fraction of the rows, which
        applies to each test set.
        With ``time``, ``{"alerts": 200, "per": "1d"}`` adds the scores per day of :mod:`imbcore.metrics`,
        such as ``precision_at_k_per_day``. The key ``"by"`` names the column of cards or customers (default:
        ``groups``). The key ``"amount"`` names the column of amounts (default: the column of the cost of a
        miss in ``costs``). The cost of an alert is ``costs["alarm"]`` if this is a number, else 0.
        For another period, such as "7d", these scores are per period instead of per day. Only
        ``days_to_detection`` is in days for any period; if times are numbers, it is in the unit of the times.
    level : float, default=0.95
        Confidence level of the intervals, in (0, 1).
    columns, batch_size
        Names of the features, and number of rows read at a time, if ``X`` is a source of rows, as in
        :func:`imbcore.fit`.
    sample : int or None, default=None
        For a source: fit in memory to all rows of the positive class and to a random sample of this many rows
        of every other class, in each training set. All rows of the test sets are tested.
    policies : bool or str, default=False
        Whether to also evaluate trivial policies on the same splits. "(never)" predicts no row as positive,
        and "(always)" predicts every row as positive. "(random)" ranks the rows at random. "(largest amount)"
        ranks the rows by an amount: the column that ``policies`` names, or, if ``policies`` is True, the
        column of the cost of a miss in ``costs``. With policies, the result is an ``Evaluations``, as for
        several methods.
    **parameters
        Parameters of the method.

    Returns
    -------
    Evaluation or Evaluations
        Scores of every test set. For several methods, the result is a mapping from method names to
        evaluations. ``print`` shows the scores, ``to_frame`` creates a data frame.

    Raises
    ------
    ParameterError, DataError
        As in :func:`imbcore.fit`; also if the rows cannot be split by ``folds``, ``groups`` or ``time``, or
        if ``alerts`` is invalid.

    UnsupportedError
        A method needs all rows of a source in memory, and the rows do not fit into memory.

    Notes
    -----
    For a source, methods with streaming support are trained and tested in chunks; the scores are
    bit-identical to those in memory. Other methods and classifiers load the rows, if they fit into memory. A
    fold takes one or two passes over the data, and one for its test set.

    ``cost_matrix``, or ``costs`` that name columns, also define ``expected_cost``. Classifiers with
    probabilities then predict the class of minimum expected cost, or by ``threshold`` if it is a number, like
    methods given by name; an entry ``(classifier, {"cost_matrix": None})`` keeps the output of its
    ``predict``. ``threshold={"cost": ...}`` defines ``expected_cost``, too. Classifiers are cloned; their
    seeds are derived from ``random_state``, so equal classifiers give equal results. They use one thread
    unless their own ``n_jobs`` or ``n_threads`` is set.

    Examples
    --------
    >>> import imbcore
    >>> X = [[float(i)] for i in range(40)]
    >>> result = imbcore.evaluate(X, [0] * 30 + [1] * 10, method="cart", folds=5, random_state=0)
    >>> result.positive, len(result.metrics["g_mean"])
    (1, 5)
    >>> several = imbcore.evaluate(X, [0, 0, 0, 1] * 10, ["cart", "hddt"], time=range(40), folds=3)
    >>> list(several), several["cart"].rows.tolist()[0]
    (['cart', 'hddt'], 10)
    """
    entries, alone = parse_methods(method)
    text_format, options = TextFormat.pop_options(parameters), pop_fit_options(parameters)
    _reject_unknown_parameters(entries, parameters)
    trivial: list[MethodToEvaluate] = []
    if policies is not False:
        # Imports scikit-learn.
        from imbcore.evaluation._policies import policies_to_evaluate

        trivial = policies_to_evaluate(policies, options["costs"], [entry.name for entry in entries])
        entries, alone = [*entries, *trivial], False
    source = None
    amount, by = amount_column(alerts, options["costs"]), alert_budget_groups(alerts)
    budgets = _alert_budget_columns(entries, options, by)
    if is_source(X, y):
        source = SourceTable.open(
            X,
            y,
            (groups, time, label_time, *budgets),
            options,
            columns,
            batch_size=batch_size,
            sample=sample,
            text_format=text_format,
        )
        if groups is None and time is None:
            warn_of_dependent_source(X, source.source, source.nominal, near_duplicates=True)
        options["sample_weight"], rows = source.weights(), source.placeholder_rows
        groups, time, label_time = map(source.column, (groups, time, label_time))
        budgets = {name: source.column(name) for name in budgets}
        amounts = source.column(amount)
    nominal, names = options.pop("categorical_features"), options.pop("feature_names")
    of_table = {"categorical_features": nominal, "feature_names": names}
    if source is None:
        who = entries[0].name if alone else "evaluate"
        text_format.reject_unsupported_options("a table in memory", allowed=("date_format",))
        reject_source_options(columns, sample)
        named = {f"'by' of an alert budget, {name!r}": name for name in budgets}
        amounts = column_values(X, amount)
        X, values = split_off_columns(
            X, **{"groups": groups, "time": time, "label_time": label_time, **named}
        )
        groups, time, label_time = (values.pop(name) for name in ("groups", "time", "label_time"))
        budgets = dict(zip(budgets, values.values(), strict=True))
        rows = to_training_data(X, y, nominal, names, who, constant=False)
        if groups is None and time is None:
            warn_of_dependent_rows(*rows, near_duplicates=True)
    dependence = TableGroupsAndTimes.from_arguments(
        len(rows[1].codes), groups, time, time_gap, label_time, text_format.date_format
    )
    if source is None:
        warn_of_group_column(rows[0], rows[2], dependence.groups)
    by = budgets[by] if isinstance(by, str) else by
    daily = DailyAlerts.from_budget(alerts, dependence, len(rows[1].codes), by, amounts, options["costs"])
    own = GivenSplits.from_argument(folds, len(rows[1].codes), rows[1].codes, dependence.groups)
    plan = _plan_splits(dependence, own or folds, repeats, None if daily else alerts)
    if own is not None and own.repeats > 1 and daily is not None:
        raise ParameterError("folds must have test sets without common rows with alerts per time span")
    if not isinstance(level, float) or not 0 < level < 1:  # type: ignore[redundant-expr]
        raise ParameterError(f"level must be a number in (0, 1), got {value_text(level)}")
    options["random_state"] = resolve_seed(options["random_state"])
    splits = Splits(
        create_splits(rows, plan, _add_goal_costs(options, rows[1].classes)),
        dependence,
        rows[1].codes,
        budgets,
        own,
    )
    if len(rows[1].classes) == 2:
        is_positive = rows[1].codes == splits.trial.positive
        tests = ((place, splits.rows(*place)[1]) for place in splits.tests)
        warn_of_few_positives(
            count_positives(tests, is_positive), rows[1].classes.tolist()[splits.trial.positive]
        )
    # Use the positive class found once, with its warning, for all methods.
    options["positive"] = rows[1].classes.tolist()[splits.trial.positive]
    budget = alert_budget_as_threshold(alerts, len(rows[1].codes))
    if source is None:
        _check_methods(entries, rows, options, parameters)
    _check_classifiers(entries, splits, options, len(rows[1].classes))
    found = {
        entry.name: _evaluate_method(entry, source or (X, rows), splits, options | of_table, parameters)
        for entry in sorted(entries, key=_is_known_method)
    }
    results = {
        entry.name: _make_evaluation(
            entry.name, found[entry.name], rows[1], splits, (own or plan, daily, budget), options, level=level
        )
        for entry in entries
    }
    return results[entries[0].name] if alone else Evaluations(results, [entry.name for entry in trivial])


def _alert_budget_columns(
    entries: Sequence[MethodToEvaluate], options: Mapping[str, Any], by: Any
) -> dict[str, Any]:
    """Return the columns that alert budgets count by, as keys; ``by`` is that of the scores."""
    rules = [options["threshold"], *(entry.own.get("threshold") for entry in entries)]
    names = [by, *map(alert_budget_groups, rules)]
    if learners := [entry.what for entry in entries if not entry.is_named_method]:
        # Imports scikit-learn.
        from imbcore.evaluation._budget_groups import budget_group_columns

        names += budget_group_columns(learners)
    return {name: None for name in names if isinstance(name, str)}


def _add_goal_costs(options: Mapping[str, Any], classes: Any) -> Mapping[str, Any]:
    """Return the options with the costs of the threshold rule, unless costs are given."""
    if options["costs"] is not None or options["cost_matrix"] is not None:
        return options
    costs = cost_matrix_of_goal(options["threshold"], classes)
    return options if costs is None else {**options, "threshold": None, "cost_matrix": costs}


def _reject_unknown_parameters(entries: Sequence[MethodToEvaluate], parameters: Mapping[str, Any]) -> None:
    """Reject parameters that a method does not have, and parameters for a classifier."""
    arguments = argument_names_of(evaluate)
    options = {option.name for option in OPTIONS}
    for entry in entries:
        if entry.is_named_method:
            own = {name: value for name, value in entry.own.items() if name not in options}
            reject_unknown_parameters(entry.what, {**parameters, **own}, arguments)
    other = next((entry.name for entry in entries if not entry.is_named_method), None)
    if other is None or not parameters:
        return
    for name in parameters:
        if hint := suggest_closest_name(name, arguments):
            raise ParameterError(f"evaluate has no argument `{name}`{hint}")
    raise ParameterError(
        f"{sorted(parameters)} are parameters of methods by name and do not apply to {other}; set "
        "them in the classifier, or give parameters to one method: (method, {...})"
    )


def _check_methods(
    entries: Sequence[MethodToEvaluate], rows: Rows, options: Mapping[str, Any], parameters: Mapping[str, Any]
) -> None:
    """Check the parameters and options of every method by name before the first fit."""
    for entry in (entry for entry in entries if entry.is_named_method):
        own = _method_parameters(entry, options, parameters)
        if not user_object_names(own):
            own = fractions_to_row_counts(entry.what, own, len(rows[1].codes))
            check_method_parameters(entry.what, own, rows, _method_options(entry, options))


def _check_classifiers(
    entries: Sequence[MethodToEvaluate], splits: Splits, options: Mapping[str, Any], n_classes: int
) -> None:
    """Check the options of every classifier before the first fit."""
    classifiers = [entry for entry in entries if not entry.is_named_method]
    if classifiers:
        # Imports scikit-learn.
        from imbcore.evaluation._estimator_folds import learner_and_decision_rule

        for entry in classifiers:
            learner_and_decision_rule(entry, splits, _method_options(entry, options), n_classes)


def _method_options(entry: MethodToEvaluate, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a method: its own, else the shared ones."""
    return {name: entry.own.get(name, value) for name, value in options.items()}


def _method_parameters(
    entry: MethodToEvaluate, options: Mapping[str, Any], parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the parameters of an entry: for a method its own and the shared ones."""
    own = {name: value for name, value in entry.own.items() if name not in options}
    return {**parameters, **own} if entry.is_named_method else own


def _is_known_method(entry: MethodToEvaluate) -> bool:
    """Sort key that evaluates unknown method names first, so that they fail before long fits."""
    return not entry.is_named_method or entry.what in get_args(MethodName)


def _plan_splits(
    dependence: TableGroupsAndTimes, folds: Any, repeats: Any, alerts: Any
) -> NativeEvaluationPlan:
    """Determine the splits without regard to dropped rows, or from own splits."""
    if isinstance(folds, GivenSplits):
        if repeats != 1:
            raise ParameterError(f"repeats must be 1 with own splits in folds, got {value_text(repeats)}")
        return NativeEvaluationPlan(2, 1, None, None, 0, None, parse_alert_budget(alerts))
    folds, repeats = validate_whole_number("folds", folds, 2), validate_whole_number("repeats", repeats, 1)
    if dependence.time is not None and repeats > 1:
        raise ParameterError(
            f"repeats must be 1 with time, which allows only one split, "
            f"got {repeats}; increase folds for more test sets"
        )
    groups = dependence.groups if dependence.time is None else None
    gap = (dependence.gap_rows, dependence.gap_time)
    return NativeEvaluationPlan(folds, repeats, groups, dependence.time, *gap, parse_alert_budget(alerts))


def _evaluate_method(
    entry: MethodToEvaluate,
    table: tuple[Any, Rows] | SourceTable,
    splits: Splits,
    options: Mapping[str, Any],
    parameters: Mapping[str, Any],
) -> dict[str, Any]:
    """Compute scores and probabilities of one method or classifier."""
    given = _method_options(entry, options)
    columns = {name: given.pop(name) for name in ("categorical_features", "feature_names")}
    own = _method_parameters(entry, options, parameters)
    if isinstance(table, SourceTable):
        try:
            return table.evaluate(entry, splits, given, own)
        except UnsupportedError as error:
            table = table.load_all_rows(error, entry.name)
    X, rows = table
    if entry.is_named_method and not user_object_names(own):
        # A fraction of the rows is another number of rows in every fold.
        has_fractions = fractions_to_row_counts(entry.what, own, len(rows[1].codes)) != own
        if splits.uses_native_splits_unchanged and not has_fractions:
            related = splits.groups_and_times_for_fit(given["threshold"], len(rows[1].codes))
            options = {**given, "dependence": related}
            return cross_validate(entry.what, entry.name, own, rows, splits.trial, options)
        from imbcore.evaluation._method_folds import evaluate_method

        return evaluate_method(entry, own, rows, splits, given)
    from imbcore.evaluation._estimator_folds import evaluate_estimator, method_to_learner

    if entry.is_named_method:
        entry, given = method_to_learner(entry, own, given | columns)
    return evaluate_estimator(entry, X, rows[1], splits, given)


def _make_evaluation(
    name: str,
    found: Mapping[str, Any],
    target: Target,
    splits: Splits,
    measured: tuple[NativeEvaluationPlan | GivenSplits, DailyAlerts | None, dict[str, Any] | None],
    options: Mapping[str, Any],
    *,
    level: float,
) -> Evaluation:
    trial, groups, without = splits.trial, splits.dependence.groups, None
    plan, daily, budget = measured
    weights = validate_sample_weights(options["sample_weight"], len(target.codes))
    scored = HeldOutScores(found, target, splits, weights, daily)
    if groups is not None:
        without = jackknife_means(scored, groups, options["random_state"])
    fold = splits.tested
    tested: NDArray[np.int64] = np.flatnonzero(fold >= 0)
    proba = found["proba"]
    return Evaluation(
        method=name,
        metrics=order_scores(scored.by_fold()),
        folds=plan.folds,
        repeats=plan.repeats,
        positive=target.classes.tolist()[trial.positive],
        classes_=target.classes,
        y=target.classes[target.codes[tested]],
        fold=fold[tested],
        proba=None if proba is None else proba[tested],
        predicted=target.classes[found["predicted"][tested]],
        rows=tested,
        n_rows=len(target.codes),
        division=splits.text,
        dropped=splits.dropped,
        test_to_train=splits.test_to_train,
        without_groups=without,
        groups=None if groups is None else groups[tested],
        weights=None if weights is None else weights[tested],
        level=level,
        period=DAY if daily is None else daily.period,
        rows_per_day=_rows_per_day(splits.dependence, tested),
        alerts=budget,
    )


def _rows_per_day(dependence: TableGroupsAndTimes, tested: NDArray[np.int64]) -> int | None:
    """Return the mean number of tested rows per day."""
    if dependence.time is None:
        return None
    times = dependence.time[tested]
    return mean_rows_per_day(seconds_to_dates(times) if dependence.dated else times)


name_package_in_errors(globals())
