"""Comparison of two fitted models on the same labeled rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.options import resolve_seed
from imbcore._bindings.positive import positive_label_of_model
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.costs import cost_matrix_by_class
from imbcore._validation.dependence import group_codes, split_off_columns
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.user_warnings import warn_user
from imbcore._validation.values import to_label_array
from imbcore.decisions._over_time import call_with_threads
from imbcore.exceptions import DataError, ParameterError

Numbers = NDArray[np.float64]
N_DRAWS = 1000
"""Number of draws of the bootstrap."""
# The intervals are much too narrow with 2 or 3 positive groups; 10 leaves a margin.
_FEWEST_UNITS = 10
# Metric and whether more is better; None for a count.
_METRICS = {
    "average_precision": True,
    "roc_auc": True,
    "recall": True,
    "precision": True,
    "alert_rate": None,
    "expected_cost": False,
}


@match_rows_by_index
def compare_models(
    old: Any,
    new: Any,
    X: Any,
    y: Any,
    *,
    groups: Any = None,
    cost_matrix: Any = None,
    random_state: Any = 0,
    n_threads: int | None = None,
) -> list[dict[str, Any]]:
    """Compare a new model with an old model on the same labeled rows.

    The rows must not be training rows of either model. The intervals are those of the percentile bootstrap
    (Efron and Tibshirani 1993, chapter 13): 1000 times, rows or whole groups are drawn with replacement. A
    draw without positive or without negative rows is skipped. The intervals are too narrow if few rows, or
    few groups, are positive or negative; with fewer than 10, there is a ``DataWarning`` and no verdict.

    Parameters
    ----------
    old, new : Model or classifier
        Fitted, with the same classes and the same positive class.
    X : table of shape (n_rows, n_features)
        Rows, with the columns of both models.
    y : sequence of shape (n_rows,)
        Labels of the rows.
    groups : sequence of shape (n_rows,) or name of a column, default=None
        Groups of dependent rows, such as customers, which are drawn as a whole. The scores refer to rows.
    cost_matrix : array or dict, default=None
        Costs for ``"expected_cost"``, as in :meth:`imbcore.Model.score_metrics`.
    random_state : int, Generator, RandomState or None, default=0
        Seed of the draws.
    n_threads : int, default=None
        Number of threads of the predictions; -1 uses all cores. None: the defaults of the models.

    Returns
    -------
    list of dict
        One entry for each metric:

        - ``metric``: "average_precision", "roc_auc", "recall", "precision", "alert_rate" (proportion of rows
          predicted positive), or "expected_cost" if ``cost_matrix`` is given.
        - ``old`` and ``new``: the values of both models.
        - ``difference``: ``new`` minus ``old``; ``low`` and ``high``: the ends of its 95 % interval. Each of
          these five numbers is None if it is undefined.
        - ``n_draws``: number of draws from which the interval is computed.
        - ``better`` and ``worse``: whether the whole interval shows that the new model is better or worse;
          None for the alert rate, and if fewer than 10 rows or groups are positive or negative.

    Raises
    ------
    ParameterError
        The models have different classes or positive classes, or ``n_threads`` is given for a classifier
        without this option.
    DataError
        The number of labels or groups differs from the number of rows; ``y`` has a label that the models do
        not have, or no positive or no negative row.

    Examples
    --------
    >>> import imbcore
    >>> from imbcore.datasets import make_disjunct_grid
    >>> from imbcore.decisions import compare_models
    >>> X, y = make_disjunct_grid(3000, random_state=0)
    >>> old = imbcore.fit(X[::30], y[::30], "cart", random_state=0)
    >>> new = imbcore.fit(X[::3], y[::3], "forest", random_state=0)
    >>> found = compare_models(old, new, X[1::3], y[1::3])
    >>> found[0]["metric"], found[0]["better"]
    ('average_precision', True)
    """
    classes, positive = _shared_classes(old, new)
    X, given = split_off_columns(X, groups=groups)
    codes = _class_codes(y, classes)
    is_positive = np.asarray(codes == classes.index(positive), dtype=np.uint32)
    if not 0 < is_positive.sum() < len(codes):
        raise DataError("y must contain rows of the positive class and of another class")
    costs = None if cost_matrix is None else cost_matrix_by_class(cost_matrix, np.asarray(classes))
    if costs is not None and costs.shape != (len(classes),) * 2:
        raise ParameterError(
            f"cost_matrix must have one row and one column for each of {classes}, got an array of shape "
            f"{costs.shape}"
        )
    models = [
        _ModelRows.from_model(model, X, codes, classes, positive, costs, n_threads) for model in (old, new)
    ]
    units = np.arange(len(codes)) if groups is None else group_codes(given["groups"], len(codes))
    n_units = int(units.max()) + 1
    decided = _has_enough_units(units, is_positive, "rows" if groups is None else "groups")
    rng = np.random.default_rng(resolve_seed(random_state))
    values = np.array([rows.values(is_positive, np.ones(len(codes))) for rows in models])
    differences = []
    for _ in range(N_DRAWS):
        drawn = rng.integers(0, n_units, n_units)
        weights = np.bincount(drawn, minlength=n_units)[units].astype(np.float64)
        if 0 < weights @ is_positive < weights.sum():
            first, second = (rows.values(is_positive, weights) for rows in models)
            differences.append(second - first)
    table = np.array(differences).reshape(-1, len(_METRICS))
    return [
        _describe(name, values[:, place], table[:, place], decided)
        for place, name in enumerate(_METRICS)
        if name != "expected_cost" or costs is not None
    ]


class _ModelRows(NamedTuple):
    """Scores, alerts and costs of the rows by one model."""

    scores: Numbers
    alerts: Numbers
    costs: Numbers

    @classmethod
    def from_model(
        cls,
        model: Any,
        X: Any,
        codes: NDArray[np.int64],
        classes: list[Any],
        positive: Any,
        costs: Any,
        n_threads: int | None,
    ) -> _ModelRows:
        """Predict rows."""
        proba = np.asarray(call_with_threads(model, "predict_proba", X, n_threads), dtype=np.float64)
        if len(proba) != len(codes):
            raise DataError(f"X has {len(proba)} rows, but y has {len(codes)} labels")
        predicted = _class_codes(call_with_threads(model, "predict", X, n_threads), classes)
        place = classes.index(positive)
        of_rows = np.zeros(len(codes)) if costs is None else np.asarray(costs)[codes, predicted]
        return cls(np.ascontiguousarray(proba[:, place]), (predicted == place).astype(np.float64), of_rows)

    def values(self, is_positive: NDArray[np.uint32], weights: Numbers) -> Numbers:
        """Compute the metrics of weighted rows in the order of ``_METRICS``; NaN if undefined."""
        # Both areas from one sort: a quarter of the time of the functions of imbcore.metrics.
        sweep = native.metrics.Sweep(is_positive, 1, self.scores, weights)
        total, n_positive, n_alerts = weights.sum(), weights @ is_positive, weights @ self.alerts
        hits = weights @ (self.alerts * is_positive)
        return np.array(
            [
                sweep.average_precision(),
                sweep.auc(),
                hits / n_positive,
                hits / n_alerts if n_alerts else np.nan,
                n_alerts / total,
                weights @ self.costs / total,
            ]
        )


def _shared_classes(old: Any, new: Any) -> tuple[list[Any], Any]:
    """Return the classes and the positive class of two models."""
    found = []
    for name, model in (("old", old), ("new", new)):
        positive = positive_label_of_model(model)
        if positive is None or not hasattr(model, "classes_"):
            raise ParameterError(
                f"{name} must be a fitted model or classifier of imbcore, got {type(model).__name__}"
            )
        found.append((np.asarray(model.classes_).tolist(), positive))
    if found[0] != found[1]:
        shown = [f"{classes} with the positive class {positive!r}" for classes, positive in found]
        raise ParameterError(f"old and new must have the same classes, got {shown[0]} and {shown[1]}")
    return found[0]


def _class_codes(labels: Any, classes: list[Any]) -> NDArray[np.int64]:
    """Return the position of each label among the classes."""
    code = {label: place for place, label in enumerate(classes)}
    values = to_label_array(labels, "y").tolist()
    if unknown := [label for label in dict.fromkeys(values) if label not in code]:
        raise DataError(f"y contains the label {unknown[0]!r}, which the models do not have: {classes}")
    return np.array([code[label] for label in values], dtype=np.int64)


def _has_enough_units(units: NDArray[Any], is_positive: NDArray[np.uint32], what: str) -> bool:
    """Return whether enough rows or groups are of each class; warn if not."""
    counts = [len(np.unique(units[is_positive == code])) for code in (1, 0)]
    if min(counts) >= _FEWEST_UNITS:
        return True
    which = "positive" if counts[0] < _FEWEST_UNITS else "negative"
    counted = f"{which} rows" if what == "rows" else f"groups with {which} rows"
    warn_user(
        f"compare_models cannot tell which model is better: there are fewer than {_FEWEST_UNITS} {counted} "
        f"({min(counts)}), and the intervals of so few are often too narrow; collect at least {_FEWEST_UNITS}"
    )
    return False


def _describe(metric: str, values: Numbers, differences: Numbers, decided: bool) -> dict[str, Any]:
    """Describe the difference of one metric; None for undefined values."""
    known = differences[~np.isnan(differences)]
    low, high = np.quantile(known, [0.025, 0.975]).tolist() if len(known) else (np.nan, np.nan)
    more = _METRICS[metric] if decided else None
    old, new = values.tolist()
    numbers = {"old": old, "new": new, "difference": new - old, "low": low, "high": high}
    return {
        "metric": metric,
        **{name: None if value != value else value for name, value in numbers.items()},
        "n_draws": len(known),
        "better": None if more is None else bool(low > 0 if more else high < 0),
        "worse": None if more is None else bool(high < 0 if more else low > 0),
    }


name_package_in_errors(globals())
