"""The functions of the papers' experiments, on data small enough for every run of the tests."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import make_classification

from imbcore import datasets
from imbcore._input.columns import Nominal
from imbcore._input.table import Table
from imbcore.protocols import StratifiedFolds

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
PAPERS = Path(__file__).resolve().parents[3] / "python" / "papers"
FOLDS = StratifiedFolds(2, 1, random_state=0)


@pytest.fixture(autouse=True)
def _as_scripts(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(PAPERS), *sys.path])


def as_table(X):
    return Table({f"x{at}": np.ascontiguousarray(column) for at, column in enumerate(np.asarray(X).T)})


def test_table_takes_rows():
    table = Table({"x": np.arange(4.0), "job": Nominal(np.array([0, 1, 1, 0], np.uint32), ["a", "b"])})
    taken = table.take([3, 1])
    assert taken["x"].tolist() == [3.0, 1.0]
    assert (taken["job"].codes.tolist(), taken["job"].levels) == ([0, 1], ["a", "b"])
    assert len(table.take(np.array([True, False, True, False]))) == 2


def test_isometrics():
    import isometrics

    assert isometrics.sensitivity("dkm", 50.0, 21) < 1e-12
    assert isometrics.sensitivity("gini", 50.0, 21) > 0.05
    assert len(isometrics.picture(21).axes) == 2


SMALL = {"n_boxes_grid": (1, 2), "expansion_grid": (0.0, 10.0)}


def two_clouds(n=80):
    rng = np.random.default_rng(0)
    y = (np.arange(n) % 5 == 0).astype(np.int64)
    return rng.normal(size=(n, 2)) + 2.5 * y[:, None], y


def test_boxes_table(monkeypatch):
    import boxes_table

    from imbcore import FastBoxesClassifier
    from imbcore.metrics import hull_area

    X, y = two_clouds()
    for rule in boxes_table.RULES:
        monkeypatch.setitem(boxes_table.RULES, rule, {**boxes_table.RULES[rule], **SMALL})
    found = {rule: boxes_table.measure(X, y, rule, 0, 4) for rule in boxes_table.RULES}
    assert all(of.auh.shape == (4,) and (of.auh > 0.7).all() for of in found.values())
    assert {1, 2} >= set(found["paper"].n_boxes.tolist())
    np.testing.assert_equal(boxes_table.taken(as_table(X), np.arange(3))["x0"], X[:3, 0])
    np.testing.assert_equal(boxes_table.numbers(as_table(X)), X)
    # One classifier for each weight, fitted by itself, has the answers that the scores give.
    scores = FastBoxesClassifier(n_boxes=1, random_state=0).fit(X, y).critical_weights(X)
    each = [
        FastBoxesClassifier(n_boxes=1, negative_weight=c, random_state=0).fit(X, y).predict(X)
        for c in boxes_table.WEIGHTS
    ]
    fpr, tpr = ([answer[y == label].mean() for answer in each] for label in (0, 1))
    answers = scores[:, None] >= boxes_table.WEIGHTS
    assert boxes_table.area(answers, y) == pytest.approx(hull_area(fpr, tpr), abs=1e-12)
    table = boxes_table.report({"iris0": found}, 0)
    assert "| iris0 | paper | 1.0000 (0.0000) |" in table
    assert "| iris0 | 0.03 |" in table


def test_boxes_exact_table():
    import boxes_exact_table as example

    from imbcore import ExactBoxesClassifier, FastBoxesClassifier

    X, y = two_clouds()
    found = example.measure(X, y, 0, 2, 20.0, **SMALL)
    assert found.proven.shape == found.ahead.shape == (2, 10)
    assert found.proven.all()
    assert (found.ahead >= -example.ROUNDING).all()
    # One box around all rare rows: the common rows near their hull are hit.
    exact = ExactBoxesClassifier(margin=0.0, strictness=1e-9)
    fast = FastBoxesClassifier(n_boxes=1, negative_weight=0.5, random_state=0).fit(X, y)
    rare = X[y == 1]
    near, far = rare.min(axis=0) - 1e-6, rare.max(axis=0) + 1e-6
    hit = ((near < X) & (far > X)).all(axis=1) & (y == 0)
    expected = y.sum() + 0.5 * ((y == 0).sum() - hit.sum()) - 0.5
    assert example.objective(fast, exact, X, y) == pytest.approx(expected)
    chosen = SimpleNamespace(folds=2, seed=0, seconds=20)
    assert "| iris0 | 1.0000 (0.0000) |" in example.report({"iris0": found}, {"iris0": 1.0}, chosen)


def test_boxes_figures():
    import boxes_figures as example

    rank = example.ranks()
    # Printed areas of iris0: four methods reach 1; of diamond3D: Fast Boxes lead.
    assert (len(rank), rank["iris0"], rank["diamond3D"]) == (37, 3.0, 1.0)
    assert example.ranks({"iris0": 0.5}) == {"iris0": 9.0}
    assert example.trend(rank) < -0.5
    X, y = datasets.make_shape("diamond3D")
    train, test = example.split(y)
    assert (len(train), y[train].sum(), len(test), y[test].sum()) == (501, 15, 499, 14)
    assert (
        len(example.settings(X, y, 0).axes) == len(example.imbalance({"iris0": 1.0, "glass0": 0.8}).axes) == 2
    )
    assert "| iris0 | 2.0 | 3.000 | 3.000 | 1.0000 |" in example.imbalance_text({"iris0": 1.0, "glass0": 0.8})
    assert len(example.drawing(0).axes) == len(example.division(0).axes) == 1
    assert len(example.expansion(*two_clouds(), 0).axes) == 2


def test_leaf_budget():
    import leaf_budget

    X, y = make_classification(300, 4, n_informative=3, n_redundant=0, weights=[0.8], random_state=0)
    found = leaf_budget.measure(as_table(X), y, 3, 4, 0)
    assert found.shape == (4, 3)
    assert ((found > 0.2) & (found <= 1)).all()
    text = leaf_budget.report([["small", "20.0%", *map(float, found.mean(axis=1))]])
    assert 'order="entropy"' in text
    assert "| small | 20.0% | 0." in text
