"""Exact trees: objectives, hulls, proofs and invalid input; the algorithm is tested in Rust."""

import copy
import json
import pickle

import numpy as np
import pytest

import imbcore
from imbcore import OptimalTreeClassifier
from imbcore.exceptions import DataError, ParameterError, UnsupportedError


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(7)
    X = rng.integers(0, 12, (160, 3)).astype(float)
    y = (X[:, 0] > 8) & (X[:, 1] < 6) ^ (rng.random(160) < 0.08)
    return X, y.astype(int)


def counts(y, predicted):
    return int(((predicted == 1) & (y == 0)).sum()), int(((predicted == 0) & (y == 1)).sum())


def f_beta(y, predicted, beta):
    false_positives, false_negatives = counts(y, predicted)
    hits = (1 + beta**2) * ((y == 1).sum() - false_negatives)
    return hits / (hits + beta**2 * false_negatives + false_positives)


def test_cost_is_that_of_the_predictions_and_proven(rows):
    X, y = rows
    costs = [[0.0, 1.0], [7.5, 0.0]]
    tree = OptimalTreeClassifier(max_depth=2, cost_matrix=costs).fit(X, y)
    false_positives, false_negatives = counts(y, tree.predict(X))
    assert tree.objective_ == false_positives + 7.5 * false_negatives == tree.bound_
    assert (tree.status_, tree.gap_, tree.proven_optimal_) == ("optimal", 0.0, True)
    greedy = imbcore.fit(X, y, method="cart", max_depth=2, cost_matrix=costs)
    false_positives, false_negatives = counts(y, greedy.predict(X))
    assert tree.objective_ <= false_positives + 7.5 * false_negatives


def test_hull_is_optimal_for_every_cost_ratio_and_f_measure(rows):
    X, y = rows
    hull = OptimalTreeClassifier(max_depth=2, objective="hull").fit(X, y)
    trees = hull.hull()
    assert len(trees) > 2
    for tree in trees:
        assert counts(y, tree["model"].predict(X)) == (tree["false_positives"], tree["false_negatives"])
    assert [tree["best_to"] for tree in trees[:-1]] == [tree["best_from"] for tree in trees[1:]]
    for price in (0.2, 1, 3, 10, 100):
        alone = OptimalTreeClassifier(max_depth=2, cost_matrix=[[0, 1], [price, 0]]).fit(X, y)
        chosen = counts(y, hull.select(cost_fp=1, cost_fn=price).predict(X))
        assert alone.objective_ == pytest.approx(chosen[0] + price * chosen[1], rel=1e-12)
    for beta in (0.5, 1, 2):
        alone = OptimalTreeClassifier(max_depth=2, objective={"f_beta": beta}).fit(X, y)
        best = max(f_beta(y, tree["model"].predict(X), beta) for tree in trees)
        assert alone.objective_ == alone.bound_ == pytest.approx(best, rel=1e-12)
        assert f_beta(y, alone.predict(X), beta) == pytest.approx(best, rel=1e-12)
        assert f_beta(y, hull.select(f_beta=beta).predict(X), beta) == pytest.approx(best, rel=1e-12)
    assert counts(y, hull.select(recall=0.8).predict(X))[1] <= 0.2 * y.sum()
    f1 = OptimalTreeClassifier(max_depth=2, objective="f1").fit(X, y)
    assert f1.objective_ == OptimalTreeClassifier(max_depth=2, objective={"f_beta": 1}).fit(X, y).objective_


