"""Boosted trees with and without dropout of rounds: average precision on real data, rounds, seconds.

Run it alone with ``--data``, the folder that contains ``real/NAME.csv.gz``. Stratified five-fold
cross-validation with default parameters otherwise, so that inner folds choose the number of rounds of both.
Other libraries have their default settings.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path

import numpy as np
from exact_trees import load
from shared_peers import CORE, fit_peer, installed
from sklearn.metrics import average_precision_score
from sklearn.model_selection import StratifiedKFold

import imbcore

SETS = (
    "glass0", "glass2", "haberman", "pima", "vehicle1",
    "wisconsin", "yeast1", "yeast5", "yeast6", "page-blocks0", "phoneme",
)  # fmt: skip
RATES = (0.0, 0.1, 0.3)


def main() -> None:
    """Print one line per set and the means."""
    parser = argparse.ArgumentParser(description=__doc__)
    folder = os.environ.get("IMBCORE_DATA", "../shared/data")
    parser.add_argument("--data", type=Path, default=Path(folder), metavar="FOLDER")
    chosen = parser.parse_args()
    means: dict[float, list[float]] = {rate: [] for rate in RATES}
    of_peers: dict[str, list[float]] = {name: [] for name in installed(CORE)}
    for name in SETS:
        read = load(chosen.data / "real" / f"{name}.csv.gz")
        if read is None:
            continue
        X, y = read
        cells = []
        for rate in RATES:
            found, rounds, start = [], [], time.process_time()
            for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
                model = imbcore.fit(X[train], y[train], "boosted_trees", dropout_rate=rate, random_state=0)
                found.append(average_precision_score(y[test], model.predict_proba(X[test])[:, 1]))
                rounds.append(model.n_rounds_)
            means[rate].append(float(np.mean(found)))
            seconds = time.process_time() - start
            cells.append(
                f"{rate}: {np.mean(found):.3f}, {statistics.median(rounds):.0f} rounds, {seconds:.1f} s"
            )
        for peer, values in of_peers.items():
            found = []
            for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
                model = fit_peer(peer, X[train], y[train])
                found.append(average_precision_score(y[test], model.predict_proba(X[test])[:, 1]))
            values.append(float(np.mean(found)))
            cells.append(f"{peer}: {values[-1]:.3f}")
        print(f"{name:<14} {'; '.join(cells)}", flush=True)
    for rate, found in means.items():
        better = sum(one > other for one, other in zip(found, means[0.0], strict=True))
        print(
            f"dropout_rate={rate}: mean AP {np.mean(found):.4f}, above no dropout on {better} of {len(found)}"
        )
    for peer, values in of_peers.items():
        print(f"{peer}: mean AP {np.mean(values):.4f}")


if __name__ == "__main__":
    main()
