"""Time of logistic regression against scikit-learn's fastest solver, at an equal objective.

Both sides encode the same table of 100,000 rows with 40 numbers and 10 columns of 30 levels: standardized
numbers and one-hot levels. A run of scikit-learn counts if its penalized log loss is at most 1e-8, relative,
above the smallest one found; for each solver the largest tolerance that reaches it is taken. Seconds are of
the CPU, with one thread on both sides; wall seconds are printed, too. The encoded table is sparse in
scikit-learn, as its defaults choose, and also dense.

``--coefficients`` compares the coefficients of both libraries on one design matrix instead, with a tolerance
of 1e-10 in scikit-learn. Its solver `lbfgs` stops earlier, by its tolerance of the objective.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from typing import NamedTuple

# One thread on both sides.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import imbcore

SOLVERS = ["lbfgs", "newton-cholesky", "newton-cg"]
TOLERANCES = [1e-3, 1e-4, 1e-5, 1e-6, 1e-8]
C = 1.0
# Largest relative excess of the objective of a run that counts.
EQUAL = 1e-8


class Run(NamedTuple):
    """CPU and wall seconds of encoding and a fit, and the objective."""

    cpu: float
    wall: float
    objective: float


def table(n_rows: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Simulate numbers, levels and labels with 5 % positives."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"x{at}": rng.normal(size=n_rows) * 10.0 ** (at % 5) for at in range(40)})
    score = X.to_numpy() @ (rng.normal(size=40) / 10.0 ** (np.arange(40) % 5)) / 4
    for at in range(10):
        codes = rng.integers(0, 30, n_rows)
        X[f"level{at}"] = pd.Categorical.from_codes(codes, [f"l{code}" for code in range(30)])
        score += rng.normal(size=30)[codes] / 3
    score += rng.logistic(size=n_rows)
    return X, (score > np.quantile(score, 0.95)).astype(int)


def objective(proba: np.ndarray, y: np.ndarray, coef: np.ndarray) -> float:
    """Penalized log loss of the fit."""
    p = np.where(y == 1, proba[:, 1], proba[:, 0])
    return float(-C * np.log(p).sum() + 0.5 * (coef**2).sum())


def fit_imbcore(X: pd.DataFrame, y: np.ndarray) -> Run:
    """Encode and fit."""
    cpu, wall = time.process_time(), time.perf_counter()
    model = imbcore.fit(X, y, "logistic_regression", C=C, numeric="linear", n_threads=1)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return Run(cpu, wall, objective(model.predict_proba(X), y, model.coef_))


def fit_sklearn(X: pd.DataFrame, y: np.ndarray, solver: str, tol: float, *, dense: bool) -> Run:
    """Encode and fit."""
    cpu, wall = time.process_time(), time.perf_counter()
    numbers = [name for name in X if name.startswith("x")]
    encoder = make_column_transformer(
        (StandardScaler(), numbers),
        (OneHotEncoder(), [name for name in X if name not in numbers]),
        sparse_threshold=0.0 if dense else 0.3,
    )
    design = encoder.fit_transform(X)
    model = LogisticRegression(C=C, solver=solver, tol=tol, max_iter=3000).fit(design, y)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return Run(cpu, wall, objective(model.predict_proba(design), y, model.coef_))


def compare_times(n_rows: int, repeats: int) -> None:
    """Print the times of all solvers, and the ratio to the fastest."""
    X, y = table(n_rows)
    fit_imbcore(X.iloc[:2000], y[:2000])
    own = min(fit_imbcore(X, y) for _ in range(repeats))
    print(f"imbcore {own.cpu:.3f} s CPU, {own.wall:.3f} s wall, objective {own.objective:.12g}", flush=True)
    runs: dict[tuple[str, bool, float], Run] = {}
    for solver in SOLVERS:
        for dense in (False, True):
            for tol in TOLERANCES:
                found = runs[solver, dense, tol] = fit_sklearn(X, y, solver, tol, dense=dense)
                print(
                    f"{solver} {tol:g}: {found.cpu:.3f} s CPU, objective {found.objective:.12g}", flush=True
                )
                if found.objective <= own.objective * (1 + EQUAL):
                    break
    smallest = min(own.objective, *(run.objective for run in runs.values()))
    peers: dict[str, Run] = {}
    for (solver, dense, tol), run in runs.items():
        excess = run.objective / smallest - 1
        if excess <= EQUAL:
            again = (fit_sklearn(X, y, solver, tol, dense=dense) for _ in range(repeats - 1))
            name = f"{solver}, {'dense' if dense else 'sparse'}"
            peers[name] = min(run, *again, key=lambda of: of.cpu) if repeats > 1 else run
            text = f"{peers[name].cpu:.3f} s CPU, {peers[name].wall:.3f} s wall"
            print(f"scikit-learn {name} tol={tol:g}: {text}, excess {excess:.1e}")
    print(f"excess of imbcore {own.objective / smallest - 1:.1e}")
    fastest = min(peers, key=lambda name: peers[name].cpu)
    print(f"ratio {peers[fastest].cpu / own.cpu:.1f} to {fastest}")


def compare_coefficients() -> None:
    """Print the largest relative difference of a coefficient, over several tables and penalties."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        # Columns of unit variance: imbcore then standardizes to the same design matrix.
        x = rng.normal(size=(3000, 12)) @ rng.normal(size=(12, 12))
        x = (x - x.mean(axis=0)) / x.std(axis=0)
        score = x @ rng.normal(size=12) / 4 - 3
        y = (rng.random(len(x)) < 1 / (1 + np.exp(-score))).astype(int)
        for penalty in (0.01, 1.0, 100.0):
            own = imbcore.fit(x, y, "logistic_regression", C=penalty, numeric="linear")
            worst = {}
            for solver in SOLVERS:
                peer = LogisticRegression(C=penalty, solver=solver, tol=1e-10, max_iter=1000).fit(x, y)
                ours = np.r_[np.ravel(own.coef_), np.ravel(own.intercept_)]
                theirs = np.r_[np.ravel(peer.coef_), np.ravel(peer.intercept_)]
                worst[solver] = float(np.max(np.abs(ours - theirs) / np.abs(theirs)))
            text = ", ".join(f"{solver} {value:.1e}" for solver, value in worst.items())
            print(f"seed {seed}, C={penalty:g}: largest relative difference {text}", flush=True)


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--coefficients", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.coefficients:
        compare_coefficients()
    else:
        compare_times(given.rows, given.repeats)


if __name__ == "__main__":
    main()
