"""Divergence of learned networks from the networks that generated the rows.

Rows are drawn from a known network, and several programs learn graphs from them. The probabilities of every
graph are estimated from the same rows in the same way (Dirichlet, equivalent sample size 1), so that only the
graphs differ. The Kullback-Leibler divergence of the learned distribution from the true one is the mean of
``ln p - ln q`` over held-out rows, the same rows for all learners.

Every draw shuffles the columns. pyAgrum, pgmpy and PyBNesian are included if they are installed. pgmpy stops
at 3,000 rows, because its search takes minutes beyond that.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import importlib.util
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from imbcore import BayesianNetwork
from paper_output import REPOSITORY, keep, keep_figure, markdown, options

NETWORKS = ("asia", "sachs", "child", "insurance", "alarm")
SIZES = (100, 300, 1000, 3000, 10_000, 50_000)
PGMPY_ROWS = 3000
HELD_OUT = 50_000
Arcs = list[tuple[str, str]]


def ours(data: Any, **options: Any) -> Arcs:
    """Learn a graph with imbcore."""
    return BayesianNetwork.learn(data, **options).arcs


def pyagrum(data: Any) -> Arcs:
    """Learn a graph with pyAgrum's greedy search and BIC."""
    import pyagrum

    template = pyagrum.BayesNet()
    for name in data.columns:
        template.add(pyagrum.LabelizedVariable(name, name, list(data[name].cat.categories)))
    learner = pyagrum.BNLearner(data.astype(str), template)
    learner.useScoreBIC()
    learner.useGreedyHillClimbing()
    return [(learner.nameFromId(a), learner.nameFromId(b)) for a, b in learner.learnDAG().arcs()]


def pgmpy(data: Any) -> Arcs:
    """Learn a graph with pgmpy's hill climbing and BIC."""
    import logging

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.estimators import HillClimbSearch

        logging.getLogger("pgmpy").setLevel(logging.ERROR)
        # Its counting fails on categories without rows.
        plain = data.apply(lambda column: column.cat.remove_unused_categories())
        return list(HillClimbSearch(plain).estimate(scoring_method="bic-d", show_progress=False).edges())


def pybnesian(data: Any) -> Arcs:
    """Learn a graph with PyBNesian's hill climbing and BIC."""
    import pybnesian

    start = pybnesian.DiscreteBN(list(data.columns))
    found = pybnesian.GreedyHillClimbing().estimate(pybnesian.ArcOperatorSet(), pybnesian.BIC(data), start)
    return list(found.arcs())


LEARNERS: dict[str, Callable[[Any], Arcs]] = {
    "imbcore": ours,
    "imbcore, BDeu": lambda data: ours(data, score="bdeu"),
    "imbcore, hc": lambda data: ours(data, search="hc"),
    "pyAgrum": pyagrum,
    "PyBNesian": pybnesian,
    "pgmpy": pgmpy,
}
MODULES = {"pyAgrum": "pyagrum", "PyBNesian": "pybnesian", "pgmpy": "pgmpy"}


def main() -> None:
    """Learn and evaluate the networks, and write the table and the figure."""
    chosen = options(__doc__, sets=NETWORKS, known=NETWORKS, runs=3)
    folder = Path(os.environ.get("IMBCORE_DATA", REPOSITORY.parent / "shared" / "data")) / "bif"
    if not folder.is_dir():
        print(f"skipped: no networks in {folder}; set IMBCORE_DATA to the folder that contains bif/")
        return
    learners = dict(LEARNERS)
    for name, module in MODULES.items():
        if importlib.util.find_spec(module) is None:
            print(f"{name} is not installed; skipped")
            del learners[name]
    found = {}
    for name in chosen.sets:
        truth = BayesianNetwork.read(folder / f"{name}.bif")
        found[name] = measure(truth, learners, SIZES, chosen.runs, chosen.seed)
        print(markdown(HEADER, rows_of({name: found[name]}, SIZES)))
    keep(chosen.output, "bayes_fidelity", report(found, SIZES, chosen.runs))
    keep_figure(chosen.output, "bayes_fidelity", picture(found, SIZES))


def measure(
    truth: BayesianNetwork,
    learners: dict[str, Callable[[Any], Arcs]],
    sizes: tuple[int, ...],
    runs: int,
    seed: int,
    held_out: int = HELD_OUT,
) -> dict[str, np.ndarray]:
    """Divergences of every learner, (n_sizes, runs); NaN if a learner does not take part."""
    test = truth.sample(held_out, random_state=seed)
    expected = truth.log_probability(test)
    found = {name: np.full((len(sizes), runs), np.nan) for name in learners}
    for run in range(runs):
        rows = truth.sample(max(sizes), random_state=seed + run + 1)
        # Files list parents before children, which helps searches that break ties by column order.
        rows = rows[np.random.default_rng(seed + run).permutation(rows.columns)]
        for at, size in enumerate(sizes):
            train = rows.iloc[:size]
            for name, learner in learners.items():
                if name == "pgmpy" and size > PGMPY_ROWS:
                    continue
                model = BayesianNetwork.from_arcs(train, learner(train))
                found[name][at, run] = np.mean(expected - model.log_probability(test))
    return found


HEADER = ("network", "learner", *(f"{size:,}" for size in SIZES))


def rows_of(found: dict[str, dict[str, np.ndarray]], sizes: tuple[int, ...]) -> list[tuple[object, ...]]:
    """Means over the draws; one row per network and learner."""
    rows = []
    for name, of_learner in found.items():
        for learner, values in of_learner.items():
            means = [float(values[at].mean()) for at in range(len(sizes))]
            rows.append((name, learner, *("-" if np.isnan(mean) else f"{mean:.4f}" for mean in means)))
    return rows


def report(found: dict[str, dict[str, np.ndarray]], sizes: tuple[int, ...], runs: int) -> str:
    """Write the table."""
    header = ("network", "learner", *(f"{size:,}" for size in sizes))
    title = f"Divergence from the true distribution in nats, by training rows; means of {runs} draws."
    return title + "\n\n" + markdown(header, rows_of(found, sizes))


def picture(found: dict[str, dict[str, np.ndarray]], sizes: tuple[int, ...]) -> Any:
    """Plot divergence against rows; one panel per network."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(
        1, len(found), figsize=(3.2 * len(found), 3.4), layout="constrained", squeeze=False
    )
    for axis, (name, of_learner) in zip(axes[0], found.items(), strict=True):
        for learner, values in of_learner.items():
            axis.loglog(sizes, values.mean(axis=1), marker="o", markersize=3, label=learner)
        axis.set_title(name)
        axis.set_xlabel("rows")
    axes[0, 0].set_ylabel("divergence in nats")
    axes[0, 0].legend(fontsize=7)
    return figure


if __name__ == "__main__":
    main()
