"""Choice of the default forest, and defaults compared with the truth.

Part *real*: every combination on all available data sets with at most three classes and at least 20 positives
(with three classes, the rarest against the rest), on 5 x 2 stratified folds of a separate seed. Average ranks
by average precision and by log loss; the choice has the lowest mean of both. Nested evaluation: the choice
made on all other data sets is measured on the data set left out.

Parts *grid*, *weak*, *levels* and *groups*: default settings of imbcore and other libraries on simulated
tables with known probabilities and on rows in groups (``default_simulations.py``); the regret is the
difference from the truth. ``--rows``, ``--prevalences``, ``--areas``, ``--noise`` and ``--draws`` select
cells of the grid.

Records are stored in the folder of the tables, and the next run continues an interrupted one; ``--report``
writes the page from stored records.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import argparse
import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import default_simulations
from imbcore import evaluation, stats
from imbcore.evaluation import NamedMethod
from ranking import Clock, means, ranks, sets, whole
from reproduce._report import Report

# The field study uses seed 0; the default must not be chosen on its folds.
SEED = 7
CRITERIA = ("gini", "entropy", "hellinger")
LEAVES = (1, 2, 5)
COLUMNS = ("sqrt", 0.5)
TODAY = "random_forest, gini, leaves of 1, sqrt"
ROPE = 0.01
PARTS = ("real", *default_simulations.PARTS)

Floats = NDArray[np.float64]


def candidates(kinds: list[str]) -> dict[str, NamedMethod]:
    """Every combination by a descriptive name."""
    return {
        f"{kind}, {criterion}, leaves of {leaf}, {columns}": NamedMethod(
            kind, {"criterion": criterion, "min_samples_leaf": leaf, "max_features": columns}
        )
        for kind, criterion, leaf, columns in product(kinds, CRITERIA, LEAVES, COLUMNS)
    }


def main() -> None:
    """Run the missing fits and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("paper"))
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="folder to search first; also: IMBCORE_DATA"
    )
    parser.add_argument("--parts", nargs="+", default=PARTS, choices=PARTS, metavar="PART")
    parser.add_argument("--sets", nargs="+", metavar="SET", help="data sets of the part real")
    parser.add_argument("--kinds", nargs="+", default=["random_forest", "extra_trees"], metavar="METHOD")
    parser.add_argument("--most-rows", type=int, default=50_000, metavar="N")
    parser.add_argument("--jobs", type=int, default=1)
    default_simulations.add_options(parser)
    parser.add_argument(
        "--report", action="store_true", help="write the page from stored records, run nothing"
    )
    chosen = parser.parse_args()
    folder = chosen.output / "default_study"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "records.jsonl"
    if "real" in chosen.parts:
        if not chosen.report:
            evaluation.run(
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
    simulated = [part for part in chosen.parts if part != "real"]
    if simulated:
        report = Report("default-simulations", "Default settings and the truth")
        for part in simulated:
            records = default_simulations.run(part, chosen, folder / f"{part}.jsonl")
            default_simulations.add_part(report, part, records)
        folder = chosen.output / "default_simulations"
        folder.mkdir(exist_ok=True)
        report.write(folder)
        print(report.markdown())


def page(records: list[dict[str, Any]]) -> Report:
    """Write the ranks, the choice, and its nested evaluation."""
    done = whole(records)
    ap, loss = means(done, "average_precision"), means(done, "log_loss")
    seconds = means(done, "cpu_seconds")
    by_ap, by_loss = ranks(ap), ranks(loss)
    joint = (by_ap.ranks + by_loss.ranks) / 2
    order = np.argsort(joint.mean(axis=0), kind="stable")
    best, usual = int(order[0]), ap.methods.index(TODAY)
    report = Report("default-study", "Choice of the default forest")
    report.text(
        f"{len(ap.methods)} forests of 100 trees on {len(ap.datasets)} data sets, 5 x 2 stratified folds, "
        f"seed {SEED}, which no other study uses. Lowest mean of both ranks: {ap.methods[best]}."
    )
    header = ("forest", "rank, both", "rank by AP", "rank by log loss", "AP", "log loss", "CPU s per fit")
    values = [joint, by_ap.ranks, by_loss.ranks, ap.means, loss.means, seconds.means]
    rows = [(ap.methods[j], *(float(np.nanmean(of[:, j])) for of in values)) for j in order]
    report.table("All forests, best first", header, rows)
    report.table(*nested(joint, ap, loss, usual))
    report.table(*parts(ap.methods, joint))
    every = [
        (name, float(ap.means[i, usual]), float(ap.means[i, best]), *map(float, loss.means[i, [usual, best]]))
        for i, name in enumerate(ap.datasets)
    ]
    header = ("set", "AP, usual", "AP, chosen", "log loss, usual", "log loss, chosen")
    report.table("Every set", header, every)
    report.fact("seed", SEED)
    return report


def nested(joint: Floats, ap: evaluation.Summary, loss: evaluation.Summary, usual: int) -> tuple[Any, ...]:
    """Choose on all sets but one, measure on that one, and compare with the usual default."""
    sums = joint.sum(axis=0)
    picks = [int(np.argmin(sums - joint[i])) for i in range(len(joint))]
    rows = []
    for title, of, sign, rope in (("AP", ap, 1.0, ROPE), ("log loss", loss, -1.0, ROPE)):
        ours = np.array([of.means[i, pick] for i, pick in enumerate(picks)])
        before = of.means[:, usual]
        found = stats.bayesian_signed_rank_test(sign * ours, sign * before, rope=rope)
        rows.append((title, ours.mean(), before.mean(), found.greater, found.equivalent, found.less))
    title = f"Chosen on the other sets ({len(set(picks))} different choices), against the usual default"
    header = ("measure", "chosen", "usual", "P(better)", f"P(within {ROPE:g})", "P(worse)")
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
