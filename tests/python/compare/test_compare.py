"""`imbcore.compare` and `imbcore compare`: numbers match the records, statements match the tests."""

import json
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import imbcore
from imbcore import evaluation, stats
from imbcore._cli import cli
from imbcore._cli.console import run_command
from imbcore._validation.digits import score_text
from imbcore.exceptions import DataError, ParameterError
from imbcore.sampling import SMOTE


@pytest.fixture
def tables():
    rng = np.random.default_rng(5)
    found = {}
    for number in range(5):
        X = rng.normal(size=(100, 3))
        found[f"t{number}"] = (X, (X[:, 0] + 0.4 * rng.normal(size=100) > 1).astype(int))
    return found


METHODS = {"chance": DummyClassifier(), "CART": "cart", "logistic": LogisticRegression()}


def test_one_table_is_tested_by_its_folds(numbers):
    X, y = numbers
    found = imbcore.compare(X, y, ["cart", "hddt"], score="auc")
    records = evaluation.run({"cart": "cart", "hddt": "hddt"}, {"data": (X, y)}, "5x2")
    auc = evaluation.values(records, "auc")
    (test,) = found.tests()
    assert test.p == stats.five_by_two_test(auc["data", "cart"], auc["data", "hddt"]).f_p
    assert test.test == "5 x 2 F"
    other = imbcore.compare(X, y, ["cart", "hddt"], "2x3", score="auc")
    (test,) = other.tests()
    assert test.test == "corrected resampled t"


def parts(found, measure):
    return evaluation.values(found.records, measure).values()


def test_means_match_the_records(numbers):
    found = imbcore.compare(*numbers, METHODS, "2x3", score="f1")
    assert found.measures[0] == "f1"
    assert found.summary().means[0] == pytest.approx([np.mean(of) for of in parts(found, "f1")], abs=1e-15)
    assert found.summary().sds[0] == pytest.approx(
        [np.std(of, ddof=1) for of in parts(found, "f1")], abs=1e-15
    )
    frame = found.to_frame()
    assert frame["method"].tolist() == list(METHODS)
    assert frame["auc_sd"].tolist() == pytest.approx(found.summary("auc").sds[0].tolist())


def test_several_tables_are_ranked(tables):
    found = imbcore.compare(tables, methods=METHODS, protocol="1x2", score="auc", n_jobs=2)
    means = found.summary().means
    assert found.ranks().average_ranks.tolist() == stats.friedman_test(means).average_ranks.tolist()
    worse = imbcore.Comparison(found.procedure, "log_loss", ("log_loss",), 0.05, 0, found.records)
    losses = worse.summary().means
    assert worse.ranks().average_ranks.tolist() == stats.friedman_test(-losses).average_ranks.tolist()
    best = {name for name, rank in zip(METHODS, found.ranks().average_ranks, strict=True) if rank < 1.7}
    assert best == {"logistic"}
    text = str(found)
    assert found.ranks().permutation_p < 0.001
    assert "Friedman test by permutation, p < 0.001" in text
    assert "logistic than chance" in text
    assert "logistic than CART" in str(worse)
    chances = found.practical()["chance", "logistic"]
    assert chances.less > 0.99


@pytest.mark.parametrize(
    ("n_tables", "words"),
    [
        (3, "do not differ significantly at level 0.05 (Friedman test by permutation, p = 0.25)"),
        (30, "differ at level 0.05 (Friedman test, Iman and Davenport's F = inf, p < 0.001)"),
    ],
)
def test_few_tables_are_tested_by_permutation(numbers, n_tables, words):
    """All tables rank the methods equally; with three tables this has the probability 1/4."""
    found = imbcore.compare(*numbers, {"chance": DummyClassifier(), "cart": "cart"}, "1x2")
    records = [{**record, "dataset": f"t{at}"} for at in range(n_tables) for record in found.records]
    several = imbcore.Comparison(found.procedure, "auc", ("auc",), 0.05, 0, records)
    assert words in str(several)


def test_several_tables_show_the_mean_of_every_measure(tables, tmp_path):
    measures = ["recall", "npv", "log_loss"]
    options = {"protocol": "1x2", "score": "auc", "measures": measures, "policies": True}
    found = imbcore.compare(tables, methods=METHODS, **options)
    found.save(tmp_path)
    pages = [(tmp_path / f"table.{ending}").read_text(encoding="utf-8") for ending in ("md", "html")]
    for measure in ["auc", *measures]:
        means = found.summary(measure).means
        shown = [score_text(mean) for mean in means[:, : len(METHODS)].mean(axis=0)]
        (line,) = [words for row in str(found).split("\n") if (words := row.split())[:1] == [measure]][:1]
        assert line[1 : 1 + len(METHODS)] == shown
        assert line[-3:] == ["5", "of", "5"]
        assert all(text in page for text in shown for page in pages)


