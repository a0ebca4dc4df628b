"""A threshold that reaches a goal, over any classifier of scikit-learn's protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.exceptions import DataConversionWarning
from sklearn.utils import get_tags
from sklearn.utils.validation import _num_samples, check_is_fitted, has_fit_parameter

from imbcore._border import native
from imbcore._border.options import resolve_seed
from imbcore._border.positive import training_code
from imbcore._estimators.selection import folds_of
from imbcore._input.labels import Target, encode
from imbcore._input.remarks import warn_user
from imbcore._input.rows import pick, shape_of
from imbcore._input.values import weights_of
from imbcore.exceptions import DataError, ParameterError
from imbcore.metrics import threshold_for
from imbcore.protocols import StratifiedFolds

__all__ = ["ThresholdClassifier"]

# What a goal that is a dict may say of its guarantee, and the share of rows where it says nothing.
_CONFIDENCE, _ROWS, _SHARE = "guarantee", "guarantee_rows", 0.25


class ThresholdClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Any classifier, with the threshold that reaches a goal on rows it did not see.

    Methods of imbcore need no wrapper: they take the same goals as ``threshold``, and choose on out-of-bag
    answers where they can.

    Parameters
    ----------
    estimator : classifier
        Of scikit-learn's protocol, with ``predict_proba``. It is cloned.
    threshold : str or dict, default="f1"
        The goal, as ``threshold`` of :func:`imbcore.fit`.
    cv : int, splitter or iterable, default=5
        Inner folds whose rows the threshold is chosen on: a number of at least 2, or what scikit-learn takes.
        With a guarantee a share of the rows,
        ``"guarantee_rows"``, is kept out of the fit instead.
    positive : label, default=None
        Positive class; None as in :func:`imbcore.fit`.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed of the folds or of the rows kept out.

    Attributes
    ----------
    estimator_ : classifier
        The fitted estimator: of all rows, or with a guarantee of those that were not kept out.
    threshold_ : float
        Probability of the positive class from which it is answered.
    decision_ : dict
        As :attr:`imbcore.Model.decision_`.
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose the threshold, and fit the estimator.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Whatever the estimator takes; its rows are picked for the folds.
        y : sequence of shape (n_rows,)
            Labels of two classes.
        sample_weight : sequence of shape (n_rows,), default=None
            Weights for the estimator and for the choice; a guarantee takes none.

        Returns
        -------
        self : object
            The fitted classifier.

        Raises
        ------
        ParameterError
            The goal is none, or the estimator has not what it needs.
        DataError
            Nothing meets the goal, or there are other than two classes.
        """
        target = encode(y, type(self).__name__)
        self._check(X, target, sample_weight)
        weights = weights_of(sample_weight)
        code = training_code(self.positive, target.classes, target.codes, weights)
        labels = target.classes[target.codes]
        seed = resolve_seed(self.random_state)
        confidence = self.threshold.get(_CONFIDENCE) if isinstance(self.threshold, Mapping) else None
        if confidence is None:
            rows, proba = self._out_of_fold(X, labels, weights, seed)
            kept = np.arange(len(labels))
        else:
            share = self.threshold.get(_ROWS, _SHARE)
            rows = native.protocols.stratified_split(target.codes, share, seed).astype(np.int64)
            kept = np.setdiff1d(np.arange(len(labels)), rows)
        self.estimator_ = self._fitted(X, labels, weights, kept)
        if confidence is not None:
            proba = self.estimator_.predict_proba(pick(X, rows, fresh_index=False))
        self.classes_, self.positive_ = target.classes, target.classes.tolist()[code]
        self.threshold_, expected = threshold_for(
            labels[rows],
            proba[:, code],
            self.threshold,
            positive=self.positive_,
            sample_weight=None if weights is None else weights[rows],
        )
        self.decision_ = {
            "kind": "threshold",
            "positive": self.positive_,
            "threshold": self.threshold_,
            "goal": self.threshold,
            "source": "out_of_fold" if confidence is None else "held_out",
            "n_rows": len(rows),
            "n_positives": int(np.count_nonzero(target.codes[rows] == code)),
            "confidence": confidence,
            "expected": expected,
        }
        return self

    def _check(self, X: Any, target: Target, sample_weight: Any) -> None:
        who = type(self).__name__
        n_rows = shape_of(X)[0] if isinstance(X, Mapping) else int(_num_samples(X))
        if not hasattr(self.estimator, "predict_proba"):
            raise ParameterError(
                f"{who}: parameter `estimator` must have predict_proba, got {self.estimator!r}"
            )
        if n_rows != len(target.codes):
            raise DataError(
                f"Found input variables with inconsistent numbers of samples: [{n_rows}, {len(target.codes)}]"
            )
        if target.was_column:
            warn_user(
                "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
                "(n_samples,), for example using ravel().",
                DataConversionWarning,
            )
        if len(target.classes) < 2:
            raise DataError(f"{who} decides between two classes, but y has one class")
        if len(target.classes) > 2:
            raise DataError(
                f"Only binary classification is supported. {who} decides between two classes, but y has "
                f"{len(target.classes)}"
            )
        if sample_weight is not None and not has_fit_parameter(self.estimator, "sample_weight"):
            raise ParameterError(f"{who}: {type(self.estimator).__name__}.fit takes no sample_weight")

    def _fitted(self, X: Any, labels: NDArray[Any], weights: NDArray[Any] | None, rows: NDArray[Any]) -> Any:
        options = {} if weights is None else {"sample_weight": weights[rows]}
        return clone(self.estimator).fit(pick(X, rows, fresh_index=False), labels[rows], **options)

    def _out_of_fold(
        self, X: Any, labels: NDArray[Any], weights: NDArray[Any] | None, seed: int
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Rows, and their probabilities by models of the other folds."""
        tested, found = [], []
        if isinstance(self.cv, int):
            splits: Any = StratifiedFolds(self.cv, 1, random_state=seed).split(y=labels)
        else:
            splits = folds_of(self.cv, labels)
        for train, test in splits:
            member = self._fitted(X, labels, weights, train)
            if len(member.classes_) != 2:
                raise DataError("a training part of the inner folds has one class; lower cv")
            tested.append(test)
            found.append(member.predict_proba(pick(X, test, fresh_index=False)))
        return np.concatenate(tested), np.concatenate(found)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Give the estimator's probabilities, of shape (n_rows, 2), in the order of ``classes_``."""
        check_is_fitted(self)
        proba: NDArray[np.float64] = self.estimator_.predict_proba(X)
        return proba

    def predict(self, X: Any) -> NDArray[Any]:
        """Answer the positive class where its probability reaches ``threshold_``."""
        check_is_fitted(self)
        code = self.classes_.tolist().index(self.positive_)
        reached = self.predict_proba(X)[:, code] >= self.threshold_
        answers: NDArray[Any] = self.classes_[np.where(reached, code, 1 - code)]
        return answers

    @property
    def n_features_in_(self) -> int:
        """Number of features, where the estimator tells it."""
        return int(self._of_estimator("n_features_in_"))

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Names of the columns, where the estimator keeps them."""
        names: NDArray[Any] = self._of_estimator("feature_names_in_")
        return names

    def _of_estimator(self, name: str) -> Any:
        if "estimator_" not in vars(self):
            raise AttributeError(f"{type(self).__name__} is not fitted and has no attribute {name!r}")
        return getattr(self.estimator_, name)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        tags.classifier_tags.multi_class = False
        return tags
