"""Zhu, Li and Dunson 2021: training of the methods of table 3 on an outer training set.

Five inner folds select the penalty of an SVR-Tree, or the pruning of a CART on over-sampled rows, by the F of
all inner predictions together; ties go to the first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore import evaluation
from imbcore.sampling import ADASYN, SMOTE, BorderlineSMOTE, DuplicateOverSampler
from imbcore.trees import CARTClassifier, CARTClassifierCV, SVRTreeCV

__all__ = ["INNER", "SAMPLERS", "Case", "Pruned", "Svr", "Weighted"]

INNER = 5
SAMPLERS = ("Duplicate", "SMOTE", "BSMOTE", "ADASYN")
# Rules of the authors' program, and of the paper's text.
RULES: dict[str, dict[str, Any]] = {
    "program": {"pure_nodes": "freeze", "stop_rule": "dequeues"},
    "paper": {"pure_nodes": "split", "stop_rule": "leaves"},
}
# Penalties and leaf costs in the authors' script, in thousandths; to be divided by a cube root.
_OCTAVES = (1, 1.4, 2, 2.8, 4, 5.7, 8, 11, 16, 22, 32, 44, 64, 89, 128, 179, 256, 358, 512, 716, 1024)
KAPPA = (0, *_OCTAVES)
_HALVES = (0, 1 / 256, 1 / 128, 1 / 64, 1 / 32, 1 / 16, 0.125, 0.177, 0.25, 0.35, 0.5, 0.71)
PRICES = (*_HALVES, *_OCTAVES, 1450, 2048, 2896, 4096)


@dataclass(frozen=True)
class Case:
    """Settings of the protocol for a set.

    Parameters
    ----------
    n_rows, n_rare : int
        Rows of the whole set.
    script_weight : int or None, default=None
        Weight in the authors' script, if it differs from the paper's rule.
    """

    n_rows: int
    n_rare: int
    script_weight: int | None = None

    def weight(self, *, script: bool) -> int:
        """Return the weight of a rare row.

        It is the largest weight with which the rare class is no heavier than the other, or that of the
        script.
        """
        if script and self.script_weight is not None:
            return self.script_weight
        return (self.n_rows - self.n_rare) // self.n_rare

    def penalties(self) -> list[float]:
        """Return the candidate penalties."""
        n_train = 2 * self.n_rare // 3 + 2 * (self.n_rows - self.n_rare) // 3
        return [1e-3 * kappa * n_train ** (-1 / 3) for kappa in KAPPA]

    def prices(self) -> list[float]:
        """Return the candidate leaf costs for pruning."""
        return [1e-3 * price * (2 * self.n_rows / 3) ** (-1 / 3) for price in PRICES]

    def max_leaves(self) -> float:
        """Return the largest number of leaves."""
        return 2 * math.sqrt(2 * self.n_rows / 3)


def _inner(place: evaluation.FoldRef, y: NDArray[Any]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    folds = evaluation.StratifiedFolds(INNER, 1, random_state=place.child("inner").seed)
    return list(folds.split(y=y))


@dataclass(frozen=True)
class Svr(evaluation.Learner):
    """An SVR-Tree.

    Parameters
    ----------
    cases : mapping
        By name of the set.
    select : bool
        Whether to select features.
    rules : {"program", "paper"}
    """

    cases: Mapping[str, Case] = field(compare=False)
    select: bool
    rules: str

    def fit(self, X: Any, y: NDArray[Any], place: evaluation.FoldRef) -> Any:
        """Select the penalty and fit."""
        case = self.cases[place.path[1]]
        return SVRTreeCV(
            penalties=case.penalties(),
            cv=_inner(place, y),
            minority_weight=float(case.weight(script=self.rules == "program")),
            max_leaf_nodes=case.max_leaves(),
            feature_selection=self.select,
            positive=place.positive,
            n_threads=1,
            **RULES[self.rules],
        ).fit(X, y)


@dataclass(frozen=True)
class Weighted(evaluation.Learner):
    """CART on weighted rows, pruned by the same inner folds; not in the paper.

    Parameters
    ----------
    cases : mapping
        By name of the set.
    """

    cases: Mapping[str, Case] = field(compare=False)

    def fit(self, X: Any, y: NDArray[Any], place: evaluation.FoldRef) -> Any:
        """Select the leaf cost on the tree's own pruning path, and fit."""
        weight = float(self.cases[place.path[1]].weight(script=True))
        weights = dict.fromkeys(np.unique(y).tolist(), 1.0) | {place.positive: weight}
        return CARTClassifierCV(
            class_weight=weights,
            cv=_inner(place, y),
            scoring="f1",
            positive=place.positive,
            n_threads=1,
        ).fit(X, y)


