"""Exact Boxes through the Python API."""

import itertools
import pickle

import numpy as np
import pytest

import imbcore
from imbcore import ExactBoxesClassifier, FastBoxesClassifier, OVAClassifier, datasets, metrics
from imbcore.exceptions import DataError, ParameterError, UnsupportedError


@pytest.fixture(scope="module")
def spots():
    """Two clusters of a rare class among others, with some noise."""
    rng = np.random.default_rng(8)
    X = rng.uniform(-1, 1, size=(160, 2))
    near = np.minimum(np.abs(X - 0.5).max(axis=1), np.abs(X + 0.5).max(axis=1)) < 0.25
    return X, np.where(near ^ (rng.random(160) < 0.04), "rare", "common")


def scaled(certificate, X):
    """Columns of the certificate, scaled as it states."""
    names = [f"x{j}" for j in range(X.shape[1])]
    scale = certificate["scale"]
    return np.column_stack(
        [(X[:, names.index(s["feature"])] - s["origin"]) / s["unit"] - s["shift"] for s in scale]
    )


def value(certificate, X, rare, weight=None):
    """Objective of the boxes of a certificate, by its definition."""
    goal, z = certificate["goal"], scaled(certificate, X)
    weight = np.ones(len(X)) if weight is None else weight
    g, tiny = goal["margin"] + goal["epsilon"], 1e-12
    covered, hit = np.zeros(len(X), bool), np.zeros(len(X), bool)
    used = 0
    for lower, upper in zip(certificate["lower"], certificate["upper"], strict=True):
        lower, upper = np.array(lower), np.array(upper)
        inside = ((z >= lower + g - tiny) & (z <= upper - g + tiny)).all(axis=1)
        out = ((z <= lower - g + tiny) | (z >= upper + g - tiny)).any(axis=1)
        used += bool((inside & rare).any())
        covered |= inside
        hit |= ~out
    gained = weight[rare & covered].sum() + goal["negative_weight"] * weight[~rare & ~hit].sum()
    return gained - goal["box_cost"] * used


def best_single_box(X, rare, c, box_cost, g):
    """Brute force: the best bounding box of rare rows, on scaled columns."""
    z = 2 * (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0)) - 1
    best = c * (~rare).sum()
    edges = [np.unique(column[rare]) for column in z.T]
    pairs = [[(a, b) for a in edge for b in edge if a <= b] for edge in edges]
    for sides in itertools.product(*pairs):
        inside = np.ones(len(z), bool)
        hit = np.ones(len(z), bool)
        for column, (a, b) in zip(z.T, sides, strict=True):
            inside &= (column >= a) & (column <= b)
            hit &= (column > a - 2 * g) & (column < b + 2 * g)
        best = max(best, (inside & rare).sum() + c * (~hit & ~rare).sum() - box_cost)
    return best


def test_one_box_is_optimal():
    rng = np.random.default_rng(2)
    X = rng.uniform(size=(40, 2))
    y = (np.abs(X - 0.5).max(axis=1) < 0.22) ^ (rng.random(40) < 0.1)
    for c in (0.3, 1.0):
        boxes = ExactBoxesClassifier(n_boxes=1, negative_weight=c, positive=True).fit(X, y)
        assert boxes.proven_optimal_
        assert boxes.objective_ == pytest.approx(best_single_box(X, y, c, 0.5, 0.011), abs=1e-9)


def test_certificate_holds_by_definition_and_by_the_verifier(spots):
    X, y = spots
    rare = y == "rare"
    for options in ({}, {"n_boxes": 1}, {"negative_weight": 0.4, "box_cost": 1.0}):
        boxes = ExactBoxesClassifier(random_state=0, **options).fit(X, y)
        assert boxes.status_ == "optimal"
        assert boxes.gap_ == 0.0
        assert boxes.bound_ == boxes.objective_
        certificate = boxes.certificate()
        assert value(certificate, X, rare) == pytest.approx(boxes.objective_, abs=1e-9)
        verdict = boxes.verify_certificate(X, y)
        assert verdict["objective_holds"] is True
        assert verdict["bounds_hold"] is True
        assert verdict["objective"] == pytest.approx(boxes.objective_)
        assert all(bound >= boxes.objective_ - 1e-9 for bound in verdict["bounds"][:1])
        for price in certificate["prices"]:
            reward = np.array(price["reward"])
            assert len(reward) == len(X)
            assert (reward[~rare] == 0).all()
            goal = certificate["goal"]
            spare = (1 - reward[rare]).sum() + goal["negative_weight"] * (~rare).sum()
            claimed = spare + price["n_boxes"] * max(0.0, price["sigma"])
            assert price["bound"] == pytest.approx(claimed, abs=1e-6)


