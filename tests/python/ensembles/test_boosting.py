"""Boosting in Python: compared with scikit-learn, and with imbalanced-learn's own tests of the classes."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification, make_hastie_10_2
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import imbcore

BOOSTING = [
    imbcore.AdaBoostClassifier,
    imbcore.RUSBoostClassifier,
    imbcore.SMOTEBoostClassifier,
    imbcore.AdaC1Classifier,
    imbcore.AdaC2Classifier,
    imbcore.AdaC3Classifier,
    imbcore.EasyEnsembleClassifier,
    imbcore.BalanceCascadeClassifier,
]
BINARY = [imbcore.AdaC1Classifier, imbcore.AdaC3Classifier, imbcore.BalanceCascadeClassifier]
SAMPLED = [
    imbcore.RUSBoostClassifier,
    imbcore.EasyEnsembleClassifier,
    imbcore.BalanceCascadeClassifier,
]


def small_model(boosting_class, *args, **options):
    """Few members, and costs without a search."""
    if boosting_class.__name__.startswith("AdaC"):
        options.setdefault("class_costs", (1.0, 0.7))
    return boosting_class(*args, **{"n_estimators": 4, "random_state": 0} | options)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    return X, (X[:, 0] + rng.normal(size=400) / 2 > 1.4).astype(int)


@pytest.fixture(scope="module")
def three():
    """The table of imbalanced-learn's tests of RUSBoost."""
    return make_classification(
        n_samples=10000,
        n_features=3,
        n_informative=2,
        n_redundant=0,
        n_repeated=0,
        n_classes=3,
        n_clusters_per_class=1,
        weights=[0.01, 0.05, 0.94],
        class_sep=0.8,
        random_state=0,
    )


@pytest.fixture(scope="module")
def iris():
    """Iris with 20, 25 and 50 rows, as in imbalanced-learn's tests of EasyEnsemble."""
    X, y = load_iris(return_X_y=True)
    keep = np.concatenate([np.flatnonzero(y == label)[:n] for label, n in enumerate((20, 25, 50))])
    return X[keep], y[keep]


class TestAgainstScikitLearn:
    @pytest.mark.parametrize("classes", [2, 3])
    def test_adaboost_equals_scikit_learn_for_its_members(self, classes):
        X, y = make_classification(
            400, 5, n_informative=4, n_redundant=0, n_classes=classes, flip_y=0.1, random_state=1
        )
        stump = DecisionTreeClassifier(max_depth=1, random_state=0)
        theirs = AdaBoostClassifier(stump, n_estimators=20, learning_rate=0.7, random_state=0).fit(X, y)
        ours = imbcore.AdaBoostClassifier(stump, n_estimators=20, learning_rate=0.7, random_state=0).fit(X, y)
        assert len(ours.estimators_) == len(theirs.estimators_)
        np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_, atol=1e-9)
        np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_, atol=1e-9)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)
        np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-9)
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))

    def test_native_stumps_are_as_good(self):
        X, y = make_hastie_10_2(2000, random_state=0)
        ours = imbcore.AdaBoostClassifier(n_estimators=30).fit(X, y)
        theirs = AdaBoostClassifier(n_estimators=30, random_state=0).fit(X, y)
        np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_, atol=1e-9)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("boosting_class", BOOSTING)
