"""What estimators of trees share, one tree or many."""

from __future__ import annotations

from typing import Any

from imbcore._estimators.base import NativeClassifier

__all__ = ["TreelikeClassifier"]


class TreelikeClassifier(NativeClassifier):
    """What the classes of trees and forests share.

    Parameters
    ----------
    min_samples_split : int or float
        Fewest rows of a node that may be split; in a forest a row drawn twice counts twice. A whole number of
        at least 2, or a share of all rows, a float in (0, 1], which is rounded up to a number.
    min_samples_leaf : int or float
        Fewest rows on each side of a split. A whole number of at least 1, or a share of all rows, a float in
        (0, 1], which is rounded up to a number.
    """

    missing: str

    def __sklearn_tags__(self) -> Any:
        """Return the scikit-learn tags of the estimator."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags
