"""Rows of a single class, by labels or by weights: a constant model and a warning, or an error."""

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
SAYS = "all (training rows|rows that train) are of"


def classes():
    """Every estimator class, quick and with what it cannot do without."""
    found = []
    for name in imbcore.__all__:
        kind = getattr(imbcore, name)
        if isinstance(kind, type) and issubclass(kind, NativeClassifier):
            options = {"cost_matrix": "balanced"} if kind is imbcore.MetaCostClassifier else {}
            found.append(kind(**options))
    return [*found, imbcore.OVAClassifier(), imbcore.OVOClassifier(), imbcore.ECOCClassifier()]


def ids(estimator):
    return type(estimator).__name__


@pytest.mark.filterwarnings(f"ignore:{SAYS}")
@pytest.mark.parametrize("estimator", classes(), ids=ids)
class TestEveryClass:
    @pytest.mark.parametrize("weight", [None, np.repeat([1.0, 0.0], 15)], ids=["labels", "weights"])
    def test_what_is_not_there_says_so(self, estimator, weight):
        """``dir``, and with it completion in a notebook, asks for every property."""
        y = np.zeros(30) if weight is None else np.repeat([0, 1], 15)
        fitted = clone(estimator).fit(X, y, sample_weight=weight)
        for whole in (fitted, getattr(fitted, "model_", fitted)):
            for name in object.__dir__(whole):
                if not hasattr(whole, name) and not name.startswith("_"):
                    with pytest.raises(AttributeError, match=r"one class|no names|its model_ has|has no"):
                        getattr(whole, name)
        if hasattr(fitted, "model_"):
            assert "detects" in fitted.model_.to_card()

    def test_one_label(self, estimator):
        with pytest.warns(DataWarning, match=SAYS):
            fitted = clone(estimator).fit(X, np.full(30, "no"))
        assert fitted.classes_.tolist() == ["no"]
        assert fitted.predict(X[:4]).tolist() == ["no"] * 4
        assert fitted.predict_proba(X[:4]).tolist() == [[1.0]] * 4

    def test_one_label_by_weights_keeps_all_columns(self, estimator):
        y = np.repeat([0, 1], 15)
        with pytest.warns(DataWarning, match=SAYS):
            fitted = clone(estimator).fit(X, y, sample_weight=y.astype(float))
        assert fitted.classes_.tolist() == [0, 1]
        # Coupling of pairs keeps a little of every class.
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
def test_what_decides_between_classes_has_nothing_to_decide(options, labels):
    y = np.resize(labels, 30)
    weight = (y == "a").astype(float)
    with pytest.warns(DataWarning, match="class 'a'"):
        fitted = imbcore.CARTClassifier(**options).fit(X, y, sample_weight=weight)
    assert set(fitted.predict(X)) == {"a"}


def test_what_only_a_family_can_do_says_why_a_constant_cannot():
    with pytest.warns(DataWarning, match=SAYS):
        boxes = imbcore.FastBoxesClassifier().fit(X, np.zeros(30))
    with pytest.raises(UnsupportedError, match="no first_box: it was fitted to rows of one class"):
        boxes.apply(X)
    with pytest.warns(DataWarning, match=SAYS):
        bayes = imbcore.NaiveBayesClassifier().fit(X, np.zeros(30))
    for ask in (bayes.diagnose, lambda: bayes.sample(3), lambda: bayes.log_probability(X)):
        with pytest.raises(UnsupportedError, match="fitted to rows of one class"):
            ask()


def test_a_class_weight_of_zero_leaves_one_class():
    y = np.repeat([0, 1], 15)
    with pytest.warns(DataWarning, match=SAYS):
        fitted = imbcore.NaiveBayesClassifier(class_weight={0: 0.0, 1: 1.0}).fit(X, y)
    assert set(fitted.predict(X)) == {1}


def test_parameters_that_name_the_absent_class():
    with pytest.warns(DataWarning, match=SAYS):
        imbcore.FastBoxesClassifier(positive=1).fit(X, np.zeros(30))
    with pytest.warns(DataWarning, match=SAYS):
        imbcore.SVRTreeClassifier(penalised_classes=[1]).fit(X, np.zeros(30))


class TestRareRows:
    """Two positives among 100 rows: two of the eight bootstraps of this seed, and a fold, have none."""

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
    def test_bagging(self, base):
        with pytest.warns(DataWarning, match=SAYS):
            bag = BaggingClassifier(base, 8, random_state=2).fit(self.X, self.y)
        assert bag.predict_proba(self.X).shape == (100, 2)

    def test_folds_in_order(self):
        with pytest.warns(DataWarning, match=SAYS):
            found = cross_val_predict(imbcore.HDDTClassifier(), self.X, np.sort(self.y), cv=KFold(2))
        assert found[50:].tolist() == [0] * 50


@pytest.mark.filterwarnings(f"ignore:{SAYS}")
def test_a_forest_of_one_class_is_one_tree():
    fitted = imbcore.RandomForestClassifier().fit(X, np.zeros(30))
    assert fitted.apply(X).tolist() == [[0]] * 30
    path, starts = fitted.decision_path(X)
    assert (path.toarray().tolist(), starts.tolist()) == ([[1]] * 30, [0, 1])


def test_doors_that_keep_their_error():
    y = np.repeat([0, 1], 15)
    with pytest.raises(DataError, match="only 1 class"):
        imbcore.fit(X, np.zeros(30))
    with pytest.raises(DataError, match="only 1 class"):
        imbcore.fit(X, y, sample_weight=y.astype(float))
    with pytest.raises(DataError, match="at least (2|two) classes"):
        imbcore.fit(X, y, class_weight={0: 0, 1: 1})
    with pytest.raises(DataError, match="only 1 class"):
        imbcore.evaluate(X, np.zeros(30))
    with pytest.raises(DataError, match="only 1 class"):
        imbcore.evaluate(X, y, sample_weight=y.astype(float))
    with pytest.raises(ParameterError, match="on_one_class must be"):
        imbcore.fit(X, y, on_one_class="guess")


@pytest.mark.parametrize("method", [method.name for method in imbcore.methods()])
def test_a_constant_model_is_a_model(method, tmp_path):
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


def test_members_of_other_libraries():
    with pytest.warns(DataWarning, match=SAYS):
        fitted = imbcore.OVAClassifier(LogisticRegression()).fit(X, np.zeros(30))
    assert fitted.predict(X).tolist() == [0] * 30


@pytest.mark.filterwarnings("ignore:all (training rows|rows that train) are of")
def test_boosted_trees_say_that_there_are_no_scores():
    fitted = imbcore.BoostedTreesClassifier().fit(X, np.zeros(30))
    with pytest.raises(UnsupportedError, match="no scores: it was fitted to rows of one class"):
        fitted.decision_function(X)
    model = imbcore.fit(X, np.zeros(30), "boosted_trees", on_one_class="constant")
    with pytest.raises(AttributeError, match="no decision_function: it was fitted to rows of one class"):
        model.decision_function(X)
