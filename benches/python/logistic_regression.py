"""Time of logistic regression against scikit-learn's fastest solver, at an equal objective.

Both sides encode the same table of 100,000 rows with 40 numbers and 10 columns of 30 levels: standardized
numbers and one-hot levels. A run of scikit-learn counts if its penalized log loss is at most 1e-8, relative,
above the smallest one found; for each solver the largest tolerance that reaches it is taken.

Usage: python benches/python/logistic_regression.py [--rows N] [--repeats N]
"""

import argparse
import time
import warnings

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import imbcore

SOLVERS = ["lbfgs", "newton-cholesky", "newton-cg"]
TOLERANCES = [1e-3, 1e-4, 1e-5, 1e-6, 1e-8]
C = 1.0


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


def fit_imbcore(X: pd.DataFrame, y: np.ndarray) -> tuple[float, float]:
    """Return the seconds of a fit, and its objective."""
    start = time.perf_counter()
    model = imbcore.fit(X, y, "logistic_regression", C=C, numeric="linear")
    seconds = time.perf_counter() - start
    return seconds, objective(model.predict_proba(X), y, model.coef_)


def fit_sklearn(X: pd.DataFrame, y: np.ndarray, solver: str, tol: float) -> tuple[float, float]:
    """Return the seconds of encoding and a fit, and the objective."""
    start = time.perf_counter()
    numbers = [name for name in X if name.startswith("x")]
    encoder = make_column_transformer(
        (StandardScaler(), numbers),
        (OneHotEncoder(), [name for name in X if name not in numbers]),
    )
    design = encoder.fit_transform(X)
    model = LogisticRegression(C=C, solver=solver, tol=tol, max_iter=3000).fit(design, y)
    seconds = time.perf_counter() - start
    return seconds, objective(model.predict_proba(design), y, model.coef_)


def main() -> None:
    """Print the times and the ratio to the fastest solver."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    X, y = table(given.rows)
    fit_imbcore(X.iloc[:2000], y[:2000])
    own = [fit_imbcore(X, y) for _ in range(given.repeats)]
    seconds, best = min(own)
    print(f"imbcore {seconds:.3f} s, objective {best:.9g}")
    runs = {}
    for solver in SOLVERS:
        for tol in TOLERANCES:
            found = fit_sklearn(X, y, solver, tol)
            runs[solver, tol] = found
            if found[1] <= best * (1 + 1e-8):
                break
    smallest = min(best, *(value for _, value in runs.values()))
    peers = {}
    for (solver, tol), (_, value) in runs.items():
        reached = value <= smallest * (1 + 1e-8)
        if reached:
            peers[solver] = min(fit_sklearn(X, y, solver, tol)[0] for _ in range(given.repeats))
        note = f"{peers[solver]:.3f} s" if reached else "not equal"
        print(f"scikit-learn {solver} tol={tol:g}: {note}, excess {value / smallest - 1:.1e}")
    print(f"excess of imbcore {best / smallest - 1:.1e}")
    fastest = min(peers, key=peers.__getitem__)
    print(f"ratio {peers[fastest] / seconds:.1f} to {fastest}")


if __name__ == "__main__":
    main()
