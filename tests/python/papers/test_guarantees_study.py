"""The study of guarantees on a small table: every kind is measured, and a second run repeats nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

PAPERS = Path(__file__).resolve().parents[3] / "python" / "papers"


@pytest.fixture
def study(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "path", [str(PAPERS), *sys.path])
    import guarantees_study

    command = ["study", "--sets", "pima", "--resamples", "2", "--draws", "20", "--trees", "5"]
    monkeypatch.setattr(sys, "argv", [*command, "--output", str(tmp_path)])
    return guarantees_study


class Rows:
    """A table whose rows are taken."""

    def __init__(self, X):
        self.X = X

    def take(self, rows):
        return self.X[rows]


def test_the_study_measures_every_kind_and_goes_on(study, monkeypatch, tmp_path):
    rng = np.random.default_rng(0)
    y = (np.arange(500) < 150).astype(np.int64)
    monkeypatch.setattr(study, "rows_of", lambda _: (Rows(rng.normal(size=(500, 2)) + y[:, None]), y))
    study.main()
    lines = (tmp_path / "guarantees.jsonl").read_text("utf-8")
    assert lines.count("\n") == 3
    table = (tmp_path / "guarantees.md").read_text("utf-8")
    for kind in (*study.KINDS, "miss", "miss, sure"):
        assert f"| pima | {kind} |" in table
    assert "kept in 20 draws" in table
    assert (tmp_path / "guarantees.png").stat().st_size > 0
    monkeypatch.setattr(study, "measure", None)
    study.main()
    assert (tmp_path / "guarantees.jsonl").read_text("utf-8") == lines
