"""Curves of several classes: each against the rest, pooled (micro) and averaged (macro)."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from imbcore._bindings import native
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.values import Numbers, to_weight_array, validate_flag
from imbcore.exceptions import DataError, ParameterError
from imbcore.metrics._target import encode_score_matrix, is_one_column

Curve = tuple[Numbers, Numbers, Numbers]


@match_rows_by_index
def roc_curves(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = True,
) -> dict[Any, Curve]:
    """ROC curves of several classes, each class against the rest with its own column of scores.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels.
    y_score : array-like of shape (n_rows, n_classes)
        Finite scores, one column per class in the order of the sorted labels.
    labels : array-like of shape (n_classes,), default=None
        Classes of the columns, sorted. Needed if some classes are not in ``y_true``. None: the classes in
        ``y_true``.
    sample_weight : array-like of shape (n_rows,), default=None
        Non-negative, finite row weights.
    drop_intermediate : bool, default=True
        Whether to drop points in the middle of straight segments of the curve.

    Returns
    -------
    dict
        ``(fpr, tpr, thresholds)`` for each label and for two averages. ``"micro"`` counts every row once for
        each class. ``"macro"`` is the mean of the curves at every false positive rate: its area is the mean
        of the areas of the classes, and its thresholds are NaN.

    Raises
    ------
    DataError
        The arrays have inconsistent sizes, there is a single column of scores, or a score is not finite.
    ParameterError
        A label is "micro" or "macro".

    Examples
    --------
    >>> from imbcore import metrics
    >>> scores = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.6, 0.3], [0.2, 0.3, 0.5]]
    >>> curves = metrics.roc_curves(["a", "b", "c", "c"], scores)
    >>> list(curves), curves["b"][1].tolist()
    (['a', 'b', 'c', 'micro', 'macro'], [0.0, 0.0, 1.0, 1.0])
    """
    sweeps, micro = _threshold_sweeps_by_class(y_true, y_score, labels, sample_weight)
    drop = validate_flag("drop_intermediate", drop_intermediate)
    curves = {label: sweep.roc(drop) for label, sweep in sweeps.items()}
    fpr, tpr = native.metrics.mean_roc(list(sweeps.values()))
    return {**curves, "micro": micro.roc(drop), "macro": (fpr, tpr, fpr * float("nan"))}


@match_rows_by_index
def precision_recall_curves(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = False,
) -> dict[Any, Curve]:
    """Precision-recall curves of several classes, each class against the rest.

    Parameters and errors are those of :func:`roc_curves`, except ``drop_intermediate``, which is that of
    :func:`precision_recall_curve`.

    Returns
    -------
    dict
        ``(precision, recall, thresholds)`` for each label, as in :func:`precision_recall_curve`, and
        ``"micro"``, which counts every row once for each class.
    """
    sweeps, micro = _threshold_sweeps_by_class(y_true, y_score, labels, sample_weight)
    drop = validate_flag("drop_intermediate", drop_intermediate)
    curves = {label: sweep.precision_recall(drop) for label, sweep in sweeps.items()}
    return {**curves, "micro": micro.precision_recall(drop)}


def _threshold_sweeps_by_class(
    y_true: ArrayLike, y_score: ArrayLike, labels: ArrayLike | None, sample_weight: ArrayLike | None
) -> tuple[dict[Any, native.metrics.Sweep], native.metrics.Sweep]:
    classes, codes, scores = encode_score_matrix(y_true, y_score, labels, "y_score")
    if is_one_column(scores):
        raise DataError(
            "y_score has one column; curves of several classes need one per class (see roc_curve)"
        )
    names = classes.tolist()
    if {"micro", "macro"} & {name for name in names if isinstance(name, str)}:
        raise ParameterError('a label is "micro" or "macro", which are reserved for averages; rename it')
    weights = to_weight_array(sample_weight)
    sweeps = {
        name: native.metrics.Sweep(codes, code, scores[:, code].copy(), weights)
        for code, name in enumerate(names)
    }
    return sweeps, native.metrics.Sweep.micro(codes, scores, weights)


name_package_in_errors(globals())
