"""The functions of the papers' experiments, on data small enough for every run of the tests."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import make_classification

from imbcore import datasets
from imbcore._input.columns import MISSING, Nominal
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


def test_dummy_coding():
    from paper_output import dummy_coded

    def codes(*values):
        return np.array(values, dtype=np.uint32)

    table = Table(
        {
            "size": np.array([1.0, np.nan, 3.0]),
            "empty": np.full(3, np.nan),
            "same": Nominal(codes(0, 0, 0), ["f"]),
            "sex": Nominal(codes(0, 1, MISSING), ["F", "M"]),
            "job": Nominal(codes(2, 0, 1), ["a", "b", "c"]),
        }
    )
    coded = dummy_coded(table)
    assert coded.names == ["size", "sex=M", "job=a", "job=b", "job=c"]
    np.testing.assert_equal(coded["sex=M"], [0.0, 1.0, np.nan])
    np.testing.assert_equal(coded["job=c"], [1.0, 0.0, 0.0])


def test_table_takes_rows():
    table = Table({"x": np.arange(4.0), "job": Nominal(np.array([0, 1, 1, 0], np.uint32), ["a", "b"])})
    taken = table.take([3, 1])
    assert taken["x"].tolist() == [3.0, 1.0]
    assert (taken["job"].codes.tolist(), taken["job"].levels) == ([0, 1], ["a", "b"])
    assert len(table.take(np.array([True, False, True, False]))) == 2


def test_ppv_npv_against_alpha():
    import ppv_npv_against_alpha as example

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), np.zeros(300, dtype=np.int64)
    y[X[:, 0] + rng.normal(size=300) > 1.8] = 1
    values = example.measure(as_table(X), y, (0.2, 1.8), FOLDS)
    assert values.shape == (2, 2)
    assert ((values > 0) & (values <= 1)).all()
    line = np.column_stack([example.ALPHAS, -np.array(example.ALPHAS)]) / 10 + 0.5
    slopes, correlations = example.trends(line)
    np.testing.assert_allclose([*slopes, *correlations], [0.1, -0.1, 1.0, -1.0])
    assert example.report(line).endswith("yes")
    assert example.report(line[::-1]).endswith("NO")
    assert len(example.picture(line).axes) == 2


def test_beat_table():
    import beat_table

    data = datasets.load("wine2")
    found = beat_table.measure(data.X, data.y, FOLDS, seed=0)
    assert set(found) == set(beat_table.METHODS)
    for values in found.values():
        assert values.shape == (2, 2)
        assert (values[:, 0] > 0.5).all()
    table = beat_table.report({"sick": found}, 2)
    assert "| 0.826 |" in table
    assert table.count("| sick |") == 6


def test_mchddt_table():
    import mchddt_table

    X, y = datasets.make_four_gaussians((60, 12, 12, 60), random_state=0)
    found = mchddt_table.measure(as_table(X), y, FOLDS, seed=0)
    assert len(found) == 6
    assert all(((values > 0.7) & (values < 1)).all() for values in found.values())
    table = mchddt_table.report({"car_mc": found}, 2)
    # The paper's verdicts: OVA at both levels, ECOC at 0.10 only.
    assert "| OVA | 1.824 | 1.176 | 0.647 | 0.004 | significant | significant |" in table
    assert "| ECOC | 1.706 | 1.294 | 0.412 | 0.090 | no | significant |" in table


def test_isometrics():
    import isometrics

    assert isometrics.sensitivity("dkm", 50.0, 21) < 1e-12
    assert isometrics.sensitivity("gini", 50.0, 21) > 0.05
    assert len(isometrics.picture(21).axes) == 2


def test_svr_table(monkeypatch):
    import svr_table

    rng = np.random.default_rng(0)
    y = (rng.uniform(size=90) < 0.2).astype(np.int64)
    X = rng.normal(size=(90, 3)) + 2 * y[:, None]
    case = svr_table.Task(as_table(X), y, 4.0, [0.0, 0.02], 12.0)
    rows = rng.permutation(90)
    pairs = svr_table.folds(rows, y, 3)
    assert sorted(np.concatenate([test for _, test in pairs])) == list(range(90))
    for train, test in pairs:
        assert sorted(np.concatenate([train, test])) == list(range(90))
        assert abs(y[test].sum() - y.sum() / 3) < 1
        # Chunks of the drawn order.
        assert (np.diff([list(rows).index(row) for row in test if y[row]]) > 0).all()
    found = svr_table.measure(case, 40, 2)
    assert set(found) == {(m, s) for m in svr_table.METHODS for s in svr_table.SETTINGS} | {
        (rival, "") for rival in svr_table.RIVALS
    }
    assert all(values.shape == (2, 5) and (values[:, 3] > 0.5).all() for values in found.values())
    table = svr_table.report({"yeast4": found}, 2, 40)
    assert "| yeast | SVR | printed | 0.9368 (0.0100) |" in table
    assert "F NO, G NO" in table


def test_svr_table_scores():
    import svr_table

    # 8 of 10 rare rows found, 2 false alarms among 90.
    expected = [0.96, 0.8, 0.8, 0.8, (0.8 * 88 / 90) ** 0.5]
    np.testing.assert_allclose(svr_table.scores(8, 2, 10, 100), expected)
    np.testing.assert_allclose(svr_table.scores(0, 0, 10, 100), [0.9, 0, 0, 0, 0])


def test_svr_figures():
    import svr_figures

    # Two squares that touch: the wall between them does not count.
    boxes = np.array([[[0.25, 0.5], [0.25, 0.75]], [[0.5, 0.75], [0.25, 0.75]]])
    np.testing.assert_allclose(svr_figures.shape(boxes), (2, 0.25, 0), atol=1e-12)
    apart = np.array([[[0, 0.25], [0, 1]], [[0.5, 0.75], [0.25, 0.75]]])
    np.testing.assert_allclose(svr_figures.shape(apart), (4, 0.375, 0.375), atol=1e-12)
    assert svr_figures.shape(np.zeros((0, 2, 2))) == (0, 0, 0.25)
    X, y = svr_figures.draw(5, 0)
    found = np.array([[svr_figures.run(5, 0)]] * len(svr_figures.SIZES))
    assert svr_figures.report(found).count("| CART |") == len(svr_figures.SIZES)
    assert len(svr_figures.regions(X, y).axes) == len(svr_figures.ratios(X, y).axes) == 3


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
