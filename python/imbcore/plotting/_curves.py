"""Plots of ROC curves, precision-recall curves and confusion matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from imbcore import metrics
from imbcore._bindings.positive import positive_code
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.labelled import align_rows, match_rows_by_index, pandas_index_of
from imbcore._validation.values import (
    encode_label_arrays,
    encode_true_and_predicted,
    resolve_positive_alias,
    to_label_array,
    validate_list,
)
from imbcore.exceptions import DataError, ParameterError
from imbcore.plotting._axes import QUIET, add_line_legend, escape_dollar_signs, line, square_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, NDArray


def plot_roc(
    y_true: ArrayLike,
    scores: ArrayLike | Mapping[str, ArrayLike],
    *,
    positive: Any = None,
    pos_label: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw ROC curves: true positive rate against false positive rate.

    Parameters
    ----------
    y_true
        Labels of two classes, (n_rows,).
    scores
        Score of the positive class, (n_rows,): larger scores are more positive. Or a mapping from names of
        curves to such arrays.
    positive, pos_label
        Label of the positive class; both names have the same meaning; ``None`` as in
        :func:`imbcore.metrics.roc_curve`.
    ax
        Axes to draw on; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the plot.
    """
    ax = square_axes("plot_roc", ax)
    named = _scores_in_row_order(scores, y_true)
    truth = _encode_positive_class("plot_roc", y_true, resolve_positive_alias(positive, pos_label))
    ax.plot([0, 1], [0, 1], color=QUIET, linewidth=1, linestyle=":")
    ax.text(0.62, 0.57, "guessing", color=QUIET, fontsize=8, rotation=45, ha="center", va="center")
    for index, (name, score) in enumerate(named.items()):
        false_rate, true_rate, _ = metrics.roc_curve(truth, score, positive=1)
        area = metrics.roc_auc_score(truth, score, positive=1)
        line(ax, index, false_rate, true_rate, f"{name}  AUC {area:.3f}")
    ax.set(xlabel="false positive rate", ylabel="true positive rate (recall)")
    add_line_legend(ax, "lower right")
    return ax


