"""Splits that the user gives to `evaluate`.

Kind: `folds` accepts what `cv` of scikit-learn accepts, and the result is that of fits by hand on these rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GroupKFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)

import imbcore
from imbcore import metrics
from imbcore.exceptions import DataError, ParameterError

RNG = np.random.default_rng(3)
N = 300
Y = (RNG.random(N) < 0.3).astype(int)
X = np.column_stack([Y + RNG.normal(size=N), RNG.normal(size=N)])
DAY = np.arange(N) // 3
LINE = LogisticRegression()


@pytest.mark.parametrize(
    "splitter",
    [
        StratifiedKFold(4),
        RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
        ShuffleSplit(4, random_state=0),
        PredefinedSplit(np.arange(N) % 3 - 1),
    ],
)
def test_splitters_give_the_scores_of_scikit_learn(splitter: Any) -> None:
    expected = cross_val_score(LINE, X, Y, cv=splitter, scoring="average_precision")
    pairs = list(splitter.split(X, Y))
    for folds in (splitter, pairs, iter(pairs)):
        found = imbcore.evaluate(X, Y, LINE, folds=folds)
        assert found.metrics["average_precision"] == pytest.approx(expected)
        assert found.folds * found.repeats == len(pairs)
    assert (
        found.rows.tolist() == np.unique(np.concatenate([test for _, test in pairs[: found.folds]])).tolist()
    )
    assert np.isfinite(found.interval()["average_precision"]).all()


@pytest.mark.parametrize("method", ["cart", LINE])
@pytest.mark.parametrize("as_booleans", [False, True])
def test_one_split_in_time(method: Any, as_booleans: bool) -> None:
    """As "train until a day, test from a later day", which needed a loop by hand."""
    train, test = DAY < 60, DAY >= 70
    rows = (train, test) if as_booleans else (np.flatnonzero(train), np.flatnonzero(test).tolist())
    found = imbcore.evaluate(X, Y, {"one": method}, folds=[rows], random_state=0, policies=True)
    one = found["one"]
    assert (one.folds, one.repeats, one.parts) == (1, 1, "1 given split")
    assert one.rows.tolist() == np.flatnonzero(test).tolist()
    assert one.y.tolist() == Y[test].tolist()
    fit = (
        imbcore.fit(X[train], Y[train], method, random_state=0)
        if method == "cart"
        else LINE.fit(X[train], Y[train])
    )
    assert one.proba[:, 1] == pytest.approx(fit.predict_proba(X[test])[:, 1])
    expected = metrics.average_precision_score(Y[test], one.proba[:, 1])
    assert one.mean()["average_precision"] == pytest.approx(expected)
    assert found["(always)"].mean()["recall"] == 1.0
    text = str(found)
    assert "nan" not in text.split("\n\n")[0]
    assert "±" not in text
    assert str(one).count("1 given split") == 1
    assert "<table>" in found._repr_html_()


@pytest.mark.filterwarnings("ignore:.*does not fit the final model")
def test_groups_and_times_act_in_the_fits_and_scores_only() -> None:
    """Known groups stay in the training rows; labels that are not known yet are dropped on request."""
    train, test = np.flatnonzero(DAY < 60), np.flatnonzero(DAY >= 70)
    customer = np.arange(N) % 150
    given: dict[str, Any] = {"folds": [(train, test)], "time": DAY, "groups": customer, "random_state": 0}
    budget = {"alerts": 2, "per": {"time": 1.0}}
    found = imbcore.evaluate(X, Y, "naive_bayes", threshold=budget, alerts=budget, **given)
    assert found.dropped == {}
    fit = imbcore.fit(
        X[train],
        Y[train],
        "naive_bayes",
        threshold=budget,
        time=DAY[train],
        groups=customer[train],
        random_state=0,
    )
    alerts = fit.predict(X[test]) == 1
    assert found.predicted.tolist() == alerts.astype(int).tolist()
    per_day = metrics.alerts_per_day(alerts, time=DAY[test], groups=customer[test])
    assert found.mean()["alerts_per_day"] == pytest.approx(per_day.mean)
    late = imbcore.evaluate(X, Y, "naive_bayes", label_time=DAY + 15, **given)
    assert late.dropped["label_time"].tolist() == [(DAY[train] + 15 > 70).sum()]
    assert late.division == "given split, 12 training rows with labels not yet known dropped"
    with pytest.raises(DataError, match=r"no row is left.*Give training rows with labels"):
        imbcore.evaluate(X, Y, "naive_bayes", label_time=DAY + 100, **given)


def test_splitters_get_groups() -> None:
    customer = np.arange(N) % 20
    found = imbcore.evaluate(X, Y, "cart", folds=GroupKFold(4), groups=customer, random_state=0)
    assert all(len(set(found.fold[customer == one])) == 1 for one in range(20))
    assert np.isfinite(found.interval()["average_precision"]).all()


def test_sources_accept_own_splits(tmp_path: Any) -> None:
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": Y})
    frame.to_parquet(tmp_path / "rows.parquet")
    pair = [(DAY < 60, DAY >= 70)]
    found = imbcore.evaluate(str(tmp_path / "rows.parquet"), "y", "naive_bayes", folds=pair, random_state=0)
    held = imbcore.evaluate(frame[["a", "b"]], Y, "naive_bayes", folds=pair, random_state=0)
    assert found.proba.tolist() == held.proba.tolist()


@pytest.mark.parametrize(
    ("folds", "message"),
    [
        ([], "got no pair"),
        ([np.arange(5)], "as pair 0"),
        ([(np.arange(5), [])], "test rows of pair 0 of folds must be positions"),
        ([(np.arange(5), [0.5])], "must be positions"),
        ([(np.arange(5), [N])], f"positions from 0 to {N - 1}, got {N}"),
        ([(np.arange(5), [-1])], "positions from 0"),
        ([(np.arange(5), [4, 6])], "row 4 is both"),
        ([(np.arange(5), [6, 6])], "different rows"),
        ([(np.ones(5, dtype=bool), [6])], f"or {N} booleans"),
        (GroupKFold(3), "the splitter cannot split these rows"),
        ("five", "folds must be"),
        (2.5, "folds"),
    ],
)
def test_invalid_splits_are_errors(folds: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        imbcore.evaluate(X, Y, "cart", folds=folds)


def test_splits_of_one_class_or_with_repeats_are_errors() -> None:
    with pytest.raises(DataError, match="give training rows of two classes"):
        imbcore.evaluate(X, Y, "cart", folds=[(np.flatnonzero(Y == 0), np.flatnonzero(Y == 1))])
    with pytest.raises(ParameterError, match="repeats must be 1"):
        imbcore.evaluate(X, Y, "cart", folds=StratifiedKFold(3), repeats=2)


def test_groups_in_every_part_of_time_name_the_remedy() -> None:
    """Two machines that always run: fewer folds do not help, so the error does not suggest them."""
    given = {"time": DAY, "groups": np.arange(N) % 2}
    for folds in (2, 5):
        with pytest.raises(DataError, match="only time= to test later rows of known groups") as found:
            imbcore.evaluate(X, Y, "cart", folds=folds, **given)
        assert "fewer folds" not in str(found.value)


class FailingSplitter:
    """Splitter that fails with an error of its own."""

    def split(self, X, y=None, groups=None):
        raise RuntimeError("no such rows")


def test_faults_of_splitters_are_errors_about_folds():
    with pytest.raises(ParameterError, match="folds: the splitter cannot split these rows: no such rows"):
        imbcore.evaluate(X, Y, "cart", folds=FailingSplitter())
    with pytest.raises(ParameterError, match="folds must be"):
        imbcore.evaluate(X, Y, "cart", folds=np.array(5.0))