class TestEveryClass:
    def test_any_base_estimator_works(self, boosting_class, table):
        X, y = table
        for estimator in ("hddt", "naive_bayes", imbcore.CARTClassifier(max_depth=2), GaussianNB(), None):
            model = small_model(boosting_class, estimator).fit(X, y)
            n = len(model.estimators_)
            assert n == len(model.estimator_weights_) == len(model.estimator_errors_) > 0
            assert (model.estimator_weights_ > 0).all()
            assert set(model.predict(X)) <= {0, 1}
            proba = model.predict_proba(X)
            np.testing.assert_allclose(proba.sum(axis=1), 1.0)
            assert proba[y == 1, 1].mean() > proba[y == 0, 1].mean()

    def test_default_member_is_a_stump(self, boosting_class, table):
        model = small_model(boosting_class).fit(*table)
        assert model.model_.params["estimator"] == "cart"
        assert model.model_.params["estimator_params"]["max_depth"] == 1
        whole = small_model(boosting_class, "cart", estimator_params={}).fit(*table)
        assert whole.model_.params["estimator_params"]["max_depth"] is None

    def test_members_without_weights_get_weighted_samples(self, boosting_class, table):
        X, y = table
        model = small_model(boosting_class, KNeighborsClassifier(3)).fit(X, y)
        assert model.predict_proba(X).shape == (len(X), 2)

    def test_files_pickles_and_the_function_agree(self, boosting_class, table, tmp_path):
        X, y = table
        model = small_model(boosting_class, "hddt", estimator_params={"max_depth": 2}).fit(X, y)
        model.save(tmp_path / "boosted.imb")
        for known in (imbcore.load(tmp_path / "boosted.imb"), pickle.loads(pickle.dumps(model))):
            np.testing.assert_array_equal(known.predict_proba(X), model.predict_proba(X))
            np.testing.assert_array_equal(known.predict(X), model.predict(X))
        options = {name: value for name, value in model.get_params().items() if name == "class_costs"}
        functional = imbcore.fit(
            X,
            y,
            model._method,
            estimator="hddt",
            estimator_params={"max_depth": 2},
            n_estimators=4,
            random_state=0,
            **options,
        )
        assert functional.to_bytes() == model.model_.to_bytes()

    def test_evaluate_accepts_every_class(self, boosting_class, table):
        model = small_model(boosting_class)
        names = [name for name in ("n_estimators", "class_costs") if hasattr(model, name)]
        options = {name: getattr(model, name) for name in names}
        found = imbcore.evaluate(*table, method=model._method, folds=3, **options).mean()
        assert found["roc_auc"] > 0.7

    def test_one_class_is_always_predicted(self, boosting_class, table):
        with pytest.warns(imbcore.DataWarning, match="all training rows are of class 7"):
            model = small_model(boosting_class).fit(table[0], np.full(len(table[0]), 7))
        assert set(model.predict(table[0])) == {7}

    def test_members_no_better_than_chance_raise_an_error(self, boosting_class):
        X, y = np.zeros((40, 2)), np.arange(40) % 2
        options = {"class_costs": (1, 1)} if boosting_class.__name__.startswith("AdaC") else {}
        with pytest.raises(imbcore.DataError, match="no better than chance"):
            small_model(boosting_class, **options).fit(X, y)

    def test_three_classes_work_or_name_a_remedy(self, boosting_class, iris):
        X, y = iris
        if boosting_class in BINARY:
            with pytest.raises(ValueError, match=r"Only binary classification is supported.*OVA"):
                small_model(boosting_class).fit(X, y)
            inside = imbcore.OVAClassifier(small_model(boosting_class)).fit(X, y)
            assert inside.score(X, y) > 0.8
        else:
            assert (
                small_model(boosting_class, "cart", estimator_params={"max_depth": 2}).fit(X, y).score(X, y)
                > 0.8
            )


@pytest.mark.parametrize("boosting_class", SAMPLED)
def test_samples_are_balanced_and_predictions_are_unchanged(boosting_class, table):
    X, y = table
    model = small_model(boosting_class).fit(X, y)
    assert len(model.estimators_samples_) == len(model.estimators_)
    for rows in model.estimators_samples_:
        assert (y[rows] == 1).sum() == (y[rows] == 0).sum() == y.sum()
    raw = small_model(boosting_class, prior_correction="none").fit(X, y)
    np.testing.assert_array_equal(raw.predict(X), model.predict(X))
    np.testing.assert_array_equal(raw.predict(X), raw.predict_proba(X).argmax(axis=1))
    odds = [found[:, 1] / found[:, 0] for found in (model.predict_proba(X), raw.predict_proba(X))]
    np.testing.assert_allclose(odds[0] * (y == 0).sum() / (y == 1).sum(), odds[1])


@pytest.mark.parametrize("boosting_class", [found for found in BOOSTING if found not in SAMPLED])
def test_members_report_their_sampled_rows(boosting_class, table):
    X, y = table
    weights = np.ones(len(y))
    weights[:7] = 0.0
    model = small_model(boosting_class).fit(X, y, sample_weight=weights)
    assert len(model.estimators_samples_) == len(model.estimators_)
    for rows in model.estimators_samples_:
        np.testing.assert_array_equal(rows, np.arange(7, len(y)))
    drawn = imbcore.AdaBoostClassifier(n_estimators=3, resample=True, random_state=0).fit(X, y)
    assert all(len(rows) == len(y) > len(set(rows)) for rows in drawn.estimators_samples_)


