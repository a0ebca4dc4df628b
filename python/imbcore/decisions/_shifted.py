"""Probabilities for given class proportions; inverts the effect of resampling."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from imbcore._bindings import native
from imbcore._estimators.row_arguments import fit_arguments
from imbcore._validation.labelled import match_rows_by_index, order_values_by_class
from imbcore._validation.value_text import value_text
from imbcore._validation.values import to_number_array
from imbcore.decisions._around import WrapperClassifier
from imbcore.exceptions import ParameterError


class _LabelRecorder(BaseEstimator):  # type: ignore[misc]
    """Pipeline step that passes rows through and stores their labels."""

    @match_rows_by_index
    def fit_resample(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Return the rows unchanged."""
        self.y_ = np.asarray(y)
        return X, y


class PriorShiftClassifier(WrapperClassifier):
    """Wrapper that corrects the probabilities of a classifier for other class proportions.

    The corrected probability of class c is proportional to ``p_c target_c / train_c``. Here ``p_c`` is the
    probability by the estimator, and ``train_c`` and ``target_c`` are the class proportions in training and
    in deployment. By default the wrapper inverts the effect of the samplers of a pipeline: the last step is
    trained on resampled rows, and its probabilities are corrected to the class proportions of ``y``. Other
    effects of the samplers, such as those of synthetic SMOTE rows, are not corrected. Forests and ensembles
    of imbcore have their own correction (``prior_correction``).

    Parameters
    ----------
    estimator : classifier
        Classifier with the scikit-learn API and ``predict_proba``, for instance an imbalanced-learn pipeline
        with samplers. It is cloned.
    train_prior : sequence of shape (n_classes,), default=None
        Class proportions in training, in the order of ``classes_``; they are normalized to a sum of 1. If
        None and the estimator is a pipeline with samplers: the unweighted class proportions of the rows to
        which its last step is fitted. This is an error for a frozen pipeline. If None and the estimator is
        another classifier: the weighted proportions of ``y``.
    target_prior : sequence of shape (n_classes,), default=None
        Class proportions in deployment. None: weighted proportions of ``y``.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels.
    estimator_ : classifier
        The fitted estimator.
    train_prior_, target_prior_ : ndarray of shape (n_classes,)
        Class proportions in training and in deployment.

    References
    ----------
    Elkan, "The Foundations of Cost-Sensitive Learning", 2001: theorem 2. Saerens, Latinne and Decaestecker,
    "Adjusting the Outputs of a Classifier to New a Priori Probabilities", 2002: eq. 2.4.

    Examples
    --------
    >>> from imbcore.datasets import make_disjunct_grid
    >>> from imbcore.decisions import PriorShiftClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = make_disjunct_grid(1000, minority_fraction=0.1, random_state=0)
    >>> model = PriorShiftClassifier(GaussianNB(), target_prior=[0.5, 0.5]).fit(X, y)
    >>> model.train_prior_.round(2), model.target_prior_
    (array([0.9, 0.1]), array([0.5, 0.5]))
    """

    _kept = ("target_prior_", "train_prior_")

    def __init__(self, estimator: Any, *, train_prior: Any = None, target_prior: Any = None) -> None:
        self.estimator = estimator
        self.train_prior = train_prior
        self.target_prior = target_prior

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
        """Fit the estimator, and compute the class proportions.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Features, in any form that the estimator accepts.
        y : sequence of shape (n_rows,)
            Labels.
        sample_weight : sequence of shape (n_rows,), default=None
            Weights for the estimator and the proportions of ``y``.
        groups, time, time_gap
            Groups and times of the rows, as in :func:`imbcore.fit`.

        Returns
        -------
        self : object
            The fitted classifier.

        Raises
        ------
        ParameterError
            The class proportions are invalid, or the estimator lacks a required method.
        """
        X, target, weighted = self._weighted(X, y, sample_weight, (groups, time, time_gap))
        weights = weighted.weights
        classes: NDArray[Any] = target.classes
        self.classes_ = classes
        labels = classes[target.codes]
        own = np.bincount(target.codes, weights, minlength=len(classes))
        self.target_prior_ = self._shares("target_prior", own)
        options = fit_arguments(self.estimator, weighted.dependence, weights=weights)
        self.estimator_ = clone(self.estimator)
        steps = getattr(self.estimator_, "steps", None) or []
        resamples = any(hasattr(step, "fit_resample") for _, step in steps[:-1])
        if resamples and self._is_frozen() and self.train_prior is None:
            raise ParameterError(
                "PriorShiftClassifier: the proportions after the samplers of a frozen pipeline are unknown; "
                "give train_prior"
            )
        if self._is_frozen() or not resamples:
            self.estimator_.fit(X, labels, **options)
            self.train_prior_ = self._shares("train_prior", own)
            return self
        steps.insert(len(steps) - 1, ("imbcore_seen", _LabelRecorder()))
        self.estimator_.fit(X, labels, **options)
        # A fitted pipeline has clones of the steps.
        _, seen = self.estimator_.steps.pop(-2)
        codes = np.searchsorted(classes, seen.y_)
        self.train_prior_ = self._shares("train_prior", np.bincount(codes, minlength=len(classes)))
        return self

    def _shares(self, name: str, usual: NDArray[Any]) -> NDArray[np.float64]:
        given = getattr(self, name)
        if given is None:
            shares = np.asarray(usual, dtype=np.float64)
        else:
            shares = to_number_array(order_values_by_class(given, self.classes_.tolist(), name), name)
        # A class that does not occur in deployment may have proportion 0; a class in training must have rows.
        least = 0.0 if name == "target_prior" else np.nextafter(0.0, 1.0)
        if (
            shares.shape != (len(self.classes_),)
            or not (shares >= least).all()
            or not 0 < shares.sum() < np.inf
        ):
            raise ParameterError(
                f"PriorShiftClassifier: parameter `{name}` must hold a proportion for each of the classes "
                f"{self.classes_.tolist()}, got {value_text(shares.tolist())}"
            )
        return shares / shares.sum()

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Compute probabilities for the target proportions, in the order of ``classes_``."""
        check_is_fitted(self)
        proba = np.asarray(self.estimator_.predict_proba(X), dtype=np.float64)
        return native.decisions.reweigh(proba, self.train_prior_.tolist(), self.target_prior_.tolist())

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the most probable class for the target proportions, or the lowest of tied labels."""
        codes = native.costs.decide(self.predict_proba(X), None, None, 0)
        return self.classes_[codes]
