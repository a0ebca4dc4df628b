"""Tests of changed columns: the definitions of SciPy, and few false reports."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency, ks_2samp

from imbcore.decisions import find_drift
from imbcore.exceptions import DataError, ParameterError


def table(n, seed, shift=0.0, levels=("a", "b", "c"), missing=0.1):
    rng = np.random.default_rng(seed)
    number = rng.normal(size=n) + shift
    number[rng.random(n) < missing] = np.nan
    return pd.DataFrame({"number": number, "level": rng.choice(levels, n), "count": rng.integers(0, 5, n)})


def test_numbers_follow_the_definitions_of_scipy():
    old, new = table(500, 1), table(300, 2, shift=0.3, levels=("a", "b", "d"), missing=0.3)
    found = {(test["feature"], test["what"]): test for test in find_drift(old, new)}
    assert list(found) == [
        ("number", "values"),
        ("number", "missing"),
        ("level", "levels"),
        ("count", "values"),
    ]
    expected = ks_2samp(old["number"].dropna(), new["number"].dropna())
    assert found["number", "values"]["p_value"] == expected.pvalue
    assert found["number", "values"]["distance"] == expected.statistic
    gone = [[t["number"].notna().sum(), t["number"].isna().sum()] for t in (old, new)]
    assert found["number", "missing"]["p_value"] == pytest.approx(chi2_contingency(gone).pvalue, rel=1e-12)
    shares = [t["level"].value_counts(normalize=True).reindex(list("abcd"), fill_value=0) for t in (old, new)]
    assert found["level", "levels"]["distance"] == pytest.approx((shares[0] - shares[1]).abs().sum() / 2)
    assert [test["drifted"] for test in found.values()] == [True, True, True, False]


def test_rare_levels_are_counted_together():
    old = pd.DataFrame({"id": [f"k{number}" for number in range(400)]})
    new = pd.DataFrame({"id": [f"n{number}" for number in range(400)]})
    (test,) = find_drift(old, new)
    assert test["distance"] == pytest.approx(1.0)
    assert (test["p_value"], test["drifted"]) == (1.0, False)


def test_unchanged_columns_are_seldom_reported():
    reports = [
        any(test["drifted"] for test in find_drift(table(200, s), table(150, 1000 + s))) for s in range(200)
    ]
    # Two of 200 are expected; 7 or more have a probability below 1 %.
    assert sum(reports) < 7


def test_arrays_and_order_of_columns():
    old, new = table(300, 3), table(300, 4, shift=1.0)
    assert find_drift(old, new[["count", "level", "number"]]) == find_drift(old, new)
    plain = find_drift(old[["number"]].to_numpy(), new[["number"]].to_numpy())
    assert [test["feature"] for test in plain] == ["x0", "x0"]


def machines(n, seed, rows=40):
    """Rows of machines that differ from each other; all machines have one distribution."""
    rng = np.random.default_rng(seed)
    machine = np.repeat([f"m{seed}-{number}" for number in range(n)], rows)
    return pd.DataFrame(
        {
            "level": np.repeat(rng.normal(size=n), rows) + 0.1 * rng.normal(size=n * rows),
            "kind": np.repeat(rng.choice(["a", "b"], n), rows),
            "machine": machine,
        }
    )


def test_one_row_of_each_group_is_compared():
    reports = {None: 0, "machine": 0}
    for seed in range(100):
        old, new = machines(60, seed), machines(20, 1000 + seed)
        columns = ["level", "kind"]
        reports[None] += any(test["drifted"] for test in find_drift(old[columns], new[columns]))
        found = find_drift(old, new, groups="machine")
        reports["machine"] += any(test["drifted"] for test in found)
        assert [(test["feature"], test["n_rows"], test["n_new"]) for test in found] == [
            ("level", 60, 20),
            ("kind", 60, 20),
        ]
    # One of 100 is expected; 5 or more have a probability below 1 %.
    assert reports["machine"] < 5
    assert reports[None] > 80


def test_groups_are_a_column_or_values():
    old, new = machines(30, 1), machines(30, 2)
    new["level"] += 2
    named = find_drift(old, new, groups="machine")
    assert [test["drifted"] for test in named] == [True, False]
    columns = ["level", "kind"]
    assert named == find_drift(old[columns], new[columns], groups=(old["machine"], new["machine"]))
    arrays = [table[["level"]].to_numpy() for table in (old, new)]
    (plain,) = find_drift(*arrays, groups=[old["machine"].tolist(), new["machine"].tolist()])
    assert plain == {**named[0], "feature": "x0", "drifted": True}
    # The compared row is a row of its group, and rows that are groups of their own are all compared.
    alone = {"groups": (np.arange(len(old)), np.arange(len(new)))}
    assert find_drift(old[columns], new[columns], **alone) == find_drift(old[columns], new[columns])


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"X_new": table(5, 0).drop(columns="level")}, DataError, "X_new has no column 'level'"),
        ({"X_new": table(5, 0).assign(level=1.0)}, DataError, "categories in X, but numbers in X_new"),
        ({"X_new": table(0, 0)}, DataError, "0 sample"),
        ({"level": 1}, ParameterError, "level must be a number above 0"),
        ({"groups": "machine"}, ParameterError, "X has no column 'machine'"),
        ({"groups": np.arange(20)}, ParameterError, "name of a column or a pair"),
        ({"groups": (np.arange(20), np.arange(9))}, DataError, "groups"),
    ],
)
def test_wrong_input_is_explained(change, error, text):
    with pytest.raises(error, match=text):
        find_drift(**{"X": table(20, 0), "X_new": table(10, 1), **change})
