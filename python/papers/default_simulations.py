"""Default settings on simulated tables with known probabilities, and on rows in groups.

Parts of ``default_study.py``: *grid* has training rows x prevalence x AUC of the true probabilities x columns
of noise; *weak* a weak signal among 1.3 % positives; *levels* nominal columns with hundreds or thousands of
levels; *groups* tables of which whole groups, or later rows, are predicted.

With known probabilities, log loss and average precision are expectations over the labels of the test rows, so
that their noise does not count. The regret is the difference from the values of the true probabilities.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import imbcore
from grouped_thresholds import GROUPED, TIMED, clusters
from imbcore.metrics import average_precision_score
from paper_output import load, stored
from peers import CORE, DEFAULTS, PEERS, TUNED, absent, fit_peer, installed
from reproduce._report import Report
from simulations import MANY_LEVELS, Split, grid_cell, similar_rows, weak_signal, with_many_levels

ROWS = (1_000, 10_000, 100_000)
PREVALENCES = (0.002, 0.01, 0.05, 0.2)
AREAS = (0.6, 0.75, 0.85, 0.95)
NOISE = (0, 20)
GROUP_SETS = ("similar_rows", *GROUPED, TIMED)
PARTS = ("grid", "weak", "levels", "groups")
# Rows of a real set with groups.
MOST_ROWS = 12_000

PRIOR, WITH_GROUPS = "class prior", ", groups known"
OURS: dict[str, tuple[str, dict[str, Any]]] = {
    "forest": ("forest", {}),
    "forest, leaves of 2": ("forest", {"min_samples_leaf": 2}),
    "random_forest": ("random_forest", {}),
    "boosted_trees": ("boosted_trees", {}),
    "logistic_regression": ("logistic_regression", {}),
    "auto": ("auto", {}),
}
GROUPED_OURS = ("forest", "boosted_trees", "logistic_regression")
USUAL = (PRIOR, *(name for name in OURS if name != "auto"), *CORE)
METHODS = (PRIOR, *OURS, *DEFAULTS, TUNED)
# Factors of the grid: title, field of a task.
FACTORS = {"rows": "rows", "prevalence": "prevalence", "AUC of the truth": "area", "noise": "noise"}

Floats = NDArray[np.float64]
Task = dict[str, Any]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that select cells and methods."""
    parser.add_argument("--rows", nargs="+", type=int, default=ROWS, metavar="N")
    parser.add_argument("--prevalences", nargs="+", type=float, default=PREVALENCES, metavar="P")
    parser.add_argument("--areas", nargs="+", type=float, default=AREAS, metavar="AUC")
    parser.add_argument("--noise", nargs="+", type=int, default=NOISE, metavar="COLUMNS")
    parser.add_argument("--draws", type=int, default=5, metavar="N")
    parser.add_argument("--level-sets", nargs="+", default=MANY_LEVELS, choices=MANY_LEVELS, metavar="SET")
    parser.add_argument("--group-sets", nargs="+", default=GROUP_SETS, choices=GROUP_SETS, metavar="SET")
    parser.add_argument("--methods", nargs="+", default=USUAL, choices=METHODS, metavar="METHOD")


def tasks_of(part: str, chosen: argparse.Namespace, methods: list[str]) -> Iterator[Task]:
    """Yield the tasks of a part; those of one table follow each other."""
    draws = range(chosen.draws)
    if part == "grid":
        cells = product(sorted(chosen.rows), chosen.prevalences, chosen.areas, chosen.noise, draws)
        tables = [
            dict(zip(("rows", "prevalence", "area", "noise", "seed"), cell, strict=True)) for cell in cells
        ]
    elif part == "weak":
        tables = [{"set": "weak_signal", "seed": seed} for seed in draws]
    else:
        names = chosen.level_sets if part == "levels" else chosen.group_sets
        tables = [{"set": name, "seed": seed} for name in names for seed in draws]
    for table in tables:
        for method in methods:
            yield {**table, "method": method}
            if part == "groups" and method in GROUPED_OURS:
                yield {**table, "method": method + WITH_GROUPS}


