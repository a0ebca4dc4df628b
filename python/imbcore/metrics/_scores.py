"""Curves of scores and the areas under them."""

from __future__ import annotations

from math import isnan

from numpy.typing import ArrayLike

from imbcore._bindings import native
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.value_text import value_text
from imbcore._validation.values import (
    Numbers,
    to_number_array,
    to_weight_array,
    validate_flag,
    validate_real_number,
    validate_text,
)
from imbcore.exceptions import DataError, ParameterError
from imbcore.metrics._target import (
    encode_score_matrix,
    encode_with_positive_code,
    is_one_column,
    scores_and_column_classes,
    warn,
)

_ONE_CLASS = "only one class is present in y_true; the area under the ROC curve is undefined"


@match_rows_by_index
def roc_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = True,
) -> tuple[Numbers, Numbers, Numbers]:
    """ROC curve, from (0, 0) at threshold infinity to (1, 1) at the smallest score.

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
    sweep = threshold_sweep(y_true, y_score, positive, pos_label, sample_weight)
    if not sweep.negatives:
        warn("y_true has no negative rows; the false positive rate is undefined")
    if not sweep.positives:
        warn("y_true has no positive rows; the true positive rate is undefined")
    return sweep.roc(validate_flag("drop_intermediate", drop_intermediate))


def threshold_sweep(
    y_true: ArrayLike,
    y_score: ArrayLike,
    positive: object,
    pos_label: object,
    sample_weight: ArrayLike | None,
) -> native.metrics.Sweep:
    weights = to_weight_array(sample_weight)
    codes, code = encode_with_positive_code(y_true, positive, pos_label, weights)
    return native.metrics.Sweep(codes, code, to_number_array(y_score, "y_score"), weights)


@match_rows_by_index
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

    Parameters are those of :func:`roc_curve`. With ``drop_intermediate``, only the first and the last point
    of each recall are kept.

    Returns
    -------
    precision, recall : ndarray of shape (n_thresholds + 1,)
        Decreasing recall; the last point has precision 1, recall 0 and no threshold.
    thresholds : ndarray of shape (n_thresholds,)
        Increasing scores.
    """
    sweep = threshold_sweep(y_true, y_score, positive, pos_label, sample_weight)
    if not sweep.positives:
        warn("y_true has no positive rows; recall is set to one for all thresholds")
    return sweep.precision_recall(validate_flag("drop_intermediate", drop_intermediate))


@match_rows_by_index
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
        For more than two classes: mean with equal weights ("macro"), mean weighted by the numbers of rows
        ("weighted"), or one value per class (None). If ``multi_class`` is "ovo", means are over the pairs of
        classes, and None is not allowed; else means are over the classes.
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights.
    multi_class : {"raise", "ovr", "ovo"}, default="raise"
        For one column per class: an error ("raise"), each class against the rest ("ovr"), or each pair of
        classes ("ovo", Hand and Till 2001).
    labels : array-like of shape (n_classes,), default=None
        Classes of the columns, sorted. Needed if some classes are not in ``y_true``; these classes are left
        out of the mean.
    """
    scores, labels = scores_and_column_classes(y_true, y_score, labels, "y_score")
    if is_one_column(scores):
        return warn_if_undefined(threshold_sweep(y_true, scores, positive, pos_label, sample_weight).auc())
    if multi_class not in ("ovr", "ovo"):
        raise ParameterError("multi_class must be in ('ovo', 'ovr') for scores with one column per class")
    if average not in ("macro", "weighted", None) or (average is None and multi_class == "ovo"):
        raise ParameterError(f"average={average!r} is not supported for multi_class={multi_class!r}")
    _, codes, scores = encode_score_matrix(y_true, scores, labels, "y_score")
    weights = to_weight_array(sample_weight)
    if average is None:
        return native.metrics.one_vs_rest("auc", codes, scores, weights)
    if multi_class == "ovo":
        return warn_if_undefined(native.metrics.hand_till(codes, scores, weights, average))
    return warn_if_undefined(native.metrics.one_vs_rest_mean("auc", codes, scores, weights, average))


def warn_if_undefined(area: float) -> float:
    if isnan(area):
        warn(_ONE_CLASS)
    return area


@match_rows_by_index
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
        Classes of the columns, sorted. Needed if some classes are not in ``y_true``; these classes are left
        out of the mean.
    positive, pos_label : label, default=None
        Positive class, as in :func:`roc_auc_score`.
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights.

    References
    ----------
    Provost and Domingos, "Tree induction for probability-based ranking", 2003.
    """
    scores, labels = scores_and_column_classes(y_true, y_score, labels, "y_score")
    if is_one_column(scores):
        return warn_if_undefined(threshold_sweep(y_true, scores, positive, pos_label, sample_weight).auc())
    _, codes, scores = encode_score_matrix(y_true, scores, labels, "y_score")
    return warn_if_undefined(
        native.metrics.one_vs_rest_mean("auc", codes, scores, to_weight_array(sample_weight), "weighted")
    )