def test_latex_tables_have_means_ranks_and_escaped_names(tables, tmp_path):
    methods = {"chance_50%": DummyClassifier(), "CART": "cart", "logistic": LogisticRegression()}
    found = imbcore.compare(
        {f"{name}_&": table for name, table in tables.items()}, None, methods, "1x2", score="auc"
    )
    lines = found.to_latex().splitlines()
    assert lines[:3] == [
        r"\begin{tabular}{lrrr}",
        r"\hline",
        r"table & chance\_50\% & CART & logistic \\",
    ]
    summary = found.summary()
    cells = [
        f"{score_text(mean)} $\\pm$ {score_text(sd)}"
        for mean, sd in zip(summary.means[0], summary.sds[0], strict=True)
    ]
    cells[2] = rf"\textbf{{{cells[2]}}}"
    assert lines[4] == r"t0\_\& & " + " & ".join(cells) + r" \\"
    means = " & ".join(score_text(mean) for mean in summary.means.mean(axis=0))
    ranks = " & ".join(f"{rank:.2f}" for rank in found.ranks().average_ranks)
    rest = [r"\hline", rf"mean over 5 of 5 tables & {means} \\", rf"average rank & {ranks} \\", r"\hline"]
    assert lines[-5:] == [*rest, r"\end{tabular}"]
    assert all(line.count(" & ") == 3 for line in lines if line.endswith(r"\\"))
    found.save(tmp_path)
    assert (tmp_path / "table.tex").read_text(encoding="utf-8") == found.to_latex()
    other = imbcore.compare(
        {f"{name}_&": table for name, table in tables.items()},
        None,
        methods,
        "1x2",
        score="balanced_accuracy",
    )
    assert found.to_latex("balanced_accuracy") == other.to_latex()
    with pytest.raises(ParameterError, match="measure must be one of"):
        found.to_latex("brier")


def test_latex_tables_of_one_table_have_the_metrics_as_columns(numbers):
    found = imbcore.compare(*numbers, ["cart", "hddt"], "1x2", measures=["auc"], policies=True)
    lines = found.to_latex().splitlines()
    assert lines[2] == r"method & average\_precision & auc \\"
    assert [line.split(" & ")[0] for line in lines[4 : 4 + len(found.methods)]] == found.methods


def test_too_few_tables_or_methods_are_not_ranked(numbers, tables):
    one_method = imbcore.compare(tables, methods=["cart"], protocol="1x2")
    one_table = imbcore.compare(*numbers, ["cart", "hddt"], "1x2")
    for found, words in [(one_method, "methods here: 1"), (one_table, "such tables: 1")]:
        for read in (found.ranks, found.critical_difference, found.practical):
            with pytest.raises(
                DataError, match=f"at least two methods with a mean of average_precision.*{words}"
            ):
                read()


def test_report_and_files_are_written(numbers, tables, tmp_path):
    found = imbcore.compare(*numbers, METHODS, "1x2", out=tmp_path / "one")
    names = {path.name for path in (tmp_path / "one").iterdir()}
    assert {"records.jsonl", "folds.json", "table.html", "table.csv", "roc.png", "roc.csv"} <= names
    again = imbcore.compare(*numbers, METHODS, "1x2", out=tmp_path / "one")
    assert again.records == found.records
    with pytest.raises(ParameterError, match="seed 0, not 1"):
        imbcore.compare(*numbers, METHODS, "1x2", out=tmp_path / "one", random_state=1)
    several = imbcore.compare(tables, methods=METHODS, protocol="1x2")
    several.write(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<img") == 1
    assert not sys.modules["matplotlib.pyplot"].get_fignums()
    assert "bars connect methods" in page
    assert "<table" in several._repr_html_()
    kept = evaluation.read_folds(tmp_path / "one" / "folds.json")
    assert np.array_equal(kept["data"], evaluation.make_splits({"data": numbers}, "1x2")["data"])


def test_methods_of_one_class_are_numbered(numbers):
    found = imbcore.compare(*numbers, ["cart", LogisticRegression(), LogisticRegression(C=0.1)], "1x2")
    assert found.methods == ["cart", "LogisticRegression", "LogisticRegression 2"]


def test_failures_are_reported(numbers):
    X, y = numbers
    gaps = np.where(np.arange(X.size).reshape(X.shape) == 5, np.nan, X)
    found = imbcore.compare(gaps, y, ["cart", LogisticRegression()], "1x2")
    assert "LogisticRegression failed in 2 fits on data: ValueError: Input X contains NaN" in str(found)
    assert found.tests() == []
    with pytest.raises(DataError, match="no method could be fitted"):
        imbcore.compare(gaps, y, [LogisticRegression()], "1x2")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"score": "gini"}, "'gini' is not a metric of a record"),
        ({"level": 2}, "level must be in"),
        ({"protocol": "5y2"}, "unknown protocol"),
        ({"methods": ["hdtt"]}, "did you mean 'hddt'"),
    ],
)
def test_invalid_comparisons_are_rejected(numbers, options, message):
    with pytest.raises(ParameterError, match=message):
        imbcore.compare(*numbers, **options)
    with pytest.raises(ParameterError, match="y is missing"):
        imbcore.compare(numbers[0])
    with pytest.raises(ParameterError, match="give the methods as methods="):
        imbcore.compare({"numbers": numbers}, {"tree": "cart"})


