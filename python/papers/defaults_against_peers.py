"""Forests and boosting of imbcore compared with alternatives, all with defaults.

All available data sets with at most three classes and at least 20 positives (with three classes, the rarest
against the rest), 5 x 2 stratified folds. Neither side is tuned, unless the tuned CatBoost is selected by
``--methods``, and our defaults were chosen on other folds (``default_study.py``). The report has average
precision, AUC, log loss divided by that of the class priors, CPU seconds and average ranks. It also has the
probabilities, by the Bayesian signed-rank test over data sets, that ours is worse by more than 0.01 of
average precision or 2 % of the priors' log loss: over all data sets, those with fewer than 10 % positives,
and those with fewer than 100. Records are stored in the folder of the tables, and the next run continues an
interrupted one.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore import evaluation, stats
from imbcore.evaluation import NamedMethod
from peers import DEFAULTS, TUNED, absent, installed
from ranking import Clock, add_diagram, means, ranks, sets, whole
from reproduce._report import Report

SEED = 0
OURS: dict[str, Any] = {
    "forest": "forest",
    "random_forest": NamedMethod("random_forest", {}),
    "extra_trees": "extra_trees",
    "boosted_trees": "boosted_trees",
}
THEIRS = (*DEFAULTS, TUNED)
# Smallest relevant difference of average precision, and of log loss relative to the priors.
ROPES = {"AP": 0.01, "log loss": 0.02}


def main() -> None:
    """Run the missing fits and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("paper"))
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="folder to search first; also: IMBCORE_DATA"
    )
    parser.add_argument("--sets", nargs="+", metavar="SET")
    parser.add_argument("--methods", nargs="+", metavar="METHOD", choices=[*OURS, *THEIRS])
    parser.add_argument("--most-rows", type=int, default=50_000, metavar="N")
    parser.add_argument("--trials", type=int, default=50, metavar="N", help="of the tuned CatBoost")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--report", action="store_true", help="write the page from stored records, run nothing"
    )
    chosen = parser.parse_args()
    folder = chosen.output / "defaults_against_peers"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "records.jsonl"
    if not chosen.report:
        # The tuned CatBoost takes hundreds of fits, and is measured only if it is selected.
        names = chosen.methods or [*OURS, *DEFAULTS]
        learners = OURS | installed([name for name in names if name in THEIRS], trials=chosen.trials)
        evaluation.run(
            {name: learners[name] for name in names if name in learners},
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
    """Write ranks, means and probabilities."""
    done = whole(records)
    present = list(dict.fromkeys(of["method"] for of in records))
    found = {"AP": means(done, "average_precision"), "AUC": means(done, "auc")}
    found |= {"log loss": in_priors(means(done, "log_loss"), done), "CPU s": means(done, "cpu_seconds")}
    ap = found["AP"]
    report = Report("defaults-against-peers", "Defaults against defaults")
    report.text(
        f"{len(ap.methods)} methods on {len(ap.datasets)} data sets, 5 x 2 stratified folds, seed {SEED}. "
        "Log loss is divided by that of the class priors, which have 1. CPU is of a fit and its predictions."
    )
    if text := absent((*OURS, *THEIRS), present):
        report.text(text)
    ranked = {title: ranks(of) for title, of in found.items()}
    order = np.argsort(ranked["AP"].average_ranks, kind="stable")
    rows = [(ap.methods[j], *(float(of.average_ranks[j]) for of in ranked.values())) for j in order]
    report.table("Average ranks, best by AP first", ("method", *ranked), rows, digits=1)
    add_diagram(report, "cd_ap", "Average ranks by average precision.", ap.methods, ranked["AP"])
    rows = [(ap.methods[j], *(float(np.nanmean(of.means[:, j])) for of in found.values())) for j in order]
    report.table("Means over the data sets", ("method", *found), rows)
    for title, chosen in groups(done, ap.datasets).items():
        for ours in OURS:
            if ours in ap.methods and chosen.sum() > 1:
                report.table(*probabilities(ours, found, chosen, f"{title} ({chosen.sum()} sets)"))
    for title in ROPES:
        every = zip(ap.datasets, found[title].means.tolist(), strict=True)
        report.table(
            f"{title} of every data set", ("set", *ap.methods), [(name, *row) for name, row in every]
        )
    report.fact("seed", SEED)
    return report


def in_priors(of: evaluation.Summary, records: list[dict[str, Any]]) -> evaluation.Summary:
    """Log losses divided by that of the class priors."""
    share = shares(records, of.datasets)[0]
    entropy = -(share * np.log(share) + (1 - share) * np.log1p(-share))
    return of._replace(means=of.means / entropy[:, None])


def shares(
    records: list[dict[str, Any]], names: tuple[str, ...]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Fraction and number of positives of every set, from the test folds of one replicate."""
    rows, positives = (
        {
            name: sum(
                of[count] for of in records if of["dataset"] == name and of["method"] == records[0]["method"]
            )
            for name in names
        }
        for count in ("n_test", "n_positive")
    )
    number = np.array([positives[name] for name in names], dtype=float)
    return number / np.array([rows[name] for name in names], dtype=float), number / 5


def groups(records: list[dict[str, Any]], names: tuple[str, ...]) -> dict[str, NDArray[np.bool_]]:
    """Subsets of the data sets by title."""
    share, positives = shares(records, names)
    return {
        "all sets": share >= 0,
        "fewer than 10 % positives": share < 0.1,
        "fewer than 100 positives": positives < 100,
    }


def probabilities(
    ours: str, found: dict[str, evaluation.Summary], chosen: NDArray[np.bool_], where: str
) -> tuple[Any, ...]:
    """Probabilities that each imbcore method is better than, equivalent to or worse than a peer."""
    names = found["AP"].methods
    rows = []
    for name in names:
        if name not in THEIRS:
            continue
        for title, rope in ROPES.items():
            sign = 1.0 if title == "AP" else -1.0
            pair = sign * found[title].means[chosen][:, [names.index(ours), names.index(name)]]
            pair = pair[~np.isnan(pair).any(axis=1)]
            of = stats.bayesian_signed_rank_test(pair[:, 0], pair[:, 1], rope=rope)
            rows.append(
                (name, title, float((pair[:, 0] - pair[:, 1]).mean()), of.greater, of.equivalent, of.less)
            )
    header = ("against", "by", "mean gain", "better", "equivalent", "worse")
    return f"{ours}, {where}: probabilities", header, rows


if __name__ == "__main__":
    main()
