"""Boosted trees with splits chosen by the Hellinger distance instead of Newton's gain.

Leaf values are Newton steps in both cases. The script has its own small booster, so that only the choice of
splits differs: quantile bins, leaf-wise growth, shrinkage, the same samples of rows and columns. "newton"
chooses the split with the largest gain of the logistic loss; "hellinger" the one with the largest Hellinger
distance between the classes, with rows weighted by the absolute gradient (with weights of 1 all rounds would
grow the same tree). It uses the available data sets with two or three classes and at most ``--most-rows``
rows, 3 x 2 stratified folds. `boosted_trees` and other libraries, with default settings and without bins,
show how good the booster is. It prints average precision and log loss divided by that of the prior, per data
set and as means, and the probabilities by the Bayesian signed-rank test that one criterion is worse by more
than 0.01, or 2 %.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, log_loss
from sklearn.model_selection import RepeatedStratifiedKFold

import imbcore
from imbcore import stats
from peers import CORE, fit_peer, installed
from ranking import sets

BINS = 64
CHOICES = ("newton", "hellinger")

Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]


class Booster:
    """Gradient boosting for two classes with logistic loss; ``choice`` is the split criterion."""

    def __init__(self, choice: str, rounds: int, leaves: int) -> None:
        self.choice, self.rounds, self.leaves = choice, rounds, leaves
        self.rate, self.penalty, self.fewest = 0.1, 3.0, 3

    def fit(self, codes: Codes, y: NDArray[np.int64], seed: int) -> Booster:
        """Fit on the bins of all columns."""
        rng = np.random.default_rng(seed)
        self.start = float(np.log(y.mean() / (1 - y.mean())))
        self.trees: list[list[tuple[Any, ...]]] = []
        scores = np.full(len(y), self.start)
        for _ in range(self.rounds):
            p = 1 / (1 + np.exp(-scores))
            drawn = np.flatnonzero(rng.random(len(y)) < 0.7)
            n_columns = codes.shape[1]
            places = np.sort(rng.choice(n_columns, max(1, round(0.7 * n_columns)), replace=False))
            self.trees.append(self.grow(codes, (p - y, p * (1 - p), y), drawn, places))
            scores += leaf_values(self.trees[-1], codes)
        return self

    def predict(self, codes: Codes) -> Numbers:
        """Probabilities of the second class."""
        scores = self.start + sum(leaf_values(tree, codes) for tree in self.trees)
        return np.asarray(1 / (1 + np.exp(-scores)))

    def grow(
        self, codes: Codes, slopes: tuple[Any, ...], rows: Codes, places: Codes
    ) -> list[tuple[Any, ...]]:
        """Grow a tree leaf-wise; nodes are (column, bin, first child) or (value,)."""
        tree: list[tuple[Any, ...]] = [(0.0,)]
        open_leaves = [(0, rows, self.best(codes, slopes, rows, places))]
        for _ in range(self.leaves - 1):
            at = max(range(len(open_leaves)), key=lambda at: open_leaves[at][2][0])
            node, rows, (gain, column, cut) = open_leaves.pop(at)
            if gain <= 0:
                open_leaves.append((node, rows, (gain, column, cut)))
                break
            is_left = codes[rows, column] <= cut
            tree[node] = (column, cut, len(tree))
            for part in (rows[is_left], rows[~is_left]):
                open_leaves.append((len(tree), part, self.best(codes, slopes, part, places)))
                tree.append((0.0,))
        for node, rows, _ in open_leaves:
            gradient, hessian = (slopes[at][rows].sum() for at in (0, 1))
            tree[node] = (-self.rate * gradient / (hessian + self.penalty) if len(tree) > 1 else 0.0,)
        return tree

    def best(
        self, codes: Codes, slopes: tuple[Any, ...], rows: Codes, places: Codes
    ) -> tuple[float, int, int]:
        """Newton's gain of the best split, its column and its last bin on the left."""
        gradient, hessian, y = (slope[rows] for slope in slopes)
        where = (codes[np.ix_(rows, places)] + BINS * np.arange(len(places))).ravel()

        def sums(values: Any) -> Numbers:
            found = np.bincount(where, np.repeat(values, len(places)), BINS * len(places))
            return np.asarray(found.reshape(-1, BINS).cumsum(axis=1))

        g, h, n = sums(gradient), sums(hessian), sums(np.ones(len(rows)))
        total = gradient.sum(), hessian.sum()

        def worth(g: Any, h: Any) -> Any:
            return g * g / (h + self.penalty)

        gains = worth(g, h) + worth(total[0] - g, total[1] - h) - worth(*total)
        allowed = (n >= self.fewest) & (len(rows) - n >= self.fewest)
        size = np.abs(gradient)
        score = gains
        if self.choice == "hellinger":
            parts = [sums(size * (y == label)) / max(size[y == label].sum(), 1e-12) for label in (0, 1)]
            left, right = (np.sqrt(np.clip(part, 0, 1)) for part in (np.array(parts), 1 - np.array(parts)))
            score = (left[0] - left[1]) ** 2 + (right[0] - right[1]) ** 2
        score = np.where(allowed & (gains > 1e-12), score, -np.inf)
        place, cut = np.unravel_index(np.argmax(score), score.shape)
        if not np.isfinite(score[place, cut]):
            return -1.0, 0, 0
        return float(gains[place, cut]), int(places[place]), int(cut)


