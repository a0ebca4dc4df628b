"""Trivial policies: never, always, random and largest amount first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.dependence import columns_by_name
from imbcore.evaluation._entries import MethodToEvaluate
from imbcore.evaluation._fold_ref import FoldRef
from imbcore.evaluation._learners import Learner
from imbcore.exceptions import DataError, ParameterError

__all__ = ["Policy", "policies_by_display_name", "policies_by_name", "policies_to_evaluate"]

_KINDS = ("never", "always", "random", "largest amount")
# Options that would change the predictions of a policy, at their defaults.
_KEPT = {
    **dict.fromkeys(("cost_matrix", "costs", "threshold", "class_weight", "calibrate")),
    "cost_strategy": "decision",
}


@dataclass(frozen=True)
class Policy(Learner):
    """A rule that does not learn from the features.

    Parameters
    ----------
    kind : {"never", "always", "random", "largest amount"}
        "never" and "always" predict that no row, or every row, is positive; their probabilities are the class
        frequencies of the training rows. "random" has random scores, "largest amount" those of a column; both
        predict about the proportion of positives in the training rows as positive.
    amount : str, default=""
        Name of the column for "largest amount".
    """

    kind: str
    amount: str = ""

    def __post_init__(self) -> None:
        if self.kind not in _KINDS:
            raise ParameterError(f"kind must be one of {', '.join(_KINDS)}, got {self.kind!r}")

    def fit(self, X: Any, y: NDArray[Any], place: FoldRef, **_: Any) -> Any:
        """Compute class frequencies, and the amount from which rows are predicted positive."""
        classes, counts = np.unique(y, return_counts=True)
        proportion = counts / counts.sum()
        others = np.where(classes == place.positive, -1, counts)
        rest = classes[int(np.argmax(others))]
        rate = float(proportion[classes == place.positive].sum())
        if self.kind == "random":
            return _RankingClassifier(classes, place.positive, rest, 1 - rate, seed=place.seed)
        if self.kind == "largest amount":
            amounts = _amount_values(X, self.amount)
            least = float(np.quantile(amounts, 1 - rate))
            if least <= amounts.min():
                # Most amounts are equal to the smallest one, for example 0, and must not all be alerts.
                least = float(np.nextafter(least, np.inf))
            return _RankingClassifier(classes, place.positive, rest, least, amount=self.amount)
        return _ConstantClassifier(classes, proportion, place.positive if self.kind == "always" else rest)


@dataclass(frozen=True)
class _ConstantClassifier:
    classes_: NDArray[Any]
    proportion: NDArray[np.float64]
    label: Any

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict one label for every row."""
        return np.full(_n_rows(X), self.label, dtype=self.classes_.dtype)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the class frequencies of the training rows."""
        return np.tile(self.proportion, (_n_rows(X), 1))


@dataclass(frozen=True)
class _RankingClassifier:
    classes_: NDArray[Any]
    positive: Any
    rest: Any
    # Score from which rows are predicted positive.
    least: float
    seed: int = 0
    amount: str = ""

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the scores in the column of the positive class, 0 in the others."""
        scores = (
            _amount_values(X, self.amount)
            if self.amount
            else np.random.default_rng(self.seed).random(_n_rows(X))
        )
        return np.where(self.classes_ == self.positive, scores[:, None], 0.0)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the positive class from the smallest score on."""
        scores = self.decision_function(X).sum(axis=1)
        return np.where(scores >= self.least, self.positive, self.rest).astype(self.classes_.dtype)


def _n_rows(X: Any) -> int:
    from imbcore._validation.rows import shape_and_names

    return shape_and_names(X)[0]


def _amount_values(X: Any, name: str) -> NDArray[np.float64]:
    columns = columns_by_name(X)
    if name not in columns:
        raise ParameterError(f"policies: X has no column {name!r} with amounts")
    try:
        amounts = np.asarray(columns[name], dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"policies: column {name!r} must contain numbers: {error}") from error
    return np.where(np.isnan(amounts), 0.0, amounts)


def policies_by_name(policies: Any, costs: Any = None) -> dict[str, Policy]:
    """Return the policies by name.

    Parameters
    ----------
    policies : bool or str
        Whether there are policies; a text names the column of amounts.
    costs : mapping or None
        Costs per row; a column as the cost of a miss contains the amounts, if no other is named.

    Raises
    ------
    ParameterError
        It is neither a boolean nor a text.
    """
    if not isinstance(policies, (bool, str)):
        raise ParameterError(f"policies must be a boolean or the name of a column, got {policies!r}")
    if policies is False:
        return {}
    amount = policies if isinstance(policies, str) else ""
    if not amount and isinstance(costs, Mapping) and isinstance(costs.get("miss"), str):
        amount = costs["miss"]
    kinds = _KINDS if amount else _KINDS[:-1]
    return {kind: Policy(kind, amount if kind == "largest amount" else "") for kind in kinds}


def policies_by_display_name(policies: Any, names: Iterable[str], costs: Any = None) -> dict[str, Policy]:
    """Return the policies by display name, such as "(never)".

    Raises
    ------
    ParameterError
        A method in ``names`` has the name of a policy.
    """
    found = {f"({name})": policy for name, policy in policies_by_name(policies, costs).items()}
    if taken := found.keys() & set(names):
        raise ParameterError(f"the name {min(taken)} is that of a policy; give the method another name")
    return found


def policies_to_evaluate(policies: Any, costs: Any, names: Iterable[str]) -> list[MethodToEvaluate]:
    """Return the policies as entries of an evaluation, with their own predictions."""
    return [
        MethodToEvaluate(name, policy, _KEPT)
        for name, policy in policies_by_display_name(policies, names, costs).items()
    ]
