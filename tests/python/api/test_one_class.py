"""Rows of one class, by labels or by weights: a constant model and a warning, or an error."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_predict

import imbcore
from imbcore._estimators.base import NativeClassifier
from imbcore.exceptions import DataError, DataWarning, ParameterError, UnsupportedError

RNG = np.random.default_rng(5)
X = RNG.normal(size=(30, 3))
ONE_CLASS = "all training rows are of"


def classes():
    """Every estimator class, with fast options and required parameters."""
    found = []
    for name in imbcore._HOME:
        kind = getattr(imbcore, name)
        if isinstance(kind, type) and issubclass(kind, NativeClassifier):
            options = {"cost_matrix": "balanced"} if kind is imbcore.MetaCostClassifier else {}
            found.append(kind(**options))
    return [*found, imbcore.OVAClassifier(), imbcore.OVOClassifier(), imbcore.ECOCClassifier()]


def ids(estimator):
    return type(estimator).__name__


@pytest.mark.filterwarnings(f"ignore:{ONE_CLASS}")
@pytest.mark.parametrize("estimator", classes(), ids=ids)
class TestEveryClass:
    @pytest.mark.parametrize("weight", [None, np.repeat([1.0, 0.0], 15)], ids=["labels", "weights"])
    def test_absent_attributes_are_explained(self, estimator, weight):
        """``dir``, and so completion in a notebook, reads every property."""
        y = np.zeros(30) if weight is None else np.repeat([0, 1], 15)
        fitted = clone(estimator).fit(X, y, sample_weight=weight)
        for whole in (fitted, getattr(fitted, "model_", fitted)):
            for name in object.__dir__(whole):
                if not hasattr(whole, name) and not name.startswith("_"):
                    with pytest.raises(AttributeError, match=r"one class|no names|its model_ has|has no"):
                        getattr(whole, name)
        if hasattr(fitted, "model_"):
            assert "detects" in fitted.model_.to_card()

    def test_one_label_gives_a_constant_model(self, estimator):
        with pytest.warns(DataWarning, match=ONE_CLASS):
            fitted = clone(estimator).fit(X, np.full(30, "no"))
        assert fitted.classes_.tolist() == ["no"]
        assert fitted.predict(X[:4]).tolist() == ["no"] * 4
        assert fitted.predict_proba(X[:4]).tolist() == [[1.0]] * 4

    def test_one_label_by_weights_keeps_a_column_per_class(self, estimator):
        y = np.repeat([0, 1], 15)
        with pytest.warns(DataWarning, match=ONE_CLASS):
            fitted = clone(estimator).fit(X, y, sample_weight=y.astype(float))
        assert fitted.classes_.tolist() == [0, 1]
        # Pairwise coupling gives every class a small probability.
        assert np.allclose(fitted.predict_proba(X[:4]), [[0.0, 1.0]] * 4, rtol=0, atol=1e-6)
        assert fitted.predict(X[:4]).tolist() == [1] * 4


@pytest.mark.parametrize(
    "options",
    [
        {"threshold": "f1"},
        {"threshold": 0.01},
        {"cost_matrix": [[0, 1], [5, 0]]},
        {"cost_matrix": {("a", "b"): 1, ("b", "a"): 5}},
        {"class_weight": {"a": 1, "b": 0}},
    ],
    ids=str,
)
@pytest.mark.parametrize("labels", [["a"], ["a", "b"]], ids=str)
def test_decision_options_are_ignored_for_one_class(options, labels):
    y = np.resize(labels, 30)
    weight = (y == "a").astype(float)
    with pytest.warns(DataWarning, match="class 'a'"):
        fitted = imbcore.CARTClassifier(**options).fit(X, y, sample_weight=weight)
    assert set(fitted.predict(X)) == {"a"}


def test_family_attributes_explain_their_absence_for_constant_models():
    with pytest.warns(DataWarning, match=ONE_CLASS):
        boxes = imbcore.FastBoxesClassifier().fit(X, np.zeros(30))
    with pytest.raises(UnsupportedError, match="no first_box: it was fitted to rows of one class"):
        boxes.apply(X)
    with pytest.warns(DataWarning, match=ONE_CLASS):
        bayes = imbcore.NaiveBayesClassifier().fit(X, np.zeros(30))
    for call in (bayes.diagnose, lambda: bayes.sample(3), lambda: bayes.log_probability(X)):
        with pytest.raises(UnsupportedError, match="fitted to rows of one class"):
            call()


def test_class_weight_of_zero_leaves_one_class():
    y = np.repeat([0, 1], 15)
    with pytest.warns(DataWarning, match=ONE_CLASS):
        fitted = imbcore.NaiveBayesClassifier(class_weight={0: 0.0, 1: 1.0}).fit(X, y)
    assert set(fitted.predict(X)) == {1}


def test_parameters_may_name_the_absent_class():
    with pytest.warns(DataWarning, match=ONE_CLASS):
        imbcore.FastBoxesClassifier(positive=1).fit(X, np.zeros(30))
    with pytest.warns(DataWarning, match=ONE_CLASS):
        imbcore.SVRTreeClassifier(penalized_classes=[1]).fit(X, np.zeros(30))


class TestRareRows:
    """Two positives among 100 rows: two of the eight bootstraps of this seed, and one fold, have none."""

    X = np.random.default_rng(0).normal(size=(100, 2))
    y = np.isin(np.arange(100), [10, 20]).astype(int)

    @pytest.mark.parametrize(
        "base",
        [
            imbcore.HDDTClassifier(),
            imbcore.C44Classifier(threshold="f1"),
            imbcore.TANClassifier(),
            imbcore.FastBoxesClassifier(positive=1),
            imbcore.MetaCostClassifier(cost_matrix="balanced", n_estimators=3),
            imbcore.CARTClassifierCV(cv=2),
        ],
        ids=ids,
    )
    def test_bagging_has_constant_members(self, base):
        with pytest.warns(DataWarning, match=ONE_CLASS):
            bag = BaggingClassifier(base, 8, random_state=2).fit(self.X, self.y)
        assert bag.predict_proba(self.X).shape == (100, 2)

    def test_folds_without_positives_are_predicted_negative(self):
        with pytest.warns(DataWarning, match=ONE_CLASS):
            found = cross_val_predict(imbcore.HDDTClassifier(), self.X, np.sort(self.y), cv=KFold(2))
        assert found[50:].tolist() == [0] * 50


@pytest.mark.filterwarnings(f"ignore:{ONE_CLASS}")
def test_forest_of_one_class_is_one_tree():
    fitted = imbcore.RandomForestClassifier().fit(X, np.zeros(30))
    assert fitted.apply(X).tolist() == [[0]] * 30
    path, starts = fitted.decision_path(X)
    assert (path.toarray().tolist(), starts.tolist()) == ([[1]] * 30, [0, 1])


def test_functions_that_need_two_classes_raise():
    y = np.repeat([0, 1], 15)
    with pytest.raises(DataError, match="only 1 class"):
        imbcore.fit(X, np.zeros(30))
    with pytest.raises(DataError, match="only 1 class"):
        imbcore.fit(X, y, sample_weight=y.astype(float))
    with pytest.raises(DataError, match=r"at least (2|two) classes"):
        imbcore.fit(X, y, class_weight={0: 0, 1: 1})
    with pytest.raises(DataError, match="only 1 class"):
        imbcore.evaluate(X, np.zeros(30))
    with pytest.raises(DataError, match="only 1 class"):
        imbcore.evaluate(X, y, sample_weight=y.astype(float))
    with pytest.raises(ParameterError, match="on_one_class must be"):
        imbcore.fit(X, y, on_one_class="guess")


@pytest.mark.parametrize("method", [method.name for method in imbcore.methods()])
def test_constant_model_supports_all_operations(method, tmp_path):
    with pytest.warns(DataWarning, match="class 'no'"):
        model = imbcore.fit(X, ["no"] * 30, method=method, on_one_class="constant")
    model.save(tmp_path / "model.imb")
    again = imbcore.load(tmp_path / "model.imb")
    assert again.to_bytes() == model.to_bytes()
    assert again.predict(X[:2]).tolist() == ["no", "no"]
    assert again.predict_proba(X[:2]).tolist() == [[1.0], [1.0]]
    assert "one leaf" in repr(again)
    assert [rule["class"] for rule in again.rules()] == ["no"]
    assert again.n_leaves_ == 1
    assert again.feature_importances_.tolist() == [0.0, 0.0, 0.0]


def test_members_of_other_libraries_may_be_constant():
    with pytest.warns(DataWarning, match=ONE_CLASS):
        fitted = imbcore.OVAClassifier(LogisticRegression()).fit(X, np.zeros(30))
    assert fitted.predict(X).tolist() == [0] * 30


@pytest.mark.filterwarnings("ignore:all training rows are of")
def test_boosted_trees_without_scores_explain_it():
    fitted = imbcore.BoostedTreesClassifier().fit(X, np.zeros(30))
    with pytest.raises(UnsupportedError, match="no scores: it was fitted to rows of one class"):
        fitted.decision_function(X)
    model = imbcore.fit(X, np.zeros(30), "boosted_trees", on_one_class="constant")
    with pytest.raises(AttributeError, match="no decision_function: it was fitted to rows of one class"):
        model.decision_function(X)
