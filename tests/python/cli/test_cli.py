"""The command line: what it does, what it says when it cannot, and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import children
import click
import numpy as np
import pytest

import imbcore
from imbcore._border.table import read_table
from imbcore._cli import cli, console, options
from imbcore._cli.console import parse_parameters, run_command

COMMANDS = [
    "fit",
    "predict",
    "explain",
    "adapt",
    "explore",
    "evaluate",
    "compare",
    "methods",
    "show",
    "export",
    "datasets",
    "reproduce",
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with train.csv: two numbers, one nominal column, a key and the label."""
    rng = np.random.default_rng(0)
    n = 120
    size, weight = rng.normal(size=n).round(3), rng.normal(size=n).round(3)
    kind = rng.choice(["a", "b", "c"], n)
    label = np.where((size > 0.6) & (kind != "a"), "fault", "fine")
    rows = [f"{i},{size[i]},{weight[i] if i % 9 else ''},{kind[i]},{label[i]}" for i in range(n)]
    (tmp_path / "train.csv").write_text("\n".join(["key,size,weight,kind,label", *rows]) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str) -> int:
    return run_command(cli, list(args))


def fit(*more: str) -> None:
    assert run("fit", "train.csv", "--target", "label", "--drop", "key", "-o", "model.imb", *more) == 0


def test_fit_gives_the_model_of_the_library(folder):
    fit("--method", "cart", "-p", "max_depth=3", "--seed", "5", "--threads", "1")
    table = read_table("train.csv")
    y = np.array(table["label"].levels, dtype=object)[table["label"].codes]
    model = imbcore.fit(table.drop("label", "key"), y, "cart", max_depth=3, random_state=5)
    assert imbcore.load("model.imb").to_bytes() == model.to_bytes()


def test_predict_keeps_the_rows_and_ignores_other_columns(folder):
    fit()
    assert run("predict", "model.imb", "train.csv", "-o", "out.csv", "--proba") == 0
    table, out = read_table("train.csv"), read_table("out.csv")
    model = imbcore.load("model.imb")
    X = table.drop("label", "key")
    assert out.names == ["prediction", "proba_fault", "proba_fine"]
    assert [out["prediction"].levels[code] for code in out["prediction"].codes] == model.predict(X).tolist()
    assert out["proba_fault"].tolist() == model.predict_proba(X)[:, 0].tolist()


def test_explain_writes_the_reasons_of_every_row(folder, capsys):
    fit("--method", "cart", "-p", "max_depth=3")
    for ending in ("csv", "parquet"):
        assert run("explain", "model.imb", "train.csv", "--top", "2", "-o", f"why.{ending}") == 0
        why = read_table(f"why.{ending}")
        assert why.names == ["probability", "base", "reason_1", "adds_1", "reason_2", "adds_2"]
        X = read_table("train.csv").drop("label", "key")
        found = imbcore.load("model.imb").explain(X)
        assert why["adds_1"].tolist() == found.to_columns(2)["adds_1"].tolist()
    capsys.readouterr()
    assert run("explain", "model.imb", "train.csv", "--label", "fine", "--text") == 0
    assert capsys.readouterr().out == imbcore.load("model.imb").explain(X, label="fine").to_text()
    assert run("explain", "model.imb", "train.csv", "--background", "train.csv", "-o", "beside.csv") == 0
    beside = imbcore.load("model.imb").explain(X, background=X)
    assert read_table("beside.csv")["base"].tolist() == [beside.base_value] * 120


