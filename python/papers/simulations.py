"""Simulated tables, most of them with known class probabilities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

# Sets with nominal columns of hundreds or thousands of levels.
MANY_LEVELS = ("cards", "merchants300", "merchants3000", "many_levels")
# Number of test rows of a cell of the grid, of which the probabilities are known.
N_TEST = 20_000
# Every class has at least this number of training rows, so that inner folds have both.
FEWEST = 2


class Split(NamedTuple):
    """Rows of a simulated table for training and for tests.

    ``proba`` are the true probabilities of the test rows (None if unknown), ``identifiers`` the names of the
    columns with many levels, ``groups`` those of the training rows, if there are any.
    """

    train: Any
    y: Labels
    new: Any
    truth: Labels
    proba: Floats | None = None
    identifiers: tuple[str, ...] = ()
    groups: Labels | None = None


def sigmoid(z: Any) -> Any:
    """Compute the logistic function."""
    return 1 / (1 + np.exp(-z))


def true_auc(p: Floats) -> float:
    """AUC of the true probabilities ``p`` for labels drawn from them."""
    p = np.sort(p)
    below = np.cumsum(1 - p) - (1 - p) / 2
    return float(np.sum(p * below) / (p.sum() * (1 - p).sum()))


def bisect(value: Callable[[float], float], low: float, high: float) -> float:
    """Root of an increasing function."""
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if value(middle) < 0 else (low, middle)
    return (low + high) / 2


def draw_labels(rng: np.random.Generator, p: Floats, n_train: int) -> Labels:
    """Draw labels until both classes have enough training rows."""
    y = (rng.random(len(p)) < p).astype(np.int64)
    while not FEWEST <= y[:n_train].sum() <= n_train - FEWEST:
        y[:n_train] = rng.random(n_train) < p[:n_train]
    return y


def split_at(rows: int, x: Any, y: Labels, p: Floats, **others: Any) -> Split:
    """Divide a table after a number of training rows."""
    if isinstance(x, pd.DataFrame):
        return Split(x[:rows], y[:rows], x[rows:].reset_index(drop=True), y[rows:], p[rows:], **others)
    return Split(x[:rows], y[:rows], x[rows:], y[rows:], p[rows:], **others)


def grid_cell(seed: int, rows: int, prevalence: float, area: float, noise: int) -> Split:
    """Simulate a table of given size, prevalence, AUC of the truth and columns of noise.

    The score has a linear effect, an interaction and a step; its scale gives the AUC.
    """
    rng = np.random.default_rng([seed, rows, round(1000 * prevalence), round(1000 * area), noise])
    x = rng.normal(size=(rows + N_TEST, 4 + noise))
    z = x[:, 0] + 0.7 * x[:, 1] * x[:, 2] - 0.7 * (x[:, 3] > 1)

    def probabilities(scale: float) -> Floats:
        start = bisect(lambda start: sigmoid(start + scale * z).mean() - prevalence, -30.0, 10.0)
        return sigmoid(start + scale * z)

    p = probabilities(bisect(lambda scale: true_auc(probabilities(scale)) - area, 0.0, 20.0))
    return split_at(rows, x, draw_labels(rng, p, rows), p)


def weak_signal(seed: int) -> Split:
    """Simulate ten columns and 1.3 % positives with a true AUC of about 0.73; 10,000 rows train."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(40_000, 10))
    p = sigmoid(-4.6 + 0.7 * x[:, 0] + 0.5 * x[:, 1] * x[:, 2] - 0.5 * (x[:, 3] > 1))
    return split_at(10_000, x, draw_labels(rng, p, 10_000), p)


