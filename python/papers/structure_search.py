"""Scores and CPU time of structure searches for Bayesian networks.

Rows are drawn from known networks (the seed is in the table's title) and their columns shuffled. Graphs are
learned by BIC on one thread: by every search of imbcore, and by pyAgrum, PyBNesian and pgmpy if they are
installed. The table has the score of every graph, computed by imbcore, its distance to the true graph, and
the CPU seconds of the whole call; the figure plots score against CPU seconds. pgmpy is included up to 40
variables, because its search takes minutes.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bayes_fidelity import MODULES, Arcs, pgmpy, pyagrum, pybnesian
from imbcore import BayesianNetwork
from paper_output import REPOSITORY, keep, keep_figure, markdown, options

NETWORKS = ("alarm", "insurance", "hailfinder", "hepar2", "win95pts", "andes")
KNOWN = ("asia", "child", *NETWORKS)
MOST_FOR_PGMPY = 40


class SearchRecord(NamedTuple):
    """Result of a search."""

    cpu: float
    score: float
    distance: float


def ours(**settings: Any) -> Callable[[Any], Arcs]:
    """Make a search of imbcore on one thread."""
    return lambda rows: BayesianNetwork.learn(rows, n_threads=1, random_state=1, **settings).arcs


LEARNERS: dict[str, Callable[[Any], Arcs]] = {
    '"hc"': ours(search="hc"),
    '"tabu"': ours(search="tabu"),
    '"tabu", 100 restarts': ours(search="tabu", search__restarts=100),
    '"ils"': ours(search="ils"),
    '"rb"': ours(search="rb"),
    '"rb", all candidates': ours(search="rb", search__candidates=100_000),
    '"boss"': ours(search="boss"),
    '"best", 5 rounds': ours(search="best", search__rounds=5),
    '"best"': ours(search="best"),
    "pyAgrum": pyagrum,
    "PyBNesian": pybnesian,
    "pgmpy": pgmpy,
}


def draw(truth: BayesianNetwork, rows: int, seed: int) -> Any:
    """Draw rows of a network with shuffled columns."""
    drawn = truth.sample(rows, random_state=seed)
    return drawn[list(np.random.default_rng(seed).permutation(drawn.columns.to_numpy()))]


def measure(
    truth: BayesianNetwork, rows: Any, learners: dict[str, Callable[[Any], Arcs]]
) -> dict[str, SearchRecord]:
    """Run every learner; results follow that of the true graph."""
    known = BayesianNetwork.from_arcs(rows, truth.arcs)
    found = {"true graph": SearchRecord(0.0, known.score(rows), 0.0)}
    for name, learner in learners.items():
        if name == "pgmpy" and len(rows.columns) > MOST_FOR_PGMPY:
            continue
        cpu = time.process_time()
        arcs = learner(rows)
        cpu = time.process_time() - cpu
        model = BayesianNetwork.from_arcs(rows, arcs)
        found[name] = SearchRecord(cpu, model.score(rows), model.shd(known))
        print(name, *(f"{value:.2f}" for value in found[name]), flush=True)
    return found


def table(found: dict[str, dict[str, SearchRecord]], learners: dict[str, Callable[[Any], Arcs]]) -> str:
    """Write one row per search and one column per network."""
    rows = []
    for search in ("true graph", *learners):
        cells = [of_network.get(search) for of_network in found.values()]
        rows.append((search, *("-" if cell is None else text(cell) for cell in cells)))
    return markdown(("search", *found), rows)


def text(one: SearchRecord) -> str:
    """Format the score, the distance, and the seconds if measured."""
    return f"{one.score:,.1f} ({int(one.distance)}" + (f"; {one.cpu:.2g} s)" if one.cpu else ")")


def picture(found: dict[str, dict[str, SearchRecord]]) -> Any:
    """Plot the score difference to the best search against CPU seconds; one panel per network."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(
        1, len(found), figsize=(3.2 * len(found), 3.4), layout="constrained", squeeze=False
    )
    for axis, (network, searches) in zip(axes[0], found.items(), strict=True):
        most = max(one.score for one in searches.values())
        for name, one in list(searches.items())[1:]:
            marker = "s" if name in MODULES else "o"
            axis.plot(one.cpu, most - one.score + 1, marker, markersize=5, label=name)
        axis.axhline(most - searches["true graph"].score + 1, color="grey", linewidth=0.8)
        axis.set(xscale="log", yscale="log", title=network, xlabel="CPU s")
    axes[0, 0].set_ylabel("nats below the best, plus 1")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=6, fontsize=8)
    return figure


def main() -> None:
    """Learn and evaluate the graphs, and write the table and the figure."""
    chosen = options(__doc__, seed=1, sets=NETWORKS, known=KNOWN, rows=5000)
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
        found[name] = measure(truth, draw(truth, chosen.rows, chosen.seed), learners)
    title = (
        f"BIC of graphs learned from {chosen.rows:,} rows (seed {chosen.seed}); in brackets `shd` to the "
        "true graph, and CPU seconds on one thread."
    )
    keep(chosen.output, "structure_search", title + "\n\n" + table(found, learners))
    keep_figure(chosen.output, "structure_search", picture(found))


if __name__ == "__main__":
    main()
