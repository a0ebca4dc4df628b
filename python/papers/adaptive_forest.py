"""Adaptation of the default forest to the strength of the signal.

Three parts. *Weak signal*: the log loss and the average precision of the default forest and of forests with
fixed leaf sizes on tables with 1.3 % positives. *Grid*: simulated tables by rows, prevalence, AUC of the true
probabilities and columns of noise, compared with the truth and with the class prior. *Real sets*: 5 x 2 folds
of the available data sets, compared with the forest of fixed leaves of two rows, the earlier default.
Log losses are divided by that of the class proportions of the training rows (``relative log loss``); below 1
is better than predicting the prior. Records are stored in the folder of the tables, and the next run
continues an interrupted one; ``--report`` writes the page from stored records.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import argparse
import json
import time
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import imbcore
from imbcore import evaluation
from imbcore.evaluation import NamedMethod
from imbcore.metrics import average_precision_score
from paper_output import stored
from ranking import Clock, means, ranks, sets, whole
from reproduce._report import Report
from simulations import Split, grid_cell, weak_signal

SEED = 63
LEAVES = (1, 2, 5, 10, 20, 50, 100)
DEFAULT, BEFORE = "forest", "leaves of 2"
ROWS = (500, 1_000, 10_000, 100_000)
PREVALENCES = (0.002, 0.01, 0.05, 0.2)
AREAS = (0.6, 0.75, 0.95)
NOISE = (0, 20)
# The bars hold for cells with at least these rows and expected positives.
FEWEST_ROWS, FEWEST_POSITIVES = 1_000, 20

Floats = NDArray[np.float64]


def loss(y: NDArray[np.int64], p: Floats | float) -> float:
    """Log loss."""
    p = np.clip(p, 1e-15, 1 - 1e-15)
    return float(-np.mean(np.where(y == 1, np.log(p), np.log1p(-p))))


def measured(data: Split, params: dict[str, Any], seed: int) -> dict[str, Any]:
    """Fit to the training rows and measure on the others."""
    began = time.process_time()
    model = imbcore.fit(
        data.train, data.y, method="forest", random_state=seed, positive=1, n_threads=1, **params
    )
    seconds = time.process_time() - began
    proba, truth = model.predict_proba(data.new)[:, 1], data.truth
    prior = loss(truth, float(data.y.mean()))
    return {
        "relative": loss(truth, proba) / prior,
        "truth": loss(truth, data.proba) / prior,
        "ap": float(average_precision_score(truth, proba)),
        "ap_truth": float(average_precision_score(truth, data.proba)),
        "seconds": seconds,
        "shrinkage": model.shrinkage_,
    }


def leaf_params(leaves: int | None) -> dict[str, Any]:
    """Parameters of the default forest, or of one with a fixed leaf size."""
    return {} if leaves is None else {"min_samples_leaf": leaves}


def weak_work(task: dict[str, Any]) -> dict[str, Any]:
    """Measure one forest on one weak-signal table."""
    return measured(weak_signal(task["seed"]), leaf_params(task["leaves"]), task["seed"])


def grid_work(task: dict[str, Any]) -> dict[str, Any]:
    """Measure one forest in one cell of the grid."""
    names = ("seed", "rows", "prevalence", "area", "noise")
    data = grid_cell(*(task[name] for name in names))
    return measured(data, leaf_params(task["leaves"]), task["seed"])


def main() -> None:
    """Run the missing fits and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("paper"))
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="folder to search first; also: IMBCORE_DATA"
    )
    parser.add_argument("--sets", nargs="+", metavar="SET")
    parser.add_argument("--parts", nargs="+", default=["weak", "grid", "real"], metavar="PART")
    parser.add_argument("--draws", type=int, default=20, metavar="N")
    parser.add_argument("--most-rows", type=int, default=100_000, metavar="N")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--report", action="store_true", help="write the page from stored records, run nothing"
    )
    chosen = parser.parse_args()
    folder = chosen.output / "adaptive_forest"
    folder.mkdir(parents=True, exist_ok=True)
    report = Report("adaptive-forest", "Adaptation of the default forest")
    seeds = range(SEED, SEED + chosen.draws)
    if "weak" in chosen.parts:
        weak = [{"seed": seed, "leaves": leaves} for seed in seeds for leaves in (None, *LEAVES)]
        weak_page(report, stored(folder / "weak.jsonl", weak, None if chosen.report else weak_work))
    if "grid" in chosen.parts:
        cells = product(
            seeds, [n for n in ROWS if n <= chosen.most_rows], PREVALENCES, AREAS, NOISE, (None, 2)
        )
        names = ("seed", "rows", "prevalence", "area", "noise", "leaves")
        grid = [dict(zip(names, values, strict=True)) for values in cells]
        grid_page(report, stored(folder / "grid.jsonl", grid, None if chosen.report else grid_work))
    if "real" in chosen.parts:
        file = folder / "records.jsonl"
        if not chosen.report:
            methods: dict[str, Any] = {
                DEFAULT: "forest",
                BEFORE: NamedMethod("forest", {"min_samples_leaf": 2}),
            }
            tables = sets(chosen.sets, chosen.most_rows, chosen.data)
            evaluation.run(methods, tables, "5x2", seed=SEED, n_jobs=chosen.jobs, file=file, callback=Clock())
        lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
        real_page(report, [line for line in lines if "dataset" in line])
    report.fact("seed", SEED)
    report.write(folder)
    print(report.markdown())


