"""Nominal splits, missing values as levels, monotone constraints and class groups in Python."""

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
    model = imbcore.fit(
        JOBS,
        CLASSES,
        method="cart",
        categorical_split=nominal,
        criterion=criterion,
        allow_zero_gain_splits=False,
    )
    assert model.predict(JOBS).tolist() == CLASSES


@pytest.mark.parametrize("criterion", ["gini", "entropy", "chi2", "hellinger"])
@pytest.mark.parametrize("order", ["gain", "entropy"])
def test_the_older_of_two_equally_good_nodes_is_split_first(criterion, order):
    # The halves of each table differ only in the order of the classes, so rounding must not decide.
    n_ties = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        x = rng.integers(0, 6, 24)
        labels = (rng.random(24) < 0.5 * rng.random(6)[x]).astype(int)
        X = np.column_stack([np.repeat([0.0, 1.0], 24), np.tile(x, 2)])
        y = np.concatenate([labels, 1 - labels])
        nodes = {
            leaves: imbcore.fit(
                X,
                y,
                method="cart",
                criterion=criterion,
                growth_order=order,
                max_leaf_nodes=leaves,
                positive=1,
            ).nodes()
            for leaves in (3, 4)
        }
        cuts = [nodes[4][child]["threshold"] for child in nodes[4][0]["children"]]
        if nodes[4][0]["feature"] == "x0" and cuts[0] == cuts[1] is not None:
            n_ties += 1
            older = nodes[3][0]["children"][0]
            assert nodes[3][older]["kind"] == "below", seed
    assert n_ties > 20


def test_set_of_levels_is_readable(tmp_path):
    model = imbcore.fit(JOBS, CLASSES, method="cart", categorical_split="subset")
    assert 'job in {"a", "c"}' in model.export_text()
    assert 'job not in {"a", "c"}' in model.export_text()
    assert r'label="job in {\"a\", \"c\"}' in model.to_dot()
    conditions = [rule["conditions"][0] for rule in model.rules()]
    found_conditions = sorted((c["op"], c["value"]) for c in conditions)
    assert found_conditions == [("in", ["a", "c"]), ("not in", ["a", "c"])]
    assert [node["kind"] for node in model.nodes()] == ["set", "leaf", "leaf"]
    path = tmp_path / "tree.imb"
    model.save(path)
    assert imbcore.load(path).predict(JOBS).tolist() == CLASSES


@pytest.mark.parametrize("nominal", RULES)
def test_missing_value_is_a_level(nominal):
    table = {"job": ["a", "b", None, "c"] * 5}
    classes = [0, 0, 1, 0] * 5
    model = imbcore.fit(table, classes, method="cart", categorical_split=nominal, missing="value")
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


def test_constraints_by_name_and_by_position_are_equal():
    X, y = monotone_data()
    table = {"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]}
    by_name = imbcore.fit(table, y, method="cart", monotonic_cst={"b": -1, "a": 1})
    by_position = imbcore.fit(table, y, method="cart", monotonic_cst=np.array([1, -1, 0]))
    assert by_name.to_bytes() == by_position.to_bytes()
    assert by_name.params["monotonic_cst"] == [1, -1, 0]
    free = imbcore.fit(table, y, method="cart")
    assert free.export_text() != by_name.export_text()


def test_invalid_constraints_are_named():
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
def test_trees_equal_scikit_learn_if_every_feature_is_constrained(seed):
    # On an unconstrained feature scikit-learn splits beyond the bounds and clips the leaves; here such splits
    # are excluded.
    sklearn_tree = pytest.importorskip("sklearn.tree")
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(400, 3)).astype(np.float32).astype(np.float64)
    y = (X[:, 0] - 0.7 * X[:, 1] + 0.5 * X[:, 2] + rng.normal(size=400) > 0.8).astype(int)
    options = {"monotonic_cst": [1, -1, 1], "max_depth": 3}
    ours = imbcore.CARTClassifier(**options).fit(X, y)
    theirs = sklearn_tree.DecisionTreeClassifier(**options, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)


