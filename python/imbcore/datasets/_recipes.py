"""Conversion of published data files to canonical CSV text.

A recipe (part of the catalogue) is a dict with ``format`` and optionally

- ``drop``: positions of source columns to leave out;
- ``label``: position of the label (default: the last column);
- ``positive`` or ``negative``: labels of one class of a binary set, all others being the other class;
- ``classes``: new names of labels; ``keep``: labels whose rows are kept;
- ``missing``: texts of a missing value; ``skip``: number of lines before the data;
- ``lfs``: SHA-256 sum of the source file, which its repository keeps in Git's large file storage;
- ``delimiter``; ``shortest``: whether numbers are rewritten as the shortest exact text.

The canonical form: features in source order, then ``target``; comma separated, line feeds at line ends, an
empty field for a missing value, numbers with the digits of the source.
"""

from __future__ import annotations

import csv
import gzip
import importlib
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from imbcore._validation.table import number_text
from imbcore.datasets._catalogue import SetInfo
from imbcore.exceptions import DataError, ImbcoreError

Record = Sequence[str]

# Far above any source file; prevents a file that decompresses to much more from filling the memory.
_MOST_BYTES = 1_000_000_000


def to_canonical_csv(entry: SetInfo, files: Sequence[bytes]) -> str:
    """Convert the source files of ``entry``, in order, to the canonical CSV text.

    Raises
    ------
    DataError
        A file does not match the recipe, or needs a package that is not installed.
    """
    recipe = entry.recipe
    parse = _PARSERS[recipe["format"]]
    try:
        records = [record for file in files for record in parse(_decompress_gzip(file), recipe)]
        return _format_csv(entry, _apply_recipe(records, recipe))
    except (ImbcoreError, ImportError, MemoryError):
        raise
    except Exception as error:  # each format has its own reader with its own exceptions
        raise DataError(
            f"the source of data set {entry.name!r} ({entry.source}) is not in the expected form: {error}; "
            f"try again later, or put {entry.name}.csv.gz into the folder IMBCORE_DATA names"
        ) from error


def _apply_recipe(records: Iterable[Record], recipe: dict[str, Any]) -> Iterator[list[str]]:
    """Apply the recipe to parsed records; yields the features, then the target."""
    keep, missing = recipe.get("keep"), recipe.get("missing", [])
    for record in records:
        at = recipe.get("label", -1) % len(record)
        label = record[at]
        if keep is not None and label not in keep:
            continue
        left_out = {at, *(column % len(record) for column in recipe.get("drop", []))}
        fields = [value for column, value in enumerate(record) if column not in left_out]
        row = ["" if value in missing else value for value in fields]
        if recipe.get("shortest"):
            row = [number_text(float(value)) for value in row]
        yield [*row, _target_from_label(label, recipe)]


def _target_from_label(label: str, recipe: dict[str, Any]) -> str:
    if "positive" in recipe:
        return "1" if label in recipe["positive"] else "0"
    if "negative" in recipe:
        return "0" if label in recipe["negative"] else "1"
    return str(recipe.get("classes", {}).get(label, label))


