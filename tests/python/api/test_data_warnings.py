"""Undefined results are NaN instead of 0, and properties of the data are reported in one warning each."""

import subprocess
import sys
import warnings
from datetime import date, timedelta

import numpy as np
import pytest

import imbcore
from imbcore.evaluation._evaluation import best_methods, format_score_table
from imbcore.evaluation._scores_json import scores_json
from imbcore.exceptions import DataWarning

RNG = np.random.default_rng(11)


def collect_warnings(call):
    """Texts of the warnings of a call, and its result."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = call()
    assert all(issubclass(warning.category, DataWarning) for warning in caught)
    texts = [str(warning.message) for warning in caught]
    assert all("\n" not in text for text in texts)
    return texts, found


SHOPS = {"size": RNG.normal(size=900), "shop": np.array([f"shop {row % 300}" for row in range(900)])}
BOUGHT = (RNG.random(900) < 0.3).astype(int)


class TestManyLevels:
    @pytest.mark.parametrize(("method", "rule"), [("cart", "ovr"), ("c44", "multiway"), ("beat", "dummy")])
    def test_trees_warn_that_they_split_by_sets(self, method, rule):
        (text,), _ = collect_warnings(lambda: imbcore.fit(SHOPS, BOUGHT, method=method))
        assert text.startswith(
            f"column 'shop' has 300 levels, more than the 255 that categorical_split=\"{rule}\""
        )

    def test_evaluate_warns_once(self):
        texts, _ = collect_warnings(lambda: imbcore.evaluate(SHOPS, BOUGHT, method="cart", folds=2))
        assert [text[:30] for text in texts] == ["column 'shop' has 300 levels, "]

    def test_other_methods_do_not_warn(self):
        assert (
            collect_warnings(lambda: imbcore.fit(SHOPS, BOUGHT, method="cart", categorical_split="subset"))[0]
            == []
        )
        assert (
            collect_warnings(lambda: imbcore.fit(SHOPS, BOUGHT, method="logistic_regression", C=1.0))[0] == []
        )


class TestFoldsWithoutPositives:
    X = RNG.normal(size=(60, 2))
    y = np.isin(np.arange(60), [5, 50]).astype(int)

    def evaluated(self, **options):
        return collect_warnings(
            lambda: imbcore.evaluate(self.X, self.y, method="cart", random_state=0, **options)
        )

    def test_undefined_folds_are_nan_with_a_warning(self):
        (text,), result = self.evaluated(folds=5)
        assert text.startswith("2 positives (1): at most 2 stratified folds; some of 5 folds test none")
        for name in ("precision", "recall", "f1", "average_precision", "roc_auc", "g_mean", "mcc"):
            assert np.isnan(result.metrics[name]).sum() == 3, name
        assert not np.isnan(result.metrics["accuracy"]).any()
        assert result.n_defined()["recall"] == 2
        assert result.n_defined()["accuracy"] == 5
        defined = result.metrics["recall"][~np.isnan(result.metrics["recall"])]
        assert result.mean()["recall"] == defined.mean()
        assert result.sd()["recall"] == defined.std(ddof=1)
        assert "over 2 of 5 folds" in str(result)
        accuracy = next(line for line in str(result).splitlines() if line.startswith("accuracy"))
        assert "over" not in accuracy

    def test_tables_mark_undefined_scores(self):
        _, result = self.evaluated(folds=5)
        table = format_score_table({"cart": result, "again": result})
        assert "(2 of 5 folds)" in table
        values = scores_json({"cart": result})["methods"]["cart"]["recall"]
        assert values["values"].count(None) == 3
        assert values["mean"] is not None

    def test_score_undefined_in_all_folds_is_nan(self):
        _, result = self.evaluated(folds=2)
        result.metrics["recall"][:] = np.nan
        assert np.isnan(result.mean()["recall"])
        assert np.isnan(result.sd()["recall"])
        assert best_methods({"cart": result}, "recall") == []

    def test_as_many_folds_as_positives_do_not_warn(self):
        texts, result = self.evaluated(folds=2)
        assert texts == []
        assert not np.isnan(result.metrics["recall"]).any()

    def test_folds_without_one_of_several_classes_warn(self):
        y = np.arange(60) % 2
        y[7] = 2
        texts, _ = collect_warnings(
            lambda: imbcore.evaluate(self.X, y, method="cart", folds=3, random_state=0)
        )
        assert len(texts) == 1
        assert texts[0].startswith("1 row of class 2: at most 1")


def test_rows_without_an_out_of_bag_prediction_warn():
    X, y = RNG.normal(size=(50, 2)), np.arange(50) % 2
    forest = imbcore.RandomForestClassifier(n_estimators=2, oob_score=True, random_state=0)
    texts, forest = collect_warnings(lambda: forest.fit(X, y))
    silent = np.isnan(forest.oob_decision_function_[:, 0]).sum()
    assert silent > 0
    (text,) = texts
    assert text.startswith(
        f"{silent} of 50 rows were drawn for every member and have no out-of-bag prediction (NaN)"
    )
    many = imbcore.RandomForestClassifier(n_estimators=60, oob_score=True, random_state=0)
    assert collect_warnings(lambda: many.fit(X, y))[0] == []


def table(n_rows=200):
    y = (np.arange(n_rows) % 8 == 0).astype(int)
    return {"a": RNG.normal(size=n_rows), "b": RNG.choice(["u", "v"], size=n_rows)}, y


def days(n_rows):
    start = np.datetime64("2020-01-01")
    return np.array([str(start + day) for day in RNG.integers(0, 400, size=n_rows)])


HIDDEN = {
    "numeric copy of the target": (lambda y: y * 3.0 - 1, "alone separates the classes"),
    "values below and above": (
        lambda y: np.where(y == 1, -1, 1) * RNG.uniform(1, 2, len(y)),
        "alone separates the",
    ),
    "named copy of the target": (lambda y: np.where(y == 1, "paid", "due"), "alone separates the classes"),
    "empty": (lambda y: np.full(len(y), np.nan), "has no value in any row"),
    "key": (
        lambda y: np.array([f"id{row:06d}" for row in range(len(y))]),
        "has a different level in every row",
    ),
    "dates": (lambda y: days(len(y)), "holds dates as text"),
    "numbers with decimal commas": (
        lambda y: np.array([f"{row % 40 - 9},5" for row in range(len(y))]),
        "holds numbers with decimals as text",
    ),
    "levels in two spellings": (
        lambda y: RNG.choice(["Bern", "bern ", "Basel"], size=len(y)),
        "has the levels ",
    ),
}


class TestColumns:
    @pytest.mark.parametrize("what", HIDDEN)
    def test_each_property_has_one_warning(self, what):
        X, y = table()
        make, message = HIDDEN[what]
        X["hidden"] = make(y)
        texts, _ = collect_warnings(lambda: imbcore.CARTClassifier(max_depth=2).fit(X, y))
        assert [text.startswith(f"column 'hidden' {message}") for text in texts] == [True], texts
        texts, _ = collect_warnings(
            lambda: imbcore.evaluate(X, y, method="cart", max_depth=2, random_state=0)
        )
        assert texts[0].startswith(f"column 'hidden' {message}") or texts[1].startswith(
            f"column 'hidden' {message}"
        )

    def test_labels_in_two_spellings_are_two_classes(self):
        X, y = table()
        labels = np.array(["no", "yes", "Yes"])[y + (y & RNG.integers(0, 2, len(y)))]
        texts, model = collect_warnings(lambda: imbcore.fit(X, labels, "cart"))
        message = (
            'the labels "Yes" and "yes" differ only in case or spaces, and are two classes; '
            "if they mean the same, make their texts equal"
        )
        assert texts == [message]
        assert len(model.classes_) == 3

    def test_warnings_do_not_depend_on_threads(self):
        X, y = table()
        for name, (make, _) in HIDDEN.items():
            X[name] = make(y)
        one, two = (
            collect_warnings(
                lambda n=n: imbcore.evaluate(X, y, method="cart", max_depth=2, random_state=0, n_threads=n)
            )[0]
            for n in (1, 2)
        )
        assert one == two
        assert len(one) >= len(HIDDEN)

    def test_ordinary_columns_do_not_warn(self):
        X, y = table()
        X["nearly"] = y + np.where(np.arange(200) == 0, -1.0, 0.0)
        X["gaps"] = np.where(np.arange(200) % 3 == 0, np.nan, RNG.normal(size=200))
        X["many levels"] = np.array([f"l{level}" for level in RNG.integers(0, 150, size=200)])
        X["few dates"] = RNG.choice(days(20), size=200)
        assert collect_warnings(lambda: imbcore.CARTClassifier().fit(X, y))[0] == []

    def test_few_rows_do_not_warn(self):
        """Levels in two spellings are certain for any number of rows; other findings need evidence."""
        X, y = table(16)
        for name, (make, _) in HIDDEN.items():
            X[name] = make(y)
        (text,) = collect_warnings(lambda: imbcore.CARTClassifier().fit(X, y))[0]
        assert text.startswith("column 'levels in two spellings' has the levels ")

    def test_few_rows_of_a_class_do_not_warn(self):
        y = (np.arange(200) < 9).astype(int)
        assert collect_warnings(lambda: imbcore.CARTClassifier().fit(np.arange(200.0)[:, None], y))[0] == []

    def test_rows_of_zero_weight_do_not_suppress_a_warning(self):
        X, y = table(300)
        X["hidden"] = y.astype(float)
        # Several rows, so that the column does not even nearly separate the classes.
        X["hidden"][:40] = 1 - y[:40]
        weight = np.ones(300)
        assert collect_warnings(lambda: imbcore.CARTClassifier().fit(X, y, weight))[0] == []
        weight[:40] = 0
        assert len(collect_warnings(lambda: imbcore.CARTClassifier().fit(X, y, weight))[0]) == 1


def test_perfect_scores_warn():
    X = RNG.normal(size=(300, 2))
    y = (X[:, 0] > 0.5).astype(int)
    X[:, 0] += np.where(y == 1, 5.0, -5.0)
    X = np.column_stack([X[:, 0] + X[:, 1] * 0, X[:, 1]])
    texts, result = collect_warnings(lambda: imbcore.evaluate(X, y, method="cart", random_state=0))
    assert (result.predicted == y).all()
    assert any(
        text.startswith("every row was predicted correctly by a model that had not seen it") for text in texts
    )


def test_command_line_prints_each_warning_once(tmp_path):
    X, y = table()
    lines = ["a,leak,y", *(f"{value},{label},{label}" for value, label in zip(X["a"], y, strict=True))]
    (tmp_path / "data.csv").write_text("\n".join(lines))
    command = [sys.executable, "-c", "from imbcore._cli import main; main()"]
    arguments = ["evaluate", "data.csv", "-t", "y", "-m", "cart,hddt", "--html", "report.html"]
    done = subprocess.run([*command, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    printed = [line for line in done.stderr.splitlines() if "column 'leak'" in line]
    assert len(printed) == 1
    assert printed[0].startswith("imbcore: warning: column 'leak' alone separates")


class TestDatesAsText:
    """Kind: a table in memory does not turn a column of dates into categories without a warning."""

    Y = (RNG.random(60) < 0.3).astype(int)

    @pytest.mark.parametrize(
        "form",
        ["%d.%m.%Y", "%Y-%m-%d", "%m/%d/%y", "%Y/%m/%d", "%Y-%m-%dT%H:%M:%S", "%d.%m.%Y %H:%M", "%d-%m-%Y"],
    )
    def test_dates_warn(self, form):
        days = [date(2024, 1, 1) + timedelta(days=day) for day in range(60)]
        table = {"visit": [day.strftime(form) for day in days], "age": RNG.normal(size=60)}
        texts, _ = collect_warnings(lambda: imbcore.fit(table, self.Y, "cart"))
        assert [text[:35] for text in texts] == ["column 'visit' holds dates as text,"]

    @pytest.mark.parametrize("form", ["1.2.{}", "{}-1", "{}:30", "10-{}-x", "2024.{}"])
    def test_other_text_does_not_warn(self, form):
        table = {"code": [form.format(row % 30) for row in range(60)], "age": RNG.normal(size=60)}
        texts, _ = collect_warnings(lambda: imbcore.fit(table, self.Y, "cart"))
        assert not any("dates" in text for text in texts)
