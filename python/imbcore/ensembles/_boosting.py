"""Base class of the boosting classifiers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from imbcore.ensembles._generic import GenericEnsemble

__all__ = ["BoostingClassifier"]


class BoostingClassifier(GenericEnsemble):
    """Base class of the boosting classifiers.

    Parameters
    ----------
    estimator_params : dict or None
        Parameters of a base method given by name; others have its defaults. None: those defaults, except a
        stump, ``{"max_depth": 1}``, for "cart".
    class_weight
        Weight of every label, multiplied with ``sample_weight``; "balanced" weights the classes inversely to
        their frequencies. The first round starts from these weights.
    """

    @property
    def estimator_errors_(self) -> NDArray[np.float64]:
        """Error of each member that determined its voting weight."""
        errors: NDArray[np.float64] = self._voting()["errors"]
        return errors