def test_dual_values_of_pairs_prove_the_optimum_if_classes_overlap():
    rng = np.random.default_rng(3)
    X = rng.random((140, 2))
    y = (np.abs(X - [0.3, 0.3]).max(axis=1) < 0.2) | (np.abs(X - [0.7, 0.6]).max(axis=1) < 0.18)
    y ^= rng.random(140) < 0.2
    boxes = ExactBoxesClassifier(n_boxes=2, random_state=0).fit(X, y)
    assert boxes.proven_optimal_
    (priced,) = boxes.certificate()["prices"]
    assert priced["pairs"]
    paid = np.array(priced["price"])
    for hit, taken, price in priced["pairs"]:
        assert price > 0
        assert y[int(taken)]
        paid[int(hit)] += price
    assert (paid[y] == 0).all()
    assert (paid <= boxes.negative_weight * (1 + 1e-12)).all()
    # With c = 1 the value of two boxes is an integer minus twice the box cost: the gap closes without lists.
    (bound,) = boxes.verify_certificate(X, y)["bounds"]
    assert boxes.objective_ <= bound < boxes.objective_ + 1
    assert bound - priced["sigma"] < boxes.objective_ + 0.5


def test_verifier_checks_the_whole_proof():
    rng = np.random.default_rng(5)
    X = rng.random((120, 2)).round(2)
    y = (np.abs(X - [0.3, 0.3]).max(axis=1) < 0.2) | (np.abs(X - [0.7, 0.6]).max(axis=1) < 0.18)
    y ^= rng.random(120) < 0.2
    boxes = ExactBoxesClassifier(n_boxes=2, negative_weight=0.3, random_state=0).fit(X, y)
    assert boxes.proven_optimal_
    verdict = boxes.verify_certificate(X, y, whole=True)
    # The dual values alone do not exclude better drawings; the lists derived from them do.
    assert verdict["bounds"][0] > boxes.bound_ + 0.1
    assert verdict["proof_holds"] is True
    assert boxes.verify_certificate(X, y)["proof_holds"] is None
    assert boxes.verify_certificate(X, y, whole=True, time_limit=1e-6)["proof_holds"] is None
    # Rows that allow a better drawing.
    easier = y | (np.abs(X - [0.3, 0.3]).max(axis=1) < 0.2)
    assert boxes.verify_certificate(X, easier, whole=True)["proof_holds"] is False
    with pytest.raises(ParameterError, match="whole must be True or False"):
        boxes.verify_certificate(X, y, whole="yes")


def test_whole_proof_with_widths_cannot_be_verified(spots):
    X, y = spots
    boxes = ExactBoxesClassifier(n_boxes=1, expand=0.01, box_cost=0.0, random_state=0).fit(X, y)
    assert boxes.verify_certificate(X, y)["objective_holds"] is True
    with pytest.raises(UnsupportedError, match="expand"):
        boxes.verify_certificate(X, y, whole=True)


def test_verifier_rejects_other_data(spots):
    X, y = spots
    boxes = ExactBoxesClassifier(n_boxes=1, random_state=0).fit(X, y)
    moved = np.roll(y, 1)
    assert boxes.verify_certificate(X, moved)["objective_holds"] is False
    with pytest.raises(DataError, match="training data"):
        boxes.verify_certificate(X, np.where(y == "rare", "odd", "even"))
    with pytest.raises(ParameterError, match="time_limit"):
        boxes.verify_certificate(X, y, time_limit="soon")


