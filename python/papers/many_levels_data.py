"""Simulated tables with nominal columns of hundreds or thousands of levels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

SETS = ("cards", "merchants300", "merchants3000", "many_levels")


class Split(NamedTuple):
    """Rows of a simulated table for training and for tests, and its nominal columns."""

    train: pd.DataFrame
    y: NDArray[np.int64]
    new: pd.DataFrame
    truth: NDArray[np.int64]
    identifiers: list[str]


def simulate(name: str, seed: int) -> Split:
    """Simulate one of the sets."""
    if name == "cards":
        return cards_split(seed)
    if name == "many_levels":
        return halves(*many_levels(seed), ["shop"])
    return halves(*merchants(seed, int(name.removeprefix("merchants"))), ["merchant"])


def halves(frame: pd.DataFrame, y: NDArray[np.int64], identifiers: list[str]) -> Split:
    """Divide a table into its first and its second half."""
    n = len(y) // 2
    return Split(frame[:n], y[:n], frame[n:].reset_index(drop=True), y[n:], identifiers)


def sigmoid(z: Any) -> Any:
    """Compute the logistic function."""
    return 1 / (1 + np.exp(-z))


def many_levels(seed: int, n: int = 20_000, levels: int = 1000) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """Simulate one column of 1,000 levels with effects, and three numbers."""
    rng = np.random.default_rng(seed)
    shop, x, effect = rng.integers(0, levels, n), rng.normal(size=(n, 3)), rng.normal(0, 1, levels)
    y = (rng.random(n) < sigmoid(-4 + x[:, 0] + effect[shop])).astype(int)
    frame = pd.DataFrame(x, columns=list("abc"))
    frame["shop"] = [f"s{code:04d}" for code in shop]
    frame["kind"] = [f"k{code}" for code in rng.integers(0, 5, n)]
    return frame, y


def merchants(seed: int, levels: int, n: int = 30_000) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """Simulate a column whose level frequencies follow a power law, and interactions of numbers."""
    rng = np.random.default_rng(seed)
    effect, weight = rng.normal(0, 1.6, levels), 1 / np.arange(1, levels + 1) ** 1.1
    merchant, country = rng.choice(levels, n, p=weight / weight.sum()), rng.integers(0, 30, n)
    of_country = np.random.default_rng(seed + 1).normal(0, 0.5, 30)
    x = rng.normal(size=(n, 6))
    score = -5.2 + effect[merchant] + of_country[country] + 0.8 * x[:, 0] + 0.6 * x[:, 1] * x[:, 2]
    y = (rng.random(n) < sigmoid(score - 0.5 * (x[:, 3] > 1))).astype(int)
    frame = pd.DataFrame(x, columns=[f"x{at}" for at in range(6)])
    frame["merchant"] = [f"m{code:05d}" for code in merchant]
    frame["country"] = [f"c{code:02d}" for code in country]
    return frame, y


def cards_split(seed: int) -> Split:
    """Card payments of days 42 to 48 for training, and of days 56 to 62 as new rows."""
    data = cards(seed)
    data["weekend"] = (data["day"] % 7 >= 5).astype(float)
    identifiers = ["customer", "terminal"]
    for name in identifiers:
        data[name] = name[0] + data[name].astype(int).astype(str)
    columns = ["amount", "sec", "weekend", *identifiers]
    train, new = (
        data[(data["day"] >= first) & (data["day"] < first + 7)].reset_index(drop=True) for first in (42, 56)
    )
    return Split(train[columns], train["y"].to_numpy(), new[columns], new["y"].to_numpy(), identifiers)


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