@pytest.fixture
def folder(tables, tmp_path):
    place = tmp_path / "tables"
    place.mkdir()
    for name, (X, y) in tables.items():
        rows = [
            "a,b,c,y",
            *(",".join(map(str, (*x, "yes" if z else "no"))) for x, z in zip(X, y, strict=True)),
        ]
        (place / f"{name}.csv").write_text("\n".join(rows) + "\n")
    return place


def test_command_compares_a_folder(folder, tables, tmp_path, capsys):
    out, means = tmp_path / "out", tmp_path / "means.json"
    args = [folder, "-t", "y", "-m", "cart,hddt", "--protocol", "1x2", "--positive", "yes", "--out", out]
    assert (
        run_command(cli, [*map(str, ["compare", *args, "--json", means, "--html", tmp_path / "p.html"])]) == 0
    )
    printed = capsys.readouterr().out
    assert "2 methods on 5 tables, 1 x 2 stratified folds" in printed
    rows = json.loads(means.read_text())
    ours = imbcore.compare(tables, methods=["cart", "hddt"], protocol="1x2")
    assert [row["auc"] for row in rows] == [row["auc"] for row in ours.rows()]
    assert (out / "critical_difference.png").exists()
    assert "<img" in (tmp_path / "p.html").read_text()


def test_command_compares_one_table(folder, capsys):
    args = ["compare", str(folder / "t0.csv"), "-t", "y", "-m", "cart,hddt", "--protocol", "1x2"]
    assert run_command(cli, args) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("2 methods on one table, ")
    assert run_command(cli, [*args[:4], "-m", "cart", "-m", "hddt", *args[6:]]) == 0
    assert capsys.readouterr().out == shown
    assert run_command(cli, [*args[:4], "-m", "cart", *args[6:]]) == 0
    assert capsys.readouterr().out.startswith("one method on one table, ")
    assert run_command(cli, ["compare", str(folder / "t0.csv"), str(folder), "-t", "y"]) == 2
    assert "two tables are called 't0'" in capsys.readouterr().err


@pytest.fixture(scope="module")
def noted():
    rng = np.random.default_rng(2)
    X = rng.integers(0, 9, (80, 3))
    y = (np.arange(80) % 8 == 0).astype(int)
    text = {"a": rng.normal(size=80), "sex": ["F", "M"] * 40}
    methods = {
        "smote": evaluation.Resampled(SMOTE(k_neighbors=2), "cart"),
        "never": DummyClassifier(),
        "numbers": GaussianNB(),
    }
    return imbcore.compare({"whole": (X, y), "text": (pd.DataFrame(text), y)}, None, methods, "1x2")


def test_warnings_of_fits_are_shown(noted):
    """Kind: a comparison shows what happened in its fits: warnings, failures, constant predictions."""
    ((method, n_fits, n_tables, text),) = noted.warnings()
    assert (method, n_fits, n_tables) == ("smote", 2, 1)
    assert "truncated to integers" in text
    assert f"smote warned in 2 fits on 1 table, such as: {text}" in str(noted)


def test_constant_predictions_are_shown(noted):
    assert ("whole", "never") in noted.constant()
    assert "never predicted a single class for all test rows of whole." in str(noted)


def test_failures_of_other_libraries_have_a_remedy(noted):
    (why,) = {why for _, method, _, why in noted.failures() if method == "numbers"}
    assert "could not convert string to float" in why
    assert "OneHotEncoder" in why


def test_pairs_are_tested_by_any_measure(numbers, tables):
    one = imbcore.compare(*numbers, ["cart", "hddt"])
    assert one.tests("auc") == imbcore.compare(*numbers, ["cart", "hddt"], score="auc").tests()
    several = imbcore.compare(tables, methods=["cart", "hddt", "naive_bayes"], protocol="1x2")
    ranks = several.ranks("auc").average_ranks
    assert several.tests("auc")[0].difference == ranks[0] - ranks[1]


def test_saved_scores_are_numbers(numbers, tmp_path):
    found = imbcore.compare(*numbers, ["cart", "hddt"], "1x2", out=tmp_path)
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "scores.csv"), found.to_frame())


def test_names_of_any_case_and_folders_have_hints(numbers, tmp_path):
    with pytest.raises(ParameterError, match="did you mean 'hddt'"):
        imbcore.compare(*numbers, ["HDDT"])
    with pytest.raises(ParameterError, match="did you mean 'svr'"):
        imbcore.compare(*numbers, ["hddt"], "SVR")
    for name in "ab":
        (tmp_path / f"{name}.csv").write_text(f"{name},y\n1,0\n2,1\n")
    with pytest.raises(DataError, match=r"a dict \{name: "):
        imbcore.compare(tmp_path, "y")
