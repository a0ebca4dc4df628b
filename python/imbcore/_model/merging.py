"""Merging of forests, with a check that no group is in the rows of two of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from imbcore._bindings import native
from imbcore._model.model import Model
from imbcore._validation.dependence import distinct_groups
from imbcore._validation.row_dependence import RowGroupsAndTimes
from imbcore._validation.value_text import value_text
from imbcore.exceptions import DataError, ParameterError


def merge_forests(models: Sequence[Model], groups: Sequence[Any] | None) -> Model:
    """Merge forests; see :func:`imbcore.merge`."""
    if groups is not None and len(groups) != len(models):
        raise ParameterError(
            f"groups must have one entry for each of the {len(models)} models, got {len(groups)}"
        )
    of_models = [_training_groups_of_model(models, at, groups) for at in range(len(models))]
    seen: dict[Any, int] = {}
    for at, values in enumerate(of_models):
        shared = next((value for value in values if value in seen), None)
        if shared is not None:
            raise DataError(
                f"group {value_text(shared)} is in the rows of models {seen[shared]} and {at}, so no "
                "tree uses the whole group; give all rows of a group to one part, or fit one forest with "
                "more trees"
            )
        seen |= dict.fromkeys(values, at)
    found = Model(native.models.merge([model._native for model in models]))
    functions = {id(model._cost_function): model._cost_function for model in models}
    if len(functions) == 1:
        found._store_cost_function(*functions.values())
    found._groups = frozenset(seen) or None
    return found


def store_groups(model: Model, dependence: RowGroupsAndTimes) -> Model:
    """Store the values of the groups in a fitted forest."""
    if native.decisions.n_training_groups(model._native):
        model._groups = dependence.distinct_groups()
    return model


def _training_groups_of_model(
    models: Sequence[Model], at: int, groups: Sequence[Any] | None
) -> frozenset[Any]:
    """Return the groups of a model, from the fit or from the argument."""
    model = models[at]
    if not native.decisions.n_training_groups(model._native):
        return frozenset()
    if groups is not None and groups[at] is not None:
        return distinct_groups(groups[at])
    if model._groups is None:
        raise ParameterError(
            f"model {at} was fitted with groups, which a model file does not contain; give groups=[...], the "
            "groups of the rows of every model, so that no group is in two models"
        )
    return model._groups
