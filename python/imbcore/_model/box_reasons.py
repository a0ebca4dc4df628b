"""Why a row is in a box, or in none."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._input.values import whole_number
from imbcore._model.explanation import Cells, Reasons
from imbcore._model.rules import condition_text, label_text

__all__ = ["BoxExplanation", "conditions_of"]

# What a box asks of a feature that a row has not.
_FAILED = 2


@dataclass(frozen=True, repr=False)
class BoxExplanation(Reasons):
    """The boxes that hold every row; of a row in none, what keeps it out of the nearest.

    A row is in a box or not, so features add nothing up: the reasons are the conditions of one box.

    Attributes
    ----------
    box : ndarray of shape (n_rows,)
        Position in ``boxes()`` of the first box that holds the row. Where none does that of the nearest: it
        has the fewest conditions that fail, of those the smallest gap (the sum of shares of the training
        range; a level that is not allowed, or a missing value, counts 1), and of those is the first. -1 where
        there are no boxes.
    held : ndarray of shape (n_rows, n_boxes)
        Whether each box holds each row.
    asked : ndarray of shape (n_rows, n_features)
        What ``box`` asks of every feature: 0 nothing, 1 what the row has, 2 what it has not.
    label : label
        The class that the boxes describe.
    """

    box: NDArray[np.int64]
    held: NDArray[np.bool_]
    asked: NDArray[np.uint8]
    label: Any
    _conditions: list[dict[int, str]] = field(repr=False, compare=False)
    _rows: Cells = field(repr=False, compare=False)

    @property
    def _n_rows(self) -> int:
        return len(self.box)

    @property
    def _about(self) -> str:
        return f"class {label_text(self.label)}, {self.held.shape[1]} boxes"

    def _first(self, n_rows: int) -> BoxExplanation:
        return replace(self, box=self.box[:n_rows], held=self.held[:n_rows], asked=self.asked[:n_rows])

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Whether some box holds each row, of shape (n_rows,)."""
        inside: NDArray[np.bool_] = np.asarray(self.held.any(axis=1))
        return inside

    def reasons(self, top: int = 3) -> list[list[tuple[str, bool]]]:
        """Conditions of the box of each row, and whether they hold.

        Parameters
        ----------
        top : int, default=3
            How many conditions a row, at least 1.

        Returns
        -------
        list of list of (str, bool)
            For every row those that fail first, then those that hold, both in the order of the features.
        """
        places = self._places(top)
        return [
            [(self._conditions[box][at], bool(asked[at] != _FAILED)) for at in best]
            for box, best, asked in zip(self.box.tolist(), places, self.asked, strict=True)
        ]

    def to_columns(self, top: int = 3) -> dict[str, NDArray[Any]]:
        """Columns of :meth:`to_frame` by name, without pandas.

        Parameters
        ----------
        top : int, default=3
            How many conditions a row, at least 1.

        Returns
        -------
        dict of str to ndarray of shape (n_rows,)
            ``inside``, whether a box holds the row; ``boxes``, the numbers of all that do, counted from 1 as
            in ``export_text``; ``box``, the number of the one that is spoken of; and ``reason_1``,
            ``reason_2``, ... in words, None where there are fewer.
        """
        words = self._words(top)
        most = max(map(len, words), default=0)
        columns: dict[str, NDArray[Any]] = {
            "inside": self.inside,
            "boxes": np.array([self._numbers(row) for row in range(len(self.box))], dtype=object),
            "box": self.box + 1,
        }
        for rank in range(most):
            said = [best[rank] if rank < len(best) else None for best in words]
            columns[f"reason_{rank + 1}"] = np.array(said, dtype=object)
        return columns

    def to_text(self, top: int = 3) -> str:
        """Write the reasons in words, a heading a row and a line a condition.

        Parameters
        ----------
        top : int, default=3
            How many conditions a row, at least 1.

        Returns
        -------
        str
            The boxes that hold each row, or the nearest, and its conditions beside what the row has.
        """
        lines = []
        for row, words in enumerate(self._words(top)):
            if self.inside[row]:
                several = "es" if self.held[row].sum() > 1 else ""
                where = f"{label_text(self.label)}, in box{several} {self._numbers(row)}"
            elif self.box[row] < 0:
                where = f"not {label_text(self.label)}: there are no boxes"
            else:
                where = f"not {label_text(self.label)}, in no box; nearest is box {self.box[row] + 1}"
            lines += [f"row {row}: {where}", *(f"  {word}" for word in words)]
        return "".join(f"{line}\n" for line in lines)

    def _numbers(self, row: int) -> str:
        return ", ".join(str(number + 1) for number in np.flatnonzero(self.held[row]))

    def _places(self, top: int) -> list[list[int]]:
        """Features that the box of each row asks for, those that it asks in vain first."""
        top = whole_number("top", top, 1)
        order = np.argsort(-self.asked.astype(np.int8), axis=1, kind="stable")[:, :top]
        rows = zip(order.tolist(), self.asked, strict=True)
        return [[at for at in best if asked[at] != 0] for best, asked in rows]

    def _words(self, top: int) -> list[list[str]]:
        """Conditions in words, with what each row has."""
        words = []
        for row, (box, best) in enumerate(zip(self.box.tolist(), self._places(top), strict=True)):
            has = [self._rows.word(row, at) for at in best]
            signs = ["fails" if self.asked[row, at] == _FAILED else "holds" for at in best]
            conditions = [self._conditions[box][at] for at in best]
            words.append([f"{c} {s} ({h})" for c, s, h in zip(conditions, signs, has, strict=True)])
        return words


def conditions_of(boxes: list[dict[str, Any]], names: list[str]) -> list[dict[int, str]]:
    """Conditions of every box in words, by the position of their feature."""
    place = {name: at for at, name in enumerate(names)}
    return [
        {place[one["feature"]]: condition_text({"conditions": [one]}) for one in box["conditions"]}
        for box in boxes
    ]
