"""The positive class: the one asked for, or that of the rule; "The positive class" in the documentation."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._input.remarks import warn_user
from imbcore._input.values import require_label
from imbcore.exceptions import ParameterError

__all__ = ["fixed_label", "labels_text", "model_positive", "positive_code", "ruled_code", "training_code"]


def positive_code(
    positive: Any, classes: NDArray[Any], codes: NDArray[np.uint32], weights: NDArray[np.float64] | None
) -> int:
    """Code of the label ``positive`` among the sorted classes; None asks the rule."""
    if positive is None:
        return ruled_code(classes, codes, weights)
    require_label("positive", positive)
    labels = classes.tolist()
    if positive not in labels:
        raise ParameterError(f"positive must be one of the labels {labels}, got {positive!r}")
    code: int = labels.index(positive)
    return code


def training_code(
    positive: Any, classes: NDArray[Any], codes: NDArray[np.uint32], weights: NDArray[np.float64] | None
) -> int:
    """Code for rows that train: a model of one class speaks of that one, whatever ``positive`` names."""
    return positive_code(positive, classes, codes, weights) if len(classes) > 1 else 0


def ruled_code(classes: NDArray[Any], codes: NDArray[np.uint32], weights: NDArray[np.float64] | None) -> int:
    """Code of the class that the rule picks, with a warning where that is no rare one.

    Of a lone label 0, -1 or False it is one beyond the classes: the partner has no rows.
    """
    code, share = native.metrics.positive_class(labels_text(classes), codes, weights)
    labels = classes.tolist()
    if 0.5 < share < 1 and len(labels) > 1:
        warn_user(
            f"the positive class is {labels[code]!r}, although {share:.1%} of the rows are of it; say which "
            f"one you mean by positive={labels[code]!r} or positive={labels[1 - code]!r}"
        )
    return code


def fixed_label(classes: NDArray[Any]) -> Any:
    """Positive label where the rule needs no rows to tell it, else None."""
    text = labels_text(classes)
    codes = {
        native.metrics.positive_class(text, np.array([code], dtype=np.uint32), None)[0]
        for code in range(len(classes))
    }
    return classes.tolist()[codes.pop()] if len(codes) == 1 < len(classes) else None


def model_positive(estimator: Any) -> Any:
    """Positive label of a fitted estimator, also inside a pipeline or a search; None where none says it."""
    while estimator is not None:
        label = getattr(estimator, "positive_", None)
        if label is not None:
            return label
        steps = getattr(estimator, "steps", None)
        if steps:
            estimator = steps[-1][1]
        else:
            estimator = getattr(estimator, "best_estimator_", getattr(estimator, "estimator_", None))
    return None


def labels_text(classes: NDArray[Any]) -> str:
    """Sorted labels as JSON; of types that JSON does not know their text, which no rule looks at."""
    return json.dumps(classes.tolist(), default=str)
