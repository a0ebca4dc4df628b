"""The data sets of the imbalanced-learning literature, by name.

The files are no part of imbcore. A set is looked for in ``folder``, in the folder IMBCORE_DATA names, and in
the cache; failing these it is fetched from its public source and converted. Whatever the way, the SHA-256 sum
of its CSV text has to match the catalogue's. The sets that scikit-learn brings need no file and no network.
:func:`make_four_gaussians`, :func:`make_disjunct_grid` and :func:`make_shape` draw data.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.options import resolve_seed
from imbcore._border.table import read_table
from imbcore._input.columns import Nominal
from imbcore._input.files import atomic_write
from imbcore._input.table import Table
from imbcore._input.values import whole_number
from imbcore.datasets._catalogue import PAPERS, SetInfo, catalogue, find
from imbcore.datasets._fetch import cache_folder, download
from imbcore.datasets._recipes import canonical, canonical_from_sklearn
from imbcore.exceptions import DataError, ParameterError

__all__ = [
    "Dataset",
    "SetInfo",
    "info",
    "listing",
    "load",
    "make_disjunct_grid",
    "make_four_gaussians",
    "make_shape",
    "names",
]

Progress = Callable[[str, int, int], object]


@dataclass(frozen=True)
class Dataset:
    """A data set in memory.

    Parameters
    ----------
    name : str
    X : Table
        The features; accepted wherever imbcore takes ``X``.
    y : ndarray of shape (n_rows,)
        Two classes: int64, 1 for the positive class and 0 for the rest. More classes: their names.
    positive_class : str
        What class 1 means; empty for more than two classes.
    description, source, licence : str
    papers : tuple of str
        The papers that use the set.
    """

    name: str
    X: Table
    y: NDArray[Any]
    positive_class: str
    description: str
    source: str
    licence: str
    papers: tuple[str, ...]

    def to_pandas(self) -> Any:
        """Return one ``pandas.DataFrame``: features, nominal ones categorical, and the column ``target``.

        Features alone are ``X.to_pandas()``, labels alone ``y``.
        """
        return self.X.to_pandas().assign(target=self.y)


def names() -> list[str]:
    """List the names ``load`` knows, sorted.

    Examples
    --------
    >>> from imbcore import datasets
    >>> "yeast4" in datasets.names()
    True
    """
    return sorted(catalogue())


def info(name: str) -> SetInfo:
    """Tell what the catalogue knows of a data set, without loading it.

    Raises
    ------
    ParameterError
        There is no data set of that name.

    Examples
    --------
    >>> from imbcore import datasets
    >>> datasets.info("yeast4").class_counts
    {'0': 1433, '1': 51}
    """
    return find(name)


def listing() -> str:
    """Return a table of all data sets: name, rows, features, classes, largest to smallest class, papers."""
    lines = [f"{'name':20} {'rows':>7} {'features':>8} {'classes':>7} {'ratio':>8}  papers"]
    for entry in map(find, names()):
        papers = ", ".join(map(str, entry.papers)) or "-"
        lines.append(
            f"{entry.name:20} {entry.rows:7} {entry.features:8} {len(entry.class_counts):7} "
            f"{entry.imbalance_ratio:8.2f}  {papers}"
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
        Looked into first: holds ``<name>.csv.gz`` or ``<name>.csv``, directly or in a folder ``real``.
    download : bool, default=True
        Whether the set may be fetched when it is in none of the folders.
    cache : path-like or None, default=None
        Where fetched sets are kept. None: IMBCORE_CACHE, or the user's cache folder.
    callback : callable or None, default=None
        Called as ``callback("bytes", done, total)`` while a file is fetched or read.

    Returns
    -------
    Dataset

    Raises
    ------
    ParameterError
        There is no data set of that name.
    DataError
        A file does not have the expected SHA-256 sum, or the set cannot be made from its public source.
    ConnectionError
        The public source could not be reached.
    FileNotFoundError
        The set is in no folder, and ``download`` is False; or ``folder`` does not exist.

    Examples
    --------
    >>> from imbcore import datasets
    >>> data = datasets.load("breast")
    >>> data.X.n_rows, int(data.y.sum())
    (569, 212)
    """
    entry = find(name)
    if folder is not None and not Path(folder).is_dir():
        raise FileNotFoundError(f"{os.fspath(folder)}: there is no such folder")
    kept = Path(cache) if cache is not None else cache_folder()
    own = os.environ.get("IMBCORE_DATA")
    for place in [folder, Path(own).expanduser() if own else None, kept]:
        for path in _candidates(place, entry.name):
            if path.is_file():
                return _read(entry, path, callback)
    if entry.bundled:
        return _from_text(entry, canonical_from_sklearn(entry), f"scikit-learn's {entry.source_file}")
    if not download:
        raise FileNotFoundError(
            f"data set {name!r}: {name}.csv.gz is neither in the given folder, nor in IMBCORE_DATA, "
            f"nor in {kept}; allow the download or put the file there"
        )
    text = _fetched(entry, callback)
    kept.mkdir(parents=True, exist_ok=True)
    path = kept / f"{entry.name}.csv.gz"
    with atomic_write(path) as file:
        file.write(gzip.compress(text.encode(), mtime=0))
    return _read(entry, path, callback)