def test_explain_says_what_a_family_does_not_know(folder, capsys):
    fit("--method", "fast_boxes")
    assert run("explain", "model.imb", "train.csv", "-o", "why.csv") == 0
    assert read_table("why.csv").names[:4] == ["inside", "boxes", "box", "reason_1"]
    assert run("explain", "model.imb", "train.csv", "--label", "fine") != 0
    assert "--label says nothing to a model of method 'fast_boxes'" in capsys.readouterr().err
    fit("--method", "naive_bayes")
    assert run("explain", "model.imb", "train.csv", "--background", "train.csv") != 0
    assert "--background says nothing" in capsys.readouterr().err
    assert run("explain", "model.imb", "train.csv", "--text", "-o", "why.csv") != 0
    assert "leave -o out" in capsys.readouterr().err
    fit("--method", "adaboost")
    assert run("explain", "model.imb", "train.csv") != 0
    assert "no explain" in capsys.readouterr().err


def test_predict_finds_its_columns_by_name(folder):
    fit()
    lines = [line.split(",") for line in Path("train.csv").read_text().splitlines()]
    Path("turned.csv").write_text("\n".join(",".join(line[::-1]) for line in lines) + "\n")
    run("predict", "model.imb", "train.csv", "-o", "a.csv")
    run("predict", "model.imb", "turned.csv", "-o", "b.csv")
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
def test_every_format_goes_in_and_out(folder, ending):
    fit()
    assert run("predict", "model.imb", "train.csv", "-o", f"out.{ending}") == 0
    assert read_table(f"out.{ending}").n_rows == 120
    table = read_table("train.csv")
    from imbcore._input.table import write_table

    write_table(f"copy.{ending}", {name: table[name] for name in table.names})
    first = Path("model.imb").read_bytes()
    assert run("fit", f"copy.{ending}", "--target", "label", "--drop", "key", "-o", "model.imb") == 0
    assert Path("model.imb").read_bytes() == first


def test_predict_writes_csv_to_standard_output(folder, capsys):
    fit()
    run("predict", "model.imb", "train.csv", "-o", "out.csv")
    capsys.readouterr()
    assert run("predict", "model.imb", "train.csv") == 0
    assert capsys.readouterr().out == Path("out.csv").read_text()


def test_whole_number_labels_stay_whole(folder):
    text = Path("train.csv").read_text().replace(",fault", ",1").replace(",fine", ",0")
    Path("train.csv").write_text(text)
    fit()
    assert imbcore.load("model.imb").classes_.tolist() == [0, 1]
    run("predict", "model.imb", "train.csv", "-o", "out.csv", "--proba")
    assert Path("out.csv").read_text().startswith("prediction,proba_0,proba_1\n")


def test_a_nominal_column_may_hold_codes(folder):
    text = Path("train.csv").read_text()
    for level, code in (("a", "1"), ("b", "2"), ("c", "3")):
        text = text.replace(f",{level},", f",{code},")
    Path("train.csv").write_text(text)
    fit("--nominal", "kind")
    assert run("predict", "model.imb", "train.csv", "-o", "out.csv") == 0
    assert any(
        condition["feature"] == "kind"
        for rule in imbcore.load("model.imb").rules()
        for condition in rule["conditions"]
    )


def test_class_weights_reach_the_method(folder):
    fit("--class-weight", '{"fault": 5, "fine": 1}', "--method", "cart")
    table = read_table("train.csv")
    y = np.array(table["label"].levels, dtype=object)[table["label"].codes]
    X = table.drop("label", "key")
    model = imbcore.fit(X, y, "cart", class_weight={"fault": 5, "fine": 1}, random_state=0)
    assert imbcore.load("model.imb").to_bytes() == model.to_bytes()


def test_evaluate_sets_methods_side_by_side(folder, capsys):
    args = ["evaluate", "train.csv", "-t", "label", "--drop", "key", "-m", "hddt,cart", "--folds", "3"]
    assert run(*args, "--repeats", "2", "--json", "scores.json", "--html", "report.html") == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    lines = shown.out.splitlines()
    assert lines[0] == "120 rows, positive class 'fault', 2 x 3 stratified folds (mean ± sd)"
    assert lines[1].split() == ["hddt", "cart"]
    scores = json.loads(Path("scores.json").read_text())
    assert len(scores["methods"]["cart"]["average_precision"]["values"]) == 6
    table = read_table("train.csv")
    y = np.array(table["label"].levels, dtype=object)[table["label"].codes]
    direct = imbcore.evaluate(table.drop("label", "key"), y, "cart", folds=3, repeats=2, random_state=0)
    for name, value in direct.mean().items():
        found = scores["methods"]["cart"][name]["mean"]
        assert (np.nan if found is None else found) == pytest.approx(value, nan_ok=True)
    assert "<html" in Path("report.html").read_text()