def simulate(task: Task) -> Split:
    """Create the table of a task."""
    if "rows" in task:
        return grid_cell(task["seed"], task["rows"], task["prevalence"], task["area"], task["noise"])
    name, seed = task["set"], task["seed"]
    if name == "weak_signal":
        return weak_signal(seed)
    if name == "similar_rows":
        return similar_rows(seed)
    return with_many_levels(name, seed) if name in MANY_LEVELS else grouped_set(name, seed)


def grouped_set(name: str, seed: int) -> Split:
    """Divide a real table by groups of similar rows, or in time order."""
    data = load(name)
    kept = np.arange(0, len(data.y), max(1, -(-len(data.y) // MOST_ROWS)))
    X, y = data.X.take(kept), (np.asarray(data.y)[kept] == 1).astype(np.int64)
    if name == TIMED:
        groups = np.arange(len(y))
        is_train = groups < len(y) // 2
    else:
        groups = clusters(X, seed)
        is_train = (np.random.default_rng(seed).random(groups.max() + 1) < 0.5)[groups]
    train, new = np.flatnonzero(is_train), np.flatnonzero(~is_train)
    return Split(X.take(train), y[train], X.take(new), y[new], groups=groups[train])


class Work:
    """Fit and measure a method; the table is kept for the next one."""

    def __init__(self) -> None:
        self.at: Task | None = None

    def __call__(self, task: Task) -> dict[str, Any]:
        """Return the measures of a task."""
        table = {name: value for name, value in task.items() if name != "method"}
        if self.at != table:
            self.at, self.data = table, simulate(task)
        began = time.process_time()
        proba = predicted(self.data, task)
        seconds = time.process_time() - began
        found = {**measures(self.data, proba), "positives": int(self.data.y.sum()), "cpu_seconds": seconds}
        print(*task.values(), *(f"{found[name]:.4f}" for name in ("loss", "prior", "ap")), flush=True)
        return found


def predicted(data: Split, task: Task) -> Floats:
    """Fit a method by default and return the probabilities of class 1 of the test rows."""
    name, seed = task["method"], task["seed"]
    if name == PRIOR:
        return np.full(len(data.truth), data.y.mean())
    if name in PEERS:
        return np.asarray(fit_peer(name, data.train, data.y, seed).predict_proba(data.new)[:, 1])
    method, parameters = OURS[name.removesuffix(WITH_GROUPS)]
    related = {}
    if name.endswith(WITH_GROUPS):
        related = {"time" if task.get("set") == TIMED else "groups": data.groups}
    model = imbcore.fit(
        data.train, data.y, method, positive=1, random_state=seed, n_threads=1, **parameters, **related
    )
    return np.asarray(model.predict_proba(data.new)[:, 1])


def measures(data: Split, proba: Floats) -> dict[str, Any]:
    """Log loss and average precision, of the class proportions and of the truth, too."""
    p = data.truth.astype(np.float64) if data.proba is None else data.proba
    found: dict[str, Any] = {
        "loss": expected_loss(p, proba),
        "prior": expected_loss(p, np.full(len(p), data.y.mean())),
        "ap": expected_precision(p, proba),
    }
    if data.proba is not None:
        found |= {"truth": expected_loss(p, p), "ap_truth": expected_precision(p, p)}
    return found


def expected_loss(p: Floats, proba: Floats) -> float:
    """Mean log loss over labels that are positive with the probabilities ``p``."""
    q = np.clip(proba, 1e-15, 1 - 1e-15)
    return float(-np.mean(p * np.log(q) + (1 - p) * np.log1p(-q)))


def expected_precision(p: Floats, scores: Floats) -> float:
    """Average precision of rows that are positive with probability ``p``."""
    y = np.repeat([1, 0], len(p))
    return float(average_precision_score(y, np.tile(scores, 2), sample_weight=np.concatenate([p, 1 - p])))


def run(part: str, chosen: argparse.Namespace, file: Path) -> list[dict[str, Any]]:
    """Compute the missing tasks of a part, and return its records."""
    methods = list(chosen.methods)
    if not chosen.report:
        peers = installed(name for name in methods if name in PEERS)
        methods = [name for name in methods if name not in PEERS or name in peers]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", imbcore.exceptions.DataWarning)
        return stored(file, tasks_of(part, chosen, methods), None if chosen.report else Work())


def add_part(report: Report, part: str, records: list[dict[str, Any]]) -> None:
    """Write the tables of a part."""
    by_table: dict[tuple[Any, ...], dict[str, dict[str, Any]]] = {}
    for found in records:
        table = tuple(value for name, value in found["task"].items() if name != "method")
        by_table.setdefault(table, {})[found["task"]["method"]] = found
    names = list(dict.fromkeys(found["task"]["method"] for found in records))
    # A table counts if every method has finished it.
    done = {table: of for table, of in by_table.items() if len(of) == len(names)}
    if not done:
        return
    hours = sum(found["cpu_seconds"] for found in records) / 3600
    report.text(
        f"Part {part}: {len(names)} methods with default settings on {len(done)} tables, {hours:.4f} CPU "
        "hours. Values are means over the tables; AP is average precision. "
        f"{absent((*CORE, TUNED), names)}"
    )
    if part == "grid":
        add_grid(report, done, names)
    else:
        add_sets(report, part, done, names)


def average(done: Any, name: str, value: Any) -> float:
    """Mean of a value over the tables."""
    return float(np.mean([value(of[name]) for of in done]))


def relative(of: dict[str, Any]) -> float:
    """Log loss relative to that of the class proportions of the training rows."""
    return of["loss"] / of["prior"]


def regret(of: dict[str, Any]) -> float:
    """Log loss above that of the truth, in thousandths."""
    return 1000 * (of["loss"] - of["truth"])


def ap_regret(of: dict[str, Any]) -> float:
    """Average precision of the truth minus that of the method."""
    return of["ap_truth"] - of["ap"]


def add_grid(report: Report, done: dict[tuple[Any, ...], Any], names: list[str]) -> None:
    """Write means over the cells, means by every factor, and the results of every cell."""
    cells = [*done.values()]
    rows = [
        (
            name,
            average(cells, name, regret),
            average(cells, name, ap_regret),
            average(cells, name, relative),
            max(relative(of[name]) for of in cells),
            sum(relative(of[name]) > 1 for of in cells),
            average(cells, name, lambda of: of["cpu_seconds"]),
        )
        for name in names
    ]
    header = (
        "method",
        "regret in log loss x 1000",
        "regret in AP",
        "log loss / prior",
        "largest",
        "tables above 1",
        "CPU s",
    )
    report.table(f"Grid: means over {len(cells)} tables", header, rows)
    for title, value in (("log loss x 1000", regret), ("AP", ap_regret)):
        columns = []
        for factor, field in FACTORS.items():
            for level in dict.fromkeys(next(iter(of.values()))["task"][field] for of in cells):
                chosen = [of for of in cells if next(iter(of.values()))["task"][field] == level]
                columns.append((f"{factor} {level:g}", chosen))
        rows = [(name, *(average(of, name, value) for _, of in columns)) for name in names]
        report.table(f"Grid: mean regret in {title}, by factor", ("method", *(c for c, _ in columns)), rows)
    for title, value in (("log loss / prior", relative), ("AP", lambda of: of["ap"])):
        every = [
            (
                *table[:4],
                of[names[0]]["positives"],
                true_value(title)(of[names[0]]),
                *(value(of[n]) for n in names),
            )
            for table, of in done.items()
        ]
        header = ("rows", "prevalence", "AUC", "noise", "positives", "truth", *names)
        report.table(f"Grid: {title} of every table", header, every)


def true_value(title: str) -> Callable[[dict[str, Any]], float]:
    """Value of the true probabilities; NaN if they are unknown."""
    if title == "AP":
        return lambda of: of.get("ap_truth", np.nan)
    return lambda of: of.get("truth", np.nan) / of["prior"]


def add_sets(report: Report, part: str, done: dict[tuple[Any, ...], Any], names: list[str]) -> None:
    """Write the mean log loss relative to the prior and average precision of every set."""
    sets = list(dict.fromkeys(table[0] for table in done))
    groups = {name: [of for table, of in done.items() if table[0] == name] for name in sets}
    for title, value in (("log loss / prior", relative), ("AP", lambda of: of["ap"])):
        rows: list[tuple[Any, ...]] = [
            (name, *(average(groups[one], name, value) for one in sets)) for name in names
        ]
        rows.append(("truth", *(average(groups[one], names[0], true_value(title)) for one in sets)))
        draws = max(len(of) for of in groups.values())
        report.table(f"{part}: {title}, draws of a set: {draws}", ("method", *sets), rows)
