"""Fitted ensembles: bagging and boosting with any method."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._model.model import Model
from imbcore._validation.schema import Schema


def mean_importances(
    members: Iterable[Any],
    votes: NDArray[np.float64],
    columns: Iterable[NDArray[np.uint32]],
    n_columns: int,
) -> NDArray[np.float64]:
    """Average the members' importances by voting weight; constant members count as zero."""
    total = np.zeros(n_columns)
    known = False
    for member, vote, seen in zip(members, votes, columns, strict=True):
        found = getattr(member, "feature_importances_", None)
        if found is not None:
            known = True
            total[seen] += vote * np.asarray(found, dtype=np.float64)
    if not known:
        raise AttributeError("the members have no feature_importances_")
    return total / votes.sum()


class OutOfBagModel(Model):
    """Base class of models with out-of-bag predictions."""

    _native: Any

    @property
    def oob_score_(self) -> float:
        """Score on out-of-bag rows."""
        return self._out_of_bag()[0]

    @property
    def oob_decision_function_(self) -> NDArray[np.float64]:
        """Out-of-bag probabilities of the training rows."""
        return self._out_of_bag()[1]

    def _out_of_bag(self) -> tuple[float, NDArray[np.float64]]:
        found = self._native.out_of_bag()
        if found is None:
            raise AttributeError("oob_score")
        return found


class EnsembleModel(OutOfBagModel, kind="ensemble"):
    """Ensemble of models of one method.

    Attributes
    ----------
    estimators_ : sequence of Model
        The members.
    estimator_weights_ : ndarray of shape (n_estimators,)
        Voting weight of each member.
    estimators_features_ : list of ndarray
        Columns used by each member.
    feature_importances_ : ndarray of shape (n_features,)
        Mean of the members' importances, weighted by the voting weights of the members; only if members have
        importances.
    oob_score_ : float
        Score on out-of-bag rows; only if ``oob_score`` is set.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Out-of-bag probabilities of the training rows; only if ``oob_score`` is set. NaN for rows that are in
        the samples of all members, and for rows of weight 0.
    """

    _family = "ensembles"
    _native: native.models.EnsembleModel

    @property
    def size_text(self) -> str:
        """Number of members as text."""
        return f"{len(self.estimators_)} members"

    @property
    def estimators_(self) -> Sequence[Model]:
        """The members, in order; each model is created on access."""
        return EnsembleMembers(self._native, self._schema, self.estimators_features_)

    @property
    def estimator_weights_(self) -> NDArray[np.float64]:
        """Voting weight of each member."""
        return self._native.voting["votes"]

    @property
    def estimators_features_(self) -> list[NDArray[np.uint32]]:
        """Columns used by each member."""
        every = np.arange(self.n_features_in_, dtype=np.uint32)
        return [columns if len(columns) else every for columns in self._native.voting["columns"]]

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean of the members' importances, weighted by their votes."""
        votes, columns = self.estimator_weights_, self.estimators_features_
        return mean_importances(self.estimators_, votes, columns, self.n_features_in_)


class EnsembleMembers(Sequence[Model]):
    """Members of an ensemble, created one by one on access."""

    def __init__(
        self, ensemble: native.models.Model, schema: Schema, columns: list[NDArray[np.uint32]]
    ) -> None:
        self._native = ensemble
        self._schema = schema
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns)

    @overload
    def __getitem__(self, place: int) -> Model: ...
    @overload
    def __getitem__(self, place: slice) -> list[Model]: ...
    def __getitem__(self, place: int | slice) -> Model | list[Model]:
        places = range(len(self))[place]
        if isinstance(places, range):
            return [self[one] for one in places]
        columns = self._columns[places].tolist()
        of_all = self._schema
        schema = replace(
            of_all,
            features=[of_all.features[column] for column in columns],
            column_labels=[of_all.column_labels[column] for column in columns if of_all.column_labels],
            without_values=[at for at, column in enumerate(columns) if column in of_all.without_values],
        )
        return Model(native.models.ensemble_member(self._native, places), schema)
