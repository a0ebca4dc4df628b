"""Rule lists through the Python API."""

import itertools
import pickle

import numpy as np
import pytest

import imbcore
from imbcore import RuleListClassifier, datasets
from imbcore.exceptions import DataError, ParameterError


@pytest.fixture(scope="module")
def spots():
    """Two clusters of a rare class among others, with some noise."""
    rng = np.random.default_rng(8)
    X = rng.uniform(-1, 1, size=(200, 3)).round(2)
    near = np.minimum(np.abs(X[:, :2] - 0.5).max(axis=1), np.abs(X[:, :2] + 0.5).max(axis=1)) < 0.3
    return X, np.where(near ^ (rng.random(200) < 0.03), "rare", "common")


def small_rule_list(**options):
    """A rule list with few candidate rules, so that its proof takes no time."""
    return RuleListClassifier(n_estimators=15, max_candidates=25, random_state=0, **options)


def held(rule, X):
    """Rows that satisfy the conditions of a rule."""
    inside = np.ones(len(X), bool)
    for condition in rule["conditions"]:
        x = X[:, int(condition["feature"][1:])]
        inside &= (x >= condition.get("lower", -np.inf)) & (x <= condition.get("upper", np.inf))
    return inside


def f_measure(rare, predicted, beta=1.0):
    hit, wrong = (rare & predicted).sum(), (~rare & predicted).sum()
    return (1 + beta**2) * hit / (beta**2 * rare.sum() + hit + wrong)


def test_predictions_follow_the_rules(spots):
    X, y = spots
    rules = small_rule_list(n_rules=4).fit(X, y)
    assert rules.status_ == "optimal"
    assert rules.gap_ == 0
    assert rules.proven_optimal_
    predicted = np.any([held(rule, X) for rule in rules.boxes(all_bounds=True)], axis=0)
    assert ((rules.predict(X) == "rare") == predicted).all()
    assert rules.objective_ == pytest.approx(f_measure(y == "rare", predicted))
    certificate = rules.certificate()
    assert certificate["true_positives"] == ((y == "rare") & predicted).sum()
    assert certificate["false_positives"] == ((y != "rare") & predicted).sum()
    assert certificate["candidates"] <= 25 <= certificate["different_rules"]


def test_chosen_rules_are_the_best_subset(spots):
    X, y = spots
    rules = small_rule_list(n_rules=5).fit(X, y).boxes(all_bounds=True)
    rows = [held(rule, X) for rule in rules]
    for n_rules in range(1, len(rows) + 1):
        # The candidates do not depend on n_rules, and include the ones used by five rules.
        fewer = small_rule_list(n_rules=n_rules).fit(X, y)
        choices = itertools.combinations(rows, n_rules)
        best = max(f_measure(y == "rare", np.any(choice, axis=0)) for choice in choices)
        assert fewer.objective_ >= best - 1e-9
        assert fewer.n_boxes_ <= n_rules


@pytest.mark.parametrize(("name", "minimum"), [("precision", 0.9), ("recall", 0.8)])
def test_constraints_are_satisfied(spots, name, minimum):
    X, y = spots
    rules = small_rule_list(objective={name: minimum}).fit(X, y)
    predicted, rare = rules.predict(X) == "rare", y == "rare"
    shares = {
        "precision": (rare & predicted).sum() / predicted.sum(),
        "recall": (rare & predicted).sum() / rare.sum(),
    }
    assert shares[name] >= minimum
    other = "recall" if name == "precision" else "precision"
    assert rules.objective_ == pytest.approx(shares[other])


def test_unreachable_constraint_gives_an_empty_list():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 1)), np.arange(60) % 3 == 0
    rules = small_rule_list(objective={"precision": 1.0}, min_samples_leaf=20, positive=True).fit(X, y)
    assert rules.n_boxes_ == 0
    assert rules.objective_ == 0
    assert rules.status_ == "optimal"
    assert not rules.predict(X).any()
    assert (rules.predict_proba(X)[:, 1] < 0.5).all()
    assert rules.export_text() == "class True: never\n"
    assert rules.to_sql() == "1 = 0"


