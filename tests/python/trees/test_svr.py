"""SVR-Trees: attributes, paths and choice of penalties, regions, and the authors' data sets."""

import json
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from data_files import REAL, needs_files
from sklearn.metrics import f1_score

import imbcore
from imbcore import SVRTreeClassifier, SVRTreeCV, datasets
from imbcore._model.rule_lines import rule_lines

GOLDEN = Path(__file__).parents[2] / "golden" / "svr"


@pytest.fixture(scope="module")
def square():
    """A rare class in the unit square, and a few rare rows outside."""
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(400, 2))
    y = np.where((abs(X[:, 0] - 0.5) < 0.15) & (abs(X[:, 1] - 0.6) < 0.15), "rare", "common")
    y[rng.integers(0, 400, 12)] = "rare"
    return X, y


def data_set(name):
    found = datasets.load(name, folder=REAL, download=False)
    X = np.column_stack([np.asarray(found.X[column], dtype=float) for column in found.X.columns])
    return X, np.asarray(found.y)


@needs_files
@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("real_ecoli_ref", "ecoli-pp"),
        ("real_glass_paper", "glass2"),
        ("real_pima_ref_fs", "pima"),
        ("real_titanic_ref", "titanic"),
    ],
)
def test_authors_data_give_the_steps_of_the_published_program(file, name):
    expected = json.loads((GOLDEN / f"{file}.json").read_text(encoding="utf-8"))
    X, y = data_set(name)
    positive = int(np.argmin(np.bincount(y.astype(int))))
    tree = SVRTreeClassifier(
        penalty=expected["lambda"],
        minority_weight=float(expected["weight"]),
        max_leaf_nodes=expected["max_leaves"],
        feature_selection=expected["feature_selection"]["enabled"],
        new_feature_penalty=expected["feature_selection"]["c0"],
        pure_nodes=expected["pure_nodes"],
        stop_rule=expected["stop_rule"],
    ).fit(X, y)
    growth = tree.model_.growth_
    np.testing.assert_allclose(growth["offset"], expected["scale_offset"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(growth["width"], expected["scale_width"], rtol=0, atol=1e-9)
    steps = tree.steps_
    assert len(steps["node"]) == len(expected["steps"])
    for k, step in enumerate(expected["steps"]):
        assert steps["node"][k] == step["node"]
        assert (steps["feature"][k] is not None) == step["accepted"]
        assert steps["risk"][k] == pytest.approx(step["risk"], abs=1e-8)
        if step["accepted"]:
            assert steps["feature"][k] == f"x{step['feature']}"
            assert steps["cut"][k] == pytest.approx(step["threshold"], abs=1e-9)
            assert [steps["left_label"][k], steps["right_label"][k]] == step["labels"]
            np.testing.assert_allclose(steps["surface"][k], step["surface"], rtol=0, atol=1e-8)
            np.testing.assert_allclose(steps["volume"][k], step["volume"], rtol=0, atol=1e-8)
    assert tree.get_n_leaves() == expected["n_leaves"]
    assert tree.risk_ == pytest.approx(expected["final"]["risk"], abs=1e-8)
    hit, rare = tree.predict(X) == positive, y == positive
    counts = {"tp": hit & rare, "fp": hit & ~rare, "fn": ~hit & rare, "tn": ~hit & ~rare}
    assert {name: int(cells.sum()) for name, cells in counts.items()} == expected["train_confusion"]


def test_attributes_are_consistent(square):
    X, y = square
    tree = SVRTreeClassifier(penalty=0.01).fit(X, y)
    assert tree.penalty_ == 0.01
    assert tree.class_weights_.tolist() == [1.0, (y == "common").sum() // (y == "rare").sum()]
    np.testing.assert_allclose(tree.ratio_, tree.surface_ / tree.volume_)
    assert tree.volume_.sum() == pytest.approx(1.0)
    assert tree.risk_path_[-1] == tree.risk_
    assert (np.diff(tree.risk_path_) <= 0).all()
    steps = pd.DataFrame(tree.steps_)
    np.testing.assert_allclose(steps["risk"], steps["signed_impurity"] + 0.01 * steps["regularizer"])
    assert steps["feature"].notna().sum() == tree.get_n_leaves() - 1
    leaves = tree.apply(X)
    assert (tree.labels_[leaves] == tree.predict(X)).all()


def test_penalty_makes_the_region_compact(square):
    X, y = square
    path = SVRTreeClassifier().penalty_path(X, y, [0.0, 0.02, 1.0])
    ratios = [of_classes[1] for of_classes in path.ratios]
    assert ratios == sorted(ratios, reverse=True)
    assert path.n_leaves[0] == path.models[0].n_leaves_
    # With a huge penalty the region is empty or everything, whose ratio is that of the square.
    assert ratios[-1] == 4.0


def test_path_equals_fits_with_its_penalties(square):
    X, y = square
    estimator = SVRTreeClassifier(feature_selection=True, class_weight={"common": 1.0, "rare": 3.5})
    path = estimator.penalty_path(X, y, [0.001, 0.03], sample_weight=np.linspace(0.5, 2.0, len(y)))
    for penalty, model in zip(path.penalties, path.models, strict=True):
        alone = estimator.set_params(penalty=penalty).fit(X, y, np.linspace(0.5, 2.0, len(y)))
        assert alone.model_.to_bytes() == model.to_bytes()


def test_boxes_and_rules_describe_the_region(square):
    X, y = square
    tree = SVRTreeClassifier().fit(X, y)
    inside = np.zeros(len(X), dtype=bool)
    for low, high in np.moveaxis(tree.decision_boxes_["rare"], 2, 1):
        inside |= np.logical_and(low < X, high >= X).all(axis=1)
    assert (inside == (tree.predict(X) == "rare")).all()
    everywhere = tree.decision_boxes_["rare"].shape[0] + tree.decision_boxes_["common"].shape[0]
    assert everywhere <= tree.get_n_leaves()
    text = tree.export_region("rare")
    assert text.startswith("rare if any of these holds:\n")
    assert text.count("\n") == 1 + len(tree.decision_boxes_["rare"])
    rules = tree.model_.region_rules("rare")
    assert sum(rule["recall"] for rule in rules) <= 1.0 + 1e-12
    # A proportion with class weights is not the precision, and is not called so.
    assert "precision" not in text
    assert all("precision" not in rule for rule in rules)
    inside = tree.predict(X) == "rare"
    assert max(rule["share"] for rule in rules) > (y[inside] == "rare").mean()
    with pytest.raises(imbcore.ParameterError, match="label must be one of"):
        tree.export_region("gone")


def test_class_without_a_region_is_explained(square):
    X, y = square
    tree = SVRTreeClassifier(penalty=50.0, minority_weight=1.0).fit(X, y)
    assert set(tree.predict(X)) == {"common"}
    assert tree.export_region("rare") == "no region is predicted as rare\n"
    assert tree.decision_boxes_["rare"].shape == (0, 2, 2)


def test_labels_need_not_be_the_most_probable_class(square):
    X, y = square
    tree = SVRTreeClassifier(penalty=0.05, probability="unweighted").fit(X, y)
    assert (tree.classes_[tree.predict_proba(X).argmax(axis=1)] != tree.predict(X)).any()
    again = pickle.loads(pickle.dumps(tree))
    assert (again.predict(X) == tree.predict(X)).all()
    assert (again.predict_proba(X) == tree.predict_proba(X)).all()
    # A threshold or costs replace the labels.
    by_threshold = SVRTreeClassifier(penalty=0.05, threshold=0.5).fit(X, y)
    expected = np.where(by_threshold.predict_proba(X)[:, 1] >= 0.5, "rare", "common")
    assert (by_threshold.predict(X) == expected).all()


def test_probabilities_use_weights_or_counts(square):
    X, y = square
    weighted = SVRTreeClassifier().fit(X, y)
    counted = SVRTreeClassifier(probability="unweighted").fit(X, y)
    leaves = counted.apply(X)
    shares = pd.Series(y == "rare").groupby(leaves).transform("mean")
    np.testing.assert_allclose(counted.predict_proba(X)[:, 1], shares)
    w = weighted.class_weights_[1]
    np.testing.assert_allclose(weighted.predict_proba(X)[:, 1], w * shares / (w * shares + 1 - shares))


def test_cross_validation_chooses_the_best_penalty(square):
    X, y = square
    folds = [
        (np.flatnonzero(np.arange(400) % 4 != k), np.flatnonzero(np.arange(400) % 4 == k)) for k in range(4)
    ]
    search = SVRTreeCV(penalties=[0.0, 0.001, 0.01, 0.1], cv=folds).fit(X, y)
    masks = [tuple(np.isin(np.arange(400), part) for part in fold) for fold in folds]
    by_mask = SVRTreeCV(penalties=[0.0, 0.001, 0.01, 0.1], cv=masks).fit(X, y)
    assert by_mask.cv_results_["test_score"].tolist() == search.cv_results_["test_score"].tolist()
    expected = []
    for penalty in [0.0, 0.001, 0.01, 0.1]:
        answers = np.empty(400, dtype=y.dtype)
        for train, test in folds:
            answers[test] = SVRTreeClassifier(penalty=penalty).fit(X[train], y[train]).predict(X[test])
        expected.append(f1_score(y, answers, pos_label="rare"))
    np.testing.assert_allclose(search.cv_results_["test_score"], expected)
    assert search.penalty_ == [0.0, 0.001, 0.01, 0.1][int(np.argmax(expected))]
    assert search.best_score_ == max(expected)
    assert search.model_.to_bytes() == SVRTreeClassifier(penalty=search.penalty_).fit(X, y).model_.to_bytes()


def test_penalties_with_equal_predictions_are_scored_once(square):
    X, y = square
    scored = []

    def scoring(tree, X, y):
        scored.append(len(y))
        return float((tree.predict(X) == y).mean())

    search = SVRTreeCV(penalties=[0.0, 0.0, 0.0, 1.0], cv=4, scoring=scoring, pooled=False).fit(X, y)
    assert scored == [100, 100] * 4
    first, *same, last = search.cv_results_["test_score"]
    assert same == [first, first] != [last, last]


def test_cross_validation_with_other_scores(square):
    X, y = square
    by_fold = SVRTreeCV(cv=3, scoring="average_precision", pooled=False).fit(X, y == "rare")
    scores = [by_fold.cv_results_[f"split{fold}_test_score"] for fold in range(3)]
    np.testing.assert_allclose(by_fold.cv_results_["test_score"], np.mean(scores, axis=0))
    assert len(by_fold.cv_results_["penalty"]) == 22
    several = np.where(X[:, 0] > 0.9, "third", y)
    assert SVRTreeCV(cv=3, scoring="recall").fit(X, several).best_score_ > 0
    for wrong in ([], "best", [None], 3):
        with pytest.raises(imbcore.ParameterError, match="penalties must be"):
            SVRTreeCV(penalties=wrong).fit(X, y)
    with pytest.raises(imbcore.ParameterError, match="penalty"):
        SVRTreeCV(penalties=[-1.0]).fit(X, y)
    common = np.flatnonzero(y == "common")
    # A training part with one class predicts that class, as in scikit-learn's estimators.
    lopsided = SVRTreeCV(cv=[(np.arange(400), [0]), (common, np.arange(400))], scoring="recall").fit(X, y)
    assert set(lopsided.cv_results_["split1_test_score"]) == {0.0}


def test_penalised_classes_are_labels(square):
    X, y = square
    named = SVRTreeClassifier(penalized_classes=["rare"]).fit(X, y)
    assert named.model_.predict(X).tolist() == SVRTreeClassifier().fit(X, y).predict(X).tolist()
    light = imbcore.fit(X, y, method="svr_tree", penalized_classes=["common", "rare"])
    assert light.to_bytes() != named.model_.to_bytes()
    with pytest.raises(imbcore.ParameterError, match="must list labels of y, got 'x'"):
        SVRTreeClassifier(penalized_classes=["x"]).fit(X, y)
    with pytest.raises(imbcore.ParameterError, match="penalized_classes"):
        SVRTreeClassifier(penalized_classes=["rare", "rare"]).fit(X, y)


def test_weights_cannot_be_given_twice(square):
    X, y = square
    with pytest.raises(imbcore.ParameterError, match="minority_weight"):
        SVRTreeClassifier(minority_weight=3.0, class_weight="balanced").fit(X, y)


def test_unsupported_options_are_rejected(square):
    X, y = square
    tree = SVRTreeClassifier().fit(X, y)
    with pytest.raises(AttributeError, match="'svr_tree' has no prune; trees have"):
        tree.model_.prune(0.1)
    with pytest.raises(imbcore.DataError, match=r"column 'x1': has values outside"):
        SVRTreeClassifier(scale="none").fit(X * [1.0, 3.0], y)
    with pytest.raises(imbcore.DataError, match="missing"):
        SVRTreeClassifier(missing="error").fit(np.where(X > 0.95, np.nan, X), y)
    with pytest.raises(AttributeError, match="growth_"):
        _ = imbcore.fit(X, y).growth_


@pytest.mark.filterwarnings("ignore:column 'colour' alone separates the classes:imbcore.DataWarning")
def test_nominal_columns_and_missing_values(square):
    X, y = square
    colour = np.where(y == "rare", "red", np.where(X[:, 0] > 0.3, "green", "blue"))
    frame = pd.DataFrame({"a": np.where(X[:, 0] > 0.9, np.nan, X[:, 0]), "colour": colour})
    with pytest.warns(imbcore.DataWarning, match="column 'colour' alone separates the classes"):
        tree = SVRTreeClassifier().fit(frame, y)
    assert (tree.predict(frame) == y).all()
    assert 'colour = "red"' in tree.export_region("rare")


@pytest.mark.filterwarnings("ignore:column 'town' has 400 values with:imbcore.DataWarning")
def test_many_levels_are_one_axis():
    rng = np.random.default_rng(3)
    town = rng.integers(0, 400, 6000)
    rare = (town % 20 == 7) & (rng.random(6000) < 0.6)
    frame = pd.DataFrame({"a": rng.normal(size=6000), "town": pd.Categorical([f"t{code}" for code in town])})
    with pytest.warns(imbcore.DataWarning, match=r"'town' has 400 levels, more than the 32 that get an axis"):
        model = imbcore.fit(frame, rare, "svr_tree", max_leaf_nodes=2)
    assert (
        model.predict_proba(frame)[town % 20 == 7, 1].min()
        > 0.9
        > model.predict_proba(frame)[town % 20 == 6, 1].max()
    )
    assert model.growth_["steps"]["feature"][0] == "town"
    lower = model.growth_["steps"]["threshold"][0]
    assert isinstance(lower, list)
    assert not any(int(level[1:]) % 20 == 7 for level in lower)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_proba(frame), model.predict_proba(frame))
    assert "town in" in model.export_text()


def test_rules_give_the_probability_of_the_label(square):
    X, y = square
    model = imbcore.fit(X, y, "svr_tree", penalty=0.05)
    lines = rule_lines(model)
    for line, rule in zip(lines, model.rules(), strict=True):
        assert f" then {rule['class']} (p(rare) = {rule['probability'][1]:.3f}, lift " in line
    # Labels are assigned; another class may be the most probable one.
    shares = [rule["probability"][int(rule["class"] == "rare")] for rule in model.rules()]
    assert min(shares) < 0.5
