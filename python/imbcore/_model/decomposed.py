"""Fitted decompositions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._model.model import Model


class DecomposedModel(Model, kind="decomposed"):
    """Decomposition of a multiclass problem into binary tasks.

    Attributes
    ----------
    code_book_ : ndarray of shape (n_classes, n_members)
        Role of every class in the task of every member: 1, 0, or -1 if left out.
    """

    _family = "decompositions"
    _native: native.models.DecomposedModel

    @property
    def size_text(self) -> str:
        """Number of members as text."""
        return f"{self.code_book_.shape[1]} members"

    @property
    def code_book_(self) -> NDArray[np.int8]:
        """Role of every class (rows) in the task of every member (columns): 1, 0, or -1 if left out."""
        return self._native.code_book