def _format_csv(entry: SetInfo, rows: Iterable[list[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*entry.columns, "target"])
    n_rows = 0
    for row in rows:
        n_rows += 1
        if len(row) != entry.features + 1:
            raise ValueError(f"a record has {len(row)} values, expected {entry.features + 1}")
        writer.writerow(row)
    if not n_rows:
        raise ValueError("it has no rows")
    return text.getvalue()


def _decompress_gzip(file: bytes) -> bytes:
    if not file.startswith(b"\x1f\x8b"):
        return file
    with gzip.open(io.BytesIO(file)) as packed:
        unpacked = packed.read(_MOST_BYTES + 1)
    if len(unpacked) > _MOST_BYTES:
        raise ValueError(f"it unpacks to more than {_MOST_BYTES:,} bytes")
    return unpacked


def _decode_lines(file: bytes) -> list[str]:
    return file.decode("utf-8").splitlines()


def _parse_delimited(file: bytes, recipe: dict[str, Any]) -> Iterator[Record]:
    """Comma-separated or similar text; spaces and single quotes around a value are removed."""
    lines = _decode_lines(file)[recipe.get("skip", 0) :]
    for record in csv.reader(lines, delimiter=recipe.get("delimiter", ","), skipinitialspace=True):
        if record:
            yield [value.strip().strip("'") for value in record]


def _parse_keel(file: bytes, recipe: dict[str, Any]) -> Iterator[Record]:
    """KEEL's ``.dat`` format: ``@`` lines, then comma-separated data."""
    lines = [line for line in _decode_lines(file) if not line.startswith("@")]
    return _parse_delimited("\n".join(lines).encode(), recipe)


def _parse_arff(file: bytes, recipe: dict[str, Any]) -> Iterator[Record]:
    """Dense ARFF: the lines after ``@data``; values with spaces are in single quotes."""
    lines = _decode_lines(file)
    start = next((at for at, line in enumerate(lines) if line.strip().lower() == "@data"), None)
    if start is None:
        raise ValueError("it is not an ARFF file: there is no line '@data'")
    data = [line for line in lines[start + 1 :] if line.strip() and not line.startswith("%")]
    for record in csv.reader(data, quotechar="'", skipinitialspace=True):
        yield [value.strip() for value in record]


def _parse_whitespace_separated(file: bytes, recipe: dict[str, Any]) -> Iterator[Record]:
    return (line.split() for line in _decode_lines(file) if line.strip())


def _parse_libsvm(file: bytes, recipe: dict[str, Any]) -> Iterator[Record]:
    """``label 1:value 2:value ...`` with every feature present."""
    return (re.sub(r"\d+:", "", line).split() for line in _decode_lines(file) if line.strip())


def _parse_npz(file: bytes, recipe: dict[str, Any]) -> Iterator[Record]:
    """NumPy arrays ``X`` and ``y``."""
    import numpy as np

    with zipfile.ZipFile(io.BytesIO(file)) as packed:
        if sum(member.file_size for member in packed.infolist()) > _MOST_BYTES:
            raise ValueError(f"it unpacks to more than {_MOST_BYTES:,} bytes")
    with np.load(io.BytesIO(file), allow_pickle=False) as arrays:
        for row, label in zip(arrays["X"].tolist(), arrays["y"].tolist(), strict=True):
            yield [*(number_text(float(value)) for value in row), str(int(label))]


def _parse_mat(file: bytes, recipe: dict[str, Any]) -> Iterator[Record]:
    """MATLAB matrices, one per class; ``blocks`` lists them with their labels."""
    arrays = _import_required("scipy.io", "scipy").loadmat(io.BytesIO(file))
    for name, label in recipe["blocks"]:
        for row in arrays[name].tolist():
            yield [*(number_text(float(value)) for value in row), label]


def _parse_rda(file: bytes, recipe: dict[str, Any]) -> Iterator[Record]:
    """Read an R data frame; ``object`` is its name."""
    frame = _import_required("rdata", "rdata").read_rda(io.BytesIO(file))[recipe["object"]]
    for row in frame.itertuples(index=False, name=None):
        yield [value if isinstance(value, str) else number_text(float(value)) for value in row]


def _import_required(module: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise DataError(
            f"the source file of this data set needs the package {package}: pip install {package}; "
            "or put the converted CSV file into IMBCORE_DATA"
        ) from error


_PARSERS: dict[str, Callable[[bytes, dict[str, Any]], Iterator[Record]]] = {
    "delimited": _parse_delimited,
    "keel": _parse_keel,
    "arff": _parse_arff,
    "words": _parse_whitespace_separated,
    "libsvm": _parse_libsvm,
    "npz": _parse_npz,
    "mat": _parse_mat,
    "rda": _parse_rda,
}


def canonical_from_sklearn(entry: SetInfo) -> str:
    """Convert a set included in scikit-learn to canonical CSV text."""
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, entry.recipe["loader"])()
    labels = (str(int(label)) for label in bunch.target.tolist())
    rows = zip(bunch.data.tolist(), labels, strict=True)
    return _format_csv(
        entry, ([*map(number_text, row), _target_from_label(label, entry.recipe)] for row, label in rows)
    )
