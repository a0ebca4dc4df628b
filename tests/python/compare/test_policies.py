"""Trivial policies in comparisons.

Kind: a policy is shown beside the methods with the scores of its definition, and is never ranked or tested.
"""

import numpy as np
import pandas as pd
import pytest

import imbcore
from imbcore.exceptions import ParameterError

N = 200


def table(seed):
    rng = np.random.default_rng(seed)
    y = (rng.random(N) < 0.25).astype(int)
    return pd.DataFrame({"x": y + rng.normal(size=N), "amount": rng.gamma(2, 10, N)}), y


def test_policies_are_shown_and_not_tested():
    X, y = table(0)
    plain = imbcore.compare(X, y, ["cart", "hddt"], "2x2")
    found = imbcore.compare(X, y, ["cart", "hddt"], "2x2", policies="amount")
    assert found.methods == ["cart", "hddt", "(never)", "(always)", "(random)", "(largest amount)"]
    assert found.compared == ["cart", "hddt"]
    assert found.tests() == plain.tests()
    assert found.records[: len(plain.records)][0]["auc"] == plain.records[0]["auc"]
    of = {row["method"]: row for row in found.rows()}
    assert of["(never)"]["f1"] == 0
    assert of["(never)"]["auc"] == of["(always)"]["auc"] == 0.5
    text = str(found)
    assert "(largest amount)" in text
    assert all("*" not in line for line in text.splitlines() if line.startswith("("))


def test_policies_are_not_ranked_over_tables(tmp_path):
    tables = {str(seed): table(seed) for seed in range(3)}
    plain = imbcore.compare(tables, methods=["cart", "hddt"], protocol="1x2")
    found = imbcore.compare(tables, methods=["cart", "hddt"], protocol="1x2", policies=True, out=tmp_path)
    assert found.ranks().average_ranks.tolist() == plain.ranks().average_ranks.tolist()
    assert found.critical_difference() == plain.critical_difference()
    assert found.tests() == plain.tests()
    assert "(random)" in str(found)
    again = imbcore.compare(tables, methods=["cart", "hddt"], protocol="1x2", policies=True, out=tmp_path)
    assert str(again) == str(found)


def test_names_of_policies_are_reserved():
    X, y = table(0)
    with pytest.raises(ParameterError, match="is that of a policy"):
        imbcore.compare(X, y, {"(never)": "cart"}, "1x2", policies=True)
