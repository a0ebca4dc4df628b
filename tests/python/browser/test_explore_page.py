"""The page for choosing a threshold, used by mouse, by keyboard, and by screen reader."""

from __future__ import annotations

import re

import numpy as np
import pytest

import imbcore
from imbcore import metrics


def drawn(n, seed):
    rng = np.random.default_rng(seed)
    rare = rng.random(n) < 0.04
    X = rng.normal(size=(n, 4))
    X[:, 0] += 1.8 * rare
    X[:, 1] += rare
    return X, np.where(rare, "fraud", "genuine")


class Explored:
    """A page and the true values of its rows."""

    def __init__(self, model, folder):
        self.X, self.y = drawn(4000, 1)
        self.model, self.path = model, folder / f"{model.method}.html"
        self.scores = model.predict_proba(self.X)[:, 0]
        model.explore(self.X, self.y, self.path, rows_per_day=50_000)

    def wanted(self, goal):
        """The choice of the API on these rows."""
        return metrics.threshold_for(self.y, self.scores, goal, positive="fraud")[0]


@pytest.fixture(scope="module")
def explored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    X, y = drawn(4000, 0)
    forest = imbcore.fit(X, y, "random_forest", n_estimators=20, min_samples_leaf=3, random_state=0)
    tree = imbcore.fit(X, y, "hddt", max_depth=5, min_samples_leaf=20)
    boxes = imbcore.fit(X, y, "prim")
    return {model.method: Explored(model, folder) for model in (forest, tree, boxes)}


def number(page, place):
    return float(page.locator(f"#{place}").inner_text().replace(",", "").split()[0].rstrip("%"))


def code(page, place=0):
    return page.locator(f"#code-{place}").inner_text()


def threshold_of(page):
    return float(re.search(r"with_threshold\((.*?)\)", code(page))[1])


def check_numbers(page, rows):
    """All numbers of the page for the current point equal the metrics at its threshold."""
    answers = np.where(rows.scores >= threshold_of(page), "fraud", "genuine")
    found = metrics.confusion_matrix(rows.y, answers, labels=["fraud", "genuine"])
    shown = [[number(page, "tp"), number(page, "fn")], [number(page, "fp"), number(page, "tn")]]
    assert shown == found.tolist()
    recall = 100 * metrics.recall_score(rows.y, answers, positive="fraud")
    assert number(page, "tile-recall") == pytest.approx(recall, abs=0.051)
    if (answers == "fraud").any():
        precision = 100 * metrics.precision_score(rows.y, answers, positive="fraud")
        assert number(page, "tile-precision") == pytest.approx(precision, abs=0.051)
    a_day = (answers == "fraud").sum() * 50_000 / len(rows.y)
    assert number(page, "tile-alerts") == pytest.approx(a_day, abs=0.51)
    assert f"{found[0, 0]:,} of {found[0].sum():,}" in page.locator("#sentence").inner_text()
    return found


def drag(page, place, start, end):
    """Drag the mouse within an element; start and end are fractions of its width."""
    frame = page.locator(place).bounding_box()
    height = frame["y"] + frame["height"] / 2
    page.mouse.move(frame["x"] + start * frame["width"], height)
    page.mouse.down()
    for step in range(1, 6):
        page.mouse.move(frame["x"] + (start + (end - start) * step / 5) * frame["width"], height)
    page.mouse.up()


def test_scores_per_day_follow_the_threshold(opened, explored, tmp_path):
    rows = explored["hddt"]
    day = np.arange(len(rows.y)) // 400
    card = np.random.default_rng(2).integers(0, 300, len(rows.y))
    rows.model.explore(rows.X, rows.y, tmp_path / "daily.html", time=day, groups=card)
    page = opened(tmp_path / "daily.html")
    cells = page.locator("#daily-rows td")
    assert cells.count() == 4
    first = float(cells.first.inner_text())
    raised = rows.scores >= threshold_of(page)
    assert first == pytest.approx(metrics.alerts_per_day(raised, time=day, groups=card).mean, abs=0.051)
    precision = metrics.precision_at_k_per_day(rows.y, rows.scores, 100, time=day, positive="fraud")
    assert float(cells.nth(2).inner_text().split()[0]) == pytest.approx(100 * precision, abs=0.051)
    page.locator("#threshold").press("End")
    assert float(cells.first.inner_text().replace(",", "")) > first
    page = opened(rows.path)
    assert not page.locator("#daily").is_visible()


