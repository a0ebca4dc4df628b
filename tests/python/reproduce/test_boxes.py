"""The box-drawing paper: small cases of its tables."""

from __future__ import annotations

import math

import numpy as np
import pytest
from data_files import REAL, needs_files

from imbcore._input.columns import Nominal
from imbcore._input.table import Table
from imbcore.datasets import Dataset
from imbcore.reproduce import _boxes_rule, _boxes_sets, reproduce

pytest.importorskip("matplotlib").use("Agg")


def rows(report, title):
    table = next(table for table in report.tables if table.title.startswith(title))
    return {row[0]: dict(zip(table.header, row, strict=True)) for row in table.rows}


def test_simulated_sets_need_no_file_and_agree_with_print():
    report = reproduce("boxes-table2", datasets=("corner", "diamond3D", "square"))
    found = rows(report, "Data sets")
    assert {row["agrees"] for row in found.values()} == {"yes"}
    assert found["corner"]["ratio"] == 99.0
    assert "published" in found["corner"]["rare class"]
    assert "drawn anew" in found["square"]["rare class"]


def test_a_set_without_its_file_is_listed(tmp_path):
    report = reproduce("boxes-table2", data=tmp_path, datasets=("glass2", "corner"))
    assert list(rows(report, "No data")) == ["glass2"]
    assert list(rows(report, "Data sets")) == ["corner"]


def test_levels_become_one_column_less():
    sex = Nominal(np.array([0, 1, 2, 0xFFFFFFFF], dtype=np.uint32), ["F", "I", "M"])
    data = Dataset(
        "x", Table({"sex": sex, "size": np.arange(4.0)}), np.array([0, 1, 0, 1]), "", "", "", "", ()
    )
    coded = _boxes_sets.numeric(data)
    assert coded.X.names == ["sex=I", "sex=M", "size"]
    np.testing.assert_array_equal(coded.X["sex=M"], [0, 0, 1, math.nan])


def test_the_printed_rule_is_near_itself():
    bounds = np.full((9, 2), [-np.inf, np.inf])
    for (feature, side), bound in _boxes_rule.PRINTED.items():
        bounds[_boxes_rule.FEATURES.index(feature), ("lower", "upper").index(side)] = bound
    assert _boxes_rule.distance(bounds, np.ones(9)) == 0
    bounds[1, 0] = 3.0  # sodium: print has no such bound
    assert _boxes_rule.distance(bounds, np.ones(9)) == pytest.approx(1 / 18)


def test_a_rule_leaves_out_what_every_row_keeps():
    X = np.array([[1.0, 5.0], [2.0, 6.0]])
    np.testing.assert_array_equal(
        _boxes_rule.within(np.array([[0.5, 1.5], [5.5, 6.0]]), X), [[-np.inf, 1.5], [5.5, np.inf]]
    )


@needs_files
def test_the_rule_of_glass2_comes_out_of_the_authors_program():
    report = reproduce("boxes-glass2-rule", data=REAL, quick=True)
    held = next(table for table in report.tables if table.title.startswith("Rows")).rows
    assert held[0][3:5] == (17, 17)
    assert "glass2, reading code: 5 of the 7 printed bounds" in report.markdown()