@pytest.mark.filterwarnings("ignore:the search is complete")
@pytest.mark.parametrize("beta", [0.37, 1, 2])
def test_incommensurable_weights_have_a_best_f_measure(rows, beta):
    X, y = rows
    drawn = np.random.default_rng(3).random(len(y))
    for weights in (drawn, np.where(y == 1, np.pi, drawn), np.where(y == 1, 1.0, 1e-5)):
        given = {"max_depth": 2, "positive": 1}
        tree = OptimalTreeClassifier(objective={"f_beta": beta}, **given).fit(X, y, sample_weight=weights)
        found = tree.predict(X)
        missed, alarms = weights[(y == 1) & (found == 0)].sum(), weights[(y == 0) & (found == 1)].sum()
        hits = (1 + beta**2) * weights[(y == 1) & (found == 1)].sum()
        assert tree.objective_ == pytest.approx(hits / (hits + beta**2 * missed + alarms), rel=1e-6)
        hull = OptimalTreeClassifier(objective="hull", **given).fit(X, y, sample_weight=weights)
        best = hull.select(f_beta=beta)
        assert best.predict(X).tolist() == found.tolist()
        assert (tree.status_, tree.bound_) == ("optimal", tree.objective_)


@pytest.mark.filterwarnings("ignore:all training rows")
@pytest.mark.parametrize(
    "one", [OptimalTreeClassifier, imbcore.ExactBoxesClassifier, imbcore.RuleListClassifier]
)
def test_attributes_undefined_for_one_class_are_explained(one):
    X, y = np.ones((5, 1)), np.zeros(5, dtype=int)
    model = one().fit(X, y)
    assert model.predict(X).tolist() == y.tolist()
    for name in ("objective_", "bound_", "gap_", "proven_optimal_", "status_"):
        with pytest.raises(AttributeError, match="fitted to rows of one class and always predicts it"):
            getattr(model, name)
    if one is OptimalTreeClassifier:
        with pytest.raises(AttributeError, match="has no hull: it was fitted to rows of one class"):
            model.hull()
        with pytest.raises(AttributeError, match="has no select: it was fitted to rows of one class"):
            model.select(recall=0.5)
    else:
        assert "0" in model.export_text(decimals=2)


def test_constraints_are_met_by_the_best_tree_also_between_two_corners(rows):
    X, y = rows
    hull = OptimalTreeClassifier(max_depth=2, objective="hull").fit(X, y)
    between = 0
    for recall in (0.0, 0.15, 0.5, 0.75, 0.85, 0.88, 1.0):
        tree = OptimalTreeClassifier(max_depth=2, objective={"recall": recall}).fit(X, y)
        false_positives, false_negatives = counts(y, tree.predict(X))
        assert false_negatives <= (1 - recall) * y.sum() + 1e-9
        assert tree.objective_ == tree.bound_ == false_positives
        assert tree.proven_optimal_
        corner = hull.select(recall=recall)
        assert counts(y, corner.predict(X))[1] <= (1 - recall) * y.sum() + 1e-9
        proof = corner.certificate()["at"]
        assert proof["recall"] == recall
        assert proof["bound"] <= tree.objective_ <= proof["objective"] == counts(y, corner.predict(X))[0]
        assert not proof["proven_optimal"] or tree.objective_ == proof["objective"]
        between += tree.objective_ < proof["objective"]
    assert between > 0
    for precision in (0.3, 0.55, 0.7, 0.95):
        tree = OptimalTreeClassifier(max_depth=2, objective={"precision": precision}).fit(X, y)
        false_positives, false_negatives = counts(y, tree.predict(X))
        hits = y.sum() - false_negatives
        assert hits >= precision * (hits + false_positives)
        assert tree.objective_ == tree.bound_ == pytest.approx(hits / y.sum(), rel=1e-12)
        proof = hull.select(precision=precision).certificate()["at"]
        assert proof["objective"] <= tree.objective_ <= proof["bound"]
    stored = pickle.loads(pickle.dumps(hull.select(recall=0.6)))
    assert stored.certificate() == hull.select(recall=0.6).certificate()
    assert hull.model_.certificate()["at"] is None