def slide(page, place):
    """Position of a slider's handle as a fraction of its width."""
    return page.locator(place).evaluate(
        "s => { const p = (s.value - s.min) / (s.max - s.min), half = 8 / s.clientWidth;"
        "return half + p * (1 - 2 * half); }"
    )


@pytest.mark.parametrize("method", ["random_forest", "hddt", "prim"])
def test_page_opens_offline_at_the_threshold_of_the_model(method, explored, opened):
    rows = explored[method]
    page = opened(rows.path)
    assert page.locator("#goal-own").is_checked()
    raised = rows.model.predict(rows.X) == "fraud"
    assert number(page, "tp") == (raised & (rows.y == "fraud")).sum()
    assert number(page, "fp") == (raised & (rows.y != "fraud")).sum()
    check_numbers(page, rows)
    assert page.locator("svg[role=img]").count() == 4


def test_slider_can_be_dragged(explored, opened):
    rows = explored["random_forest"]
    page = opened(rows.path)
    seen = set()
    for end in (0.8, 0.5, 0.3, 0.1):
        drag(page, "#threshold", slide(page, "#threshold"), end)
        assert page.locator("#goal-hand").is_checked()
        seen.add(tuple(check_numbers(page, rows)[0]))
    assert len(seen) == 4
    drag(page, "#threshold", slide(page, "#threshold"), 1.0)
    assert number(page, "fn") == number(page, "tn") == 0


def test_keyboard_moves_the_slider(explored, opened):
    rows = explored["random_forest"]
    page = opened(rows.path)
    slider = page.locator("#threshold")
    slider.focus()
    places = [int(slider.input_value())]
    for key, step in (
        ("ArrowRight", 1),
        ("ArrowRight", 1),
        ("ArrowLeft", -1),
        ("PageUp", None),
        ("PageDown", None),
    ):
        page.keyboard.press(key)
        places.append(int(slider.input_value()))
        if step is not None:
            assert places[-1] - places[-2] == step
        check_numbers(page, rows)
    assert places[-2] > places[-3] + 1
    assert places[-1] == places[-3]
    page.keyboard.press("End")
    assert number(page, "tn") == 0
    page.keyboard.press("Home")
    assert number(page, "raised") == 0
    spoken_value = slider.get_attribute("aria-valuetext")
    assert spoken_value.startswith(("Threshold", "No alert"))
    page.locator("#spoken", has_text="0 of").wait_for(state="attached")


def test_point_of_a_curve_can_be_dragged(explored, opened):
    rows = explored["random_forest"]
    page = opened(rows.path)
    for chart in ("#roc", "#precision-recall"):
        page.locator(chart).scroll_into_view_if_needed()
        before = number(page, "tp")
        drag(page, chart, 0.4, 0.75)
        found = check_numbers(page, rows)
        assert found[0, 0] != before
        assert page.locator("#goal-hand").is_checked()


def test_minimum_recall_is_reached_with_the_fewest_alerts(explored, opened):
    rows = explored["random_forest"]
    page = opened(rows.path)
    page.locator("#recall").fill("50")
    page.locator("#recall").fill("90")
    assert page.locator("#goal-recall").is_checked()
    assert threshold_of(page) == rows.wanted({"recall": 0.9})
    assert '{"recall": 0.9}' in code(page)
    assert "--threshold recall=0.9" in code(page, 1)
    check_numbers(page, rows)


def test_alert_budget_is_used(explored, opened):
    rows = explored["random_forest"]
    page = opened(rows.path)
    page.locator("label:has(#goal-alerts)").click()
    page.locator("#alerts").fill("200")
    page.locator("#rows-a-day").fill("20000")
    assert threshold_of(page) == rows.wanted({"alerts": 200, "per": 20_000})
    assert '{"alerts": 200, "per": 20000}' in code(page)
    answers = rows.scores >= threshold_of(page)
    assert answers.sum() / len(answers) <= 0.01
    page.locator("#alerts").fill("30000")
    assert "is not a limit" in page.locator("#remark").inner_text()


def test_cost_ratio_is_applied(explored, opened):
    rows = explored["random_forest"]
    page = opened(rows.path)
    slider = "#miss-cost-slider"
    page.locator(slider).scroll_into_view_if_needed()
    # Its 44 stops are round numbers, eleven per decade; 40 is the seventeenth.
    half = page.locator(slider).evaluate("s => 8 / s.clientWidth")
    drag(page, slider, slide(page, slider), half + 16 / 43 * (1 - 2 * half))
    assert page.locator("#miss-cost").input_value() == "40"
    assert page.locator("#goal-cost").is_checked()
    assert threshold_of(page) == rows.wanted({"cost": [[0, 40], [1, 0]]})
    found = check_numbers(page, rows)
    cost = 40 * found[0, 1] + found[1, 0]
    assert number(page, "tile-cost") == pytest.approx(cost * 50_000 / len(rows.y), abs=0.51)
    for miss in ("3", "12.5", "100"):
        page.locator("#miss-cost").fill(miss)
        assert threshold_of(page) == rows.wanted({"cost": [[0, float(miss)], [1, 0]]})


