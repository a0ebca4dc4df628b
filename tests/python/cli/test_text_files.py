"""Commands read typical text files: reading options, standard input, extra columns, dates."""

import gzip
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import run

import imbcore
from imbcore.exceptions import DataError, DataWarning, ParameterError

ROWS = [("1.027,5", "Müller", "31.12.2023", 0), ("2,25", "Größe", "05.01.2024", 1)] * 6
TEXT = "amount;name;day;y\n" + "".join(f"{';'.join(map(str, row))}\n" for row in ROWS)
READING = ["--encoding", "latin-1", "--dates", "day", "--date-format", "%d.%m.%Y"]


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_bytes(TEXT.encode("latin-1"))
    return tmp_path


def plain(path):
    """The same rows in the default format."""
    lines = ["amount,name,day,y"]
    for amount, name, day, y in ROWS:
        number = amount.replace(".", "").replace(",", ".")
        days = {"31.12.2023": 19722, "05.01.2024": 19727}[day]
        lines.append(f"{number},{name},{days},{y}")
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_reading_options_work_in_every_command_and_function(home):
    """Decimal commas were read as text, and no option described the format of a file."""
    plain(home / "plain.csv")
    assert run("fit", "plain.csv", "-t", "y", "-m", "cart", "-o", "plain.imb") == 0
    expected = Path("plain.imb").read_bytes()
    assert run("fit", "rows.csv", "-t", "y", "-m", "cart", "-o", "model.imb", *READING) == 0
    assert Path("model.imb").read_bytes() == expected
    assert run("fit", "rows.csv", "-t", "y", "-m", "cart", "-o", "b.imb", "--batch-size", "3", *READING) == 0
    assert Path("b.imb").read_bytes() == expected
    given = {"encoding": "latin-1", "dates": ["day"], "date_format": "%d.%m.%Y"}
    model = imbcore.fit("rows.csv", "y", "cart", random_state=0, **given)
    assert model.to_bytes() == expected
    model.predict_to_file("answers.csv", "rows.csv", keep=["name"], **given)
    assert run("predict", "model.imb", "rows.csv", "-o", "out.csv", "--keep", "name", *READING) == 0
    pieces = ["--keep", "name", "--batch-size", "5", *READING]
    assert run("predict", "model.imb", "rows.csv", "-o", "pieces.csv", *pieces) == 0
    assert Path("out.csv").read_text(encoding="utf-8").splitlines()[:2] == ["name,prediction", "Müller,0"]
    assert Path("out.csv").read_bytes() == Path("pieces.csv").read_bytes() == Path("answers.csv").read_bytes()
    for command in (
        ["evaluate", "rows.csv", "-t", "y", "-m", "cart", "--folds", "2"],
        ["evaluate", "rows.csv", "-t", "y", "-m", "cart", "--folds", "2", "--batch-size", "5"],
        ["compare", "rows.csv", "-t", "y", "-m", "cart,hddt"],
        ["score", "model.imb", "rows.csv", "-t", "y"],
        ["explain", "model.imb", "rows.csv", "-o", "why.csv"],
        ["explore", "model.imb", "rows.csv", "-t", "y", "-o", "page.html"],
    ):
        assert run(*command, *READING) == 0, command
    found = imbcore.evaluate("rows.csv", "y", "cart", folds=2, **given)
    assert found.metrics["accuracy"].tolist() == [1.0, 1.0]
    assert imbcore.compare("rows.csv", "y", ["cart", "hddt"], **given).measures
    assert model.score_metrics("rows.csv", "y", **given)["accuracy"] == 1.0
    assert len(model.decision_scores("rows.csv", "y", **given)[0]) == 12


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, r"rows\.csv, line 2: column `name` is not UTF-8 text"),
        (
            {"encoding": "latin-1"},
            r"line 2: column `day` holds dates, such as `31\.12\.2023`.*--dates day",
        ),
        (
            {"encoding": "latin-1", "dates": ["day"]},
            r"column 'day': '(05|31)\.[0-9.]+' is not a date.*date_format=",
        ),
        (
            {"encoding": "latin-1", "decimal": "."},
            r"line 2: column `amount` holds numbers in.*--decimal",
        ),
    ],
)
def test_unreadable_format_is_rejected_with_the_option_to_use(home, given, sentence):
    with pytest.raises(DataError, match=sentence):
        imbcore.fit("rows.csv", "y", "cart", **given)
    flags = [f"--{name}={value[0] if isinstance(value, list) else value}" for name, value in given.items()]
    assert run("fit", "rows.csv", "-t", "y", "-o", "m.imb", *flags) == 1


