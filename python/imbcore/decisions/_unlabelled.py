"""Learning from positives and rows without labels, over any classifier."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from imbcore._border import native
from imbcore._border.options import resolve_seed
from imbcore._border.positive import training_code
from imbcore._input.labelled import rows_by_index
from imbcore._input.rows import pick
from imbcore.decisions._around import AroundClassifier
from imbcore.exceptions import DataError, ParameterError

__all__ = ["PUClassifier"]


class PUClassifier(AroundClassifier):
    """Any classifier, for tables in which the negative rows are only unlabelled ones.

    Some positives have a label and the others stand among the negatives: frauds that nobody reported. Where
    each positive has a label with the same chance c, whatever its features, the probability of being
    positive is that of having a label over c (Elkan and Noto 2008, lemma 1), and c is the mean of that
    probability over labelled rows that the model did not see (their estimator e1).

    Parameters
    ----------
    estimator : classifier
        Of imbcore, or of scikit-learn's protocol with ``predict_proba``, which has to be calibrated. Cloned.
    cv : int, splitter or iterable, default=5
        Inner folds that answer rows without having seen them: a number of at least 2, or what scikit-learn
        takes.
    reweight : bool, default=False
        Whether to fit a second time, each unlabelled row as a positive with the chance that it is one and as
        a negative with the rest (their section 3); needs an estimator that takes ``sample_weight``.
    positive : label, default=None
        The label of labelled rows; None as in :func:`imbcore.fit`.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed of the folds, and of an ``estimator`` whose own ``random_state`` is None.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Sorted labels.
    positive_ : label
        The label of labelled rows.
    label_frequency_ : float
        The chance c that a positive has a label.
    prior_ : float
        Share of the positives among all rows, labelled or not: that of the labelled ones over c, at most 1.
    estimator_ : classifier
        The fitted estimator: of labels, or with ``reweight`` of positives.

    References
    ----------
    Elkan and Noto, "Learning classifiers from only positive and unlabeled data", 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from imbcore.datasets import make_disjunct_grid
    >>> from imbcore.decisions import PUClassifier
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = make_disjunct_grid(2000, minority_share=0.3, random_state=0)
    >>> labelled = y * (np.arange(2000) % 2)
    >>> model = PUClassifier(LogisticRegression(), random_state=0).fit(X, labelled)
    >>> 0 < model.label_frequency_ <= 1
    True
    """

    _two_classes = "tells labelled rows from unlabelled ones"
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

    @rows_by_index
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Estimate the chance of a label, and fit the estimator.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Whatever the estimator takes; its rows are picked for the folds.
        y : sequence of shape (n_rows,)
            The positive label for labelled rows, another for all others.
        sample_weight : sequence of shape (n_rows,), default=None
            Weights for the estimator; the chance of a label counts rows.

        Returns
        -------
        self : object
            The fitted classifier.

        Raises
        ------
        ParameterError
            The estimator has not what it needs.
        DataError
            There are other than two labels, no chance of a label follows, or reweighting leaves one class.
        """
        X, target, weighted = self._weighted(X, y, sample_weight)
        if self.reweight and not has_fit_parameter(self.estimator, "sample_weight"):
            raise ParameterError(
                f"PUClassifier: reweight=True needs an estimator whose fit takes sample_weight, got "
                f"{self.estimator!r}"
            )
        weights = weighted.weights
        code = training_code(self.positive, target.classes, target.codes, weights)
        seed = resolve_seed(self.random_state)
        rows, proba = self._out_of_fold(X, target, weighted, seed)
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
            self.estimator_ = self._fitted(X, labels, weights, np.arange(len(labels)), seed=seed)
            return self
        # Every unlabelled row stands there twice: as a positive by its chance to be one, and as a negative.
        unlabelled = np.flatnonzero(~labelled & tested)
        chances = native.decisions.unlabelled_weights(scores[unlabelled], c)
        parts = [np.flatnonzero(labelled), unlabelled, unlabelled]
        codes = np.repeat([code, code, 1 - code], [len(part) for part in parts])
        shares = np.concatenate([np.ones(len(parts[0])), *chances]) * own[np.concatenate(parts)]
        kept = shares > 0
        if not (codes[kept] == 1 - code).any():
            raise DataError(
                "PUClassifier: every unlabelled row comes out as certainly positive, so that none is left "
                "to learn the other class from; take reweight=False, or graded probabilities"
            )
        chosen = np.concatenate(parts)[kept]
        self.estimator_ = self._fitted(
            pick(X, chosen, fresh_index=True),
            target.classes[codes[kept]],
            shares[kept],
            np.arange(len(chosen)),
            seed=seed,
        )
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Give the probabilities of being positive and negative, in the order of ``classes_``."""
        check_is_fitted(self)
        proba: NDArray[np.float64] = self.estimator_.predict_proba(X)
        if self.reweight:
            return proba
        code = self.classes_.tolist().index(self.positive_)
        scores = np.ascontiguousarray(proba[:, code], dtype=np.float64)
        return native.decisions.positive_proba(scores, self.label_frequency_, code)

    def predict(self, X: Any) -> NDArray[Any]:
        """Answer the more probable class, the first on ties."""
        check_is_fitted(self)
        codes = native.costs.decide(self.predict_proba(X), None, None, 0)
        answers: NDArray[Any] = self.classes_[codes]
        return answers
