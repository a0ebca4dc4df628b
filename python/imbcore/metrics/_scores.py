"""Curves of scores and the areas under them."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from imbcore._bindings import native
from imbcore._validation.alert_budget import counted_groups
from imbcore._validation.arguments import explain_functions
from imbcore._validation.costs import goal_text
from imbcore._validation.labelled import rows_by_index
from imbcore._validation.remarks import warn_user
from imbcore._validation.row_dependence import RowDependence
from imbcore._validation.value_text import value_text
from imbcore._validation.values import (
    Codes,
    Numbers,
    encode,
    flag,
    labels_of,
    numbers_of,
    real_number,
    text_of,
    weights_of,
)
from imbcore.exceptions import ParameterError
from imbcore.metrics._target import is_one_column, labelled_scores, matrix_target, target, warn

_ONE_CLASS = "only one class is present in y_true; the area under the ROC curve is undefined"


@rows_by_index
def roc_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = True,
) -> tuple[Numbers, Numbers, Numbers]:
    """ROC curve: one point per distinct score, after (0, 0) at threshold infinity.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels.
    y_score : array-like of shape (n_rows,)
        Finite scores, larger for the positive class.
    positive, pos_label : label, default=None
        Positive class; both names have the same meaning. None: label 1 if the labels are 0 and 1 or -1 and 1,
        True if they are False and True; else the rarer class, in case of ties the greater label; see "The
        positive class" in the documentation.
    sample_weight : array-like of shape (n_rows,), default=None
        Non-negative, finite row weights.
    drop_intermediate : bool, default=True
        Whether to drop points in the middle of straight segments of the curve.

    Returns
    -------
    fpr, tpr, thresholds : ndarray of shape (n_points,)
        A row is predicted positive if its score is at least the threshold. A rate over no rows is NaN.
    """
    sweep = swept(y_true, y_score, positive, pos_label, sample_weight)
    if not sweep.negatives:
        warn("y_true has no negative rows; the false positive rate is undefined")
    if not sweep.positives:
        warn("y_true has no positive rows; the true positive rate is undefined")
    return sweep.roc(flag("drop_intermediate", drop_intermediate))


def swept(
    y_true: ArrayLike,
    y_score: ArrayLike,
    positive: object,
    pos_label: object,
    sample_weight: ArrayLike | None,
) -> native.metrics.Sweep:
    weights = weights_of(sample_weight)
    codes, code = target(y_true, positive, pos_label, weights)
    return native.metrics.Sweep(codes, code, numbers_of(y_score, "y_score"), weights)


@rows_by_index
def precision_recall_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = False,
) -> tuple[Numbers, Numbers, Numbers]:
    """Precision-recall curve, one point per distinct score.

    Parameters are those of :func:`roc_curve`; ``drop_intermediate`` keeps the first and last point of each
    recall.

    Returns
    -------
    precision, recall : ndarray of shape (n_thresholds + 1,)
        Decreasing recall; the last point has precision 1, recall 0 and no threshold.
    thresholds : ndarray of shape (n_thresholds,)
        Increasing scores.
    """
    sweep = swept(y_true, y_score, positive, pos_label, sample_weight)
    if not sweep.positives:
        warn("y_true has no positive rows; recall is set to one for all thresholds")
    return sweep.precision_recall(flag("drop_intermediate", drop_intermediate))


@rows_by_index
def roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    multi_class: str = "raise",
    labels: ArrayLike | None = None,
) -> float | Numbers:
    """Area under the ROC curve; NaN with a warning if only one class has rows.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels.
    y_score : array-like of shape (n_rows,) or (n_rows, n_classes)
        Scores of the positive class, or one column per class.
    positive, pos_label : label, default=None
        Class to which a single column of scores refers; both names have the same meaning; None as in
        :func:`roc_curve`. Ignored if every class has a column.
    average : {"macro", "weighted"} or None, default="macro"
        For more than two classes: mean over the classes, or pairs of classes, with equal weights ("macro"),
        mean weighted by the numbers of rows ("weighted"), or one value per class (None).
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights.
    multi_class : {"raise", "ovr", "ovo"}, default="raise"
        For more than two classes: an error ("raise"), each class against the rest ("ovr"), or each pair of
        classes ("ovo", Hand and Till 2001).
    labels : array-like of shape (n_classes,), default=None
        Classes of the columns, sorted. Needed if some classes are not in ``y_true``; these classes are left
        out of the mean.
    """
    scores, labels = labelled_scores(y_true, y_score, labels, "y_score")
    if is_one_column(scores):
        return defined(swept(y_true, scores, positive, pos_label, sample_weight).auc())
    if multi_class not in ("ovr", "ovo"):
        raise ParameterError("multi_class must be in ('ovo', 'ovr') for scores with one column per class")
    if average not in ("macro", "weighted", None) or (average is None and multi_class == "ovo"):
        raise ParameterError(f"average={average!r} is not supported for multi_class={multi_class!r}")
    _, codes, scores = matrix_target(y_true, scores, labels, "y_score")
    weights = weights_of(sample_weight)
    if average is None:
        return native.metrics.one_vs_rest("auc", codes, scores, weights)
    if multi_class == "ovo":
        return defined(native.metrics.hand_till(codes, scores, weights, average))
    return defined(native.metrics.one_vs_rest_mean("auc", codes, scores, weights, average))


def defined(area: float) -> float:
    if isnan(area):
        warn(_ONE_CLASS)
    return area


@rows_by_index
def wauroc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """One-against-rest AUC weighted by the prevalence of each class (WAUROC).

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels.
    y_score : array-like of shape (n_rows, n_classes), or (n_rows,) for two classes
        One column per class in sorted order, or the scores of the positive class.
    labels : array-like of shape (n_classes,), default=None
        Classes of the columns. Needed if some classes are not in ``y_true``; these classes are left out of
        the mean.
    positive, pos_label : label, default=None
        Positive class, as in :func:`roc_auc_score`.
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights.

    References
    ----------
    Provost and Domingos, "Tree induction for probability-based ranking", 2003.
    """
    scores, labels = labelled_scores(y_true, y_score, labels, "y_score")
    if is_one_column(scores):
        return defined(swept(y_true, scores, positive, pos_label, sample_weight).auc())
    _, codes, scores = matrix_target(y_true, scores, labels, "y_score")
    return defined(
        native.metrics.one_vs_rest_mean("auc", codes, scores, weights_of(sample_weight), "weighted")
    )


@rows_by_index
def hand_till_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean AUC over all pairs of classes (Hand and Till 2001, eq. 7).

    Parameters are those of :func:`wauroc_score`.
    """
    scores, labels = labelled_scores(y_true, y_score, labels, "y_score")
    if is_one_column(scores):
        return defined(swept(y_true, scores, positive, pos_label, sample_weight).auc())
    _, codes, scores = matrix_target(y_true, scores, labels, "y_score")
    return defined(native.metrics.hand_till(codes, scores, weights_of(sample_weight), "macro"))


