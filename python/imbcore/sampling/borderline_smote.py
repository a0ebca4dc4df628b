"""BorderlineSMOTE."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from imbcore._input.labels import Target
from imbcore._signatures import BorderlineSMOTEParameters
from imbcore.sampling._base import NeighborSampler

__all__ = ["BorderlineSMOTE"]


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
        Rows of each class with half or more, all, or less than half of their neighbors in other classes.
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
        """Rows in danger, without empty classes, under the name of imbalanced-learn."""
        return {label: rows for label, rows in self.danger_indices_.items() if len(rows)}
