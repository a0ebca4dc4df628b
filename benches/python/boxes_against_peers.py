"""Box drawings compared with their main steps (k-means and one pass over the data), and with another PRIM.

Run it with ``make bench``, or alone with ``--rows`` and ``--runs``. Every line prints both figures and their
ratio; nothing is asserted because machines differ.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
from sklearn.cluster import KMeans

import imbcore
from imbcore import FastBoxesClassifier, FastBoxesCV


def make(rows: int, features: int = 20, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian columns; one row in a hundred belongs to one of five narrow clusters."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, features))
    y = np.zeros(rows, dtype=np.int64)
    rare = rng.choice(rows, rows // 100, replace=False)
    centres = rng.normal(scale=1.5, size=(5, features))
    x[rare] = centres[rng.integers(0, 5, len(rare))] + 0.3 * rng.normal(size=(len(rare), features))
    y[rare] = 1
    return np.asfortranarray(x), y


def wall(job: Callable[[], object]) -> float:
    """Wall seconds of a call."""
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def paired(label: str, ours: Callable[[], object], theirs: Callable[[], object], runs: int) -> None:
    """Time both in turn after one warm-up each; print medians, and the median of the ratios."""
    ours()
    theirs()
    pairs = [(wall(ours), wall(theirs)) for _ in range(runs)]
    first = statistics.median(pair[0] for pair in pairs)
    second = statistics.median(pair[1] for pair in pairs)
    ratio = statistics.median(pair[1] / pair[0] for pair in pairs)
    print(f"{label:<64} {first * 1e3:>9.1f} ms {second * 1e3:>9.1f} ms   {ratio:>6.2f} x", flush=True)


def one_pass(x: np.ndarray, boxes: FastBoxesClassifier) -> None:
    """One pass over the table in NumPy: the distance of every row to every box, and its exponential."""
    for low, high in zip(boxes.lower_, boxes.upper_, strict=True):
        distance = np.zeros(len(x))
        for column, (a, b) in enumerate(zip(low, high, strict=True)):
            values = x[:, column]
            distance += np.maximum(np.maximum(a - values, values - b), 0.0)
        np.exp(-distance).sum()


def compare(rows: int, runs: int) -> None:
    """Time Fast Boxes against k-means on the same rare rows plus one pass over the table."""
    x, y = make(rows)
    rare = x[y == 1]
    fit = lambda **options: FastBoxesClassifier(n_boxes=5, random_state=0, **options).fit(x, y)  # noqa: E731
    # Distances are measured from the tight bounds.
    tight = fit(bound_rule="expand", expansion=0.0, negative_weight=1.0)
    kmeans = lambda init: KMeans(5, n_init=init, random_state=0).fit(rare)  # noqa: E731
    size = f"{rows} x 20, 1 % rare, 5 boxes, ten weights"
    print("ours compared with the other library; the ratio is its time divided by ours")
    paired(f"{size} | KMeans + X.max(axis=0)", fit, lambda: (kmeans("auto"), x.max(axis=0)), runs)
    paired(
        f"{size} | KMeans, 5 starts as ours + X.max(axis=0)", fit, lambda: (kmeans(5), x.max(axis=0)), runs
    )
    paired(
        f"{size} | KMeans + one pass for the boxes", fit, lambda: (kmeans("auto"), one_pass(x, tight)), runs
    )
    half = rows // 2
    xh, yh = np.asfortranarray(x[:half]), y[:half]
    paired(
        "half the rows | all rows (2 is linear)",
        lambda: FastBoxesClassifier(n_boxes=5, random_state=0).fit(xh, yh),
        fit,
        runs,
    )
    # Two folds, one number of boxes: one expansion compared with ten. Ten weights each.
    grid = lambda n: FastBoxesCV(  # noqa: E731
        n_boxes_grid=(5,), expansion_grid=tuple(map(float, range(1, n + 1))), cv=2, random_state=0
    ).fit(xh, yh)
    paired("selection with 1 expansion | with 5 (10 weights each)", lambda: grid(1), lambda: grid(5), runs)


def prim(rows: int, runs: int) -> None:
    """Time one box of PRIM against ema_workbench, with equal peeling, pasting and smallest box."""
    x, y = make(rows)
    mass = 0.005
    options = {"peel_alpha": 0.05, "paste_alpha": 0.05, "min_mass": mass, "max_boxes": 1}
    fit = lambda: imbcore.fit(x, y, "prim", **options)  # noqa: E731
    ours = fit().boxes()[0]
    try:
        import pandas as pd
        from ema_workbench.analysis import prim as other
    except ImportError:
        seconds = statistics.median(wall(fit) for _ in range(runs))
        print(f"PRIM, {rows} x 20, one box: {seconds * 1e3:.1f} ms; ema_workbench is not installed")
        return
    frame = pd.DataFrame(x, columns=[f"x{j}" for j in range(x.shape[1])])
    # The default objective of ema_workbench weights the gain in purity by the removed rows; the original one
    # is purity.
    purity = other.PRIMObjectiveFunctions.ORIGINAL

    found: list[other.PrimBox] = []

    def theirs() -> None:
        peer = other.Prim(
            frame,
            y,
            threshold=0.0,
            obj_function=purity,
            peel_alpha=options["peel_alpha"],
            paste_alpha=options["paste_alpha"],
            mass_min=mass,
        )
        found.append(peer.find_box())

    seconds = statistics.median(wall(fit) for _ in range(runs))
    # The other library is so slow that one run without a warm-up must suffice.
    peer_seconds = wall(theirs)
    label = f"PRIM, {rows} x 20, one box | ema_workbench"
    ratio = peer_seconds / seconds
    print(f"{label:<64} {seconds * 1e3:>9.1f} ms {peer_seconds * 1e3:>9.1f} ms   {ratio:>6.2f} x")
    box = found[0]
    for name, mean, share in (
        ("imbcore", ours["share"], ours["support"] / rows),
        ("ema_workbench", box.mean, box.mass),
    ):
        print(f"  {name:<14} proportion of the rare class in the box {mean:.4f}, of all rows {share:.4f}")


def main() -> None:
    """Run all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--prim-rows", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    compare(options.rows, options.runs)
    prim(options.prim_rows, options.runs)


if __name__ == "__main__":
    main()
