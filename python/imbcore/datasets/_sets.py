"""Data sets of the literature: located or downloaded, verified, and read."""

from __future__ import annotations

import gzip
import hashlib
import os
import tempfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings.table import read_table
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.columns import Nominal
from imbcore._validation.files import atomic_write
from imbcore._validation.table import Table
from imbcore.datasets._catalogue import PAPERS, SetInfo, catalogue, find_data_set
from imbcore.datasets._fetch import cache_folder, download
from imbcore.datasets._recipes import canonical_from_sklearn, to_canonical_csv
from imbcore.exceptions import DataError

Progress = Callable[[str, int, int], object]


@dataclass(frozen=True)
class Dataset:
    """A data set in memory.

    Parameters
    ----------
    name : str
    X : Table
        The features; accepted as ``X`` everywhere in imbcore.
    y : ndarray of shape (n_rows,)
        For two classes: int64, 1 for the positive class and 0 for the other class. For more than two classes:
        names of the classes.
    positive_class : str
        Meaning of class 1; empty for more than two classes.
    description, source, license : str
    papers : tuple of str
        The papers that use the set.
    """

    name: str
    X: Table
    y: NDArray[Any]
    positive_class: str
    description: str
    source: str
    license: str
    papers: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Dataset {self.name}: {', '.join(f'{value} {what}' for what, value in self._properties())}>"

    def _repr_html_(self) -> str:
        """Show size, classes and source in a notebook."""
        facts = [*self._properties(), ("source", self.source), ("license", self.license)]
        rows = "".join(
            f'<tr><th scope="row">{escape(what)}</th><td>{escape(value)}</td></tr>'
            for what, value in facts
            if value
        )
        caption = escape(f"{self.name}: {self.description}")
        return f"<table><caption>{caption}</caption><tbody>{rows}</tbody></table>"

    def _properties(self) -> list[tuple[str, str]]:
        """List names and values of the main properties of the data set."""
        columns = list(self.X.columns.values())
        n_nominal = sum(isinstance(column, Nominal) for column in columns)
        found = [
            ("rows", f"{len(self.y):,}"),
            ("columns", f"{len(columns):,}"),
            ("of them nominal", f"{n_nominal:,}"),
        ]
        if not self.positive_class:
            return [*found, ("classes", f"{len(np.unique(self.y)):,}")]
        n_positive = int(np.sum(self.y == 1))
        share = 100 * n_positive / max(len(self.y), 1)
        return [*found, (f"positives ({self.positive_class})", f"{n_positive:,} ({share:.3g} %)")]

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame`` of features and ``target``; nominal columns are categorical.

        For features only use ``X.to_pandas()``, for labels only ``y``.
        """
        return self.X.to_pandas().assign(target=self.y)


def names() -> list[str]:
    """List the names that ``load`` accepts, sorted.

    Examples
    --------
    >>> from imbcore import datasets
    >>> "yeast4" in datasets.names()
    True
    """
    return sorted(catalogue())


def info(name: str) -> SetInfo:
    """Return the catalogue entry of a data set, without loading it.

    Raises
    ------
    ParameterError
        There is no data set of this name.

    Examples
    --------
    >>> from imbcore import datasets
    >>> datasets.info("yeast4").class_counts
    {'0': 1433, '1': 51}
    """
    return find_data_set(name)


def listing() -> str:
    """Return a table of all data sets: name, rows, features, classes, imbalance ratio, papers.

    The column ``offline`` marks the sets that scikit-learn includes.
    """
    lines = [f"{'name':20} {'rows':>7} {'features':>8} {'classes':>7} {'ratio':>8}  offline  papers"]
    for entry in map(find_data_set, names()):
        papers = ", ".join(map(str, entry.papers)) or "-"
        lines.append(
            f"{entry.name:20} {entry.rows:7} {entry.features:8} {len(entry.class_counts):7} "
            f"{entry.imbalance_ratio:8.2f}  {'yes' if entry.bundled else 'no':7}  {papers}"
        )
    return "\n".join(lines)


def load(
    name: str,
    *,
    folder: str | os.PathLike[str] | None = None,
    download: bool = True,
    cache: str | os.PathLike[str] | None = None,
    callback: Progress | None = None,
) -> Dataset:
    """Load a data set.

    Parameters
    ----------
    name : str
        One of ``names()``.
    folder : path-like or None, default=None
        Folder that is searched first for ``<name>.csv.gz`` or ``<name>.csv``, also in its subfolder ``real``.
    download : bool, default=True
        Whether the set may be downloaded if it is neither in ``folder``, nor in the folder of the environment
        variable IMBCORE_DATA, nor in ``cache``.
    cache : path-like or None, default=None
        Folder for downloaded sets. None: the folder in the environment variable IMBCORE_CACHE
        or, if the variable is not set, the user's cache folder.
    callback : callable or None, default=None
        Called as ``callback("bytes", done, total)`` while a file is downloaded or read.

    Returns
    -------
    Dataset

    Raises
    ------
    ParameterError
        There is no data set of this name.
    DataError
        A file differs from the published one, the public source cannot be converted, or imbcore cannot
        download the set.
    ConnectionError
        The public source could not be reached.
    FileNotFoundError
        The set is in none of the folders and not in scikit-learn, and ``download`` is False; or ``folder``
        does not exist.

    Examples
    --------
    >>> from imbcore import datasets
    >>> data = datasets.load("breast")
    >>> data.X.n_rows, int(data.y.sum())
    (569, 212)
    """
    entry = find_data_set(name)
    if folder is not None and not Path(folder).is_dir():
        raise FileNotFoundError(f"{os.fspath(folder)}: there is no such folder")
    kept = Path(cache) if cache is not None else cache_folder()
    own = os.environ.get("IMBCORE_DATA")
    for place in [folder, Path(own).expanduser() if own else None, kept]:
        for path in _candidate_paths(place, entry.name):
            if path.is_file():
                return _read_dataset_file(entry, path, callback)
    if entry.bundled:
        return _dataset_from_text(entry, canonical_from_sklearn(entry), f"scikit-learn's {entry.source_file}")
    if not download:
        raise FileNotFoundError(
            f"data set {name!r}: {name}.csv.gz is neither in the given folder, nor in IMBCORE_DATA, "
            f"nor in {kept}; allow the download or put the file there"
        )
    text = _download_canonical_csv(entry, callback)
    kept.mkdir(parents=True, exist_ok=True)
    path = kept / f"{entry.name}.csv.gz"
    with atomic_write(path) as file:
        file.write(gzip.compress(text.encode(), mtime=0))
    return _read_dataset_file(entry, path, callback)


def _candidate_paths(place: str | os.PathLike[str] | None, name: str) -> Iterator[Path]:
    if place is not None:
        for folder in (Path(place), Path(place) / "real"):
            yield folder / f"{name}.csv.gz"
            yield folder / f"{name}.csv"


def _download_canonical_csv(entry: SetInfo, callback: Progress | None) -> str:
    """Download and convert a set; only text with the expected sum is returned."""
    if entry.recipe["format"] == "folder":
        raise DataError(
            f"data set {entry.name!r} cannot be fetched: {entry.recipe['why']}; "
            f"put {entry.name}.csv.gz into the folder IMBCORE_DATA names"
        )
    sources = entry.recipe.get("files", [entry.source_file])
    sum_of_source = entry.recipe.get("lfs")
    large = sum_of_source is not None
    files = [
        download(entry.source_repository, entry.source_commit, file, callback, large=large)
        for file in sources
    ]
    if large and hashlib.sha256(files[0]).hexdigest() != sum_of_source:
        raise DataError(
            f"data set {entry.name!r} from {entry.source} is not the published one: the SHA-256 sum of the "
            f"file is {hashlib.sha256(files[0]).hexdigest()}, expected {sum_of_source}; fetch it again"
        )
    text = to_canonical_csv(entry, files)
    _verify_checksum(entry, hashlib.sha256(text.encode()).hexdigest(), entry.source)
    return text


def _dataset_from_text(entry: SetInfo, text: str, origin: str) -> Dataset:
    _verify_checksum(entry, hashlib.sha256(text.encode()).hexdigest(), origin)
    with tempfile.TemporaryDirectory(prefix="imbcore-") as folder:
        path = Path(folder) / f"{entry.name}.csv"
        path.write_bytes(text.encode())
        return _read_dataset_file(entry, path, None)


def _read_dataset_file(entry: SetInfo, path: Path, callback: Progress | None) -> Dataset:
    """Read a canonical CSV file after checking its SHA-256 sum."""
    _verify_checksum(entry, _text_checksum(path), str(path))
    two = entry.task == "binary"
    numeric = [column for column in entry.columns if column not in entry.nominal]
    table = read_table(
        path,
        separator=",",
        decimal=".",
        missing=[""],
        text=[*entry.nominal] if two else [*entry.nominal, "target"],
        numeric=[*numeric, "target"] if two else numeric,
        callback=callback,
    )
    labels = _labels_from_table(table)
    if not entry.sha256_csv:
        _check_counts(entry, labels, str(path))
    return Dataset(
        name=entry.name,
        X=table.drop("target"),
        y=labels,
        positive_class=entry.positive_class,
        description=_describe_data_set(entry),
        source=entry.source,
        license=entry.license,
        papers=tuple(PAPERS[paper] for paper in entry.papers),
    )


def _labels_from_table(table: Table) -> NDArray[Any]:
    target = table["target"]
    if isinstance(target, Nominal):
        return np.asarray(target.levels)[target.codes]
    return target.astype(np.int64)


def _text_checksum(path: Path) -> str:
    """Compute the SHA-256 sum of the decompressed text of a file."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    try:
        with gzip.open(path) if packed else open(path, "rb") as stream:
            while piece := stream.read(1 << 20):
                digest.update(piece)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(
            f"{path}: the gzip file is damaged ({error}); remove it and fetch it again"
        ) from error
    return digest.hexdigest()