def test_hull_ranks_rows_by_all_its_trees(rows):
    X, y = rows
    X_new, y_new = X[::2] + 0.25, y[::2]
    hull = OptimalTreeClassifier(max_depth=2, objective="hull").fit(X, y)
    votes = sum(tree["model"].predict(X) == 1 for tree in hull.hull())
    scores = hull.predict_proba(X)[:, 1]
    shares = [scores[votes == n] for n in sorted(set(votes))]
    assert all(len(set(share)) == 1 for share in shares)
    assert (np.diff([share[0] for share in shares]) >= 0).all()
    # One row with the overall proportion is added to those of each rank: the mean stays close to it.
    assert scores.mean() == pytest.approx(y.mean(), abs=0.05)
    assert imbcore.metrics.roc_auc_score(y, scores) > max(
        imbcore.metrics.roc_auc_score(y, tree["model"].predict_proba(X)[:, 1]) for tree in hull.hull()
    )
    assert (hull.predict(X) == hull.select(cost_fp=1, cost_fn=1).predict(X)).all()
    again = pickle.loads(pickle.dumps(hull.model_))
    assert (again.predict_proba(X_new) == hull.predict_proba(X_new)).all()
    assert len(y_new) == len(again.predict(X_new))
    for refused in (hull.model_.to_sql, hull.model_.to_json):
        with pytest.raises(UnsupportedError, match="`select`"):
            refused()
    assert "SELECT" in hull.select(f_beta=1).to_sql().upper()


def test_lookahead_gives_a_good_tree_and_a_bound(rows):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 3)).round(1)
    y = ((X[:, 0] > 0.5) & (X[:, 1] * X[:, 2] > 0) ^ (rng.random(300) < 0.03)).astype(int)
    best = OptimalTreeClassifier(max_depth=3).fit(X, y)
    for lookahead in (1, 2):
        tree = OptimalTreeClassifier(max_depth=3, lookahead=lookahead).fit(X, y)
        assert tree.objective_ == (tree.predict(X) != y).sum()
        assert tree.bound_ <= best.objective_ <= tree.objective_
        assert tree.status_ == ("optimal" if tree.gap_ == 0 else "heuristic")
    assert OptimalTreeClassifier(max_depth=2, lookahead=2).fit(X, y).proven_optimal_
    quick = OptimalTreeClassifier(max_depth=3, lookahead=1, objective="f1").fit(X, y)
    assert f_beta(y, quick.predict(X), 1) == pytest.approx(quick.objective_, rel=1e-12)
    assert quick.objective_ <= quick.bound_ <= 1
    hull = OptimalTreeClassifier(max_depth=3, lookahead=1, objective="hull").fit(X, y)
    for tree in hull.hull():
        assert counts(y, tree["model"].predict(X)) == (tree["false_positives"], tree["false_negatives"])
    with pytest.raises(ParameterError, match="complete search"):
        OptimalTreeClassifier(lookahead=1, objective={"recall": 0.5}).fit(X, y)


def test_tree_of_the_hull_is_an_ordinary_model(rows, tmp_path):
    X, y = rows
    hull = OptimalTreeClassifier(max_depth=2, objective="hull").fit(X, y)
    model = hull.select(cost_fp=1, cost_fn=50)
    model.save(tmp_path / "tree.imb")
    again = imbcore.load(tmp_path / "tree.imb")
    assert again.to_bytes() == model.to_bytes()
    assert (again.predict(X) == model.predict(X)).all()
    assert again.certificate() == model.certificate()
    assert again.select(cost_fp=1, cost_fn=1).to_bytes() == hull.select(cost_fp=1, cost_fn=1).to_bytes()
    # Costs decide the predictions of the selected tree, not those of others.
    dear = OptimalTreeClassifier(max_depth=2, objective="hull", cost_matrix=[[0, 1], [50, 0]]).fit(X, y)
    assert (dear.predict(X) == model.predict(X)).all()
    assert dear.select(cost_fn=1).to_bytes() == hull.select(cost_fn=1).to_bytes()


