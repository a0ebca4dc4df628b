"""Simulated data from the distributions of the papers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.options import resolve_seed
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.value_text import value_text
from imbcore._validation.values import (
    validate_flag,
    validate_list,
    validate_real_number,
    validate_text,
    validate_whole_number,
)
from imbcore.exceptions import ParameterError


def make_four_gaussians(
    n_samples: Sequence[int] = (10_000, 100, 100, 10_000),
    side: float = 2.0,
    *,
    random_state: Any = None,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Draw four Gaussian classes with unit variance, centered on the corners of a square.

    The first and the last class lie on one diagonal. With the default sizes this is the example of Hoens et
    al. 2012, section 3: two large classes on one diagonal, two rare ones on the other. The rows are sorted by
    class.

    Parameters
    ----------
    n_samples : sequence of 4 int, default=(10000, 100, 100, 10000)
        Numbers of rows of class 0 (upper left), 1 (upper right), 2 (lower left) and 3 (lower right).
    side : float, default=2.0
        Side of the square in standard deviations, at least 0.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed. The number of rows of one class does not affect the rows of the other classes.

    Returns
    -------
    X : ndarray of shape (n_rows, 2)
    y : ndarray of shape (n_rows,)
        0, 1, 2 or 3.

    Raises
    ------
    ParameterError
        A number is outside its valid range.

    Examples
    --------
    >>> from imbcore import datasets
    >>> X, y = datasets.make_four_gaussians((50, 2, 2, 50), random_state=0)
    >>> X.shape, y.tolist().count(1)
    ((104, 2), 2)
    """
    sizes = [validate_whole_number("n_samples", size, 0) for size in validate_list("n_samples", n_samples)]
    if len(sizes) != 4:
        raise ParameterError(f"n_samples must hold four integers, got {value_text(n_samples)}")
    seed = resolve_seed(random_state)
    X, classes = native.data.four_gaussians(sizes, validate_real_number("side", side), seed)
    return X, classes.astype(np.int64)


def make_disjunct_grid(
    n_samples: int = 1000,
    *,
    complexity: int = 2,
    minority_fraction: float = 0.1,
    interclass: float = 1.0,
    overlap: float = 1.0,
    clusters: str = "per_class",
    variant: str = "power",
    width: float = 2.0,
    return_clusters: bool = False,
    random_state: Any = None,
) -> tuple[NDArray[Any], ...]:
    """Draw two classes, each with one cluster on every chessboard square of its color.

    Every square of the board has one normal cluster around its center, so that each class consists of several
    disjuncts. The board is centered on the origin. The rows are sorted by class, the majority first.

    Parameters
    ----------
    n_samples : int, default=1000
        Number of rows of both classes together, at least 0.
    complexity : int, default=2
        The number of clusters is ``2 ** complexity``, in each class or in both together (see ``clusters``);
        from 0 to 16.
    minority_fraction : float, default=0.1
        Fraction of rows in class 1, in [0, 1]; the number of rows is rounded.
    interclass : float, default=1.0
        Size of the differences between the probabilities of the clusters of the minority, at least 1. 1:
        equal probabilities. For ``variant="literal"``, 2 gives equal probabilities, and 1 is an error. The
        clusters of the majority are equally likely for every value.
    overlap : float, default=1.0
        Overlap of the clusters, below 6: the standard deviation of a cluster is the side of a square divided
        by ``6 - overlap``, so that large negative numbers give narrow clusters.
    clusters : {"per_class", "total"}, default="per_class"
        Whether ``complexity`` determines the number of clusters of each class ("per_class") or of both
        classes together ("total", with a complexity of at least 1). The text of the thesis (Morán Jiménez
        2018) allows both meanings; its figure 2 shows the first meaning.
    variant : {"power", "shifted", "literal"}, default="power"
        Formula for the probabilities of the clusters c = 1, 2, ... of the minority, with ``d`` for
        ``interclass``. "power": proportional to ``1.75 ** ((d - 1) * c)``. "shifted": proportional to
        ``d ** c``. "literal": proportional to ``(d - 1) ** c``, as printed in the thesis; this gives equal
        probabilities for d = 2 and is undefined for d = 1.
    width : float, default=2.0
        Width of the board, above 0.
    return_clusters : bool, default=False
        Whether to also return the cluster of every row.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed. The number of rows of one class does not affect the rows of the other class.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
    y : ndarray of shape (n_samples,)
        1 for the minority, else 0.
    clusters : ndarray of shape (n_samples,)
        Index of the cluster within its class, row by row from the lower left of the board; only with
        ``return_clusters``.

    Raises
    ------
    ParameterError
        A number is outside its valid range, or the value of ``clusters`` or ``variant`` is unknown.

    References
    ----------
    Morán Jiménez, "Influence of imbalanced datasets in the induction of Full Bayesian Classifiers",
    Universitat Oberta de Catalunya 2018: sections 2.3 and 9.2.

    Examples
    --------
    >>> from imbcore import datasets
    >>> X, y, clusters = datasets.make_disjunct_grid(
    ...     400, complexity=3, interclass=2, return_clusters=True, random_state=0
    ... )
    >>> X.shape, int(y.sum()), int(clusters.max())
    ((400, 2), 40, 7)
    """
    X, classes, found = native.data.disjunct_grid(
        validate_whole_number("n_samples", n_samples, 0),
        {
            "complexity": validate_whole_number("complexity", complexity, 0),
            "minority_fraction": validate_real_number("minority_fraction", minority_fraction),
            "interclass": validate_real_number("interclass", interclass),
            "overlap": validate_real_number("overlap", overlap),
            "clusters": str(clusters),
            "variant": str(variant),
            "width": validate_real_number("width", width),
        },
        resolve_seed(random_state),
    )
    drawn = (X, classes.astype(np.int64))
    return (*drawn, found.astype(np.int64)) if validate_flag("return_clusters", return_clusters) else drawn


def make_shape(
    name: str = "corner", *, random_state: Any = None, redraw: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Draw the simulated data of Goh and Rudin 2014: a rare class within a simple shape.

    The rows of "corner", "castle" and "diamond3D" in the paper are known exactly, and are returned if
    ``random_state`` is None. The other data sets are reconstructed from the descriptions and counts in the
    paper.

    Parameters
    ----------
    name : str, default="corner"
        "corner", "castle", "diamond", "square" or "flooded" in the plane, or "corner3D", "castle3D",
        "diamond3D", "square3D" or "flooded3D" in space.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed with which the points are drawn. None: the published points if they are known, else points drawn
        with a random seed.
    redraw : bool, default=False
        Whether to repeat the draw until the number of positive points equals that of the paper.

    Returns
    -------
    X : ndarray of shape (n_rows, 2) or (n_rows, 3)
    y : ndarray of shape (n_rows,)
        1 for the rare class, else 0.

    Raises
    ------
    ParameterError
        There is no shape of this name.

    Examples
    --------
    >>> from imbcore import datasets
    >>> X, y = datasets.make_shape("castle")
    >>> X.shape, y.sum()
    ((8716, 2), np.int64(375))
    """
    name, anew = validate_text("name", name), validate_flag("redraw", redraw)
    published = random_state is None and name in ("corner", "castle", "diamond3D")
    X, classes = native.data.shape(name, None if published else resolve_seed(random_state), anew)
    return X, classes.astype(np.int64)


name_package_in_errors(globals())