# A threshold of inner folds may not fit the final model.
@pytest.mark.filterwarnings("ignore:threshold=.* does not fit the final model:UserWarning")
@pytest.mark.parametrize("goal", ["recall", "alerts", "cost"])
def test_displayed_python_code_gives_the_same_decisions(goal, explored, opened, tmp_path, monkeypatch):
    rows = explored["hddt"]
    page = opened(rows.path)
    page.locator(f"#goal-{goal}").check()
    monkeypatch.chdir(tmp_path)
    rows.model.save("model.imb")
    X_train, y_train = drawn(4000, 0)
    names = {"X": rows.X, "X_train": X_train, "y_train": y_train}
    exec(code(page), names)
    assert names["alerts"].sum() == number(page, "raised")
    assert names["model"].decision_["goal"].keys() >= {goal}


def test_rules_follow_the_threshold(explored, opened):
    rows = explored["hddt"]
    page = opened(rows.path)
    page.locator("#threshold").focus()
    page.keyboard.press("Home")
    assert page.locator("#rules-rows tr.fires").count() == 0
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        shown = page.locator("#rules-rows tr.fires td:nth-child(4)").all_inner_texts()
        assert sum(int(words.replace(",", "")) for words in shown) == number(page, "raised")


def test_boxes_show_sql_if_they_decide(explored, opened):
    rows = explored["prim"]
    page = opened(rows.path)
    assert "SELECT * FROM new_rows WHERE" in code(page, 2)
    page.locator("#threshold").focus()
    page.keyboard.press("End")
    assert "other rows raise alerts" in code(page, 2)


def test_code_can_be_copied(explored, opened):
    page = opened(explored["hddt"].path, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy Command line").click()
    page.locator("#copied-1", has_text=re.compile(r"\S")).wait_for(state="attached")
    # A file opened from disk may not be allowed to write the clipboard; then the text is selected.
    assert page.locator("#copied-1").inner_text() in ("copied", "selected: press Ctrl+C")


def test_invalid_number_in_a_field_is_reported(explored, opened):
    page = opened(explored["hddt"].path)
    before = threshold_of(page)
    page.locator("#recall").fill("")
    assert "no valid number" in page.locator("#remark").inner_text()
    assert page.locator("#recall").get_attribute("aria-invalid") == "true"
    assert threshold_of(page) == before


@pytest.mark.parametrize("method", ["random_forest", "hddt", "prim"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
def test_axe_finds_no_violations(method, scheme, width, explored, opened):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright",
        reason="axe-playwright-python is not installed: `make browser`",
    )
    page = opened(explored[method].path, color_scheme=scheme, viewport={"width": width, "height": 800})
    page.locator("#goal-recall").check()
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_print_layout_has_the_point_and_no_controls(explored, opened):
    page = opened(explored["hddt"].path)
    page.locator("#goal-recall").check()
    page.emulate_media(media="print")
    for hidden in ("#threshold", "#goal-cost", "button", ".skip"):
        assert not page.locator(hidden).first.is_visible()
    for shown in ("#sentence", "#goal-recall", "#code-0", "svg"):
        assert page.locator(shown).first.is_visible()
    assert page.pdf().startswith(b"%PDF")


def test_cost_slider_moves_through_the_trees_of_a_hull(opened, tmp_path):
    X, y = drawn(4000, 0)
    rows = Explored(imbcore.fit(X, y, "optimal_tree", objective="hull", positive="fraud"), tmp_path)
    page = opened(rows.path)
    shown = set()
    for miss in (0.2, 2, 10, 60, 900):
        page.fill("#miss-cost", str(miss))
        found = rows.model.select(cost_fp=1, cost_fn=miss).predict(rows.X)
        hits = int(((found == "fraud") & (rows.y == "fraud")).sum())
        sentence = page.locator("#hull-sentence").inner_text()
        assert f"it finds {hits:,} of {(rows.y == 'fraud').sum():,} fraud" in sentence
        assert f"cost_fn={miss:g})" in page.locator("#hull-code").inner_text()
        shown.add(sentence.split(",")[0])
    assert len(shown) > 2
