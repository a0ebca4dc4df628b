"""Correction for class proportions that differ from training, estimated without labels."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from imbcore._bindings import native
from imbcore._bindings.options import resolve_seed
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.labelled import (
    column_labels,
    match_rows_by_index,
    matrix_classes,
    order_matrix_by_class,
    order_values_by_class,
)
from imbcore._validation.value_text import value_text
from imbcore._validation.values import to_float_array, to_number_array
from imbcore.decisions._around import WrapperClassifier
from imbcore.exceptions import DataError, ParameterError


def adapt_prior(proba: Any, prior: Any, confusion: Any = None) -> dict[str, NDArray[np.float64]]:
    """Estimate class proportions of unlabeled rows from the predictions of a classifier.

    If ``confusion`` is None, the method is EM on calibrated probabilities (Saerens, Latinne and Decaestecker
    2002, eq. 2.9). If ``confusion`` is given, the method is BBSE (Lipton, Wang and Smola 2018); it
    predicts for each row the class with the largest ratio of probability to ``prior``. Both methods assume
    that only the class proportions changed (label shift). If the distribution of a feature changed within a
    class, the estimate is wrong.

    Parameters
    ----------
    proba : array of shape (n_rows, n_classes)
        Probabilities of the rows, by a classifier trained with the class proportions ``prior``.
    prior : sequence of shape (n_classes,)
        Class proportions in training; they sum to 1.
    confusion : array of shape (n_classes, n_classes), default=None
        Number of rows of each true class (columns) per predicted class (rows), on out-of-sample rows.

    Returns
    -------
    dict
        ``prior``, the estimated proportions, and ``low`` and ``high``, the ends of their 95 % intervals, each
        of shape (n_classes,): for EM from the observed information, for BBSE by the delta method.

    Raises
    ------
    DataError
        The shapes of the arrays do not match, ``prior`` does not sum to 1, or the arrays do not determine the
        proportions.

    Examples
    --------
    >>> from imbcore.decisions import adapt_prior
    >>> found = adapt_prior([[0.25, 0.75]] * 5 + [[0.75, 0.25]] * 3, [0.5, 0.5])
    >>> found["prior"].round(4)
    array([0.25, 0.75])
    """
    classes = column_labels(proba) or matrix_classes(prior, []) or matrix_classes(confusion, [])
    if classes is not None:
        prior = order_values_by_class(prior, classes, "prior")
        confusion = order_matrix_by_class(confusion, classes, "confusion")
    predicted, known = _validate_matrix(proba, "proba"), to_number_array(prior, "prior").tolist()
    if predicted.shape[1] != len(known):
        raise DataError(f"proba has {predicted.shape[1]} columns, but prior has {len(known)} classes")
    if confusion is None:
        found = native.decisions.estimate_prior_em(predicted, known)
    else:
        answered = native.decisions.prior_ratio_confusion(predicted, None, known)[:, 0].tolist()
        found = native.decisions.estimate_prior_bbse(_validate_matrix(confusion, "confusion"), answered)
    return {name: np.array(values) for name, values in found.items()}


def _validate_matrix(values: Any, name: str) -> NDArray[np.float64]:
    array = to_float_array(values, name)
    if array.ndim != 2:
        raise DataError(
            f"{name} must be a matrix with one column per class, got an array of shape {array.shape}"
        )
    return array


class AdaptedClassifier(WrapperClassifier):
    """Wrapper that corrects probabilities for the class proportions of new rows.

    The proportions are estimated from unlabeled rows; for known proportions use
    :class:`PriorShiftClassifier`. The assumption is that only the class proportions changed (label shift).
    Models of imbcore need no wrapper: they have the method :meth:`imbcore.Model.correct_prior`.

    Parameters
    ----------
    estimator : classifier
        Classifier with the scikit-learn API and ``predict_proba``. It is cloned.
    method : {"em", "bbse"}, default="em"
        Method of estimating the proportions, as in :meth:`imbcore.Model.correct_prior`: "em" needs an
        estimator with calibrated probabilities, and "bbse" computes a confusion matrix from inner folds.
    cv : int, splitter or iterable, default=5
        Folds for "bbse": a number of at least 2, or any scikit-learn ``cv``.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed of the folds, and of an ``estimator`` whose own ``random_state`` is None.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels.
    estimator_ : classifier
        The fitted estimator.
    prior_ : ndarray of shape (n_classes,)
        Weighted class proportions in training.
    confusion_ : ndarray of shape (n_classes, n_classes) or None
        If ``method`` is "bbse": total weight of the rows of each true class (columns) and predicted class
        (rows), from inner folds; else None. The predicted class is the class with the largest ratio of
        probability to ``prior_``.
    adapted_ : dict or None
        After ``correct_prior``: ``prior``, ``low`` and ``high`` as in :func:`adapt_prior`.

    Examples
    --------
    >>> from imbcore.datasets import make_disjunct_grid
    >>> from imbcore.decisions import AdaptedClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = make_disjunct_grid(1000, minority_fraction=0.1, random_state=0)
    >>> X_new, _ = make_disjunct_grid(1000, minority_fraction=0.5, random_state=1)
    >>> model = AdaptedClassifier(GaussianNB(), method="bbse", random_state=0).fit(X, y).correct_prior(X_new)
    >>> sorted(model.adapted_)
    ['high', 'low', 'prior']
    """

    _kept = ("adapted_", "confusion_", "prior_")

    def __init__(self, estimator: Any, *, method: str = "em", cv: Any = 5, random_state: Any = None) -> None:
        self.estimator = estimator
        self.method = method
        self.cv = cv
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
        """Fit the estimator; if ``method`` is "bbse", also compute the confusion matrix.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Features, in any form that the estimator accepts.
        y : sequence of shape (n_rows,)
            Labels.
        sample_weight : sequence of shape (n_rows,), default=None
            Row weights, used for the estimator, the class proportions and the confusion matrix.
        groups, time, time_gap
            Groups and times of the rows, as in :func:`imbcore.fit`.

        Returns
        -------
        self : object
            The fitted classifier, still with the class proportions of training.

        Raises
        ------
        ParameterError
            A parameter is outside its valid range, or the estimator lacks a required method.
        """
        if self.method not in ("em", "bbse"):
            raise ParameterError(
                f'AdaptedClassifier: parameter `method` must be "em" or "bbse", got {value_text(self.method)}'
            )
        X, target, weighted = self._weighted(X, y, sample_weight, (groups, time, time_gap))
        weights = weighted.weights
        seed = resolve_seed(self.random_state)
        self.classes_: NDArray[Any] = target.classes
        labels = target.classes[target.codes]
        self.estimator_ = self._fitted(
            X, labels, weights, np.arange(len(labels)), seed=seed, dependence=weighted.dependence
        )
        masses = np.bincount(target.codes, weights, minlength=len(target.classes))
        self.prior_ = masses / masses.sum()
        self.confusion_ = None
        if self.method == "bbse":
            rows, proba = self._out_of_fold_proba(X, target, weighted, seed)
            self.confusion_ = native.decisions.prior_ratio_confusion(
                _validate_matrix(proba, "proba"),
                target.codes[rows],
                self.prior_.tolist(),
                None if weights is None else weights[rows],
            )
        self.adapted_: dict[str, NDArray[np.float64]] | None = None
        return self

    def correct_prior(self, X_new: Any) -> Self:
        """Estimate the class proportions of unlabeled rows, and use them in later predictions.

        Parameters
        ----------
        X_new : table of shape (n_rows, n_features)
            Rows without labels.

        Returns
        -------
        self : object
            The adapted classifier; adapting again starts from the proportions of training.
        """
        check_is_fitted(self)
        self.adapted_ = adapt_prior(self.estimator_.predict_proba(X_new), self.prior_, self.confusion_)
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Compute probabilities, corrected after ``correct_prior``, in the order of ``classes_``."""
        check_is_fitted(self)
        proba = _validate_matrix(self.estimator_.predict_proba(X), "proba")
        if self.adapted_ is None:
            return proba
        return native.decisions.reweigh(proba, self.prior_.tolist(), self.adapted_["prior"].tolist())

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict labels as the estimator does; after ``correct_prior``, the most probable class."""
        check_is_fitted(self)
        if self.adapted_ is None:
            return self.estimator_.predict(X)
        codes = native.costs.decide(self.predict_proba(X), None, None, 0)
        return self.classes_[codes]


name_package_in_errors(globals())