def test_weights_leaf_limits_and_missing_values(rows):
    X, y = rows
    X = X.copy()
    X[::7, 0] = np.nan
    weights = np.where(y == 1, 2.0, 1.0)
    doubled = np.concatenate([np.arange(len(y)), np.flatnonzero(y)])
    by_weight = OptimalTreeClassifier().fit(X, y, weights)
    by_rows = OptimalTreeClassifier().fit(X[doubled], y[doubled])
    assert by_weight.objective_ == by_rows.objective_
    assert (by_weight.predict(X) == by_rows.predict(X)).all()
    heavy = OptimalTreeClassifier(max_depth=3, min_weight_leaf=30).fit(X, y)
    leaves = heavy.apply(X)
    assert min((leaves == leaf).sum() for leaf in set(leaves)) >= 30
    assert heavy.bound_ == heavy.objective_ or heavy.proven_optimal_
    dear = OptimalTreeClassifier(leaf_cost=3).fit(X, y)
    assert dear.objective_ == (dear.predict(X) != y).sum() + 3 * dear.get_n_leaves()
    assert dear.get_n_leaves() <= OptimalTreeClassifier().fit(X, y).get_n_leaves()


def test_several_classes_and_nominal_columns():
    colour = np.tile(["red", "blue", "green", "white"], 15)
    size = np.arange(60) % 7
    y = np.where((colour == "red") | (colour == "white"), "a", np.where(size > 4, "b", "c"))
    data = {"colour": colour, "size": size}
    tree = OptimalTreeClassifier(max_depth=3).fit(data, y)
    assert (tree.predict(data) == y).all()
    assert tree.objective_ == 0
    with pytest.raises(UnsupportedError, match='objective="cost"'):
        OptimalTreeClassifier(objective="f1").fit(data, y)
    two = OptimalTreeClassifier(max_depth=1).fit(data, y == "a")
    assert two.objective_ == 0
    assert two.get_n_leaves() == 2


def test_invalid_input_is_rejected(rows):
    X, y = rows
    for wrong in (
        {"objective": "accuracy"},
        {"objective": {"f_beta": 0}},
        {"objective": {"recall": 1.5}},
        {"objective": {"precision": -0.1}},
        {"objective": {"recall": 0.5, "precision": 0.5}},
        {"max_depth": 0},
        {"max_depth": 5},
        {"leaf_cost": 1.0, "objective": "hull"},
        {"time_limit": 0},
    ):
        with pytest.raises(ParameterError):
            OptimalTreeClassifier(**wrong).fit(X, y)
    other = OptimalTreeClassifier(objective="f1").fit(X, y)
    with pytest.raises(ParameterError, match="fitted with objective='f1'; fit with objective=\"hull\""):
        other.select(f_beta=2)
    model = OptimalTreeClassifier(objective="hull").fit(X, y).model_
    for wrong in (
        {},
        {"recall": 2},
        {"precision": 2},
        {"recall": 0.5, "precision": 0.5},
        {"f_beta": 1, "recall": 0.5},
        {"cost_fn": float("inf")},
        {"cost_fp": -1},
    ):
        with pytest.raises(ParameterError):
            model.select(**wrong)
    assert not hasattr(model, "prune")


def test_search_out_of_time_keeps_tree_and_bound(rows):
    X = np.random.default_rng(0).normal(size=(3000, 8))
    y = (np.random.default_rng(1).random(3000) < 0.1).astype(int)
    tree = OptimalTreeClassifier(max_depth=4, time_limit=0.3).fit(X, y)
    assert tree.status_ == "time_limit"
    assert not tree.proven_optimal_
    assert 0 <= tree.bound_ < tree.objective_ <= y.sum()
    assert tree.objective_ == (tree.predict(X) != y).sum()
    assert tree.gap_ == tree.objective_ - tree.bound_


