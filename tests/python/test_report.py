"""The report page stands alone, says what it should, and is the same each time."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pytest

import imbcore
from imbcore._report import write_report
from imbcore._rules_text import condition_text, rule_lines, rules_for
from imbcore._scores import best_method, best_of, score_table, scores_json

VOID = {"meta", "img", "br", "link", "input", "hr"}


class Page(HTMLParser):
    """Checks that tags are closed in order, and collects the images and the text."""

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


def test_the_page_stands_alone(compared, tmp_path):
    _, _, results, model = compared
    write_report(
        tmp_path / "r.html", results, model, title="<b>odd & title", reproduce="imbcore evaluate 'a<b'"
    )
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    page = Page(text)
    assert "$" not in re.sub(r'src="[^"]*"', "", text)
    assert not re.findall(r'(?:src|href)="(?!data:)', text)
    assert "<b>" not in text
    assert "<rare>" not in text
    assert "<b>odd & title" in "".join(page.words)
    assert len(page.images) == 4
    assert all(
        image["alt"] and image["src"].startswith("data:image/svg+xml;base64,") for image in page.images
    )


def test_equal_results_give_equal_pages(compared, tmp_path):
    _, _, results, model = compared
    for name in ("a", "b"):
        write_report(tmp_path / name, results, model, title="t")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_the_best_means_are_bold_and_starred(compared, tmp_path):
    _, _, results, model = compared
    write_report(tmp_path / "r.html", results, model, title="t")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    wanted = sum(len(best_of(results, metric)) for metric in results["hddt"].metrics)
    assert text.count("class=best") == wanted
    assert score_table(results).count("*") == wanted


def test_counts_on_the_page_are_those_of_the_predictions(compared, tmp_path):
    _, y, results, model = compared
    name = best_method(results)
    write_report(tmp_path / "r.html", results, model, title="t")
    said = "".join(Page((tmp_path / "r.html").read_text(encoding="utf-8")).words)
    predicted = results[name].classes_[results[name].proba.argmax(axis=1)]
    right = int(np.sum((predicted == "<rare>") & (y == "<rare>")))
    assert f"{name} finds {right} of the {int(np.sum(y == '<rare>'))} rows" in said


def test_several_classes_make_a_page(numbers, tmp_path):
    X, _ = numbers
    y = np.digitize(X[:, 0], [-0.5, 1.2])
    results = {"hddt": imbcore.evaluate(X, y, "hddt", folds=3, random_state=0)}
    write_report(tmp_path / "r.html", results, imbcore.fit(X, y, "hddt"), title="t")
    assert "means over the classes" in (tmp_path / "r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("method", ["fast_boxes", "prim", "exact_boxes"])
def test_boxes_are_drawn_and_listed(method, numbers, tmp_path):
    X, y = numbers
    y = np.where(y == 1, "<rare>", "common")
    limit = {"n_boxes": 1} if method == "exact_boxes" else {}
    results = {method: imbcore.evaluate(X, y, method, folds=3, random_state=0, **limit)}
    model = imbcore.fit(X, y, method, random_state=0, **limit)
    write_report(tmp_path / "r.html", results, model, title="t")
    page = Page((tmp_path / "r.html").read_text(encoding="utf-8"))
    said = "".join(page.words)
    assert f"The boxes of {method}" in said
    assert "The tree" not in said
    assert len(page.images) == 4
    assert model.boxes()
    for rule in rules_for(model, "<rare>"):
        assert condition_text(rule) in said
        assert f"{rule['precision']:.1%}" in said
    assert rules_for(model, "common") == []


def test_a_drawing_without_boxes_has_a_page(numbers, tmp_path):
    X, y = numbers
    options = {"n_boxes": 1, "box_cost": 1000.0}
    results = {"exact_boxes": imbcore.evaluate(X, y, "exact_boxes", folds=3, **options)}
    write_report(tmp_path / "r.html", results, imbcore.fit(X, y, "exact_boxes", **options), title="t")
    said = "".join(Page((tmp_path / "r.html").read_text(encoding="utf-8")).words)
    assert "No box is drawn" in said


def test_rules_cover_the_class_once(compared):
    _, _, _, model = compared
    found = rules_for(model, "<rare>")
    assert sum(rule["coverage"] for rule in found) <= 1 + 1e-12
    assert all(0 < rule["precision"] <= 1 for rule in found)
    assert [rule["coverage"] for rule in found] == sorted((rule["coverage"] for rule in found), reverse=True)
    assert len(rule_lines(model)) == model.n_leaves_


def test_conditions_are_written_for_people():
    parts = [("a", "<=", 0.123456789), ("b", "==", "x"), ("b", "!=", 2), ("c", "known", None)]
    conditions = [{"feature": feature, "op": op, "value": value} for feature, op, value in parts]
    assert condition_text({"conditions": conditions}) == "a <= 0.123457 and b = x and b != 2 and c is known"
    assert condition_text({"conditions": []}) == "always"
    bounds = [
        {"feature": "a", "lower": 0.5},
        {"feature": "b", "upper": -2.0},
        {"feature": "c", "lower": 0.123456789, "upper": 1e9},
        {"feature": "d", "levels": ["x", 2]},
    ]
    asked = "a >= 0.5 and b <= -2 and 0.123457 <= c <= 1e+09 and d in {x, 2}"
    assert condition_text({"conditions": bounds}) == asked
    some = {"feature": "d", "op": "not in", "value": ["x", 2]}
    assert condition_text({"conditions": [some]}) == "d not in {x, 2}"


def test_scores_become_plain_values(compared):
    _, _, results, _ = compared
    plain = scores_json(results)
    assert plain["positive"] == "<rare>"
    assert plain["methods"]["cart"]["recall"]["mean"] == pytest.approx(results["cart"].mean()["recall"])
