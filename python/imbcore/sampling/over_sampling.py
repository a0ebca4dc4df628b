"""Over-sampling, by copies or by interpolation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from imbcore._signatures import (
    ADASYNParameters,
    BorderlineSMOTEParameters,
    DuplicateOverSamplerParameters,
    RandomOverSamplerParameters,
    SMOTENCParameters,
    SMOTEParameters,
)
from imbcore._validation.frame import NativeFrame
from imbcore._validation.labels import Target
from imbcore.sampling._base import NativeSampler, NeighborSampler

__all__ = ["ADASYN", "SMOTE", "SMOTENC", "BorderlineSMOTE", "DuplicateOverSampler", "RandomOverSampler"]


class RandomOverSampler(RandomOverSamplerParameters, NativeSampler):
    """Over-sampling by random copies of rows of the smaller classes.

    If ``shrinkage`` is set, noise is added to the copies (a smoothed bootstrap), and X must be numeric.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of added rows per class.
    sample_indices_ : ndarray of shape (n_resampled,)
        Indices of the rows of X in the result; absent if ``shrinkage`` is set.
    shrinkage_ : dict or None
        Shrinkage of each class to which rows were added; None if ``shrinkage`` is None.
    source_rows_ : ndarray of shape (n_added,)
        Index of the source row of each added row.
    neighbor_rows_ : ndarray of shape (n_added,)
        Index of the neighbor used for interpolation, or -1 for a copy.
    gaps_ : ndarray of shape (n_added,)
        Interpolation factor: 0 at the source, 1 at the neighbor.
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

    def _copies_rows(self) -> bool:
        return self.shrinkage is None

    def _frame(self, X: Any) -> tuple[NativeFrame | None, list[str]]:
        # Copies need no numeric columns; noise does.
        return super()._frame(X) if self.shrinkage is None else self._numbers(X, ())

    def _keep(self, plan: dict[str, Any], target: Target) -> None:
        super()._keep(plan, target)
        given = self.shrinkage
        self.shrinkage_ = given
        if given is not None:
            of = given if isinstance(given, Mapping) else dict.fromkeys(self.sampling_strategy_, given)
            self.shrinkage_ = {label: float(of.get(label, 0.0)) for label in self.sampling_strategy_}


class DuplicateOverSampler(DuplicateOverSamplerParameters, NativeSampler):
    """Deterministic over-sampling: all rows of a class are repeated equally often.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of added rows per class.
    sample_indices_ : ndarray of shape (n_resampled,)
        Indices of the rows of ``X`` in the result.
    source_rows_ : ndarray of shape (n_added,)
        Index of the source row of each added row.
    neighbor_rows_ : ndarray of shape (n_added,)
        Index of the neighbor used for interpolation, or -1 for a copy.
    gaps_ : ndarray of shape (n_added,)
        Interpolation factor: 0 at the source, 1 at the neighbor.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names, if the columns had names.

    References
    ----------
    Zhu, Li and Dunson, "Classification trees for imbalanced data: surface-to-volume regularization", 2021.
    """

    _method: ClassVar[str] = "duplicate_over"
    _adds: ClassVar[bool] = True


class SMOTE(SMOTEParameters, NeighborSampler):
    """Over-sampling with synthetic rows on the line segments between neighbors of a class.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of added rows per class.
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
    Chawla, Bowyer, Hall and Kegelmeyer, "SMOTE: synthetic minority over-sampling technique", 2002.
    """

    _method: ClassVar[str] = "smote"
    _adds: ClassVar[bool] = True


