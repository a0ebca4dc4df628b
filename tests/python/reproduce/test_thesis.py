"""The thesis: small cases of its tables and figures."""

from __future__ import annotations

import numpy as np
import pytest
from data_files import REAL, needs_files

from imbcore._input.columns import Nominal
from imbcore._input.table import Table
from imbcore.reproduce import _thesis_sets, reproduce

pytest.importorskip("matplotlib").use("Agg")


def test_cleaning_drops_empty_columns_first():
    level = Nominal(np.array([0, 0xFFFFFFFF, 0], dtype=np.uint32), ["a"])
    X = Table({"empty": np.full(3, np.nan), "x": np.array([1.0, 2.0, np.nan]), "level": level})
    whole, y = _thesis_sets.clean(X, np.array([1, 0, 0]))
    assert whole.names == ["x", "level"]
    assert (whole.n_rows, y.tolist()) == (1, [1])


@needs_files
def test_the_sets_agree_with_print():
    report = reproduce("thesis-table6", data=REAL)
    assert "13 of 13 sets agree" in report.markdown()
