"""Ensemble selection against single methods and other libraries, with default settings.

Data sets with at least 20 positives, smallest first, 5 x 2 stratified folds; with three classes, the rarest
against the rest. `auto` has a budget in default forests (100 trees on the training rows), or none. Average
precision, log loss relative to the class prior, and CPU seconds. Records are stored in the folder of the
tables, and the next run continues an interrupted one. ``--report`` writes the page from stored records.

``--sets`` selects data sets, ``--most-rows`` omits large ones, ``--methods`` selects methods. CatBoost tuned
with 50 trials within the training rows takes hundreds of fits; it is in the list of methods, but not measured
unless it is selected. Every comparison of two methods has the data sets that are finished for both.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier

from imbcore import AutoClassifier, evaluation, stats
from imbcore._validation.table import Table
from imbcore.evaluation import DataDependentLearner
from peers import CORE, TUNED, absent, installed
from ranking import FEWEST, Clock, means, ranks, sets, whole
from reproduce._report import Report

PRIOR = "class prior"
TREES = 100


def auto(budget: float | None) -> DataDependentLearner:
    """`auto` with a budget in default forests on the training rows; None: no limit."""

    def learner(X: Any, _y: Any, _place: Any) -> Any:
        rows, columns = len(X), len(X.names) if isinstance(X, Table) else X.shape[1]
        units = None if budget is None else budget * rows * columns * TREES / 1e6
        return AutoClassifier(budget=units)

    return DataDependentLearner(learner)


BUDGETED, UNLIMITED = "auto, 10 forests", "auto"
OURS: dict[str, Any] = {
    PRIOR: DummyClassifier(strategy="prior"),
    BUDGETED: auto(10),
    UNLIMITED: auto(None),
    "forest": "forest",
    "boosted_trees": "boosted_trees",
    "logistic_regression": "logistic_regression",
}
PEERS = (*CORE, TUNED)
# Methods that are measured only if they are selected.
ON_REQUEST = (UNLIMITED, TUNED)
ROPE = 0.01


def main() -> None:
    """Run the missing fits and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("paper"))
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="folder to search first; also: IMBCORE_DATA"
    )
    parser.add_argument("--sets", nargs="+", metavar="SET")
    parser.add_argument("--methods", nargs="+", metavar="METHOD", choices=[*OURS, *PEERS])
    parser.add_argument("--most-rows", type=int, default=10_000, metavar="N")
    parser.add_argument("--trials", type=int, default=50, metavar="N", help="of the tuned CatBoost")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--report", action="store_true", help="write the page from stored records, run nothing"
    )
    chosen = parser.parse_args()
    folder = chosen.output / "auto_study"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "records.jsonl"
    if not chosen.report:
        tables = sets(chosen.sets, chosen.most_rows, chosen.data)
        names = chosen.methods or [name for name in (*OURS, *PEERS) if name not in ON_REQUEST]
        learners = OURS | installed([name for name in names if name in PEERS], trials=chosen.trials)
        learners = {name: learners[name] for name in names if name in learners}
        print(f"{len(tables)} data sets, {len(learners)} methods", flush=True)
        if not tables:
            raise SystemExit(f"no data set has at least {FEWEST} positives and a file; set IMBCORE_DATA")
        # A data set is finished for all methods before the next one starts.
        for name, table in tables.items():
            evaluation.run(
                learners,
                {name: table},
                "5x2",
                seed=chosen.seed,
                n_jobs=chosen.jobs,
                file=file,
                callback=Clock(),
            )
    lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    report = page([line for line in lines if "dataset" in line], chosen.seed)
    report.write(folder)
    print(report.markdown())


def page(records: list[dict[str, Any]], seed: int) -> Report:
    """Write all results of the records."""
    present = list(dict.fromkeys(of["method"] for of in records))
    usual = [name for name in present if name not in ON_REQUEST]
    done = whole([of for of in records if of["method"] in usual])
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
    if text := absent((*OURS, *PEERS), present):
        report.text(text)
    ranked = ranks(first).average_ranks if len(first.datasets) > 1 else np.full(len(names), np.nan)
    rows = [
        (
            name,
            float(ranked[at]),
            float(np.nanmean(first.means[:, at])),
            float(np.nanmean(found["auc"].means[:, at])),
            float(np.nanmean(table[:, at])),
            float(np.nanmax(table[:, at])),
            float(np.nanmean(found["cpu_seconds"].means[:, at])),
        )
        for at, name in enumerate(names)
    ]
    head = ("method", "average rank by AP", "AP", "AUC", "log loss / prior", "largest", "CPU s")
    report.table("Means over the data sets", head, rows)
    for ours in (BUDGETED, UNLIMITED):
        if ours in present:
            add_pairs(report, records, ours, [name for name in present if name != ours])
    for title, values in (("AP", first.means), ("log loss / prior", table)):
        every = zip(first.datasets, values.tolist(), strict=True)
        report.table(
            f"{title} of every data set", ("data set", *names), [(name, *row) for name, row in every]
        )
    report.fits(records)
    report.fact("seed", seed)
    return report


def add_pairs(report: Report, records: list[dict[str, Any]], ours: str, others: list[str]) -> None:
    """Write the differences between a method and each other, on sets that both have finished."""
    rows = []
    for other in others:
        pair = whole([of for of in records if of["method"] in (ours, other)])
        of_pair = means(pair, "average_precision")
        if len(of_pair.datasets) < 2 or len(of_pair.methods) < 2:
            continue
        at, against = of_pair.methods.index(ours), of_pair.methods.index(other)
        values = of_pair.means[:, [at, against]]
        values = values[~np.isnan(values).any(axis=1)]
        difference = float(np.mean(values[:, 0] - values[:, 1]))
        rows.append((other, len(values), difference, *probabilities(values[:, 0], values[:, 1])))
    header = ("than", "data sets", "mean difference of AP", "better", "equivalent", "worse")
    report.table(f"Probabilities that {ours} is better by AP, equivalent ({ROPE}), or worse", header, rows)


def probabilities(ours: Any, theirs: Any) -> tuple[float, float, float]:
    """Probabilities of the Bayesian signed-rank test with a region of equivalence."""
    found = stats.bayesian_signed_rank_test(ours, theirs, rope=ROPE)
    return found.greater, found.equivalent, found.less


if __name__ == "__main__":
    main()
