"""The positive class: given, or by the default rule (see the page "The positive class")."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._validation.user_warnings import warn_user
from imbcore._validation.value_text import value_text
from imbcore._validation.values import require_single_label
from imbcore.exceptions import ParameterError


def positive_code(
    positive: Any, classes: NDArray[Any], codes: NDArray[np.uint32], weights: NDArray[np.float64] | None
) -> int:
    """Return the code of ``positive`` among the sorted classes; None uses the default rule."""
    if positive is None:
        return default_positive_code(classes, codes, weights)
    require_single_label("positive", positive)
    labels = classes.tolist()
    if positive not in labels:
        raise ParameterError(f"positive must be one of the labels {labels}, got {value_text(positive)}")
    return labels.index(positive)


def training_positive_code(
    positive: Any, classes: NDArray[Any], codes: NDArray[np.uint32], weights: NDArray[np.float64] | None
) -> int:
    """Return the positive code for training; with a single class it is that class."""
    return positive_code(positive, classes, codes, weights) if len(classes) > 1 else 0


def default_positive_code(
    classes: NDArray[Any], codes: NDArray[np.uint32], weights: NDArray[np.float64] | None
) -> int:
    """Return the positive code by the default rule, with a warning unless it is the rarer class.

    For a single label 0, -1 or False it is one beyond the classes: the positive label has no rows.
    """
    code, share = native.metrics.positive_class(labels_to_json(classes), codes, weights)
    labels = classes.tolist()
    if 0.5 < share < 1 and len(labels) > 1:
        warn_user(
            f"the positive class is {labels[code]!r}, although {share:.1%} of the rows belong to it; set "
            f"positive={labels[code]!r} or positive={labels[1 - code]!r} explicitly"
        )
    return code


def default_positive_label(classes: NDArray[Any]) -> Any:
    """Return the positive label if the default rule determines it without rows, else None."""
    text = labels_to_json(classes)
    codes = {
        native.metrics.positive_class(text, np.array([code], dtype=np.uint32), None)[0]
        for code in range(len(classes))
    }
    return classes.tolist()[codes.pop()] if len(codes) == 1 < len(classes) else None


def positive_label_of_model(estimator: Any) -> Any:
    """Return the positive label of a fitted estimator, pipeline or search, or None."""
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


def is_fitted_to_resampled_rows(estimator: Any) -> bool:
    """Whether an estimator is a pipeline with a sampler whose last step has no ``positive``."""
    while estimator is not None and not hasattr(estimator, "steps"):
        estimator = getattr(estimator, "best_estimator_", getattr(estimator, "estimator_", None))
    if estimator is None or not any(hasattr(step, "fit_resample") for _, step in estimator.steps):
        return False
    return getattr(estimator.steps[-1][1], "positive", None) is None


def labels_to_json(classes: NDArray[Any]) -> str:
    """Convert sorted labels to JSON; labels of other types become text, which no rule uses."""
    return json.dumps(classes.tolist(), default=str)
