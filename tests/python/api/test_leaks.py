"""Columns known only after the target: fit and evaluate name them in a warning."""

import warnings

import numpy as np
import pandas as pd
import pytest

import imbcore

N = 2000


def table(n_positives=40):
    rng = np.random.default_rng(0)
    y = np.zeros(N, dtype=int)
    y[rng.choice(N, n_positives, replace=False)] = 1
    return pd.DataFrame({"amount": rng.normal(size=N), "kind": rng.choice(["u", "v"], N)}), y, rng


def warned(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(one.message) for one in caught if issubclass(one.category, imbcore.DataWarning)]


def some(values, y, rng):
    """Values present for some positives and no negative."""
    return pd.Series(values, dtype=object).where((y == 1) & (rng.random(N) < 0.6), None)


# Any column type: numbers, text, categories, booleans, and nulls of Arrow.
FILLED = {
    "number": lambda y, rng: some(rng.normal(size=N), y, rng).astype(float),
    "text": lambda y, rng: some(rng.choice(["refund", "chargeback"], N), y, rng),
    "category": lambda y, rng: some(rng.choice(["a", "b"], N), y, rng).astype("category"),
    "constant": lambda y, rng: some(np.ones(N), y, rng).astype(float),
    "boolean": lambda y, rng: some(np.ones(N, dtype=bool), y, rng).astype("boolean"),
    "all positives": lambda y, rng: pd.Series(rng.normal(size=N)).where(y == 1),
    "all negatives": lambda y, rng: pd.Series(rng.normal(size=N)).where(y == 0),
}


@pytest.mark.parametrize("kind", FILLED)
@pytest.mark.parametrize("method", ["cart", "naive_bayes"])
def test_column_present_for_one_class_only_is_named(kind, method):
    """Such a column is known only after the target, for any type."""
    X, y, rng = table()
    X["closed"] = FILLED[kind](y, rng)
    for call in (
        lambda: imbcore.fit(X, y, method, random_state=0),
        lambda: imbcore.evaluate(X, y, method, folds=3, random_state=0),
    ):
        texts = [text for text in warned(call) if text.startswith("column 'closed'")]
        assert len(texts) == 1
        assert "is filled for rows of class" in texts[0] or "alone separates the classes" in texts[0]
        assert texts[0].endswith("if it is known only after the target, leave it out")


def test_column_present_for_one_class_by_chance_is_silent():
    X, y, rng = table()
    rare = pd.Series(np.full(N, np.nan))
    rare[rng.choice(np.flatnonzero(y == 0), 30, replace=False)] = 1.0
    X["rare"] = rare
    X["half"] = pd.Series(rng.normal(size=N)).where(rng.random(N) < 0.5)
    assert warned(lambda: imbcore.fit(X, y, "cart")) == []


NEARLY = {
    "number": lambda y, rng: (
        np.where(rng.random(N) < 0.004 * (y.sum() > 50), 1, y) * 10.0 + rng.normal(size=N)
    ),
    "reversed": lambda y, rng: (
        -10.0 * np.where(rng.random(N) < 0.004 * (y.sum() > 50), 1, y) + rng.normal(size=N)
    ),
    "level": lambda y, rng: np.where(
        np.where(rng.random(N) < 0.004 * (y.sum() > 50), 1, y) == 1, "paid", "due"
    ),
    "missing": lambda y, rng: np.where(
        np.where(rng.random(N) < 0.004 * (y.sum() > 50), 1, y) == 1, np.nan, rng.normal(size=N)
    ),
}


@pytest.mark.parametrize("kind", NEARLY)
@pytest.mark.parametrize("n_positives", [12, 200])
def test_column_that_nearly_separates_the_classes_is_named(kind, n_positives):
    X, y, rng = table(n_positives)
    X["closed"] = NEARLY[kind](y, rng)
    for call in (lambda: imbcore.fit(X, y, "cart"), lambda: imbcore.evaluate(X, y, "cart", folds=3)):
        texts = [text for text in warned(call) if text.startswith("column 'closed'")]
        assert len(texts) == 1
        # If no positive has a value, the column is also present for the other class only.
        assert "alone separates the classes" in texts[0] or (
            kind == "missing" and "is filled for" in texts[0]
        )


@pytest.mark.parametrize("n_positives", [8, 40])
def test_columns_that_separate_less_do_not_warn(n_positives):
    """Keys, good features, and classes of fewer than 10 rows are not leaks."""
    X, y, rng = table(n_positives)
    X["good"] = 2.5 * y + rng.normal(size=N)
    X["key"] = [f"k{row % 700}" for row in range(N)]
    if n_positives < 10:
        X["closed"] = np.where(rng.random(N) < 0.004 * (y.sum() > 50), 1, y) * 10.0 + rng.normal(size=N)
    assert [text for text in warned(lambda: imbcore.fit(X, y, "cart")) if "alone separates" in text] == []


def test_fold_with_label_errors_does_not_hide_a_leak():
    """The mean over the folds decides: 1 % of wrong labels leave an AUC of about 0.99."""
    X, y, rng = table(200)
    X["closed"] = np.where(rng.random(N) < 0.01, 1 - y, y).astype(float)
    (text,) = [
        text for text in warned(lambda: imbcore.fit(X, y, "cart")) if text.startswith("column 'closed'")
    ]
    assert "cross-validated AUC of one split: 0.99" in text


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_few_real_data_sets_warn():
    """TSH defines hypothyroidism (allhypo); in the other two a column separates a distinct class."""
    found = {}
    for name in imbcore.datasets.names():
        try:
            data = imbcore.datasets.load(name, download=False)
        except FileNotFoundError:
            continue
        texts = warned(lambda data=data: imbcore.fit(data.X, data.y, "cart", max_depth=1))
        columns = [
            text.split("'")[1] for text in texts if "alone separates" in text or "is filled for" in text
        ]
        if columns:
            found[name] = columns
    if not found:
        pytest.skip("no data sets: set IMBCORE_DATA to a folder that holds them")
    assert found == {"allhypo": ["TSH"], "shuttle04": ["A1", "A7"], "soybean2": ["int-discolor"]}
