"""Fitted exact trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from imbcore._bindings import native
from imbcore._model.proven import CertificateAttributes
from imbcore._model.trees import SingleTree
from imbcore._validation.value_text import value_text
from imbcore.exceptions import ParameterError


class OptimalTreeModel(CertificateAttributes, SingleTree, kind="optimal"):
    """Provably optimal small tree, or the trees of a hull, one of which predicts."""

    _family = "exact trees"
    _native: native.models.OptimalTreeModel

    def certificate(self) -> dict[str, Any]:
        """Return the proven bounds of the tree and the data needed to verify them.

        Returns
        -------
        dict
            As for ``OptimalTreeClassifier.certificate``.
        """
        return self.proof() | {"proof": self._native.certificate_claims()}

    def proof(self) -> dict[str, Any]:
        """Return the proven bounds of the tree, without the data needed to verify them.

        Returns
        -------
        dict
            :meth:`certificate` without ``proof``.
        """
        return self._native.certificate()

    def _certificate_entry(self, name: str) -> Any:
        return self.proof()[name]

    def hull(self) -> list[dict[str, Any]]:
        """List the trees of the hull, or the single tree for another objective.

        Returns
        -------
        list of dict
            As for ``OptimalTreeClassifier.hull``.
        """
        trees: list[dict[str, Any]] = self.proof()["trees"]
        return [tree | {"model": self._select_hull_tree(place)} for place, tree in enumerate(trees)]

    def select(
        self,
        *,
        cost_fp: float | None = None,
        cost_fn: float | None = None,
        f_beta: float | None = None,
        recall: float | None = None,
        precision: float | None = None,
    ) -> OptimalTreeModel:
        """Select the tree of the hull that is best for another criterion; nothing is fitted.

        Parameters
        ----------
        cost_fp, cost_fn : float or None, default=None
            Non-negative costs of a false positive and of a false negative: selects the tree of minimum cost.
            If only one is given, the other is 1.
        f_beta : float or None, default=None
            Selects the tree with the largest F-measure, with recall weighted this many times as much; from 0
            to 64.
        recall : float or None, default=None
            Selects the tree with the fewest false positives among those of the hull with at least this
            recall.
        precision : float or None, default=None
            Selects the tree with the largest recall among those of the hull with at least this precision.

        Returns
        -------
        OptimalTreeModel
            Model that predicts the labels of this tree; it has no costs, threshold or calibration. This one
            does not change. For a constraint, a tree between two vertices of the hull may be better:
            ``certificate()["at"]`` has the ``objective`` (weight of false positives, or recall), the
            ``bound`` that the hull proves for all trees, the ``gap`` and whether the tree is
            ``proven_optimal``. A fit with ``objective={"recall": ...}`` closes this gap.

        Raises
        ------
        ParameterError
            Not exactly one criterion is given, it is outside its valid range, or the objective was not
            "hull".
        """
        floors = [("recall", recall), ("precision", precision)]
        asked = [cost_fp is not None or cost_fn is not None, f_beta is not None]
        if sum(asked) + sum(share is not None for _, share in floors) != 1:
            raise ParameterError(
                "select takes either cost_fp and cost_fn, or f_beta, or recall, or precision"
            )
        objective = self.params["objective"]
        if objective != "hull":
            raise ParameterError(
                f"select needs a hull, but this tree was fitted with objective={objective!r}; fit with "
                'objective="hull"'
            )
        if f_beta is not None:
            return self._select_hull_tree(
                self._native.best_f(_validate_bounded_number("f_beta", f_beta, 64.0))
            )
        for name, share in floors:
            if share is not None:
                found = self._native.select_tree_with_rate(
                    name == "recall", _validate_bounded_number(name, share, 1.0)
                )
                return OptimalTreeModel(found, self._schema)
        prices = (1.0 if price is None else price for price in (cost_fp, cost_fn))
        first, second = (
            _validate_bounded_number("cost_fp and cost_fn", price, float("inf")) for price in prices
        )
        return self._select_hull_tree(self._native.cheapest(first, second))

    def _select_hull_tree(self, place: int) -> OptimalTreeModel:
        return OptimalTreeModel(self._native.select_tree(place), self._schema)


def _validate_bounded_number(name: str, value: Any, most: float) -> float:
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float, np.number))
        or not 0 <= value <= most
        or value == float("inf")
    ):
        domain = "a finite number of at least 0" if most == float("inf") else f"a number from 0 to {most:g}"
        raise ParameterError(f"{name} must be {domain}, got {value_text(value)}")
    return float(value)
