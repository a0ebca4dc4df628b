"""Which forest to take where nobody chose one: kind, criterion, rows of a leaf, columns of a node.

Every combination on all sets at hand with up to three classes and 20 positives or more (of three classes the
rarest against the rest), 5 x 2 stratified folds of their own seed. Average ranks by average precision and by
log loss; the choice is the least mean of both. Nested: the choice made on all other sets is measured on the
set left out. Records are kept in the folder of the tables, and the next call goes on where the last one
stopped; ``--report`` writes the page of what is there.
"""

# ruff: noqa: T201  # a programme for people prints

from __future__ import annotations

import argparse
import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from ranking import Clock, means, ranks, sets, whole

from imbcore import protocols, stats
from imbcore.protocols import Named
from imbcore.reproduce._report import Report

# The field study has seed 0; its folds must not be chosen on.
SEED = 7
CRITERIA = ("gini", "entropy", "hellinger")
LEAVES = (1, 2, 5)
COLUMNS = ("sqrt", 0.5)
TODAY = "random_forest, gini, leaves of 1, sqrt"
ROPE = 0.01

Floats = NDArray[np.float64]


def candidates(kinds: list[str]) -> dict[str, Named]:
    """Every combination by a name that says it."""
    return {
        f"{kind}, {criterion}, leaves of {leaf}, {columns}": Named(
            kind, {"criterion": criterion, "min_samples_leaf": leaf, "max_features": columns}
        )
        for kind, criterion, leaf, columns in product(kinds, CRITERIA, LEAVES, COLUMNS)
    }


def main() -> None:
    """Run what is missing and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("paper"))
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="look here first; also: IMBCORE_DATA")
    parser.add_argument("--sets", nargs="+", metavar="SET")
    parser.add_argument("--kinds", nargs="+", default=["random_forest", "extra_trees"], metavar="METHOD")
    parser.add_argument("--most-rows", type=int, default=50_000, metavar="N")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--report", action="store_true", help="write the page of what is there, run nothing")
    chosen = parser.parse_args()
    folder = chosen.output / "default_study"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "records.jsonl"
    if not chosen.report:
        protocols.run(
            candidates(chosen.kinds),
            sets(chosen.sets, chosen.most_rows, chosen.data),
            "5x2",
            seed=SEED,
            n_jobs=chosen.jobs,
            file=file,
            callback=Clock(),
        )
    lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    report = page([line for line in lines if "dataset" in line])
    report.write(folder)
    print(report.markdown())


def page(records: list[dict[str, Any]]) -> Report:
    """Write ranks, the choice, and what the choice is worth on sets that it did not see."""
    done = whole(records)
    ap, loss = means(done, "average_precision"), means(done, "log_loss")
    seconds = means(done, "cpu_seconds")
    by_ap, by_loss = ranks(ap), ranks(loss)
    joint = (by_ap.ranks + by_loss.ranks) / 2
    order = np.argsort(joint.mean(axis=0), kind="stable")
    best, today = int(order[0]), ap.methods.index(TODAY)
    report = Report("default-study", "Which forest to take where nobody chose one")
    report.text(
        f"{len(ap.methods)} forests of 100 trees on {len(ap.datasets)} sets, 5 x 2 stratified folds, seed "
        f"{SEED}, which no other study uses. Least mean of both ranks: {ap.methods[best]}."
    )
    header = ("forest", "rank, both", "rank by AP", "rank by log loss", "AP", "log loss", "CPU s a fit")
    values = [joint, by_ap.ranks, by_loss.ranks, ap.means, loss.means, seconds.means]
    rows = [(ap.methods[j], *(float(np.nanmean(of[:, j])) for of in values)) for j in order]
    report.table("All forests, the best first", header, rows)
    report.table(*nested(joint, ap, loss, today))
    report.table(*parts(ap.methods, joint))
    every = [
        (name, float(ap.means[i, today]), float(ap.means[i, best]), *map(float, loss.means[i, [today, best]]))
        for i, name in enumerate(ap.datasets)
    ]
    header = ("set", "AP, today's", "AP, chosen", "log loss, today's", "log loss, chosen")
    report.table("Every set", header, every)
    report.fact("seed", SEED)
    return report


def nested(joint: Floats, ap: protocols.Summary, loss: protocols.Summary, today: int) -> tuple[Any, ...]:
    """Choose on all sets but one, measure on that one, and compare with today's default."""
    sums = joint.sum(axis=0)
    picks = [int(np.argmin(sums - joint[i])) for i in range(len(joint))]
    rows = []
    for title, of, sign, rope in (("AP", ap, 1.0, ROPE), ("log loss", loss, -1.0, ROPE)):
        ours = np.array([of.means[i, pick] for i, pick in enumerate(picks)])
        before = of.means[:, today]
        found = stats.bayesian_signed_rank_test(sign * ours, sign * before, rope=rope)
        rows.append((title, ours.mean(), before.mean(), found.greater, found.equivalent, found.less))
    title = f"Chosen on the other sets ({len(set(picks))} different choices), against today's default"
    header = ("measure", "chosen", "today's", "chance better", f"the same within {ROPE:g}", "worse")
    return title, header, rows


def parts(names: tuple[str, ...], joint: Floats) -> tuple[Any, ...]:
    """Mean rank of each value of each parameter over all others."""
    split = np.array([name.split(", ") for name in names])
    rows = [
        (value, float(joint[:, split[:, place] == value].mean()))
        for place in range(split.shape[1])
        for value in dict.fromkeys(split[:, place])
    ]
    return "Mean of both ranks by a single parameter", ("value", "mean rank"), rows


if __name__ == "__main__":
    main()
