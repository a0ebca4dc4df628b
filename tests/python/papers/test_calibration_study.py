"""The page of the calibration study, from records of two small tables."""

from __future__ import annotations

import numpy as np
import pytest

from imbcore import evaluation


@pytest.mark.filterwarnings("ignore:calibrate=:imbcore.DataWarning")
def test_page_compares_every_pair():
    import calibration_study

    rng = np.random.default_rng(0)
    tables = {}
    for name in ("one", "two"):
        X = rng.normal(size=(120, 2))
        tables[name] = (X, (X[:, 0] + rng.normal(size=120) > 0.8).astype(int))
    records = evaluation.run(calibration_study.learners(10), tables, "5x2")
    assert not any(of["failure"] for of in records)
    means, against, *_ = calibration_study.page(records, 0).tables
    assert len(means.rows) == 7
    assert len(against.rows) == 8
    assert all(0 <= row[2] <= 1 and row[4] > 0 for row in against.rows)
    for row in against.rows:
        assert (row[5] == "met") == (min(row[2:4]) >= 2 / 3 and row[4] < 1 / 3)
    assert (
        calibration_study.fraction_at_most(np.array([[1.0, 2.0], [3.0, np.nan], [2.0, 1.0]]), 0, 1) == 2 / 3
    )
