"""Columns with many levels: target statistics, level sets and other libraries.

Every model is fitted with default parameters to the training rows of a simulated table and evaluated on new
rows. Records are stored after every model, and the next run continues an interrupted one. ``--tuned`` adds
CatBoost tuned with 50 trials within the training rows, which takes hundreds of fits.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, log_loss

import imbcore
from imbcore.exceptions import DataWarning
from paper_output import keep, markdown, stored
from peers import DEFAULTS, TUNED, absent, fit_peer, installed
from simulations import MANY_LEVELS, Split, with_many_levels

WITHOUT = "`boosted_trees` without these columns"
OURS: dict[str, tuple[str, dict[str, Any]]] = {
    "`boosted_trees`": ("boosted_trees", {}),
    '`boosted_trees`, `categorical_split="subset"`': ("boosted_trees", {"categorical_split": "subset"}),
    WITHOUT: ("boosted_trees", {}),
    "`forest`": ("forest", {}),
    '`forest`, `categorical_split="target"`': ("forest", {"categorical_split": "target"}),
    '`forest`, `categorical_split="subset"`': ("forest", {"categorical_split": "subset"}),
    "`logistic_regression`": ("logistic_regression", {}),
}


def main() -> None:
    """Run the missing fits and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("paper"))
    parser.add_argument("--sets", nargs="+", metavar="SET", choices=[*MANY_LEVELS, "all"], default=["all"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=2, metavar="N")
    parser.add_argument("--methods", nargs="+", metavar="METHOD", choices=[*OURS, *DEFAULTS, TUNED])
    parser.add_argument("--tuned", action="store_true", help="also the tuned CatBoost")
    parser.add_argument(
        "--report", action="store_true", help="write the page from stored records, run nothing"
    )
    chosen = parser.parse_args()
    warnings.simplefilter("ignore", DataWarning)
    sets = MANY_LEVELS if "all" in chosen.sets else tuple(chosen.sets)
    names = chosen.methods or [*OURS, *DEFAULTS, *([TUNED] if chosen.tuned else [])]
    if not chosen.report:
        peers = installed(name for name in names if name not in OURS)
        names = [name for name in names if name in OURS or name in peers]
    folder = chosen.output / "many_levels_study"
    folder.mkdir(parents=True, exist_ok=True)
    seeds = range(chosen.seed, chosen.seed + chosen.seeds)
    tasks = [
        {"set": name, "seed": seed, "method": method} for name in sets for seed in seeds for method in names
    ]
    found = stored(folder / "records.jsonl", tasks, None if chosen.report else Work())
    keep(folder, "table", report(found, sets))


class Work:
    """Fit and measure a method; the last table is kept for the next one."""

    def __init__(self) -> None:
        self.at: tuple[str, int] | None = None

    def __call__(self, task: dict[str, Any]) -> dict[str, Any]:
        """Return the measures of a task."""
        key = task["set"], task["seed"]
        if self.at != key:
            self.at, self.data = key, with_many_levels(*key)
        started = time.process_time()
        found = measure(self.data, fitted(self.data, task["method"], task["seed"]))
        print(*task.values(), *(f"{value:.3f}" for value in found.values()), flush=True)
        return {**found, "cpu_seconds": time.process_time() - started}


def fitted(data: Split, method: str, seed: int) -> NDArray[np.float64]:
    """Fit a method to the training rows and predict the new ones."""
    if method not in OURS:
        return np.asarray(fit_peer(method, data.train, data.y, seed).predict_proba(data.new)[:, 1])
    name, parameters = OURS[method]
    dropped = list(data.identifiers) if method == WITHOUT else []
    train, new = (frame.drop(columns=dropped) for frame in (data.train, data.new))
    model = imbcore.fit(train, data.y, name, random_state=seed, n_threads=1, **parameters)
    return np.asarray(model.predict_proba(new)[:, 1])


def measure(data: Split, proba: NDArray[np.float64]) -> dict[str, float]:
    """Average precision, and log loss relative to that of the class proportions."""
    prior = log_loss(data.truth, np.full(len(data.truth), data.y.mean()))
    return {
        "ap": float(average_precision_score(data.truth, proba)),
        "relative": float(log_loss(data.truth, proba) / prior),
    }


def report(found: list[dict[str, Any]], sets: tuple[str, ...]) -> str:
    """Write means over the seeds: average precision (relative log loss)."""
    names = list(dict.fromkeys(of["task"]["method"] for of in found))
    rows = []
    for name in names:
        cells = []
        for one in sets:
            values = [
                [of["ap"], of["relative"]]
                for of in found
                if (of["task"]["set"], of["task"]["method"]) == (one, name)
            ]
            mean = np.mean(values, axis=0) if values else None
            cells.append("" if mean is None else f"{mean[0]:.3f} ({mean[1]:.2f})")
        rows.append([name, *cells])
    seeds = len({of["task"]["seed"] for of in found})
    hours = sum(of["cpu_seconds"] for of in found) / 3600
    text = (
        f"Number of draws: {seeds}. All fits took {hours:.4f} CPU hours. {absent((*DEFAULTS, TUNED), names)}"
    )
    return "\n\n".join(
        ["# Columns with many levels", text, markdown(["average precision (relative log loss)", *sets], rows)]
    )


if __name__ == "__main__":
    main()
