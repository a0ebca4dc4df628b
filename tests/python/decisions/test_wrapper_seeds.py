"""Seeds of wrappers.

Every object with ``random_state`` gives equal results for equal seeds, also over estimators of imbcore and of
other libraries without a seed; the seed of an inner estimator is kept.
"""

import inspect

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import imbcore
from imbcore import decisions
from imbcore._estimators.seeding import seed_nested_estimators

pytestmark = pytest.mark.filterwarnings("ignore")

rng = np.random.default_rng(3)
X = rng.normal(size=(150, 4))
Y = (X[:, 0] + rng.normal(size=150) > 0.9).astype(int)

INNER = {
    "forest of imbcore": imbcore.RandomForestClassifier(n_estimators=3, n_threads=1),
    "tree of imbcore": imbcore.CARTClassifier(min_samples_leaf=5, n_threads=1),
    "boosting of imbcore": imbcore.BoostedTreesClassifier(n_rounds=3, subsample=0.5, n_threads=1),
    "bagging over others": imbcore.BaggingClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=2),
    "decomposition": imbcore.OVAClassifier(imbcore.RandomForestClassifier(n_estimators=2, n_threads=1)),
    "tree of scikit-learn": DecisionTreeClassifier(max_features=1, max_depth=3),
    "forest of scikit-learn": RandomForestClassifier(n_estimators=3),
    "pipeline": make_pipeline(StandardScaler(), DecisionTreeClassifier(max_features=1, max_depth=3)),
    "vote": VotingClassifier(
        [("a", DecisionTreeClassifier(max_features=1)), ("b", LogisticRegression())], voting="soft"
    ),
    "wrapper": decisions.CalibratedClassifier(DecisionTreeClassifier(max_features=1, max_depth=3), cv=2),
}
WRAPPERS = {
    name: wrapper
    for name, wrapper in inspect.getmembers(decisions, inspect.isclass)
    if {"estimator", "random_state"} <= set(inspect.signature(wrapper).parameters)
}


def wrapped(name, inner, seed):
    options = {"alpha": 0.5} if name == "ConformalClassifier" else {}
    return WRAPPERS[name](clone(inner), random_state=seed, **options)


def test_all_wrappers_are_tested():
    assert set(WRAPPERS) == {
        "AdaptedClassifier",
        "CalibratedClassifier",
        "ConformalClassifier",
        "PUClassifier",
        "ThresholdClassifier",
    }


@pytest.mark.parametrize("name", sorted(WRAPPERS))
@pytest.mark.parametrize("inner", INNER)
def test_wrappers_are_reproducible(name, inner):
    first, second = (wrapped(name, INNER[inner], 0).fit(X, Y).predict_proba(X) for _ in range(2))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("CalibratedClassifier", {"cv": 3}),
        ("AdaptedClassifier", {"method": "bbse"}),
        ("PUClassifier", {"reweight": True}),
        ("ThresholdClassifier", {"threshold": {"recall": 0.5, "guarantee": 0.6, "guarantee_rows": 0.5}}),
        ("ConformalClassifier", {"method": "cross", "alpha": 0.5}),
        ("ConformalClassifier", {"method": "out_of_bag", "alpha": 0.5}),
        ("ConformalClassifier", {"method": "out_of_bag_plus", "alpha": 0.5}),
    ],
)
def test_every_way_to_fit_is_reproducible(name, options):
    def made():
        inner = imbcore.RandomForestClassifier(n_estimators=30, n_threads=1)
        model = WRAPPERS[name](inner, random_state=0, **options).fit(X, Y)
        return model.p_values(X) if hasattr(model, "p_values") else model.predict_proba(X)

    np.testing.assert_array_equal(made(), made())


def test_inner_seeds_derive_from_the_wrapper_unless_set():
    unseeded = imbcore.RandomForestClassifier(n_estimators=3, n_threads=1)
    found = [
        decisions.ThresholdClassifier(unseeded, random_state=seed).fit(X, Y).estimator_.random_state
        for seed in (0, 0, 1)
    ]
    assert found[0] == found[1] != found[2]
    assert unseeded.random_state is None
    seeded = imbcore.RandomForestClassifier(n_estimators=3, n_threads=1, random_state=5)
    model = decisions.ThresholdClassifier(seeded, random_state=0).fit(X, Y)
    assert model.estimator_.random_state == 5
    np.testing.assert_array_equal(model.predict_proba(X), clone(seeded).fit(X, Y).predict_proba(X))
    # If the wrapper makes no random choices, the estimator is unchanged.
    shifted = decisions.PriorShiftClassifier(unseeded).fit(X, Y)
    assert shifted.estimator_.random_state is None


def test_nested_estimators_get_different_seeds():
    pipeline = make_pipeline(StandardScaler(), VotingClassifier([("a", DecisionTreeClassifier())]))
    outer = VotingClassifier([("p", pipeline), ("t", DecisionTreeClassifier(random_state=4))])
    names = [name for name in outer.get_params() if name.endswith("random_state")]
    seeds = seed_nested_estimators(outer, 0, 0).get_params()
    assert len(names) == 2
    assert seeds["t__random_state"] == 4
    assert isinstance(seeds["p__votingclassifier__a__random_state"], int)
    assert (
        seed_nested_estimators(DecisionTreeClassifier(), 0, 1).random_state
        != seed_nested_estimators(DecisionTreeClassifier(), 0, 2).random_state
    )


@pytest.mark.parametrize("inner", INNER)
def test_helpers_are_reproducible(inner):
    def scores():
        result = imbcore.evaluate(X, Y, clone(INNER[inner]), folds=2, random_state=0)
        return result.proba

    np.testing.assert_array_equal(scores(), scores())


@pytest.mark.parametrize("inner", ["tree of scikit-learn", "pipeline", "forest of imbcore"])
def test_ensembles_over_estimators_are_reproducible(inner):
    makers = {
        "bagging": lambda: imbcore.BaggingClassifier(clone(INNER[inner]), n_estimators=2, random_state=0),
        "metacost": lambda: imbcore.MetaCostClassifier(
            clone(INNER[inner]), cost_matrix="balanced", n_estimators=2, random_state=0
        ),
        "decomposition": lambda: imbcore.OVAClassifier(clone(INNER[inner]), random_state=0),
    }
    for name, maker in makers.items():
        first, second = (maker().fit(X, Y).predict_proba(X) for _ in range(2))
        np.testing.assert_array_equal(first, second, err_msg=name)