def test_class_groups_are_shown():
    X = [[float(value)] for value in range(12)]
    y = ["a", "a", "a", "b", "b", "b", "c", "c", "c", "d", "d", "d"]
    model = imbcore.fit(X, y, method="hddt")
    groups = [node["group"] for node in model.nodes() if "group" in node]
    assert groups[0] == ["b", "c", "d"] or groups[0] == ["c", "d"] or groups[0] == ["d"]
    assert len(groups) == sum(node["kind"] != "leaf" for node in model.nodes())
    assert all(c["group"] for rule in model.rules() for c in rule["conditions"])
    gini = imbcore.fit(X, y, method="cart")
    assert not any("group" in node for node in gini.nodes())


def test_twoing_rejects_one_branch_per_level():
    with pytest.raises(ParameterError, match="twoing"):
        imbcore.fit(JOBS, CLASSES, method="c44", criterion="twoing")
    with pytest.raises(DataError, match='missing="error"'):
        imbcore.fit({"a": [1.0, None]}, [0, 1], method="cart", missing="error")


def three_classes():
    rng = np.random.default_rng(3)
    X = rng.integers(0, 8, (300, 4)).astype(float)
    # Class 2 is far from the others, so that some nodes do not contain it.
    y = np.where(X[:, 0] > 5, 2, (X[:, 1] + X[:, 2] + rng.normal(size=300) > 7).astype(int))
    return X, y


@pytest.mark.parametrize("alpha", [0.3, 1.5])
@pytest.mark.parametrize("max_leaf_nodes", [None, 9])
def test_uniform_reference_covers_every_class(alpha, max_leaf_nodes):
    X, y = three_classes()
    trees = [
        imbcore.AlphaTreeClassifier(
            alpha=alpha, reference=reference, max_leaf_nodes=max_leaf_nodes, random_state=0
        ).fit(X, y)
        for reference in ("uniform", [1 / 3] * 3)
    ]
    named, given = (tree.model_.nodes() for tree in trees)
    assert named == given
    assert trees[0].feature_importances_.tolist() == trees[1].feature_importances_.tolist()


def weights_and_parts(model):
    nodes = {node["id"]: node for node in model.nodes()}
    for node in nodes.values():
        if node["kind"] != "leaf":
            yield node, [nodes[child]["mass"] for child in node["children"]]


def test_importances_of_a_hellinger_tree_are_decreases_of_the_affinity():
    X, y = three_classes()
    X, y = X[y < 2], y[y < 2]
    tree = imbcore.HDDTClassifier(max_depth=5, random_state=0).fit(X, y)
    falls = np.zeros(4)
    for node, parts in weights_and_parts(tree.model_):
        falls[int(node["feature"][1:])] += np.sqrt(np.prod(node["mass"])) - sum(
            np.sqrt(np.prod(part)) for part in parts
        )
    np.testing.assert_allclose(tree.feature_importances_, falls / falls.sum(), atol=1e-12)
    # The distance is another criterion times a factor, so its importances are equal.
    dkm = imbcore.HDDTClassifier(criterion="dkm", max_depth=5, random_state=0).fit(X, y)
    np.testing.assert_allclose(tree.feature_importances_, dkm.feature_importances_, atol=1e-12)


def test_invalid_growth_order_is_named():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4)).round(1)
    y = X[:, 0] + X[:, 1] + rng.normal(size=400) > 2.5
    trees = {}
    for order in ("gain", "entropy"):
        trees[order] = imbcore.HDDTClassifier(max_leaf_nodes=6, growth_order=order, random_state=0).fit(X, y)
        bins = imbcore.HDDTClassifier(max_leaf_nodes=6, growth_order=order, max_bins=255, random_state=0).fit(
            X, y
        )
        assert bins.model_.nodes() == trees[order].model_.nodes()
    assert trees["gain"].model_.nodes() != trees["entropy"].model_.nodes()
    shape = {"n_estimators": 5, "criterion": "hellinger", "max_leaf_nodes": 6, "random_state": 0}
    forests = [imbcore.RandomForestClassifier(growth_order=order, **shape).fit(X, y) for order in trees]
    assert not np.array_equal(*(forest.predict_proba(X) for forest in forests))
    with pytest.raises(ParameterError, match='"gain" or "entropy"'):
        imbcore.HDDTClassifier(growth_order="size").fit(X, y)
