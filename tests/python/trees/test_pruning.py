"""Pruning in Python: the path, its selection, C4.5 and alpha-trees."""

import itertools
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.metrics import make_scorer, recall_score
from sklearn.tree import DecisionTreeClassifier

import imbcore
from imbcore import metrics
from imbcore.exceptions import ParameterError


@pytest.fixture
def noisy():
    """500 rows without ties, one in five positive, a signal with noise."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(500, 5))
    y = (X[:, 0] + X[:, 1] ** 2 + rng.normal(size=500) > 2.5).astype(int)
    return X, y


def merged(alphas, impurities):
    """Steps of scikit-learn, which prunes equally weak links one by one: the last of each group is used."""
    last = [i for i, alpha in enumerate(alphas) if i + 1 == len(alphas) or alphas[i + 1] - alpha > 1e-12]
    return alphas[last], impurities[last]


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("seed", range(10))
def test_path_equals_scikit_learn(criterion, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 4)).astype(np.float32)
    y = (X[:, 0] + rng.normal(size=300) > 0.8).astype(int) + (X[:, 1] > 1)
    # Integer weights have exact ties, which scikit-learn breaks randomly.
    weight = rng.uniform(0.5, 1.5, 300)
    theirs = DecisionTreeClassifier(criterion=criterion, min_samples_leaf=5, random_state=0)
    ours = imbcore.CARTClassifier(criterion=criterion, ccp_criterion=criterion, min_samples_leaf=5)
    leaves = ours.fit(X, y, weight).apply(X), theirs.fit(X, y, weight).apply(X)
    # Equal trees, except for pure nodes that scikit-learn splits if weights leave an impurity of 1e-16.
    assert len(set(zip(*leaves, strict=True))) == theirs.get_n_leaves()
    path = ours.cost_complexity_pruning_path(X, y, weight)
    their_path = theirs.cost_complexity_pruning_path(X, y, weight)
    alphas, impurities = merged(their_path.ccp_alphas, their_path.impurities)
    np.testing.assert_allclose(path.ccp_alphas, alphas, atol=1e-12)
    np.testing.assert_allclose(path.impurities, impurities, atol=1e-12)
    for alpha, n_leaves in zip(path.ccp_alphas, path.leaves, strict=True):
        assert clone(ours).set_params(ccp_alpha=alpha).fit(X, y, weight).get_n_leaves() == n_leaves


def test_pruning_a_model_equals_fitting_with_the_parameter(noisy):
    X, y = noisy
    model = imbcore.fit(X, y, method="cart", ccp_criterion="error")
    path = model.cost_complexity_pruning_path()
    assert path.leaves[0] <= model.n_leaves_
    assert path.leaves[-1] == 1
    # All listed nodes are inner nodes; nodes removed earlier with an ancestor are not listed.
    assert 0 < sum(map(len, path.pruned_nodes)) <= model._native.n_nodes - model.n_leaves_
    for alpha in (0.0, path.ccp_alphas[1], np.inf):
        fitted = imbcore.fit(X, y, method="cart", ccp_criterion="error", ccp_alpha=alpha)
        assert fitted.to_bytes() == model.prune(alpha).to_bytes()
        assert pickle.loads(pickle.dumps(fitted)).to_bytes() == fitted.to_bytes()
    assert model.prune(np.inf).n_leaves_ == 1
    other = model.prune(0.01, risk="gini")
    assert other.params["ccp_criterion"] == "gini"
    assert other.to_bytes() == imbcore.fit(X, y, method="cart", ccp_alpha=0.01).to_bytes()


@pytest.mark.parametrize("value", [-0.1, np.nan, "large", "-inf"])
def test_invalid_alphas_are_rejected(noisy, value):
    with pytest.raises(ParameterError, match="ccp_alpha"):
        imbcore.fit(*noisy, method="cart", ccp_alpha=value)


def test_invalid_alphas_and_risks_of_a_model_are_rejected(noisy):
    model = imbcore.fit(*noisy, method="cart")
    with pytest.raises(ParameterError, match="at least 0"):
        model.prune(-1.0)
    with pytest.raises(ParameterError, match='"gini", "entropy", "error" or "cost"'):
        model.cost_complexity_pruning_path(risk="ginny")


class TestSelection:
    """CARTClassifierCV."""

    def test_fold_scores_are_those_of_pruned_trees(self, noisy):
        X, y = noisy
        folds = [(np.arange(0, 500, 2), np.arange(1, 500, 2)), (np.arange(1, 500, 2), np.arange(0, 500, 2))]
        chosen = imbcore.CARTClassifierCV(cv=folds, scoring="f1").fit(X, y)
        results = chosen.cv_results_
        path = imbcore.CARTClassifier().cost_complexity_pruning_path(X, y)
        np.testing.assert_array_equal(results["ccp_alpha"], path.ccp_alphas)
        np.testing.assert_array_equal(results["n_leaves"], path.leaves)
        betas = np.sqrt(path.ccp_alphas * np.append(path.ccp_alphas[1:], np.inf))
        betas[-1] = np.inf
        for fold, (train, test) in enumerate(folds):
            for beta, score in zip(betas, results[f"split{fold}_test_score"], strict=True):
                tree = imbcore.CARTClassifier(ccp_alpha=float(beta)).fit(X[train], y[train])
                assert metrics.f1_score(y[test], tree.predict(X[test])) == score
        best = results["mean_test_score"].max()
        at = np.flatnonzero(results["mean_test_score"] == best)[-1]
        assert chosen.ccp_alpha_ == results["ccp_alpha"][at]
        own_path = chosen.cost_complexity_pruning_path(X, y)
        np.testing.assert_array_equal(own_path.ccp_alphas, path.ccp_alphas)
        same = imbcore.CARTClassifier(ccp_alpha=chosen.ccp_alpha_).fit(X, y)
        assert same.model_.to_bytes() == chosen.model_.to_bytes()

    def test_one_standard_error_rule_never_chooses_a_larger_tree(self, noisy):
        best = imbcore.CARTClassifierCV(scoring="average_precision").fit(*noisy)
        small = imbcore.CARTClassifierCV(scoring="average_precision", rule="1se").fit(*noisy)
        whole = imbcore.CARTClassifier().fit(*noisy)
        assert small.get_n_leaves() <= best.get_n_leaves() < whole.get_n_leaves()

    @pytest.mark.parametrize(
        "scoring", ["f1", "g_mean", "roc_auc", "neg_log_loss", "brier", make_scorer(recall_score), None]
    )
    def test_any_scorer_is_accepted(self, noisy, scoring):
        if scoring is None:

            def scoring(estimator, rows, y):
                return -np.abs(estimator.predict(rows) - y).sum()

        assert 0 <= imbcore.CARTClassifierCV(cv=3, scoring=scoring).fit(*noisy).ccp_alpha_ < np.inf

    def test_text_labels_weights_and_all_column_types(self, mixed):
        columns, y = mixed
        weight = np.where(y == "yes", 3.0, 1.0)
        chosen = imbcore.CARTClassifierCV(
            cv=3, scoring=metrics.scorer("f1", pos_label="yes"), missing="direction", random_state=0
        )
        assert set(chosen.fit(columns, y, weight).predict(columns)) <= {"yes", "no"}

    def test_invalid_arguments_are_named(self, noisy):
        with pytest.raises(ParameterError, match="f1"):
            imbcore.CARTClassifierCV(scoring="f_1").fit(*noisy)
        with pytest.raises(ParameterError, match="scoring must be"):
            imbcore.CARTClassifierCV(scoring=3).fit(*noisy)
        with pytest.raises(ParameterError, match='"min" or "1se"'):
            imbcore.CARTClassifierCV(rule="max").fit(*noisy)


def test_best_alpha_on_validation_data(noisy):
    X, y = noisy
    tree = imbcore.CARTClassifier(leaf_estimate="laplace").fit(X[:300], y[:300])
    path = tree.score_pruning_path(X[300:], y[300:], scoring="f1")
    for alpha, score in zip(path.ccp_alphas, path.scores, strict=True):
        assert metrics.f1_score(y[300:], tree.model_.prune(alpha).predict(X[300:])) == score
    best = tree.model_.prune(path.best_alpha)
    assert metrics.f1_score(y[300:], best.predict(X[300:])) == path.scores.max()


def test_alpha_trees_equal_their_special_cases(noisy):
    X, y = noisy
    pairs = [
        ({"alpha": 1.0}, "entropy"),
        ({"alpha": 2.0, "reference": "uniform"}, "gini"),
        ({"alpha": 0.5, "reference": "flipped"}, "hellinger"),
    ]
    for options, criterion in pairs:
        ours = imbcore.AlphaTreeClassifier(**options).fit(X, y)
        other = imbcore.CARTClassifier(criterion=criterion).fit(X, y)
        np.testing.assert_array_equal(ours.predict_proba(X), other.predict_proba(X))
        assert ours.get_n_leaves() == other.get_n_leaves()


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"alpha": 0.0}, "alpha"),
        ({"alpha": 2.1}, "alpha"),
        ({"alpha": 1.0, "reference": "flipped"}, "alpha"),
        ({"reference": [0.5, 0.6]}, "reference"),
        ({"reference": "flat"}, "reference"),
    ],
)
def test_alpha_trees_name_the_parameter(noisy, options, name):
    with pytest.raises(ParameterError, match=f"alpha_tree: parameter `{name}` must be"):
        imbcore.AlphaTreeClassifier(**options).fit(*noisy)


J48 = {
    "c45_min": True,
    "min_value_difference": 1e-5,
    "threshold_placement": "data",
    "extra_errors": "weka",
    "subtree_raising": True,
}
WEATHER = """
sunny hot high no 85 85 no; sunny hot high yes 80 90 no; overcast hot high no 83 86 yes;
rainy mild high no 70 96 yes; rainy cool normal no 68 80 yes; rainy cool normal yes 65 70 no;
overcast cool normal yes 64 65 yes;
sunny mild high no 72 95 no; sunny cool normal no 69 70 yes; rainy mild normal no 75 80 yes;
sunny mild normal yes 75 70 yes; overcast mild high yes 72 90 yes; overcast hot normal no 81 75 yes;
rainy mild high yes 71 91 no
"""


def leaves_of(tree):
    """Rules of a tree, each with its class and, as J48 prints them, rows and errors."""
    found = set()
    for rule in tree.model_.rules():
        path = " & ".join(f"{c['feature']} {c['op']} {c['value']}" for c in rule["conditions"])
        rows = int(sum(rule["mass"]))
        found.add((path, rule["class"], rows, rows - int(max(rule["mass"]))))
    return found


class TestJ48:
    """Trees printed by Weka's J48 in Witten, Frank and Hall, "Data Mining", and its tutorials."""

    def test_iris_matches_j48(self):
        iris = load_iris()
        X = {name: iris.data[:, at] for at, name in enumerate(["sl", "sw", "pl", "pw"])}
        assert leaves_of(imbcore.C45Classifier(**J48).fit(X, iris.target)) == {
            ("pw <= 0.6", 0, 50, 0),
            ("pw > 0.6 & pw <= 1.7 & pl <= 4.9", 1, 48, 1),
            ("pw > 0.6 & pl > 4.9 & pw <= 1.5", 2, 3, 0),
            ("pw <= 1.7 & pl > 4.9 & pw > 1.5", 1, 3, 1),
            ("pw > 1.7", 2, 46, 1),
        }

    @pytest.mark.parametrize("numeric", [False, True])
    def test_weather_matches_j48(self, numeric):
        rows = [row.split() for row in WEATHER.split(";")]
        columns = {name: [row[at] for row in rows] for at, name in enumerate(["outlook", "t", "h", "windy"])}
        sunny = {
            ("outlook == sunny & h == high", "no", 3, 0),
            ("outlook == sunny & h == normal", "yes", 2, 0),
        }
        if numeric:
            columns["t"], columns["h"] = [float(row[4]) for row in rows], [float(row[5]) for row in rows]
            sunny = {
                ("outlook == sunny & h <= 75.0", "yes", 2, 0),
                ("outlook == sunny & h > 75.0", "no", 3, 0),
            }
        tree = imbcore.C45Classifier(**J48).fit(columns, [row[6] for row in rows])
        assert leaves_of(tree) == sunny | {
            ("outlook == overcast", "yes", 4, 0),
            ("outlook == rainy & windy == yes", "no", 2, 0),
            ("outlook == rainy & windy == no", "yes", 3, 0),
        }

    def test_contact_lenses_match_j48(self):
        rows, y = [], []
        for age, sight, astigmatic, tears in itertools.product(
            ["young", "middle", "old"], ["myope", "hypermetrope"], ["no", "yes"], ["reduced", "normal"]
        ):
            rows.append((age, sight, astigmatic, tears))
            if tears == "reduced":
                y.append("none")
            elif astigmatic == "no":
                y.append("none" if (age, sight) == ("old", "myope") else "soft")
            else:
                y.append("hard" if sight == "myope" or age == "young" else "none")
        columns = dict(zip(["age", "sight", "astigmatic", "tears"], zip(*rows, strict=True), strict=True))
        tree = imbcore.C45Classifier(**J48).fit({name: list(c) for name, c in columns.items()}, y)
        assert leaves_of(tree) == {
            ("tears == reduced", "none", 12, 0),
            ("tears == normal & astigmatic == no", "soft", 6, 1),
            ("tears == normal & astigmatic == yes & sight == myope", "hard", 3, 0),
            ("tears == normal & astigmatic == yes & sight == hypermetrope", "none", 3, 1),
        }


