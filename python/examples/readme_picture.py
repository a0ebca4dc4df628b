"""Draw the picture of README.md: precision and recall of the default, LightGBM and CatBoost.

All three have their default settings and predict the rows of `mammography` (2.3 % positive) out of fold, on
the same five folds. The data set is read from IMBCORE_DATA or downloaded. Install the other libraries in an
environment that has imbcore with its extra `plot`, and run this script there:

    pip install lightgbm catboost
    python python/examples/readme_picture.py
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
from catboost import CatBoostClassifier
from lightgbm import LGBMClassifier

import imbcore
from imbcore import datasets, plotting

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "img" / "precision_recall.png"


def main() -> None:
    """Predict all rows out of fold by each method, and draw the curves."""
    data = datasets.load("mammography")
    methods = {
        "imbcore": "forest",
        "LightGBM": LGBMClassifier(verbose=-1, n_jobs=1, random_state=0),
        "CatBoost": CatBoostClassifier(
            verbose=False, thread_count=1, random_state=0, allow_writing_files=False
        ),
    }
    found = imbcore.evaluate(data.X, data.y, methods, folds=5, random_state=0)
    labels = next(iter(found.values())).y
    scores = {name: one.proba[:, 1] for name, one in found.items()}
    fig, ax = plt.subplots(figsize=(5.2, 4.4), layout="constrained")
    plotting.plot_precision_recall(labels, scores, ax=ax)
    ax.set_title(f"mammography: {len(labels):,} rows, {labels.mean():.1%} positive", fontsize=10)
    fig.savefig(PICTURE, dpi=110)
    print(found)


if __name__ == "__main__":
    main()
