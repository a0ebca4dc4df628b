"""The study of guarantees on a small table: measures every kind; a second run repeats nothing."""

from __future__ import annotations

import sys

import numpy as np
import pytest


@pytest.fixture
def study(monkeypatch, tmp_path):
    import guarantees_study

    command = ["study", "--sets", "pima", "--resamples", "2", "--draws", "20", "--trees", "5"]
    monkeypatch.setattr(sys, "argv", [*command, "--output", str(tmp_path)])
    return guarantees_study


class Rows:
    """A table with a ``take`` method for rows."""

    def __init__(self, X):
        self.X = X

    def take(self, rows):
        return self.X[rows]


def test_study_measures_every_kind_and_continues(study, monkeypatch, tmp_path):
    rng = np.random.default_rng(0)
    y = (np.arange(500) < 150).astype(np.int64)
    monkeypatch.setattr(study, "rows_of", lambda _: (Rows(rng.normal(size=(500, 2)) + y[:, None]), y))
    study.main()
    lines = (tmp_path / "guarantees.jsonl").read_text("utf-8")
    assert lines.count("\n") == 3
    table = (tmp_path / "guarantees.md").read_text("utf-8")
    for kind in study.KINDS:
        assert f"| pima | {kind} |" in table
    assert "fraction of 20 draws" in table
    assert (tmp_path / "guarantees.png").stat().st_size > 0
    monkeypatch.setattr(study, "measure", None)
    study.main()
    assert (tmp_path / "guarantees.jsonl").read_text("utf-8") == lines


def test_run_adds_kinds_missing_from_an_older_run(study, monkeypatch, tmp_path):
    rng = np.random.default_rng(0)
    y = (np.arange(500) < 150).astype(np.int64)
    monkeypatch.setattr(study, "rows_of", lambda _: (Rows(rng.normal(size=(500, 2)) + y[:, None]), y))
    monkeypatch.setattr(study, "KINDS", study.SPLIT)
    study.main()
    older = {line["resample"]: line for line in study.read(tmp_path / "guarantees.jsonl")}
    monkeypatch.setattr(study, "KINDS", (*study.SPLIT, "out_of_bag"))
    study.main()
    for line in study.read(tmp_path / "guarantees.jsonl"):
        assert older[line["resample"]].items() <= line.items()
        assert line["set"] == "draws" or "rare" in line["out_of_bag"]
    assert "| pima | out_of_bag |" in (tmp_path / "guarantees.md").read_text("utf-8")


def test_sets_are_the_smallest_with_enough_rare_rows(study):
    sets = study.usable()[: study.SETS]
    assert len(sets) == 20
    assert (sets[0], sets[-1]) == ("ionosphere", "sick")
    counts = [min(study.datasets.info(name).class_counts.values()) for name in sets]
    # A quarter of each class is used for calibration.
    assert min(counts) // 2 - min(counts) // 4 >= 30


def test_quarters_split_every_class(study):
    y = np.repeat([0, 1], [401, 126])
    fit, calibration, new = study.quarters(y, np.random.default_rng(0))
    assert sorted(np.concatenate([fit, calibration, new])) == list(range(527))
    assert [np.bincount(y[rows]).tolist() for rows in (fit, calibration, new)] == [
        [100, 31],
        [100, 32],
        [201, 63],
    ]


def test_verdict_compares_coverage_with_its_targets(study):
    def row(covered, **given):
        return study.Row(**{"set": "a", "kind": "b", "n": 30, "covered": covered, "error": 0.01} | given)

    bare = {"least": 0.9, "most": None, "abstains": None, "wrong": None}
    assert row(0.881, **bare).verdict(2) == "holds"
    assert row(0.879, **bare).verdict(2) == "short"
    assert row(0.95, **bare | {"most": 0.94}).verdict(2) == "above"
    assert row(0.1, **bare | {"least": None}).verdict(2) == ""
