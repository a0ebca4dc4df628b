"""Calibration of forests on out-of-bag predictions, compared with CalibratedClassifierCV.

The available data sets with at least 20 positives, 5 x 2 stratified folds. Log loss, Brier score and CPU
seconds of a forest without calibration, calibrated by its own ``calibrate``, and calibrated by scikit-learn
in five inner folds (``ensemble=True``, its default). The report has the fraction of data sets on which ours
is at least as good, and the ratio of CPU times. Records are stored in the folder of the tables, and the next
run continues an interrupted one.

``--sets`` selects data sets, ``--most-rows`` omits large ones.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.calibration import CalibratedClassifierCV

from imbcore import evaluation
from imbcore.ensembles import RandomForestClassifier
from ranking import Clock, means, sets, whole
from reproduce._report import Report

MEASURES = {"log loss": "log_loss", "Brier": "brier", "CPU s": "cpu_seconds"}
OURS = ("sigmoid", "isotonic", "beta", "venn_abers")
THEIRS = ("sigmoid", "isotonic")
# Criterion: at least as good on two thirds of the sets, for less than a third of the CPU time.
LEAST, MOST_CPU = 2 / 3, 1 / 3


def learners(n_estimators: int) -> dict[str, Any]:
    """Calibration variants of one forest."""
    plain = RandomForestClassifier(n_estimators=n_estimators, n_threads=1)
    out_of_bag = {
        f"out of bag, {method}": RandomForestClassifier(
            n_estimators=n_estimators, calibrate=method, n_threads=1
        )
        for method in OURS
    }
    folds = {
        f"scikit-learn, {method}": CalibratedClassifierCV(plain, method=method, cv=5) for method in THEIRS
    }
    return {"not calibrated": plain} | out_of_bag | folds


def main() -> None:
    """Run the missing fits and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("paper"))
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="folder to search first; also: IMBCORE_DATA"
    )
    parser.add_argument("--sets", nargs="+", metavar="SET")
    parser.add_argument("--most-rows", type=int, default=10**9, metavar="N")
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--report", action="store_true", help="write the page from stored records, run nothing"
    )
    chosen = parser.parse_args()
    folder = chosen.output / "calibration_study"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "records.jsonl"
    if chosen.report:
        lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
        records = [line for line in lines if "dataset" in line]
    else:
        records = evaluation.run(
            learners(chosen.trees),
            sets(chosen.sets, chosen.most_rows, chosen.data),
            "5x2",
            seed=chosen.seed,
            n_jobs=chosen.jobs,
            file=file,
            callback=Clock(),
        )
    report = page(records, chosen.seed)
    report.write(folder)
    print(report.markdown())


def page(records: list[dict[str, Any]], seed: int) -> Report:
    """Write on how many data sets ours is at least as good, and the CPU time."""
    done = whole(records)
    report = Report("calibration-study", "Calibrated forests: out of bag and in inner folds")
    found = {title: means(done, measure) for title, measure in MEASURES.items()}
    names, n = found["Brier"].methods, len(found["Brier"].datasets)
    report.text(
        f"Forests on {n} data sets, 5 x 2 stratified folds, seed {seed}. CPU is of fit and prediction."
    )
    rows = [
        (name, *(float(np.nanmean(of.means[:, j])) for of in found.values())) for j, name in enumerate(names)
    ]
    report.table("Means over the data sets", ("forest", *found), rows)
    ours = [j for j, name in enumerate(names) if name.startswith("out of bag")]
    theirs = [j for j, name in enumerate(names) if name.startswith("scikit-learn")]
    against = []
    for i in ours:
        for j in theirs:
            log_loss, brier = (fraction_at_most(found[of].means, i, j) for of in ("log loss", "Brier"))
            cpu = float(np.nansum(found["CPU s"].means[:, i]) / np.nansum(found["CPU s"].means[:, j]))
            met = min(log_loss, brier) >= LEAST and cpu < MOST_CPU
            against.append((names[i], names[j], log_loss, brier, cpu, "met" if met else "not met"))
    columns = (
        "ours",
        "theirs",
        "log loss",
        "Brier",
        "CPU, ours / theirs",
        "criterion",
    )
    report.table("Fraction of the data sets on which ours is at least as good", columns, against)
    for title in ("log loss", "Brier"):
        of_sets = zip(found[title].datasets, found[title].means.tolist(), strict=True)
        report.table(
            f"{title} of every data set", ("data set", *names), [(name, *row) for name, row in of_sets]
        )
    report.fact("seed", seed)
    return report


def fraction_at_most(means: Any, one: int, other: int) -> float:
    """Fraction of the sets on which ``one`` is at most ``other``; a failure is worst."""
    losses = np.nan_to_num(means, nan=np.inf)
    return float(np.mean(losses[:, one] <= losses[:, other]))


if __name__ == "__main__":
    main()
