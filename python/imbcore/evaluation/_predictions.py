"""Predictions of a fitted classifier on a test set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore.evaluation._fold_ref import FoldRef
from imbcore.evaluation._measures import (
    encode_predicted_labels,
    label_metrics,
    probability_metrics,
    ranking_metrics,
    rate_and_recall_curves,
    sweep_counts_and_area,
)
from imbcore.evaluation._records import NO_MEASURES

Codes = NDArray[np.uint32]
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Predictions:
    """Predictions of one or several classifiers on some rows; None for missing kinds.

    Parameters
    ----------
    truth : ndarray of shape (n_rows,)
        Codes of the true classes.
    n_classes, positive : int
    labels : ndarray of shape (n_rows,) or None
        Codes of the predicted classes.
    scores : ndarray of shape (n_rows,) or None
        Larger for the positive class.
    proba : ndarray of shape (n_rows, n_classes) or None
        Rows sum to 1.
    variants : mapping of ndarray of shape (n_rows,)
        Codes predicted by each of several classifiers.
    """

    truth: Codes
    n_classes: int
    positive: int
    labels: Codes | None
    scores: Numbers | None
    proba: Numbers | None
    variants: Mapping[str, Codes]

    @classmethod
    def from_fitted(cls, fitted: Any, X: Any, truth: Codes, place: FoldRef) -> Predictions:
        """Predict test rows with a fitted classifier."""
        classes = place.classes
        positive = classes.tolist().index(place.positive)
        labels = encode_predicted_labels(fitted.predict(X), classes) if hasattr(fitted, "predict") else None
        proba = scores = None
        if hasattr(fitted, "predict_proba"):
            proba = known = np.asarray(fitted.predict_proba(X), dtype=np.float64)
            if not np.array_equal(fitted.classes_, classes):
                # A class without training rows has probability 0.
                proba = np.zeros((len(known), len(classes)))
                proba[:, encode_predicted_labels(fitted.classes_, classes)] = known
            scores = np.ascontiguousarray(proba[:, positive])
        elif hasattr(fitted, "decision_function"):
            values = np.asarray(fitted.decision_function(X), dtype=np.float64)
            scores = _positive_scores(values, fitted.classes_, place)
        variants = fitted.variants(X) if hasattr(fitted, "variants") else {}
        codes = {name: encode_predicted_labels(predicted, classes) for name, predicted in variants.items()}
        return cls(truth, len(classes), positive, labels, scores, proba, codes)

    @classmethod
    def joined(cls, parts: Sequence[Predictions]) -> Predictions:
        """Concatenate the rows of several test sets."""
        first = parts[0]

        def concatenate_arrays(name: str) -> Any:
            arrays = [getattr(part, name) for part in parts]
            return None if any(array is None for array in arrays) else np.concatenate(arrays)

        names = [name for name in first.variants if all(name in part.variants for part in parts)]
        return cls(
            concatenate_arrays("truth"),
            first.n_classes,
            first.positive,
            concatenate_arrays("labels"),
            concatenate_arrays("scores"),
            concatenate_arrays("proba"),
            {name: np.concatenate([part.variants[name] for part in parts]) for name in names},
        )

    def measures(self) -> dict[str, Any]:
        """Compute every metric by name; None if undefined or not available."""
        found = dict(NO_MEASURES)
        if self.labels is not None:
            found |= label_metrics(self.truth, self.labels, self.n_classes, self.positive)
        if self.scores is not None:
            found |= ranking_metrics(self.truth, self.scores, self.positive)
        if self.proba is not None:
            found |= probability_metrics(self.truth, self.proba, self.positive)
        if self.variants:
            counts, area = sweep_counts_and_area(self.truth, self.variants, self.positive)
            found |= {"variants": counts, "sweep_auh": area}
        return found

    def curves(self) -> dict[str, list[float]] | None:
        """Compute curves at ``RATES``; None without scores, or if one class has no rows."""
        return None if self.scores is None else rate_and_recall_curves(self.truth, self.scores, self.positive)


def _positive_scores(values: Numbers, known: Any, place: FoldRef) -> Numbers | None:
    """Extract positive scores from a decision function with one column, or one per class."""
    labels = np.asarray(known).tolist()
    if place.positive not in labels:
        return None
    at = labels.index(place.positive)
    if values.ndim == 1:
        return values if at == 1 else -values
    return np.ascontiguousarray(values[:, at])
