"""Structure search compared with PyBNesian, pyAgrum and pgmpy, on the same rows in one run.

Rows are drawn from the networks alarm, hailfinder and andes with a stated seed. Their columns have a stated
random order, because files often have causal order, which helps greedy searches. All libraries use hill
climbing with BIC from the empty graph on one thread; then follow our default search, and two threads. The
script prints CPU seconds, and the BIC of every graph as computed by imbcore, relative to that of the true
graph. Run it with ``make bench``, or alone with ``--networks``, ``--rows``, ``--runs`` and ``--peers``.
Nothing is asserted because machines differ.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# One thread per worker, also in the other libraries.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd

from imbcore import BayesianNetwork

Arcs = list[tuple[str, str]]
SEED = 1


def folder() -> Path:
    """Return the folder of the networks in BIF format."""
    return Path(os.environ.get("IMBCORE_DATA", "../shared/data")) / "bif"


def draw(truth: BayesianNetwork, rows: int) -> pd.DataFrame:
    """Rows of a network as categories, with columns in random order."""
    frame = truth.sample(rows, random_state=SEED)
    order = np.random.default_rng(SEED).permutation(frame.columns.to_numpy())
    return frame[list(order)].astype(
        {name: pd.CategoricalDtype([str(state) for state in truth.states(name)]) for name in order}
    )


def ours(frame: pd.DataFrame, **settings: Any) -> Arcs:
    """Learn with imbcore."""
    return BayesianNetwork.learn(frame, **{"n_threads": 1, **settings}).arcs


def pybnesian(frame: pd.DataFrame) -> Arcs:
    """Learn with PyBNesian."""
    import pybnesian

    found = pybnesian.hc(
        frame, bn_type=pybnesian.DiscreteBNType(), score="bic", operators=["arcs"], max_indegree=0
    )
    return list(found.arcs())


def pyagrum(frame: pd.DataFrame) -> Arcs:
    """Learn with pyAgrum."""
    import pyagrum

    learner = pyagrum.BNLearner(frame)
    learner.setNumberOfThreads(1)
    learner.useScoreBIC()
    learner.useGreedyHillClimbing()
    found, names = learner.learnDAG(), learner.names()
    return [(names[a], names[b]) for a, b in found.arcs()]


def pgmpy(frame: pd.DataFrame) -> Arcs:
    """Learn with pgmpy."""
    from pgmpy.estimators import HillClimbSearch

    found = HillClimbSearch(frame).estimate(scoring_method="bic-d", show_progress=False, epsilon=1e-6)
    return list(found.edges())


PEERS: dict[str, Callable[[pd.DataFrame], Arcs]] = {
    "PyBNesian": pybnesian,
    "pyAgrum": pyagrum,
    "pgmpy": pgmpy,
}


def timed(job: Callable[[], Arcs]) -> tuple[float, float, Arcs]:
    """CPU seconds over all threads, wall seconds, and the arcs."""
    cpu, wall = time.process_time(), time.perf_counter()
    arcs = job()
    return time.process_time() - cpu, time.perf_counter() - wall, arcs


def main() -> None:
    """Print CPU seconds, their ratio to ours, and the scores."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--networks", nargs="+", default=["alarm", "hailfinder", "andes"])
    parser.add_argument("--rows", nargs="+", type=int, default=[5_000, 50_000])
    parser.add_argument(
        "--runs", type=int, default=3, help="runs of every learner except those slower than 10 s"
    )
    parser.add_argument("--peers", nargs="*", default=["PyBNesian", "pyAgrum"], choices=list(PEERS))
    given = parser.parse_args()
    if not folder().is_dir():
        print(f"no folder {folder()}: set IMBCORE_DATA to the folder of the data sets")
        return
    for name in given.networks:
        truth = BayesianNetwork.read(folder() / f"{name}.bif")
        for rows in given.rows:
            frame = draw(truth, rows)
            base = BayesianNetwork.from_arcs(frame, truth.arcs).score(frame)
            print(f"-- {name}, {rows} rows, {len(frame.columns)} columns; BIC of the true graph {base:.1f}")
            jobs: dict[str, Callable[[], Arcs]] = {
                "imbcore hc": lambda frame=frame: ours(frame, search="hc"),
                "imbcore hc, one order": lambda frame=frame: ours(frame, search="hc", tie_breaking="entropy"),
                **{peer: lambda frame=frame, peer=peer: PEERS[peer](frame) for peer in given.peers},
                "imbcore default": lambda frame=frame: ours(frame),
                "imbcore hc, 2 threads": lambda frame=frame: ours(frame, search="hc", n_threads=2),
            }
            first: tuple[float, float] | None = None
            for who, job in jobs.items():
                runs = [timed(job)]
                while len(runs) < given.runs and runs[0][1] < 10:
                    runs.append(timed(job))
                cpu, wall = (statistics.median(run[clock] for run in runs) for clock in (0, 1))
                first = first or (cpu, wall)
                gap = BayesianNetwork.from_arcs(frame, runs[0][2]).score(frame) - base
                print(
                    f"{who:<24} CPU {cpu:9.4f} s ({cpu / first[0]:8.2f} x)   wall {wall:9.4f} s"
                    f" ({wall / first[1]:8.2f} x)   BIC {base + gap:12.1f} ({gap:+9.1f})",
                    flush=True,
                )


if __name__ == "__main__":
    main()