class TestC45:
    """C45Classifier."""

    def test_unpruned_tree_equals_c44(self, noisy):
        X, y = noisy
        c45 = imbcore.C45Classifier(confidence=None, collapse=False, leaf_estimate="laplace").fit(X, y)
        c44 = imbcore.C44Classifier().fit(X, y)
        np.testing.assert_array_equal(c45.predict_proba(X), c44.predict_proba(X))

    def test_smaller_confidence_prunes_more(self, noisy):
        X, y = noisy
        leaves = [
            imbcore.C45Classifier(confidence=c).fit(X, y).get_n_leaves() for c in (0.5, 0.25, 0.05, 1e-9)
        ]
        assert leaves == sorted(leaves, reverse=True)
        assert leaves[0] > leaves[-1]

    def test_thresholds_are_values_of_the_data(self, noisy):
        X, y = noisy
        middle = imbcore.C45Classifier().fit(X, y)
        data = imbcore.C45Classifier(threshold_placement="data").fit(X, y)
        np.testing.assert_array_equal(middle.predict_proba(X), data.predict_proba(X))
        cuts = [c["value"] for rule in data.model_.rules() for c in rule["conditions"]]
        assert cuts
        assert np.isin(cuts, X).all()

    def test_close_values_are_not_separated(self):
        X = np.array([[0.0], [1e-6], [2e-6], [3.0], [3.0], [4.0]])
        y = [0, 0, 1, 1, 1, 1]
        fine = imbcore.C45Classifier(min_weight_leaf=1.0, mdl_penalty=False, confidence=None).fit(X, y)
        coarse = imbcore.C45Classifier(
            min_weight_leaf=1.0, mdl_penalty=False, confidence=None, min_value_difference=1e-5
        ).fit(X, y)
        assert fine.predict(X).tolist() == y
        assert coarse.predict_proba([[0.0]]).tolist() == coarse.predict_proba([[2e-6]]).tolist()

    def test_c45_min(self, noisy):
        X, y = noisy
        coarse = imbcore.C45Classifier(confidence=None, collapse=False, c45_min=True).fit(X, y)
        assert coarse.get_n_leaves() < imbcore.C44Classifier().fit(X, y).get_n_leaves()

    def test_raising_replaces_a_node_by_its_largest_branch(self):
        rng = np.random.default_rng(3)
        X = rng.normal(size=(400, 6))
        y = (X[:, 0] + X[:, 1] ** 2 + 1.2 * rng.normal(size=400) > 1.2).astype(int)
        plain = imbcore.C45Classifier().fit(X, y)
        raised = imbcore.C45Classifier(subtree_raising=True).fit(X, y)
        assert (raised.get_n_leaves(), plain.get_n_leaves()) == (9, 10)
        assert sum(sum(rule["mass"]) for rule in raised.model_.rules()) == 400

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("confidence", 0.6),
            ("confidence", 0.0),
            ("min_value_difference", -1.0),
            ("quantile", "approx"),
            ("extra_errors", "r"),
        ],
    )
    def test_invalid_arguments_are_named(self, noisy, name, value):
        with pytest.raises(ParameterError, match=f"c45: parameter `{name}` must be"):
            imbcore.C45Classifier(**{name: value}).fit(*noisy)