def plot_precision_recall(
    y_true: ArrayLike,
    scores: ArrayLike | Mapping[str, ArrayLike],
    *,
    positive: Any = None,
    pos_label: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw precision against recall, with the prevalence as the baseline.

    Parameters
    ----------
    y_true
        Labels of two classes, (n_rows,).
    scores
        Score of the positive class, (n_rows,): larger scores are more positive. Or a mapping from names of
        curves to such arrays.
    positive, pos_label
        Label of the positive class; both names have the same meaning; ``None`` as in
        :func:`imbcore.metrics.roc_curve`.
    ax
        Axes to draw on; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the plot.
    """
    ax = square_axes("plot_precision_recall", ax)
    named = _scores_in_row_order(scores, y_true)
    truth = _encode_positive_class(
        "plot_precision_recall", y_true, resolve_positive_alias(positive, pos_label)
    )
    for index, (name, score) in enumerate(named.items()):
        precision, recall, _ = metrics.precision_recall_curve(truth, score, positive=1)
        area = metrics.average_precision_score(truth, score, positive=1)
        # By decreasing recall; the last point, recall 0, is a convention that no threshold reaches.
        line(
            ax,
            index,
            [*recall[:-1], 0.0],
            [*precision[:-1], precision[-2]],
            f"{name}  AP {area:.3f}",
            "steps-post",
        )
    prevalence = float(truth.mean())
    ax.axhline(prevalence, color=QUIET, linewidth=1, linestyle=":")
    ax.text(
        0.01,
        prevalence + 0.012,
        f"guessing: {prevalence:.1%} positive",
        color=QUIET,
        fontsize=8,
        va="bottom",
    )
    ax.set(xlabel="recall", ylabel="precision")
    add_line_legend(ax, "best")
    return ax


@match_rows_by_index
def plot_confusion(
    y_true: ArrayLike,
    y_pred: ArrayLike | None = None,
    *,
    class_names: Sequence[Any] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a confusion matrix; colors are fractions of the true class.

    For up to 6 classes, the cells also show these fractions as percentages.

    Parameters
    ----------
    y_true
        Labels, (n_rows,); or a confusion matrix, (n_classes, n_classes): entry (i, j) is the number or weight
        of the rows of class i that are predicted as class j.
    y_pred
        Predicted labels, (n_rows,). If ``y_true`` is a matrix: None, or one label per class, (n_classes,).
    class_names
        Names to show instead of the labels, one per class in sorted order of the labels.
    ax
        Axes to draw on; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the plot.

    Raises
    ------
    DataError
        Labels and predictions differ in number, or the matrix is not square.
    ParameterError
        ``y_true`` contains labels and ``y_pred`` is None, or the number of ``class_names`` is not the number
        of classes.
    """
    table, labels = _confusion_matrix_and_labels(y_true, y_pred)
    named = labels if class_names is None else validate_list("class_names", class_names)
    names = [escape_dollar_signs(name) for name in named]
    if len(names) != len(table):
        raise ParameterError(f"plot_confusion: {len(table)} classes need as many names, got {len(names)}")
    ax = square_axes("plot_confusion", ax)
    totals = table.sum(axis=1, keepdims=True)
    share = np.divide(table, totals, out=np.zeros_like(table), where=totals > 0)
    ax.imshow(share, cmap="Blues", vmin=0.0, vmax=1.0)
    size = 11 if len(table) <= 3 else max(5, 11 - len(table))
    for (row, column), value in np.ndenumerate(table):
        part = share[row, column]
        count = f"{value:,.0f}" if value >= 100 or value == round(value) else f"{value:.3g}"
        text = count if len(table) > 6 else f"{count}\n{part:.1%}"
        color = "white" if part > 0.55 else "black"
        ax.text(column, row, text, ha="center", va="center", color=color, fontsize=size)
    turned = sum(map(len, names)) > 24
    ax.set_xticks(range(len(names)), names, rotation=45 if turned else 0, ha="right" if turned else "center")
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(length=0)
    ax.set(xlabel="predicted", ylabel="true")
    for side in ax.spines.values():
        side.set_visible(False)
    return ax


def _confusion_matrix_and_labels(
    y_true: ArrayLike, y_pred: ArrayLike | None
) -> tuple[NDArray[np.float64], Sequence[Any]]:
    """Return the matrix and its class labels, from labels and predictions or a given matrix."""
    try:
        given = np.asarray(y_true)
    except ValueError as error:
        raise DataError(f"plot_confusion: y_true must be labels or a square matrix: {error}") from error
    if given.ndim == 2 and given.shape[0] == given.shape[1]:
        labels = range(len(given)) if y_pred is None else np.asarray(y_pred).tolist()
        return given.astype(np.float64), labels
    if given.ndim != 1:
        raise DataError(f"plot_confusion: y_true must be labels or a square matrix, got shape {given.shape}")
    if y_pred is None:
        raise ParameterError("plot_confusion: parameter `y_pred` must contain the predictions for y_true")
    classes = encode_true_and_predicted(y_true, y_pred, None)[0]
    return np.asarray(metrics.confusion_matrix(y_true, y_pred), dtype=np.float64), classes.tolist()


def _encode_positive_class(caller: str, y_true: ArrayLike, positive: Any) -> NDArray[np.int64]:
    """Encode labels of two classes: 1 for the positive class, 0 for the other."""
    classes, (codes,) = encode_label_arrays(to_label_array(y_true, "y_true"))
    if len(classes) != 2:
        raise DataError(f"{caller}: y_true must have two classes, got {len(classes)}")
    return (codes == positive_code(positive, classes, codes, None)).astype(np.int64)


def _scores_in_row_order(
    scores: ArrayLike | Mapping[str, ArrayLike], y_true: ArrayLike
) -> dict[str, ArrayLike]:
    """Return scores by name, with rows matched to those of ``y_true`` by index."""
    index = pandas_index_of(y_true)
    return {
        name: align_rows(score, index, "scores", "y_true") for name, score in scores_by_name(scores).items()
    }


def scores_by_name(scores: ArrayLike | Mapping[str, ArrayLike]) -> Mapping[str, ArrayLike]:
    """Return curves by name; a single curve has an empty name."""
    return scores if isinstance(scores, Mapping) else {"": scores}


name_package_in_errors(globals())