def _verify_checksum(entry: SetInfo, found: str, origin: str) -> None:
    if entry.sha256_csv and found != entry.sha256_csv:
        raise DataError(
            f"data set {entry.name!r} from {origin} is not the published one: the SHA-256 sum of its CSV "
            f"text is {found}, expected {entry.sha256_csv}; remove the file and fetch it again"
        )


def _check_counts(entry: SetInfo, labels: NDArray[Any], origin: str) -> None:
    """Compare the class counts with the catalogue, for a set whose CSV text has no known sum."""
    values, counts = np.unique(labels.astype(str), return_counts=True)
    found = dict(zip(values.tolist(), counts.tolist(), strict=True))
    if found != entry.class_counts:
        raise DataError(
            f"data set {entry.name!r} from {origin} is not the published one: its rows by class are {found}, "
            f"expected {entry.class_counts}; remove the file and fetch it again"
        )


def _describe_data_set(entry: SetInfo) -> str:
    counts = ", ".join(f"{label}: {rows}" for label, rows in entry.class_counts.items())
    size = f"{entry.rows} rows, {entry.features} features ({len(entry.nominal)} nominal)"
    parts = [f"{entry.original_source}. {size}; rows by class {counts}."]
    if entry.positive_class:
        parts.append(f"Positive class: {entry.positive_class}.")
    if entry.note:
        parts.append(f"Note: {entry.note}.")
    return " ".join(parts)


name_package_in_errors(globals())
