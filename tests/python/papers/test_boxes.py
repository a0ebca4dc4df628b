"""The box-drawing paper: small versions of its tables."""

from __future__ import annotations

import math

import numpy as np
import pytest
from data_files import REAL, needs_files

from imbcore import datasets
from imbcore._validation.columns import Nominal
from imbcore._validation.table import Table
from imbcore.boxes import ExactBoxesClassifier, FastBoxesClassifier, FastBoxesCV
from imbcore.datasets import Dataset
from reproduce import (
    _boxes_areas,
    _boxes_exact,
    _boxes_figures,
    _boxes_readings,
    _boxes_rivals,
    _boxes_rule,
    _boxes_sets,
    reproduce,
)
from reproduce._compare import Grid
from reproduce._correlation import spearman

pytest.importorskip("matplotlib").use("Agg")


def rows(report, title):
    table = next(table for table in report.tables if table.title.startswith(title))
    return {row[0]: dict(zip(table.header, row, strict=True)) for row in table.rows}


def test_simulated_sets_need_no_file_and_match_the_paper():
    report = reproduce("boxes-table2", datasets=("corner", "diamond3D", "square"))
    found = rows(report, "Data sets")
    assert {row["agrees"] for row in found.values()} == {"yes"}
    assert found["corner"]["ratio"] == 99.0
    assert "published" in found["corner"]["rare class"]
    assert "drawn by" in found["square"]["rare class"]


def test_set_without_its_file_is_listed(tmp_path, monkeypatch):
    monkeypatch.delenv("IMBCORE_DATA", raising=False)
    report = reproduce("boxes-table2", data=tmp_path, datasets=("glass2", "corner"))
    assert list(rows(report, "No data")) == ["glass2"]
    assert list(rows(report, "Data sets")) == ["corner"]


def test_levels_are_encoded_with_one_column_less():
    sex = Nominal(np.array([0, 1, 2, 0xFFFFFFFF], dtype=np.uint32), ["F", "I", "M"])
    data = Dataset(
        "x", Table({"sex": sex, "size": np.arange(4.0)}), np.array([0, 1, 0, 1]), "", "", "", "", ()
    )
    coded = _boxes_sets.numeric(data)
    assert coded.X.names == ["sex=I", "sex=M", "size"]
    np.testing.assert_array_equal(coded.X["sex=M"], [0, 0, 1, math.nan])


def test_printed_rule_has_distance_zero_to_itself():
    bounds = np.full((9, 2), [-np.inf, np.inf])
    for (feature, side), bound in _boxes_rule.PRINTED.items():
        bounds[_boxes_rule.FEATURES.index(feature), ("lower", "upper").index(side)] = bound
    assert _boxes_rule.distance(bounds, np.ones(9)) == 0
    bounds[1, 0] = 3.0  # sodium: the printed rule has no such bound
    assert _boxes_rule.distance(bounds, np.ones(9)) == pytest.approx(1 / 18)


def test_rule_omits_conditions_that_every_row_satisfies():
    X = np.array([[1.0, 5.0], [2.0, 6.0]])
    np.testing.assert_array_equal(
        _boxes_rule.within(np.array([[0.5, 1.5], [5.5, 6.0]]), X), [[-np.inf, 1.5], [5.5, np.inf]]
    )


@needs_files
def test_rule_of_glass2_matches_the_authors_program():
    report = reproduce("boxes-glass2-rule", data=REAL, quick=True)
    held = next(table for table in report.tables if table.title.startswith("Rows")).rows
    assert held[0][3:5] == (17, 17)
    assert "glass2, variant code: 5 of the 7 printed bounds" in report.markdown()


def test_kernel_width_is_the_typical_distance_of_rows():
    rows = np.random.default_rng(0).normal(size=(400, 2))
    wide, narrow = _boxes_rivals.kernel_width(rows, 0), _boxes_rivals.kernel_width(10 * rows, 0)
    assert wide == pytest.approx(100 * narrow)
    assert _boxes_rivals.kernel_width(np.zeros((5, 2)), 0) == 1.0