def test_evaluate_by_columns_of_the_table(folder, capsys):
    table = read_table("train.csv")
    y = np.array(table["label"].levels, dtype=object)[table["label"].codes]
    days = np.datetime64("2024-01-01") + np.arange(120) // 2
    lines = Path("train.csv").read_text().splitlines()
    dated = [
        f"{line},{day},{'c' if at % 3 else 'd'}{at // 6}"
        for at, (line, day) in enumerate(zip(lines[1:], days, strict=True))
    ]
    Path("dated.csv").write_text("\n".join([lines[0] + ",day,who", *dated]) + "\n")
    shared = [
        "evaluate",
        "dated.csv",
        "-t",
        "label",
        "--drop",
        "key",
        "-m",
        "hddt",
        "--json",
        "scores.json",
        "--folds",
        "3",
    ]
    costs = ["--cost-matrix", '{"fault": {"fine": 9}, "fine": {"fault": 1}}']
    options = {
        "folds": 3,
        "random_state": 0,
        "alerts": {"alert_rate": 0.1},
        "cost_matrix": {("fault", "fine"): 9, ("fine", "fault"): 1},
    }
    features = table.drop("label", "key")
    budget = ["--alerts", "alert_rate=0.1"]
    assert (
        run(*shared, "--time", "day", "--gap", "3d", "--drop", "who", *budget, *costs, "--html", "page.html")
        == 0
    )
    found = json.loads(Path("scores.json").read_text())
    assert (found["rows"], found["tested"], found["division"]) == (
        120,
        90,
        "folds forward in time, gap of 3 days, 0:00:00",
    )
    direct = imbcore.evaluate(features, y, "hddt", time=days, time_gap="3d", **options)
    for name in ("brier", "expected_cost", "recall_at_alerts"):
        assert found["methods"]["hddt"][name]["values"] == direct.metrics[name].tolist()
        assert found["methods"]["hddt"][name]["interval"] == list(direct.interval()[name])
    assert "90 of the 120 rows" in Path("page.html").read_text()
    assert run(*shared, "--groups", "who", "--drop", "day", *budget, *costs, "--force") == 0
    who = [line.rsplit(",", 1)[1] for line in dated]
    direct = imbcore.evaluate(features, y, "hddt", groups=who, **options)
    found = json.loads(Path("scores.json").read_text())["methods"]["hddt"]
    assert found["brier"]["values"] == direct.metrics["brier"].tolist()
    assert "expected cost" in capsys.readouterr().out


def test_evaluate_prints_json_alone_when_asked(folder, capsys):
    assert (
        run("evaluate", "train.csv", "-t", "label", "--folds", "3", "--positive", "fine", "--json", "-") == 0
    )
    assert json.loads(capsys.readouterr().out)["positive"] == "fine"


def test_methods_and_data_sets_are_listed(folder, capsys):
    assert run("methods") == 0
    shown = capsys.readouterr().out
    assert all(method.name in shown for method in imbcore.methods())
    assert run("methods", "hddt") == 0
    assert "max_depth" in capsys.readouterr().out
    assert run("methods", "cart") == 0
    cart = next(method for method in imbcore.methods() if method.name == "cart")
    criteria = next(p.names for p in cart.parameters if p.name == "criterion")
    assert {"gini", "hellinger", "chi2"} <= set(criteria)
    assert f"Names: {', '.join(criteria)}." in capsys.readouterr().out
    assert run("datasets") == 0
    assert "yeast4" in capsys.readouterr().out
    assert run("datasets", "breast") == 0
    assert "malignant" in capsys.readouterr().out
    assert run("datasets", "breast", "-o", "breast.csv", "--offline") == 0
    assert read_table("breast.csv").n_rows == 569


