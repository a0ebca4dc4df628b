"""Level of Iman and Davenport's F for methods without differences.

Random tables of scores, in which all ranks of the methods are equally likely: the fraction of the tables with
p <= 0.05, for several numbers of methods and data sets. The page about statistics shows this table.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import argparse

import numpy as np
from scipy import stats

METHODS, DATASETS = (2, 3, 4, 6, 10), (2, 3, 4, 5, 7, 10, 13, 15, 20, 30)
LEVEL = 0.05


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100_000, metavar="N", help="of every size")
    n_tables = parser.parse_args().tables
    rng = np.random.default_rng(0)
    print("| methods |", " | ".join(map(str, DATASETS)), "|")
    for k in METHODS:
        levels = [100 * level_of_f(rng, n_tables, n, k) for n in DATASETS]
        print(f"| {k} |", " | ".join(f"{level:.2g}" for level in levels), "|")
    two = [100 * level_of_f(rng, n_tables, n, 2) for n in range(30, 41)]
    print(f"2 methods on 30 to 40 data sets: at most {max(two):.2g} %")


def level_of_f(rng: np.random.Generator, n_tables: int, n: int, k: int) -> float:
    """Fraction of random tables (n data sets, k methods) in which F has p <= 0.05."""
    sums = np.zeros((n_tables, k))
    for _ in range(n):
        sums += rng.permuted(np.tile(np.arange(1.0, k + 1), (n_tables, 1)), axis=1)
    chi2 = 12 * n / (k * (k + 1)) * ((sums / n - (k + 1) / 2) ** 2).sum(axis=1)
    most = n * (k - 1)
    agreed = chi2 >= most * (1 - 1e-12)
    f = (n - 1) * chi2 / np.where(agreed, 1.0, most - chi2)
    return float(np.mean(agreed | (stats.f.sf(f, k - 1, (k - 1) * (n - 1)) <= LEVEL)))


if __name__ == "__main__":
    main()
