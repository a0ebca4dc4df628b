"""Nominal rules, missing values as levels, monotone constraints and class groups, seen from Python."""

import numpy as np
import pytest

import imbcore
from imbcore.exceptions import DataError, ParameterError

JOBS = {"job": ["a", "b", "c", "d"] * 6, "age": [float(value) for value in range(24)]}
CLASSES = [0, 1, 0, 1] * 6
RULES = ["ovr", "multiway", "ovr_multiway", "dummy", "subset"]


@pytest.mark.parametrize("nominal", RULES)
@pytest.mark.parametrize("criterion", ["gini", "hellinger", "entropy"])
def test_every_nominal_rule_separates_levels(nominal, criterion):
    model = imbcore.fit(JOBS, CLASSES, method="cart", nominal=nominal, criterion=criterion, zero_gain=False)
    assert model.predict(JOBS).tolist() == CLASSES


def test_a_set_of_levels_reads_well(tmp_path):
    model = imbcore.fit(JOBS, CLASSES, method="cart", nominal="subset")
    assert "job in {a, c}" in model.export_text()
    assert "job not in {a, c}" in model.export_text()
    assert 'label="job in {a, c}' in model.to_dot()
    conditions = [rule["conditions"][0] for rule in model.rules()]
    assert [(c["op"], c["value"]) for c in conditions] == [("in", ["a", "c"]), ("not in", ["a", "c"])]
    assert [node["kind"] for node in model.nodes()] == ["set", "leaf", "leaf"]
    path = tmp_path / "tree.imb"
    model.save(path)
    assert imbcore.load(path).predict(JOBS).tolist() == CLASSES


@pytest.mark.parametrize("nominal", RULES)
def test_a_missing_value_is_a_level(nominal):
    table = {"job": ["a", "b", None, "c"] * 5}
    classes = [0, 0, 1, 0] * 5
    model = imbcore.fit(table, classes, method="cart", nominal=nominal, missing="value")
    assert model.predict({"job": [None, "a", "b", "c"]}).tolist() == [1, 0, 0, 0]
    assert "job is missing" in model.export_text()


def monotone_data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = (X[:, 0] - 0.7 * X[:, 1] + 0.5 * X[:, 2] + rng.normal(size=400) > 0.8).astype(int)
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, y


@pytest.mark.parametrize("criterion", ["gini", "hellinger", "twoing", {"name": "alpha", "alpha": 0.3}])
@pytest.mark.parametrize("max_leaf_nodes", [None, 12])
def test_probabilities_are_monotone(criterion, max_leaf_nodes):
    X, y = monotone_data()
    tree = imbcore.HDDTClassifier(
        criterion=criterion, monotonic_cst=[1, -1, 0], max_leaf_nodes=max_leaf_nodes, random_state=0
    ).fit(X, y)
    assert tree.get_n_leaves() > 3
    for column, sign in [(0, 1), (1, -1)]:
        answers = []
        for value in np.linspace(-4, 4, 60):
            moved = X.copy()
            moved[:, column] = value
            answers.append(sign * tree.predict_proba(moved)[:, 1])
        assert (np.diff(answers, axis=0) >= 0).all()


def test_constraints_by_name_and_by_position_are_one():
    X, y = monotone_data()
    table = {"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]}
    by_name = imbcore.fit(table, y, method="cart", monotonic_cst={"b": -1, "a": 1})
    by_position = imbcore.fit(table, y, method="cart", monotonic_cst=np.array([1, -1, 0]))
    assert by_name.to_bytes() == by_position.to_bytes()
    assert by_name.params["monotonic_cst"] == [1, -1, 0]
    free = imbcore.fit(table, y, method="cart")
    assert free.export_text() != by_name.export_text()


def test_impossible_constraints_are_named():
    X, y = monotone_data()
    table = {"a": X[:, 0], "b": ["x", "y"] * 200}
    with pytest.raises(ParameterError, match="must name features of the data, got 'z'"):
        imbcore.fit(table, y, method="cart", monotonic_cst={"z": 1})
    with pytest.raises(ParameterError, match="nominal"):
        imbcore.fit(table, y, method="cart", monotonic_cst={"b": 1})
    with pytest.raises(ParameterError, match="-1, 0 and 1"):
        imbcore.fit(table, y, method="cart", monotonic_cst=[2, 0])
    with pytest.raises(ParameterError, match="more than two classes"):
        imbcore.fit(table, np.arange(400) % 3, method="cart", monotonic_cst=[1, 0])


@pytest.mark.parametrize("seed", range(10))
def test_trees_agree_with_scikit_learn_where_every_feature_is_constrained(seed):
    # On a free feature scikit-learn splits beyond the bounds and clips the leaves; here none is made.
    sklearn_tree = pytest.importorskip("sklearn.tree")
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(400, 3)).astype(np.float32).astype(np.float64)
    y = (X[:, 0] - 0.7 * X[:, 1] + 0.5 * X[:, 2] + rng.normal(size=400) > 0.8).astype(int)
    options = {"monotonic_cst": [1, -1, 1], "max_depth": 3}
    ours = imbcore.CARTClassifier(**options).fit(X, y)
    theirs = sklearn_tree.DecisionTreeClassifier(**options, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)


def test_groups_of_classes_are_shown():
    X = [[float(value)] for value in range(12)]
    y = ["a", "a", "a", "b", "b", "b", "c", "c", "c", "d", "d", "d"]
    model = imbcore.fit(X, y, method="hddt")
    groups = [node["group"] for node in model.nodes() if "group" in node]
    assert groups[0] == ["b", "c", "d"] or groups[0] == ["c", "d"] or groups[0] == ["d"]
    assert len(groups) == sum(node["kind"] != "leaf" for node in model.nodes())
    assert all(c["group"] for rule in model.rules() for c in rule["conditions"])
    gini = imbcore.fit(X, y, method="cart")
    assert not any("group" in node for node in gini.nodes())


def test_twoing_refuses_a_branch_a_level():
    with pytest.raises(ParameterError, match="twoing"):
        imbcore.fit(JOBS, CLASSES, method="c44", criterion="twoing")
    with pytest.raises(DataError, match='missing="error"'):
        imbcore.fit({"a": [1.0, None]}, [0, 1], method="cart", missing="error")