@match_rows_by_index
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
    scores, labels = scores_and_column_classes(y_true, y_score, labels, "y_score")
    if is_one_column(scores):
        return warn_if_undefined(threshold_sweep(y_true, scores, positive, pos_label, sample_weight).auc())
    _, codes, scores = encode_score_matrix(y_true, scores, labels, "y_score")
    return warn_if_undefined(native.metrics.hand_till(codes, scores, to_weight_array(sample_weight), "macro"))


@match_rows_by_index
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
    return warn_if_undefined(threshold_sweep(y_true, y_score, positive, pos_label, sample_weight).auh())


@match_rows_by_index
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

    Raises
    ------
    DataError
        There are two columns of scores for two classes.
    """
    scores, labels = scores_and_column_classes(y_true, y_score, None, "y_score")
    if is_one_column(scores):
        found = threshold_sweep(y_true, scores, positive, pos_label, sample_weight)
        return _warn_without_positives(found).average_precision()
    if average not in ("macro", "weighted", None):
        raise ParameterError(f"average must be 'macro', 'weighted' or None, got {value_text(average)}")
    classes, codes, scores = encode_score_matrix(y_true, scores, labels, "y_score")
    if len(classes) == 2:
        raise DataError(
            "y_score has two columns for two classes; give the scores of the positive class, such as "
            "y_score[:, 1]"
        )
    weights = to_weight_array(sample_weight)
    if average is None:
        return native.metrics.one_vs_rest("average_precision", codes, scores, weights)
    return native.metrics.one_vs_rest_mean("average_precision", codes, scores, weights, average)


def _warn_without_positives(sweep: native.metrics.Sweep) -> native.metrics.Sweep:
    if not sweep.positives:
        warn("y_true has no positive rows; the area under the precision-recall curve is set to 0")
    return sweep


@match_rows_by_index
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
    return _warn_without_positives(
        threshold_sweep(y_true, y_score, positive, pos_label, sample_weight)
    ).pr_auc()


@match_rows_by_index
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
    midpoint with the largest distance between its two scores is returned, then the larger threshold. An
    infinite threshold is returned only if no midpoint is as good.

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
    sweep = threshold_sweep(y_true, y_score, positive, pos_label, sample_weight)
    return sweep.best_threshold(validate_text("metric", metric), validate_real_number("beta", beta))


def convex_hull(fpr: ArrayLike, tpr: ArrayLike) -> tuple[Numbers, Numbers]:
    """Compute the vertices of the upper convex hull of ROC points, with (0, 0) and (1, 1)."""
    hull_fpr, hull_tpr, _ = native.metrics.convex_hull(
        to_number_array(fpr, "fpr"), to_number_array(tpr, "tpr")
    )
    return hull_fpr, hull_tpr


def hull_area(fpr: ArrayLike, tpr: ArrayLike) -> float:
    """Area under the convex hull of the ROC points of several classifiers, at least 1/2."""
    return native.metrics.convex_hull(to_number_array(fpr, "fpr"), to_number_array(tpr, "tpr"))[2]


def hull_operating_point(
    fpr: ArrayLike, tpr: ArrayLike, *, skew: float, cost_fp: float = 1.0, cost_fn: float = 1.0
) -> tuple[float, float]:
    """Find the hull vertex of minimum expected cost; ``skew`` is negatives per positive."""
    return native.metrics.hull_operating_point(
        to_number_array(fpr, "fpr"),
        to_number_array(tpr, "tpr"),
        validate_real_number("skew", skew),
        validate_real_number("cost_fp", cost_fp),
        validate_real_number("cost_fn", cost_fn),
    )


name_package_in_errors(globals())
