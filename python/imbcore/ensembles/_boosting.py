"""What the classes of boosting share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from imbcore.ensembles._committee import CommitteeClassifier

__all__ = ["BoostingClassifier"]


class BoostingClassifier(CommitteeClassifier):
    """What the classes of boosting share.

    Parameters
    ----------
    estimator_params : dict or None
        Parameters of a method given by name; the others take its defaults. None: those defaults, but for
        "cart" a stump, ``{"max_depth": 1}``.
    class_weight
        Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes inversely to
        their frequencies. The first round starts from these weights.
    """

    @property
    def estimator_errors_(self) -> NDArray[np.float64]:
        """The error of each member by which its vote was found."""
        errors: NDArray[np.float64] = self._ballot()["errors"]
        return errors
