"""Estimators with optimality certificates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from imbcore._bindings import proofs, training
from imbcore._estimators.base import NativeClassifier
from imbcore._model.model import Model
from imbcore._model.proven import CertificateAttributes
from imbcore._validation.costs import cost_options_of_estimator
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.value_text import value_text
from imbcore.exceptions import DataError, ParameterError


class CertifiedClassifier(CertificateAttributes, NativeClassifier):
    """Classifier whose search maintains a bound on the objective of all models of its kind."""

    @match_rows_by_index
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        time: Any = None,
        time_gap: Any = None,
    ) -> Self:
        """Search for the optimal model.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Any table: a NumPy array, a pandas, polars or pyarrow table, a dict of columns, or a list of rows.
        y : sequence of shape (n_rows,)
            Labels: text, integers, booleans or whole floats.
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            Non-negative weights, not all zero. None weights every row 1. Weights that are not whole numbers
            make proofs harder, because objective values are then not multiples of a unit.
        groups, time, time_gap
            Groups and times of the rows, as in :func:`imbcore.fit`.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        ParameterError
            A parameter is outside its valid range.
        DataError
            The data are invalid; the message names the column and the remedy.
        KeyboardInterrupt
            Ctrl-C was pressed. The estimator is then fitted with the best model found, unless the search had
            not started.
        """
        try:
            return super().fit(X, y, sample_weight, groups=groups, time=time, time_gap=time_gap)
        except BaseException as stopped:
            incumbent = training.incumbent_model(stopped)
            if incumbent is not None:
                self._keep(Model(incumbent))
            raise

    def _verify_certificate(
        self, verify: Callable[..., dict[str, Any]], X: Any, y: Any, sample_weight: Any, time_limit: Any
    ) -> dict[str, Any]:
        """Verify a certificate on the training data with the model's own verifier."""
        if isinstance(time_limit, bool) or not isinstance(time_limit, (int, float)):
            raise ParameterError(f"time_limit must be a number of seconds, got {value_text(time_limit)}")
        model = self._fitted()
        rows = self._training_rows(X, y, sample_weight)
        if rows.target.classes.tolist() != self.classes_.tolist() or rows.schema.names != model._schema.names:
            raise DataError("these are not the training data: labels or column names differ")
        return proofs.verify_certificate_on_rows(
            verify,
            *rows.parts,
            sample_weight=rows.weights,
            class_weight=self.class_weight,
            costs=(*cost_options_of_estimator(self, **rows.costs(vars(self)))[:-1], None),
            positive=self.positive_,
            seconds=float(time_limit),
            threads=(self.n_threads, self.n_jobs),
        )

    def _certificate_entry(self, name: str) -> Any:
        return self._fitted().certificate()[name]