@pytest.mark.parametrize(
    "options",
    [
        {"calibrate": "sigmoid"},
        {"threshold": "f1"},
        {"calibrate": "beta", "threshold": {"recall": 0.8}},
        {"calibrate": "beta", "threshold": 0.2},
    ],
)
def test_a_pruned_tree_has_its_own_calibration_and_threshold(noisy, options):
    X, y = noisy
    search = imbcore.CARTClassifierCV(random_state=0, **options).fit(X, y)
    plain = imbcore.CARTClassifierCV(random_state=0).fit(X, y)
    assert search.ccp_alpha_ == plain.ccp_alpha_ > 0
    direct = imbcore.CARTClassifier(random_state=0, ccp_alpha=search.ccp_alpha_, **options).fit(X, y)
    assert search.model_.to_bytes() == direct.model_.to_bytes()
    tree = imbcore.CARTClassifier(random_state=0, **options).fit(X, y)
    for refused in (lambda: tree.model_.prune(0.01), lambda: tree.score_pruning_path(X, y)):
        with pytest.raises(imbcore.UnsupportedError, match="its own calibration and threshold"):
            refused()
    with pytest.raises(imbcore.UnsupportedError, match="without corrected class proportions"):
        plain.model_.correct_prior(prior={plain.positive_: 0.5}).prune(0.01)
