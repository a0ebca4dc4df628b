"""Ways to do one thing, with their parameters, as values of a constructor's argument."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.base import BaseEstimator

__all__ = ["Choice"]


class Choice(BaseEstimator):  # type: ignore[misc]
    """A way and its parameters, such as ``Tabu(time_limit=2)``, which scikit-learn clones and sets.

    ``imbcore._signatures.constructors`` builds the classes.
    """

    _choice: ClassVar[str]

    def as_parameters(self) -> dict[str, Any]:
        """Write it as the native module reads it: the name of the way beside its parameters."""
        return {"name": self._choice, **self.get_params(deep=False)}

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.as_parameters() == other.as_parameters()

    __hash__ = None  # type: ignore[assignment]