def weak_page(report: Report, records: list[dict[str, Any]]) -> None:
    """Write the means over the draws by leaf size."""
    rows = []
    for leaves in (None, *LEAVES):
        of = [found for found in records if found["task"]["leaves"] == leaves]
        if of:
            name = DEFAULT if leaves is None else f"leaves of {leaves}"
            columns = ("relative", "truth", "ap", "ap_truth", "seconds")
            rows.append((name, len(of), *(float(np.mean([found[key] for found in of])) for key in columns)))
    header = (
        "forest",
        "draws",
        "relative log loss",
        "of the truth",
        "AP",
        "AP of the truth",
        "CPU s per fit",
    )
    report.table("Weak signal, means over draws of 10,000 training rows", header, rows, digits=4)


def grid_page(report: Report, records: list[dict[str, Any]]) -> None:
    """Write the means by rows and signal, and the cells with a relative log loss above 1."""
    by_cell: dict[tuple[Any, ...], dict[Any, list[dict[str, Any]]]] = {}
    for found in records:
        task = found["task"]
        key = tuple(task[name] for name in ("rows", "prevalence", "area", "noise"))
        by_cell.setdefault(key, {}).setdefault(task["leaves"], []).append(found)
    losses = {
        key: {leaves: float(np.mean([one["relative"] for one in found])) for leaves, found in of.items()}
        for key, of in by_cell.items()
        if len(of) == 2
    }
    for title, place in (("rows", 0), ("prevalence", 1), ("AUC of the truth", 2), ("columns of noise", 3)):
        rows = []
        for value in sorted({key[place] for key in losses}):
            keys = [key for key in losses if key[place] == value]
            truth, ap, ap_before = (
                float(np.mean([one[name] for key in keys for one in by_cell[key][leaves]]))
                for name, leaves in (("truth", None), ("ap", None), ("ap", 2))
            )
            mean = [float(np.mean([losses[key][leaves] for key in keys])) for leaves in (None, 2)]
            rows.append((value, len(keys), *mean, truth, ap, ap_before))
        header = (title, "cells", "forest", BEFORE, "truth", "AP, forest", f"AP, {BEFORE}")
        report.table(f"Grid: mean relative log loss by {title}", header, rows)
    large = [key for key in losses if key[0] >= FEWEST_ROWS and key[0] * key[1] >= FEWEST_POSITIVES]
    rows = [
        (name, len(keys), *(sum(losses[key][None] <= limit for key in keys) for limit in (1.0, 1.02)))
        for name, keys in (
            (f"at least {FEWEST_ROWS} rows and {FEWEST_POSITIVES} positives", large),
            ("all", [*losses]),
        )
    ]
    report.table(
        "Grid: cells by relative log loss", ("cells", "number", "at most 1.00", "at most 1.02"), rows
    )
    worst = sorted(losses, key=lambda key: -losses[key][None])[:10]
    header = ("rows", "prevalence", "AUC", "noise", "forest", BEFORE)
    report.table(
        "Grid: worst cells", header, [(*key, losses[key][None], losses[key][2]) for key in worst], digits=4
    )


def real_page(report: Report, records: list[dict[str, Any]]) -> None:
    """Write means, ranks and every set."""
    done = whole(records)
    ap, raw, seconds = (means(done, name) for name in ("average_precision", "log_loss", "cpu_seconds"))
    first = [of for of in done if of["method"] == ap.methods[0]]
    proportion = np.array(
        [
            sum(of["n_positive"] for of in first if of["dataset"] == name)
            / sum(of["n_test"] for of in first if of["dataset"] == name)
            for name in ap.datasets
        ]
    )
    entropy = -(proportion * np.log(proportion) + (1 - proportion) * np.log1p(-proportion))
    relative = raw.means / entropy[:, None]
    order = [ap.methods.index(name) for name in (DEFAULT, BEFORE)]
    by_ap, by_loss = ranks(ap).average_ranks, ranks(raw).average_ranks
    rows = [
        (
            ap.methods[j],
            float(ap.means[:, j].mean()),
            float(by_ap[j]),
            float(relative[:, j].mean()),
            float(by_loss[j]),
            float(relative[:, j].max()),
            float(seconds.means[:, j].sum()),
        )
        for j in order
    ]
    header = ("forest", "AP", "rank", "relative log loss", "rank", "largest", "CPU s of all")
    report.table(f"Means over {len(ap.datasets)} real sets, 5 x 2 folds", header, rows, digits=4)
    every = [
        (name, *map(float, ap.means[i, order]), *map(float, relative[i, order]))
        for i, name in enumerate(ap.datasets)
    ]
    header = ("set", f"AP, {DEFAULT}", f"AP, {BEFORE}", f"log loss, {DEFAULT}", f"log loss, {BEFORE}")
    report.table("Every set", header, every)


if __name__ == "__main__":
    main()
