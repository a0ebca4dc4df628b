"""Ensemble selection against single methods and CatBoost, with default settings.

Small data sets, 5 x 2 stratified folds; with three classes, the rarest against the rest. `auto` has a budget
in default forests (100 trees on the training rows), or none. Average precision, log loss relative to the
class prior, and CPU seconds. Records are stored in the folder of the tables, and the next run continues an
interrupted one.

CatBoost is compared if it is installed; it is not a requirement of imbcore. ``--sets`` selects data sets and
``--methods`` methods.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import argparse
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from lightgbm import LGBMClassifier
from sklearn.dummy import DummyClassifier

from imbcore import AutoClassifier, evaluation, stats
from imbcore.evaluation import DataDependentLearner
from ranking import Clock, means, ranks, sets, whole
from reproduce._report import Report

SETS = [
    *("glass2", "ecoli4", "haberman", "ionosphere", "pima", "vehicle1"),
    *("yeast4", "yeast1", "abalone918num", "wpbc"),
]
PRIOR = "class prior"
TREES = 100


def auto(budget: float | None) -> DataDependentLearner:
    """`auto` with a budget in default forests on the training rows; None: no limit."""

    def learner(X: Any, _y: Any, _place: Any) -> Any:
        rows, columns = np.shape(X)
        units = None if budget is None else budget * rows * columns * TREES / 1e6
        return AutoClassifier(budget=units)

    return DataDependentLearner(learner)


METHODS: dict[str, Any] = {
    PRIOR: DummyClassifier(strategy="prior"),
    "auto, 10 forests": auto(10),
    "auto": auto(None),
    "forest": "forest",
    "boosted_trees": "boosted_trees",
    "LightGBM": LGBMClassifier(verbose=-1),
}
if find_spec("catboost") is not None:
    METHODS["CatBoost"] = import_module("catboost").CatBoostClassifier(
        verbose=False, thread_count=1, allow_writing_files=False
    )


def main() -> None:
    """Run the missing fits and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("paper"))
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="folder to search first; also: IMBCORE_DATA"
    )
    parser.add_argument("--sets", nargs="+", metavar="SET", default=SETS)
    parser.add_argument("--methods", nargs="+", metavar="METHOD", choices=list(METHODS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args()
    folder = chosen.output / "auto_study"
    folder.mkdir(parents=True, exist_ok=True)
    tables = sets(chosen.sets, 10**9, chosen.data)
    learners = {name: METHODS[name] for name in chosen.methods or METHODS}
    print(f"{len(tables)} data sets, {len(learners)} methods", flush=True)
    records = evaluation.run(
        learners,
        tables,
        "5x2",
        seed=chosen.seed,
        n_jobs=chosen.jobs,
        file=folder / "records.jsonl",
        callback=Clock(),
    )
    report = page(records, chosen.seed)
    report.write(folder)
    print(report.markdown())


def page(records: list[dict[str, Any]], seed: int) -> Report:
    """Write all results of the records."""
    done = whole(records)
    report = Report("auto-study", "Ensemble selection against single methods")
    found = {
        measure: means(done, measure) for measure in ("average_precision", "log_loss", "auc", "cpu_seconds")
    }
    first = found["average_precision"]
    names, table = first.methods, found["log_loss"].means
    if PRIOR in names:
        table = table / table[:, [names.index(PRIOR)]]
    report.text(
        f"{len(names)} methods with default settings on {len(first.datasets)} data sets, 5 x 2 stratified "
        f"folds, seed {seed}. Log loss is relative to that of the class prior. Smaller is better for log "
        "loss and CPU seconds, larger for AP and AUC."
    )
    ranked = ranks(first).average_ranks if len(first.datasets) > 1 else np.full(len(names), np.nan)
    rows = [
        (
            name,
            float(ranked[at]),
            float(np.nanmean(first.means[:, at])),
            float(np.nanmean(found["auc"].means[:, at])),
            float(np.nanmean(table[:, at])),
            float(np.nanmean(found["cpu_seconds"].means[:, at])),
        )
        for at, name in enumerate(names)
    ]
    head = ("method", "average rank by AP", "AP", "AUC", "log loss / prior", "CPU s")
    report.table("Means over the data sets", head, rows)
    for title, values in (("AP", first.means), ("log loss / prior", table)):
        every = zip(first.datasets, values.tolist(), strict=True)
        report.table(
            f"{title} of every data set", ("data set", *names), [(name, *row) for name, row in every]
        )
    if "auto" in names and len(first.datasets) > 1:
        best = names.index("auto")
        rows = [
            (name, *probabilities(first.means[:, best], first.means[:, at]))
            for at, name in enumerate(names)
            if at != best
        ]
        head = ("than", "better", "equivalent", "worse")
        report.table("Probabilities that auto is better by AP, equivalent (0.01), or worse", head, rows)
    report.fact("seed", seed)
    return report


def probabilities(ours: Any, theirs: Any) -> tuple[float, float, float]:
    """Probabilities of the Bayesian signed-rank test with a region of equivalence of 0.01."""
    known = ~np.isnan(ours + theirs)
    found = stats.bayesian_signed_rank_test(ours[known], theirs[known], rope=0.01)
    return found.greater, found.equivalent, found.less


if __name__ == "__main__":
    main()
