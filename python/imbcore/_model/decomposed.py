"""Fitted decompositions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._model.model import Model

__all__ = ["DecomposedModel"]


class DecomposedModel(Model, kind="decomposed"):
    """Decomposition of several classes into tasks of two.

    Attributes
    ----------
    code_book_ : ndarray of shape (n_classes, n_members)
        Part of every class in the task of every member: 1, 0, or -1 for left out.
    """

    _family = "decompositions"
    _native: native.models.DecomposedModel

    @property
    def size_text(self) -> str:
        """How many members there are, in words."""
        return f"{self.code_book_.shape[1]} members"

    @property
    def code_book_(self) -> NDArray[np.int8]:
        """Part of every class (rows) in the task of every member (columns): 1, 0, or -1 for left out."""
        return self._native.code_book
