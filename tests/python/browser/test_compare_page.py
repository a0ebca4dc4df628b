"""The page of `imbcore compare`: a headline in words, and a layout for every screen."""

import numpy as np
import pytest

import imbcore
from imbcore.evaluation._headline import headline_of


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    rng = np.random.default_rng(0)
    rare = rng.random(600) < 0.15
    X = rng.normal(size=(600, 3))
    X[:, 0] += 1.6 * rare
    y = np.where(rare, "fraud", "genuine")
    result = imbcore.compare(X, y, ["hddt", "naive_bayes", "cart"], protocol="1x3", random_state=0)
    path = tmp_path_factory.mktemp("compare") / "compare.html"
    result.write(path)
    return path, result


def test_the_headline_names_the_best_method_and_the_difference(compared):
    path, result = compared
    headline = headline_of(result)
    assert headline in path.read_text(encoding="utf-8")
    means = result.to_frame().set_index("method")["average_precision"].sort_values(ascending=False)
    first, second = means.index[:2]
    assert headline.startswith(f"{first} has the best mean average precision, {means.iloc[0]:.3f}")
    curves = {
        name: np.array([one["curves"]["roc"][5] for one in result.records if one["method"] == name])
        for name in (first, second)
    }
    more = 100 * (curves[first] - curves[second]).mean()
    assert f"it detects {abs(more):.0f} {'more' if more > 0 else 'fewer'} of 100 rows of “fraud”" in headline


def test_headlines_need_two_methods_with_scores(compared):
    _, result = compared
    alone = [record for record in result.records if record["method"] == "cart"]
    one = type(result)(result.procedure, result.score, result.measures, result.level, result.seed, alone)
    assert headline_of(one) == ""


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_is_not_wider_than_the_screen(width, compared, opened):
    page = opened(compared[0], viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violations(scheme, compared, opened):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright",
        reason="axe-playwright-python is not installed: `make browser`",
    )
    found = axe.Axe().run(opened(compared[0], color_scheme=scheme))
    assert found.violations_count == 0, found.generate_report()
