"""Other libraries in the benches: ``python/papers/peers.py``, with seconds and quality of one fit."""

import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import average_precision_score, log_loss, roc_auc_score

sys.path.append(str(Path(__file__).resolve().parents[2] / "python" / "papers"))

from peers import CORE, fit_peer, installed

__all__ = ["CORE", "fit_peer", "installed", "peer_fits"]


def peer_fits(
    train: tuple[Any, np.ndarray],
    test: tuple[Any, np.ndarray],
    names: Iterable[str] = CORE,
    *,
    threads: int = 1,
) -> None:
    """Fit other libraries with default settings and print CPU seconds and held-out quality, one line each."""
    for name in installed(names):
        start = time.process_time()
        model = fit_peer(name, *train, threads=threads)
        fitted = time.process_time()
        proba = model.predict_proba(test[0])[:, 1]
        done = time.process_time()
        print(
            f"{name + ', defaults':<30} fit {fitted - start:8.2f} s CPU, {len(proba):,} rows "
            f"{done - fitted:6.2f} s CPU; AUC {roc_auc_score(test[1], proba):.4f}, AP "
            f"{average_precision_score(test[1], proba):.4f}, log loss {log_loss(test[1], proba):.5f}",
            flush=True,
        )
