"""Conformal prediction by class: sets that hold the true class as often as promised, also a rare one."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from imbcore._border import native
from imbcore._border.options import resolve_seed
from imbcore._border.positive import training_code
from imbcore._input.labelled import mapping_of, rows_by_index
from imbcore._input.labels import Target
from imbcore._input.rows import pick
from imbcore._input.training_rows import Weighted
from imbcore.decisions._around import AroundClassifier, Rows, count_rows
from imbcore.decisions._left_out import fit_left_out, p_values_left_out
from imbcore.exceptions import DataError, ParameterError

__all__ = ["ConformalClassifier"]

_METHODS = ("split", "cross", "out_of_bag", "out_of_bag_plus")


def _has_one_model(self: Any) -> bool:
    if self.method == "cross":
        raise AttributeError('a ConformalClassifier of method="cross" has a model a fold; ask for p_values')
    return True


class ConformalClassifier(AroundClassifier):
    """Any classifier, with sets of classes that hold the true one as often as promised, class by class.

    The p-value of a class is the share of that class's calibration rows to which its model gives no larger a
    probability of their class than it gives to the new row, the row itself counted. A set holds the classes
    whose p-values are above ``alpha``. Because every class is compared with its own rows (Mondrian), a rare
    class is covered as well as any other.

    Parameters
    ----------
    estimator : classifier
        Of imbcore, or of scikit-learn's protocol with ``predict_proba``. It is cloned. With "split", all rows
        calibrate one that is fitted already, in scikit-learn's ``FrozenEstimator``, and has not seen them.
    alpha : float or dict of label to float, default=0.1
        Share of the rows of a class, in (0, 1), whose sets may lack it. The fit is refused where a class has
        fewer than ``1 / alpha - 1`` calibration rows.
    method : {"split", "cross", "out_of_bag", "out_of_bag_plus"}, default="split"
        Which rows calibrate. "split": rows kept out of the fit; new rows of class c have c in their sets with
        a probability of at least ``1 - alpha`` over the draw of these rows. "cross": all rows, each by the
        model of the inner folds that did not see it, and a new row is compared by all of these models (cross-
        conformal prediction); proved is a little less than ``1 - 2 * alpha`` (``promised_``), and about
        ``1 - alpha`` is what one sees. "out_of_bag": all rows, by the members of an ensemble whose bags lack
        them, in one fit; new rows are answered by all members, and for this form (Johansson et al. 2014)
        nothing is proved, though about ``1 - alpha`` is seen. "out_of_bag_plus": likewise, but a new row is
        compared with every calibration row by the members that saw neither (jackknife+-after-bootstrap: Kim,
        Xu and Barber 2020); proved is ``1 - 2 * alpha``. It takes a forest of imbcore whose trees draw rows
        alike, fits a number of trees that is drawn at random, ``n_estimators`` on average, as theorem 1 of
        the paper asks for, and new rows cost as much as they times the calibration rows.
    calibration_rows : float, default=0.25
        Share of every class that "split" keeps out of the fit, in (0, 1); a frozen estimator needs none.
    cv : int, splitter or iterable, default=5
        Folds of "cross": a number of at least 2, or what scikit-learn takes.
    miss : float, default=None
        Two classes: ``predict`` answers the positive class but for a share of at most ``miss`` of its rows,
        with as few alarms as that allows: from an order statistic of the positives' scores on. Promised, on
        the mean over the draws of the calibration rows, as the sets of ``alpha=miss`` are.
    confidence : float, default=None
        With ``miss`` and "split": the share is kept to in so many of these draws, as with ``"guarantee"`` of
        :class:`ThresholdClassifier`, and not on their mean only.
    smoothed : bool, default=False
        Whether ties between a new row and calibration rows count in a random part, which makes coverage exact
        instead of at least ``1 - alpha``. Draws follow from ``random_state`` and the position of the row.
        ``miss`` never draws. Not with "out_of_bag_plus".
    abstain : label, default=None
        What ``predict`` answers where the set is empty or has several classes. None: it never abstains, and
        answers the class of the largest p-value.
    positive : label, default=None
        Positive class; None as in :func:`imbcore.fit`.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed of the rows kept out, of the folds, of the number of trees, of the ties, and of an
        ``estimator`` whose own ``random_state`` is None.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Sorted labels.
    estimator_ : classifier
        The fitted estimator; with "cross", that of the first fold.
    estimators_ : list of classifiers
        The fitted estimators: one, or with "cross" one a fold.
    n_calibration_ : dict of label to int
        Calibration rows of every class.
    promised_ : dict of label to float or None
        Share of the rows of a class whose sets are proved to have it; None where nothing is proved.
    threshold_ : float or None
        With ``miss``: probability of the positive class from which it is answered; None with "cross" and
        "out_of_bag_plus".
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
    >>> X, y = make_disjunct_grid(1000, minority_share=0.1, random_state=0)
    >>> forest = imbcore.RandomForestClassifier(random_state=0)
    >>> model = ConformalClassifier(forest, alpha=0.1, method="out_of_bag", abstain=-1).fit(X, y)
    >>> model.predict_set(X[:3]).shape
    (3, 2)
    >>> model.n_calibration_
    {0: 900, 1: 100}
    """

    _kept = (
        *("_alphas", "_calibration", "_level", "_n_asked", "_ties"),
        *("n_calibration_", "positive_", "threshold_"),
    )
    _several = True

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

    @rows_by_index
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the estimator, and keep the scores of rows that it did not see.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Whatever the estimator takes; its rows are picked.
        y : sequence of shape (n_rows,)
            Labels.
        sample_weight : sequence of shape (n_rows,), default=None
            Weights for the estimator; calibration counts rows.

        Returns
        -------
        self : object
            The fitted classifier.

        Raises
        ------
        ParameterError
            A parameter leaves its domain, or the estimator has not what it needs.
        DataError
            A class has too few rows for its level; the message says how many it takes.
        """
        X, target, weighted = self._weighted(X, y, sample_weight)
        weights = weighted.weights
        self._check(target, weights is not None)
        code = training_code(self.positive, target.classes, target.codes, weights)
        self.classes_, self.positive_ = target.classes, target.classes.tolist()[code]
        seed = resolve_seed(self.random_state)
        self._ties = seed if self.smoothed else None
        # Of the plus form the members that did not see each row stand in place of the group.
        self._calibration: Any
        if self.method == "out_of_bag_plus":
            member, self._calibration = fit_left_out(self.estimator, X, target, seed)
            self.estimators_, self._n_asked = [member], int(self.estimator.n_estimators)
        else:
            how = {"split": self._split, "cross": self._cross, "out_of_bag": self._bags}[self.method]
            rows, proba, groups = how(X, target, weighted, seed)
            codes = target.codes[rows]
            self._calibration = (codes, groups, proba[np.arange(len(rows)), codes].astype(np.float64))
        codes = self._calibration[0]
        self._count(target.classes, codes)
        self.estimator_ = self.estimators_[0]
        if self.miss is not None:
            self._level = self._miss_level(self.miss, codes, code)
            plus = self.method == "out_of_bag_plus"
            self.threshold_ = None if plus else self._compared().least_score(code, self._level)
        return self

    def _check(self, target: Target, weighted: bool) -> None:
        who = type(self).__name__
        if self.method not in _METHODS:
            named = ", ".join(f'"{method}"' for method in _METHODS)
            raise ParameterError(f"{who}: parameter `method` must be one of {named}, got {self.method!r}")
        if self.miss is not None and len(target.classes) != 2:
            raise DataError(f"{who}: miss= needs two classes, but y has {len(target.classes)}")
        if self.miss is not None and self.abstain is not None:
            raise ParameterError(f"{who}: miss= always answers, so abstain= cannot be given beside it")
        if self.confidence is not None and (self.miss is None or self.method != "split"):
            raise ParameterError(f'{who}: parameter `confidence` needs miss= and method="split"')
        if self.method == "out_of_bag_plus" and (self.smoothed or weighted):
            what = "smoothed=False" if self.smoothed else "no sample_weight"
            raise ParameterError(f'{who}: what is proved of method="out_of_bag_plus" asks for {what}')
        labels = target.classes.tolist()
        if self.abstain in labels:
            raise ParameterError(f"{who}: abstain={self.abstain!r} is a class; take another value")
        self._alphas = self._levels(labels)
        # No level can be kept to by fewer rows than there are; what calibrates is counted once it is known.
        self._count(target.classes, target.codes)
        if self.method == "out_of_bag" and "oob_score" not in self.estimator.get_params():
            raise ParameterError(
                f'{who}: method="out_of_bag" needs an estimator that draws bags, with a parameter '
                f'`oob_score`, got {self.estimator!r}; method="cross" serves any'
            )

    def _levels(self, labels: list[Any]) -> list[float]:
        """Level of every class."""
        who, given = type(self).__name__, mapping_of(self.alpha)
        if not isinstance(given, Mapping):
            given = dict.fromkeys(labels, given)
        if set(given) != set(labels):
            needs = f"a level for each of {labels}"
            raise ParameterError(f"{who}: parameter `alpha` must have {needs}, got {given}")
        if not all(isinstance(level, Real) for level in given.values()):
            raise ParameterError(f"{who}: parameter `alpha` must be a number in (0, 1), got {self.alpha!r}")
        return [float(given[label]) for label in labels]

    def _count(self, classes: NDArray[Any], codes: NDArray[np.uint32]) -> None:
        """Count the calibration rows of every class, which must be enough for its level."""
        labels = classes.tolist()
        counts = np.bincount(codes, minlength=len(labels)).tolist()
        native.decisions.check_levels(counts, self._alphas, [repr(label) for label in labels])
        self.n_calibration_ = dict(zip(labels, counts, strict=True))

    def _miss_level(self, miss: float, codes: NDArray[np.uint32], code: int) -> float:
        """Level of the positives' p-values above which they are answered."""
        return native.decisions.miss_level(int(np.count_nonzero(codes == code)), miss, self.confidence)

    def _split(self, X: Any, target: Target, weighted: Weighted, seed: int) -> tuple[Rows, Rows, Rows]:
        kept, rows = self._held_out(target, self.calibration_rows, seed, "calibration_rows")
        # Whether there are rows enough does not hang on the model: say so before it is fitted.
        self._count(target.classes, target.codes[rows])
        if self.miss is not None:
            self._miss_level(self.miss, target.codes[rows], target.classes.tolist().index(self.positive_))
        self.estimators_ = [self._fitted(X, target.classes[target.codes], weighted.weights, kept, seed=seed)]
        proba = self.estimators_[0].predict_proba(pick(X, rows, fresh_index=False))
        return rows, proba, np.zeros(len(rows), dtype=np.uint32)

    def _cross(self, X: Any, target: Target, weighted: Weighted, seed: int) -> tuple[Rows, Rows, Rows]:
        found = list(self._folds(X, target, weighted, seed))
        self.estimators_ = [member for _, _, member in found]
        groups = [np.full(len(rows), fold, dtype=np.uint32) for fold, (rows, _, _) in enumerate(found)]
        return (
            np.concatenate([rows for rows, _, _ in found]),
            np.concatenate([proba for _, proba, _ in found]),
            np.concatenate(groups),
        )

    def _bags(self, X: Any, target: Target, weighted: Weighted, seed: int) -> tuple[Rows, Rows, Rows]:
        member, rows, proba = self._out_of_bag(X, target, weighted.weights, seed)
        self.estimators_ = [member]
        return rows, proba, np.zeros(len(rows), dtype=np.uint32)

    def _compared(self) -> native.decisions.Conformal:
        codes, groups, scores = self._calibration
        return native.decisions.Conformal(codes, groups, scores, len(self.classes_))

    @property
    def promised_(self) -> dict[Any, float | None]:
        """Share of the rows of each class whose sets are proved to have it; None where nothing is."""
        check_is_fitted(self)
        promised: dict[Any, float | None] = {}
        for (label, n), alpha in zip(self.n_calibration_.items(), self._alphas, strict=True):
            promised[label] = self._promise(alpha, n)
        return promised

    def _promise(self, alpha: float, n: int) -> float | None:
        """Share that is proved to be covered of a class with ``n`` calibration rows."""
        match self.method:
            case "split":
                return 1 - alpha
            case "cross":
                return native.decisions.cross_coverage(alpha, n, len(self.estimators_))
            case "out_of_bag_plus":
                counts = list(self.n_calibration_.values())
                return native.decisions.left_out_coverage(alpha, counts, self._n_asked)
        return None

    def p_values(self, X: Any) -> NDArray[np.float64]:
        """P-value of every row for every class.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As the estimator takes it.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            In (0, 1], columns in the order of ``classes_``; the smaller, the less the row is like the rows of
            the class. They do not sum to 1.
        """
        return self._p_values(X, self._ties)

    def _p_values(self, X: Any, ties: int | None) -> NDArray[np.float64]:
        check_is_fitted(self)
        if self.method == "out_of_bag_plus":
            return p_values_left_out(self.estimator_, self._calibration, X, count_rows(X), len(self.classes_))
        proba = np.concatenate([member.predict_proba(X) for member in self.estimators_])
        return self._compared().p_values(proba.astype(np.float64, copy=False), ties)

    def predict_set(self, X: Any, alpha: float | None = None) -> NDArray[np.bool_]:
        """Which classes are in the set of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As the estimator takes it.
        alpha : float, default=None
            Another level for all classes; None: that of the fit.

        Returns
        -------
        ndarray of bool of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; rows without, and rows with several are possible.
        """
        p_values = self.p_values(X)
        alphas = self._alphas if alpha is None else [float(alpha)] * len(self.classes_)
        if alpha is not None:
            native.decisions.check_levels(
                list(self.n_calibration_.values()), alphas, [repr(label) for label in self.n_calibration_]
            )
        return native.decisions.conformal_sets(p_values, alphas)

    def predict_labels(self, X: Any, alpha: float | None = None) -> list[list[Any]]:
        """Labels in the set of every row, as lists; parameters as :meth:`predict_set`."""
        labels = self.classes_.tolist()
        sets = self.predict_set(X, alpha).tolist()
        return [[label for label, inside in zip(labels, row, strict=True) if inside] for row in sets]

    def predict(self, X: Any) -> NDArray[Any]:
        """Answer every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As the estimator takes it.

        Returns
        -------
        ndarray of shape (n_rows,)
            The class of a set that has one; else ``abstain``, or the class of the largest p-value, the lowest
            on ties. With ``miss``: the positive class where it must be answered.
        """
        check_is_fitted(self)
        if self.miss is not None:
            code = self.classes_.tolist().index(self.positive_)
            inside = native.decisions.conformal_sets(self._p_values(X, None), [self._level] * 2)[:, code]
            answers: NDArray[Any] = self.classes_[np.where(inside, code, 1 - code)]
            return answers
        codes = native.decisions.conformal_answers(self.p_values(X), self._alphas, self.abstain is not None)
        labels: NDArray[Any] = self.classes_
        if self.abstain is not None:
            labels = np.append(labels, np.asarray([self.abstain], dtype=np.asarray(self.abstain).dtype))
            if labels.dtype.kind != self.classes_.dtype.kind:
                # NumPy makes text of numbers beside text.
                labels = np.array([*self.classes_.tolist(), self.abstain], dtype=object)
        return labels[codes]

    @available_if(_has_one_model)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Give the estimator's probabilities, in the order of ``classes_``; not with "cross"."""
        check_is_fitted(self)
        proba: NDArray[np.float64] = self.estimator_.predict_proba(X)
        return proba
