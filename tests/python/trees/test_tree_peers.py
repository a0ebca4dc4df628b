"""Scikit-learn's tests of trees and forests run on our classes: the failing tests, with reasons."""

import re
from pathlib import Path

import pytest
from peer_tests import with_plugin

MODULES = {"sklearn.tree.tests": ["test_tree"], "sklearn.ensemble.tests": ["test_forest"]}
PAGE = Path(__file__).resolve().parents[3] / "python" / "docs" / "coming-from-scikit-learn.md"
# Failing tests, with all their parameters: text of the page with the reason.
DIFFERENT = {
    "test_forest::test_backend_respected": "its own threads, not joblib's",
    "test_forest::test_estimators_samples": "keeps no list of the rows of each tree",
    "test_forest::test_forest_oob_score_requires_bootstrap": "a different message",
    "test_forest::test_forest_oob_warning": "a different message",
    "test_forest::test_max_samples_bootstrap": "rows are then drawn without replacement",
    "test_forest::test_memory_layout": "no template tree in `estimator`",
    "test_forest::test_min_impurity_decrease": "members are models",
    "test_forest::test_min_samples_leaf": "a row that is drawn twice counts twice",
    "test_forest::test_round_samples_to_one_when_samples_too_low": "`balanced_subsample`",
    "test_forest::test_warm_start": "members are models",
    "test_tree::test_almost_constant_feature": "no tolerance of 1e-7",
    "test_tree::test_big_input": "numbers are 64-bit floats",
    "test_tree::test_huge_allocations": "`ParameterError`",
    "test_tree::test_importances_gini_equal_squared_error": "nodes are numbered",
    "test_tree::test_min_sample_split_1_error": "a different message",
}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_failing_tests_are_those_with_a_reason(tmp_path):
    cases, _ = with_plugin("peer_trees", MODULES, tmp_path, ("scikit-learn", "1.9"))
    for case, reason in sorted(cases["left out"].items()):
        print(f"left out: {case}: {reason}")
    failed, passed = cases["failed"], cases["passed"]
    assert {re.sub(r"\[.*", "", case) for case in failed} == DIFFERENT.keys()
    n_cases = len(passed) + len(failed)
    assert len(passed) >= 0.85 * n_cases
    assert f"{len(passed)} of {n_cases} pass" in PAGE.read_text(encoding="utf-8")


def test_page_states_every_reason():
    page = PAGE.read_text(encoding="utf-8")
    for test, reason in DIFFERENT.items():
        line = next(line for line in page.splitlines() if f"`{test.partition('::')[2]}`" in line)
        assert reason in line, test