def test_show_has_four_forms(folder, capsys):
    fit()
    model = imbcore.load("model.imb")
    capsys.readouterr()
    assert run("show", "model.imb") == 0
    assert model.export_text().rstrip() in capsys.readouterr().out
    assert run("show", "model.imb", "--dot") == 0
    assert capsys.readouterr().out.startswith("digraph")
    assert run("show", "model.imb", "--rules") == 0
    assert len(capsys.readouterr().out.splitlines()) == model.n_leaves_
    assert run("show", "model.imb", "--json") == 0
    assert json.loads(capsys.readouterr().out) == model.rules()


def test_rules_speak_of_the_class_asked_for(folder, capsys):
    fit()
    model = imbcore.load("model.imb")
    capsys.readouterr()
    for label in model.classes_.tolist():
        assert run("show", "model.imb", "--rules", "--positive", label, "--top", "2") == 0
        lines = capsys.readouterr().out.splitlines()
        lifts = [float(line.split(", lift ")[1].split(",")[0]) for line in lines]
        assert len(lines) == 2
        assert all(f"(p({label}) = " in line for line in lines)
        assert lifts == [round(rule["lift"], 2) for rule in model.rules(positive=label, top=2)]
        assert run("show", "model.imb", "--positive", label) == 0
        assert f"p({label}) " in capsys.readouterr().out
        assert run("show", "model.imb", "--json", "--positive", label, "--top", "1") == 0
        assert json.loads(capsys.readouterr().out) == model.rules(positive=label)[:1]
    assert run("show", "model.imb", "--rules", "--positive", "faulty") == 2
    assert "no label 'faulty' in the model" in capsys.readouterr().err
    assert run("show", "model.imb", "--top", "2") == 2
    assert "--top needs --rules or --json" in capsys.readouterr().err


@pytest.mark.parametrize("method", ["fast_boxes", "prim", "exact_boxes"])
def test_show_has_four_forms_of_boxes(method, folder, capsys):
    # Exact Boxes take no levels and no gaps.
    columns = ("--drop", "weight", "--drop", "kind") if method == "exact_boxes" else ()
    fit("--method", method, *columns)
    model = imbcore.load("model.imb")
    assert f"{method} with {len(model.boxes())} box" in capsys.readouterr().out
    assert run("show", "model.imb") == 0
    assert model.export_text().rstrip() in capsys.readouterr().out
    if method == "exact_boxes":
        assert run("show", "model.imb") == 0
        assert f"\noptimal: objective {model.certificate()['objective']:g}, " in capsys.readouterr().out
    assert run("show", "model.imb", "--rules") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(model.boxes()) + 1
    assert all(line.startswith("if ") and " then fault (" in line for line in lines[:-1])
    assert lines[-1] == "otherwise fine"
    assert run("show", "model.imb", "--sql") == 0
    assert capsys.readouterr().out == model.to_sql() + "\n"
    assert run("show", "model.imb", "--json") == 0
    assert json.loads(capsys.readouterr().out) == model.rules()
    assert run("show", "model.imb", "--dot") == 1
    assert "has no to_dot; SVR-Trees and trees have" in capsys.readouterr().err


