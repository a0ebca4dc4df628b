"""A fit to all rows of a source, by the bins of its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.parameters import for_rows, params_text
from imbcore._border.training import Coded, named_columns, parcels
from imbcore._coded.codes import CodeFile
from imbcore._drawn.census import Counted, read_pieces
from imbcore._input.frame import BorderFrame, predict_frame
from imbcore._input.labels import Target
from imbcore._input.schema import Schema
from imbcore._sources.source import Source

__all__ = ["bordered", "coded", "fit", "levels_in", "n_narrow", "stand_in"]

# Levels of a nominal column that a byte holds beside missing values.
_MOST_LEVELS = 255


def fit(
    source: Source,
    method: str,
    parameters: Mapping[str, Any],
    given: Mapping[str, Any],
    counted: Counted,
) -> native.models.Model:
    """Fit a method that reads bins to a source whose target was read: two more readings, one into a file.

    Parameters
    ----------
    source : Source
        Rows with a target.
    method : str
        A tree or forest with ``max_bins``, or boosted trees.
    parameters, given : mappings
        Parameters of the method, and options of all methods.
    counted : Counted
        What the first reading brought.

    Returns
    -------
    native model
        Byte for byte that of all rows in memory.

    Raises
    ------
    UnsupportedError
        The method reads more of numbers than bins, or an option needs rows that are not kept.
    OSError
        There is no room on disk for the codes.
    """
    roles, schema = counted.roles, counted.schema
    text = params_text(method, for_rows(method, parameters, source.n_rows))
    with parcels(method, *stand_in(counted, given)) as (training, options):
        nominal = [feature.levels is not None for feature in schema.features]
        binning = native.models.Binning(method, text, training, nominal)
        first = _Reading(counted, method)

        def see(piece: Any) -> None:
            start, frame, weights = first.read(piece)
            with named_columns(schema.names):
                binning.see(frame, start, weights, options)

        read_pieces(source, roles, roles.all, see)
        codes = counted.codes.astype(np.uint32)
        labels = replace(
            training, frame=[(codes, len(schema.classes))], codes=codes, sample_weight=first.all_weights()
        )
        binning.learn(method, text, labels, options)
        with CodeFile(source.n_rows, n_narrow(schema), sum(nominal)) as file:
            second = _Reading(counted, method)

            def write(piece: Any) -> None:
                start, frame, weights = second.read(piece)
                file.write(start, binning.code(frame, weights, options), levels_in(frame))

            read_pieces(source, roles, roles.all, write)
            rows = replace(labels, frame=coded(schema, binning, *file.read()))
            return native.models.fit(method, text, rows, (False, None, False), options)


def stand_in(
    counted: Counted, given: Mapping[str, Any]
) -> tuple[BorderFrame, Target, Schema, dict[str, Any]]:
    """Let a row for every class stand for the rows of the class: what :func:`parcels` takes."""
    codes = np.arange(len(counted.facts), dtype=np.uint32)
    masses = np.array([facts[2] for facts in counted.facts])
    target = Target(codes, counted.schema.classes, False)
    return [(codes, len(codes))], target, counted.schema, {**given, "sample_weight": masses}


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


@dataclass
class _Reading:
    """A reading of all columns, piece after piece."""

    counted: Counted
    who: str
    first: int = 0
    weights: list[NDArray[np.float64]] = field(default_factory=list)

    def read(self, piece: Any) -> tuple[int, BorderFrame, NDArray[np.float64] | None]:
        """Take the next piece: the number of its first row, its features, and its weights."""
        start, self.first = self.first, self.first + len(piece)
        weights = self.counted.roles.weights_of(piece)
        if weights is not None:
            self.weights.append(weights)
        return start, bordered(piece, self.counted.schema, self.who), weights

    def all_weights(self) -> NDArray[np.float64] | None:
        """Join the weights of all rows."""
        return np.concatenate(self.weights) if self.weights else None
