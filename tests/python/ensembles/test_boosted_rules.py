"""Rules of the first trees of boosted models, with the contributions of their leaves."""

import numpy as np
import pandas as pd
import pytest

import imbcore
from imbcore.exceptions import ParameterError

HOLDS = {
    "<=": lambda x, value: x <= value,
    ">": lambda x, value: x > value,
    "==": lambda x, value: x == value,
    "!=": lambda x, value: x != value,
    "in": lambda x, value: x in value,
    "not in": lambda x, value: x not in value,
    "known": lambda x, value: True,
    "missing": lambda x, value: False,
}


def table(classes):
    rng = np.random.default_rng(3)
    amount, score = rng.normal(size=(2, 1500))
    place = np.array(list("abcdefgh"), dtype=object)[rng.integers(0, 8, 1500)]
    signal = amount + np.isin(place, ["b", "e", "f"]) - np.nan_to_num(score) + rng.normal(size=1500)
    frame = pd.DataFrame({"amount": amount, "score": score, "place": place})
    frame.loc[rng.random(1500) < 0.15, "amount"] = np.nan
    frame.loc[rng.random(1500) < 0.15, "place"] = None
    return frame, np.digitize(signal, [2.0, 3.0][: classes - 1])


def holds(row, conditions):
    def is_satisfied(condition):
        value = row[condition["feature"]]
        if pd.isna(value):
            return condition["or_missing"]
        return HOLDS[condition["op"]](value, condition["value"])

    return all(map(is_satisfied, conditions))


@pytest.mark.parametrize("classes", [2, 3])
def test_each_row_satisfies_one_rule_per_tree_and_they_sum_to_its_score(classes):
    X, y = table(classes)
    model = imbcore.fit(X, y, "boosted_trees", n_rounds=6, min_samples_leaf=10, random_state=0)
    rules, leaves = model.tree_rules(rounds=3), model.apply(X)
    labels = [1] if classes == 2 else [0, 1, 2]
    trees = 3 * len(labels)
    assert sorted({rule["tree"] for rule in rules}) == list(range(trees))
    assert {rule["op"] for each in rules for rule in each["conditions"]} >= {"<=", ">"}
    assert any(condition["feature"] == "place" for rule in rules for condition in rule["conditions"])
    found = np.tile(model._native.start, (len(X), 1))
    for at, row in enumerate(X.to_dict("records")):
        met = [rule for rule in rules if holds(row, rule["conditions"])]
        assert [rule["tree"] for rule in met] == list(range(trees))
        assert [rule["leaf"] for rule in met] == leaves[at, :trees].tolist()
        for rule in met:
            found[at, labels.index(rule["class"])] += rule["adds"]
    scores = model.truncate(3).decision_function(X)
    np.testing.assert_allclose(found.squeeze(), scores, atol=1e-12)


def test_rules_are_sorted_by_contribution_and_cover_all_weight():
    X, y = table(2)
    model = imbcore.fit(X, y, "boosted_trees", n_rounds=2, subsample=1.0)
    first, second = ([r for r in model.tree_rules(rounds=9) if r["tree"] == tree] for tree in (0, 1))
    for rules in (first, second):
        added = [rule["adds"] for rule in rules]
        assert added == sorted(added, reverse=True)
        assert np.sum([rule["mass"] for rule in rules], axis=0).tolist() == np.bincount(y).tolist()
    assert model.tree_rules() == first


def test_text_has_a_heading_per_tree_and_a_line_per_leaf():
    X = [[float(x)] for x in range(60)]
    y = ["in time" if x < 40 else "late" for x in range(60)]
    options = {"n_rounds": 2, "max_leaf_nodes": 2, "subsample": 1.0, "random_strength": 0.0}
    model = imbcore.fit(X, y, "boosted_trees", **options)
    lines = model.tree_text(rounds=2, decimals=2).splitlines()
    assert [lines[0], lines[3]] == ["tree 0, score of late", "tree 1, score of late"]
    assert lines[1].startswith("  +")
    assert lines[1].endswith(" if x0 > 39.5 (weight 20)")
    assert lines[2].startswith("  -")
    assert lines[2].endswith(" if x0 <= 39.5 (or missing) (weight 40)")


@pytest.mark.parametrize("rounds", [0, -1, 1.5, "all"])
def test_rounds_is_a_positive_integer(rounds):
    X, y = table(2)
    model = imbcore.fit(X, y, "boosted_trees", n_rounds=1)
    with pytest.raises(ParameterError, match="rounds"):
        model.tree_rules(rounds=rounds)
