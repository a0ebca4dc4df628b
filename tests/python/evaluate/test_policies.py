"""Trivial policies beside methods: scores follow from their definitions, and they compete with nothing."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import imbcore
from imbcore.evaluation._scores_json import scores_json
from imbcore.exceptions import DataError, ParameterError

N = 300
_RNG = np.random.default_rng(12)
Y = (_RNG.random(N) < 0.2).astype(int)
TABLE = pd.DataFrame({"x": Y + _RNG.normal(size=N), "amount": (1 + Y) * _RNG.gamma(2, 10, N)})
COSTS = {"alarm": 5.0, "miss": "amount"}
OPTIONS = {"folds": 3, "random_state": 0}


def test_scores_follow_from_the_definitions():
    found = imbcore.evaluate(TABLE, Y, ["cart"], policies=True, costs=COSTS, **OPTIONS)
    assert list(found) == ["cart", "(never)", "(always)", "(random)", "(largest amount)"]
    folds = [np.flatnonzero(found["cart"].fold == fold) for fold in range(3)]
    never, always = found["(never)"], found["(always)"]
    assert not never.predicted.any()
    assert always.predicted.all()
    amount = TABLE["amount"].to_numpy()
    assert never.metrics["expected_cost"] == pytest.approx([(amount * Y)[rows].mean() for rows in folds])
    assert always.metrics["expected_cost"] == pytest.approx([5 * (1 - Y[rows]).mean() for rows in folds])
    assert always.mean()["recall"] == never.mean()["accuracy"] / np.mean(1 - Y) == pytest.approx(1, abs=0.01)
    assert never.mean()["roc_auc"] == 0.5
    largest = found["(largest amount)"]
    for fold, rows in enumerate(folds):
        expected = imbcore.metrics.roc_auc_score(Y[rows], amount[rows])
        assert largest.metrics["roc_auc"][fold] == pytest.approx(expected)
        train = np.setdiff1d(np.arange(N), rows)
        least = np.quantile(amount[train], 1 - Y[train].mean())
        assert (largest.predicted[largest.fold == fold] == (amount[rows] >= least)).all()
    random = found["(random)"]
    assert abs(random.predicted.mean() - Y.mean()) < 0.08
    assert 0.3 < random.mean()["roc_auc"] < 0.7
    again = imbcore.evaluate(TABLE, Y, "cart", policies="amount", **OPTIONS)
    assert again["(random)"].metrics["roc_auc"].tolist() == random.metrics["roc_auc"].tolist()
    assert np.isnan(random.mean()["log_loss"])


@pytest.mark.parametrize("method", ["cart", LogisticRegression()])
def test_methods_are_unchanged_and_policies_do_not_compete(method):
    plain = imbcore.evaluate(TABLE, Y, method, **OPTIONS)
    found = imbcore.evaluate(TABLE, Y, method, policies=True, **OPTIONS)
    (name,) = set(found) - set(found.policies)
    assert found[name].proba.tobytes() == plain.proba.tobytes()
    assert found.differences() == []
    assert "*" not in str(found)
    several = imbcore.evaluate(TABLE, Y, ["cart", "hddt"], policies=True, **OPTIONS)
    assert [(d.first, d.second) for d in several.differences()] == [("cart", "hddt")]
    lines = [line for line in str(several).splitlines() if line.startswith("recall ")]
    assert len(re.findall(r"\*", lines[0])) <= 2
    assert not re.search(r"\*1\.000", lines[0])


def test_options_of_methods_do_not_change_policies():
    """Thresholds, costs, class weights and row weights act on methods; a policy keeps its predictions."""
    options = {"threshold": 0.3, "class_weight": "balanced", "sample_weight": np.full(N, 2.0), "max_depth": 2}
    found = imbcore.evaluate(TABLE, Y, ["cart"], policies=True, **options, **OPTIONS)
    assert found["(always)"].predicted.all()
    found = imbcore.evaluate(TABLE, Y, ["cart"], policies=True, cost_matrix=[[0, 1], [50, 0]], **OPTIONS)
    assert not found["(never)"].predicted.any()
    options = {"cost_matrix": [[0, 1], [50, 0]], "cost_strategy": "reweight"}
    found = imbcore.evaluate(TABLE, Y, ["cart"], policies=True, **options, **OPTIONS)
    assert not found["(never)"].predicted.any()


def test_several_classes_and_tables_in_time():
    y = np.where(Y == 1, "rare", np.where(TABLE["x"] > 0, "b", "a"))
    found = imbcore.evaluate(TABLE, y, "cart", policies="amount", positive="rare", **OPTIONS)
    assert set(found["(always)"].predicted) == {"rare"}
    assert "rare" not in found["(never)"].predicted
    options = {"time": np.arange(N), "groups": np.arange(N) // 2}
    later = imbcore.evaluate(TABLE, Y, "cart", policies=True, **options, **OPTIONS)
    assert len(later) == 4
    assert json.dumps(scores_json(later))


@pytest.mark.parametrize(
    ("policies", "error", "message"),
    [
        (5, ParameterError, "policies must be a boolean or the name"),
        ("sum", ParameterError, "no column 'sum' with amounts"),
        ("text", DataError, "column 'text' must contain numbers"),
    ],
)
def test_invalid_policies_are_errors(policies, error, message):
    with pytest.raises(error, match=message):
        imbcore.evaluate(TABLE.assign(text="a"), Y, "cart", policies=policies, **OPTIONS)