def test_areas_of_all_methods_on_simulated_data(tmp_path):
    report = reproduce("boxes-table5", datasets=("castle3D",), quick=True, out=tmp_path)
    folds = {row[1]: row[2] for row in report.tables[0].rows}
    assert tuple(folds) == tuple(_boxes_rivals.learners())
    assert all(0.5 <= area <= 1 for area in folds.values())
    # Boxes handle a cube surrounded by a moat well; no linear boundary separates it.
    assert folds["Fast Boxes"] > 0.95 > 0.65 > folds["logistic"]
    assert "Fast Boxes is among the best on 1 of 1 sets" in report.markdown()
    some = {"datasets": ("castle3D",), "methods": ("logistic", "Fast Boxes"), "quick": True}
    halves = reproduce("boxes-table5", variant="halves", out=tmp_path / "halves", **some)
    areas = {row[1]: row[2] for row in halves.tables[0].rows}
    assert areas["Fast Boxes"] > 0.9
    assert areas["logistic"] != folds["logistic"]


def test_trivial_models_are_counted(tmp_path):
    report = reproduce("boxes-table3", datasets=("diamond3D", "iris0"), quick=True, out=tmp_path, data=REAL)
    shares = rows(report, "Proportion of trivial models")
    assert shares["diamond3D"]["C4.5"] > 0.5  # printed: 1
    assert shares["diamond3D"]["CART"] < 0.5


def test_copy_of_another_row_is_not_a_target():
    grid = _boxes_areas.printed_areas()
    pima = grid.mean[grid.sets.index("pima")]
    assert np.isnan(pima).sum() == 8
    assert pima[grid.methods.index("HDDT")] == 0.6642
    assert grid.mean[grid.sets.index("flooded"), grid.methods.index("Fast Boxes")] == 0.9638


def test_tied_ranks_are_averaged():
    grid = Grid.printed([("a", "Fast Boxes", 0.8), ("a", "m", 0.9), ("a", "n", 0.8), ("b", "m", 0.9)])
    assert _boxes_areas.ranks_of(grid) == {"a": 2.5}


@needs_files
def test_exact_boxes_are_at_least_as_good(tmp_path):
    report = reproduce("boxes-table4", data=REAL, datasets=("iris0",), quick=True, out=tmp_path)
    assert rows(report, "Proofs")["iris0"]["proportion proven optimal"] == 1.0
    assert "never negative" in report.markdown()


def test_figures_are_drawn(tmp_path):
    report = reproduce("boxes-figures", datasets=("diamond3D", "square3D"), quick=True, out=tmp_path)
    text = report.markdown()
    assert [f"Figure {number}:" in text for number in range(1, 6)] == [True] * 5
    assert (tmp_path / "boxes-figures" / "figure-3.csv").read_text().count("\n") == 3


def two_clouds(n=80):
    rng = np.random.default_rng(0)
    y = (np.arange(n) % 5 == 0).astype(np.int64)
    return rng.normal(size=(n, 2)) + 2.5 * y[:, None], y


def test_sweep_of_fast_boxes_equals_single_fits():
    X, y = two_clouds()
    search = FastBoxesCV(n_boxes_grid=(1, 2), expansion_grid=(0.0, 10.0), random_state=0).fit(X, y)
    together = _boxes_rivals.FittedFastBoxes(search).variants(X)
    for c in _boxes_readings.WEIGHTS:
        alone = FastBoxesClassifier(negative_weight=c, random_state=0, **search.best_params_).fit(X, y)
        np.testing.assert_array_equal(together[str(c)], alone.predict(X))


def test_fast_boxes_have_the_objective_of_exact_boxes():
    X, y = two_clouds()
    # One box around all rare rows: common rows near their bounding box are hit.
    exact = ExactBoxesClassifier(margin=0.0, epsilon=1e-9)
    fast = FastBoxesClassifier(n_boxes=1, negative_weight=0.5, random_state=0).fit(X, y)
    near, far = X[y == 1].min(axis=0) - 1e-6, X[y == 1].max(axis=0) + 1e-6
    hit = ((near < X) & (far > X)).all(axis=1) & (y == 0)
    expected = y.sum() + 0.5 * ((y == 0).sum() - hit.sum()) - 0.5
    assert _boxes_exact.value_of(fast, exact, X, y) == pytest.approx(expected)


def test_authors_halves_of_diamond3d():
    _, y = datasets.make_shape("diamond3D")
    train, test = _boxes_figures.split(y)
    assert (len(train), y[train].sum(), len(test), y[test].sum()) == (501, 15, 499, 14)


def test_printed_ranks_decrease_with_the_imbalance():
    ranks = _boxes_areas.ranks_of(_boxes_areas.printed_areas())
    # Printed areas of iris0: four methods reach 1.
    assert ranks["iris0"] == 3.0
    ratios = _boxes_sets.ratios()
    assert spearman([ratios[name] for name in ranks], [*ranks.values()]) < -0.5
