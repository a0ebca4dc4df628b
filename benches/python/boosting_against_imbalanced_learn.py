"""RUSBoost and EasyEnsemble compared with imbalanced-learn, on the same data in one run.

CPU time of a fit and of predictions for as many rows, with one thread; number of members that were actually
fitted; held-out AUC. At the end, boosting and extra trees of other libraries with defaults. Run it with
``make bench``, or alone with ``--rows``. Every line prints the figures and their ratio; nothing is asserted
because machines differ.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from typing import Any

# One thread per fit, also in the libraries below scikit-learn.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from imblearn.ensemble import EasyEnsembleClassifier, RUSBoostClassifier
from shared_peers import peer_fits
from sklearn.ensemble import AdaBoostClassifier
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier

import imbcore


def make(rows: int, features: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian features, of which a few shift the log-odds; 1 % positives with some noise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, features))
    score = x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * x[:, 3] ** 2 + rng.normal(size=rows)
    return x, (score > np.quantile(score, 0.99)).astype(np.int64)


def fitted(fit: Callable[[], Any]) -> tuple[Any, float]:
    """Fit a model, or return None if that fails; CPU seconds over all threads."""
    start = time.process_time()
    try:
        model = fit()
    except ValueError:
        model = None
    return model, time.process_time() - start


def main() -> None:
    """Print one line per comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    options = parser.parse_args()
    x, y = make(options.rows, 20)
    x_test, y_test = make(options.rows, 20, seed=1)
    print(f"imbcore {imbcore.__version__}, {options.rows} x 20, 1 % positives, 1 thread")

    def ours(method: str, **given: Any) -> Callable[[], Any]:
        return lambda: imbcore.fit(x, y, method=method, n_threads=1, random_state=0, **given)

    def boosted(**given: Any) -> AdaBoostClassifier:
        return AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), random_state=0, **given)

    def auc(model: Any) -> str:
        if model is None:
            return "no member"
        n = sum(len(member[-1]) if hasattr(member, "steps") else 1 for member in model.estimators_)
        return f"{n} members, AUC {roc_auc_score(y_test, model.predict_proba(x_test)[:, 1]):.4f}"

    ours("rusboost", n_estimators=1)()
    deep = {"max_depth": 8}
    for label, first, second in [
        (
            "RUSBoost, 50 stumps",
            ours("rusboost"),
            lambda: RUSBoostClassifier(n_estimators=50, random_state=0).fit(x, y),
        ),
        (
            "RUSBoost, 50 trees of depth 8",
            ours("rusboost", estimator_params=deep),
            lambda: RUSBoostClassifier(DecisionTreeClassifier(**deep), n_estimators=50, random_state=0).fit(
                x, y
            ),
        ),
        (
            "EasyEnsemble, 10 samples of 10 stumps",
            ours("easy_ensemble"),
            lambda: EasyEnsembleClassifier(10, boosted(n_estimators=10), random_state=0).fit(x, y),
        ),
        (
            "EasyEnsemble, 10 samples of 50 stumps",
            ours("easy_ensemble", n_rounds_per_subset=50),
            lambda: EasyEnsembleClassifier(10, boosted(n_estimators=50), random_state=0).fit(x, y),
        ),
    ]:
        (model, mine), (peer, theirs) = fitted(first), fitted(second)
        print(
            f"{label + ', CPU':<44} {mine:>8.3f} s ({auc(model)}) {theirs:>8.3f} s ({auc(peer)})   "
            f"{theirs / mine:>6.2f} x",
            flush=True,
        )
        if peer is not None:
            _, mine = fitted(lambda model=model: model.predict_proba(x_test, n_threads=1))
            _, theirs = fitted(lambda peer=peer: peer.predict_proba(x_test))
            print(
                f"{'predictions, CPU':>44} {mine:>8.3f} s {theirs:>8.3f} s   {theirs / mine:>6.2f} x",
                flush=True,
            )
    peer_fits((x, y), (x_test, y_test))


if __name__ == "__main__":
    main()
