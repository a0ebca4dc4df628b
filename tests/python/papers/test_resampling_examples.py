"""Tests of the experiments with samplers and ensembles, on small data."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from imbcore._validation.table import Table


@pytest.fixture
def rare():
    rng = np.random.default_rng(0)
    y = (np.arange(600) % 10 == 0).astype(np.int64)
    values = rng.normal(size=(3, 600)) + np.outer([1.0, 0.7, 0.0], y)
    X = Table({f"x{at}": np.ascontiguousarray(column) for at, column in enumerate(values)})
    return SimpleNamespace(X=X, y=y)


def test_prior_correction_improves_balanced_forests(rare, monkeypatch):
    import recalibration

    methods = {"balanced_random_forest": {"n_estimators": 5}, "over_bagging": {"n_estimators": 3}}
    monkeypatch.setattr(recalibration, "METHODS", methods)
    found = recalibration.measure(rare, 1, 0)
    _, mean, shifted_loss, shifted_mean = found["balanced_random_forest"].mean(axis=0)
    assert shifted_loss < found["balanced_random_forest"][:, 0].mean()
    assert abs(shifted_mean - 1) < abs(mean - 1)
    assert "| balanced_random_forest | 1 of 1 |" in recalibration.report({"toy": found, "small": {}})
    incomplete = Table({**rare.X.columns, "x0": np.full(600, np.nan)})
    assert recalibration.measure(SimpleNamespace(X=incomplete, y=rare.y), 1, 0) == {}


def test_table_of_samplers_continues_an_interrupted_run(rare, tmp_path, monkeypatch):
    import resampling_table as table

    monkeypatch.setattr(table, "load", lambda name: rare)
    monkeypatch.setattr(table, "SAMPLERS", {"SMOTE": table.SAMPLERS["SMOTE"]})
    monkeypatch.setattr(table, "ENSEMBLES", ("UnderBagging",))
    monkeypatch.setattr(table, "BASES", {"HDDT": table.BASES["HDDT"]})
    records = table.run(["a", "b"], 0)
    assert len(records) == 2 * 10 * 3
    assert all(of["failure"] is None for of in records)
    file = tmp_path / "records.jsonl"
    table.run(["a", "b"], 0, file=file)
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[:9]) + lines[9][:20], encoding="utf-8")
    times = {"fit_seconds", "predict_seconds", "cpu_seconds"}
    again = [{**of, **dict.fromkeys(times)} for of in table.run(["a", "b"], 0, file=file)]
    assert again == [{**of, **dict.fromkeys(times)} for of in records]
    ranked = table.page(records, 0).tables[0]
    assert ranked.title == "Over HDDT: average ranks, best by AP first"
    assert {row[0] for row in ranked.rows} == {"none", "SMOTE", "UnderBagging"}


def test_only_gini_trees_differ_between_weights_and_thresholds(rare, monkeypatch):
    import priors_costs_thresholds as maloof

    names = ("Hellinger tree, frequencies", "Gini tree, frequencies")
    monkeypatch.setattr(maloof, "LEARNERS", {name: maloof.LEARNERS[name] for name in names})
    X = np.column_stack(list(rare.X.columns.values()))
    found = maloof.measure(X, rare.y, 3, 0)
    for name, far in zip(names, (False, True), strict=True):
        threshold = found[name, "threshold"]
        assert threshold.shape == (2 * len(maloof.RATIOS) - 1, 2)
        # The higher the cost of a miss, the more rows are predicted rare.
        assert (np.diff(threshold, axis=0) >= 0).all()
        assert (maloof.apart(found[name, "rows"], threshold) > 0.01) == far
    assert maloof.apart(found[names[0], "weights"], found[names[0], "threshold"]) < 0.01
    assert maloof.area(np.array([[0.0, 0.5], [0.5, 1.0]])) == 0.875
    assert "| Hellinger tree, frequencies | 0.00" in maloof.report({"toy": found})
    figure = maloof.picture({"toy": found})
    assert [ax.get_title() for ax in figure.axes] == [f"toy: {name}" for name in names]