def test_export_writes_the_query_of_the_model(folder, capsys):
    fit("--method", "cart")
    model = imbcore.load("model.imb")
    capsys.readouterr()
    assert run("export", "model.imb", "--to", "sql") == 0
    assert capsys.readouterr().out == model.to_sql()
    options = ("--dialect", "duckdb", "--table", "a", "--table", "b", "--keep", "id", "--proba")
    assert run("export", "model.imb", "--to", "sql", *options, "-o", "model.sql") == 0
    wanted = model.to_sql(("a", "b"), dialect="duckdb", keep="id", output="proba")
    assert (folder / "model.sql").read_bytes().decode() == wanted
    # A query may be written over, another file not.
    assert run("export", "model.imb", "--to", "sql", "-o", "model.sql") == 0
    assert run("export", "model.imb", "--to", "sql", "-o", "train.csv") == 2
    assert run("export", "model.imb", "--to", "onyx") == 2
    assert "onyx" in capsys.readouterr().err


def test_version_is_the_one_of_the_library(capsys):
    assert run("--version") == 0
    assert capsys.readouterr().out == f"imbcore {imbcore.__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples(command, capsys):
    assert run(command, "--help") == 0
    assert f"  imbcore {command}" in capsys.readouterr().out.split("Examples:")[1]


def test_every_command_is_tested_here():
    assert sorted(cli.commands) == sorted(COMMANDS)


WRONG = [
    (["fit", "train.csv", "-t", "lable", "-o", "m.imb"], 2, ["--target", "'lable'", "label"]),
    (["fit", "train.csv", "-t", "label", "-o", "m.imb", "-m", "hdt"], 2, ["hdt", "hddt"]),
    (["fit", "train.csv", "-t", "label", "-o", "m.imb", "-p", "max_dept=3"], 2, ["max_dept", "max_depth"]),
    (["fit", "train.csv", "-t", "label", "-o", "m.imb", "-p", "max_depth=deep"], 2, ["max_depth", "deep"]),
    (["fit", "train.csv", "-t", "label", "-o", "m.imb", "-p", "max_depth"], 2, ["name=value"]),
    (["fit", "train.csv", "-t", "label", "-o", "m.imb", "-p", "n_jobs=2"], 2, ["--threads"]),
    (["fit", "train.csv", "-t", "label", "-o", "m.imb", "--weight", "kind"], 1, ["kind", "words"]),
    (["fit", "train.csv", "-t", "label", "-o", "m.imb", "--class-weight", '{"x": 2}'], 2, ["'x'", "fault"]),
    (["fit", "train.csv", "-t", "size", "-o", "m.imb"], 1, ["size", "labels"]),
    (["fit", "none.csv", "-t", "label", "-o", "m.imb"], 1, ["none.csv"]),
    (["fit", "broken.csv", "-t", "label", "-o", "m.imb"], 1, ["broken.csv", "line 3"]),
    (["fit", "empty.csv", "-t", "label", "-o", "m.imb"], 1, ["empty.csv"]),
    (["fit", "gap.csv", "-t", "label", "-o", "m.imb"], 1, ["label", "row 2"]),
    (["fit", "one.csv", "-t", "label", "-o", "m.imb"], 1, ["1 class"]),
    (["fit", "train.csv", "-t", "label", "-o", "none/m.imb"], 1, ["none/m.imb"]),
    (["predict", "none.imb", "train.csv"], 1, ["none.imb"]),
    (["predict", "train.csv", "train.csv"], 1, ["train.csv"]),
    (["predict", "model.imb", "short.csv"], 1, ["short.csv", "'weight'", "'kind'"]),
    (["predict", "model.imb", "words.csv"], 1, ["words.csv", "size", "big", "line 2"]),
    (["predict", "model.imb", "train.csv", "-o", "out.xls"], 2, ["out.xls", ".csv"]),
    (["evaluate", "train.csv", "-t", "label", "--positive", "falt"], 2, ["falt", "fault"]),
    (["evaluate", "train.csv", "-t", "label", "--folds", "1"], 2, ["--folds"]),
    (["evaluate", "train.csv", "-t", "label", "-m", ","], 2, ["--method"]),
    (["evaluate", "train.csv", "-t", "label", "--groups", "kid"], 2, ["--groups", "kind"]),
    (["evaluate", "train.csv", "-t", "label", "--time", "kind"], 1, ["ISO 8601"]),
    (["evaluate", "train.csv", "-t", "label", "--time", "weight"], 1, ["time is missing in row 0"]),
    (["evaluate", "train.csv", "-t", "label", "--time", "key", "--gap", "7d"], 2, ["holds numbers"]),
    (["evaluate", "train.csv", "-t", "label", "--gap", "7"], 2, ["give time"]),
    (["evaluate", "train.csv", "-t", "label", "--alerts", "120"], 1, ["no limit for 120 rows"]),
    (["methods", "hdt"], 2, ["hdt", "hddt"]),
    (["datasets", "yeast44"], 2, ["yeast44", "yeast4"]),
    (["fot"], 2, ["fot", "imbcore --help"]),
    (["fit"], 2, ["DATA"]),
]