@rows_by_index
def auh_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Area under the convex hull of the ROC curve, at least 1/2 (Provost and Fawcett 2001).

    Parameters are those of :func:`roc_curve`.
    """
    return defined(swept(y_true, y_score, positive, pos_label, sample_weight).auh())


@rows_by_index
def average_precision_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float | Numbers:
    """Average precision: sum of precision times increase in recall; 0 if no row is positive.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels.
    y_score : array-like of shape (n_rows,) or (n_rows, n_classes)
        Scores of the positive class, or for more than two classes one column per class.
    average : {"macro", "weighted"} or None, default="macro"
        For more than two classes: mean over the classes with equal weights ("macro"), mean weighted by the
        numbers of rows ("weighted"), or one value per class (None).
    positive, pos_label : label, default=None
        Positive class, as in :func:`roc_auc_score`.
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights.
    """
    scores, labels = labelled_scores(y_true, y_score, None, "y_score")
    if is_one_column(scores):
        found = swept(y_true, scores, positive, pos_label, sample_weight)
        return _with_positives(found).average_precision()
    if average not in ("macro", "weighted", None):
        raise ParameterError(f"average must be 'macro', 'weighted' or None, got {value_text(average)}")
    _, codes, scores = matrix_target(y_true, scores, labels, "y_score")
    weights = weights_of(sample_weight)
    if average is None:
        return native.metrics.one_vs_rest("average_precision", codes, scores, weights)
    return native.metrics.one_vs_rest_mean("average_precision", codes, scores, weights, average)


def _with_positives(sweep: native.metrics.Sweep) -> native.metrics.Sweep:
    if not sweep.positives:
        warn("y_true has no positive rows; the area under the precision-recall curve is set to 0")
    return sweep


@rows_by_index
def pr_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Area under the precision-recall curve with the interpolation of Davis and Goadrich 2006.

    Parameters are those of :func:`roc_curve`.
    """
    return _with_positives(swept(y_true, y_score, positive, pos_label, sample_weight)).pr_auc()


