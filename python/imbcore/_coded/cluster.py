"""A fit by bins whose rows lie in parts: what is done to each part, what joins them, and the trees.

Each function is one of what it is given alone, so that a scheduler may call it anywhere, and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.options import Options
from imbcore._border.training import Coded, Training, named_columns
from imbcore._coded.fit import bordered, coded, levels_in, n_narrow
from imbcore._drawn.census import Roles
from imbcore._drawn.gather import at_home, codes_in, n_bytes, trained_at_home
from imbcore._input.schema import Schema

__all__ = ["CodedPart", "CodedPlan", "CodedRows", "Parts", "SketchedPart"]

# What is known of the columns, as it travels.
Parts = tuple[int, list[Any], list[Any] | None]


@dataclass(frozen=True)
class SketchedPart:
    """Of a part of the rows: what bins are made of, class codes, and weights."""

    binning: Parts
    codes: NDArray[np.uint32]
    weights: NDArray[np.float64] | None

    def __sizeof__(self) -> int:
        """Count the bytes of the arrays."""
        return n_bytes((self.binning, self.codes, self.weights))


@dataclass(frozen=True)
class CodedPart:
    """Of a part of the rows: codes of the bins, codes of the levels, and the values met in each bin."""

    codes: NDArray[np.uint8]
    levels: list[NDArray[np.uint32]]
    binning: Parts

    def __sizeof__(self) -> int:
        """Count the bytes of the arrays."""
        return n_bytes((self.codes, self.levels, self.binning))


@dataclass(frozen=True)
class CodedRows:
    """All rows in bins, their class codes and weights."""

    frame: Coded
    codes: NDArray[np.uint32]
    weights: NDArray[np.float64] | None

    def __sizeof__(self) -> int:
        """Count the bytes of the arrays."""
        return n_bytes((self.frame.codes, self.frame.columns, self.codes, self.weights))


@dataclass(frozen=True)
class CodedPlan:
    """A fit by bins: everything but the rows."""

    method: str
    parameters: str
    training: Training
    options: Options
    roles: Roles
    schema: Schema

    @property
    def _given(self) -> Training:
        """What is said of the rows, where it lies as the native module reads it."""
        return trained_at_home(self.training)

    def fresh(self) -> native.models.Binning:
        """Begin without a row."""
        nominal = [feature.levels is not None for feature in self.schema.features]
        return native.models.Binning(self.method, self.parameters, self._given, nominal)

    def sketched(self, piece: Any, first: int) -> SketchedPart:
        """Keep of a part of the rows what bins are made of; ``first`` is the number of its first row."""
        own = self.fresh()
        piece, weights = self.roles.weighing(piece)
        if len(piece):
            with named_columns(self.schema.names):
                own.see(bordered(piece, self.schema, self.method), first, weights, self.options)
        return SketchedPart(own.parts(), self._class_codes(piece), weights)

    def _class_codes(self, piece: Any) -> NDArray[np.uint32]:
        return codes_in(piece[self.roles.target], self.schema.classes, self.method)

    def merged(self, parts: Sequence[SketchedPart]) -> SketchedPart:
        """Join what is kept of parts that lie behind each other."""
        binning = self.fresh()
        for part in parts:
            binning.join(_binning(part.binning))
        codes = np.concatenate([part.codes for part in parts])
        weights = [part.weights for part in parts if part.weights is not None]
        return SketchedPart(binning.parts(), codes, np.concatenate(weights) if weights else None)

    def learnt(self, whole: SketchedPart) -> SketchedPart:
        """Make the bins of all rows."""
        binning = _binning(whole.binning)
        codes, weights = at_home((whole.codes, whole.weights))
        labels = replace(
            self._given, frame=[(codes, len(self.schema.classes))], codes=codes, sample_weight=weights
        )
        binning.learn(self.method, self.parameters, labels, self.options)
        return SketchedPart(binning.parts(), codes, weights)

    def coded(self, piece: Any, bins: Parts) -> CodedPart:
        """Turn a part of the rows into codes."""
        own = _binning(bins)
        piece, weights = self.roles.weighing(piece)
        if not len(piece):
            nominal = [feature for feature in self.schema.features if feature.levels is not None]
            none = [np.empty(0, dtype=np.uint32) for _ in nominal]
            return CodedPart(np.empty((0, n_narrow(self.schema)), dtype=np.uint8), none, own.parts())
        frame = bordered(piece, self.schema, self.method)
        codes = own.code(frame, weights, self.options)
        return CodedPart(codes, levels_in(frame), own.parts())

    def joined(self, parts: Sequence[CodedPart], learnt: SketchedPart) -> CodedRows:
        """Join the codes of all rows."""
        binning = _binning(learnt.binning)
        for part in parts:
            binning.join(_binning(part.binning))
        levels = [np.concatenate(columns) for columns in zip(*(part.levels for part in parts), strict=True)]
        codes = np.concatenate([part.codes for part in parts])
        return CodedRows(coded(self.schema, binning, codes, levels), learnt.codes, learnt.weights)

    def grown(self, rows: CodedRows, trees: tuple[int, int] | None) -> bytes:
        """Fit the model, or the trees of these numbers."""
        parts = (rows.frame.codes, rows.frame.columns, rows.codes, rows.weights)
        in_bins, columns, codes, weights = at_home(parts)
        frame = Coded(in_bins, columns)
        training = replace(self._given, frame=frame, codes=codes, sample_weight=weights)
        door = (False, None, trees or False)
        return native.models.fit(self.method, self.parameters, training, door, self.options).to_bytes()


def _binning(parts: Parts) -> native.models.Binning:
    return native.models.Binning.of_parts(*parts)
