"""Explanations of box models: why a row is inside or outside the boxes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._model.explanation import ExplainedRowValues, Reasons
from imbcore._model.rules import condition_text, name_text
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.values import validate_whole_number

# Code of a box condition that the row does not satisfy.
_FAILED = 2


@dataclass(frozen=True, repr=False)
class BoxExplanation(Reasons):
    """Conditions of one box per row: the first box that contains the row, else the nearest box.

    Whether a box contains a row is not a sum of contributions of features. The explanation of a row is
    therefore the list of conditions of one box.

    Attributes
    ----------
    box : ndarray of shape (n_rows,)
        Index in ``boxes()`` of the first box that contains the row, else of the nearest box; -1 if there are
        no boxes. The nearest box has the fewest failed conditions; in case of ties, the smallest total
        distance, then the lowest index. Distances are relative to the training range; a level that is not
        allowed, or a missing value, has distance 1.
    held : ndarray of shape (n_rows, n_boxes)
        Whether each box contains each row.
    asked : ndarray of shape (n_rows, n_features)
        Result of the condition of ``box`` on every feature: 0 if the box has no condition on the feature, 1
        if the row satisfies the condition, 2 if the row does not satisfy it.
    label : label
        The class that the boxes describe.
    """

    box: NDArray[np.int64]
    held: NDArray[np.bool_]
    asked: NDArray[np.uint8]
    label: Any
    _conditions: list[dict[int, str]] = field(repr=False, compare=False)
    _rows: ExplainedRowValues = field(repr=False, compare=False)

    @property
    def _n_rows(self) -> int:
        return len(self.box)

    @property
    def _labels(self) -> list[Any] | None:
        return self._rows.labels

    @property
    def _about(self) -> str:
        return f"class {name_text(self.label)}, {self.held.shape[1]} boxes"

    def _select_first_rows(self, n_rows: int) -> BoxExplanation:
        return replace(self, box=self.box[:n_rows], held=self.held[:n_rows], asked=self.asked[:n_rows])

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Whether any box contains each row, of shape (n_rows,)."""
        return np.asarray(self.held.any(axis=1))

    def reasons(self, top: int = 3) -> list[list[tuple[str, bool]]]:
        """Return the conditions of the box of each row, and whether they are satisfied.

        Parameters
        ----------
        top : int, default=3
            Maximum number of conditions per row, at least 1.

        Returns
        -------
        list of list of (str, bool)
            For every row the conditions, each with True if the row satisfies it and False otherwise: first
            the conditions that the row does not satisfy, then those that it satisfies, both in the order of
            the features.
        """
        places = self._places(top)
        return [
            [(self._conditions[box][at], bool(asked[at] != _FAILED)) for at in best]
            for box, best, asked in zip(self.box.tolist(), places, self.asked, strict=True)
        ]

    def to_columns(self, top: int = 3) -> dict[str, NDArray[Any]]:
        """Return the columns of :meth:`to_frame` by name, without pandas.

        Parameters
        ----------
        top : int, default=3
            Maximum number of conditions per row, at least 1.

        Returns
        -------
        dict of str to ndarray of shape (n_rows,)
            ``inside``, whether a box contains the row; ``boxes``, the numbers of all boxes that contain the
            row, counted from 1 as in ``export_text``; ``box``, the number of the explained box, 0 if there
            are no boxes; and ``reason_1``, ``reason_2``, ... as text, None if there are fewer.
        """
        words = self._words(top)
        most = max(map(len, words), default=0)
        columns: dict[str, NDArray[Any]] = {
            "inside": self.inside,
            "boxes": np.array([self._numbers(row) for row in range(len(self.box))], dtype=object),
            "box": self.box + 1,
        }
        for rank in range(most):
            reasons = [best[rank] if rank < len(best) else None for best in words]
            columns[f"reason_{rank + 1}"] = np.array(reasons, dtype=object)
        return columns

    def to_text(self, top: int = 3) -> str:
        """Format the reasons as text, with a heading per row and a line per condition.

        Parameters
        ----------
        top : int, default=3
            Maximum number of conditions per row, at least 1.

        Returns
        -------
        str
            For each row, the boxes that contain it, or the nearest box, and the conditions of the explained
            box with the values of the row. Rows of a pandas table are named by the labels of its index, rows
            of other tables by their number, from 0.
        """
        lines = []
        for row, words in enumerate(self._words(top)):
            if self.inside[row]:
                several = "es" if self.held[row].sum() > 1 else ""
                where = f"{name_text(self.label)}, in box{several} {self._numbers(row)}"
            elif self.box[row] < 0:
                where = f"not {name_text(self.label)}: there are no boxes"
            else:
                where = f"not {name_text(self.label)}, in no box; nearest is box {self.box[row] + 1}"
            lines += [f"{self._row_heading(row)}: {where}", *(f"  {word}" for word in words)]
        return "".join(f"{line}\n" for line in lines)

    def _numbers(self, row: int) -> str:
        return ", ".join(str(number + 1) for number in np.flatnonzero(self.held[row]))

    def _places(self, top: int) -> list[list[int]]:
        """Return the features with a condition in the box of each row, failed conditions first."""
        top = validate_whole_number("top", top, 1)
        order = np.argsort(-self.asked.astype(np.int8), axis=1, kind="stable")[:, :top]
        rows = zip(order.tolist(), self.asked, strict=True)
        return [[at for at in best if asked[at] != 0] for best, asked in rows]

    def _words(self, top: int) -> list[list[str]]:
        """Format the conditions, with the value of each row."""
        words = []
        for row, (box, best) in enumerate(zip(self.box.tolist(), self._places(top), strict=True)):
            has = [self._rows.word(row, at) for at in best]
            signs = ["fails" if self.asked[row, at] == _FAILED else "holds" for at in best]
            conditions = [self._conditions[box][at] for at in best]
            words.append([f"{c} {s} ({h})" for c, s, h in zip(conditions, signs, has, strict=True)])
        return words


def format_box_conditions(boxes: list[dict[str, Any]], names: list[str]) -> list[dict[int, str]]:
    """Format the conditions of every box, by the position of their feature."""
    place = {name: at for at, name in enumerate(names)}
    return [
        {place[one["feature"]]: condition_text({"conditions": [one]}) for one in box["conditions"]}
        for box in boxes
    ]


name_package_in_errors(globals())
