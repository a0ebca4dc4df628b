"""The report page: self-contained, complete, and reproducible."""

from __future__ import annotations

import re
import warnings
from html.parser import HTMLParser

import numpy as np
import pytest

import imbcore
from imbcore._model.rule_lines import rule_lines
from imbcore._model.rules import condition_text
from imbcore.evaluation._document import markdown_table
from imbcore.evaluation._evaluation import best_method, best_methods, format_score_table
from imbcore.evaluation._portrait import represent_model
from imbcore.evaluation._report_page import write_report
from imbcore.evaluation._scores_json import scores_json

VOID = {"meta", "img", "br", "link", "input", "hr", "wbr"}


class Page(HTMLParser):
    """Checks that tags are closed in order, and collects images and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.words: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if tag == "img":
            self.images.append(dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture
def compared(numbers):
    X, y = numbers
    y = np.where(y == 1, "<rare>", "common")
    results = {name: imbcore.evaluate(X, y, name, folds=3, random_state=0) for name in ("hddt", "cart")}
    return X, y, results, imbcore.fit(X, y, best_method(results), random_state=0)


def test_page_is_self_contained(compared, tmp_path):
    X, _, results, model = compared
    write_report(
        tmp_path / "r.html", results, model, X, title="<b>odd & title", reproduce="imbcore evaluate 'a<b'"
    )
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    page = Page(text)
    assert "$" not in re.sub(r'src="[^"]*"|<script type="module">.*?</script>', "", text, flags=re.DOTALL)
    assert not re.findall(r'(?:src|href)="(?!data:)', text)
    assert "<b>" not in text
    assert "<rare>" not in text
    assert "<b>odd & title" in "".join(page.words)
    assert len(page.images) == 4
    assert all(
        image["alt"] and image["src"].startswith("data:image/svg+xml;base64,") for image in page.images
    )


def test_equal_results_give_equal_pages(compared, tmp_path):
    X, _, results, model = compared
    for name in ("a", "b"):
        write_report(tmp_path / name, results, model, X, title="t")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("method", ["hddt", "balanced_random_forest", "fast_boxes", "naive_bayes"])
def test_renamed_labels_change_only_names(method, numbers, tmp_path):
    """If the order of the labels changes, columns and rows of tables are reordered, and nothing else."""
    X, y = numbers
    text_of_page = []
    for rare, common in (("aaa", "zzz"), ("zzz", "aaa")):
        labels = np.where(y == 1, rare, common)
        scores = imbcore.evaluate(X, labels, method, positive=rare, folds=3, random_state=0)
        model = imbcore.fit(X, labels, method, positive=rare, random_state=0)
        write_report(tmp_path / rare, {method: scores}, model, X, title="t", reproduce="again")
        words = Page((tmp_path / rare).read_text(encoding="utf-8")).words
        swapped = {"aaa": "RARE" if rare == "aaa" else "COMMON", "zzz": "COMMON" if rare == "aaa" else "RARE"}
        text_of_page.append(
            sorted(
                re.sub("aaa|zzz", lambda found, swapped=swapped: swapped[found[0]], word) for word in words
            )
        )
    assert text_of_page[0] == text_of_page[1]
    assert any("RARE" in word for word in text_of_page[0])


def test_best_means_are_bold_and_starred(compared, tmp_path):
    X, _, results, model = compared
    write_report(tmp_path / "r.html", results, model, X, title="t")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    wanted = sum(len(best_methods(results, metric)) for metric in results["hddt"].metrics)
    assert text.count("class=best") == wanted
    assert format_score_table(results).count("*") == wanted


def test_counts_on_the_page_match_the_predictions(compared, tmp_path):
    X, y, results, model = compared
    name = best_method(results)
    write_report(tmp_path / "r.html", results, model, X, title="t")
    text_of_page = "".join(Page((tmp_path / "r.html").read_text(encoding="utf-8")).words)
    predicted = results[name].classes_[results[name].proba.argmax(axis=1)]
    right = int(np.sum((predicted == "<rare>") & (y == "<rare>")))
    assert f"{name} detects {right} of the {int(np.sum(y == '<rare>'))} rows" in text_of_page


def test_report_of_several_classes(numbers, tmp_path):
    X, _ = numbers
    y = np.digitize(X[:, 0], [-0.5, 1.2])
    results = {"hddt": imbcore.evaluate(X, y, "hddt", folds=3, random_state=0)}
    write_report(tmp_path / "r.html", results, imbcore.fit(X, y, "hddt"), X, title="t")
    assert "means over the classes" in (tmp_path / "r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("method", ["fast_boxes", "prim", "exact_boxes"])
def test_boxes_are_drawn_and_listed(method, numbers, tmp_path):
    X, y = numbers
    y = np.where(y == 1, "<rare>", "common")
    limit = {"n_boxes": 1} if method == "exact_boxes" else {}
    results = {method: imbcore.evaluate(X, y, method, folds=3, random_state=0, **limit)}
    model = imbcore.fit(X, y, method, random_state=0, **limit)
    write_report(tmp_path / "r.html", results, model, X, title="t")
    page = Page((tmp_path / "r.html").read_text(encoding="utf-8"))
    text_of_page = "".join(page.words)
    assert f"The boxes of {method}" in text_of_page
    assert "The tree" not in text_of_page
    assert len(page.images) == 4
    assert model.boxes()
    # Without weights, training fractions are those of the table.
    for rule in model.rules():
        assert condition_text(rule) in text_of_page
        assert f"{rule['share']:.1%}" in text_of_page


def test_report_of_an_empty_drawing(numbers, tmp_path):
    X, y = numbers
    options = {"n_boxes": 1, "box_cost": 1000.0}
    results = {"exact_boxes": imbcore.evaluate(X, y, "exact_boxes", folds=3, **options)}
    model = imbcore.fit(X, y, "exact_boxes", **options)
    write_report(tmp_path / "r.html", results, model, X, title="t")
    text_of_page = "".join(Page((tmp_path / "r.html").read_text(encoding="utf-8")).words)
    assert "The model has no box" in text_of_page


def test_rules_are_those_of_the_positive_class(compared):
    _, y, _, model = compared
    for positive in ("<rare>", "common"):
        rules = model.rules(positive=positive)
        place, share = model.classes_.tolist().index(positive), (y == positive).mean()
        assert [rule["lift"] for rule in rules] == sorted((rule["lift"] for rule in rules), reverse=True)
        assert sum(rule["recall"] for rule in rules) == pytest.approx(1)
        for rule in rules:
            assert rule["positive"] == positive
            assert rule["lift"] == pytest.approx(rule["probability"][place] / share)
            assert rule["share"] == pytest.approx(rule["mass"][place] / sum(rule["mass"]))
        lines = rule_lines(model, positive, 2)
        assert len(lines) == 2
        assert all(
            f"p({'common' if positive == 'common' else chr(34) + '<rare>' + chr(34)}) = " in line
            for line in lines
        )
    assert model.rules() == model.rules(positive="<rare>")
    assert len(rule_lines(model)) == model.n_leaves_
    with pytest.raises(imbcore.ParameterError, match="positive"):
        model.rules(positive="gone")
    with pytest.raises(imbcore.ParameterError, match="top"):
        model.rules(top=0)


def test_rules_of_several_classes_are_those_of_the_requested_class(numbers):
    X, _ = numbers
    y = np.digitize(X[:, 0], [-0.5, 1.2])
    model = imbcore.fit(X, y, "cart", max_depth=2)
    assert model.rules()[0]["positive"] == model.positive_ == 2
    assert "p(2)" in model.export_text()
    assert "p(1) " in model.export_text(positive=1)
    assert "p(1) " in model.to_dot(positive=1)


def numbers_of_rules(page):
    """Rows, precision and recall of every rule of the page."""
    cells = re.findall(r'<td class="rule">.*?</td><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td>', page)
    return [(float(a.replace(",", "")), float(b.rstrip("%")), float(c.rstrip("%"))) for a, b, c in cells]


@pytest.mark.parametrize(
    "method", ["balanced_random_forest", "naive_bayes", "hddt", "svr_tree", "prim", "c44"]
)
def test_numbers_of_rules_match_the_table(method, tmp_path):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 3))
    y = np.where(X[:, 0] + X[:, 1] + 0.6 * rng.normal(size=400) > 2.2, "late", "ontime")
    options = {"n_estimators": 15} if "forest" in method else {}
    result = imbcore.evaluate(X, y, method, folds=3, random_state=0, class_weight="balanced", **options)
    model = imbcore.fit(X, y, method, random_state=0, class_weight="balanced", **options)
    write_report(tmp_path / "r.html", {method: result}, model, X, title="t")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    shown = represent_model(model, X, result)
    rules = [rule for rule in shown.model.rules(positive="late") if rule["class"] == "late"]
    leaves = shown.model.apply(X)
    wanted = []
    for rule in rules:
        inside = held(rule, X) if "box" in rule else leaves == rule["leaf"]
        hits = (y[inside] == "late").sum()
        wanted.append(
            (inside.sum(), round(100 * hits / inside.sum(), 1), round(100 * hits / (y == "late").sum(), 1))
        )
    wanted.sort(key=lambda numbers: -numbers[2])
    found = numbers_of_rules(text)
    assert found
    assert len(found) == min(12, len(wanted))
    if len(wanted) <= 12:
        np.testing.assert_allclose(sorted(found), sorted(wanted), atol=0.051)
    text_of_page = " ".join("".join(Page(text).words).split())
    unseen = result.predicted == "late"
    assert "computed on all 400 rows" in text_of_page
    assert (
        f"recall {(unseen & (y == 'late')).sum() / (y == 'late').sum():.1%} (all test folds together)"
        in text_of_page
    )


def held(box, X):
    inside = np.ones(len(X), dtype=bool)
    for condition in box["conditions"]:
        column = X[:, int(condition["feature"][1:])]
        inside &= (column >= condition.get("lower", -np.inf)) & (column <= condition.get("upper", np.inf))
    return inside


@pytest.mark.parametrize("method", ["random_forest", "naive_bayes"])
def test_surrogate_states_its_fidelity(method, numbers, tmp_path):
    X, y = numbers
    options = {"n_estimators": 9} if method == "random_forest" else {}
    result = imbcore.evaluate(X, y, method, folds=3, random_state=0, **options)
    model = imbcore.fit(X, y, method, random_state=0, **options)
    write_report(tmp_path / "r.html", {method: result}, model, X, title="t")
    text_of_page = " ".join("".join(Page((tmp_path / "r.html").read_text(encoding="utf-8")).words).split())
    assert f"Surrogate tree of {method}" in text_of_page
    assert "The tree of" not in text_of_page
    shown = represent_model(model, X, result)
    alike = (shown.model.predict(X) == model.predict(X)).mean()
    assert f"it agrees with the model on {alike:.1%} of them" in text_of_page
    assert "held-out rows (5 folds; AUC" in text_of_page
    assert ("Feature importances" in text_of_page) == (method == "random_forest")


def test_surrogate_does_not_warn_about_the_data(tmp_path):
    """Kind: a warning about the labels of the user; the labels of a surrogate are predictions."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 1))
    y = (X[:, 0] + rng.normal(size=1000) > 1.5).astype(int)
    result = imbcore.evaluate(X, y, "naive_bayes", folds=3, random_state=0)
    model = imbcore.fit(X, y, "naive_bayes", random_state=0)
    with pytest.warns(imbcore.DataWarning, match="alone separates the classes"):
        imbcore.fit(X, model.predict(X), "cart")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_report(tmp_path / "r.html", {"naive_bayes": result}, model, X, title="t")
    assert "held-out rows (5 folds; AUC" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_report_of_a_constant_model(numbers, tmp_path):
    X, y = numbers
    options = {"n_estimators": 3, "threshold": 1.0, "min_samples_leaf": 40}
    result = imbcore.evaluate(X, y, "random_forest", folds=3, random_state=0, **options)
    model = imbcore.fit(X, y, "random_forest", random_state=0, **options)
    write_report(tmp_path / "r.html", {"random_forest": result}, model, X, title="t")
    assert "predicts the same class for every row" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_conditions_are_readable():
    parts = [("a", "<=", 0.123456789), ("b", "==", "x"), ("b", "!=", 2), ("c", "known", None)]
    conditions = [{"feature": feature, "op": op, "value": value} for feature, op, value in parts]
    assert condition_text({"conditions": conditions}) == 'a <= 0.123457 and b = "x" and b != 2 and c is known'
    assert condition_text({"conditions": []}) == "always"
    bounds = [
        {"feature": "a", "lower": 0.5},
        {"feature": "b", "upper": -2.0},
        {"feature": "c", "lower": 0.123456789, "upper": 1e9},
        {"feature": "d", "levels": ["x", 2]},
    ]
    condition = 'a >= 0.5 and b <= -2 and 0.123457 <= c <= 1e+09 and d in {"x", 2}'
    assert condition_text({"conditions": bounds}) == condition
    some = {"feature": "d", "op": "not in", "value": ["x", 2]}
    assert condition_text({"conditions": [some]}) == 'd not in {"x", 2}'
    odd = {"feature": 'a "b"', "op": "==", "value": "c\nd", "or_missing": True}
    assert condition_text({"conditions": [odd]}) == r""""a \"b\"" = "c\nd" (or missing)"""