def make_four_gaussians(
    n_samples: Sequence[int] = (10_000, 100, 100, 10_000),
    side: float = 2.0,
    *,
    random_state: Any = None,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Draw four Gaussian classes with unit variance, centred on the corners of a square.

    The first and the last class lie across from each other. With the default sizes this is the example of
    Hoens et al. 2012, section 3: two large classes on one diagonal, two rare ones on the other. The rows come
    class by class.

    Parameters
    ----------
    n_samples : sequence of 4 int, default=(10000, 100, 100, 10000)
        Rows of class 0 (upper left), 1 (upper right), 2 (lower left) and 3 (lower right).
    side : float, default=2.0
        Side of the square in standard deviations, at least 0.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed. A class's rows depend on the seed and the class only.

    Returns
    -------
    X : ndarray of shape (n_rows, 2)
    y : ndarray of shape (n_rows,)
        0, 1, 2 or 3.

    Raises
    ------
    ParameterError
        A number outside its domain.

    Examples
    --------
    >>> from imbcore import datasets
    >>> X, y = datasets.make_four_gaussians((50, 2, 2, 50), random_state=0)
    >>> X.shape, y.tolist().count(1)
    ((104, 2), 2)
    """
    sizes = [whole_number("n_samples", size, 0) for size in n_samples]
    if len(sizes) != 4:
        raise ParameterError(f"n_samples must hold four integers, got {n_samples!r}")
    seed = resolve_seed(random_state)
    X, classes = native.data.four_gaussians(sizes, float(side), seed)
    return X, classes.astype(np.int64)


def make_disjunct_grid(
    n_samples: int = 1000,
    *,
    complexity: int = 2,
    minority_share: float = 0.1,
    interclass: float = 1.0,
    overlap: float = 1.0,
    reading: str = "power",
    return_clusters: bool = False,
    random_state: Any = None,
) -> tuple[NDArray[Any], ...]:
    """Draw two classes that are each scattered over the squares of their colour on a chequerboard.

    Every square holds one normal cluster in its middle, so that each class consists of ``2 ** complexity``
    disjuncts. The board is 2 wide and centred on the origin. The rows come class by class, the majority
    first.

    Parameters
    ----------
    n_samples : int, default=1000
        Rows of both classes, at least 0.
    complexity : int, default=2
        Each class has ``2 ** complexity`` clusters; from 0 to 16.
    minority_share : float, default=0.1
        Share of class 1 in the rows, in [0, 1]; their number is rounded.
    interclass : float, default=1.0
        How unevenly the clusters of the minority are filled, at least 1; 1 fills all alike. Those of the
        majority are always filled alike.
    overlap : float, default=1.0
        How far clusters reach into each other, in [0, 6): their standard deviation is the side of a square
        divided by ``6 - overlap``.
    reading : str, default="power"
        Law of the minority's clusters c = 1, 2, ..., with ``d`` for ``interclass``: "power" has them
        proportional to ``1.75 ** ((d - 1) * c)``, "shifted" to ``d ** c``, "literal" to the printed
        ``(d - 1) ** c``, which is even at d = 2 and impossible at d = 1.
    return_clusters : bool, default=False
        Whether to return the cluster of every row too.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed. A class's rows depend on the seed, the class and its law only.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
    y : ndarray of shape (n_samples,)
        1 for the minority, else 0.
    clusters : ndarray of shape (n_samples,)
        Number of the cluster within its class, row by row from the lower left of the board; only with
        ``return_clusters``.

    Raises
    ------
    ParameterError
        A number outside its domain.

    References
    ----------
    Morán Jiménez, "Influence of imbalanced datasets in the induction of Full Bayesian Classifiers",
    Universitat Oberta de Catalunya 2018: section 9.2.

    Examples
    --------
    >>> from imbcore import datasets
    >>> X, y, clusters = datasets.make_disjunct_grid(
    ...     400, complexity=3, interclass=2, return_clusters=True, random_state=0
    ... )
    >>> X.shape, int(y.sum()), int(clusters.max())
    ((400, 2), 40, 7)
    """
    X, classes, clusters = native.data.disjunct_grid(
        whole_number("n_samples", n_samples, 0),
        whole_number("complexity", complexity, 0),
        float(minority_share),
        float(interclass),
        float(overlap),
        str(reading),
        resolve_seed(random_state),
    )
    found = (X, classes.astype(np.int64))
    return (*found, clusters.astype(np.int64)) if return_clusters else found


def make_shape(
    name: str = "corner", *, random_state: Any = None, redraw: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Draw the simulated data of Goh and Rudin 2014: a rare class within a simple shape.

    "corner", "castle" and "diamond3D" are known to the last digit and are what comes without a seed. The
    others are reconstructed from their descriptions and counts.

    Parameters
    ----------
    name : str, default="corner"
        "corner", "castle", "diamond", "square" or "flooded" in the plane, or "corner3D", "castle3D",
        "diamond3D", "square3D" or "flooded3D" in space.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed of another draw. None gives the published points where they are known, else a random draw.
    redraw : bool, default=False
        Whether to draw until there are as many positive points as the paper prints.

    Returns
    -------
    X : ndarray of shape (n_rows, 2) or (n_rows, 3)
    y : ndarray of shape (n_rows,)
        1 for the rare class, else 0.

    Raises
    ------
    ParameterError
        There is no shape of that name.

    Examples
    --------
    >>> from imbcore import datasets
    >>> X, y = datasets.make_shape("castle")
    >>> X.shape, y.sum()
    ((8716, 2), np.int64(375))
    """
    published = random_state is None and name in ("corner", "castle", "diamond3D")
    X, classes = native.data.shape(name, None if published else resolve_seed(random_state), bool(redraw))
    return X, classes.astype(np.int64)


def _candidates(place: str | os.PathLike[str] | None, name: str) -> Iterator[Path]:
    if place is not None:
        for folder in (Path(place), Path(place) / "real"):
            yield folder / f"{name}.csv.gz"
            yield folder / f"{name}.csv"


def _fetched(entry: SetInfo, callback: Progress | None) -> str:
    """Fetch and convert; only text with the expected sum comes back."""
    if entry.recipe["format"] == "folder":
        raise DataError(
            f"data set {entry.name!r} cannot be fetched: {entry.recipe['why']}; "
            f"put {entry.name}.csv.gz into the folder IMBCORE_DATA names"
        )
    sources = entry.recipe.get("files", [entry.source_file])
    files = [download(entry.source_repository, entry.source_commit, file, callback) for file in sources]
    text = canonical(entry, files)
    _check(entry, hashlib.sha256(text.encode()).hexdigest(), entry.source)
    return text


def _from_text(entry: SetInfo, text: str, origin: str) -> Dataset:
    _check(entry, hashlib.sha256(text.encode()).hexdigest(), origin)
    with tempfile.TemporaryDirectory(prefix="imbcore-") as folder:
        path = Path(folder) / f"{entry.name}.csv"
        path.write_bytes(text.encode())
        return _read(entry, path, None)


def _read(entry: SetInfo, path: Path, callback: Progress | None) -> Dataset:
    """Read a canonical CSV file after checking its sum."""
    _check(entry, _sum_of(path), str(path))
    two = entry.task == "binary"
    numeric = [column for column in entry.columns if column not in entry.nominal]
    table = read_table(
        path,
        delimiter=",",
        missing=[""],
        text=[*entry.nominal] if two else [*entry.nominal, "target"],
        numeric=[*numeric, "target"] if two else numeric,
        callback=callback,
    )
    return Dataset(
        name=entry.name,
        X=table.drop("target"),
        y=_labels(table),
        positive_class=entry.positive_class,
        description=_description(entry),
        source=entry.source,
        licence=entry.licence,
        papers=tuple(PAPERS[paper] for paper in entry.papers),
    )


def _labels(table: Table) -> NDArray[Any]:
    target = table["target"]
    if isinstance(target, Nominal):
        return np.asarray(target.levels)[target.codes]
    return target.astype(np.int64)


def _sum_of(path: Path) -> str:
    """SHA-256 of the file's text, unpacked."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    try:
        with gzip.open(path) if packed else open(path, "rb") as stream:
            while piece := stream.read(1 << 20):
                digest.update(piece)
    except (EOFError, gzip.BadGzipFile) as error:
        raise DataError(
            f"{path}: the gzip file is damaged ({error}); remove it and fetch it again"
        ) from error
    return digest.hexdigest()


def _check(entry: SetInfo, found: str, origin: str) -> None:
    if found != entry.sha256_csv:
        raise DataError(
            f"data set {entry.name!r} from {origin} is not the published one: the SHA-256 sum of its CSV "
            f"text is {found}, expected {entry.sha256_csv}; remove the file and fetch it again"
        )


def _description(entry: SetInfo) -> str:
    counts = ", ".join(f"{label}: {rows}" for label, rows in entry.class_counts.items())
    size = f"{entry.rows} rows, {entry.features} features ({len(entry.nominal)} nominal)"
    parts = [f"{entry.original_source}. {size}; rows by class {counts}."]
    if entry.positive_class:
        parts.append(f"Positive class: {entry.positive_class}.")
    if entry.note:
        parts.append(f"Note: {entry.note}.")
    return " ".join(parts)
