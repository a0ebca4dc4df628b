"""AUC, average precision, curves and hulls of a million scores, compared with scikit-learn.

Prints CPU seconds on one thread and the ratio of every pair in one run; run it with OMP_NUM_THREADS=1.
"""

import time

import numpy as np
from sklearn import metrics as sk

from imbcore import metrics

ROWS, ROUNDS = 1_000_000, 5
NAMES = ("roc_auc_score", "average_precision_score", "roc_curve", "precision_recall_curve")


def seconds(function, *arguments):
    """CPU seconds of the fastest round."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        function(*arguments)
        best = min(best, time.process_time() - start)
    return best


def main():
    """Compare with scores that are all distinct, and with a few hundred distinct values."""
    rng = np.random.default_rng(0)
    y = (rng.random(ROWS) < 0.05).astype(int)
    smooth = rng.normal(size=ROWS) + y
    for kind, scores in {"distinct": smooth, "few values": np.round(smooth, 2)}.items():
        for name in NAMES:
            ours, theirs = (seconds(getattr(module, name), y, scores) for module in (metrics, sk))
            print(f"{kind:10} {name:24} {ours:.3f} s, scikit-learn {theirs:.3f} s: {theirs / ours:.1f} times")
        fpr, tpr, _ = metrics.roc_curve(y, scores, drop_intermediate=False)
        curve, hull = seconds(metrics.roc_curve, y, scores), seconds(metrics.convex_hull, fpr, tpr)
        print(f"{kind:10} hull of {len(fpr)} points {hull:.3f} s, curve {curve:.3f} s: {hull / curve:.2f}")


if __name__ == "__main__":
    main()
