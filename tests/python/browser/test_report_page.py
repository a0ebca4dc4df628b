"""The report of `imbcore evaluate --html` has the same sections, on the rows of the test folds."""

from __future__ import annotations

import numpy as np
import pytest

import imbcore
from imbcore import metrics
from imbcore.evaluation._report_page import write_report


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    rng = np.random.default_rng(0)
    rare = rng.random(900) < 0.1
    X = rng.normal(size=(900, 3))
    X[:, 0] += 1.6 * rare
    y = np.where(rare, "fraud", "genuine")
    result = imbcore.evaluate(X, y, "hddt", folds=3, max_depth=4, random_state=0)
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(path, {"hddt": result}, imbcore.fit(X, y, "hddt", max_depth=4), X, title="Cards")
    return path, result


def test_targets_are_met_on_the_rows_of_the_folds(reported, opened):
    path, result = reported
    page = opened(path)
    found = metrics.confusion_matrix(result.y, result.predicted, labels=["fraud", "genuine"])
    assert page.locator("#tp").inner_text() == str(found[0, 0])
    assert page.locator("#fp").inner_text() == str(found[1, 0])
    page.locator("#recall").fill("80")
    scores = result.proba[:, 0]
    threshold = metrics.threshold_for(result.y, scores, {"recall": 0.8}, positive="fraud")[0]
    assert page.locator("#raised").inner_text() == str((scores >= threshold).sum())
    assert f"Threshold {threshold:.4g}: finds" in page.locator("#sentence").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violations(scheme, reported, opened):
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright",
        reason="axe-playwright-python is not installed: `make browser`",
    )
    page = opened(reported[0], color_scheme=scheme)
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