def test_all_formulations_agree_and_predictions_match_the_objective(spots):
    X, y = spots
    X, y = X[:70], y[:70]
    found = [
        ExactBoxesClassifier(n_boxes=1, formulation=formulation, random_state=0).fit(X, y)
        for formulation in ("columns", "compact", "paper")
    ]
    assert [boxes.status_ for boxes in found] == ["optimal"] * 3
    assert len({round(boxes.objective_, 6) for boxes in found}) == 1
    for boxes in found:
        for decode in ("widest", "margin"):
            again = ExactBoxesClassifier(n_boxes=1, decode=decode, random_state=0).fit(X, y)
            right = (again.predict(X) == y).sum()
            # A row within the margin counts as wrong, so predictions are right at least as often.
            assert right >= boxes.objective_ + 0.5 * boxes.n_boxes_ - 1e-9


def test_margin_keeps_the_bounds_of_the_solution():
    """A bound beyond all training rows also limits predictions; only "widest" drops such bounds."""
    X = np.array([[0.0], [1.0], [2.0], [3.0], [10.0]])
    y = np.array(["common", "common", "common", "rare", "rare"])
    fits = {
        decode: ExactBoxesClassifier(n_boxes=1, decode=decode, random_state=0).fit(X, y)
        for decode in ("widest", "margin")
    }
    wall = (0.01 + 0.001) * 5.0
    assert fits["margin"].lower_[0, 0] == pytest.approx(3.0 - wall)
    assert fits["margin"].upper_[0, 0] == pytest.approx(10.0 + wall)
    assert fits["widest"].upper_[0, 0] == np.inf
    assert fits["margin"].predict([[9.0], [11.0]]).tolist() == ["rare", "common"]
    assert fits["widest"].predict([[9.0], [11.0]]).tolist() == ["rare", "rare"]


def test_box_cost_limits_the_number_of_boxes(spots):
    X, y = spots
    free = [ExactBoxesClassifier(box_cost=cost, random_state=0).fit(X, y) for cost in (0.5, 1000.0)]
    assert [boxes.n_boxes_ for boxes in free] == [2, 0]
    assert (free[1].predict(X) == "common").all()
    assert free[1].export_text()
    fast = FastBoxesClassifier(n_boxes=2, random_state=0).fit(X, y)
    assert (free[0].predict(X) == y).sum() >= (fast.predict(X) == y).sum()


def test_probabilities_agree_with_predictions(spots):
    X, y = spots
    boxes = ExactBoxesClassifier(negative_weight=0.3, random_state=0).fit(X, y)
    p = boxes.predict_proba(X)
    rare = list(boxes.classes_).index("rare")
    assert np.array_equal(p[:, rare] > 0.5, boxes.apply(X) >= 0)
    assert np.array_equal(boxes.classes_[p.argmax(axis=1)], boxes.predict(X))


def test_weights_too_large_for_exact_sums_are_rejected(spots):
    X, y = spots
    for weight in [1e308, 1e200, 1e8]:
        with pytest.raises(DataError, match=r"(adds? up|sums?) to .*divide all weights"):
            ExactBoxesClassifier(random_state=0).fit(X, y, sample_weight=np.full(len(y), weight))
    wide = 10.0 ** np.random.default_rng(0).uniform(-6, 6, len(y))
    boxes = ExactBoxesClassifier(random_state=0).fit(X, y, sample_weight=wide)
    assert boxes.status_ == "optimal"


def test_weights_equal_repeated_rows(spots):
    X, y = spots
    rng = np.random.default_rng(0)
    count = rng.integers(0, 4, len(X))
    weighted = ExactBoxesClassifier(n_boxes=1, random_state=0).fit(X, y, sample_weight=count)
    many = ExactBoxesClassifier(n_boxes=1, random_state=0).fit(
        np.repeat(X, count, axis=0), np.repeat(y, count)
    )
    assert weighted.objective_ == pytest.approx(many.objective_)
    kept = count > 0
    certificate = weighted.certificate()
    assert value(certificate, X[kept], y[kept] == "rare", count[kept]) == pytest.approx(weighted.objective_)
    assert weighted.verify_certificate(X, y, count)["bounds_hold"] is True


