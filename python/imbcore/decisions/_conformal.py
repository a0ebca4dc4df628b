"""Class-conditional conformal prediction: sets with a coverage guarantee for each class."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from imbcore._bindings import native
from imbcore._bindings.options import resolve_seed
from imbcore._bindings.positive import training_positive_code
from imbcore._validation.labelled import match_rows_by_index, series_to_dict
from imbcore._validation.labels import Target
from imbcore._validation.row_dependence import RowGroupsAndTimes
from imbcore._validation.rows import select_table_rows
from imbcore._validation.training_rows import PositiveWeightRows
from imbcore._validation.value_text import value_text
from imbcore.decisions._around import Rows, WrapperClassifier, count_rows
from imbcore.decisions._left_out import fit_jackknife_forest, jackknife_p_values
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

_METHODS = ("split", "cross", "out_of_bag", "out_of_bag_plus")


def _has_one_model(self: Any) -> bool:
    if self.method == "cross":
        raise AttributeError('a ConformalClassifier of method="cross" has one model per fold; use p_values')
    return True


class ConformalClassifier(WrapperClassifier):
    """Wrapper that predicts sets of classes and controls their coverage class by class.

    The calibration rows of a class are rows of this class with out-of-sample predictions (see ``method``).
    For a new row and a class, the predicted probability of the class is compared with the predicted
    probabilities of the class for its calibration rows. The p-value is the fraction of the calibration rows,
    with the new row included, whose probability is at most that of the new row. The predicted set contains
    the classes with p-values above ``alpha``. Because the calibration rows are separated by class (Mondrian),
    the coverage refers to each class, including a rare class. ``method`` determines which coverage is proven.

    Parameters
    ----------
    estimator : classifier
        Classifier of imbcore, or with the scikit-learn API and ``predict_proba``. It is cloned. If ``method``
        is "split", a fitted classifier in scikit-learn's ``FrozenEstimator`` is calibrated on all rows, which
        must not be its training rows.
    alpha : float or dict of label to float, default=0.1
        Intended maximum fraction, in (0, 1), of the rows of a class whose predicted sets do not contain the
        class; ``method`` states which fraction is proven. The fit raises an error if a class has fewer than
        ``1 / alpha - 1`` calibration rows.
    method : {"split", "cross", "out_of_bag", "out_of_bag_plus"}, default="split"
        Choice of the calibration rows.

        - "split": rows kept out of the fit. The set of a new row of class c contains c with a probability of
          at least ``1 - alpha`` over the draw of the calibration rows.
        - "cross": all rows (cross-conformal prediction). Each row is predicted by the model of the inner fold
          that did not train on the row, and a new row by the models of all folds. The proven coverage is at
          most ``1 - 2 * alpha``, and lower for few rows (``coverage_guarantee_``); the observed coverage is
          about ``1 - alpha``.
        - "out_of_bag": all rows with out-of-bag predictions, in one fit of an ensemble (Johansson et al.
          2014). Each row is predicted by the members whose bags do not contain the row, and a new row by all
          members. No coverage is proven; the observed coverage is about ``1 - alpha``.
        - "out_of_bag_plus": all rows, in one fit of an imbcore forest with uniform row sampling
          (jackknife+-after-bootstrap: Kim, Xu and Barber 2020). A new row is compared with each calibration
          row by the members whose bags do not contain the calibration row. The proven coverage is
          ``1 - 2 * alpha``, or less if a class has very few rows (``coverage_guarantee_``). The number of
          trees is drawn from a binomial distribution with mean ``n_estimators`` (theorem 1 of the paper).
          Prediction time is proportional to the number of new rows times the number of calibration rows.
    calibration_rows : float, default=0.25
        Fraction of every class that "split" keeps out of the fit, in (0, 1); with groups a fraction of the
        groups, with time the latest rows. Unused for a frozen estimator.
    cv : int, splitter or iterable, default=5
        Folds for "cross": a number of at least 2, or any scikit-learn ``cv``.
    miss : float, default=None
        For two classes: maximum fraction of the positive rows that ``predict`` misses, with as few alerts as
        possible. The threshold is an order statistic of the scores of the positive calibration rows. The
        limit is proven for ``method="split"``, on average over the draws of the calibration rows.
    confidence : float, default=None
        Probability that the limit ``miss`` is met, over the random draws of the calibration rows. It has the
        same meaning as the key ``"guarantee"`` in the ``threshold`` of :class:`ThresholdClassifier`. Only
        with ``miss`` and ``method="split"``. None: the limit ``miss`` is met only on average over these
        draws.
    smoothed : bool, default=False
        Whether a random fraction of the calibration rows with the same probability as a new row is counted in
        its p-value. With "split", the coverage is then exactly ``1 - alpha`` instead of at least
        ``1 - alpha``. The random numbers depend on ``random_state`` and the position of the row. With
        ``miss``, ``predict`` uses p-values without random numbers.
        Not supported with "out_of_bag_plus".
    abstain : label, default=None
        Value that ``predict`` returns if the set is empty or has several classes. None: never abstain, and
        predict the class with the largest p-value.
    positive : label, default=None
        Positive class. None: label 1 if the labels are 0 and 1 or -1 and 1, True if they are False
        and True; else the rarer class, in case of ties the greater label.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed of all random choices: held-out rows, folds, number of trees and ties. It is also the seed of
        ``estimator`` if the ``random_state`` of ``estimator`` is None.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels.
    estimator_ : classifier
        The fitted estimator; for "cross", the estimator of the first fold.
    estimators_ : list of classifiers
        The fitted estimators: one, or for "cross" one per fold.
    n_calibration_ : dict of label to int
        Number of calibration rows of every class. With groups, one random row of each group with rows of the
        class is a calibration row.
    assumes_ : str or None
        With groups or time: the assumption of the coverage guarantee, and the rows to which the guarantee
        refers. None without groups and time.
    coverage_guarantee_ : dict of label to float or None
        Proven coverage of each class: probability that the predicted set contains it; None if nothing is
        proven.
    threshold_ : float or None
        If ``miss`` is given: minimum probability for which the positive class is predicted. None if
        ``method`` is "cross" or "out_of_bag_plus", or if the positive class is predicted for every
        probability.
    positive_ : label
        Positive class.

    References
    ----------
    Vovk, Gammerman and Shafer, "Algorithmic Learning in a Random World", 2005, section 4.5; Vovk,
    "Cross-conformal predictors", 2015; Johansson, Boström, Löfström and Linusson, "Regression conformal
    prediction with random forests", 2014; Kim, Xu and Barber, "Predictive inference is free with the
    jackknife+-after-bootstrap", 2020; Vovk and Wang, "Combining p-values via averaging", 2020.

    Examples
    --------
    >>> import imbcore
    >>> from imbcore.datasets import make_disjunct_grid
    >>> from imbcore.decisions import ConformalClassifier
    >>> X, y = make_disjunct_grid(1000, minority_fraction=0.1, random_state=0)
    >>> forest = imbcore.RandomForestClassifier(random_state=0)
    >>> model = ConformalClassifier(forest, alpha=0.1, method="out_of_bag", abstain=-1).fit(X, y)
    >>> model.predict_set(X[:3]).shape
    (3, 2)
    >>> model.n_calibration_
    {0: 900, 1: 100}
    """

    _kept = (
        *("_alphas", "_calibration", "_level", "_n_asked", "_ties"),
        *("assumes_", "n_calibration_", "positive_", "threshold_"),
    )
    _several = True
    # Whether every calibration row is of a group of its own.
    _of_groups = False

    def __init__(
        self,
        estimator: Any,
        alpha: Any = 0.1,
        *,
        method: str = "split",
        calibration_rows: float = 0.25,
        cv: Any = 5,
        miss: float | None = None,
        confidence: float | None = None,
        smoothed: bool = False,
        abstain: Any = None,
        positive: Any = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.alpha = alpha
        self.method = method
        self.calibration_rows = calibration_rows
        self.cv = cv
        self.miss = miss
        self.confidence = confidence
        self.smoothed = smoothed
        self.abstain = abstain
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
        """Fit the estimator, and store the scores of calibration rows.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Features, in any form that the estimator accepts. The wrapper selects rows of this table
            for the fit and for the calibration.
        y : sequence of shape (n_rows,)
            Labels.
        sample_weight : sequence of shape (n_rows,), default=None
            Weights for the estimator; the calibration rows are not weighted.
        groups, time, time_gap
            Groups and times of the rows, as in :func:`imbcore.fit`.

        Returns
        -------
        self : object
            The fitted classifier.

        Raises
        ------
        ParameterError
            A parameter is outside its valid range, or the estimator lacks a required method.
        DataError
            A class has too few rows for its ``alpha``; the message states the required number.
        """
        X, target, weighted = self._weighted(X, y, sample_weight, (groups, time, time_gap))
        weights = weighted.weights
        self._of_groups = False
        self._check(target, weights is not None)
        self.assumes_ = self._coverage_assumption(weighted.dependence)
        code = training_positive_code(self.positive, target.classes, target.codes, weights)
        self.classes_, self.positive_ = target.classes, target.classes.tolist()[code]
        seed = resolve_seed(self.random_state)
        self._ties = seed if self.smoothed else None
        # For the plus form the second entry contains the members not fitted to each row, not the group.
        self._calibration: Any
        if self.method == "out_of_bag_plus":
            member, self._calibration = fit_jackknife_forest(self.estimator, X, target, seed)
            self.estimators_, self._n_asked = [member], int(self.estimator.n_estimators)
        else:
            how = {
                "split": self._split,
                "cross": self._calibrate_on_folds,
                "out_of_bag": self._calibrate_out_of_bag,
            }[self.method]
            rows, proba, folds = how(X, target, weighted, seed)
            if self.method != "split":
                drawn = self._pick_independent_rows(target, weighted, rows, seed)
                rows, proba, folds = rows[drawn], proba[drawn], folds[drawn]
            codes = target.codes[rows]
            self._calibration = (codes, folds, proba[np.arange(len(rows)), codes].astype(np.float64))
        codes = self._calibration[0]
        self._count(target.classes, codes)
        self.estimator_ = self.estimators_[0]
        if self.miss is not None:
            self._level = self._positive_p_value_cutoff(self.miss, codes, code)
            plus = self.method == "out_of_bag_plus"
            self.threshold_ = None if plus else self._native_conformal().min_score(code, self._level)
        return self

    def _check(self, target: Target, weighted: bool) -> None:
        who = type(self).__name__
        if self.method not in _METHODS:
            named = ", ".join(f'"{method}"' for method in _METHODS)
            raise ParameterError(
                f"{who}: parameter `method` must be one of {named}, got {value_text(self.method)}"
            )
        if self.miss is not None and len(target.classes) != 2:
            raise DataError(f"{who}: miss= needs two classes, but y has {len(target.classes)}")
        if self.miss is not None and self.abstain is not None:
            raise ParameterError(f"{who}: miss= never abstains, so abstain= cannot be given with it")
        if self.confidence is not None and (self.miss is None or self.method != "split"):
            raise ParameterError(f'{who}: parameter `confidence` needs miss= and method="split"')
        if self.method == "out_of_bag_plus" and (self.smoothed or weighted):
            what = "smoothed=False" if self.smoothed else "no sample_weight"
            raise ParameterError(f'{who}: the guarantee of method="out_of_bag_plus" needs {what}')
        labels = target.classes.tolist()
        if self.abstain in labels:
            raise ParameterError(f"{who}: abstain={self.abstain!r} is a class label; use another value")
        self._alphas = self._levels(labels)
        # Necessary condition that can be checked early; the calibration rows are counted later.
        self._count(target.classes, target.codes)
        if self.method == "out_of_bag" and "oob_score" not in self.estimator.get_params():
            raise ParameterError(
                f'{who}: method="out_of_bag" needs an estimator with bootstrap samples and a parameter '
                f'`oob_score`, got {value_text(self.estimator)}; method="cross" works with any'
            )

    def _levels(self, labels: list[Any]) -> list[float]:
        who, given = type(self).__name__, series_to_dict(self.alpha)
        if not isinstance(given, Mapping):
            given = dict.fromkeys(labels, given)
        if set(given) != set(labels):
            needs = f"a level for each of {labels}"
            raise ParameterError(f"{who}: parameter `alpha` must have {needs}, got {given}")
        if not all(isinstance(level, Real) for level in given.values()):
            raise ParameterError(
                f"{who}: parameter `alpha` must be a number in (0, 1), got {value_text(self.alpha)}"
            )
        return [float(given[label]) for label in labels]

    def _count(self, classes: NDArray[Any], codes: NDArray[np.uint32]) -> None:
        """Count the calibration rows of every class and check that they suffice for its level."""
        labels = classes.tolist()
        counts = np.bincount(codes, minlength=len(labels)).tolist()
        unit = " (one row per group counts)" if self._of_groups else ""
        native.decisions.check_levels(counts, self._alphas, [f"{label!r}{unit}" for label in labels])
        self.n_calibration_ = dict(zip(labels, counts, strict=True))

    def _coverage_assumption(self, dependence: RowGroupsAndTimes) -> str | None:
        """State the rows to which the coverage refers, and refuse methods without coverage."""
        if dependence.is_none:
            return None
        given = "groups" if dependence.time is None else "time"
        if self.method == "out_of_bag_plus" or (self.method != "split" and given == "time"):
            reason = (
                "bags and their number are drawn from rows"
                if self.method == "out_of_bag_plus"
                else "earlier rows would be calibrated by models of later ones"
            )
            raise UnsupportedError(
                f'ConformalClassifier: method="{self.method}" has no coverage with {given}, because '
                f'{reason}; use method="split"' + (' or "cross"' if given == "groups" else "")
            )
        of_groups = (
            "new groups come from the distribution of the training groups; the coverage of a class refers to "
            "a random row of a random new group: a group is drawn uniformly among those with a row of the "
            "class, then a row uniformly among its rows of the class"
        )
        in_time = (
            "no guarantee covers arbitrary changes over time: the latest rows were held out, and the "
            "coverage is valid only if later rows are distributed like these"
        )
        parts = [of_groups] * (dependence.groups is not None) + [in_time] * (dependence.time is not None)
        return "; ".join(parts)

    def _pick_independent_rows(
        self, target: Target, weighted: PositiveWeightRows, rows: Rows, seed: int
    ) -> Rows:
        """Return positions among ``rows``: all, or one random row of every group and class."""
        groups = weighted.dependence.pick(rows).groups
        self._of_groups = groups is not None
        if groups is None:
            return np.arange(len(rows))
        drawn = native.decisions.one_row_per_group_and_class(
            target.codes[rows], groups, len(target.classes), seed
        )
        return drawn.astype(np.int64)

    def _positive_p_value_cutoff(self, miss: float, codes: NDArray[np.uint32], code: int) -> float:
        """Return the level above which p-values of the positive class lead to a positive prediction."""
        count = int(np.count_nonzero(codes == code))
        return native.decisions.miss_level(count, miss, self.confidence, self._of_groups)

    def _split(
        self, X: Any, target: Target, weighted: PositiveWeightRows, seed: int
    ) -> tuple[Rows, Rows, Rows]:
        positive = target.classes.tolist().index(self.positive_)
        kept, rows = self._split_held_out(
            target, positive, self.calibration_rows, seed, "calibration_rows", weighted
        )
        rows = rows[self._pick_independent_rows(target, weighted, rows, seed)]
        # The number of rows does not depend on the model: check it before fitting.
        self._count(target.classes, target.codes[rows])
        if self.miss is not None:
            self._positive_p_value_cutoff(self.miss, target.codes[rows], positive)
        labels, related = target.classes[target.codes], weighted.dependence
        self.estimators_ = [self._fitted(X, labels, weighted.weights, kept, seed=seed, dependence=related)]
        proba = self.estimators_[0].predict_proba(select_table_rows(X, rows, fresh_index=False))
        return rows, proba, np.zeros(len(rows), dtype=np.uint32)

    def _calibrate_on_folds(
        self, X: Any, target: Target, weighted: PositiveWeightRows, seed: int
    ) -> tuple[Rows, Rows, Rows]:
        found = list(self._folds(X, target, weighted, seed))
        self.estimators_ = [fold.member for fold in found]
        groups = [np.full(len(fold.test), place, dtype=np.uint32) for place, fold in enumerate(found)]
        return (
            np.concatenate([fold.test for fold in found]),
            np.concatenate([fold.proba for fold in found]),
            np.concatenate(groups),
        )

    def _calibrate_out_of_bag(
        self, X: Any, target: Target, weighted: PositiveWeightRows, seed: int
    ) -> tuple[Rows, Rows, Rows]:
        member, rows, proba = self._out_of_bag(X, target, weighted, seed, 'method="cross"')
        self.estimators_ = [member]
        return rows, proba, np.zeros(len(rows), dtype=np.uint32)

    def _native_conformal(self) -> native.decisions.Conformal:
        codes, groups, scores = self._calibration
        return native.decisions.Conformal(codes, groups, scores, len(self.classes_))

    @property
    def coverage_guarantee_(self) -> dict[Any, float | None]:
        """Proven coverage of each class; None if no coverage is proven."""
        check_is_fitted(self)
        promised: dict[Any, float | None] = {}
        for (label, n), alpha in zip(self.n_calibration_.items(), self._alphas, strict=True):
            promised[label] = self._proven_coverage(alpha, n)
        return promised

    def _proven_coverage(self, alpha: float, n: int) -> float | None:
        """Return the proven coverage of a class with ``n`` calibration rows."""
        match self.method:
            case "split":
                return 1 - alpha
            case "cross":
                return native.decisions.cross_conformal_coverage(alpha, n, len(self.estimators_))
            case "out_of_bag_plus":
                counts = list(self.n_calibration_.values())
                return native.decisions.jackknife_coverage(alpha, counts, self._n_asked)
        return None

    def p_values(self, X: Any) -> NDArray[np.float64]:
        """Compute the p-value of every row for every class.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Features, in any form that the estimator accepts.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            In (0, 1], columns in the order of ``classes_``; small values mean that the row is unlike the rows
            of the class. The p-values of a row need not sum to 1.
        """
        return self._p_values(X, self._ties)

    def _p_values(self, X: Any, ties: int | None) -> NDArray[np.float64]:
        check_is_fitted(self)
        if self.method == "out_of_bag_plus":
            return jackknife_p_values(
                self.estimator_, self._calibration, X, count_rows(X), len(self.classes_)
            )
        proba = np.concatenate([member.predict_proba(X) for member in self.estimators_])
        return self._native_conformal().p_values(proba.astype(np.float64, copy=False), ties)

    def predict_set(self, X: Any, alpha: float | None = None) -> NDArray[np.bool_]:
        """Predict the set of classes of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Features, in any form that the estimator accepts.
        alpha : float, default=None
            Maximum fraction ``alpha`` for all classes, instead of that of the fit. None: the ``alpha`` of the
            fit.

        Returns
        -------
        ndarray of bool of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; a set may be empty or contain several classes.
        """
        p_values = self.p_values(X)
        alphas = self._alphas if alpha is None else [float(alpha)] * len(self.classes_)
        if alpha is not None:
            native.decisions.check_levels(
                list(self.n_calibration_.values()), alphas, [repr(label) for label in self.n_calibration_]
            )
        return native.decisions.conformal_sets(p_values, alphas)

    def predict_labels(self, X: Any, alpha: float | None = None) -> list[list[Any]]:
        """Return the labels in the set of every row, as lists; parameters as :meth:`predict_set`."""
        labels = self.classes_.tolist()
        sets = self.predict_set(X, alpha).tolist()
        return [[label for label, inside in zip(labels, row, strict=True) if inside] for row in sets]

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict one label per row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Features, in any form that the estimator accepts.

        Returns
        -------
        ndarray of shape (n_rows,)
            If ``miss`` is None: the class of a set with one class. If the set is empty or has several
            classes: ``abstain``, or without ``abstain`` the class with the largest p-value (the first in case
            of ties). If ``miss`` is given: the positive class if its p-value is above the cutoff that
            ``miss`` requires, else the other class.
        """
        check_is_fitted(self)
        if self.miss is not None:
            code = self.classes_.tolist().index(self.positive_)
            inside = native.decisions.conformal_sets(self._p_values(X, None), [self._level] * 2)[:, code]
            return self.classes_[np.where(inside, code, 1 - code)]
        codes = native.decisions.conformal_classes(self.p_values(X), self._alphas, self.abstain is not None)
        labels: NDArray[Any] = self.classes_
        if self.abstain is not None:
            labels = np.append(labels, np.asarray([self.abstain], dtype=np.asarray(self.abstain).dtype))
            if labels.dtype.kind != self.classes_.dtype.kind:
                # NumPy would convert numbers to text if there is text, too.
                labels = np.array([*self.classes_.tolist(), self.abstain], dtype=object)
        return labels[codes]

    @available_if(_has_one_model)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probabilities of the estimator, in the order of ``classes_``; not with "cross"."""
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)
