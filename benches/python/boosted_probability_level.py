"""Mean probability of boosted trees relative to the frequency of the rare class.

Two simulated populations: four Gaussian classes of which the two small ones are positive (1 %), and a
fraud-like table of 20 columns with 0.1 % positives. For every objective and seed, the script prints the mean
probability of test rows divided by the proportion of positives among the training rows, which are too few to
estimate the population proportion better. Other libraries follow with their default settings.
"""

from __future__ import annotations

import argparse

import numpy as np
from shared_peers import CORE, fit_peer, installed

import imbcore
from imbcore.datasets import make_four_gaussians

# The 0.999 quantile of the score in the fraud-like population (of 8 million draws).
CUT = 7.57


def gaussians(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two large classes on one diagonal, and one row in a hundred on the other."""
    rare = rows // 200
    large = (rows - 2 * rare) // 2
    x, y = make_four_gaussians((large, rare, rare, large), random_state=seed)
    return x, ((y == 1) | (y == 2)).astype(np.int64)


def fraud(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns of which four shift the log-odds; one row in a thousand is positive, some of them by noise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 20))
    score = x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * x[:, 3] ** 2 + rng.normal(size=rows)
    return x, (score > CUT).astype(np.int64)


def main() -> None:
    """Fit every objective in both populations for some seeds, and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--test", type=int, default=2_000_000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--objectives", default="log_loss,balanced,focal,pairwise_auc,smooth_ap")
    chosen = parser.parse_args()
    print(f"{chosen.rows:,} training rows, {chosen.test:,} test rows: mean probability / training proportion")
    peers = installed(CORE)
    for name, draw in {"four Gaussians": gaussians, "fraud-like": fraud}.items():
        x, _ = draw(chosen.test, 1000)
        for objective in (*chosen.objectives.split(","), *peers):
            ratios = []
            for seed in range(chosen.seeds):
                rows, learnt = draw(chosen.rows, seed)
                if objective in peers:
                    model = fit_peer(objective, rows, learnt, seed, threads=chosen.threads)
                else:
                    options = {"objective": objective, "random_state": seed, "n_threads": chosen.threads}
                    model = imbcore.fit(rows, learnt, "boosted_trees", **options)
                ratios.append(float(model.predict_proba(x)[:, 1].mean() / learnt.mean()))
            ratios_text = " ".join(f"{ratio:.3f}" for ratio in ratios)
            print(f"{name:<15} {objective:<20} {ratios_text}  mean {np.mean(ratios):.3f}", flush=True)


if __name__ == "__main__":
    main()
