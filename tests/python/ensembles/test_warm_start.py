"""A warm-started fit equals a fit from scratch, to the last bit."""

import pickle

import numpy as np
import pytest
from public_classes import CLASSES
from sklearn.linear_model import LogisticRegression

import imbcore
from imbcore.ensembles._generic import GenericEnsemble
from imbcore.ensembles._warm import WarmStartEnsemble
from imbcore.exceptions import DataError, ParameterError

GROWING = [found for found in CLASSES if issubclass(found, WarmStartEnsemble)]
ENSEMBLES = [found for found in GROWING if issubclass(found, GenericEnsemble)]


def rows(n_classes=2):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(150, 3))
    score = X[:, 0] + 0.7 * rng.normal(size=150)
    return X, (np.digitize(score, [0.9, 1.6]) if n_classes == 3 else (score > 0.9).astype(int))


def made(estimator_class, n_estimators, **options):
    names = estimator_class().get_params()
    own = {"class_costs": (1.0, 0.8)} if "class_costs" in names else {}
    return estimator_class(n_estimators=n_estimators, random_state=0, **own | options)


def with_oob_score(estimator_class):
    """Options that enable out-of-bag predictions, if the class has them."""
    names = estimator_class().get_params()
    found = {"oob_score": True} if "oob_score" in names else {}
    found |= {"bootstrap_minority": True} if "bootstrap_minority" in names else {}
    # Trees of this class use all rows by default.
    return found | ({"bootstrap": True} if names.get("splitter") == "random" else {})


def row_weights():
    return np.random.default_rng(4).integers(1, 4, 150) / 3


@pytest.mark.filterwarnings("ignore::imbcore.exceptions.DataWarning")
@pytest.mark.parametrize("weights", [None, row_weights()], ids=["plain", "weighed"])
@pytest.mark.parametrize("estimator_class", GROWING)
def test_warm_start_gives_equal_bytes(estimator_class, weights):
    X, y = rows()
    options = with_oob_score(estimator_class)
    cold = made(estimator_class, 9, **options).fit(X, y, sample_weight=weights)
    warm = made(estimator_class, 3, warm_start=True, **options)
    for n in (3, 4, 9):
        warm.set_params(n_estimators=n).fit(X, y, sample_weight=weights)
    assert warm.model_.to_bytes() == cold.model_.to_bytes()
    if "oob_score" in options:
        assert warm.oob_score_ == cold.oob_score_
        np.testing.assert_array_equal(warm.oob_decision_function_, cold.oob_decision_function_)
    if isinstance(warm, GenericEnsemble):
        for own, other in zip(warm.estimators_samples_, cold.estimators_samples_, strict=True):
            np.testing.assert_array_equal(own, other)


@pytest.mark.filterwarnings("ignore::imbcore.exceptions.DataWarning")
@pytest.mark.parametrize("estimator_class", [found for found in GROWING if "Cascade" not in found.__name__])
def test_warm_start_gives_equal_bytes_with_three_classes_threads_and_thresholds(estimator_class):
    X, y = rows(3)
    if "AdaC" in estimator_class.__name__:
        y = (y > 0).astype(int)
    # Both are found on inner folds or out of bag, which differ in the smaller fit.
    options = {"calibrate": "sigmoid"} if len(np.unique(y)) == 3 else {"threshold": "f1"}
    cold = made(estimator_class, 5, n_threads=1, **options)
    warm = cold.__class__(**cold.get_params()).set_params(n_estimators=2, n_threads=2, warm_start=True)
    warm.fit(X, y).set_params(n_estimators=5, n_threads=3).fit(X, y)
    assert warm.model_.to_bytes() == cold.fit(X, y).model_.to_bytes()