def leaf_values(tree: list[tuple[Any, ...]], codes: Codes) -> Numbers:
    """Leaf values of the rows."""
    found = np.zeros(len(codes))
    todo = [(0, np.arange(len(codes)))]
    while todo:
        node, rows = todo.pop()
        if len(tree[node]) == 1:
            found[rows] = tree[node][0]
            continue
        column, cut, child = tree[node]
        is_left = codes[rows, column] <= cut
        todo += [(child, rows[is_left]), (child + 1, rows[~is_left])]
    return found


def binned(x: Any) -> Codes:
    """Assign quantile bins; levels are ordered by frequency, missing values have bin 0."""
    columns = []
    table = x.to_pandas() if hasattr(x, "to_pandas") else pd.DataFrame(x)
    for column in (table[name] for name in table):
        if not pd.api.types.is_numeric_dtype(column):
            order = column.value_counts().index
            column = column.map(dict(zip(order, range(len(order)), strict=True)))
        values = column.to_numpy(dtype=float)
        edges = np.unique(np.nanquantile(values, np.linspace(0, 1, BINS - 1)[1:-1]))
        columns.append(np.where(np.isnan(values), 0, 1 + np.searchsorted(edges, values)))
    return np.array(columns, dtype=np.int64).T


def rows_of(x: Any, rows: Codes) -> Any:
    """Select rows of a table or matrix."""
    return x.take(rows) if hasattr(x, "names") else x[rows]


def by_default(name: str, x: Any, y: Codes, train: Codes, seed: int) -> Any:
    """Fit a model with default settings."""
    if name in CORE:
        return fit_peer(name, rows_of(x, train), y[train], seed)
    return imbcore.fit(rows_of(x, train), y[train], name, positive=1, random_state=seed, n_threads=1)


def main() -> None:
    """Boost with both criteria on all data sets and print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="folder to search first; also: IMBCORE_DATA"
    )
    parser.add_argument("--sets", nargs="+", metavar="SET")
    parser.add_argument("--most-rows", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--leaves", type=int, default=15)
    chosen = parser.parse_args()
    found: list[list[Numbers]] = []
    others = ["boosted_trees", *installed(CORE)]
    names = (*CHOICES, *others)
    for name, (x, y, _) in sets(chosen.sets, chosen.most_rows, chosen.data).items():
        codes, of_folds = binned(x), []
        folds = RepeatedStratifiedKFold(n_splits=2, n_repeats=3, random_state=0)
        for seed, (train, test) in enumerate(folds.split(codes, y)):
            prior = log_loss(y[test], np.full(len(test), y[train].mean()))
            p = [
                Booster(choice, chosen.rounds, chosen.leaves)
                .fit(codes[train], y[train], seed)
                .predict(codes[test])
                for choice in CHOICES
            ]
            p += [
                by_default(name, x, y, train, seed).predict_proba(rows_of(x, test))[:, 1] for name in others
            ]
            of_folds.append(
                [
                    [average_precision_score(y[test], one) for one in p],
                    [log_loss(y[test], one) / prior for one in p],
                ]
            )
        found.append(list(np.mean(of_folds, axis=0)))
        (ap, loss) = found[-1]
        values = [" ".join(f"{value:.3f}" for value in of) for of in (ap, loss)]
        print(f"{name:<28} {len(y):>6} rows, {y.sum():>4} positives: AP {values[0]}, log loss {values[1]}")
    every = np.array(found)
    print(
        f"{len(every)} data sets, {', '.join(names)}: mean AP", *every[:, 0].mean(axis=0).round(4), end="; "
    )
    print("mean log loss / log loss of the prior", *every[:, 1].mean(axis=0).round(4))
    for name, at, rope in (("AP", 0, 0.01), ("log loss", 1, 0.02)):
        first, second = every[:, at, :2].T * (1 if at == 0 else -1)
        chance = stats.bayesian_signed_rank_test(second, first, rope=rope)
        parts = chance.less, chance.equivalent, chance.greater
        print(f"{name}: P(hellinger worse, equivalent, better):", *(round(part, 3) for part in parts))


if __name__ == "__main__":
    main()
