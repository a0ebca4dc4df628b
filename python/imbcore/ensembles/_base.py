"""What the classes of forests share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._model.model import Model
from imbcore.ensembles._warm import GrowingClassifier

__all__ = ["ForestClassifier"]


class ForestClassifier(GrowingClassifier):
    """What the classes of forests share.

    Parameters
    ----------
    class_weight
        Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes inversely to
        their frequencies. Weights enter the trees, not the drawing of rows.
    random_state
        Seed. Equal seeds give equal models whatever ``n_threads`` is, and more trees leave the first ones as
        they are.
    """

    missing: str

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Node number of the leaf in which every row ends, in each tree.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``.

        Returns
        -------
        leaves : ndarray of shape (n_rows, n_trees)
            Node numbers in ``estimators_``; with ``missing="fraction"`` the leaf with the largest share of
            the row.
        """
        leaves: NDArray[np.int64] = self._ask("apply", X)
        return leaves

    @property
    def estimators_(self) -> Sequence[Model]:
        """The trees, in order; each is unpacked when it is asked for."""
        found: Sequence[Model] = self._fitted().estimators_
        return found

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean over the trees of each feature's share in the total gain of the splits."""
        found: NDArray[np.float64] = self._fitted().feature_importances_
        return found

    @property
    def oob_score_(self) -> float:
        """Score of ``oob_decision_function_``."""
        found: float = self._fitted().oob_score_
        return found

    @property
    def oob_decision_function_(self) -> NDArray[np.float64]:
        """Answer for every training row of the trees that did not see it."""
        found: NDArray[np.float64] = self._fitted().oob_decision_function_
        return found

    def __sklearn_tags__(self) -> Any:
        """Describe what the estimator accepts."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags
