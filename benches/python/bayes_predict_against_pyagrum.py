"""Class probabilities compared with pyAgrum: tree-augmented naive Bayes on nominal columns.

Complete rows are compared with pyAgrum's scikit-learn classifier. Rows with missing values, which that
classifier does not support, are compared with its lazy propagation row by row. Run it with ``make bench``, or
alone with ``--rows`` and ``--peer-rows``: pyAgrum's time grows with the number of rows, so it is measured on
fewer of them. Every line prints CPU microseconds per row and their ratio; nothing is asserted because
machines differ.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyagrum as gum
from pyagrum.lib.discreteTypeProcessor import DiscreteTypeProcessor
from pyagrum.skbn import BNClassifier

from imbcore import TANClassifier

COLUMNS, STATES, GAPS = 30, 4, 0.05


def make(rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Codes of columns that each depend on the class and on the previous column; 3 % positives."""
    rng = np.random.default_rng(seed)
    y = (rng.random(rows) < 0.03).astype(np.int64)
    distributions = (
        np.random.default_rng(1).dirichlet(np.full(STATES, 0.8), size=(COLUMNS, 2, STATES)).cumsum(axis=-1)
    )
    x = np.zeros((rows, COLUMNS), dtype=np.int64)
    for column in range(COLUMNS):
        before = x[:, column - 1] if column else np.zeros(rows, dtype=np.int64)
        distribution = distributions[column, y, before, :-1]
        x[:, column] = (rng.random(rows)[:, None] > distribution).sum(axis=1)
    return x, y


def frame(x: np.ndarray, gaps: np.ndarray | None = None) -> pd.DataFrame:
    """Columns with states "s0", "s1", ..., and missing values."""
    states = [f"s{state}" for state in range(STATES)]
    codes = x if gaps is None else np.where(gaps, -1, x)
    return pd.DataFrame(
        {f"x{at}": pd.Categorical.from_codes(column, categories=states) for at, column in enumerate(codes.T)}
    )


def cpu(job: Callable[[], Any], rows: int) -> float:
    """CPU microseconds per row, over all threads."""
    begin = time.process_time()
    job()
    return (time.process_time() - begin) / rows * 1e6


def paired(
    label: str, ours: Callable[[], Any], rows: int, theirs: Callable[[], Any], peers: int, runs: int
) -> None:
    """Time both in turn; print the medians and the median of the ratios."""
    pairs = [(cpu(ours, rows), cpu(theirs, peers)) for _ in range(runs)]
    first, second = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
    ratio = statistics.median(pair[1] / pair[0] for pair in pairs)
    print(f"{label:<40} {first:>9.3f} us/row {second:>9.1f} us/row   {ratio:>7.0f} x", flush=True)


def main() -> None:
    """Fit both on the same rows and time their predictions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--peer-rows", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()

    train, labels = make(20_000)
    model = TANClassifier().fit(frame(train), labels)
    text = frame(train).astype(str)
    peer = BNClassifier(type_processor=DiscreteTypeProcessor(), learningMethod="TAN", prior="BDeu")
    peer.fit(text, np.where(labels == 1, "yes", "no"))

    x, _ = make(args.rows, seed=2)
    whole = frame(x)
    few = frame(x[: args.peer_rows]).astype(str)
    differ = np.abs(model.predict_proba(whole[: args.peer_rows])[:, 1] - peer.predict_proba(few)[:, 1])
    print(f"median difference of the two models' probabilities: {np.median(differ):.1e}")
    paired(
        f"predict_proba, {args.rows} complete rows",
        lambda: model.predict_proba(whole),
        args.rows,
        lambda: peer.predict_proba(few),
        args.peer_rows,
        args.runs,
    )

    gaps = np.random.default_rng(3).random(x.shape) < GAPS
    holes = frame(x, gaps)
    some = args.peer_rows // 10
    engine = gum.LazyPropagation(peer.bn_)
    engine.addTarget(peer.target_)

    def row_by_row() -> None:
        for row in range(some):
            known = {f"x{at}": f"s{x[row, at]}" for at in range(COLUMNS) if not gaps[row, at]}
            engine.setEvidence({name: state for name, state in known.items() if name in peer.bn_.names()})
            engine.makeInference()
            engine.posterior(peer.target_).toarray()

    label = f"predict_proba, {args.rows} rows, 5 % missing"
    paired(label, lambda: model.predict_proba(holes), args.rows, row_by_row, some, args.runs)


if __name__ == "__main__":
    main()