def test_path_equals_single_fits(spots):
    X, y = spots
    weights = [1.0, 0.2, 0.5]
    base = ExactBoxesClassifier(random_state=0)
    path = base.weight_path(X, y, weights)
    assert not hasattr(base, "classes_")
    for c, boxes in zip(weights, path, strict=True):
        alone = ExactBoxesClassifier(negative_weight=c, random_state=0).fit(X, y)
        assert boxes.negative_weight == boxes.model_.params["negative_weight"] == c
        assert boxes.objective_ == pytest.approx(alone.objective_)
        assert boxes.proven_optimal_
    with pytest.raises(ParameterError, match=r"negative_weight.*\(0, 1\]"):
        base.weight_path(X, y, [0.5, 2.0])
    with pytest.raises(ParameterError, match="weights"):
        base.weight_path(X, y, [])
    with pytest.raises(UnsupportedError, match="heuristic"):
        ExactBoxesClassifier(heuristic="clusters").weight_path(X, y, weights)


def test_path_ranks_rows_and_has_a_hull(spots):
    X, y = spots
    train, test = slice(0, 110), slice(110, None)
    weights = [0.1, 0.4, 1.0]
    path = ExactBoxesClassifier(n_boxes=1, random_state=0).weight_path(X[train], y[train], weights)
    assert isinstance(path, list)
    answers = np.array([boxes.predict(X[test]) == "rare" for boxes in path])
    assert np.array_equal(path.decision_function(X[test]), answers.mean(axis=0))
    rare = y[test] == "rare"
    fpr, tpr = path.rates(X[test], y[test])
    np.testing.assert_allclose(fpr, answers[:, ~rare].mean(axis=1))
    np.testing.assert_allclose(tpr, answers[:, rare].mean(axis=1))
    assert path.hull_area(X[test], y[test]) == metrics.hull_area(fpr, tpr)
    assert 0.5 < path.hull_area(X[test], y[test]) <= 1.0
    # The points are those of rows repeated by their weight.
    count = np.random.default_rng(0).integers(1, 4, len(rare))
    twice = path.rates(np.repeat(X[test], count, axis=0), np.repeat(y[test], count))
    np.testing.assert_allclose(path.rates(X[test], y[test], count), twice)
    with pytest.raises(DataError, match="other class"):
        path.hull_area(X[test][rare], y[test][rare])
    with pytest.raises(DataError, match="one entry"):
        path.hull_area(X[test], y)


def test_heuristics_report_their_status_and_a_bound(spots):
    X, y = spots
    best = ExactBoxesClassifier(random_state=0).fit(X, y)
    for heuristic, radius in itertools.product(("neighborhood", "clusters"), (0.01, 0.3)):
        boxes = ExactBoxesClassifier(heuristic=heuristic, radius=radius, random_state=0).fit(X, y)
        assert boxes.objective_ <= best.objective_ + 1e-9
        assert boxes.bound_ >= best.objective_ - 1e-9
        assert boxes.status_ == "heuristic" or boxes.objective_ == pytest.approx(best.objective_)
        assert value(boxes.certificate(), X, y == "rare") == pytest.approx(boxes.objective_)


def test_stopped_search_has_a_valid_bound(spots):
    X, y = spots
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(400, 6)), rng.random(400) < 0.3
    boxes = ExactBoxesClassifier(n_boxes=4, negative_weight=0.3, time_limit=0.3, random_state=0).fit(X, y)
    assert boxes.status_ == "time_limit"
    assert boxes.gap_ == boxes.bound_ - boxes.objective_ > 0
    assert not boxes.proven_optimal_
    assert value(boxes.certificate(), X, y) == pytest.approx(boxes.objective_)
    easy = ExactBoxesClassifier(abs_gap=50.0, random_state=0).fit(*spots)
    assert easy.status_ in ("gap_reached", "optimal")
    assert easy.gap_ <= 50.0


