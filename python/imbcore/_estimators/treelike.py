"""Base class of estimators of one or several trees."""

from __future__ import annotations

from typing import Any

from imbcore._estimators.base import NativeClassifier


class TreeBasedClassifier(NativeClassifier):
    """Base class of tree and forest classifiers.

    Parameters
    ----------
    min_samples_split : int or float
        Minimum number of rows that a node needs for a split; in a forest, a row drawn twice counts twice. A
        whole number of at least 2, or a float in (0, 1]: a fraction of all rows, rounded up.
    min_samples_leaf : int or float
        Minimum number of rows in each child of a split; in a multiway split by criterion "c45", in at least
        two children. A whole number of at least 1, or a float in (0, 1]: a fraction of all rows, rounded up.
    """

    missing: str

    def __sklearn_tags__(self) -> Any:
        """Return the scikit-learn tags of the estimator."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags
