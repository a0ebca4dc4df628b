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
    """New rows from those rows of a class that lie near other classes.

    Attributes
    ----------
    sampling_strategy_ : dict
        Rows that were added, by class.
    source_rows_ : ndarray of shape (n_added,)
        The row from which each added one was made.
    neighbor_rows_ : ndarray of shape (n_added,)
        The row towards which, or -1 for a copy.
    gaps_ : ndarray of shape (n_added,) or (n_added, n_features)
        How far, 0 at the source and 1 at the neighbour; one number a column with ``gap="attribute"``.
    danger_indices_, noise_indices_, safe_indices_ : dict
        Rows of each class with half or more, all, or less than half of their neighbours in other classes.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, when the columns had some.

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
        """Rows in danger of the classes that have some, under the name that imbalanced-learn gives them."""
        return {label: rows for label, rows in self.danger_indices_.items() if len(rows)}