@pytest.mark.parametrize("how", ["sample_weight", "class_weight"])
def test_weights_of_drawn_rows_count_once(how, table):
    X, y = table
    weights = np.where(y == 1, 9.0, 1.0)
    given = {"sample_weight": weights} if how == "sample_weight" else {}
    options = {"class_weight": {0: 1, 1: 9}} if how == "class_weight" else {}
    options |= {"n_estimators": 1, "resample": True, "random_state": 0}
    drawn = imbcore.AdaBoostClassifier(**options).fit(X, y, **given)
    (rows,) = drawn.estimators_samples_
    alone = imbcore.CARTClassifier(max_depth=1).fit(X[rows], y[rows])
    np.testing.assert_array_equal(drawn.estimators_[0].predict_proba(X), alone.predict_proba(X))
    # A member without support for weights is fitted to the same rows, which are not drawn again.
    for estimator in (KNeighborsClassifier(), DecisionTreeClassifier(max_depth=1)):
        other = imbcore.AdaBoostClassifier(estimator, **options).fit(X, y, **given)
        np.testing.assert_array_equal(other.estimators_samples_[0], rows)


def test_costs_can_be_given_in_every_form(table):
    X, y = table
    labels = np.where(y == 1, "ill", "well")
    for given in ("grid", "tan", "ratio", (1.0, 0.5), {"well": 0.5}, {"ill": 2.0, "well": 1.0}):
        model = imbcore.AdaC2Classifier(
            estimator_params={"max_depth": 2},
            class_costs=given,
            n_estimators=3,
            grid=[0.5, 1.0],
            random_state=0,
        )
        assert set(model.fit(X, labels).predict(X)) == {"ill", "well"}
    halves = [
        imbcore.AdaC2Classifier(class_costs=given, n_estimators=3).fit(X, labels).estimator_weights_
        for given in ((1.0, 0.5), {"well": 0.5}, {"ill": 2.0, "well": 1.0})
    ]
    np.testing.assert_array_equal(halves[0], halves[1])
    np.testing.assert_array_equal(halves[0], halves[2])
    plain = imbcore.AdaC2Classifier(class_costs=(1, 1), n_estimators=3).fit(X, y).predict(X).mean()
    assert imbcore.AdaC2Classifier(class_costs=(1, 0.3), n_estimators=3).fit(X, y).predict(X).mean() > plain
    with pytest.raises(imbcore.ParameterError, match="class 'dead', which is not in y"):
        imbcore.AdaC2Classifier(class_costs={"dead": 2.0}).fit(X, labels)
    for wrong in (
        ("class_costs", (1, 0)),
        ("class_costs", "tangent"),
        ("grid", []),
        ("grid", [2.0]),
        ("theta", 1.6),
        ("b3", 2.0),
    ):
        with pytest.raises(imbcore.ParameterError, match=f"`{wrong[0]}` must be"):
            imbcore.AdaC2Classifier(**dict([wrong])).fit(X, y)


def test_smoteboost_generates_rows_for_any_member(table):
    X, y = table

    class Shapes(GaussianNB):
        def fit(self, X, y, sample_weight=None):
            self.shape_ = (X.shape, np.bincount(y).tolist())
            return super().fit(X, y, sample_weight)

    model = imbcore.SMOTEBoostClassifier(Shapes(), n_estimators=2, random_state=0).fit(X, y)
    n = int((y == 0).sum())
    assert model.estimators_[0].shape_ == ((2 * n, 4), [n, n])


class TestImbalancedLearnTestsOfRUSBoost:
    """``imblearn/ensemble/tests/test_weight_boosting.py``; the page of boosting lists the differences."""

    def test_rusboost(self, three):
        X, y = three
        X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=1)
        rusboost = imbcore.RUSBoostClassifier(n_estimators=500, random_state=0).fit(X_train, y_train)
        np.testing.assert_array_equal(rusboost.classes_, np.unique(y))
        assert len(rusboost.estimators_) > 1
        # Every round has its own sample.
        assert len({rows.tobytes() for rows in rusboost.estimators_samples_}) == len(rusboost.estimators_)
        assert rusboost.predict_proba(X_test).shape[1] == 3
        assert rusboost.score(X_test, y_test) > 0.6
        assert rusboost.predict(X_test).shape == y_test.shape

    def test_sample_weight(self, three):
        X, y = three
        rusboost = imbcore.RUSBoostClassifier(random_state=0)
        ones = rusboost.fit(X, y, np.ones_like(y)).predict(X)
        plain = rusboost.fit(X, y).predict(X)
        np.testing.assert_array_equal(ones, plain)
        unweighted = rusboost.predict_proba(X)
        weights = np.random.RandomState(42).rand(y.shape[0])
        assert (rusboost.fit(X, y, weights).predict_proba(X) != unweighted).any()


