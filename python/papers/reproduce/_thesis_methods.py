"""Classifiers of the thesis, by its names for their parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from imbcore import evaluation
from imbcore._validation.columns import Column, Nominal
from imbcore.bayes import (
    BIC,
    BayesBaggingClassifier,
    FullBayesClassifier,
    LogLikelihood,
    NaiveBayesClassifier,
)
from imbcore.ensembles import RandomForestClassifier

__all__ = [
    "CLASSIFIERS",
    "CUTS",
    "HEURISTICS",
    "SCORES",
    "SIZE",
    "Network",
    "bootstraps",
    "classifiers",
    "network",
]

# The thesis sums mutual information over the arcs in both scores.
SCORES: dict[str, Any] = {"MLE": LogLikelihood(mle="pairwise"), "BIC": BIC(mle="pairwise")}
# The thesis specifies neither the number of bins nor the criterion of the R package: five bins and the
# package's default are used.
CUTS: dict[str, Any] = {"EF": "equal_freq", "TD": "caim"}
HEURISTICS = {"HC": "hc", "RB": "rb"}
# Tables with more parents have more rows than the data; without a limit the MLE ends in a complete graph.
PARENTS = 4

# Tables 4 and 5 do not give the size of their bootstraps. It is 5: their first cell, 0.07 with p 0.17, is the
# overall row of table 2; table 3, with 10 networks, has 0.13 and 0.07.
SIZE = 5
CLASSIFIERS = ("plainBootstrap", "weightedBootstrap", "plainFullBayes", "naiveBayes", "randomForests")


def network(score: str = "BIC", cuts: str = "EF", heuristic: str = "RB", **given: Any) -> FullBayesClassifier:
    """Build the full Bayesian classifier.

    The defaults are those of the thesis, with a random initial graph.
    """
    parts = _parts(score, cuts, heuristic)
    return FullBayesClassifier(**parts | given)


def _parts(score: str, cuts: str, heuristic: str) -> dict[str, Any]:
    return {
        "structure_score": SCORES[score],
        "discretizer": CUTS[cuts],
        "search": HEURISTICS[heuristic],
        "init_graph": "random",
        "max_parents": PARENTS,
    }


def bootstraps(size: int) -> dict[str, BayesBaggingClassifier]:
    """Build networks on bootstrap samples.

    Networks are averaged (plain) or weighted by the probability of the row.

    The random stream of a fit depends on the name of its method, so each name has one size: every table and
    figure with bootstraps of this size has the same numbers.
    """
    suffix = "" if size == SIZE else f" {size}"
    ways: dict[str, Literal["plain", "test"]] = {"plainBootstrap": "plain", "weightedBootstrap": "test"}
    return {
        name + suffix: BayesBaggingClassifier(n_estimators=size, weights=weights, **_parts("BIC", "EF", "RB"))
        for name, weights in ways.items()
    }


def classifiers() -> dict[str, Any]:
    """Return the classifiers of tables 4 and 5."""
    return {
        **bootstraps(SIZE),
        "plainFullBayes": network(),
        "naiveBayes": NaiveBayesClassifier(discretizer=CUTS["EF"]),
        "randomForests": RandomForestClassifier(),
    }


@dataclass(frozen=True)
class Network(evaluation.Learner):
    """Network whose records include properties of its graph.

    Parameters
    ----------
    estimator : FullBayesClassifier
    draw : callable or None
        Takes a seed and returns parameters of the estimator, and numbers to record by name.
    """

    estimator: Any
    draw: Callable[[int], tuple[Mapping[str, Any], Mapping[str, float]]] | None = None

    def fit(self, X: Any, y: Any, place: Any) -> Any:
        """Fit, and record properties of the graph."""
        from sklearn.base import clone

        given, noted = self.draw(place.child("draw").seed) if self.draw else ({}, {})
        model = clone(self.estimator).set_params(
            **given, random_state=place.seed, n_threads=1, positive=place.positive
        )
        model.fit(X, y)
        # The engine stores `chosen_` in the record.
        model.chosen_ = {**noted, **facts(model, X, y)}
        return model


def facts(model: FullBayesClassifier, X: Any, y: NDArray[np.int64]) -> dict[str, float]:
    """Return properties of the graph, and whether the diagnosis predicts a null run.

    Some of the properties count the arcs around the class.
    """
    graph, found = model.network_, model.diagnose()
    around = [arc for arc in graph.arcs if "class" in arc]
    table = {name: _values(X[name]) for name in graph.variables if name != "class"} | {"class": y}
    recall = found["train_recall"][1]
    predicted = found["class_isolated"] or 1 in (found["never_predicted"] or []) or recall == 0
    return {
        "class arcs": float(len(around)),
        "class children": float(sum(start == "class" for start, _ in around)),
        "class parents": float(sum(end == "class" for _, end in around)),
        "arcs": float(len(graph.arcs)),
        "score": float(graph.score(table, score=model.structure_score)),
        "log-likelihood": float(graph.score(table, score="ll")),
        "starved": float(found["starved_rows"] or 0.0),
        "training recall": float(recall),
        "predicted null": float(bool(predicted)),
    }


def _values(column: Column) -> NDArray[Any]:
    """Return the numbers or levels of a column without missing values."""
    if not isinstance(column, Nominal):
        return column
    levels: NDArray[Any] = np.array(column.levels, dtype=object)
    return levels[column.codes]
