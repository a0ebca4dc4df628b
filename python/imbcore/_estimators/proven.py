"""Estimators that prove how good their model is."""

from __future__ import annotations

from typing import Any, Self

from imbcore._border import training
from imbcore._estimators.base import NativeClassifier
from imbcore._model.model import Model

__all__ = ["ProvenClassifier"]


class ProvenClassifier(NativeClassifier):
    """Classifier whose search keeps a bound that no model of its kind exceeds."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Search for the best model.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Any table: a NumPy array, a pandas, polars or pyarrow table, a dict of columns, or a list of rows.
        y : sequence of shape (n_rows,)
            Labels: text, integers, booleans or whole floats.
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            Weights, none negative, not all zero. None weighs every row 1. Weights that are not whole numbers
            make proofs harder, because values then follow no steps.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        ParameterError
            A parameter leaves its domain.
        DataError
            The data cannot be used; the message names the column and says what to do.
        KeyboardInterrupt
            Ctrl-C was pressed. The estimator is then fitted with the best model so far, unless the search had
            not begun.
        """
        try:
            return super().fit(X, y, sample_weight)
        except BaseException as stopped:
            incumbent = training.incumbent(stopped)
            if incumbent is not None:
                self._keep(Model(incumbent))
            raise

    @property
    def status_(self) -> str:
        """Why the search ended."""
        return str(self._proof("status"))

    @property
    def objective_(self) -> float:
        """What the model is worth on the training rows."""
        return float(self._proof("objective"))

    @property
    def bound_(self) -> float:
        """No model of the kind is worth more; where the objective is a cost, none costs less."""
        return float(self._proof("bound"))

    @property
    def gap_(self) -> float:
        """Difference between bound and objective."""
        return float(self._proof("gap"))

    @property
    def proven_optimal_(self) -> bool:
        """Whether the model is proven to be the best."""
        return bool(self._proof("proven_optimal"))

    def _proof(self, name: str) -> Any:
        return self._fitted().certificate()[name]
