"""Base class of the SVR-Trees."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._validation.costs import cost_options_of_estimator
from imbcore._validation.training_rows import TrainingRows
from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_list, validate_real_number
from imbcore.exceptions import ParameterError
from imbcore.trees._base import SingleTree


def penalty_grid(penalties: Any, rows: TrainingRows) -> list[float]:
    """Return the penalties to try: those given, or the authors' grid for this total row weight."""
    if isinstance(penalties, str) and penalties == "auto":
        return native.trees.svr_penalties(_total_weight(rows))
    try:
        grid = [
            validate_real_number("penalties", penalty) for penalty in validate_list("penalties", penalties)
        ]
    except ParameterError:
        grid = []
    if not grid:
        raise ParameterError(
            f'penalties must be "auto" or a list of at least one number, got {value_text(penalties)}'
        )
    return grid


def _total_weight(rows: TrainingRows) -> float:
    """Sum the row weights; if all are below 1, they are scaled to mean 1."""
    weights = rows.weights
    if weights is None or weights.max() < 1:
        return float(len(rows.target.codes))
    # An overflowing sum is rejected when the weights are validated.
    with np.errstate(over="ignore"):
        return float(weights.sum())


class SVRTree(SingleTree):
    """Base class of the SVR-Trees, with their fitted attributes.

    Parameters
    ----------
    class_weight
        Weight of every label, multiplied with ``sample_weight``, used instead of ``minority_weight``;
        "balanced" weights the classes inversely to their frequencies.
    random_state
        Seed of the inner folds on which a calibration or a threshold is chosen. The tree does not depend on
        it.
    """

    class_weight: Any

    def _growth_record(self) -> dict[str, Any]:
        return self._fitted().growth_

    def _quantity_after_growth(self, quantity: str) -> Any:
        growth = self._growth_record()
        return (growth["steps"][quantity] or growth["start"][quantity])[-1]

    def _path_options(self, sample_weight: Any, positive: Any) -> dict[str, Any]:
        """Return the options of this estimator in the form of the native path function."""
        return {
            "sample_weight": sample_weight,
            "class_weight": self.class_weight,
            "costs": cost_options_of_estimator(self),
            "positive": positive,
            "threads": (self.n_threads, self.n_jobs),
            "verbose": self.verbose,
        }

    @property
    def labels_(self) -> NDArray[Any]:
        """Label of every node; an inner node keeps its label from before it was split."""
        return self._fitted().labels_

    @property
    def penalty_(self) -> float:
        """Penalty used in the fit."""
        return self._growth_record()["penalty"]

    @property
    def class_weights_(self) -> NDArray[np.float64]:
        """Weight of a row of every class."""
        return np.array(self._growth_record()["class_weights"])

    @property
    def risk_(self) -> float:
        """Risk of the tree: signed impurity plus penalty times regularizer."""
        return self._quantity_after_growth("risk")

    @property
    def surface_(self) -> NDArray[np.float64]:
        """Surface of every class's region in the unit cube."""
        return np.array(self._quantity_after_growth("surface"))

    @property
    def volume_(self) -> NDArray[np.float64]:
        """Volume of every class's region in the unit cube."""
        return np.array(self._quantity_after_growth("volume"))

    @property
    def ratio_(self) -> NDArray[np.float64]:
        """Surface-to-volume ratio of every class's region."""
        return np.array(self._quantity_after_growth("ratio"))

    @property
    def risk_path_(self) -> NDArray[np.float64]:
        """Risk of the tree with a single leaf, and after each processed node."""
        growth = self._growth_record()
        return np.array([*growth["start"]["risk"], *growth["steps"]["risk"]])

    @property
    def steps_(self) -> dict[str, list[Any]]:
        """Processed nodes in order, as columns for ``pandas.DataFrame(tree.steps_)``."""
        return self._growth_record()["steps"]

    @property
    def decision_boxes_(self) -> dict[Any, NDArray[np.float64]]:
        """Boxes of the region of every class, by label."""
        model = self._fitted()
        return {label: model.decision_boxes(label) for label in model.classes_.tolist()}

    def export_region(self, label: Any) -> str:
        """Format the region that is predicted as a class as text.

        Parameters
        ----------
        label
            A class label.

        Returns
        -------
        str
            One line per box: its conditions, its number of rows, the weight fraction of the class among them
            (precision), and the fraction of the class weight inside (recall).
        """
        return self._fitted().export_region(label)