@pytest.mark.parametrize("objective", ["cost", "f1", "hull", {"f_beta": 2}])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_certificate_is_accepted_on_the_training_rows(rows, objective, depth):
    X, y = rows[0][:70], rows[1][:70]
    weight = np.where(np.arange(len(y)) % 3 == 0, 2.0, 1.0)
    tree = OptimalTreeClassifier(max_depth=depth, objective=objective).fit(X, y, weight)
    certificate = json.loads(json.dumps(tree.certificate()))
    assert certificate == tree.certificate()
    assert certificate["proof"]["max_depth"] == depth
    assert all(bool(claim["cuts"]) <= (depth > 2) for claim in certificate["proof"]["claims"])
    holds = {"objective_holds": True, "bounds_hold": True, "proves_optimal": True, "reason": None}
    assert tree.verify_certificate(X, y, weight) == holds
    assert tree.verify_certificate(X, y, weight, certificate=certificate) == holds
    again = pickle.loads(pickle.dumps(tree))
    assert again.verify_certificate(X, y, weight) == holds
    light = tree.fit(X, y, weight / 16)
    assert light.verify_certificate(X, y, weight / 16) == holds


def test_forged_certificate_is_rejected_with_a_reason(rows):
    X, y = rows[0][:70], rows[1][:70]
    tree = OptimalTreeClassifier(max_depth=3).fit(X, y)

    def reason(change):
        certificate = copy.deepcopy(tree.certificate())
        change(certificate["proof"])
        verdict = tree.verify_certificate(X, y, certificate=certificate)
        assert verdict["proves_optimal"] is False
        return verdict["reason"]

    def raise_a_side(shown):
        cuts = shown["claims"][0]["cuts"]
        next(cut for cut in cuts if cut["first"] is not None)["first"] += 500

    assert "leave room for a better tree" in reason(lambda of: of["claims"][0].update(bound=0))
    assert "does not cover trees" in reason(lambda of: of["claims"][0].update(bound=tree.bound_ + 1))
    assert "does not cover trees" in reason(lambda of: of["claims"][0].update(cuts=[]))
    assert "but a tree of depth 2 costs" in reason(raise_a_side)
    assert "another depth" in reason(lambda of: of.update(max_depth=2))
    other = tree.verify_certificate(X, y[::-1])
    assert not other["objective_holds"]
    assert "not the rows of the fit" in other["reason"]
    with pytest.raises(DataError, match="no 'proof'"):
        tree.verify_certificate(X, y, certificate={})
    with pytest.raises(DataError, match="certificate"):
        tree.verify_certificate(X, y, certificate={"proof": {"max_depth": 3}})
    with pytest.raises(ParameterError, match="time_limit"):
        tree.verify_certificate(X, y, time_limit="soon")
    ahead = OptimalTreeClassifier(max_depth=3, lookahead=1).fit(X, y)
    verdict = ahead.verify_certificate(X, y)
    assert ahead.certificate()["proof"] is None
    assert verdict["objective_holds"]
    assert verdict["proves_optimal"] is None
    floor = OptimalTreeClassifier(objective={"recall": 0.7}).fit(X, y).verify_certificate(X, y)
    assert floor["bounds_hold"] is True
    assert floor["proves_optimal"] is None


@pytest.mark.parametrize("method", ["optimal_tree", "exact_boxes", "rule_list"])
def test_models_have_the_result_of_their_search(method, rows):
    """Kind: an attribute of an estimator about its fit is an attribute of the model of `fit`, too."""
    X, y = rows[0][:60], rows[1][:60]
    model = imbcore.fit(X, y, method)
    proof = model.certificate()
    assert model.status_ == proof["status"]
    assert (model.objective_, model.bound_, model.gap_) == tuple(
        proof[name] for name in ("objective", "bound", "gap")
    )
    assert model.proven_optimal_ is proof["proven_optimal"]
    for other, hint in (("cart", "exact trees have it"), ("fast_boxes", '"rule_list" have it')):
        assert not hasattr(imbcore.fit(X, y, other), "status_")
        with pytest.raises(AttributeError, match=hint):
            _ = imbcore.fit(X, y, other).status_