def test_first_matching_rule_scores_a_row(spots):
    X, y = spots
    rules = small_rule_list(n_rules=4).fit(X, y)
    score, first = rules.predict_proba(X)[:, 1], rules.apply(X)
    # Two additional rows with the overall proportion of the rare class.
    sums = [(rule["share"] * rule["support"], rule["support"]) for rule in rules.boxes()]
    smoothed = np.array([(hit + 2 * (y == "rare").mean()) / (all_ + 2) for hit, all_ in sums])
    odds = smoothed / (1 - smoothed)
    # The least precise rule has a score of one half if its precision is lower.
    odds /= min(1.0, odds.min())
    for number, expected in enumerate(odds / (1 + odds)):
        assert score[first == number] == pytest.approx(expected)
    best = [score[first == number].max() for number in range(rules.n_boxes_) if (first == number).any()]
    assert best == sorted(best, reverse=True)
    assert ((score > 0.5) == (rules.predict(X) == "rare")).all()


def test_missing_values_follow_the_trees():
    rng = np.random.default_rng(1)
    x, z = rng.uniform(size=300), rng.uniform(size=300)
    y = (x > 0.8) | (rng.random(300) < 0.02)
    x[y & (rng.random(300) < 0.5)] = np.nan
    rules = small_rule_list().fit(np.column_stack([x, z]), y)
    conditions = [condition for rule in rules.boxes() for condition in rule["conditions"]]
    assert any(condition.get("or_missing") for condition in conditions if condition["feature"] == "x0")
    assert not any(condition.get("or_missing") for condition in conditions if condition["feature"] == "x1")
    assert "(or missing)" in rules.export_text()
    assert "IS NULL" in rules.to_sql()
    assert rules.predict([[np.nan, 0.5]])[0]
    loaded = pickle.loads(pickle.dumps(rules.model_))
    assert loaded.predict([[np.nan, 0.5]])[0]
    assert loaded.boxes() == rules.boxes()


def test_levels_and_weights_are_supported():
    frame = {"kind": ["a", "b", "c", "d"] * 30, "size": list(range(120))}
    y = [kind in ("b", "d") and size > 60 for kind, size in zip(frame["kind"], frame["size"], strict=True)]
    rules = small_rule_list(n_rules=1).fit(frame, y)
    assert rules.objective_ == 1.0
    (rule,) = rules.model_.rules()
    by_feature = {condition["feature"]: condition for condition in rule["conditions"]}
    assert by_feature["kind"]["levels"] == ["b", "d"]
    assert rule["share"] == 1.0
    twice = small_rule_list(n_rules=1).fit(frame, y, sample_weight=[2.0] * 120)
    assert twice.boxes()[0]["support"] == 2 * rules.boxes()[0]["support"]


def test_lists_are_printed_stored_and_copied(spots, tmp_path):
    X, y = spots
    rules = small_rule_list(n_rules=3).fit(X, y)
    text = rules.export_text(decimals=2)
    assert text.startswith("class rare if at least one rule holds\nrule 1 (support ")
    rules.model_.save(tmp_path / "rules.imb")
    loaded = imbcore.load(tmp_path / "rules.imb")
    assert loaded.certificate() == rules.certificate()
    assert loaded.size_text.endswith("rules")
    assert (pickle.loads(pickle.dumps(rules)).predict_proba(X) == rules.predict_proba(X)).all()


def test_several_classes_need_ova():
    X, y = datasets.make_shape("diamond3D")
    three = np.where(np.asarray(X)[:, 0] > 5, 2, y)
    with pytest.raises(DataError, match="OVAClassifier"):
        small_rule_list().fit(X, three)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("objective", {"f_beta": 0}),
        ("objective", {"precision": 1.5}),
        ("objective", {"recall": 0}),
        ("objective", "cost"),
        ("max_depth", 4),
        ("n_rules", 0),
        ("max_candidates", 0),
        ("time_limit", 0.0),
    ],
)
def test_parameters_outside_their_domain_are_named(spots, name, value):
    with pytest.raises(ParameterError, match=name):
        RuleListClassifier(**{name: value}).fit(*spots)


def test_time_limit_leaves_a_list_with_a_bound():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(400, 6)), rng.random(400) < 0.2
    rules = RuleListClassifier(n_rules=6, max_candidates=400, time_limit=0.3, random_state=0, positive=True)
    rules.fit(X, y)
    assert rules.status_ == "time_limit"
    assert not rules.proven_optimal_
    assert 0 < rules.objective_ < rules.bound_ <= 1
    assert rules.gap_ == rules.bound_ - rules.objective_
