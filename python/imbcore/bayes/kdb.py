"""k-dependence Bayesian classifier."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import KDBParameters
from imbcore.bayes._base import BayesClassifier

__all__ = ["KDBClassifier"]


class KDBClassifier(KDBParameters, BayesClassifier):
    """k-dependence Bayesian classifier over discretised columns (KDB).

    Columns are taken by falling information on the class; each depends on the class and on the up to ``k``
    earlier ones that tell most of it given the class. Missing values need no filling.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; needs no scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, in the type that ``y`` had.
    positive_ : label
        Positive class, which ``threshold``, rules and scores speak of.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns; only defined when ``X`` had names that are all text.

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used.

    References
    ----------
    Sahami, "Learning limited dependence Bayesian classifiers", 1996.

    Examples
    --------
    >>> from imbcore import KDBClassifier
    >>> from imbcore.discretization import EqualFrequencyDiscretizer
    >>> X = [
    ...     ["sunny", 30.0],
    ...     ["sunny", 25.0],
    ...     ["rain", 12.0],
    ...     ["rain", None],
    ...     ["rain", 14.0],
    ...     ["sunny", 28.0],
    ... ]
    >>> y = ["out", "out", "in", "in", "in", "out"]
    >>> bayes = KDBClassifier(max_feature_parents=1, discretizer=EqualFrequencyDiscretizer(n_bins=2)).fit(
    ...     X, y
    ... )
    >>> bayes.predict([["sunny", 29.0], [None, 13.0]]).tolist()
    ['out', 'in']
    """

    _method: ClassVar[str] = "kdb"
