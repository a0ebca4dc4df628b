"""Learning from positive and unlabeled rows (PU learning), for any classifier."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from imbcore._bindings import native
from imbcore._bindings.options import resolve_seed
from imbcore._bindings.positive import training_positive_code
from imbcore._estimators.row_arguments import supports_weights
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.rows import select_table_rows
from imbcore.decisions._around import WrapperClassifier
from imbcore.exceptions import DataError, ParameterError


class PUClassifier(WrapperClassifier):
    """Wrapper for learning from positive and unlabeled rows (PU learning).

    Some positive rows are labeled as positive. All other rows are unlabeled: they are given as negative, but
    some of them are positive, such as frauds that were not reported. The assumption is that each positive row
    is labeled with the same probability c, independent of its features. The probability of being positive is
    then the probability of being labeled, divided by c (Elkan and Noto 2008, lemma 1). The estimate of c is
    the mean predicted probability of being labeled, over labeled out-of-sample rows (estimator e1 of the
    paper).

    Parameters
    ----------
    estimator : classifier
        Classifier of imbcore, or with the scikit-learn API and calibrated ``predict_proba``. It is cloned.
    cv : int, splitter or iterable, default=5
        Inner folds for out-of-sample predictions: a number of at least 2, or any scikit-learn ``cv``.
    reweight : bool, default=False
        Whether the final fit uses each unlabeled row twice (section 3 of the paper): as a positive row
        weighted by its probability of being positive, and as a negative row with the remaining weight.
        Unlabeled rows that no inner fold tests are then left out. The estimator must support
        ``sample_weight``.
    positive : label, default=None
        Label that marks the rows known to be positive. None: label 1 if the labels are 0 and 1 or -1 and 1,
        True if they are False and True; else the rarer label, in case of ties the greater label.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed of the folds, and of an ``estimator`` whose own ``random_state`` is None.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Sorted labels.
    positive_ : label
        Label that marks the rows known to be positive.
    label_frequency_ : float
        Estimated probability c that a positive row is labeled.
    prior_ : float
        Proportion of positives among all rows: the weighted fraction of labeled rows divided by c, at most 1.
    estimator_ : classifier
        The fitted estimator: it predicts which rows are labeled, or, if ``reweight`` is True, which rows are
        positive.

    References
    ----------
    Elkan and Noto, "Learning classifiers from only positive and unlabeled data", 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from imbcore.datasets import make_disjunct_grid
    >>> from imbcore.decisions import PUClassifier
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = make_disjunct_grid(2000, minority_fraction=0.3, random_state=0)
    >>> labelled = y * (np.arange(2000) % 2)
    >>> model = PUClassifier(LogisticRegression(), random_state=0).fit(X, labelled)
    >>> 0 < model.label_frequency_ <= 1
    True
    """

    _two_classes = "separates labeled from unlabeled rows"
    _kept = ("label_frequency_", "positive_", "prior_")

    def __init__(
        self,
        estimator: Any,
        *,
        cv: Any = 5,
        reweight: bool = False,
        positive: Any = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.cv = cv
        self.reweight = reweight
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
        """Estimate the label frequency, and fit the estimator.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Features, in any form that the estimator accepts. The wrapper selects the rows of
            each inner fold from this table.
        y : sequence of shape (n_rows,)
            The positive label for the rows known to be positive, and one other label for all unlabeled rows.
        sample_weight : sequence of shape (n_rows,), default=None
            Weights for the estimator and the label frequency.
        groups, time, time_gap
            Groups and times of the rows, as in :func:`imbcore.fit`.

        Returns
        -------
        self : object
            The fitted classifier.

        Raises
        ------
        ParameterError
            The estimator lacks a required method.
        DataError
            There are not exactly two labels, the label frequency cannot be estimated, or reweighting leaves
            only one class.
        """
        X, target, weighted = self._weighted(X, y, sample_weight, (groups, time, time_gap))
        if self.reweight and not supports_weights(self.estimator):
            raise ParameterError(
                f"PUClassifier: reweight=True needs an estimator whose fit supports sample_weight, got "
                f"{self.estimator!r}"
            )
        weights = weighted.weights
        code = training_positive_code(self.positive, target.classes, target.codes, weights)
        seed = resolve_seed(self.random_state)
        rows, proba = self._out_of_fold_proba(X, target, weighted, seed)
        scores = np.empty(len(target.codes))
        scores[rows] = proba[:, code]
        labelled = target.codes == code
        tested = np.zeros(len(scores), dtype=bool)
        tested[rows] = True
        own = np.ones(len(scores)) if weights is None else weights
        c = native.decisions.label_frequency(scores[labelled & tested], own[labelled & tested])
        self.classes_, self.positive_ = target.classes, target.classes.tolist()[code]
        self.label_frequency_ = c
        self.prior_ = min(1.0, float(own[labelled].sum() / own.sum()) / c)
        labels = target.classes[target.codes]
        if not self.reweight:
            self.estimator_ = self._fitted(
                X, labels, weights, np.arange(len(labels)), seed=seed, dependence=weighted.dependence
            )
            return self
        # Every unlabeled row is used twice: as a positive weighted by its probability, and as a negative.
        unlabelled = np.flatnonzero(~labelled & tested)
        chances = native.decisions.unlabelled_weights(scores[unlabelled], c)
        parts = [np.flatnonzero(labelled), unlabelled, unlabelled]
        codes = np.repeat([code, code, 1 - code], [len(part) for part in parts])
        shares = np.concatenate([np.ones(len(parts[0])), *chances]) * own[np.concatenate(parts)]
        kept = shares > 0
        if not (codes[kept] == 1 - code).any():
            raise DataError(
                "PUClassifier: every unlabeled row is predicted positive with certainty, so there are no "
                "negative rows to fit; use reweight=False, or an estimator with graded probabilities"
            )
        chosen = np.concatenate(parts)[kept]
        self.estimator_ = self._fitted(
            select_table_rows(X, chosen, fresh_index=True),
            target.classes[codes[kept]],
            shares[kept],
            np.arange(len(chosen)),
            seed=seed,
            dependence=weighted.dependence.pick(chosen),
        )
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Compute the probabilities of negative and positive, in the order of ``classes_``."""
        check_is_fitted(self)
        proba: NDArray[np.float64] = self.estimator_.predict_proba(X)
        if self.reweight:
            return proba
        code = self.classes_.tolist().index(self.positive_)
        scores = np.ascontiguousarray(proba[:, code], dtype=np.float64)
        return native.decisions.positive_proba(scores, self.label_frequency_, code)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the more probable class, the first in case of ties."""
        check_is_fitted(self)
        codes = native.costs.decide(self.predict_proba(X), None, None, 0)
        return self.classes_[codes]
