"""`imbcore check`: targets in periods, and changed columns."""

import json

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
    given = {"threshold": {"alerts": 20, "per": "7d", "by": "customer"}, "time": "day", "random_state": 0}
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
    assert lines[0] == "value: mean number of alerts per 7d; each 'customer' counts once per 7d"
    shown = [line.split() for line in lines[2 : 2 + len(found)]]
    assert [row[0] for row in shown] == [f"{one['start']:%Y-%m-%d}" for one in found]
    assert [float(row[2]) for row in shown] == [one["value"] for one in found]
    assert [row[4] == "yes" for row in shown] == [one["met"] for one in found]
    after = lines[2 + len(found) :]
    assert after[0].startswith("a period with one time span of 7d has no interval")
    assert after[1].startswith("compared: one random row of each 'customer', 100 in ")
    assert after[2].split() == ["changed", "column", "test", "distance", "p-value"]
    assert [line.split()[:2] for line in after[3:]] == [["amount", "values"]]


@pytest.mark.parametrize("options", [(), ("--groups", "customer")])
def test_target_with_labels(folder, capsys, options):
    """The groups are by default those of the budget of the model."""
    given = ("--time", "day", "--goal", "recall=0.1", "-t", "fraud", "--period", "28d", *options)
    assert run(folder, *given) == 0
    first, *table = capsys.readouterr().out.splitlines()
    assert first == "value: recall of rows, weighted so that each 'customer' has the same total weight"
    # The rows are those of 30 days.
    assert [line.split()[9:] for line in table[1:]] == [["yes"], ["yes", "incomplete", "period"]]
    new = pd.read_csv(folder / "new.csv")
    is_alert = imbcore.load(folder / "model.imb").predict(new[["amount"]]) == "yes"
    assert [sum(int(line.split()[at]) for line in table[1:]) for at in (2, 3)] == [
        (new["fraud"] == "yes").sum(),
        (is_alert & (new["fraud"] == "yes")).sum(),
    ]


def test_all_rows_are_compared_without_groups(folder, capsys):
    model = imbcore.load(folder / "model.imb").with_threshold(0.5)
    model.save(folder / "model.imb")
    assert run(folder, "--train", str(folder / "train.csv")) == 0
    assert capsys.readouterr().out.startswith("compared: all rows, as if independent, 600 in ")


def test_contradicted_budgets_and_few_alerts_are_shown(folder, capsys):
    for budget, text in (
        ("alerts=1", "no  contradicted"),
        ("alerts=50", "yes  less than half of the budget"),
    ):
        assert run(folder, "--time", "day", "--goal", f"{budget},per=1d", "--period", "28d") == 0
        assert text in capsys.readouterr().out.splitlines()[2]


def test_results_as_json(folder, capsys):
    options = ("--time", "day", "--train", str(folder / "train.csv"), "--json", "-")
    assert run(folder, *options) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["value", "periods", "compared", "columns"]
    assert found["periods"][0]["start"] == "2026-02-09T00:00:00+00:00"
    assert found["columns"][0]["feature"] == "amount"
    assert found["columns"][0]["drifted"] is True


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--time", "day"), 0),
        (("--time", "day", "--fail", "missed"), 3),
        (("--time", "day", "--fail", "contradicted"), 0),
        (("--time", "day", "--goal", "alerts=1,per=1d", "--period", "28d", "--fail", "contradicted"), 3),
        (("--time", "day", "--goal", "alerts=99,per=7d", "--fail", "missed", "--threads", "1"), 0),
        (("--train", "train.csv"), 0),
        (("--train", "train.csv", "--fail", "changed"), 3),
        (("--train", "new.csv", "--fail", "changed"), 0),
    ],
)
def test_the_exit_code_follows_the_option_fail(folder, monkeypatch, options, code):
    monkeypatch.chdir(folder)
    assert run(folder, *options) == code


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ((), "give --time COLUMN"),
        (("--time", "day", "--goal", "recall=0.5"), "without --target"),
        (("--time", "hour"), "no column 'hour'"),
        (("--time", "day", "--fail", "changed"), "--fail changed needs --train"),
        (("--train", "{folder}/train.csv", "--drop", "amount"), "--drop leaves no column to compare"),
        (("--train", "{folder}/new.csv", "--drop", "hour"), "new.csv has no column 'hour'"),
        (("--train", "new.csv", "--fail", "missed"), "--fail missed needs --time"),
    ],
)
def test_missing_options_are_named(folder, capsys, options, text):
    assert run(folder, *(option.format(folder=folder) for option in options)) == 2
    assert text in capsys.readouterr().err


def test_dropped_columns_are_not_compared(folder, capsys):
    for name, start in (("train", 0), ("new", 600)):
        table = pd.read_csv(folder / f"{name}.csv").assign(hours=np.arange(start, start + 600.0))
        table.to_csv(folder / f"{name}.csv", index=False)
    table = pd.read_csv(folder / "train.csv")
    imbcore.fit(table[["amount", "hours"]], table["fraud"], "naive_bayes").save(folder / "model.imb")
    compared = ("--train", str(folder / "train.csv"), "--json", "-")
    # The model does not know `day`, but the file has it: users repeat the options of `imbcore fit`.
    without = ("--drop", "hours", "--drop", "day")
    for options, names in (((), ["amount", "hours"]), (without, ["amount"])):
        assert run(folder, *compared, *options) == 0
        assert [test["feature"] for test in json.loads(capsys.readouterr().out)["columns"]] == names


@pytest.mark.filterwarnings("ignore:threshold=.* does not fit the final model:UserWarning")
@pytest.mark.parametrize("batches", [(), ("--batch-size", "100")])
def test_the_column_of_a_budget_may_be_dropped(folder, capsys, monkeypatch, batches):
    """It is no feature in any case."""
    monkeypatch.chdir(folder)
    given = ("train.csv", "-t", "fraud", "-m", "naive_bayes", "--time", "day", *batches)
    budget = "alerts=10,per=7d,by=customer"
    for name, options in (("kept", ()), ("dropped", ("--drop", "customer"))):
        assert run_command(cli, ["fit", *given, "--threshold", budget, "-o", f"{name}.imb", *options]) == 0
    kept, dropped = (imbcore.load(f"{name}.imb") for name in ("kept", "dropped"))
    assert kept.to_bytes() == dropped.to_bytes()
    # The budget may count by the column of groups, whose name the model stores.
    options = ("--groups", "customer", "--threshold", budget, "-o", "grouped.imb")
    assert run_command(cli, ["fit", *given, *options]) == 0
    grouped = imbcore.load("grouped.imb")
    assert grouped.decision_["goal"]["by"] == "customer"
    assert list(grouped.feature_names) == list(kept.feature_names)
    for command in (["evaluate"], ["compare", "--method", "cart"])[: 1 if batches else 2]:
        assert run_command(cli, [*command, *given, "--alerts", budget, "--drop", "customer"]) == 0
    capsys.readouterr()
    assert run_command(cli, ["fit", *given, "--threshold", "alerts=1,per=7d,by=custom", "-o", "no.imb"]) != 0
    shown = capsys.readouterr().err
    assert "has no column 'custom'" in shown
    assert batches or "--threshold by: train.csv" in shown
