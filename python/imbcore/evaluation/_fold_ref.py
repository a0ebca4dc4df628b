"""Position of a fit within a run."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from imbcore._validation.arguments import name_package_in_errors


@dataclass(frozen=True)
class FoldRef:
    """Table, replicate, fold and method of a fit within a run, which determine its seed.

    Parameters
    ----------
    path : tuple
        Seed of the run, then table, replicate, fold and method, and further levels for the components of a
        learner.
    classes : ndarray of shape (n_classes,)
        Sorted labels of the whole table; the training set may lack some.
    positive : label
        The positive class.
    """

    path: tuple[Any, ...]
    classes: NDArray[Any]
    positive: Any

    @property
    def seed(self) -> int:
        """A seed below 2**32 that depends only on the path."""
        return int.from_bytes(hashlib.sha256(repr(self.path).encode()).digest()[:4], "big")

    def child(self, *names: Any) -> FoldRef:
        """Return the reference of a component of the learner; each component has its own seed."""
        return FoldRef((*self.path, *names), self.classes, self.positive)


name_package_in_errors(globals())
