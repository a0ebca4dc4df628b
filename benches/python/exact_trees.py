"""Exact trees on real sets: seconds of proofs, what the hull saves, and ConTree and STreeD beside them.

STreeD has columns of zeros and ones, so that it is given one for every cut, the same task. Quant-BnB is a
programme in Julia and is not run.

Run on its own with ``--data``, the folder that has ``real/NAME.csv.gz``, on a library built for release. It
prints a table in Markdown; nothing is asserted, since machines differ.
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

# Sets of depth three, with the seconds that they are to stay below.
DEEP = {"glass2": 1.0, "haberman": 1.0, "yeast6": 1.0, "mammography": 10.0, "page-blocks0": 60.0}
MOST_ROWS = 10_000
# Seconds of the processor from which on a ratio of two is told.
LONG = 1.0
# Columns of zeros and ones that STreeD is given.
MOST_CUTS = 2_000


def load(path: Path) -> tuple[np.ndarray, np.ndarray] | None:
    """Read numbers and the rarer of two classes; None for a set of another kind."""
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
    """Print the head of a table."""
    row(*names)
    row(*["---"] * len(names))


def timed(job: Callable[[], Any]) -> tuple[Any, float, float]:
    """Call, with seconds by the clock and of the processor in all threads."""
    wall, processor = time.perf_counter(), time.process_time()
    found = job()
    return found, time.perf_counter() - wall, time.process_time() - processor


def slopes(hull: list[dict[str, Any]]) -> list[float]:
    """Prices of a miss at which the hull is proven: one for each tree, one for each edge."""
    edges = [tree["best_to"] for tree in hull[:-1]]
    ends = [edges[0] / 2 if edges else 1.0, *edges, edges[-1] * 2 if edges else 1.0]
    middles = [(low * high) ** 0.5 for low, high in pairwise(ends)]
    return [*edges, *middles]


def hull_row(name: str, x: np.ndarray, y: np.ndarray, apart: bool) -> None:
    """Time a hull of depth two; where asked, its prices one by one, too, quick ones again and again."""
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
    """Errors and seconds of ConTree at the same task."""
    try:
        from pycontree import ConTree
    except ImportError:
        return "not installed"
    tree = ConTree(max_depth=depth, time_limit=300)
    _, wall, _ = timed(lambda: tree.fit(x, y.astype(int)))
    return f"{int((tree.predict(x) != y).sum())} errors, {wall:.2f}"


def peer_of_cuts(x: np.ndarray, y: np.ndarray, depth: int) -> str:
    """Errors and seconds of STreeD at the same task: a column of zeros and ones for every cut."""
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
    """Time one price at depth three, and the best F1."""
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
    parser.add_argument("--apart", action="store_true", help="time the prices of each hull one by one, too")
    asked = parser.parse_args()
    files = sorted((asked.data / "real").glob("*.csv.gz"))
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
    head("set", "size", "trees", "seconds", "share of the processor time apart", "status")
    for name, path in sets.items():
        found = load(path)
        if found is not None and len(found[0]) <= MOST_ROWS:
            hull_row(name, *found, asked.apart)


if __name__ == "__main__":
    main()
