"""`imbcore evaluate --predictions`: the out-of-fold predictions as a table."""

import numpy as np
import pandas as pd
import pytest
from commands import run

import imbcore


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(120, 2)).round(3)
    label = np.where(x[:, 0] + rng.normal(size=120) > 1, "fault", "fine")
    found = pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "unit": rng.integers(0, 40, 120), "label": label})
    found["day"] = pd.date_range("2026-01-01", periods=120).strftime("%Y-%m-%d")
    found.to_csv("train.csv", index=False)
    return found


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
@pytest.mark.parametrize("related", [[], ["groups"], ["groups", "time"]])
def test_predictions_are_those_of_the_library(table, related, name):
    columns = {"groups": "unit", "time": "day"}
    options = [word for one in related for word in (f"--{one}", columns[one])]
    dropped = [word for one in columns if one not in related for word in ("--drop", columns[one])]
    table_options = ("-t", "label", "-m", "cart,hddt", "--folds", "3", *options, *dropped)
    assert run("evaluate", "train.csv", *table_options, "--predictions", name) == 0
    out = (pd.read_csv if name.endswith("csv") else pd.read_parquet)(name)
    assert list(out) == [
        *("method", "row", *related, "fold", "label", "prediction", "proba_fault", "proba_fine"),
    ]
    given = {one: table[columns[one]].to_numpy() for one in related}
    for method, rows in out.groupby("method"):
        found = imbcore.evaluate(
            table[["a", "b"]], table["label"].to_numpy(), method, folds=3, random_state=0, **given
        )
        assert rows["row"].tolist() == found.rows.tolist()
        for one in related:
            assert rows[one].tolist() == given[one][found.rows].tolist()
        assert rows["fold"].tolist() == found.fold.tolist()
        assert rows["label"].tolist() == found.y.tolist()
        assert rows["prediction"].tolist() == found.predicted.tolist()
        assert rows[["proba_fault", "proba_fine"]].to_numpy() == pytest.approx(found.proba)


def test_rows_are_those_of_the_file(table):
    table.loc[4, "label"] = None
    table.to_csv("train.csv", index=False)
    options = ("-t", "label", "--drop", "unit", "--drop", "day", "-m", "cart", "--drop-unlabeled")
    assert run("evaluate", "train.csv", *options, "--predictions", "out.csv") == 0
    assert pd.read_csv("out.csv")["row"].tolist() == [row for row in range(120) if row != 4]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("out.xls",), "must end in one of"),
        (("train.csv",), "also an input"),
        (("out.csv", "--batch-size", "50"), "needs all rows at once"),
    ],
)
def test_other_files_are_refused(table, capsys, options, text):
    assert run("evaluate", "train.csv", "-t", "label", "--drop", "day", "--predictions", *options) == 2
    assert text in capsys.readouterr().err
