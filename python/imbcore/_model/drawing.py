"""What a fitted box drawing says of its boxes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.boxes import exact_proof

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Drawings"]


class Drawings:
    """Boxes of a model, as numbers and as rules."""

    _native: native.Model

    if TYPE_CHECKING:

        @property
        def positive_(self) -> Any: ...

    def boxes(self, *, all_bounds: bool = False) -> list[dict[str, Any]]:
        """Boxes of a box drawing.

        Parameters
        ----------
        all_bounds : bool, default=False
            Also list bounds beyond the training range, which no training row feels.

        Returns
        -------
        list of dict
            Keys ``conditions`` (each with ``feature`` and ``lower``, ``upper`` or ``levels``), ``support``,
            ``share``, ``lift`` and ``recall``: of the training rows, the weight in the box, the share of the
            class in it, how many times its share among all rows that is, and the share of the class that
            the box holds. Where missing values satisfy every bound, conditions have ``or_missing``.

        Raises
        ------
        UnsupportedError
            The model is no box drawing.
        """
        boxes: list[dict[str, Any]] = json.loads(native.box_rules(self._native, "json", 0, all_bounds))
        return boxes

    def box_bounds(self) -> tuple[NDArray[np.float64], ...]:
        """Bounds of a box drawing, and the training range.

        Returns
        -------
        tuple of ndarray
            Lower and upper bounds, (n_boxes, n_features), infinite where there is none; smallest and largest
            training value of every feature, (n_features,), infinity and its negative for nominal ones.

        Raises
        ------
        UnsupportedError
            The model is no box drawing.
        """
        return native.box_bounds(self._native)

    @property
    def box_class(self) -> Any:
        """Label of the class that the boxes of a box drawing describe: ``positive_``."""
        self.box_bounds()
        return self.positive_

    def to_sql(self, *, all_bounds: bool = True) -> str:
        """Write the boxes of a box drawing as the condition of an SQL query, to follow ``WHERE``.

        Parameters
        ----------
        all_bounds : bool, default=True
            Also write bounds beyond the training range: with them the query finds the rows that ``predict``
            finds, in new tables too.

        Returns
        -------
        str
            Names are in double quotes, text in single ones.

        Raises
        ------
        UnsupportedError
            The model is no box drawing, or a threshold or costs let it answer otherwise than the boxes.
        """
        return native.box_rules(self._native, "sql", 0, all_bounds)

    def certificate(self) -> dict[str, Any]:
        """Return the proof of the boxes of Exact Boxes: everything that another program needs to check it.

        Returns
        -------
        dict
            As ``ExactBoxesClassifier.certificate`` describes: ``status``, ``objective``, ``bound``, ``gap``,
            ``proven_optimal``, and what they rest on.

        Raises
        ------
        UnsupportedError
            The model is not one of Exact Boxes.
        """
        return exact_proof(self._native)

    def trajectories(self) -> list[dict[str, Any]]:
        """How the boxes of PRIM were peeled.

        Returns
        -------
        list of dict
            For every box its ``steps`` (``mass``, ``mean``, ``coverage`` and what changed) and which of them
            was ``chosen``.

        Raises
        ------
        UnsupportedError
            The model is not one of PRIM.
        """
        found: list[dict[str, Any]] = json.loads(native.trajectories(self._native))
        return found