@rows_by_index
def best_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    metric: str = "f1",
    *,
    beta: float = 1.0,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[float, float]:
    """Find the threshold with the best value of a metric; scores at or above it are positive.

    Candidates are the midpoints between adjacent distinct scores and both infinities. In case of ties, the
    threshold with the largest distance between its two adjacent scores is returned, then the larger
    threshold.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_rows,)
        True labels, and scores that are larger for the positive class.
    metric : str, default="f1"
        "accuracy", "balanced_accuracy", "g_mean", "precision", "recall", "specificity", "npv", "f", "f1",
        "f2" or "mcc".
    beta : float, default=1.0
        Beta of the metric "f", at least 0.
    positive, pos_label : label, default=None
        Positive class, as in :func:`roc_curve`.
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights.

    Returns
    -------
    threshold, value : float
    """
    sweep = swept(y_true, y_score, positive, pos_label, sample_weight)
    return sweep.best_threshold(text_of("metric", metric), real_number("beta", beta))


@rows_by_index
def threshold_for(
    y_true: ArrayLike,
    y_score: ArrayLike,
    goal: str | Mapping[str, Any],
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    time: Any = None,
    groups: Any = None,
) -> tuple[float, dict[str, Any]]:
    """Find the probability threshold that reaches a target, and its expected performance.

    The rows must be out-of-sample for the model.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_rows,)
        True labels, and probabilities of the positive class.
    goal : str or dict
        As ``threshold`` of :func:`imbcore.fit`: "f1", "f2", "g_mean", "mcc", "youden", or a dict with one of
        "recall", "precision", "fpr", "alert_rate", "alerts" (with "per") and "cost" (a matrix; with
        "at_most"). The optional key "guarantee" is the confidence that the target also holds on new rows.
        Recall and rates are guaranteed by order statistics (Wilks 1941), precision and cost by fixed sequence
        testing from strict to loose (Angelopoulos, Bates, Candes, Jordan and Lei 2021).
        ``{"alerts": 200, "per": "1d"}`` limits the mean number of alerts per period of ``time``.
    positive, pos_label : label, default=None
        Positive class, as in :func:`roc_curve`.
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights; not supported with a guarantee.
    time : sequence of shape (n_rows,), default=None
        Times of the rows, for alerts per period of time.
    groups : sequence of shape (n_rows,), default=None
        Customer or card of every row, each counted once a period.

    Returns
    -------
    threshold : float
        Midway between two probabilities, or the lowest probability that is predicted positive.
    expected : dict
        As ``expected`` of :attr:`imbcore.Model.decision_`.

    Raises
    ------
    ParameterError
        The target is invalid.
    DataError
        No threshold reaches the target on these rows, or there are too few rows for the guarantee; the
        message gives the required number.

    Examples
    --------
    >>> from imbcore import metrics
    >>> y, p = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9]
    >>> threshold, expected = metrics.threshold_for(y, p, {"recall": 0.6})
    >>> threshold, expected["recall"]["value"]
    (0.6499999999999999, 0.6666666666666666)
    """
    weights = weights_of(sample_weight)
    codes, code = target(y_true, positive, pos_label, weights)
    classes, _ = encode(labels_of(y_true, "y_true"))
    by, n_rows = counted_groups(goal), len(codes)
    if isinstance(by, str):
        raise ParameterError(f"goal['by'] must have one value per row, got {by!r}; or give groups=")
    related = RowDependence.from_values((groups, time, None), n_rows).for_threshold(goal, by, n_rows)
    scores = numbers_of(y_score, "y_score")
    if weights is not None and time is not None and len(weights) == len(scores) == n_rows:
        # A period with rows of weight 0 only does not count.
        kept = np.flatnonzero(weights)
        codes, scores, weights, related = codes[kept], scores[kept], weights[kept], related.pick(kept)
    alert_rows = related.alert_rows(np.arange(len(codes)))
    text = goal_text(goal, classes)
    threshold, expected, _ = choose_threshold(goal, text, codes, code, scores, weights, alert_rows)
    return threshold, expected


