"""Exact trees on real data: seconds of proofs, savings of the hull, and comparison with ConTree and STreeD.

STreeD needs binary columns, so it gets one for every cut, which is the same task. Quant-BnB is written in
Julia and is not run.

Run it alone with ``--data``, the folder that contains ``real/NAME.csv.gz``, on a release build. It prints a
Markdown table; nothing is asserted because machines differ.
"""

from __future__ import annotations

import argparse
import gzip
import os
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from imbcore import OptimalTreeClassifier

# Data sets for depth three, with their limits in seconds.
DEEP = {"glass2": 1.0, "haberman": 1.0, "yeast6": 1.0, "mammography": 10.0, "page-blocks0": 60.0}
MOST_ROWS = 10_000
# CPU seconds above which a ratio of two times is printed.
LONG = 1.0
# Maximum number of binary columns for STreeD.
MOST_CUTS = 2_000


def load(path: Path) -> tuple[np.ndarray, np.ndarray] | None:
    """Read numbers and the rarer of two classes; None for a data set of another kind."""
    with gzip.open(path, "rt") as file:
        rows = [line.rstrip("\n").split(",") for line in file][1:]
    try:
        x = np.array([row[:-1] for row in rows], dtype=float)
    except ValueError:
        return None
    labels, y = np.unique([row[-1] for row in rows], return_inverse=True)
    if len(labels) != 2:
        return None
    return x, (1 - y if y.sum() * 2 > len(y) else y)


def row(*cells: object) -> None:
    """Print a row of a table."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def head(*names: str) -> None:
    """Print the header of a table."""
    row(*names)
    row(*["---"] * len(names))


def timed(job: Callable[[], Any]) -> tuple[Any, float, float]:
    """Call a function; return its result, wall seconds, and CPU seconds of all threads."""
    wall, processor = time.perf_counter(), time.process_time()
    found = job()
    return found, time.perf_counter() - wall, time.process_time() - processor


def slopes(hull: list[dict[str, Any]]) -> list[float]:
    """Cost ratios at which the hull is proven: one per tree, one per edge."""
    edges = [tree["best_to"] for tree in hull[:-1]]
    ends = [edges[0] / 2 if edges else 1.0, *edges, edges[-1] * 2 if edges else 1.0]
    middles = [(low * high) ** 0.5 for low, high in pairwise(ends)]
    return [*edges, *middles]


def hull_row(name: str, x: np.ndarray, y: np.ndarray, apart: bool) -> None:
    """Time a hull of depth two; optionally also its cost ratios one by one, quick ones repeatedly."""
    fit = lambda **options: OptimalTreeClassifier(max_depth=2, **options).fit(x, y)  # noqa: E731
    model, wall, together = timed(lambda: fit(objective="hull"))
    trees, share = model.hull(), "not asked"
    if apart:
        costs = [[[0, 1], [price, 0]] for price in slopes(trees)]
        one_by_one = timed(lambda: [fit(cost_matrix=cost) for cost in costs])[2]
        while one_by_one < LONG:
            together += timed(lambda: fit(objective="hull"))[2]
            one_by_one += timed(lambda: [fit(cost_matrix=cost) for cost in costs])[2]
        share = f"{together / one_by_one:.2f}"
    row(name, f"{len(x)} x {x.shape[1]}", len(trees), f"{wall:.2f}", share, model.status_)


def peer(x: np.ndarray, y: np.ndarray, depth: int) -> str:
    """Errors and seconds of ConTree for the same task."""
    try:
        from pycontree import ConTree
    except ImportError:
        return "not installed"
    tree = ConTree(max_depth=depth, time_limit=300)
    _, wall, _ = timed(lambda: tree.fit(x, y.astype(int)))
    return f"{int((tree.predict(x) != y).sum())} errors, {wall:.2f}"


def peer_of_cuts(x: np.ndarray, y: np.ndarray, depth: int) -> str:
    """Errors and seconds of STreeD for the same task: a binary column for every cut."""
    try:
        from pystreed import STreeDClassifier
    except ImportError:
        return "not installed"
    below = [column <= cut for column in x.T for cut in (np.unique(column)[1:] + np.unique(column)[:-1]) / 2]
    if len(below) > MOST_CUTS:
        return f"not run: {len(below)} cuts"
    cuts = np.column_stack(below).astype(int)
    tree = STreeDClassifier("accuracy", max_depth=depth, time_limit=300)
    _, wall, _ = timed(lambda: tree.fit(cuts, y.astype(int)))
    proven = "" if tree.fit_result.is_optimal() else ", not proven"
    return f"{int((tree.predict(cuts) != y).sum())} errors, {wall:.2f}{proven}"


def deep_row(name: str, x: np.ndarray, y: np.ndarray, most: float) -> None:
    """Time one cost ratio at depth three, and the best F1."""
    fit = lambda **options: OptimalTreeClassifier(max_depth=3, **options).fit(x, y)  # noqa: E731
    cost, wall, _ = timed(fit)
    best, wall_f1, _ = timed(lambda: fit(objective="f1"))
    own = f"{cost.objective_:.0f} errors, {wall:.2f}"
    peers = (peer(x, y, 3), peer_of_cuts(x, y, 3))
    row(name, own, *peers, f"{best.objective_:.4f}, {wall_f1:.2f}", best.status_, most)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("IMBCORE_DATA", "../shared/data")))
    parser.add_argument(
        "--apart", action="store_true", help="also time the cost ratios of each hull one by one"
    )
    options = parser.parse_args()
    files = sorted((options.data / "real").glob("*.csv.gz"))
    sets = {path.name.removesuffix(".csv.gz"): path for path in files}
    head(
        "set",
        "errors at depth three, seconds",
        "ConTree",
        "STreeD",
        "best F1, seconds",
        "status",
        "bar in seconds",
    )
    for name in filter(sets.__contains__, DEEP):
        found = load(sets[name])
        if found is not None:
            deep_row(name, *found, DEEP[name])
    print()
    head("set", "size", "trees", "seconds", "CPU time / separate searches", "status")
    for name, path in sets.items():
        found = load(path)
        if found is not None and len(found[0]) <= MOST_ROWS:
            hull_row(name, *found, options.apart)


if __name__ == "__main__":
    main()
