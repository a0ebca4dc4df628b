"""Goh and Rudin 2014, table 4: Exact Boxes by ten folds, beside what is printed.

As in the paper the number of boxes is what Fast Boxes chose by cross-validation. Each weight 0.1, 0.2, ..., 1
gets so many seconds; what is not proven by then counts as found. On the training rows no drawing of Fast
Boxes may earn more than that of Exact Boxes with the same weight: the program fails if one does.
"""

# ruff: noqa: T201  # a programme for people prints

from __future__ import annotations

import sys
import time
from typing import Any, NamedTuple

import numpy as np
from boxes_table import GRID, WEIGHTS, Floats, Rows, area, numbers, spread, taken, task
from numpy.typing import NDArray
from paper_output import keep, markdown, options

from imbcore import ExactBoxesClassifier, FastBoxesClassifier, FastBoxesCV
from imbcore.protocols import StratifiedFolds
from imbcore.reproduce._printed import rows as published

# What a drawing may lie above another by rounding.
ROUNDING = 1e-6


class Found(NamedTuple):
    """What was found on one set, a row a fold."""

    fast: Floats
    exact: Floats
    # A column a weight: whether proven, gap, and how much more than Fast Boxes it earns in training.
    proven: NDArray[np.bool_]
    gap: Floats
    ahead: Floats


def main() -> None:
    """Run the folds, write the table, and fail where Fast Boxes earned more."""
    names = tuple(row["dataset"] for row in published("boxes_table4_exact"))
    chosen = options(__doc__, sets=names, known=names, seconds=2, folds=10)
    found, seconds = {}, {}
    for name in chosen.sets:
        start = time.perf_counter()
        found[name] = measure(*task(name), chosen.seed, chosen.folds, chosen.seconds, n_boxes_grid=GRID)
        seconds[name] = time.perf_counter() - start
        of = found[name]
        print(
            f"{name}: Fast {of.fast.mean():.4f}, Exact {of.exact.mean():.4f}, proven {of.proven.mean():.0%}, "
            f"{seconds[name]:.0f} s",
            flush=True,
        )
    keep(chosen.output, "boxes_exact_table", report(found, seconds, chosen))
    behind = [name for name, of in found.items() if (of.ahead < -ROUNDING).any()]
    if behind:
        sys.exit(f"Fast Boxes earned more than Exact Boxes on the training rows of {', '.join(behind)}")


def measure(X: Any, y: Rows, seed: int, folds: int, seconds: float, **settings: Any) -> Found:
    """Fit both methods to every fold with every weight."""
    columns: list[list[Any]] = [[] for _ in Found._fields]
    for train, test in StratifiedFolds(folds, 1, random_state=seed).split(y=y):
        X_train, y_train, X_test = taken(X, train), y[train], taken(X, test)
        search = FastBoxesCV(random_state=seed, **settings).fit(X_train, y_train)
        exact = ExactBoxesClassifier(
            n_boxes=search.best_params_["n_boxes"], time_limit=seconds, random_state=seed
        )
        path = exact.weight_path(X_train, y_train, WEIGHTS.tolist())
        answers = np.column_stack([one.predict(X_test) == 1 for one in path])
        fast = [
            FastBoxesClassifier(negative_weight=c, random_state=seed, **search.best_params_).fit(
                X_train, y_train
            )
            for c in WEIGHTS.tolist()
        ]
        earned = [objective(one, exact, X_train, y_train) for one in fast]
        row = (
            area(search.critical_weights(X_test)[:, None] >= WEIGHTS, y[test]),
            area(answers, y[test]),
            [one.proven_optimal_ for one in path],
            [one.gap_ for one in path],
            [one.objective_ - value for one, value in zip(path, earned, strict=True)],
        )
        for column, value in zip(columns, row, strict=True):
            column.append(value)
    return Found(*map(np.array, columns))


def objective(boxes: FastBoxesClassifier, exact: ExactBoxesClassifier, X: Any, y: Rows) -> float:
    """Value the drawing of Fast Boxes by the objective of Exact Boxes.

    A box stands for the rare rows that it holds. Drawn as tightly around them as the margin allows, it hits
    the common rows within twice the margin of their hull; nothing that holds these rows earns more.
    """
    values = numbers(X)
    low, width = values.min(axis=0), np.ptp(values, axis=0)
    scaled = 2 * (values - low)[:, width > 0] / width[width > 0] - 1
    reach = 2 * (exact.margin + exact.strictness)
    covered, hit, used = np.zeros(len(y), bool), np.zeros(len(y), bool), 0
    for lower, upper in zip(boxes.lower_, boxes.upper_, strict=True):
        rare = ((values >= lower) & (values <= upper)).all(axis=1) & (y == 1)
        if not rare.any():
            continue
        used += 1
        covered |= rare
        near, far = scaled[rare].min(axis=0) - reach, scaled[rare].max(axis=0) + reach
        hit |= ((scaled > near) & (scaled < far)).all(axis=1) & (y == 0)
    outside = np.sum((y == 0) & ~hit)
    return float(covered.sum() + boxes.negative_weight * outside - exact.box_cost * used)


def report(found: dict[str, Found], seconds: dict[str, float], chosen: Any) -> str:
    """Write printed and found areas, and how much is proven."""
    print_of = {row["dataset"]: row for row in published("boxes_table4_exact")}
    rows = []
    for name, of in found.items():
        theirs = [
            spread(float(print_of[name][f"{key}_mean"]), float(print_of[name][f"{key}_sd"]))
            for key in ("best", "fast_boxes", "exact_boxes")
        ]
        open_gaps = of.gap[~of.proven]
        rows.append(
            (
                name,
                *theirs,
                spread(of.fast.mean(), of.fast.std()),
                spread(of.exact.mean(), of.exact.std()),
                f"{of.proven.mean():.0%}",
                f"{np.median(open_gaps):.2f}" if open_gaps.size else "",
                f"{of.ahead.min():.1f}, {np.median(of.ahead):.1f}, {of.ahead.max():.1f}",
                f"{seconds[name]:.0f}",
            )
        )
    header = (
        "set",
        "printed: best readable method",
        "printed: Fast Boxes",
        "printed: Exact Boxes",
        "our Fast Boxes",
        "our Exact Boxes",
        "drawings proven optimal",
        "median gap of the others",
        "earns more than Fast Boxes: least, median, most",
        "seconds",
    )
    title = (
        f"# Exact Boxes, table 4: AUH of {chosen.folds} stratified folds, seed {chosen.seed}, "
        f"{chosen.seconds} s a weight"
    )
    return (
        f"{title}\n\n{markdown(header, rows)}\n\nIn brackets: standard deviation over the folds, divisor n."
    )


if __name__ == "__main__":
    main()
