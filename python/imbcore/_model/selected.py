"""Fitted ensembles of members selected among several methods."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._model.ensembles import EnsembleMembers, OutOfBagModel, mean_importances
from imbcore._model.explainable import predicted_probability_or_none
from imbcore._model.explanation import ExplainedRowValues, Explanation
from imbcore._model.member_explanations import explain_member_probability
from imbcore._model.model import Model
from imbcore._validation.frame import n_frame_rows
from imbcore._validation.read import materialize_arrow_stream
from imbcore._validation.values import validate_decimals


class SelectedModel(OutOfBagModel, kind="selected"):
    """Weighted mean of the probabilities of members that were selected by held-out predictions.

    Attributes
    ----------
    leaderboard_ : list of dict
        Candidates, the best held-out score first. Keys: ``member``, ``method``, ``params``, ``score``
        (held-out score by ``metric``; None if not fitted), ``weight`` (in the ensemble), ``work`` (in units
        of ``budget``), ``left_out`` (reason if not fitted: "budget", "time_limit", "interrupted" or an error
        message, else None) and ``seconds`` (of the fits; None after loading from a file). Candidates that
        share one fit, such as boosted trees that differ only in the number of rounds, all have the work and
        the seconds of this fit.
    validation_score_ : float
        Held-out score of the ensemble by ``metric``; each fold is scored with weights selected on the other
        folds.
    estimators_ : sequence of Model
        The models of all members, in the order of their fits: one for each member and inner fold, or one per
        member if the rows have times.
    estimator_weights_ : ndarray of shape (n_estimators,)
        Weight of each model; the sum is 1.
    feature_importances_ : ndarray of shape (n_features,)
        Mean of the importances of the models that have importances, weighted by ``estimator_weights_``; the
        sum is 1.
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
                "left_out": _reason_not_fitted(entry["left_out"]),
                "seconds": seconds,
            }
            for entry, seconds in zip(self._native_leaderboard["entries"], self._native.seconds, strict=True)
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
        digits = validate_decimals(decimals)
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
        score = self._native_leaderboard["score"]
        return float("nan") if score is None else float(score)

    @property
    def estimators_(self) -> Sequence[Model]:
        """The models, in order; each model is created on access."""
        every = np.arange(self.n_features_in_, dtype=np.uint32)
        return EnsembleMembers(self._native, self._schema, [every] * len(self.estimator_weights_))

    @property
    def estimator_weights_(self) -> NDArray[np.float64]:
        """Weight of each model."""
        return self._native.weights

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean of the importances of the models, weighted by ``estimator_weights_``."""
        every = np.arange(self.n_features_in_, dtype=np.uint32)
        members, weights = self.estimators_, self.estimator_weights_
        mean = mean_importances(members, weights, [every] * len(members), self.n_features_in_)
        total = mean.sum()
        return mean / total if total > 0 else mean

    def explain(
        self,
        X: Any,
        *,
        label: Any = None,
        background: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> Explanation:
        """Contribution of every feature to the probability of a class.

        The contributions are the weighted means of those of the models in ``estimators_``, on the scale of
        probabilities. They are exact Shapley values for trees and forests without ``prior_correction``.
        Models that are additive in log-odds or scores have contributions on their own scale, which are
        multiplied with the mean slope of the probability between the base value and the row. The explained
        output is the weighted mean of the probabilities of the models, before the calibration in the large,
        ``calibrate``, :meth:`correct_prior` and thresholds.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        label : label or None, default=None
            Class whose probability is explained; None uses ``positive_``.
        background : table of shape (n_background, n_features) or None, default=None
            Rows with which unknown features are filled, as in the ``explain`` of the models; None uses the
            training rows.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        Explanation
            Values for every row and feature, with ``scale`` "probability".

        Raises
        ------
        ParameterError
            The label is not in ``classes_``.
        DataError
            The background has no rows.

        References
        ----------
        Shrikumar, Greenside and Kundaje, "Learning Important Features Through Propagating Activation
        Differences", 2017, section 3.5.1; Sundararajan, Taly and Yan, "Axiomatic Attribution for Deep
        Networks", 2017, for several classes.

        Examples
        --------
        >>> import imbcore, numpy as np
        >>> X = np.random.default_rng(0).normal(size=(80, 3))
        >>> model = imbcore.fit(X, (X[:, 0] > 0.8).astype(int), "auto", budget=0.1, random_state=0)
        >>> found = model.explain(X)
        >>> found.scale, int(np.abs(found.values).mean(axis=0).argmax())
        ('probability', 0)
        """
        label, X = self.positive_ if label is None else label, materialize_arrow_stream(X)
        background = materialize_arrow_stream(background)
        code, frame = self._code_of("label", label), self._frame(X)
        if background is not None:
            self._frame(background, "background")
        options = {"background": background, "n_threads": n_threads, "n_jobs": n_jobs}
        values, base = np.zeros((n_frame_rows(frame), self.n_features_in_)), 0.0
        for member, weight in zip(self.estimators_, self.estimator_weights_.tolist(), strict=True):
            of_member, base_of_member = explain_member_probability(member, X, label, options)
            values += weight * of_member
            base += weight * base_of_member
        cells = ExplainedRowValues.from_rows(frame, self._schema, X)
        final = predicted_probability_or_none(self, frame, code, base + values.sum(axis=1), "probability")
        return Explanation(values, base, list(self._schema.names), label, "probability", final, cells)

    @property
    def _native_leaderboard(self) -> dict[str, Any]:
        board: dict[str, Any] = json.loads(self._native.leaderboard)
        return board


def _reason_not_fitted(left_out: Any) -> str | None:
    """Return why a candidate was not fitted: a name, or the message of an error."""
    return left_out["failed"] if isinstance(left_out, dict) else left_out
