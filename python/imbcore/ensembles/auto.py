"""Greedy ensemble selection among several methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from imbcore._estimators.base import NativeClassifier
from imbcore._model.model import Model
from imbcore._signatures import AutoParameters

__all__ = ["AutoClassifier"]


class AutoClassifier(AutoParameters, NativeClassifier):
    """Ensemble of several methods, weighted by their held-out predictions.

    The candidates are the class prior, Bayesian classifiers, logistic regression, boosted trees with several
    numbers of rounds, and forests with several leaf sizes. They are fitted to the training rows of inner
    folds: five, unless groups or times require another number. Greedy selection with replacement chooses the
    weights of the candidates by their predictions for the held-out rows. The selection is run once per fold,
    on the rows of the other folds, and the resulting weights of a candidate are averaged. The weighted mean
    of the candidates is mixed with the class prior and corrected so that the mean probability is close to the
    class frequency. For prediction, the candidate models of all folds
    are averaged. If the rows have times, every candidate is also fitted to all rows, and only these fits are
    used for prediction. ``budget`` and ``time_limit`` limit the work.

    If Ctrl-C stops the fit after the first candidate, the model is the ensemble of the complete candidates,
    with a warning.

    Parameters
    ----------
    class_weight
        Weight of every label, multiplied with ``sample_weight``; "balanced" weights the classes inversely to
        their frequencies. Weights affect the fits of the candidates, the scores and the probabilities.
    random_state
        Seed of the inner folds and of the candidates. Equal seeds and budgets give equal models for any
        ``n_threads``.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; works without scikit-learn.
    leaderboard_ : list of dict
        Candidates, the best held-out score first. Keys: ``member``, ``method``, ``params``, ``score``
        (held-out score by ``metric``; None if not fitted), ``weight`` (in the ensemble), ``work`` (in units
        of ``budget``), ``left_out`` (reason if not fitted) and ``seconds`` (of the fits). Candidates that
        share one fit, such as boosted trees that differ only in the number of rounds, all have the work and
        the seconds of this fit.
    validation_score_ : float
        Held-out score of the ensemble by ``metric``; each fold is scored with weights selected on the other
        folds.
    estimators_ : sequence of Model
        Models of the candidates in the ensemble: one for each candidate and inner fold, or one per candidate
        if the rows have times.
    estimator_weights_ : ndarray of shape (n_models,)
        Weight of each model in ``estimators_``; the sum is 1.
    feature_importances_ : ndarray of shape (n_features,)
        Mean of the importances of the models that have importances, weighted by ``estimator_weights_``; the
        sum is 1.
    oob_score_ : float
        Score of the held-out predictions by ``metric``; only if ``oob_score`` is set.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Held-out probabilities of the training rows; only if ``oob_score`` is set. NaN for rows of weight 0,
        and for the earliest rows if the rows have times.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    positive_ : label
        Positive class, to which ``threshold``, ``metric`` and scores refer.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names; only defined if all column names of ``X`` are strings.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Caruana, Niculescu-Mizil, Crew and Ksikes, "Ensemble Selection from Libraries of Models", ICML 2004:
    selection with replacement on held-out predictions.

    Examples
    --------
    >>> from imbcore import AutoClassifier
    >>> X = [[float(x), float(x % 7)] for x in range(200)]
    >>> y = ["rare" if x >= 170 or x == 30 else "common" for x in range(200)]
    >>> auto = AutoClassifier(budget=1.0, random_state=0).fit(X, y)
    >>> auto.predict([[20.0, 1.0], [190.0, 3.0]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "auto"

    def __sklearn_tags__(self) -> Any:
        """Return the scikit-learn tags of the estimator."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags

    @property
    def leaderboard_(self) -> list[dict[str, Any]]:
        """Candidates with held-out scores and weights, the best first."""
        return self._fitted().leaderboard_

    @property
    def validation_score_(self) -> float:
        """Held-out score of the ensemble."""
        return self._fitted().validation_score_

    @property
    def estimators_(self) -> Sequence[Model]:
        """The models of all members."""
        return self._fitted().estimators_

    @property
    def estimator_weights_(self) -> NDArray[np.float64]:
        """Weight of each model."""
        return self._fitted().estimator_weights_

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean of the importances of the models, weighted by ``estimator_weights_``."""
        return self._fitted().feature_importances_

    @property
    def oob_score_(self) -> float:
        """Score of the held-out predictions."""
        return self._fitted().oob_score_

    @property
    def oob_decision_function_(self) -> NDArray[np.float64]:
        """Held-out probabilities of the training rows."""
        return self._fitted().oob_decision_function_
