"""`imbcore.compare` of rows with groups and times uses the splits of `imbcore.evaluate`.

Kind: one meaning of `groups`, `time`, `time_gap` and `label_time` in every entry point.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import imbcore
from imbcore import evaluation
from imbcore._cli import cli
from imbcore._cli.console import run_command
from imbcore.exceptions import DataError, ParameterError

N = 200
_RNG = np.random.default_rng(2)
X = _RNG.normal(size=(N, 3)).round(3)
Y = (X[:, 0] + _RNG.normal(size=N) > 0.8).astype(int)
WHO = _RNG.integers(0, 60, N)
DAY = _RNG.permutation(N) // 2
KNOWN = DAY + _RNG.integers(0, 20, N)
LATER = {"time": DAY, "groups": WHO, "label_time": KNOWN, "time_gap": {"time": 2.0}}


def run_cli(*arguments):
    return run_command(cli, list(arguments))


@pytest.mark.parametrize(
    ("options", "protocol", "folds", "repeats"),
    [
        ({"groups": WHO}, "2x3", 3, 2),
        ({"time": DAY, "time_gap": 5}, None, 5, 1),
        (LATER, "1x3", 3, 1),
    ],
)
def test_splits_are_those_of_evaluate(options, protocol, folds, repeats, tmp_path):
    expected = imbcore.evaluate(X, Y, "naive_bayes", folds=folds, repeats=repeats, random_state=4, **options)
    found = imbcore.compare(X, Y, ["naive_bayes", "cart"], protocol, random_state=4, out=tmp_path, **options)
    first = [record for record in found.records if record["method"] == "naive_bayes"]
    # The method has no random choices, so equal splits give equal scores.
    assert [record["auc"] for record in first] == pytest.approx(expected.metrics["roc_auc"].tolist())
    assert found.division == expected.parts
    assert expected.parts in str(found)
    n_train = sum(record["n_train"] for record in first)
    assert sum(record["n_test"] for record in first) / n_train == pytest.approx(expected.test_to_train)
    assert [test.test for test in found.tests()] == ["corrected resampled t"]
    # A later run with the stored splits gives the same records.
    folds = evaluation.read_folds(tmp_path / "folds.json")
    again = evaluation.run(
        {"naive_bayes": "naive_bayes"}, {"data": (X, Y)}, found.procedure, seed=4, folds=folds
    )
    assert [record["auc"] for record in again] == [record["auc"] for record in first]


def test_training_rows_of_another_gap_are_another_run(tmp_path):
    imbcore.compare(X, Y, ["cart"], "1x3", out=tmp_path, **LATER)
    same = imbcore.compare(X, Y, ["cart"], "1x3", out=tmp_path, callback=lambda *_: 1 / 0, **LATER)
    assert len(same.records) == 3
    with pytest.raises(ParameterError, match="table"):
        imbcore.compare(X, Y, ["cart"], "1x3", out=tmp_path, **LATER | {"time_gap": {"time": 20.0}})


def test_columns_of_several_tables(tmp_path):
    frame = pd.DataFrame(X, columns=list("abc"))
    full = frame.assign(who=WHO, day=pd.Timestamp("2024-01-01") + pd.to_timedelta(DAY, unit="D"))
    tables = {"a": (full, Y), "b": (full[::-1].reset_index(drop=True), Y[::-1])}
    found = imbcore.compare(tables, methods=["cart"], groups="who", time="day", time_gap="2d", protocol="1x3")
    expected = imbcore.compare(X, Y, ["cart"], "1x3", groups=WHO, time=DAY, time_gap={"time": 2.0})
    own = [record["auc"] for record in found.records if record["dataset"] == "a"]
    assert own == [record["auc"] for record in expected.records]
    values = {"groups": {"a": WHO, "b": WHO[::-1]}}
    plain = {"a": (frame, Y), "b": (frame[::-1], Y[::-1])}
    by_dict = imbcore.compare(plain, methods=["cart"], **values, protocol="1x3")
    assert by_dict.division == f"3 folds by {len(np.unique(WHO))} groups"
    with pytest.raises(ParameterError, match="groups: for several tables"):
        imbcore.compare(plain, methods=["cart"], groups=WHO)
    with pytest.raises(DataError, match="table 'a': groups has 3 values"):
        imbcore.compare(plain, methods=["cart"], groups={"a": [1, 2, 3], "b": WHO})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"time": DAY, "protocol": "5x2"}, "one repetition with time, such as '1x5', got '5x2'"),
        ({"groups": WHO, "protocol": "thesis"}, "'thesis' draws single rows"),
        ({"groups": WHO, "protocol": "svr"}, "'svr' draws single rows"),
        ({"time_gap": "7d"}, "give time, too"),
        ({"label_time": KNOWN}, "give time, too"),
        ({"groups": "who"}, "groups: X has no column 'who'"),
    ],
)
def test_other_protocols_are_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        imbcore.compare(X, Y, ["cart"], **options)


def test_command_line_names_columns(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    day = (np.datetime64("2024-01-01") + DAY).astype(str)
    known = (np.datetime64("2024-01-01") + KNOWN).astype(str)
    table = pd.DataFrame(X, columns=list("abc")).assign(y=Y, who=WHO, day=day, known=known)
    table.to_csv("t.csv", index=False)
    options = ["--groups", "who", "--time", "day", "--label-time", "known", "--gap", "2d"]
    command = ["compare", "t.csv", "-t", "y", "-m", "cart", *options, "--protocol", "1x3", "--json", "t.json"]
    assert run_cli(*command) == 0
    expected = imbcore.compare(X, Y, ["cart"], "1x3", **LATER)
    (found,) = json.loads(Path("t.json").read_text())
    assert found["auc"] == expected.rows()[0]["auc"]
    assert expected.division.split(",")[0] in capsys.readouterr().out
