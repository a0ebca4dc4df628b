"""Calibrated probabilities for any classifier with the scikit-learn API."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from imbcore._bindings import native
from imbcore._bindings.options import resolve_seed
from imbcore._estimators.base import NativeClassifier
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.labels import Target
from imbcore._validation.training_rows import PositiveWeightRows
from imbcore._validation.user_warnings import warn_user
from imbcore.decisions._around import WrapperClassifier
from imbcore.exceptions import DataError, DataWarning


class CalibratedClassifier(WrapperClassifier):
    """Wrapper that calibrates the probabilities of a classifier.

    The estimator is fitted to all rows, unless it is frozen. The calibration curve uses out-of-sample
    predictions, which come from bags or from inner folds (see ``cv``).

    Parameters
    ----------
    estimator : classifier
        Classifier with the scikit-learn API and ``predict_proba``. It is cloned. If ``cv`` is None, an
        imbcore estimator is calibrated by its own parameter ``calibrate``. An ensemble of imbcore with
        members of another library is always calibrated by the wrapper.
    method : {"sigmoid", "isotonic", "beta", "venn_abers"}, default="sigmoid"
        Calibration method, as in the option ``calibrate`` of :func:`imbcore.fit`.
    cv : int, splitter or iterable, default=None
        Inner folds: a number of at least 2, or any scikit-learn ``cv``. None: out-of-bag predictions if the
        estimator supports them (``oob_score``) and there are no times, else 5 folds. If ``groups`` are given,
        an estimator of another library whose out-of-bag predictions ignore them needs a number of folds.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed of the folds, and of an ``estimator`` whose own ``random_state`` is None.

    Attributes
    ----------
    estimator_ : classifier
        The estimator, fitted to all rows unless it is frozen.
    calibration_ : dict
        As :attr:`imbcore.Model.calibration_`. If ``estimator`` is a fitted classifier in scikit-learn's
        ``FrozenEstimator``, ``source`` is "held_out".
    classes_ : ndarray of shape (n_classes,)
        Sorted labels.

    Examples
    --------
    >>> from imbcore.datasets import make_disjunct_grid
    >>> from imbcore.decisions import CalibratedClassifier
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> X, y = make_disjunct_grid(1000, random_state=0)
    >>> forest = RandomForestClassifier(random_state=0)
    >>> model = CalibratedClassifier(forest, "venn_abers").fit(X, y)
    >>> model.calibration_["source"], model.calibration_["n_rows"]
    ('out_of_bag', 1000)
    """

    _kept = ("_curves", "calibration_")

    def __init__(
        self, estimator: Any, method: str = "sigmoid", *, cv: Any = None, random_state: Any = None
    ) -> None:
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
        """Fit the estimator and the calibration curves.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Features, in any form that the estimator accepts. The wrapper selects the rows of
            each inner fold from this table.
        y : sequence of shape (n_rows,)
            Labels of at least two classes.
        sample_weight : sequence of shape (n_rows,), default=None
            Weights for the estimator and for the calibration curves.
        groups, time, time_gap
            Groups and times of the rows, as in :func:`imbcore.fit`.

        Returns
        -------
        self : object
            The fitted classifier.

        Raises
        ------
        ParameterError
            The method is unknown, or the estimator lacks a required method.
        DataError
            A class has too few rows.
        """
        X, target, weighted = self._weighted(X, y, sample_weight, (groups, time, time_gap))
        weights = weighted.weights
        seed = resolve_seed(self.random_state)
        self.classes_ = target.classes
        every = np.arange(len(target.codes))
        labels = target.classes[target.codes]
        if self._calibrates_natively():
            self.estimator_ = self._fitted(
                X, labels, weights, every, seed=seed, dependence=weighted.dependence, calibrate=self.method
            )
            self.calibration_ = self.estimator_.model_.calibration_
            self._curves: tuple[Any, ...] | None = None
            return self
        given = self.estimator.get_params()
        no_bags = weighted.dependence.time is not None
        if self.cv is None and "oob_score" in given and given.get("bootstrap", True) and not no_bags:
            self.estimator_, rows, proba = self._out_of_bag(X, target, weighted, seed, "cv=5")
            source = "out_of_bag"
        else:
            rows, proba = self._out_of_fold_proba(X, target, weighted, seed)
            self.estimator_ = self._fitted(
                X, labels, weights, every, seed=seed, dependence=weighted.dependence
            )
            source = self._fold_source()
        self._calibrate(target, rows, proba, None if weights is None else weights[rows], source)
        self._warn_of_few_rows(target, weighted)
        return self

    def _calibrates_natively(self) -> bool:
        if self.cv is not None or not isinstance(self.estimator, NativeClassifier):
            return False
        member = self.estimator.get_params(deep=False).get("estimator")
        return member is None or isinstance(member, str | NativeClassifier)

    def _calibrate(
        self,
        target: Target,
        rows: NDArray[Any],
        proba: NDArray[np.float64],
        weights: NDArray[np.float64] | None,
        source: str,
    ) -> None:
        """Fit the curves, and store their description."""
        codes = target.codes[rows]
        counted = codes if weights is None else codes[weights > 0]
        labels = self.classes_.tolist()
        counts = dict(zip(labels, np.bincount(counted, minlength=len(labels)).tolist(), strict=True))
        rarest = min(counts, key=lambda label: counts[label])
        if counts[rarest] < 2:
            raise DataError(
                f"calibration needs at least 2 rows of every class; class {rarest!r} has {counts[rarest]}"
            )
        curves = native.metrics.Calibration.fit(
            self.method, codes, np.ascontiguousarray(proba, dtype=np.float64), weights
        )
        self._curves = curves.parts()
        self.calibration_ = {
            "method": self.method,
            "source": source,
            "n_rows": int(sum(counts.values())),
            "rows_by_class": counts,
        }

    def _warn_of_few_rows(self, target: Target, weighted: PositiveWeightRows) -> None:
        """Warn if the calibration used few rows of a class, or few groups of rows."""
        assert self._curves is not None
        groups, counts, units = weighted.dependence.groups, self.calibration_["rows_by_class"], "rows"
        if groups is not None:
            units = "groups with rows"
            counts = {
                label: len(np.unique(groups[target.codes == code]))
                for code, label in enumerate(self.classes_.tolist())
            }
        rarest = min(counts, key=lambda label: counts[label])
        needed = native.metrics.Calibration(*self._curves).rows_needed
        if counts[rarest] < needed:
            warn_user(
                f"calibration by {self.method!r} uses only {counts[rarest]} {units} of class {rarest!r}; "
                f"about {needed} are needed for reliable probabilities",
                DataWarning,
            )

    def _file(self) -> bytes:
        """Return the content of the file; that of the model if the model itself is calibrated."""
        if self._curves is not None:
            return super()._file()
        return self.estimator_.model_.to_bytes()

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Compute calibrated probabilities, (n_rows, n_classes), in the order of ``classes_``."""
        check_is_fitted(self)
        proba = self._uncalibrated_proba(X)
        return proba if self._curves is None else native.metrics.Calibration(*self._curves).apply(proba)

    def _uncalibrated_proba(self, X: Any) -> NDArray[np.float64]:
        return np.asarray(self.estimator_.predict_proba(X), dtype=np.float64)

    def predict_proba_interval(self, X: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Compute the interval of each probability, as :meth:`imbcore.Model.predict_proba_interval`."""
        check_is_fitted(self)
        if self._curves is None:
            low, high = self.estimator_.model_.predict_proba_interval(X)
            return low, high
        return native.metrics.Calibration(*self._curves).interval(self._uncalibrated_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the most probable class."""
        codes = native.costs.decide(self.predict_proba(X), None, None, 0)
        return self.classes_[codes]
