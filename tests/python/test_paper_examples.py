"""The functions of the papers' experiments, on data small enough for every run of the tests."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from imbcore import datasets
from imbcore._columns import MISSING, Nominal
from imbcore._table import Table
from imbcore.protocols import StratifiedFolds

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
EXAMPLES = Path(__file__).resolve().parents[2] / "python" / "examples"
FOLDS = StratifiedFolds(2, 1, random_state=0)


@pytest.fixture(autouse=True)
def _as_scripts(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(EXAMPLES), *sys.path])


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


def test_four_gaussians(monkeypatch):
    import four_gaussians

    draw = datasets.make_four_gaussians
    monkeypatch.setattr(datasets, "make_four_gaussians", lambda **seed: draw((900, 30, 30, 900), **seed))
    scores = np.array([four_gaussians.run(seed) for seed in range(2)])
    assert scores.shape == (2, 4, 2)
    assert ((scores > 0.6) & (scores < 1)).all()
    assert "of 2 | 85 of 100" in four_gaussians.report(scores)
    assert len(four_gaussians.picture(0).axes) == 2


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
