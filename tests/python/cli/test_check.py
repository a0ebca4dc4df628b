"""`imbcore check`: targets in periods, and changed columns."""

import numpy as np
import pandas as pd
import pytest

import imbcore
from imbcore._cli.commands import cli
from imbcore._cli.console import run_command
from imbcore.decisions import check_over_time


def payments(seed, start, factor=1.0):
    rng = np.random.default_rng(seed)
    fraud = rng.random(600) < 0.1
    return pd.DataFrame(
        {
            "amount": (rng.lognormal(size=600) * np.where(fraud, 4, 1) * factor).round(3),
            "customer": rng.integers(0, 100, 600),
            "day": pd.Timestamp(start) + pd.to_timedelta(np.arange(600) // 20, unit="D"),
            "fraud": np.where(fraud, "yes", "no"),
        }
    )


@pytest.fixture
def folder(tmp_path):
    train, new = payments(0, "2026-01-05"), payments(1, "2026-02-09", factor=1.5)
    train.to_csv(tmp_path / "train.csv", index=False)
    new.to_csv(tmp_path / "new.csv", index=False)
    given = {"threshold": {"alerts": 10, "per": "7d", "by": "customer"}, "time": "day", "random_state": 0}
    model = imbcore.fit(train[["amount", "customer", "day"]], train["fraud"], "naive_bayes", **given)
    model.save(tmp_path / "model.imb")
    return tmp_path


def run(folder, *options):
    return run_command(cli, ["check", str(folder / "model.imb"), str(folder / "new.csv"), *options])


def test_budget_of_the_model_and_changed_columns(folder, capsys):
    assert run(folder, "--time", "day", "--train", str(folder / "train.csv")) == 0
    lines = capsys.readouterr().out.splitlines()
    new = pd.read_csv(folder / "new.csv", parse_dates=["day"])
    model = imbcore.load(folder / "model.imb")
    found = check_over_time(model, new[["amount", "customer", "day"]], None, time="day")
    shown = [line.split() for line in lines[1 : 1 + len(found)]]
    assert [row[0] for row in shown] == [f"{one['start']:%Y-%m-%d}" for one in found]
    assert [float(row[2]) for row in shown] == [one["value"] for one in found]
    assert [row[-1] == "yes" for row in shown] == [one["met"] for one in found]
    assert lines[1 + len(found)].split() == ["changed", "column", "test", "distance", "p-value"]
    assert [line.split()[:2] for line in lines[2 + len(found) :]] == [["amount", "values"]]


def test_target_with_labels(folder, capsys):
    assert run(folder, "--time", "day", "--goal", "recall=0.1", "-t", "fraud", "--period", "28d") == 0
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()] == ["met", "yes", "yes"]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ((), "give --time COLUMN"),
        (("--time", "day", "--goal", "recall=0.5"), "without --target"),
        (("--time", "hour"), "no column 'hour'"),
    ],
)
def test_missing_options_are_named(folder, capsys, options, text):
    assert run(folder, *options) == 2
    assert text in capsys.readouterr().err