def test_scores_are_plain_python_values(compared):
    _, _, results, _ = compared
    plain = scores_json(results)
    assert plain["positive"] == "<rare>"
    assert plain["methods"]["cart"]["recall"]["mean"] == pytest.approx(results["cart"].mean()["recall"])


def test_the_page_counts_groups_and_describes_importances(tmp_path):
    """Kind: a statement on a page holds for the rows and the method of the page."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(30), 4)
    X = rng.normal(size=(120, 2)) + groups[:, None] % 3
    y = (groups % 3 == 2).astype(int)
    pages = {}
    for method, given in (("logistic_regression", groups), ("cart", None)):
        scores = imbcore.evaluate(X, y, method, groups=given, folds=3, random_state=0)
        model = imbcore.fit(X, y, method, groups=given, random_state=0)
        write_report(tmp_path / "r.html", {method: scores}, model, X, title="t")
        pages[method] = (tmp_path / "r.html").read_text(encoding="utf-8")
    by_group = pages["logistic_regression"]
    assert "120 rows of 30 groups" in by_group
    assert "the 40 rows of “1” of 10 groups" in by_group
    assert "Mean absolute deviation of the contribution of each feature" in by_group
    assert "total split gain" not in by_group
    assert "groups" not in pages["cart"].split("<script")[0]
    assert "Fraction of the total split gain due to each feature" in pages["cart"]


def test_the_page_shows_classes_that_are_not_predicted_or_not_tested(tmp_path):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 3))
    y = np.where(X[:, 0] > 0.8, "c", "a").astype(object)
    y[:90:30] = "b"
    scores = imbcore.evaluate(X, y, "naive_bayes", folds=3, positive="c", random_state=0)
    model = imbcore.fit(X, y, "naive_bayes", positive="c")
    assert "b" not in model.predict(X)
    write_report(tmp_path / "r.html", {"naive_bayes": scores}, model, X, title="t")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert text.count('class="bar"') == 2
    assert text.count('class="bar rare"') == 1
    counts = represent_model(model, X, scores).counts
    assert counts[0].tolist() == [np.sum(y == label) for label in "abc"]
    y[:] = np.where(X[:, 0] > 0.8, "c", "a")
    y[:8:3] = "b"
    options = {"time": np.arange(150), "folds": 3, "random_state": 0}
    with pytest.warns(imbcore.DataWarning, match="no row of class 'b'"):
        later = imbcore.evaluate(X, y, "cart", positive="c", **options)
    model = imbcore.fit(X, y, "cart", positive="c")
    write_report(tmp_path / "r.html", {"cart": later}, model, X[later.rows], title="t")
    assert f"computed on {len(later.rows)} rows of" in (tmp_path / "r.html").read_text(encoding="utf-8")
    with pytest.warns(imbcore.DataWarning, match="no row of class 'b'"):
        later = imbcore.evaluate(X, y, "cart", positive="b", **options)
    with pytest.raises(imbcore.DataError, match="a report needs test rows of the class 'b'"):
        write_report(tmp_path / "r.html", {"cart": later}, model, X[later.rows], title="t")


def test_markdown_tables_escape_vertical_bars():
    assert markdown_table(["a|b", "c"], [["x|y", 1]]).splitlines()[::2] == [r"| a\|b | c |", r"| x\|y | 1 |"]
