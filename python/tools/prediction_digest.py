"""Print digests of ``predict_proba`` of all methods on ten data sets, to compare builds.

Usage: python python/tools/prediction_digest.py > FILE   (needs scikit-learn)
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

import imbcore

# Options for a fast fit of a method.
OPTIONS = {
    "exact_boxes": {"n_boxes": 1},
    "optimal_tree": {"max_depth": 2},
}


def tables() -> Iterator[tuple[str, NDArray[np.float64], NDArray[np.int64]]]:
    """Ten tables of at most 300 rows, real or simulated, with missing values and ties."""
    for name, load in (
        ("breast", load_breast_cancer),
        ("iris", load_iris),
        ("wine", load_wine),
        ("digits", load_digits),
    ):
        X, y = load(return_X_y=True)
        rows = np.random.default_rng(0).permutation(len(y))[:300]
        yield name, X[rows][:, :12].astype(float), (y[rows] == 1).astype(int)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(200, 4)).round(seed % 3)
        y = (X[:, 0] + 0.5 * X[:, 1] ** 2 + rng.normal(size=200) > 1.5).astype(int)
        if seed >= 4:
            X[rng.random(X.shape) < 0.1] = np.nan
        yield f"drawn{seed}", X, y


def main() -> None:
    """Print one line per method and table."""
    warnings.simplefilter("ignore")
    for name, X, y in tables():
        for method in imbcore.methods():
            try:
                model = imbcore.fit(
                    X, y, method.name, random_state=0, n_threads=2, **OPTIONS.get(method.name, {})
                )
                found = np.ascontiguousarray(model.predict_proba(X)).tobytes()
                digest = hashlib.sha256(found).hexdigest()[:16]
            except imbcore.ImbcoreError as error:
                digest = type(error).__name__
            print(f"{name} {method.name} {digest}", flush=True)


if __name__ == "__main__":
    main()
