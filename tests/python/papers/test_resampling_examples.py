"""The functions of the experiments with samplers and ensembles, on data small enough for every test run."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from imbcore._input.table import Table

PAPERS = Path(__file__).resolve().parents[3] / "python" / "papers"


@pytest.fixture(autouse=True)
def _as_scripts(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(PAPERS), *sys.path])


@pytest.fixture
def rare():
    rng = np.random.default_rng(0)
    y = (np.arange(600) % 10 == 0).astype(np.int64)
    values = rng.normal(size=(3, 600)) + np.outer([1.0, 0.7, 0.0], y)
    X = Table({f"x{at}": np.ascontiguousarray(column) for at, column in enumerate(values)})
    return SimpleNamespace(X=X, y=y)


def test_recalibration(rare, monkeypatch):
    import recalibration

    methods = {"balanced_random_forest": {"n_estimators": 5}, "over_bagging": {"n_estimators": 3}}
    monkeypatch.setattr(recalibration, "METHODS", methods)
    found = recalibration.measure(rare, 1, 0)
    _, mean, shifted_loss, shifted_mean = found["balanced_random_forest"].mean(axis=0)
    assert shifted_loss < found["balanced_random_forest"][:, 0].mean()
    assert abs(shifted_mean - 1) < abs(mean - 1)
    assert "| balanced_random_forest | 1 of 1 |" in recalibration.report({"toy": found, "small": {}})
    gaps = Table({**rare.X.columns, "x0": np.full(600, np.nan)})
    assert recalibration.measure(SimpleNamespace(X=gaps, y=rare.y), 1, 0) == {}


def test_the_table_of_samplers_goes_on_where_it_was_stopped(rare, tmp_path, monkeypatch):
    import resampling_table as table

    monkeypatch.setattr(table, "load", lambda name: rare)
    monkeypatch.setattr(table, "SAMPLERS", {name: table.SAMPLERS[name] for name in ("none", "SMOTE")})
    monkeypatch.setattr(table, "ENSEMBLES", ("UnderBaggingClassifier",))
    monkeypatch.setattr(table, "BASES", {"HDDT": table.BASES["HDDT"]})
    whole = dict(table.run(["a", "b"], 1, 0, {}))
    assert len(whole) == 2 * 2 * 3
    assert all(set(scores) == set(table.SCORES) for scores in whole.values())
    file = tmp_path / "records.jsonl"
    lines = [json.dumps([*key, scores]) + "\n" for key, scores in whole.items()]
    file.write_text("".join(lines[:5]) + lines[5][:20], encoding="utf-8")
    known = table.read(file)
    assert len(known) == 5
    assert file.read_text(encoding="utf-8") == "".join(lines[:5])
    rest = dict(table.run(["a", "b"], 1, 0, known))
    assert {**known, **rest} == whole
    assert rest.keys().isdisjoint(known)
    text = table.report(whole, ["a", "b"])
    assert "average ranks of 3 methods over 2 sets" in text
    assert "| UnderBaggingClassifier |" in text
