"""A fit to all rows of a source, by the bins of its columns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.training import Coded, named_columns
from imbcore._coded.codes import CodeFile
from imbcore._drawn.asked import Asked
from imbcore._drawn.census import Counted, read_pieces
from imbcore._input.frame import BorderFrame, predict_frame
from imbcore._input.schema import Schema
from imbcore._sources.source import Source

__all__ = ["bordered", "coded", "fit", "levels_in", "n_narrow"]

# Levels of a nominal column that a byte holds beside missing values.
_MOST_LEVELS = 255


def fit(source: Source, asked: Asked) -> native.models.Model:
    """Fit a method that reads bins: a tree or forest with ``max_bins``, or boosted trees.

    There are two more readings, one into a file. ``OSError`` where there is no room on disk for it.
    """
    method, text, counted = asked.method, asked.text, asked.counted
    roles, schema = counted.roles, counted.schema
    with asked.parcels() as (training, options):
        nominal = [feature.levels is not None for feature in schema.features]
        binning = native.models.Binning(method, text, training, nominal)
        first = _Reading(counted, method)

        def see(piece: Any) -> None:
            rows = first.read(piece)
            if rows is not None:
                with named_columns(schema.names):
                    binning.see(rows.frame, rows.start, rows.weights, options)

        read_pieces(source, roles, roles.all, see)
        codes = first.class_codes()
        labels = replace(
            training, frame=[(codes, len(schema.classes))], codes=codes, sample_weight=first.all_weights()
        )
        binning.learn(method, text, labels, options)
        with CodeFile(len(codes), n_narrow(schema), sum(nominal)) as file:
            second = _Reading(counted, method)

            def write(piece: Any) -> None:
                rows = second.read(piece)
                if rows is not None:
                    in_bins = binning.code(rows.frame, rows.weights, options)
                    file.write(rows.start, in_bins, levels_in(rows.frame))

            read_pieces(source, roles, roles.all, write)
            training = replace(labels, frame=coded(schema, binning, *file.read()))
            return native.models.fit(method, text, training, (False, None, False), options)


def bordered(piece: Any, schema: Schema, who: str) -> BorderFrame:
    """Give the features of a piece the form of the border."""
    return predict_frame(piece.select(schema.names), schema, who, unseen="error")


def levels_in(frame: BorderFrame) -> list[NDArray[np.uint32]]:
    """List the level codes of the nominal columns."""
    return [column[0] for column in frame if isinstance(column, tuple)] if isinstance(frame, list) else []


def n_narrow(schema: Schema) -> int:
    """Count the bytes of a row in bins."""
    return sum(feature.levels is None or len(feature.levels) <= _MOST_LEVELS for feature in schema.features)


def coded(
    schema: Schema,
    binning: native.models.Binning,
    codes: NDArray[np.uint8],
    levels: list[NDArray[np.uint32]],
) -> Coded:
    """Join the codes of all rows with what they mean."""
    nominal = iter(levels)
    pairs = zip(schema.features, binning.edges(), strict=True)
    return Coded(codes, [edges or (next(nominal), len(feature.levels or ())) for feature, edges in pairs])


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows with weight of a batch: the number of the first among all of them, features, and weights."""

    start: int
    frame: BorderFrame
    weights: NDArray[np.float64] | None


@dataclass
class _Reading:
    """A reading of all columns, batch after batch; rows of weight 0 are left out."""

    counted: Counted
    who: str
    first: int = 0
    weights: list[NDArray[np.float64]] = field(default_factory=list)

    def read(self, piece: Any) -> _Rows | None:
        """Take the next batch; None if none of its rows has weight."""
        roles = self.counted.roles
        every = roles.weights_of(piece)
        if every is not None:
            self.weights.append(every)
        kept, weights = roles.weighing(piece)
        if not len(kept):
            return None
        start, self.first = self.first, self.first + len(kept)
        return _Rows(start, bordered(kept, self.counted.schema, self.who), weights)

    def all_weights(self) -> NDArray[np.float64] | None:
        """Join the weights of all rows that have any."""
        if not self.weights:
            return None
        weights = np.concatenate(self.weights)
        return weights[weights > 0]

    def class_codes(self) -> NDArray[np.uint32]:
        """Class codes of all rows with weight."""
        codes = self.counted.codes.astype(np.uint32)
        return codes[np.concatenate(self.weights) > 0] if self.weights else codes
