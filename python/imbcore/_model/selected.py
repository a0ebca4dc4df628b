"""Fitted ensembles of members selected among several methods."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._model.ensembles import Members, OutOfBagScored, mean_importances
from imbcore._model.model import Model
from imbcore._validation.values import digits_of


class SelectedModel(OutOfBagScored, kind="selected"):
    """Weighted mean of the probabilities of members that were selected by held-out predictions.

    Attributes
    ----------
    leaderboard_ : list of dict
        Candidates, the best held-out score first. Keys: ``member``, ``method``, ``params``, ``score``
        (held-out score by ``metric``; None if not fitted), ``weight`` (in the ensemble), ``work`` (in units
        of ``budget``), ``left_out`` (reason if not fitted: "budget", "time_limit", "interrupted" or an error
        message, else None) and ``seconds`` (of the fits; None after loading from a file). Candidates that
        come from one fit have its work and seconds.
    validation_score_ : float
        Held-out score of the ensemble by ``metric``; the weights were selected on the other folds.
    estimators_ : sequence of Model
        The models of all members, in the order of their fits: one for each member and inner fold, or one per
        member if the rows have times.
    estimator_weights_ : ndarray of shape (n_estimators,)
        Weight of each model; the sum is 1.
    feature_importances_ : ndarray of shape (n_features,)
        Mean of the importances of the models that have importances, by weight; the sum is 1.
    oob_score_ : float
        Score of the held-out predictions by ``metric``; only if ``oob_score`` is set.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Held-out probabilities of the training rows; NaN for rows that no inner fold holds out; only if
        ``oob_score`` is set.
    """

    _family = "ensembles"
    _native: native.models.SelectedModel

    @property
    def size_text(self) -> str:
        """Number of members as text."""
        n_members = sum(row["weight"] > 0 for row in self.leaderboard_)
        return f"{n_members} members, {len(self.estimators_)} models"

    @property
    def leaderboard_(self) -> list[dict[str, Any]]:
        """Candidates with held-out scores and weights, the best first."""
        rows = [
            {
                "member": entry["member"],
                "method": entry["method"],
                "params": entry["params"],
                "score": entry["score"],
                "weight": entry["weight"],
                "work": entry["work"],
                "left_out": _reason(entry["left_out"]),
                "seconds": seconds,
            }
            for entry, seconds in zip(self._board["entries"], self._native.seconds, strict=True)
        ]
        sign = -1.0 if self.params["metric"] == "average_precision" else 1.0
        return sorted(rows, key=lambda row: np.inf if row["score"] is None else sign * row["score"])

    def leaderboard_text(self, *, decimals: int = 4) -> str:
        """Format the leaderboard as a table of text.

        Parameters
        ----------
        decimals : int, default=4
            Digits of scores and weights after the decimal point.

        Returns
        -------
        str
            One line for each candidate, and one for the ensemble.
        """
        digits = digits_of(decimals)
        lines = [("member", self.params["metric"], "weight", "seconds", "left out")]
        lines.append(("ensemble", f"{self.validation_score_:.{digits}f}", "", "", ""))
        for row in self.leaderboard_:
            score = "" if row["score"] is None else f"{row['score']:.{digits}f}"
            weight = f"{row['weight']:.{digits}f}" if row["weight"] else ""
            seconds = "" if row["seconds"] is None else f"{row['seconds']:.2f}"
            lines.append((row["member"], score, weight, seconds, row["left_out"] or ""))
        widths = [max(len(line[at]) for line in lines) for at in range(4)]
        text = [
            "  ".join([f"{line[0]:{widths[0]}}", *(f"{line[at]:>{widths[at]}}" for at in (1, 2, 3)), line[4]])
            for line in lines
        ]
        return "".join(f"{line.rstrip()}\n" for line in text)

    @property
    def validation_score_(self) -> float:
        """Held-out score of the ensemble."""
        score = self._board["score"]
        return float("nan") if score is None else float(score)

    @property
    def estimators_(self) -> Sequence[Model]:
        """The models, in order; each model is created on access."""
        every = np.arange(self.n_features_in_, dtype=np.uint32)
        return Members(self._native, self._schema, [every] * len(self.estimator_weights_))

    @property
    def estimator_weights_(self) -> NDArray[np.float64]:
        """Weight of each model."""
        return self._native.weights

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean of the importances of the models that have importances, by weight."""
        every = np.arange(self.n_features_in_, dtype=np.uint32)
        members, weights = self.estimators_, self.estimator_weights_
        mean = mean_importances(members, weights, [every] * len(members), self.n_features_in_)
        total = mean.sum()
        return mean / total if total > 0 else mean

    @property
    def _board(self) -> dict[str, Any]:
        board: dict[str, Any] = json.loads(self._native.leaderboard)
        return board


def _reason(left_out: Any) -> str | None:
    """Return why a candidate was not fitted: a name, or the message of an error."""
    return left_out["failed"] if isinstance(left_out, dict) else left_out