class SMOTENC(SMOTENCParameters, NeighborSampler):
    """SMOTE for mixed columns: synthetic rows get the most frequent levels among neighbors.

    Parameters
    ----------
    categorical_features : "auto" or list, default="auto"
        Numeric columns to treat as nominal: a list of names or positions, or a boolean mask. Text and
        categorical columns are always nominal; "auto": only text and categorical columns.
    categorical_encoder : object, default=None
        Ignored; for compatibility with imbalanced-learn.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of added rows per class.
    source_rows_ : ndarray of shape (n_added,)
        Index of the source row of each added row.
    neighbor_rows_ : ndarray of shape (n_added,)
        Index of the neighbor used for interpolation, or -1 for a copy.
    gaps_ : ndarray of shape (n_added,)
        Interpolation factor: 0 at the source, 1 at the neighbor.
    categorical_features_, continuous_features_ : ndarray of int
        Positions of the nominal and of the numeric columns.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names, if the columns had names.

    References
    ----------
    Chawla, Bowyer, Hall and Kegelmeyer, "SMOTE: synthetic minority over-sampling technique", 2002:
    section 6.1.
    """

    _method: ClassVar[str] = "smotenc"
    _defaults: ClassVar[Mapping[str, Any]] = {"categorical_features": "auto", "categorical_encoder": None}
    _adds: ClassVar[bool] = True

    categorical_features: Any
    categorical_features_: NDArray[np.int64]
    continuous_features_: NDArray[np.int64]

    def _frame(self, X: Any) -> tuple[NativeFrame | None, list[str]]:
        given = self.categorical_features
        declared = () if isinstance(given, str) and given == "auto" else given
        frame, names = self._numbers(self._dense(X), declared)
        nominal = [isinstance(frame, list) and isinstance(frame[at], tuple) for at in range(len(names))]
        self.categorical_features_ = np.flatnonzero(nominal)
        self.continuous_features_ = np.flatnonzero(np.logical_not(nominal))
        return frame, names


class BorderlineSMOTE(BorderlineSMOTEParameters, NeighborSampler):
    """SMOTE that uses only rows close to other classes as sources.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of added rows per class.
    source_rows_ : ndarray of shape (n_added,)
        Index of the source row of each added row.
    neighbor_rows_ : ndarray of shape (n_added,)
        Index of the neighbor used for interpolation, or -1 for a copy.
    gaps_ : ndarray of shape (n_added,) or (n_added, n_features)
        Interpolation factor: 0 at the source, 1 at the neighbor; one per column if
        ``interpolation="attribute"``.
    danger_indices_, noise_indices_, safe_indices_ : dict
        Rows of each over-sampled class, by the fraction of neighbors in other classes. Danger: at least half,
        but not all; noise: all; safe: less than half.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names, if the columns had names.

    References
    ----------
    Han, Wang and Mao, "Borderline-SMOTE", 2005.
    """

    _method: ClassVar[str] = "borderline_smote"
    _adds: ClassVar[bool] = True

    danger_indices_: dict[Any, NDArray[np.int64]]
    noise_indices_: dict[Any, NDArray[np.int64]]
    safe_indices_: dict[Any, NDArray[np.int64]]

    def _keep(self, plan: dict[str, Any], target: Target) -> None:
        super()._keep(plan, target)
        labels = target.classes.tolist()
        places = {labels[code]: of for code, of in plan["neighborhoods"].items()}
        self.danger_indices_ = {label: of[0] for label, of in places.items()}
        self.noise_indices_ = {label: of[1] for label, of in places.items()}
        self.safe_indices_ = {label: of[2] for label, of in places.items()}

    @property
    def in_danger_indices(self) -> dict[Any, NDArray[np.int64]]:
        """Rows in danger by class, without empty classes; the name is that of imbalanced-learn."""
        return {label: rows for label, rows in self.danger_indices_.items() if len(rows)}


class ADASYN(ADASYNParameters, NeighborSampler):
    """Over-sampling by ADASYN: more synthetic rows close to rows of other classes.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of added rows per class.
    source_rows_ : ndarray of shape (n_added,)
        Index of the source row of each added row.
    neighbor_rows_ : ndarray of shape (n_added,)
        Index of the neighbor used for interpolation, or -1 for a copy.
    gaps_ : ndarray of shape (n_added,)
        Interpolation factor: 0 at the source, 1 at the neighbor.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names, if the columns had names.

    References
    ----------
    He, Bai, Garcia and Li, "ADASYN: adaptive synthetic sampling approach for imbalanced learning", 2008.
    """

    _method: ClassVar[str] = "adasyn"
    _adds: ClassVar[bool] = True
