"""Calibrated forests: on out-of-bag answers, and by scikit-learn's CalibratedClassifierCV over the same.

The sets at hand with 20 positives or more, 5 x 2 stratified folds. Log loss, Brier score and seconds of CPU
of a forest as it is, calibrated by its own ``calibrate``, and in five inner folds by scikit-learn
(``ensemble=True``, its default); on how many sets ours is at least as good, and for what share of the CPU.
Records are kept in the folder of the tables, and the next call goes on where the last one stopped.

``--sets`` names some, ``--most-rows`` leaves large ones out.
"""

# ruff: noqa: T201  # a programme for people prints

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from ranking import Clock, means, sets, whole
from sklearn.calibration import CalibratedClassifierCV

from imbcore import protocols
from imbcore.ensembles import RandomForestClassifier
from imbcore.reproduce._report import Report

MEASURES = {"log loss": "log_loss", "Brier": "brier", "CPU s": "cpu_seconds"}
OURS = ("sigmoid", "isotonic", "beta", "venn_abers")
THEIRS = ("sigmoid", "isotonic")
# The bar: as good on two thirds of the sets, for less than a third of the CPU.
LEAST, MOST_CPU = 2 / 3, 1 / 3


def learners(n_estimators: int) -> dict[str, Any]:
    """Every way to calibrate one forest."""
    plain = RandomForestClassifier(n_estimators=n_estimators, n_threads=1)
    own = {
        f"out of bag, {method}": RandomForestClassifier(
            n_estimators=n_estimators, calibrate=method, n_threads=1
        )
        for method in OURS
    }
    folds = {
        f"scikit-learn, {method}": CalibratedClassifierCV(plain, method=method, cv=5) for method in THEIRS
    }
    return {"as it is": plain} | own | folds


def main() -> None:
    """Run what is missing and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("paper"))
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="look here first; also: IMBCORE_DATA")
    parser.add_argument("--sets", nargs="+", metavar="SET")
    parser.add_argument("--most-rows", type=int, default=10**9, metavar="N")
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--report", action="store_true", help="write the page of what is there, run nothing")
    chosen = parser.parse_args()
    folder = chosen.output / "calibration_study"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "records.jsonl"
    if chosen.report:
        lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
        records = [line for line in lines if "dataset" in line]
    else:
        records = protocols.run(
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
    """Write who is at least as good on how many sets, and what it cost."""
    done = whole(records)
    report = Report("calibration-study", "Calibrated forests: out of bag, and in inner folds")
    found = {title: means(done, measure) for title, measure in MEASURES.items()}
    names, n = found["Brier"].methods, len(found["Brier"].datasets)
    report.text(f"Forests on {n} sets, 5 x 2 stratified folds, seed {seed}. CPU is that of fit and answers.")
    rows = [
        (name, *(float(np.nanmean(of.means[:, j])) for of in found.values())) for j, name in enumerate(names)
    ]
    report.table("Means over the sets", ("forest", *found), rows)
    ours = [j for j, name in enumerate(names) if name.startswith("out of bag")]
    theirs = [j for j, name in enumerate(names) if name.startswith("scikit-learn")]
    against = []
    for i in ours:
        for j in theirs:
            log_loss, brier = (share(found[of].means, i, j) for of in ("log loss", "Brier"))
            cpu = float(np.nansum(found["CPU s"].means[:, i]) / np.nansum(found["CPU s"].means[:, j]))
            holds = min(log_loss, brier) >= LEAST and cpu < MOST_CPU
            against.append((names[i], names[j], log_loss, brier, cpu, "holds" if holds else "short"))
    columns = (
        "ours",
        "theirs",
        "log loss",
        "Brier",
        "CPU, ours of theirs",
        "two thirds, and a third of the CPU",
    )
    report.table("Share of the sets on which ours is at least as good", columns, against)
    for title in ("log loss", "Brier"):
        of_sets = zip(found[title].datasets, found[title].means.tolist(), strict=True)
        report.table(f"{title} of every set", ("set", *names), [(name, *row) for name, row in of_sets])
    report.fact("seed", seed)
    return report


def share(means: Any, one: int, other: int) -> float:
    """Share of the sets on which ``one`` loses no more than ``other``; a failure is worst."""
    losses = np.nan_to_num(means, nan=np.inf)
    return float(np.mean(losses[:, one] <= losses[:, other]))


if __name__ == "__main__":
    main()