def test_exception_without_a_model_leaves_the_estimator_unchanged():
    boxes = ExactBoxesClassifier()
    with pytest.raises(DataError):
        boxes.fit([["a"], ["b"], ["c"]], [0, 0, 1])
    assert not hasattr(boxes, "model_")


def test_unsupported_input_is_rejected():
    y = [0, 0, 0, 1, 1, 0]
    with pytest.raises(DataError, match="missing values"):
        ExactBoxesClassifier(missing="inside").fit([[0.0], [1.0], [np.nan], [3.0], [4.0], [5.0]], y)
    with pytest.raises(DataError, match="'x0': has a range that overflows"):
        ExactBoxesClassifier().fit([[1e308], [-1e308], [0.0], [1.0], [2.0], [3.0]], y)
    with pytest.raises(DataError, match="'job': is nominal"):
        ExactBoxesClassifier().fit({"job": list("abcdef")}, y)
    with pytest.raises(UnsupportedError, match="box_cost and expand"):
        ExactBoxesClassifier(expand=0.1).fit([[float(i)] for i in range(6)], y)
    with pytest.raises(UnsupportedError, match="only Exact Boxes have dual values that prove"):
        imbcore.fit([[float(i)] for i in range(6)], y, "fast_boxes").certificate()
    kept = ExactBoxesClassifier(missing="outside").fit([[float(i)] for i in range(6)], y)
    assert kept.predict([[np.nan], [3.5]]).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"n_boxes": 0}, "n_boxes"),
        ({"negative_weight": 0.0}, "negative_weight"),
        ({"negative_weight": 1.5}, "negative_weight"),
        ({"box_cost": -1.0}, "box_cost"),
        ({"expand": -1.0}, "expand"),
        ({"margin": -0.1}, "margin"),
        ({"epsilon": 0.0}, "epsilon"),
        ({"formulation": "columnar"}, "formulation"),
        ({"init": "slow_boxes"}, "init"),
        ({"heuristic": "luck"}, "heuristic"),
        ({"radius": 0.0}, "radius"),
        ({"time_limit": 0.0}, "time_limit"),
        ({"time_limit": 1e9}, "time_limit"),
        ({"abs_gap": -1.0}, "abs_gap"),
        ({"decode": "narrow"}, "decode"),
        ({"scale": "none"}, "scale"),
        ({"scale": "zscore"}, "scale"),
        ({"missing": "drop"}, "missing"),
    ],
)
def test_parameters_outside_their_domain_are_named(options, name, numbers):
    X, y = numbers
    with pytest.raises(ParameterError, match=rf"\b{name}\b"):
        ExactBoxesClassifier(**options).fit(X, y)


def test_files_and_decompositions_preserve_exact_boxes(spots):
    X, y = spots
    boxes = ExactBoxesClassifier(random_state=0).fit(X, y)
    again = pickle.loads(pickle.dumps(boxes.model_))
    assert np.array_equal(again.predict(X), boxes.predict(X))
    assert again.certificate() == boxes.certificate()
    X, y = np.repeat(np.arange(3.0), 10).reshape(-1, 1), np.repeat(["a", "b", "c"], 10)
    assert OVAClassifier(ExactBoxesClassifier(n_boxes=1)).fit(X, y).score(X, y) == 1.0


def test_constant_columns_are_ignored():
    X = np.column_stack([np.zeros(8), np.arange(8.0)])
    y = [0, 0, 0, 1, 1, 0, 0, 0]
    boxes = ExactBoxesClassifier().fit(X, y)
    assert boxes.predict(X).tolist() == y
    assert [s["feature"] for s in boxes.certificate()["scale"]] == ["x1"]
    flat = ExactBoxesClassifier().fit(np.zeros((8, 2)), y)
    assert flat.status_ == "optimal"
    assert flat.objective_ == 6.0


def test_diamonds_are_found():
    X, y = datasets.make_shape("diamond3D")
    boxes = ExactBoxesClassifier(random_state=0).fit(X, y)
    assert boxes.n_boxes_ == 2
    assert boxes.proven_optimal_