@pytest.mark.parametrize(
    ("args", "code", "words"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_errors_are_one_line_with_a_code(folder, capsys, args, code, words):
    fit()
    Path("broken.csv").write_text("a,label\n1,x\n2\n")
    Path("empty.csv").write_text("")
    Path("gap.csv").write_text("a,label\n1,x\n2,\n3,y\n")
    Path("one.csv").write_text("a,label\n1,x\n2,x\n")
    Path("short.csv").write_text("size\n1\n")
    Path("words.csv").write_text("size,weight,kind\nbig,1,a\n")
    before = sorted(os.listdir())
    capsys.readouterr()
    assert run(*args) == code
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("imbcore: error: ")
    assert shown.err.count("\n") == 1
    for word in words:
        assert word in shown.err
    assert sorted(os.listdir()) == before


def test_the_debug_switch_shows_where(folder, capsys, monkeypatch):
    monkeypatch.setenv("IMBCORE_DEBUG", "1")
    assert run("show", "none.imb") == 1
    assert "Traceback" in capsys.readouterr().err


def test_a_defect_is_one_line_too(folder, capsys, monkeypatch):
    def defect() -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(imbcore, "methods", defect)
    assert run("methods") == 1
    assert capsys.readouterr().err.startswith("imbcore: error: unexpected ZeroDivisionError")


def test_ctrl_c_has_its_code(folder, capsys, monkeypatch):
    def stopped(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(imbcore._api, "fit", stopped)
    assert run("fit", "train.csv", "-t", "label", "-o", "m.imb") == 130
    assert capsys.readouterr().err.strip() == "imbcore: error: stopped"
    assert not Path("m.imb").exists()


def test_a_warning_is_one_line(folder):
    fit()
    Path("new.csv").write_text("size,weight,kind\n1,1,zebra\n")
    done = command("predict", "model.imb", "new.csv")
    assert done.returncode == 0
    assert done.stderr.startswith("imbcore: warning: ")
    assert "zebra" in done.stderr
    assert done.stderr.count("\n") == 1


COMMAND = "from imbcore._cli import main; main()"


def command(*args: str) -> subprocess.CompletedProcess[str]:
    return children.run(COMMAND, *args)


def test_a_reader_that_leaves_is_no_error(folder):
    fit()
    rows = Path("train.csv").read_text().splitlines()
    Path("long.csv").write_text("\n".join([rows[0], *(rows[1:] * 500)]) + "\n")
    with children.running(COMMAND, "predict", "model.imb", "long.csv", "--proba") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""


def test_a_bar_shows_on_a_terminal_only(monkeypatch, capsys):
    with console.progress() as callback:
        assert callback is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with console.progress() as callback:
        assert callback is not None
        callback("bytes", 1, 2)
        callback("bytes", 2, 2)
        callback("trees", 1, 3)
    shown = capsys.readouterr()
    assert "reading" in shown.err
    assert "trees" in shown.err
    assert shown.out == ""


def test_parameters_are_json_or_words():
    pairs = [
        "a=3",
        "b=0.5",
        "c=null",
        "d=None",
        "e=True",
        "f=sqrt",
        'g={"name": "alpha"}',
        "h-i=x=y",
        "j=[1, 2]",
    ]
    assert parse_parameters(pairs, reserved={}) == {
        "a": 3,
        "b": 0.5,
        "c": None,
        "d": None,
        "e": True,
        "f": "sqrt",
        "g": {"name": "alpha"},
        "h_i": "x=y",
        "j": [1, 2],
    }
    with pytest.raises(click.UsageError, match="twice"):
        parse_parameters(["a=1", "a=2"], reserved={})
    with pytest.raises(click.UsageError, match="--seed"):
        parse_parameters(["random_state=1"], reserved=options.RESERVED)


@pytest.mark.parametrize(
    "args",
    [
        ["fit", "train.csv", "-t", "label", "-o", "train.csv"],
        ["fit", "train.csv", "-t", "label", "-o", "link.csv"],
        ["fit", "train.csv", "-t", "label", "-o", "twin.csv", "--force"],
        ["predict", "model.imb", "train.csv", "-o", "./train.csv", "--force"],
        ["predict", "model.imb", "train.csv", "-o", "model.imb"],
        ["evaluate", "train.csv", "-t", "label", "--html", "train.csv"],
        ["evaluate", "train.csv", "-t", "label", "--json", "train.csv"],
        ["evaluate", "train.csv", "-t", "label", "--html", "new", "--json", "new"],
    ],
    ids=" ".join,
)
def test_no_command_writes_over_what_it_reads(folder, capsys, args):
    fit()
    Path("link.csv").symlink_to("train.csv")
    os.link("train.csv", "twin.csv")
    before = {name: Path(name).read_bytes() for name in os.listdir()}
    capsys.readouterr()
    assert run(*args) == 2
    assert "written over" in capsys.readouterr().err
    assert {name: Path(name).read_bytes() for name in os.listdir()} == before


@pytest.mark.parametrize(
    ("args", "file"),
    [
        (["fit", "train.csv", "-t", "label"], "other.csv"),
        (["predict", "model.imb", "train.csv"], "page.csv"),
        (["evaluate", "train.csv", "-t", "label", "--folds", "2", "--html"], "other.csv"),
        (["evaluate", "train.csv", "-t", "label", "--folds", "2", "--json"], "model.imb"),
        (["datasets", "breast"], "page.csv"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_files_of_another_kind_are_written_over_with_force_only(folder, capsys, args, file):
    fit()
    Path("other.csv").write_bytes(Path("train.csv").read_bytes())
    Path("page.csv").write_text("<!DOCTYPE html>\n<html></html>\n")
    before = Path(file).read_bytes()
    args = [*args, file] if args[-1].startswith("--") else [*args, "-o", file]
    capsys.readouterr()
    assert run(*args) == 2
    assert "--force" in capsys.readouterr().err
    assert Path(file).read_bytes() == before
    assert run(*args, "--force") == 0
    again = Path(file).read_bytes()
    assert again != before
    # Of the same kind it is written again without a word.
    assert run(*args) == 0


def test_help_is_what_the_bare_command_shows(capsys):
    assert run() == 0
    bare = capsys.readouterr()
    assert run("--help") == 0
    assert bare.out == capsys.readouterr().out
    assert bare.err == ""
    assert len(bare.out.splitlines()) > 10


@pytest.mark.parametrize("option", ["-p", "--class-weight", "--cost-matrix"])
def test_json_that_is_nested_too_deeply_is_one_line(folder, capsys, option):
    deep = "[" * 200_000 + "]" * 200_000
    value = f"max_depth={deep}" if option == "-p" else deep
    assert run("fit", "train.csv", "-t", "label", "-o", "m.imb", option, value) == 2
    shown = capsys.readouterr().err
    assert "nested too deeply" in shown
    assert len(shown) < 300
