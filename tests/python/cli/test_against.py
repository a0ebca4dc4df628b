"""`imbcore score --against`: a new model and an old model on the same file."""

import json

import numpy as np
import pandas as pd
import pytest
from commands import run

import imbcore
from imbcore.decisions import compare_models


def rows(seed):
    rng = np.random.default_rng(seed)
    machine = rng.integers(0, 60, 400)
    heat, noise = rng.normal(size=(2, 400))
    fails = heat + rng.normal(size=400) > 1.6
    return pd.DataFrame(
        {"heat": heat, "noise": noise, "machine": machine, "state": np.where(fails, "fails", "works")}
    )


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    train, test = rows(0), rows(1)
    test.to_csv("test.csv", index=False)
    given = {"threshold": 0.3, "max_depth": 3, "random_state": 0}
    for name, columns in (("old", ["noise"]), ("new", ["heat", "noise"])):
        imbcore.fit(train[columns], train["state"], "cart", **given).save(f"{name}.imb")
    return test


@pytest.mark.parametrize(
    ("options", "given"),
    [
        ((), {}),
        (("--groups", "machine", "--threads", "1"), {"groups": "machine"}),
        (
            ("--cost-matrix", '{"fails": {"works": 10}, "works": {"fails": 1}}'),
            {"cost_matrix": {("fails", "works"): 10, ("works", "fails"): 1}},
        ),
    ],
)
def test_the_differences_are_those_of_the_library(folder, capsys, options, given):
    table = ("score", "new.imb", "test.csv", "-t", "state", "--against", "old.imb", *options)
    assert run(*table, "--json", "-") == 0
    models = [imbcore.load(f"{name}.imb") for name in ("old", "new")]
    X = folder.drop(columns="state")
    assert json.loads(capsys.readouterr().out) == compare_models(*models, X, folder["state"], **given)
    assert run(*table) == 0
    *lines, about, result = capsys.readouterr().out.splitlines()
    assert len(lines) == 6 + ("cost_matrix" in given)
    n_fails = (folder["state"] == "fails").sum()
    assert about.startswith(f"{n_fails} rows are positive")
    decisive = "expected cost" if "cost_matrix" in given else "average precision"
    assert result == f"new model better by {decisive}: yes"


def test_an_old_model_may_be_better_and_equal_models_are_not(folder, capsys):
    for models, result in ((("old", "new"), "no, worse"), (("new", "new"), "not proved")):
        new, old = (f"{name}.imb" for name in models)
        assert run("score", new, "test.csv", "-t", "state", "--against", old) == 0
        assert capsys.readouterr().out.splitlines()[-1].endswith(f": {result}")
        assert run("score", new, "test.csv", "-t", "state", "--against", old, "--fail") == 3
    assert run("score", "new.imb", "test.csv", "-t", "state", "--against", "old.imb", "--fail") == 0


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--groups", "machine"), "--groups needs --against"),
        (("--fail",), "--fail needs --against"),
        (("--against", "old.imb", "--weight", "heat"), "--weight has no effect with --against"),
        (("--against", "old.imb", "test.csv"), "give one file"),
        (("--against", "old.imb", "--groups", "unit"), "no column 'unit'"),
    ],
)
def test_options_without_effect_are_refused(folder, capsys, options, text):
    assert run("score", "new.imb", "test.csv", "-t", "state", *options) == 2
    assert text in capsys.readouterr().err