@dataclass(frozen=True)
class Pruned(evaluation.Learner):
    """CART on over-sampled rows, pruned.

    Parameters
    ----------
    cases : mapping
        By name of the set.
    sampler : {"Duplicate", "SMOTE", "BSMOTE", "ADASYN"}
    script : bool
        Whether to follow the released script: a row is its own first neighbor, other rows are border rows,
        and the final tree is grown on rows that are not over-sampled.
    """

    cases: Mapping[str, Case] = field(compare=False)
    sampler: str
    script: bool

    def fit(self, X: Any, y: NDArray[Any], place: evaluation.FoldRef) -> Any:
        """Select the leaf cost and fit."""
        case = self.cases[place.path[1]]
        prices = np.array(case.prices())
        true, false = np.zeros(len(prices)), np.zeros(len(prices))
        for number, (train, test) in enumerate(_inner(place, y)):
            tree = self._tree(place).fit(*self._more(X.take(train), y[train], case, place.child(number)))
            for counts, wanted in ((true, True), (false, False)):
                counts += _called(tree, X.take(test), y[test], place.positive, prices, wanted)
        f1 = np.where(true > 0, 2 * true / (np.sum(y == place.positive) + true + false), 0)
        price = float(prices[f1.argmax()])
        rows = (X, y) if self.script else self._more(X, y, case, place.child("outer"))
        return self._tree(place, ccp_alpha=price).fit(*rows)

    def _tree(self, place: evaluation.FoldRef, **parameters: Any) -> CARTClassifier:
        return CARTClassifier(positive=place.positive, n_threads=1, **parameters)

    def _more(self, X: Any, y: NDArray[Any], case: Case, place: evaluation.FoldRef) -> tuple[Any, Any]:
        """Over-sample the rare class by its weight."""
        weight, rare = case.weight(script=self.script), int(np.sum(y == place.positive))
        if weight == 1:
            return X, y
        if self.sampler == "Duplicate":
            return _resampled(DuplicateOverSampler(weights={place.positive: weight}), X, y)
        common: dict[str, Any] = {
            "scale": "minmax",
            "on_small": "shrink",
            "random_state": place.seed,
            "n_threads": 1,
        }
        if self.sampler == "ADASYN":
            beta = (weight - 1) * rare / (len(y) - 2 * rare)
            return _resampled(ADASYN(beta=beta, on_zero="equal", include_self=self.script, **common), X, y)
        common |= {
            "sampling_strategy": {place.positive: weight * rare},
            "schedule": "even",
            "neighbor_draw": "distinct_first",
        }
        if self.sampler == "SMOTE":
            return _resampled(SMOTE(include_self=self.script, **common), X, y)
        kind: Any = "svr_code" if self.script else "borderline-1"
        return _resampled(BorderlineSMOTE(kind=kind, on_empty="smote", **common), X, y)


def _resampled(sampler: Any, X: Any, y: NDArray[Any]) -> tuple[Any, Any]:
    more: tuple[Any, Any] = sampler.fit_resample(X, y)
    return more


def _called(
    tree: CARTClassifier, X: Any, y: NDArray[Any], positive: Any, prices: NDArray[np.float64], right: bool
) -> NDArray[np.float64]:
    """Count rows predicted as positive by the tree, pruned at every leaf cost.

    These are correct predictions if ``right``, else wrong ones.
    """
    truth = (y == positive) == right

    def count(answers: Any, rows: Any, _labels: Any) -> float:
        return float(np.sum((answers.predict(rows) == positive) & truth))

    path = tree.score_pruning_path(X, y, scoring=count)
    steps = np.searchsorted(path.ccp_alphas, prices, side="right") - 1
    scores: NDArray[np.float64] = np.asarray(path.scores)[steps]
    return scores