def similar_rows(seed: int, n_groups: int = 1200, size: int = 10) -> Split:
    """Simulate groups of nearly equal rows that have one label."""
    rng = np.random.default_rng(seed)
    center = rng.normal(size=(n_groups, 6))
    of_group = sigmoid(center[:, 0] - 3)
    label = draw_labels(rng, of_group, n_groups // 2)
    groups = np.repeat(np.arange(n_groups), size)
    x = center[groups] + 0.05 * rng.normal(size=(len(groups), 6))
    n_train = n_groups // 2 * size
    return split_at(n_train, x, label[groups], of_group[groups], groups=groups[:n_train])


def with_many_levels(name: str, seed: int) -> Split:
    """Simulate one of ``MANY_LEVELS``."""
    if name == "cards":
        return cards_split(seed)
    if name == "many_levels":
        return shops(seed)
    return merchants(seed, int(name.removeprefix("merchants")))


def shops(seed: int, n: int = 20_000, levels: int = 1000) -> Split:
    """Simulate one column of 1,000 levels with effects, and three numbers."""
    rng = np.random.default_rng(seed)
    shop, x, effect = rng.integers(0, levels, n), rng.normal(size=(n, 3)), rng.normal(0, 1, levels)
    p = sigmoid(-4 + x[:, 0] + effect[shop])
    y = draw_labels(rng, p, n // 2)
    frame = pd.DataFrame(x, columns=list("abc"))
    frame["shop"] = [f"s{code:04d}" for code in shop]
    frame["kind"] = [f"k{code}" for code in rng.integers(0, 5, n)]
    return split_at(n // 2, frame, y, p, identifiers=("shop",))


def merchants(seed: int, levels: int, n: int = 30_000) -> Split:
    """Simulate a column whose level frequencies follow a power law, and interactions of numbers."""
    rng = np.random.default_rng(seed)
    effect, weight = rng.normal(0, 1.6, levels), 1 / np.arange(1, levels + 1) ** 1.1
    merchant, country = rng.choice(levels, n, p=weight / weight.sum()), rng.integers(0, 30, n)
    of_country = np.random.default_rng(seed + 1).normal(0, 0.5, 30)
    x = rng.normal(size=(n, 6))
    score = -5.2 + effect[merchant] + of_country[country] + 0.8 * x[:, 0] + 0.6 * x[:, 1] * x[:, 2]
    p = sigmoid(score - 0.5 * (x[:, 3] > 1))
    y = draw_labels(rng, p, n // 2)
    frame = pd.DataFrame(x, columns=[f"x{place}" for place in range(6)])
    frame["merchant"] = [f"m{code:05d}" for code in merchant]
    frame["country"] = [f"c{code:02d}" for code in country]
    return split_at(n // 2, frame, y, p, identifiers=("merchant",))


def cards_split(seed: int) -> Split:
    """Card payments of days 42 to 48 for training, and of days 56 to 62 as new rows."""
    data = cards(seed)
    data["weekend"] = (data["day"] % 7 >= 5).astype(float)
    identifiers = ("customer", "terminal")
    for name in identifiers:
        data[name] = name[0] + data[name].astype(int).astype(str)
    columns = ["amount", "sec", "weekend", *identifiers]
    train, new = (
        data[(data["day"] >= first) & (data["day"] < first + 7)].reset_index(drop=True) for first in (42, 56)
    )
    return Split(
        train[columns], train["y"].to_numpy(), new[columns], new["y"].to_numpy(), identifiers=identifiers
    )


def cards(seed: int, n_customers: int = 1500, n_terminals: int = 3000, days: int = 70) -> pd.DataFrame:
    """Simulate payments at terminals near the customers, with three kinds of fraud.

    It follows the description in the Fraud Detection Handbook (Le Borgne et al. 2022, chapter 3.2): amounts
    above 220, terminals compromised for 28 days, and cards used by thieves for 14 days.
    """
    rng = np.random.default_rng(seed)
    customer_at = rng.uniform(0, 100, (n_customers, 2))
    terminal_at = rng.uniform(0, 100, (n_terminals, 2))
    mean, rate = rng.uniform(5, 100, n_customers), rng.uniform(0, 4, n_customers)
    near = [np.flatnonzero(((terminal_at - place) ** 2).sum(1) < 9) for place in customer_at]
    payments = pd.DataFrame(
        np.concatenate(list(days_of_payments(rng, (mean, rate), near, days))),
        columns=["day", "sec", "customer", "terminal", "amount"],
    )
    payments["time"] = payments["day"] * 86400 + payments["sec"]
    payments = payments.sort_values("time").reset_index(drop=True)
    fraud = (payments["amount"] > 220).to_numpy().copy()
    for day in range(days):
        (terminal,) = rng.choice(n_terminals, 1)
        fraud |= within(payments, day, 28) & (payments["terminal"] == terminal).to_numpy()
        (customer,) = rng.choice(n_customers, 1)
        stolen = np.flatnonzero(within(payments, day, 14) & (payments["customer"] == customer).to_numpy())
        stolen = rng.choice(stolen, len(stolen) // 3, replace=False) if len(stolen) else stolen
        payments.loc[stolen, "amount"] *= 5
        fraud[stolen] = True
    payments["y"] = fraud.astype(int)
    return payments


def days_of_payments(
    rng: np.random.Generator,
    customers: tuple[NDArray[np.float64], NDArray[np.float64]],
    near: list[NDArray[np.int64]],
    days: int,
) -> Iterator[NDArray[np.float64]]:
    """Draw the payments of every customer and day."""
    mean, rate = customers
    for day in range(days):
        count = rng.poisson(rate)
        for customer in np.flatnonzero(count):
            if len(near[customer]) == 0:
                continue
            n = count[customer]
            sec = np.clip(rng.normal(43200, 20000, n), 0, 86399)
            amount = rng.normal(mean[customer], mean[customer] / 2, n)
            amount = np.where(amount < 0, rng.uniform(0, 2 * mean[customer], n), amount)
            terminal = rng.choice(near[customer], n)
            yield np.c_[np.full(n, day), sec, np.full(n, customer), terminal, amount]


def within(payments: pd.DataFrame, day: int, n_days: int) -> NDArray[np.bool_]:
    """Mark the payments of a period."""
    return ((payments["day"] >= day) & (payments["day"] < day + n_days)).to_numpy()
