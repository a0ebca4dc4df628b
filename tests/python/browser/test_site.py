"""The site built by `make docs`, in the system's Chromium: no overflow, and the search finds pages."""

from __future__ import annotations

from pathlib import Path

import pytest

import imbcore

SITE = Path(__file__).resolve().parents[3] / "build" / "site"
pytestmark = pytest.mark.skipif(not (SITE / "search.html").exists(), reason="`make docs` builds the site")

# Pages of every kind, including those with the widest tables, code blocks and signatures.
PAGES = [
    "index",
    "install",
    "jobs",
    "methods",
    "guide-card-fraud",
    "guide-medical-table",
    "guide-machine-failures",
    "guide-without-programming",
    "coming-from-lightgbm",
    "coming-from-r",
    "coming-from-scikit-learn",
    "cheat-sheet",
    "exports",
    "reproduction",
    "architecture",
    "api/index",
    "api/imbcore",
    "api/imbcore.RandomForestClassifier",
    "api/imbcore.evaluate",
    "gallery/index",
]
# Typical search terms, and a page that must be among the results.
TERMS = {
    "hellinger": "trees.html",
    "threshold recall": "decisions.html",
    "smote": "sampling.html",
    "cost_matrix": "costs.html",
    "missing values": "trees.html",
    "conformal": "guarantees.html",
    "onnx": "exports.html",
    "duckdb": "sql.html",
    "shap": "other-tools.html",
    "calibration": "calibration.html",
    "tabu": "bayes.html",
    "mlflow": "other-tools.html",
    "min_impurity_decrease": "trees.html",
}
# Terms that occur on many pages, and the page that explains how to use them: it is the first result.
FIRST = {
    "threshold": "decisions.html",
    "calibration": "calibration.html",
    "SMOTE": "sampling.html",
    "csv": "guide-without-programming.html",
    "groups": "groups.html",
    "costs": "costs.html",
    "fraud": "guide-card-fraud.html",
    "lightgbm": "coming-from-lightgbm.html",
    "parquet": "larger-than-memory.html",
}
# Sections of the start page, in their order in the side bar.
SECTIONS = [
    "Get started",
    "Guides",
    "Methods",
    "Decide and monitor",
    "Deploy",
    "Reference",
    "Papers",
    "Contributing",
]
# Elements that extend beyond the window and cannot be scrolled into view.
WIDE = """() => {
  const found = [];
  for (const part of document.querySelectorAll("main *, article *, .content *")) {
    if (!part.checkVisibility() || part.getBoundingClientRect().right <= innerWidth + 1) continue;
    let around = part.parentElement;
    while (around && getComputedStyle(around).overflowX === "visible") around = around.parentElement;
    if (!around || around === document.documentElement || around === document.body)
      found.push(part.outerHTML.slice(0, 100));
  }
  return {wide: found, scroll: document.documentElement.scrollWidth, window: innerWidth};
}"""


@pytest.fixture(scope="module")
def window(chromium):
    """Open windows of a given width and color scheme; their requests are served from the site."""
    contexts = []

    def make(width, scheme):
        context = chromium.new_context(
            offline=True, viewport={"width": width, "height": 900}, color_scheme=scheme
        )
        contexts.append(context)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()


def test_every_public_name_has_a_page():
    names = [name for name in imbcore._HOME if not name.startswith("__")]
    missing = []
    for name in names:
        value = getattr(imbcore, name)
        inside = getattr(value, "__all__", None) if type(value).__name__ == "module" else None
        for path in [name] if inside is None else [f"{name}.{part}" for part in inside]:
            shown = value if inside is None else getattr(value, path.rpartition(".")[2])
            # Exceptions are listed in their module; constants and types in its text. An object of the
            # top level has its page there.
            home = f"exceptions.{name}" if getattr(value, "__module__", "") == "imbcore.exceptions" else path
            last = path.rpartition(".")[2]
            homes = {home, last} if getattr(imbcore, last, None) is shown else {home}
            if callable(shown) and hasattr(shown, "__doc__") and type(shown).__module__ != "typing":
                pages = [SITE / "api" / f"imbcore.{name}.html" for name in homes]
                missing += [] if any(page.exists() for page in pages) else [path]
    assert len(names) > 60
    assert missing == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_overflows(window, width, scheme):
    page, found = window(width, scheme), {}
    for name in PAGES:
        page.goto((SITE / f"{name}.html").as_uri())
        seen = page.evaluate(WIDE)
        assert seen["window"] == width
        if seen["wide"] or seen["scroll"] > width:
            found[name] = seen
    assert found == {}


def test_light_and_dark_mode_differ(window):
    ink = {}
    for scheme in ("light", "dark"):
        page = window(1280, scheme)
        page.goto((SITE / "index.html").as_uri())
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        ink[scheme] = sum(int(part) for part in paper.strip("rgba()").split(",")[:3])
    assert ink["light"] > 600 > 200 > ink["dark"]


def results(page, term):
    """Pages of the search results for a term, the best first."""
    page.goto((SITE / "search.html").as_uri() + f"?q={term.replace(' ', '+')}")
    page.wait_for_selector("#search-results li a", timeout=20_000)
    page.wait_for_function("document.querySelector('.search-summary')?.innerText.includes('found')")
    links = page.eval_on_selector_all(
        "#search-results li > a", "links => links.map(link => link.getAttribute('href'))"
    )
    return [link.partition("?")[0].partition("#")[0].rpartition("/")[2] for link in links]


def test_search_finds_typical_terms(window):
    page, lost = window(1280, "light"), {}
    for term, wanted in TERMS.items():
        found = results(page, term)
        if wanted not in found:
            lost[term] = found[:5]
    assert len(TERMS) >= 12
    assert lost == {}


def test_search_lists_the_page_that_explains_a_term_first(window):
    """Kind: measured results and the API occur before the page that explains how to use something."""
    page = window(1280, "light")
    found = {term: results(page, term)[0] for term in FIRST}
    assert found == FIRST


def test_start_page_has_its_sections_and_pictures(window):
    page = window(1280, "light")
    page.goto((SITE / "index.html").as_uri())
    assert page.locator(".sidebar-tree .caption").all_text_contents() == SECTIONS
    text = page.locator("article").inner_text()
    assert "pip install" in text
    assert text.index("pip install") < text.index(SECTIONS[0])
    assert page.locator("article .highlight-text").count() >= 3
    assert page.locator("article img").count() >= 1
    sizes = page.eval_on_selector_all("article img", "images => images.map(image => image.naturalWidth)")
    assert min(sizes) > 0


@pytest.mark.parametrize("width", [390, 1280])
def test_code_needs_no_horizontal_scrolling(window, width):
    page = window(width, "light")
    wide = {}
    for name in PAGES:
        page.goto((SITE / f"{name}.html").as_uri())
        found = page.eval_on_selector_all(
            ".highlight-python pre, .highlight-bash pre",
            "all => all.filter(b => b.scrollWidth > b.clientWidth + 1).map(b => b.innerText.slice(0, 60))",
        )
        if found:
            wide[name] = found
    assert wide == {}