def choose_threshold(
    goal: str | Mapping[str, Any],
    text: str,
    codes: Codes,
    code: int,
    scores: Numbers,
    weights: Numbers | None,
    alert_rows: tuple[Numbers, Codes | None, Codes] | None = None,
    groups: tuple[Codes, int] | None = None,
) -> tuple[float, dict[str, Any], dict[str, Any] | None]:
    """Find the threshold for a goal, its expected performance, and the same by group.

    Parameters
    ----------
    goal, text
        The goal as given, for warnings, and in native form.
    codes, code
        Classes of the rows, and the positive class.
    scores, weights
        Scores and weights of the rows.
    alert_rows : tuple, default=None
        Times and groups of all rows, and the positions of these rows among them.
    groups : tuple, default=None
        Groups of the rows, and a seed.
    """
    found = native.metrics.threshold_for(text, codes, code, scores, weights, alert_rows, groups)
    alerts = (scores >= found[0])[slice(None) if weights is None else weights > 0]
    if alerts.all():
        limited = isinstance(goal, Mapping) and "alerts" in goal
        remedy = "a lower budget" if limited else 'an alert budget such as {"alerts": 100, "per": 10000}'
        warn_user(
            f"the threshold chosen for {goal!r} alerts on every row; give {remedy}, or probabilities that "
            "separate the classes"
        )
    elif not alerts.any():
        warn_user(
            f"the threshold chosen for {goal!r} alerts on no row; lower the target, such as a lower "
            "precision or a larger budget, or give probabilities that separate the classes"
        )
    return found


def convex_hull(fpr: ArrayLike, tpr: ArrayLike) -> tuple[Numbers, Numbers]:
    """Compute the vertices (fpr, tpr) of the upper convex hull of ROC points, with both corners."""
    hull_fpr, hull_tpr, _ = native.metrics.convex_hull(numbers_of(fpr, "fpr"), numbers_of(tpr, "tpr"))
    return hull_fpr, hull_tpr


def hull_area(fpr: ArrayLike, tpr: ArrayLike) -> float:
    """Area under the convex hull of ROC points, one per classifier, at least 1/2."""
    return native.metrics.convex_hull(numbers_of(fpr, "fpr"), numbers_of(tpr, "tpr"))[2]


def hull_operating_point(
    fpr: ArrayLike, tpr: ArrayLike, *, skew: float, cost_fp: float = 1.0, cost_fn: float = 1.0
) -> tuple[float, float]:
    """Find the hull vertex of minimum expected cost; ``skew`` is negatives per positive."""
    return native.metrics.hull_operating_point(
        numbers_of(fpr, "fpr"),
        numbers_of(tpr, "tpr"),
        real_number("skew", skew),
        real_number("cost_fp", cost_fp),
        real_number("cost_fn", cost_fn),
    )


explain_functions(globals())
