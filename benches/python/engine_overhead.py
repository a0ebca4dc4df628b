"""Overhead of ``imbcore.evaluation`` per fit: row selection, all metrics, the record and its line.

A dummy learner predicts a table of 1,000 rows; the measured time is the engine's. It runs in this process,
and then in two others. Run it with ``make bench``, or alone; nothing is asserted because machines differ.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from imbcore import evaluation


@dataclass(frozen=True)
class DummyLearner(evaluation.Learner):
    """Learns nothing and predicts by the first column."""

    def fit(self, X: Any, y: Any, place: evaluation.FoldRef) -> Any:
        """Store the labels."""
        return _Answer(place.classes)


@dataclass(frozen=True)
class _Answer:
    classes_: Any

    def predict(self, X: Any) -> Any:
        """Predict whether the first column is above 1."""
        return self.classes_[(X[:, 0] > 1).astype(int)]

    def predict_proba(self, X: Any) -> Any:
        """Squash the first column."""
        p = 1 / (1 + np.exp(-X[:, 0]))
        return np.column_stack([1 - p, p])


def main() -> None:
    """Print milliseconds per fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--fits", type=int, default=500)
    chosen = parser.parse_args()
    rng = np.random.default_rng(0)
    X = rng.normal(size=(chosen.rows, 20))
    y = (X[:, 0] + rng.normal(size=chosen.rows) > 2).astype(int)
    learners = {"idle": DummyLearner()}
    for n_jobs in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "records.jsonl"
            stamps: list[tuple[float, float]] = []

            def stamp(*_at: object, to: list[tuple[float, float]] = stamps) -> None:
                to.append((time.perf_counter(), time.process_time()))

            evaluation.run(
                learners,
                {"table": (X, y)},
                evaluation.Procedure("bench", chosen.fits // 2, 2),
                n_jobs=n_jobs,
                file=path,
                callback=stamp,
            )
        (began, cpu), (ended, cpu_ended) = stamps[0], stamps[-1]
        n = len(stamps) - 1
        print(
            f"n_jobs={n_jobs}: {1e3 * (ended - began) / n:.2f} ms per fit, wall time, "
            f"{1e3 * (cpu_ended - cpu) / n:.2f} ms of this process's CPU"
        )


if __name__ == "__main__":
    main()