@pytest.mark.filterwarnings("ignore::imbcore.exceptions.DataWarning")
@pytest.mark.parametrize(
    "options", [{}, {"calibrate": "beta"}, {"sampling": "goss", "objective": "balanced"}]
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_boosted_trees_continue_training(n_classes, options):
    X, y = rows(n_classes)
    X = np.where(np.random.default_rng(5).random(X.shape) < 0.1, np.nan, X)

    def boosted(**more):
        return imbcore.BoostedTreesClassifier(**{"random_state": 0, "max_rounds": 15, **options, **more})

    cold = boosted(n_rounds=9).fit(X, y)
    warm = boosted(n_rounds=3, warm_start=True).fit(X, y)
    for n in (5, "auto", 9):
        warm.set_params(n_rounds=n).fit(X, y)
    assert warm.model_.to_bytes() == cold.model_.to_bytes()
    with pytest.raises(ValueError, match="n_rounds=2 must be larger or equal to n_rounds_=9"):
        warm.set_params(n_rounds=2).fit(X, y)
    with pytest.raises(ParameterError, match="set warm_start=False"):
        warm.set_params(n_rounds=12, max_depth=2).fit(X, y)
    auto = boosted(warm_start=True).fit(X, y)
    with pytest.raises(DataError, match="set warm_start=False"):
        auto.fit(X + 1.0, y)
    assert auto.fit(X, y).model_.to_bytes() == boosted().fit(X, y).model_.to_bytes()
    # The search for the number of rounds may differ: trees do not depend on it.
    search = {"max_rounds": 4, "early_stopping_rounds": 3, "stopping_folds": 3}
    search |= {"early_stopping_min_delta": 1e-4}
    search |= {"stopping_score": "average_precision"} if n_classes == 2 else {}
    assert auto.set_params(**search).fit(X, y).n_rounds_ <= 4
    assert auto.model_.to_bytes() == boosted(**search).fit(X, y).model_.to_bytes()


class CountedRegression(LogisticRegression):
    """Counts its fits."""

    fits = 0

    def fit(self, X, y, sample_weight=None):
        type(self).fits += 1
        return super().fit(X, y, sample_weight)


class CountedStump(imbcore.CARTClassifier):
    """Counts its fits; runs in Python because it sets a threshold."""

    fits = 0

    def fit(self, X, y, sample_weight=None):
        type(self).fits += 1
        return super().fit(X, y, sample_weight)


def others(estimator_class):
    names = estimator_class().get_params()
    return (
        CountedStump(max_depth=1, positive=1)
        if "learning_rate" in names or "n_rounds_per_subset" in names
        else CountedRegression()
    )


# Bags of the other methods depend on the total number, and so do the stages of the cascade.
SAME_BAGS = [
    found
    for found in ENSEMBLES
    if "percent_schedule" not in found().get_params() and "Cascade" not in found.__name__
]


@pytest.mark.parametrize("estimator_class", ENSEMBLES)
def test_members_of_other_libraries_are_reused(estimator_class):
    X, y = rows()
    estimator = others(estimator_class)
    cold = made(estimator_class, 6, estimator=estimator).fit(X, y)
    warm = made(estimator_class, 3, estimator=estimator, warm_start=True).fit(X, y)
    before, fits = warm.estimators_, type(estimator).fits
    warm.set_params(n_estimators=6).fit(X, y)
    np.testing.assert_array_equal(warm.predict_proba(X), cold.predict_proba(X))
    np.testing.assert_array_equal(warm.estimator_weights_, cold.estimator_weights_)
    if estimator_class in SAME_BAGS:
        assert all(own is other for own, other in zip(warm.estimators_, before, strict=False))
        added = len(warm.estimators_) - len(before)
        # A round of boosting no better than chance is resampled, and failed attempts are not stored.
        retried = "max_resamples" in warm.get_params()
        assert added > 0
        assert retried or type(estimator).fits - fits == added


@pytest.mark.parametrize("estimator_class", [imbcore.RandomForestClassifier, imbcore.AdaBoostClassifier])
def test_fewer_or_equally_many_members(estimator_class):
    X, y = rows()
    model = made(estimator_class, 4, warm_start=True).fit(X, y)
    proba = model.predict_proba(X)
    with pytest.raises(ValueError, match=r"n_estimators=2 must be larger or equal to len\(estimators_\)=4"):
        model.set_params(n_estimators=2).fit(X, y)
    with pytest.warns(UserWarning, match="Warm-start fitting without increasing n_estimators does not"):
        model.set_params(n_estimators=4).fit(X + 1.0, y)
    np.testing.assert_array_equal(model.predict_proba(X), proba)
    assert len(model.set_params(n_estimators=2, warm_start=False).fit(X, y).estimators_) == 2


@pytest.mark.parametrize("estimator", ["cart", LogisticRegression()])
def test_changed_parameters_are_rejected(estimator):
    X, y = rows()

    def more(**options):
        model = imbcore.BaggingClassifier(estimator, n_estimators=3, random_state=0, warm_start=True)
        return model.fit(X, y).set_params(n_estimators=5, **options)

    other = X.copy()
    other[7, 1] += 1e-9
    refused = pytest.raises((DataError, ParameterError), match="set warm_start=False")
    for table, labels, weights in [(other, y, None), (X, 1 - y, None), (X, y, np.full(len(y), 2.0))]:
        with refused:
            more().fit(table, labels, sample_weight=weights)
    changes = {"max_samples": 0.5, "random_state": 1, "class_weight": "balanced", "threshold": 0.3}
    for name, value in changes.items():
        with refused:
            more(**{name: value}).fit(X, y)
    with refused:
        more(estimator="hddt").fit(X, y)
    with refused:
        more(estimator=LogisticRegression(C=3.0)).fit(X, y)
    # A rejected fit leaves the fitted model, and a later warm start still works.
    model = more(random_state=1)
    with refused:
        model.fit(X, y)
    assert len(model.estimators_) == 3
    assert len(model.set_params(random_state=0).fit(X, y).estimators_) == 5


@pytest.mark.parametrize("estimator_class", [imbcore.RandomForestClassifier, imbcore.RUSBoostClassifier])
def test_random_seed_is_kept_and_cold_fit_discards_members(estimator_class):
    X, y = rows()
    model = estimator_class(n_estimators=2, warm_start=True).fit(X, y)
    first = model.estimators_[1].to_bytes()
    assert model.set_params(n_estimators=4).fit(X, y).estimators_[1].to_bytes() == first
    generator = np.random.RandomState(5)
    model.set_params(random_state=generator, n_estimators=5).fit(X, y)
    assert model.estimators_[1].to_bytes() == first
    model.set_params(warm_start=False).fit(X, y)
    model.set_params(warm_start=True, n_estimators=2).fit(X + 1.0, y)
    assert len(model.estimators_) == 2


@pytest.mark.parametrize("estimator_class", GROWING)
def test_pickled_estimator_can_be_warm_started(estimator_class):
    X, y = rows()
    cold = made(estimator_class, 5).fit(X, y)
    again = pickle.loads(pickle.dumps(made(estimator_class, 3, warm_start=True).fit(X, y)))
    with pytest.raises(ValueError, match="must be larger or equal"):
        again.set_params(n_estimators=2).fit(X, y)
    again.set_params(n_estimators=5).fit(X, y)
    assert again.model_.to_bytes() == cold.model_.to_bytes()
    np.testing.assert_array_equal(again.predict(X), cold.predict(X))


@pytest.mark.filterwarnings("ignore::imbcore.exceptions.DataWarning")
def test_out_of_bag_predictions_may_be_requested_later():
    X, y = rows()
    for estimator_class in (imbcore.RandomForestClassifier, imbcore.BaggingClassifier):
        cold = made(estimator_class, 9, oob_score=True).fit(X, y)
        warm = made(estimator_class, 4, warm_start=True).fit(X, y)
        warm.set_params(n_estimators=9, oob_score=True).fit(X, y)
        assert warm.model_.to_bytes() == cold.model_.to_bytes()
        assert warm.oob_score_ == cold.oob_score_


@pytest.mark.parametrize("estimator", ["cart", LogisticRegression()])
def test_another_function_of_the_same_name_scores_again(estimator):
    """The score of the previous function was kept, because both are called `<lambda>`."""
    X, y = rows()
    bagging = imbcore.BaggingClassifier(estimator, n_estimators=20, warm_start=True, random_state=0)
    bagging.set_params(oob_score=lambda y, predicted: 0.25).fit(X, y)
    with pytest.warns(UserWarning, match="does not fit new trees"):
        bagging.set_params(oob_score=lambda y, predicted: 0.75).fit(X, y)
    assert bagging.oob_score_ == 0.75
