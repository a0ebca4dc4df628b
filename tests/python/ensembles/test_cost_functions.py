"""AdaC with costs computed by a function of the imbalance ratio.

A documented parameter value is accepted at every entry point, and the function is called as the page states.
"""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

import imbcore
from imbcore import AdaC1Classifier, AdaC2Classifier, AdaC3Classifier, BaggingClassifier
from imbcore.exceptions import DataError, ParameterError

RNG = np.random.default_rng(0)
Y = np.repeat([0, 1], [120, 80])
X = RNG.normal(size=(200, 3)) + 1.2 * Y[:, None]
CLASSES = {"adac1": AdaC1Classifier, "adac2": AdaC2Classifier, "adac3": AdaC3Classifier}
FEW = {"n_estimators": 8, "random_state": 0}


def half_way(r):
    """Cost of the larger class between the ratio and 1."""
    return (1 + r) / 2


def equal(r):
    return 1


class Recording:
    def __init__(self):
        self.ratios = []

    def __call__(self, r):
        self.ratios.append(r)
        return half_way(r)


@pytest.mark.parametrize("method", CLASSES)
def test_function_gives_the_cost_of_the_larger_class(method, tmp_path):
    known = imbcore.fit(X, Y, method, class_costs={0: half_way(80 / 120), 1: 1.0}, **FEW)
    seen = Recording()
    model = imbcore.fit(X, Y, method, class_costs=seen, **FEW)
    assert seen.ratios == [80 / 120]
    assert type(seen.ratios[0]) is float
    assert model.params["class_costs"] == {"0": half_way(80 / 120), "1": 1.0} == known.params["class_costs"]
    assert model.to_bytes() == known.to_bytes()
    estimator = clone(CLASSES[method](class_costs=half_way, **FEW))
    assert estimator.get_params()["class_costs"] is half_way
    estimator.fit(X, Y)
    assert estimator.model_.to_bytes() == known.to_bytes()
    again = pickle.loads(pickle.dumps(estimator))
    np.testing.assert_array_equal(again.predict_proba(X), known.predict_proba(X))
    assert again.fit(X, Y).model_.to_bytes() == known.to_bytes()
    model.save(tmp_path / "model.imb")
    assert imbcore.load(tmp_path / "model.imb").params == known.params
    ratio = imbcore.fit(X, Y, method, class_costs="ratio", **FEW)
    by_function = imbcore.fit(X, Y, method, class_costs=lambda r: r, **FEW)
    np.testing.assert_array_equal(by_function.predict_proba(X), ratio.predict_proba(X))


@pytest.mark.parametrize(
    ("options", "ratio"),
    [
        ({}, 2 / 3),
        ({"sample_weight": np.where(Y == 1, 2.0, 1.0)}, 0.75),
        ({"sample_weight": np.where(Y == 1, 0.2, 0.1)}, 0.75),
        ({"class_weight": {0: 1.0, 1: 3.0}}, 0.5),
        ({"class_weight": "balanced"}, None),
        ({"cost_matrix": [[0, 1], [2, 0]], "cost_strategy": "reweight"}, 0.75),
        ({"cost_matrix": "balanced", "cost_strategy": "reweight"}, None),
        ({"cost_matrix": "imbalance", "cost_strategy": "reweight"}, 2 / 3),
        ({"cost_matrix": [[0, 1], [2, 0]]}, 2 / 3),
    ],
)
def test_ratio_is_that_of_the_training_weights(options, ratio):
    """The same ratio as for class_costs="ratio", for all kinds of weights."""
    seen = Recording()
    imbcore.fit(X, Y, "adac2", class_costs=seen, **options, **FEW)
    assert seen.ratios == ([] if ratio is None else [pytest.approx(ratio)])
    by_name = imbcore.fit(X, Y, "adac2", class_costs="ratio", **options, **FEW)
    by_function = imbcore.fit(X, Y, "adac2", class_costs=lambda r: r, **options, **FEW)
    np.testing.assert_allclose(by_function.predict_proba(X), by_name.predict_proba(X), rtol=1e-9)


def test_each_larger_class_has_its_own_ratio():
    y = np.repeat(["a", "b", "c", "d"], [100, 50, 25, 25])
    seen = Recording()
    model = imbcore.fit(X, y, "adac2", class_costs=seen, **FEW)
    assert seen.ratios == [0.25, 0.5]
    assert model.params["class_costs"] == {"0": 0.625, "1": 0.75, "2": 1.0, "3": 1.0}
    with pytest.raises(DataError, match="use AdaC2 for several classes"):
        imbcore.fit(X, y, "adac1", class_costs=half_way, **FEW)


def test_costs_above_1_are_divided_by_the_largest():
    larger = imbcore.fit(X, Y, "adac2", class_costs=lambda r: 1 / r, **FEW)
    known = imbcore.fit(X, Y, "adac2", class_costs=(80 / 120, 1.0), **FEW)
    np.testing.assert_allclose(larger.predict_proba(X), known.predict_proba(X))


def test_functions_work_in_members_folds_and_other_estimators():
    foreign = AdaC2Classifier(LogisticRegression(), class_costs=half_way, **FEW).fit(X, Y)
    known = AdaC2Classifier(LogisticRegression(), class_costs={0: half_way(80 / 120), 1: 1.0}, **FEW).fit(
        X, Y
    )
    np.testing.assert_array_equal(foreign.predict_proba(X), known.predict_proba(X))
    assert len(cross_val_predict(AdaC2Classifier(class_costs=half_way, **FEW), X, Y, cv=3)) == 200
    assert imbcore.evaluate(X, Y, "adac2", class_costs=half_way, **FEW).metrics["recall"].min() >= 0
    member = AdaC2Classifier(class_costs=half_way, n_estimators=3)
    assert BaggingClassifier(member, n_estimators=2, random_state=0).fit(X, Y).score(X, Y) > 0.7
    calibrated = AdaC2Classifier(class_costs=half_way, calibrate="sigmoid", **FEW).fit(X, Y)
    assert calibrated.predict_proba(X).shape == (200, 2)
    with pytest.raises(ParameterError, match="give the estimator itself"):
        imbcore.fit(X, Y, "bagging", estimator="adac2", estimator_params={"class_costs": half_way})
    for whole in (equal, lambda r: np.float64(1.0), lambda r: np.ones(1)):
        assert imbcore.fit(X, Y, "adac2", class_costs=whole, **FEW).params["class_costs"] == {
            "0": 1.0,
            "1": 1.0,
        }


@pytest.mark.parametrize("wrong", [0, -1.0, np.nan, np.inf, None, "1", True, [0.5, 0.5], 1j])
def test_invalid_costs_are_rejected(wrong):
    for fit in (
        lambda: imbcore.fit(X, Y, "adac2", class_costs=lambda r: wrong, **FEW),
        lambda: AdaC3Classifier(class_costs=lambda r: wrong, **FEW).fit(X, Y),
        lambda: AdaC2Classifier(LogisticRegression(), class_costs=lambda r: wrong, **FEW).fit(X, Y),
    ):
        with pytest.raises(
            ParameterError, match=r"must return a finite number above 0, got .* ratio 0\.666667"
        ):
            fit()


def test_exceptions_of_the_function_are_raised():
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        imbcore.fit(X, Y, "adac2", class_costs=lambda r, s: r, **FEW)
