"""The region that a single tree answers with one class."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from imbcore._border import native
from imbcore._model.rules import condition_text, label_text
from imbcore.exceptions import ParameterError

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Regions"]


class Regions:
    """What a model of a single tree says of the regions of its classes."""

    _native: native.Model

    if TYPE_CHECKING:

        @property
        def classes_(self) -> NDArray[Any]: ...

    def _class_code(self, label: Any) -> int:
        labels = self.classes_.tolist()
        if label not in labels:
            raise ParameterError(f"label must be one of {labels}, got {label!r}")
        code: int = labels.index(label)
        return code

    def decision_boxes(self, label: Any) -> NDArray[np.float64]:
        """Boxes that make up the region answered with a class; for single trees.

        Parameters
        ----------
        label
            A class label.

        Returns
        -------
        ndarray of shape (n_boxes, n_features, 2)
            For every box and feature the bounds: values above the first and up to the second, infinite where
            there is none. Leaves that together fill a box are one box. Tests of nominal features are in
            :meth:`region_rules`.

        Raises
        ------
        UnsupportedError
            The model is not a single tree.
        """
        return native.tree_region(self._native, self._class_code(label))[1]

    def region_rules(self, label: Any) -> list[dict[str, Any]]:
        """Rules of the boxes of :meth:`decision_boxes`; for single trees.

        Parameters
        ----------
        label
            A class label.

        Returns
        -------
        list of dict
            One for each box, in the order of the boxes, as :meth:`imbcore.Model.rules` has them for leaves:
            ``share`` is that of the class in the box's training weight, which in an SVR-Tree the weights of
            the classes enter, and ``recall`` the share of the class's weight that the box holds.
        """
        rules: list[dict[str, Any]] = json.loads(native.tree_region(self._native, self._class_code(label))[0])
        return rules

    def export_region(self, label: Any) -> str:
        """Write the region answered with a class as text; for single trees.

        Parameters
        ----------
        label
            A class label.

        Returns
        -------
        str
            A line a box: its conditions, its rows, which share of their weight is of the class, and which
            share of the class's weight they hold (recall).
        """
        rules = self.region_rules(label)
        if not rules:
            return f"no region is answered with {label_text(label)}\n"
        lines = [f"{label_text(label)} if any of these holds:"]
        for number, rule in enumerate(rules, 1):
            rows = f"{rule['rows']:,} row{'s' if rule['rows'] != 1 else ''}"
            shares = f"share of the weight {rule['share']:.3f}, recall {rule['recall']:.3f}"
            lines.append(f"{number:3}. {condition_text(rule)}  ({rows}, {shares})")
        return "".join(f"{line}\n" for line in lines)
