"""The commands of the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from commands import fit, run

import imbcore
from imbcore._bindings.table import read_table


def test_fit_gives_the_model_of_the_library(folder):
    fit("--method", "cart", "-p", "max_depth=3", "--seed", "5", "--threads", "1")
    table = read_table("train.csv")
    y = np.array(table["label"].levels, dtype=object)[table["label"].codes]
    model = imbcore.fit(table.drop("label", "key"), y, "cart", max_depth=3, random_state=5)
    assert imbcore.load("model.imb").to_bytes() == model.to_bytes()


def test_predict_keeps_row_order_and_ignores_other_columns(folder):
    fit()
    assert run("predict", "model.imb", "train.csv", "-o", "out.csv", "--proba") == 0
    table, out = read_table("train.csv"), read_table("out.csv")
    model = imbcore.load("model.imb")
    X = table.drop("label", "key")
    assert out.names == ["prediction", "proba_fault", "proba_fine"]
    assert [out["prediction"].levels[code] for code in out["prediction"].codes] == model.predict(X).tolist()
    assert out["proba_fault"].tolist() == model.predict_proba(X)[:, 0].tolist()


def test_explain_writes_an_explanation_of_every_row(folder, capsys):
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


def test_explain_rejects_unsupported_families(folder, capsys):
    fit("--method", "fast_boxes")
    assert run("explain", "model.imb", "train.csv", "-o", "why.csv") == 0
    assert read_table("why.csv").names[:4] == ["inside", "boxes", "box", "reason_1"]
    assert run("explain", "model.imb", "train.csv", "--label", "fine") != 0
    assert "--label has no effect on a model of method 'fast_boxes'" in capsys.readouterr().err
    fit("--method", "naive_bayes")
    assert run("explain", "model.imb", "train.csv", "--background", "train.csv") != 0
    assert "--background has no effect" in capsys.readouterr().err
    assert run("explain", "model.imb", "train.csv", "--text", "-o", "why.csv") != 0
    assert "leave out -o" in capsys.readouterr().err
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
def test_every_format_is_read_and_written(folder, ending):
    fit()
    assert run("predict", "model.imb", "train.csv", "-o", f"out.{ending}") == 0
    assert read_table(f"out.{ending}").n_rows == 120
    table = read_table("train.csv")
    from imbcore._validation.table import write_table

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


def test_integer_labels_stay_integers(folder):
    text = Path("train.csv").read_text().replace(",fault", ",1").replace(",fine", ",0")
    Path("train.csv").write_text(text)
    fit()
    assert imbcore.load("model.imb").classes_.tolist() == [0, 1]
    run("predict", "model.imb", "train.csv", "-o", "out.csv", "--proba")
    assert Path("out.csv").read_text().startswith("prediction,proba_0,proba_1\n")


def test_nominal_column_may_have_integer_codes(folder):
    text = Path("train.csv").read_text()
    for level, code in (("a", "1"), ("b", "2"), ("c", "3")):
        text = text.replace(f",{level},", f",{code},")
    Path("train.csv").write_text(text)
    fit("--nominal", "kind", "--method", "hddt")
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


def test_evaluate_compares_methods(folder, capsys):
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
    again = [*args[:6], "-m", "hddt", "-m", "cart, hddt", "--folds", "3"]
    assert run(*again, "--repeats", "2") == 0
    assert capsys.readouterr().out == shown.out.replace("report: report.html\n", "")


def test_score_measures_the_cost_of_given_errors(folder, capsys):
    fit("--method", "cart")
    score = ("score", "model.imb", "train.csv", "--target", "label", "--json", "-", "--cost-matrix")
    capsys.readouterr()
    assert run(*score, '{"fault": {"fine": 10}, "fine": {"fault": 1}}') == 0
    found = json.loads(capsys.readouterr().out)["expected_cost"]
    model = imbcore.load("model.imb")
    costs = {("fault", "fine"): 10, ("fine", "fault"): 1}
    assert found == model.score_metrics("train.csv", "label", cost_matrix=costs)["expected_cost"]
    assert run(*score, '{"falt": {"fine": 10}}') != 0
    assert "no label 'falt' in the model; nearest: fault" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "given", "meant"),
    [("compare", "--threads", "--jobs"), ("fit", "--jobs", "--threads"), ("fit", "--random-state", "--seed")],
)
def test_options_of_other_commands_are_recognized(command, given, meant, capsys):
    """click suggested --thousands for --threads."""
    assert run(command, "train.csv", "--target", "label", given, "2") != 0
    assert f"No such option '{given}'. Did you mean '{meant}'?" in capsys.readouterr().err


def test_evaluate_uses_group_and_time_columns(folder, capsys):
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
        "folds forward in time, gap of 3 days",
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
    later = ["--time", "day", "--groups", "who", "--label-time", "day", *budget, *costs, "--force"]
    assert run(*shared, *later) == 0
    direct = imbcore.evaluate(features, y, "hddt", groups=who, time=days, label_time=days, **options)
    found = json.loads(Path("scores.json").read_text())
    assert found["methods"]["hddt"]["brier"]["values"] == direct.metrics["brier"].tolist()
    assert found["dropped"] == {name: counts.tolist() for name, counts in direct.dropped.items()}


def test_evaluate_prints_only_json_on_request(folder, capsys):
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


def test_show_has_four_formats(folder, capsys):
    fit("--method", "hddt")
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
    assert run("show", "model.imb", "--card") == 0
    assert capsys.readouterr().out == model.to_card()


def test_rules_are_those_of_the_requested_class(folder, capsys):
    fit("--method", "hddt")
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
    fit("--method", "naive_bayes")
    capsys.readouterr()
    assert run("show", "model.imb", "--rules") == 2
    assert "error: a model of method 'naive_bayes' has no rules; use --" in capsys.readouterr().err


@pytest.mark.parametrize("method", ["forest", "naive_bayes", "logistic_regression", "boosted_trees", "hddt"])
def test_show_refuses_forms_that_a_model_does_not_have(method, folder, capsys):
    """A form of output that the model does not have is a usage error that names the forms that it has."""
    options = {"forest": ["-p", "n_estimators=2"], "boosted_trees": ["-p", "n_rounds=2"]}.get(method, [])
    fit("--method", method, *options)
    model = imbcore.load("model.imb")
    capsys.readouterr()
    forms = {"rules": "rules", "json": "rules", "dot": "to_dot", "sql": "to_sql"}
    available = ["card", "summary", *(form for form, need in forms.items() if hasattr(model, need))]
    for form, need in forms.items():
        code = run("show", "model.imb", f"--{form}")
        shown = capsys.readouterr()
        assert code == (0 if hasattr(model, need) else 2), (form, shown.err)
        if code:
            assert shown.out == ""
            assert set(re.findall(r"--(\w+)", shown.err.partition(";")[2].partition("(")[0])) == set(
                available
            )
    assert run("show", "model.imb", "--card") == 0
    capsys.readouterr()
    assert run("show", "model.imb") == 0
    assert capsys.readouterr().out.startswith(f"{method} with ")
    assert run("show", "model.imb", "--summary") == 0
    assert capsys.readouterr().out.startswith(f"{method} with ")


def test_show_and_fit_describe_search_threshold_and_calibration(folder, capsys):
    columns = ("--drop", "weight", "--drop", "kind")
    fit("--method", "optimal_tree", "-p", "max_depth=1", *columns)
    assert "\noptimal: objective " in capsys.readouterr().out
    assert run("show", "model.imb") == 0
    assert "\noptimal: objective " in capsys.readouterr().out
    fit("--method", "cart", "--calibrate", "sigmoid", "--threshold", "f1")
    rule = imbcore.load("model.imb").decision_["threshold"]
    capsys.readouterr()
    assert run("show", "model.imb") == 0
    text = capsys.readouterr().out
    assert f"\nprediction: fault if its probability is at least {rule:.4g}, chosen for " in text
    assert "\nProbabilities are calibrated (sigmoid) on predictions of inner folds: " in text


@pytest.mark.parametrize("method", ["fast_boxes", "prim", "exact_boxes"])
def test_show_has_four_formats_for_boxes(method, folder, capsys):
    # Exact Boxes support neither levels nor missing values.
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
    assert run("show", "model.imb", "--dot") == 2
    assert f"a model of method {method!r} has no tree to draw; use --rules, " in capsys.readouterr().err


def test_export_writes_the_sql_of_the_model(folder, capsys):
    fit("--method", "cart")
    model = imbcore.load("model.imb")
    capsys.readouterr()
    assert run("export", "model.imb", "--to", "sql") == 0
    assert capsys.readouterr().out == model.to_sql()
    options = ("--dialect", "duckdb", "--table", "a", "--table", "b", "--keep", "id", "--proba")
    assert run("export", "model.imb", "--to", "sql", *options, "-o", "model.sql") == 0
    wanted = model.to_sql(("a", "b"), dialect="duckdb", keep="id", output="proba")
    assert (folder / "model.sql").read_bytes().decode() == wanted
    # A query may be overwritten, other files may not.
    assert run("export", "model.imb", "--to", "sql", "-o", "model.sql") == 0
    assert run("export", "model.imb", "--to", "sql", "-o", "train.csv") == 2
    assert run("export", "model.imb", "--to", "onyx") == 2
    assert "onyx" in capsys.readouterr().err


def test_export_writes_every_format(folder, capsys):
    fit("--method", "cart")
    model = imbcore.load("model.imb")
    capsys.readouterr()
    for form, text in (("json", model.to_json()), ("pmml", model.to_pmml()), ("rust", model.to_rust())):
        assert run("export", "model.imb", "--to", form) == 0
        assert capsys.readouterr().out == text
        for _ in range(2):
            assert run("export", "model.imb", "--to", form, "-o", f"model.{form}") == 0
        assert (folder / f"model.{form}").read_text(encoding="utf-8") == text
        assert run("export", "model.imb", "--to", "sql", "-o", f"model.{form}") == 2
    assert run("export", "model.imb", "--to", "c", "--name", "shop", "-o", "model.c") == 0
    assert (folder / "model.c").read_text(encoding="utf-8") == model.to_c(name="shop")
    pytest.importorskip("onnx", reason="onnx is not installed")
    for _ in range(2):
        assert run("export", "model.imb", "--to", "onnx", "-o", "model.onnx") == 0
    assert (folder / "model.onnx").read_bytes() == model.to_onnx().SerializeToString(deterministic=True)
    capsys.readouterr()
    assert run("export", "model.imb", "--to", "onnx", "--table", "rows") == 2
    assert "--table is for --to sql" in capsys.readouterr().err
    assert run("export", "model.imb", "--to", "c", "--name", "1st") != 0
    assert "letters, digits and underscores" in capsys.readouterr().err


def test_format_follows_the_file_name(folder, capsys):
    fit("--method", "cart")
    model = imbcore.load("model.imb")
    written = {"m.sql": model.to_sql(), "m.json": model.to_json(), "m.pmml": model.to_pmml()}
    for name, text in (written | {"M.RS": model.to_rust(), "m.c": model.to_c()}).items():
        assert run("export", "model.imb", "-o", name) == 0
        assert (folder / name).read_text(encoding="utf-8") == text
    assert run("export", "model.imb", "--to", "json", "-o", "m.txt") == 0
    capsys.readouterr()
    for output in ([], ["-o", "-"], ["-o", "new.txt"]):
        assert run("export", "model.imb", *output) == 2
        assert "ends in .sql, .json, .onnx, .c, .rs, .pmml" in capsys.readouterr().err
    assert run("export", "model.imb", "--proba", "-o", "m.c") == 2
    assert "--proba is for --to sql, not c" in capsys.readouterr().err
    pytest.importorskip("onnx", reason="onnx is not installed")
    assert run("export", "model.imb", "-o", "m.onnx") == 0
    assert (folder / "m.onnx").read_bytes() == model.to_onnx().SerializeToString(deterministic=True)


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_methods_separated_by_spaces_are_explained(command, capsys):
    assert run(command, "train.csv", "-t", "label", "--method", "forest", "cart") == 2
    assert "cart is a method, and there is no such file" in capsys.readouterr().err


def test_evaluate_of_one_method_has_intervals(folder, capsys):
    args = ["evaluate", "train.csv", "-t", "label", "--drop", "key", "--folds", "3", "-m"]
    assert run(*args, "cart") == 0
    assert "95 % interval of the mean" in capsys.readouterr().out
    assert run(*args, "cart,hddt") == 0
    assert "interval of the mean" not in capsys.readouterr().out


@pytest.mark.filterwarnings("default")
def test_warnings_name_the_options_of_the_command_line(folder, capsys):
    """Kind: a message that recommends an argument names the option of the command line."""
    rows = [f"{row // 4},{row * 7919 % 101},{int(row // 4 % 5 == 0)}" for row in range(240)]
    Path("visits.csv").write_text("\n".join(["patient,age,relapse", *rows]) + "\n")
    assert run("evaluate", "visits.csv", "-t", "relapse", "-m", "cart") == 0
    text = capsys.readouterr().err
    assert "give --groups patient, so that" in text
    assert "groups=" not in text
    rows = [f"{row // 8},{row % 2},{row * 7919 % 101},{int(row % 5 == 0)}" for row in range(240)]
    Path("visits.csv").write_text("\n".join(["day,patient,age,relapse", *rows]) + "\n")
    data = ["visits.csv", "-t", "relapse", "-m", "cart", "--time", "day", "--groups", "patient"]
    assert run("evaluate", *data, "--alerts", '{"alerts": 2, "per": {"time": 1}}') == 1
    text = capsys.readouterr().err
    assert "only --time COLUMN to test later rows of known groups, only --groups COLUMN to test new" in text
    assert run("fit", *data, "--threshold", "recall=0.8", "-o", "new.imb") == 1
    assert "omit --groups or --time" in capsys.readouterr().err
    quiet = [*data[:-2], "-m", "naive_bayes", "--threshold", "1", "--folds", "2", "--alerts"]
    assert run("evaluate", *quiet, '{"alerts": 2.5, "per": {"time": 1}}') == 0
    assert """--threshold '{"alerts": 2.5, "per": {"time": 1.0}}'""" in capsys.readouterr().out
    assert run("evaluate", *quiet, "alerts=2,per=50") == 0
    assert "--threshold alerts=2,per=50\n" in capsys.readouterr().out


def test_explain_keeps_columns_and_mentions_calibration(folder, capsys):
    fit("--method", "cart", "--calibrate", "sigmoid")
    capsys.readouterr()
    assert run("explain", "model.imb", "train.csv", "--keep", "key", "-o", "why.csv") == 0
    assert "explain the output before calibration" in capsys.readouterr().err
    assert Path("why.csv").read_text().splitlines()[0].startswith("key,probability,")
    assert run("explain", "model.imb", "train.csv", "--keep", "key", "--text") == 2
