"""Data that a command reads in chunks: several files, a folder, a glob, or one large file."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from numpy.typing import NDArray

from imbcore._cli.console import progress_bar_callback
from imbcore._cli.reading import text_format_from_options
from imbcore._cli.tables import open_csv_stdout_writer

if TYPE_CHECKING:
    from imbcore._validation.text_format import TextFormat
    from imbcore.streaming.readers.source import Source


pieces_option = click.option(
    "--batch-size",
    type=click.IntRange(1),
    metavar="N",
    help="Read N rows at a time, for tables larger than memory. Several files, a folder or a glob are always "
    "read in chunks.  [default for them: 131072]",
)


sample_option = click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help="For data read in chunks: fit to all rows of the positive class and a random sample of N rows of "
    "every other class; probabilities are corrected to refer to all rows.",
)


@dataclass(frozen=True)
class SourceLabels:
    """The distinct labels of a source, and its weight column."""

    y: NDArray[Any]
    weight: str | None


def reads_in_batches(data: tuple[str, ...], batch_size: int | None) -> bool:
    """Check whether data are read in chunks."""
    one = data[0]
    many = len(data) > 1 or os.path.isdir(one) or (glob.has_magic(one) and not os.path.exists(one))
    return many or batch_size is not None


def list_input_paths(data: tuple[str, ...]) -> list[str]:
    """List the files and folders that are read; no output may be one of them."""
    return [
        path for one in data for path in ([one] if os.path.exists(one) else glob.glob(one, recursive=True))
    ]


def open_training_source(
    data: tuple[str, ...],
    options: Mapping[str, Any],
    batch_size: int | None,
    callback: Callable[[str, int, int], object] | None,
    additional: Iterable[str | None] = (),
) -> tuple[Source, SourceLabels]:
    """Open a source for training and collect its labels.

    Parameters
    ----------
    data
        Files, folders, globs.
    options
        ``target``, ``weight``, ``drop`` and ``drop_unlabeled`` of the command.
    batch_size
        Rows per chunk.
    callback
        Progress callback.
    additional
        Columns that are read but are not features.
    """
    from imbcore.streaming.readers import CHUNK_ROWS, open_source

    if options["drop_unlabeled"]:
        raise click.UsageError("--drop-unlabeled needs all rows at once; give one file, without --batch-size")
    source = open_source(
        list(data),
        options["target"],
        drop=options["drop"],
        additional=[name for name in additional if name is not None],
        sample_weight=options["weight"],
        batch_size=batch_size or CHUNK_ROWS,
        callback=callback,
        text_format=text_format_from_options(options),
        nominal=options["nominal"],
    )
    found: set[Any] = set()
    for _, piece in source.batches([options["target"]]):
        found.update(piece[0].unique().to_pylist())
    return source, SourceLabels(np.array(sorted(found - {None}, key=str), dtype=object), options["weight"])


def write_batch_predictions(
    output: str,
    data: tuple[str, ...],
    model: Any,
    answers: Callable[[Any], Mapping[str, Any]],
    batch_size: int | None,
    text_format: TextFormat,
    keep: Sequence[str] = (),
) -> None:
    """Write the predictions for the rows of a source while they are read.

    Parameters
    ----------
    output
        Table to write; "-" is CSV to standard output.
    data
        Files, folders, globs.
    model
        Model whose features are read.
    answers
        Function that computes the output columns of a chunk.
    batch_size
        Rows per chunk.
    text_format
        Format of text files.
    keep
        Columns that are written before the predictions.
    """
    from imbcore._model.sourced import join_kept_columns, names_to_keep, open_feature_source
    from imbcore._validation.columns import decode_arrow_dictionary
    from imbcore._validation.table import table_writer
    from imbcore.streaming.readers import CHUNK_ROWS

    with progress_bar_callback() as callback:
        options: dict[str, Any] = {"batch_size": batch_size or CHUNK_ROWS, "callback": callback}
        options["text_format"] = text_format
        kept = names_to_keep(keep, model)
        source = open_feature_source(model, list(data), additional=kept, **options)
        writer = open_csv_stdout_writer() if output == "-" else table_writer(output)
        with writer as put, closing(source.batches([*source.features, *kept])) as pieces:
            for _, piece in pieces:
                columns = {name: decode_arrow_dictionary(piece[name]) for name in keep}
                put(join_kept_columns(columns, answers(piece.select(source.features))))
