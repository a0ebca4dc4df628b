"""The nine methods of the box-drawing paper.

Each method is ten classifiers, with different weights of the common class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore import evaluation
from imbcore.boxes import FastBoxesCV
from imbcore.ensembles import AdaBoostClassifier, RandomForestClassifier
from imbcore.trees import C45Classifier, CARTClassifier, HDDTClassifier
from reproduce._boxes_readings import WEIGHTS, selection

__all__ = ["HERO", "FastBoxes", "FittedFastBoxes", "kernel_width", "learners"]

HERO = "Fast Boxes"

Floats = NDArray[np.float64]


def learners(variant: str | None = None) -> dict[str, Any]:
    """Return learners for ``evaluation.run`` by printed name, in printed order.

    Parameters
    ----------
    variant
            "text" (default) or "halves", with Fast Boxes as in the authors' program.
    """
    return {
        "logistic": _swept(_logistic),
        "SVM": _swept(lambda weight: evaluation.DataDependentLearner(_Kernel(weight))),
        "CART": _swept(lambda weight: evaluation.DataDependentLearner(_Partition(weight))),
        # C4.5 has no weight in the paper, so its curve is one point.
        "C4.5": evaluation.Sweep({1.0: C45Classifier()}),
        "AdaBoost": _swept(lambda weight: AdaBoostClassifier(class_weight=weight)),
        "RF": _swept(lambda weight: RandomForestClassifier(class_weight=weight)),
        # C5.0 is not open source; C4.5 with weights is used instead.
        "C5.0": _swept(lambda weight: C45Classifier(class_weight=weight)),
        "HDDT": _swept(lambda weight: HDDTClassifier(class_weight=weight)),
        HERO: FastBoxes("code" if variant == "halves" else "text"),
    }


def _swept(make: Callable[[dict[int, float]], Any]) -> Any:
    return evaluation.Sweep({c: make({0: c, 1: 1.0}) for c in WEIGHTS})


def _logistic(weight: dict[int, float]) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    # No penalty, as in R's glm; scaling then only affects the speed.
    return make_pipeline(StandardScaler(), LogisticRegression(C=np.inf, class_weight=weight, max_iter=2000))


@dataclass(frozen=True)
class _Kernel:
    """Support vector machine with a radial kernel; its width is estimated from training rows."""

    weight: dict[int, float]

    def __call__(self, X: Any, y: Any, place: Any) -> Any:
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        from sklearn.svm import SVC

        width = kernel_width(StandardScaler().fit_transform(np.asarray(X)), place.seed)
        return make_pipeline(StandardScaler(), SVC(gamma=width, class_weight=self.weight))


@dataclass(frozen=True)
class _Partition:
    """CART with the default pruning of R's ``rpart``.

    It splits nodes of 20 rows or more into leaves of 7 or more, and a split must lower the error by a
    hundredth of that of the root.
    """

    weight: dict[int, float]

    def __call__(self, X: Any, y: Any, place: Any) -> Any:
        sizes = [weight * float(np.sum(y == label)) for label, weight in self.weight.items()]
        return CARTClassifier(
            class_weight=self.weight,
            min_samples_split=20,
            min_samples_leaf=7,
            ccp_criterion="error",
            ccp_alpha=0.01 * min(sizes) / sum(sizes),
        )


def kernel_width(X: Floats, seed: int) -> float:
    """Return the width of a radial kernel as kernlab's ``ksvm`` sets it by ``sigest``.

    For squared distances d of random pairs of rows (half as many as rows): the mean of 1/d at the quantiles
    0.1 and 0.9.
    """
    pairs = np.random.default_rng(seed).integers(0, len(X), (2, max(len(X) // 2, 1)))
    distance = ((X[pairs[0]] - X[pairs[1]]) ** 2).sum(axis=1)
    apart = distance[distance > 0]
    return float(np.mean(1 / np.quantile(apart, (0.1, 0.9)))) if apart.size else 1.0


@dataclass(frozen=True)
class FastBoxes(evaluation.Learner):
    """Fast Boxes tuned on inner folds and evaluated at every weight; its drawings are nested.

    Parameters
    ----------
    reading : {"text", "code"}, default="text"
    """

    reading: str = "text"

    def fit(self, X: Any, y: Any, place: Any) -> FittedFastBoxes:
        """Select the settings and fit."""
        return FittedFastBoxes(selection(self.reading, place.seed).fit(X, y))


class FittedFastBoxes:
    """Predictions of Fast Boxes at every weight."""

    def __init__(self, model: FastBoxesCV) -> None:
        self.model = model
        self.chosen_ = {name: float(value) for name, value in model.best_params_.items()}

    def variants(self, X: Any) -> dict[str, NDArray[np.int64]]:
        """Return the labels by weight."""
        critical = self.model.critical_weights(X)
        return {str(c): (critical >= c).astype(np.int64) for c in WEIGHTS}
