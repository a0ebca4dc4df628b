"""Decision threshold for a target, for any classifier with the scikit-learn API."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from imbcore._bindings import native
from imbcore._bindings.options import resolve_seed
from imbcore._bindings.positive import training_positive_code
from imbcore._validation.alert_budget import budget_period_length, is_alert_budget
from imbcore._validation.costs import threshold_rule_to_text
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.labels import Target
from imbcore._validation.rows import select_table_rows
from imbcore._validation.values import to_number_array
from imbcore.decisions._around import FittedFold, WrapperClassifier
from imbcore.exceptions import DataError, ParameterError
from imbcore.metrics._threshold_for import choose_threshold

# Keys of a guarantee in a threshold rule, and the default fraction of rows held out for it.
_CONFIDENCE, _ROWS, _SHARE = "guarantee", "guarantee_rows", 0.25


class ThresholdClassifier(WrapperClassifier):
    """Wrapper that chooses the threshold of a classifier on out-of-sample rows.

    Methods of imbcore need no wrapper: they support the same ``threshold`` values, and use out-of-bag
    predictions if possible.

    Parameters
    ----------
    estimator : classifier
        Classifier with the scikit-learn API and ``predict_proba``. It is cloned. A fitted classifier in
        scikit-learn's ``FrozenEstimator`` must not have been trained on the rows given to ``fit``, all of
        which are then used to choose the threshold.
    threshold : str or dict, default="f1"
        Threshold rule, as ``threshold`` of :func:`imbcore.fit`, except numbers and "prior".
    cv : int, splitter or iterable, default=5
        Inner folds for choosing the threshold: a number of at least 2, or any scikit-learn ``cv``. If
        ``threshold`` has the key ``"guarantee"``, there are no folds: a fraction ``"guarantee_rows"`` of the
        rows is held out of the fit. If there are groups, it is a fraction of the groups. If there are times,
        the latest rows are held out.
    positive : label, default=None
        Positive class. None: label 1 if the labels are 0 and 1 or -1 and 1, True if they are False
        and True; else the rarer class, in case of ties the greater label.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed of the folds or, with a guarantee, of the choice of the held-out rows. It is also the seed of
        ``estimator`` if the ``random_state`` of ``estimator`` is None.

    Attributes
    ----------
    estimator_ : classifier
        The estimator, fitted to all rows or, if there is a guarantee, to the rows that were not held out. A
        frozen estimator is not fitted again.
    threshold_ : float
        Minimum probability for which the positive class is predicted.
    decision_ : dict
        As :attr:`imbcore.Model.decision_`. If ``estimator`` is a ``FrozenEstimator``, ``source`` is
        "held_out".
    positive_ : label
        Positive class.
    classes_ : ndarray of shape (2,)
        Sorted labels.

    Examples
    --------
    >>> from imbcore.datasets import make_disjunct_grid
    >>> from imbcore.decisions import ThresholdClassifier
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = make_disjunct_grid(1000, random_state=0)
    >>> model = ThresholdClassifier(LogisticRegression(), {"recall": 0.9}, random_state=0).fit(X, y)
    >>> model.decision_["expected"]["recall"]["value"] >= 0.9
    True
    """

    _two_classes = "decides between two classes"
    _kept = ("decision_", "positive_", "threshold_")

    def __init__(
        self,
        estimator: Any,
        threshold: Any = "f1",
        *,
        cv: Any = 5,
        positive: Any = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.threshold = threshold
        self.cv = cv
        self.positive = positive
        self.random_state = random_state

    @match_rows_by_index
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        time: Any = None,
        time_gap: Any = None,
    ) -> Self:
        """Choose the threshold, and fit the estimator.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Features, in any form that the estimator accepts. The wrapper selects the rows of
            each inner fold from this table.
        y : sequence of shape (n_rows,)
            Labels of two classes.
        sample_weight : sequence of shape (n_rows,), default=None
            Weights for the estimator and for the choice of the threshold; not supported if ``threshold`` has
            the key "guarantee".
        groups, time, time_gap
            Groups and times of the rows, as in :func:`imbcore.fit`.

        Returns
        -------
        self : object
            The fitted classifier.

        Raises
        ------
        ParameterError
            The threshold rule is invalid, or the estimator lacks a required method.
        DataError
            No threshold reaches the target, or the number of classes is not two.
        """
        X, target, weighted = self._weighted(X, y, sample_weight, (groups, time, time_gap), self.threshold)
        weights = weighted.weights
        code = training_positive_code(self.positive, target.classes, target.codes, weights)
        labels = target.classes[target.codes]
        seed = resolve_seed(self.random_state)
        if isinstance(self.threshold, str) and self.threshold == "prior":
            raise ParameterError(
                'ThresholdClassifier: threshold must be a target such as "f1", got "prior", which is an '
                "option of the Bayesian classifiers of imbcore; set it there, without the wrapper"
            )
        goal = threshold_rule_to_text(self.threshold, target.classes)
        confidence = self.threshold.get(_CONFIDENCE) if isinstance(self.threshold, Mapping) else None
        assumes = None
        if confidence is None:
            kept = np.arange(len(labels))
            period = budget_period_length(self.threshold)
            folds = list(self._folds(X, target, weighted, seed, only_latest=True, period=period))
            rows = np.concatenate([fold.test for fold in folds])
        else:
            share = self.threshold.get(_ROWS, _SHARE)
            kept, rows = self._split_held_out(target, code, share, seed, f'threshold["{_ROWS}"]', weighted)
            if weights is None:
                # The number of rows and groups does not depend on the model: check it before fitting.
                related = weighted.dependence.pick(rows)
                assumes = native.metrics.check_guarantee(goal, target.codes[rows], code, related, seed)
            if len(np.unique(target.codes[rows])) < 2:
                raise DataError(
                    f"the {len(rows)} rows held out of the fit are not of both classes; hold out more "
                    f'("{_ROWS}", now {share})'
                )
        self.estimator_ = self._fitted(X, labels, weights, kept, seed=seed, dependence=weighted.dependence)
        if confidence is not None:
            proba = self.estimator_.predict_proba(select_table_rows(X, rows, fresh_index=False))
            scores = to_number_array(proba[:, code], "y_score")
        elif is_alert_budget(self.threshold) and weighted.dependence.time is not None:
            scores = np.concatenate([self._scores_on_final_scale(X, target, code, fold) for fold in folds])
        else:
            scores = np.concatenate([to_number_array(fold.proba[:, code], "y_score") for fold in folds])
        self.classes_, self.positive_ = target.classes, target.classes.tolist()[code]
        groups = weighted.dependence.pick(rows).groups
        self.threshold_, expected, by_group = choose_threshold(
            self.threshold,
            goal,
            target.codes[rows],
            code,
            scores,
            None if weights is None else weights[rows],
            weighted.dependence.alert_rows(rows),
            None if groups is None else (groups, seed),
        )
        self.decision_ = {
            "kind": "threshold",
            "positive": self.positive_,
            "threshold": self.threshold_,
            "goal": json.loads(goal) if isinstance(self.threshold, Mapping) else self.threshold,
            "source": self._fold_source() if confidence is None else "held_out",
            "n_rows": len(rows),
            "n_positives": int(np.count_nonzero(target.codes[rows] == code)),
            "confidence": confidence,
            "expected": expected,
        }
        if assumes is not None:
            self.decision_["assumes"] = assumes
        if by_group is not None:
            self.decision_["expected_by_group"] = by_group
        return self

    def _scores_on_final_scale(
        self, X: Any, target: Target, code: int, fold: FittedFold
    ) -> NDArray[np.float64]:
        """Map the probabilities of a fold to the scale of the final estimator."""
        negative = fold.train[target.codes[fold.train] != code]
        table = select_table_rows(X, negative, fresh_index=False)
        of_fold, of_final = (
            to_number_array(one.predict_proba(table)[:, code], "y_score")
            for one in (fold.member, self.estimator_)
        )
        return native.metrics.map_score_scale(
            of_fold, of_final, to_number_array(fold.proba[:, code], "y_score")
        )

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probabilities of the estimator, (n_rows, 2), in the order of ``classes_``."""
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the positive class if its probability is at least ``threshold_``."""
        check_is_fitted(self)
        code = self.classes_.tolist().index(self.positive_)
        reached = self.predict_proba(X)[:, code] >= self.threshold_
        return self.classes_[np.where(reached, code, 1 - code)]