class TestImbalancedLearnTestsOfEasyEnsemble:
    """``imblearn/ensemble/tests/test_easy_ensemble.py``; the page of boosting lists the differences."""

    @pytest.mark.parametrize("n_estimators", [10, 20])
    @pytest.mark.parametrize("rounds", [5, 10])
    def test_gradient_boosting_members(self, iris, n_estimators, rounds):
        X_train, X_test, y_train, y_test = train_test_split(*iris, random_state=0)
        easy = imbcore.EasyEnsembleClassifier(
            n_estimators=n_estimators,
            estimator=GradientBoostingClassifier(n_estimators=rounds),
            n_rounds_per_subset=1,
            n_jobs=-1,
            random_state=0,
        )
        assert easy.fit(X_train, y_train).score(X_test, y_test) > 0.9
        assert len(easy.estimators_) == n_estimators
        assert all(len(member) == rounds for member in easy.estimators_)
        easy.predict_proba(X_test)

    def test_pipelines_and_grids(self, iris):
        pipeline = make_pipeline(SelectKBest(k=1), GradientBoostingClassifier(n_estimators=5))
        imbcore.EasyEnsembleClassifier(n_estimators=2, estimator=pipeline, n_rounds_per_subset=2).fit(
            *iris
        ).predict(iris[0])
        easy = imbcore.EasyEnsembleClassifier(
            GradientBoostingClassifier(), n_rounds_per_subset=1, random_state=0
        )
        search = GridSearchCV(easy, {"n_estimators": [1, 2], "estimator__n_estimators": [3, 4]}, cv=5)
        assert search.fit(*iris).best_score_ > 0.8

    def test_more_samples_do_not_change_the_first_ones(self):
        X, y = make_hastie_10_2(n_samples=200, random_state=1)
        few, many = (
            imbcore.EasyEnsembleClassifier(n_estimators=n, n_rounds_per_subset=2, random_state=3141).fit(X, y)
            for n in (5, 10)
        )
        for ours, theirs in zip(few.estimators_samples_, many.estimators_samples_, strict=False):
            np.testing.assert_array_equal(ours, theirs)

    def test_one_sample_equals_adaboost_on_it(self, iris):
        X, y = iris
        easy = imbcore.EasyEnsembleClassifier(n_estimators=1, random_state=0).fit(X, y)
        rows = easy.estimators_samples_[0]
        one = imbcore.AdaBoostClassifier(n_estimators=10).fit(X[rows], y[rows])
        np.testing.assert_allclose(easy.estimator_weights_, one.estimator_weights_)
        np.testing.assert_array_equal(easy.predict(X), one.predict(X))


def test_logistic_members_and_two_ways_to_combine(table):
    X, y = table
    found = {
        combine: imbcore.EasyEnsembleClassifier(
            LogisticRegression(), n_estimators=3, combine=combine, random_state=0
        ).fit(X, y)
        for combine in ("sum", "proba")
    }
    np.testing.assert_array_equal(found["sum"].estimator_weights_, found["proba"].estimator_weights_)
    assert not np.array_equal(found["sum"].predict_proba(X), found["proba"].predict_proba(X))


@pytest.mark.filterwarnings("ignore::imbcore.DataWarning")
def test_cascade_rejects_three_classes_in_every_fold():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 2)), np.repeat([0, 1, 2], [50, 20, 20])
    # The first half of the rows has classes 0 and 1 only.
    time = np.where(y == 2, 100, rng.permutation(90))
    with pytest.raises(imbcore.DataError, match="balance_cascade supports two classes, but y has 3"):
        imbcore.evaluate(X, y, "balance_cascade", time=time, folds=3)


@pytest.mark.parametrize("weight", ["mean", "uniform"])
def test_prior_correction_of_smoteboost_counts_weights_of_synthetic_rows(weight):
    """Both weights of synthetic rows give about the weighted proportion of positives."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 3))
    y = (X[:, 0] + rng.normal(size=3000) > 2).astype(int)
    row_weights = np.where(y == 1, 10.0, 1.0)
    model = imbcore.fit(
        X,
        y,
        "smoteboost",
        synthetic_weight=weight,
        prior_correction="prior",
        n_estimators=10,
        sample_weight=row_weights,
        random_state=0,
    )
    mean = np.average(model.predict_proba(X)[:, 1], weights=row_weights)
    assert abs(mean - np.average(y, weights=row_weights)) < 0.12
