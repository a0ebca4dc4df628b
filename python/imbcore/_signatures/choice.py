"""Variants of a parameter, with their own parameters, as argument values."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.base import BaseEstimator

from imbcore._validation.arguments import HelpfulArgumentErrors


class Choice(HelpfulArgumentErrors, BaseEstimator):  # type: ignore[misc]
    """A variant with parameters, e.g. ``Tabu(time_limit=2)``, with the scikit-learn clone API.

    ``imbcore._signatures.constructors`` builds the classes.
    """

    _choice: ClassVar[str]

    def as_parameters(self) -> dict[str, Any]:
        """Convert to the form of the native module: the name of the variant and its parameters."""
        return {"name": self._choice, **self.get_params(deep=False)}

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.as_parameters() == other.as_parameters()

    __hash__ = None  # type: ignore[assignment]
