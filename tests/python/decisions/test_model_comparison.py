"""Comparison of two models on the same rows: an independent loop, groups, undefined values."""

import numpy as np
import pandas as pd
import pytest

import imbcore
from imbcore import metrics
from imbcore.decisions import compare_models
from imbcore.exceptions import DataError, ParameterError

COSTS = {("fail", "ok"): 10.0, ("ok", "fail"): 1.0}
METRICS = ["average_precision", "roc_auc", "recall", "precision", "alert_rate", "expected_cost"]


def rows(n, seed):
    rng = np.random.default_rng(seed)
    machine = rng.integers(0, n // 5, n)
    x = rng.normal(size=(n, 2)) + rng.normal(size=n // 5)[machine, None]
    y = np.where(x[:, 0] + rng.normal(size=n) > 2.2, "fail", "ok")
    return pd.DataFrame({"a": x[:, 0].round(1), "b": x[:, 1], "machine": machine}), y


@pytest.fixture(scope="module")
def fitted():
    X, y = rows(800, 0)
    given = {"threshold": 0.2, "positive": "fail", "random_state": 0}
    return [imbcore.fit(X[columns], y, "cart", max_depth=3, **given) for columns in (["b"], ["a", "b"])]


def by_hand(model, X, y, drawn):
    """Metrics of the drawn rows, with repeated rows."""
    X, y = X.iloc[drawn], y[drawn]
    p, predicted = model.predict_proba(X[model.feature_names])[:, 0], model.predict(X[model.feature_names])
    alerts, fails = predicted == "fail", y == "fail"
    return [
        metrics.average_precision_score(fails, p),
        metrics.roc_auc_score(fails, p),
        (alerts & fails).sum() / fails.sum(),
        (alerts & fails).sum() / alerts.sum() if alerts.any() else np.nan,
        alerts.mean(),
        np.where(fails & ~alerts, 10.0, np.where(~fails & alerts, 1.0, 0.0)).mean(),
    ]


@pytest.mark.parametrize("grouped", [False, True])
def test_values_and_intervals_are_those_of_an_independent_loop(fitted, grouped, monkeypatch):
    monkeypatch.setattr("imbcore.decisions._model_comparison.N_DRAWS", 60)
    X, y = rows(150, 1)
    # Groups are numbered in the order of their first rows.
    of_group = [np.flatnonzero(X["machine"] == one) for one in dict.fromkeys(X["machine"])]
    units = of_group if grouped else [np.array([row]) for row in range(len(X))]
    groups = {"groups": "machine"} if grouped else {}
    found = compare_models(*fitted, X, y, cost_matrix=COSTS, random_state=7, **groups)
    assert [one["metric"] for one in found] == METRICS
    everything = np.arange(len(X))
    for name, model in zip(("old", "new"), fitted, strict=True):
        assert [one[name] for one in found] == pytest.approx(by_hand(model, X, y, everything))
    rng, differences = np.random.default_rng(7), []
    for _ in range(60):
        drawn = np.concatenate([units[one] for one in rng.integers(0, len(units), len(units))])
        old, new = (by_hand(model, X, y, drawn) for model in fitted)
        differences.append(np.subtract(new, old))
    low, high = np.nanquantile(differences, [0.025, 0.975], axis=0)
    assert [one["low"] for one in found] == pytest.approx(low)
    assert [one["high"] for one in found] == pytest.approx(high)


def test_a_better_model_is_recognized_and_an_equal_one_is_not(fitted):
    X, y = rows(1500, 2)
    old, new = fitted
    better = {
        one["metric"]: one for one in compare_models(old, new, X, y, groups="machine", cost_matrix=COSTS)
    }
    assert better["average_precision"]["better"] is True
    assert better["expected_cost"]["better"] is True
    assert better["expected_cost"]["difference"] < 0
    assert better["alert_rate"]["better"] is None
    assert compare_models(new, old, X, y)[0]["worse"] is True
    assert [(one["difference"], one["better"]) for one in compare_models(old, old, X, y)] == [
        (0.0, False if more else None) for more in (1, 1, 1, 1, 0)
    ]


def test_few_false_results_of_equal_models(monkeypatch):
    """Two models of equal quality: an interval of 95 % excludes 0 in about 1 of 20 draws."""
    monkeypatch.setattr("imbcore.decisions._model_comparison.N_DRAWS", 150)
    wrong = 0
    X, y = rows(600, 0)
    given = {"max_depth": 2, "positive": "fail", "random_state": 0}
    models = [imbcore.fit(X[["a"]].set_axis([name], axis=1), y, "cart", **given) for name in ("c", "d")]
    for seed in range(25):
        rng = np.random.default_rng(seed)
        machine = np.repeat(np.arange(60), 5)
        fails = np.repeat(rng.random(60) < 0.4, 5)
        noise = np.repeat(rng.normal(size=(60, 2)), 5, axis=0)
        table = pd.DataFrame({"c": fails + noise[:, 0], "d": fails + noise[:, 1], "machine": machine})
        labels = np.where(fails, "fail", "ok")
        first = compare_models(*models, table, labels, groups="machine", random_state=seed)[1]
        wrong += first["better"] or first["worse"]
    # 5 or more of 25 have a probability below 1 % at the level 0.05.
    assert wrong < 5


def test_draws_without_positive_rows_are_skipped(fitted):
    X, y = rows(60, 3)
    y = np.where(np.arange(60) < 1, "fail", "ok")
    with pytest.warns(imbcore.DataWarning, match=r"fewer than 10 positive rows \(1\), and"):
        found = compare_models(*fitted, X, y)
    assert {one["better"] for one in found} == {one["worse"] for one in found} == {None}
    # A draw lacks the only positive row with the probability (1 - 1 / 60) ** 60 = 0.365.
    assert 580 < found[0]["n_draws"] < 690


def test_undefined_values_are_none(fitted):
    X, y = rows(900, 4)
    quiet = np.all([model.predict(X[model.feature_names]) == "ok" for model in fitted], axis=0)
    assert (y[quiet] == "fail").any()
    found = {one["metric"]: one for one in compare_models(*fitted, X[quiet], y[quiet])}
    assert found["precision"]["old"] is found["precision"]["low"] is None
    assert found["precision"]["n_draws"] == 0
    assert found["precision"]["better"] is False


def test_wrong_input_is_explained(fitted):
    X, y = rows(100, 5)
    other = imbcore.fit(X[["a", "b"]], np.where(y == "ok", "fine", "fail"), "cart", positive="fail")
    with pytest.raises(ParameterError, match="same classes"):
        compare_models(fitted[0], other, X, y)
    with pytest.raises(ParameterError, match="old must be a fitted model"):
        compare_models("old.imb", other, X, y)
    with pytest.raises(DataError, match="rows of the positive class"):
        compare_models(*fitted, X, np.full(100, "ok"))
    with pytest.raises(DataError, match="label 'broken'"):
        compare_models(*fitted, X, np.where(y == "ok", "ok", "broken"))
    with pytest.raises(ParameterError, match="cost_matrix must"):
        compare_models(*fitted, X, y, cost_matrix=np.zeros((100, 2, 2)))
    with pytest.raises(DataError, match="X has 100 rows"):
        compare_models(*fitted, X, y[:50])
