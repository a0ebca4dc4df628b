"""RandomOverSampler."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from imbcore._input.frame import BorderFrame
from imbcore._input.labels import Target
from imbcore._signatures import RandomOverSamplerParameters
from imbcore.sampling._base import NativeSampler

__all__ = ["RandomOverSampler"]


class RandomOverSampler(RandomOverSamplerParameters, NativeSampler):
    """Over-sampling by random copies of rows of the smaller classes.

    With ``shrinkage`` noise is added to the copies (a smoothed bootstrap), and X must be numeric.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of added rows per class.
    sample_indices_ : ndarray of shape (n_resampled,)
        Indices of the rows of X in the result; absent with ``shrinkage``.
    shrinkage_ : dict or None
        Shrinkage of each class to which rows were added; None without ``shrinkage``.
    source_rows_ : ndarray of shape (n_added,)
        Index of the source row of each added row.
    neighbor_rows_ : ndarray of shape (n_added,)
        Index of the neighbor used for interpolation, or -1 for a copy.
    gaps_ : ndarray of shape (n_added,) or (n_added, n_features)
        Interpolation factor: 0 at the source, 1 at the neighbor; one per column if
        ``interpolation="attribute"``.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names, if the columns had names.

    References
    ----------
    Menardi and Torelli, "Training and assessing classification rules with imbalanced data", 2014.
    """

    _method: ClassVar[str] = "random_over"
    _adds: ClassVar[bool] = True

    shrinkage: Any
    shrinkage_: dict[Any, float] | None

    def _frame(self, X: Any) -> tuple[BorderFrame | None, list[str]]:
        # Copies need no numeric columns; noise does.
        return super()._frame(X) if self.shrinkage is None else self._numbers(X, ())

    def _keep(self, plan: dict[str, Any], target: Target) -> None:
        super()._keep(plan, target)
        given = self.shrinkage
        self.shrinkage_ = given
        if given is not None:
            of = given if isinstance(given, Mapping) else dict.fromkeys(self.sampling_strategy_, given)
            self.shrinkage_ = {label: float(of.get(label, 0.0)) for label in self.sampling_strategy_}
