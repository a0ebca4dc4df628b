"""Scikit-learn's tests of histogram boosting run on our class: the failing tests, with reasons."""

import re
from pathlib import Path

import pytest
from peer_tests import with_plugin

TESTS = "sklearn.ensemble._hist_gradient_boosting.tests"
MODULES = {TESTS: ["test_gradient_boosting", "test_monotonic_constraints", "test_warm_start"]}
PAGE = Path(__file__).resolve().parents[3] / "python" / "docs" / "coming-from-scikit-learn.md"
# Failing tests, with all their parameters: text of the page with the reason.
DIFFERENT = {
    "test_gradient_boosting::test_X_val_in_fit": "`X_val`",
    "test_gradient_boosting::test_X_val_raises_missing_y_val": "`X_val`",
    "test_gradient_boosting::test_categorical_bad_encoding_errors": "more levels than `max_bins`",
    "test_gradient_boosting::test_categorical_spec_errors": "the last column",
    "test_gradient_boosting::test_dataframe_categorical_errors": "more levels than `max_bins`",
    "test_gradient_boosting::test_infinite_values_missing_values": "infinities are refused",
    "test_gradient_boosting::test_sample_weight_effect": "ninth digit",
    "test_warm_start::test_warm_start_early_stopping": "other parameters must stay",
    "test_warm_start::test_warm_start_max_depth": "other parameters must stay",
}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_failing_tests_are_those_with_a_reason(tmp_path):
    cases, _ = with_plugin("peer_boosting", MODULES, tmp_path, ("scikit-learn", "1.9"))
    for case, reason in sorted(cases["left out"].items()):
        print(f"left out: {case}: {reason}")
    failed, passed = cases["failed"], cases["passed"]
    assert {re.sub(r"\[.*", "", case) for case in failed} == DIFFERENT.keys()
    n_cases = len(passed) + len(failed)
    assert f"{len(passed)} of {n_cases} cases" in PAGE.read_text(encoding="utf-8")


def test_page_states_every_reason():
    page = PAGE.read_text(encoding="utf-8")
    for test, reason in DIFFERENT.items():
        line = next(line for line in page.splitlines() if f"`{test.partition('::')[2]}`" in line)
        assert reason in line, test
