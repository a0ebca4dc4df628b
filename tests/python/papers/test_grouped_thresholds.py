"""The study of thresholds for new groups and later rows, on two small tables."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from imbcore._validation.table import Table


def test_study_measures_groups_and_times(monkeypatch, tmp_path):
    import grouped_thresholds

    rng = np.random.default_rng(0)
    y = (rng.random(400) < 0.3).astype(np.int64)
    columns = {"a": y + rng.normal(size=400), "b": rng.normal(size=400)}

    data = SimpleNamespace(X=Table(columns), y=y)
    monkeypatch.setattr(grouped_thresholds, "load", lambda _: data)
    command = ["study", "--sets", "segment0", "campaign", "--splits", "1", "--output", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", command)
    grouped_thresholds.main()
    lines = (tmp_path / "grouped-thresholds.md").read_text("utf-8").splitlines()
    assert [line.split(" | ")[1] for line in lines[2:]] == ["none", "groups", "none", "time"]
    cells = [float(cell) for line in lines[2:] for cell in line.strip("| ").split(" | ")[2:]]
    assert len(cells) == 24
    assert cells == pytest.approx(np.clip(cells, 0, 1))