def test_reading_options_are_validated():
    for given in ({"decimal": 7}, {"dates": [3]}, {"separator": ["a"]}):
        with pytest.raises(ParameterError):
            imbcore.fit("rows.csv", "y", "cart", **given)
    with pytest.raises(ParameterError, match="decimal applies only to text files"):
        imbcore.fit([[1.0], [2.0]], [0, 1], "cart", decimal=",")
    with pytest.raises(ParameterError, match=r"no argument `delimiter`; did you mean `separator`\?"):
        imbcore.fit([[1.0], [2.0]], [0, 1], "cart").predict_to_file("a.csv", "rows.csv", delimiter=",")


@pytest.mark.parametrize("pieces", [[], ["--batch-size", "5"]])
def test_standard_input_is_read_as_a_file(home, monkeypatch, pieces):
    text = gzip.compress(plain(home / "plain.csv").read_bytes()) + b"\0" * 512
    for output in ("a.imb", "b.imb"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        assert run("fit", "-", "-t", "y", "-m", "cart", "-o", output, *pieces) == 0
    assert Path("a.imb").read_bytes() == Path("b.imb").read_bytes()
    assert run("fit", "plain.csv", "-t", "y", "-m", "cart", "-o", "c.imb", *pieces) == 0
    assert Path("a.imb").read_bytes() == Path("c.imb").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert run("predict", "a.imb", "-", "-o", "out.csv", *pieces) == 0
    assert len(Path("out.csv").read_text().splitlines()) == 13


def test_output_is_utf8_whatever_the_locale(home):
    """A locale without a character made `predict` fail with an internal error."""
    plain(home / "plain.csv")
    assert run("fit", "plain.csv", "-t", "y", "-m", "cart", "-o", "m.imb") == 0
    text = Path("plain.csv").read_text(encoding="utf-8").replace("Größe", "Größe 中文 ≤")
    Path("plain.csv").write_text(text, encoding="utf-8")
    script = "import sys; from imbcore._cli import cli; from imbcore._cli.console import run_command; "
    script += "sys.exit(run_command(cli))"
    command = [sys.executable, "-c", script, "predict", "m.imb", "plain.csv", "--keep", "name"]
    import os

    environment = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert "Größe 中文 ≤,1" in done.stdout.decode("utf-8").splitlines()


def test_unnamed_index_column_is_ignored(home):
    """A data frame written with its index has a first column without a name, which was rejected."""
    rows = "".join(f"{at},{at % 3},{at % 2}\n" for at in range(20))
    Path("index.csv").write_text(f",a,y\n{rows}")
    with pytest.warns(DataWarning, match="a column without a name in the header is read as 'Unnamed: 0'"):
        assert imbcore.fit("index.csv", "y", "cart").feature_names == ["Unnamed: 0", "a"]
    assert run("fit", "index.csv", "-t", "y", "-m", "cart", "--drop", "Unnamed: 0", "-o", "m.imb") == 0
    assert imbcore.load("m.imb").feature_names == ["a"]
    assert run("predict", "m.imb", "index.csv", "-o", "out.csv", "--keep", "Unnamed: 0") == 0
    assert Path("out.csv").read_text().splitlines()[:2] == ["Unnamed: 0,prediction", "0,0"]


def test_dates_may_be_day_first(home):
    rows = "".join(
        f"{at % 28 + 1:02}.{at // 28 + 1:02}.2024,{at % 7},{int(at % 5 == 0)}\n" for at in range(120)
    )
    Path("days.csv").write_text(f"day,a,y\n{rows}")
    iso = "".join(
        f"2024-{at // 28 + 1:02}-{at % 28 + 1:02},{at % 7},{int(at % 5 == 0)}\n" for at in range(120)
    )
    Path("iso.csv").write_text(f"day,a,y\n{iso}")
    shared = ["-t", "y", "-m", "cart", "--time", "day", "--folds", "3", "--gap", "7d"]
    assert run("evaluate", "iso.csv", *shared, "--json", "iso.json") == 0
    for pieces in ([], ["--batch-size", "50"]):
        given = ["--date-format", "%d.%m.%Y", *pieces]
        assert run("evaluate", "days.csv", *shared, *given, "--json", "days.json") == 0
        assert Path("days.json").read_text() == Path("iso.json").read_text()
    assert run("evaluate", "days.csv", *shared) == 1


def test_labels_keep_their_type_and_lines_are_named(home):
    Path("odd.csv").write_text("a,y\n1,0\n2,1\n\n3,\n")
    for pieces in ([], ["--batch-size", "2"]):
        assert run("fit", "odd.csv", "-t", "y", "-o", "m.imb", *pieces) == 1
    for label, kind in (("1", "int64"), ("1.0", "float64"), ("True", "bool"), ("yes", "object")):
        other = {"1": "0", "1.0": "0.0", "True": "False", "yes": "no"}[label]
        Path("labels.csv").write_text(
            "a,y\n" + "".join(f"{at},{(other, label)[at % 2]}\n" for at in range(10))
        )
        for pieces in ([], ["--batch-size", "2"]):
            assert run("fit", "labels.csv", "-t", "y", "-m", "cart", "-o", "m.imb", *pieces) == 0
            assert imbcore.load("m.imb").classes_.dtype == kind
        assert run("fit", "labels.csv", "-t", "y", "-m", "cart", "-o", "m.imb", "--positive", label) == 0


def test_rows_without_a_label_are_left_out(tmp_path, monkeypatch, capsys):
    """The model is that of the file without these rows, and of Parquet files as well."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"size": rng.normal(size=60).round(2), "kind": rng.choice(["a", "b"], 60)})
    for labels in (np.where(table["size"] > 1, "bad", "good"), (table["size"] > 1).astype(int)):
        full = table.assign(label=labels)
        full.to_csv("full.csv", index=False)
        gaps = full.astype({"label": object}).copy()
        gaps.loc[[3, 40], "label"] = None
        gaps.loc[3, "kind"] = "only here"
        full.drop([3, 40]).to_csv("known.csv", index=False)
        gaps.to_csv("gaps.csv", index=False)
        gaps.to_parquet("gaps.parquet")
        with open("gaps.csv", "a") as file:
            file.write(",,\n,,\n")
        fit = ("fit", "-t", "label", "-m", "cart", "-o")
        assert run(*fit, "known.imb", "known.csv") == 0
        for name, count in (("gaps.csv", 4), ("gaps.parquet", 2)):
            capsys.readouterr()
            assert run(*fit, "gaps.imb", name) == 1
            assert "add --drop-unlabeled" in capsys.readouterr().err
            assert run(*fit, "gaps.imb", name, "--drop-unlabeled") == 0
            assert f"{name}: {count} rows without a label are left out" in capsys.readouterr().err
            assert imbcore.load("gaps.imb").to_bytes() == imbcore.load("known.imb").to_bytes(), name
    assert run(*fit, "gaps.imb", "gaps.csv", "--drop-unlabeled", "--batch-size", "10") == 2
