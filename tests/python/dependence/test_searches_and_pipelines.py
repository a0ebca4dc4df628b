"""Row metadata reach every part of an estimator that splits or weighs rows, or a warning names the part.

Kind: groups, times and weights of the rows were dropped, or refused, if a search, a pipeline or a
meta-estimator was between the caller and the part of the estimator that uses them.
"""

from __future__ import annotations

import re
import warnings
from typing import ClassVar

import numpy as np
import pytest
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.metrics import get_scorer
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    RandomizedSearchCV,
    StratifiedGroupKFold,
    TimeSeriesSplit,
)
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

import imbcore
from imbcore import evaluation
from imbcore.decisions import CalibratedClassifier, MinExpectedCostClassifier, ThresholdClassifier
from imbcore.exceptions import DataWarning, ParameterError
from imbcore.sampling import SMOTE

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 3))
Y = (X[:, 0] + RNG.normal(size=120) > 0.8).astype(int)
GROUPS = np.arange(120) // 3
WEIGHTS = np.where(Y == 1, 5.0, 1.0)


class Spy(StratifiedGroupKFold):
    """A splitter that records the number of groups of every split."""

    seen: ClassVar[list[int | None]] = []

    def split(self, X, y=None, groups=None):
        Spy.seen.append(None if groups is None else len(np.unique(groups)))
        return super().split(X, y, groups)


class Weighted(LogisticRegression):
    """A classifier that records whether its fits received weights."""

    seen: ClassVar[list[bool]] = []

    def fit(self, X, y, sample_weight=None):
        Weighted.seen.append(sample_weight is not None)
        return super().fit(X, y, sample_weight)


@pytest.fixture(autouse=True)
def _cleared():
    Spy.seen.clear()
    Weighted.seen.clear()


def tree(**parameters):
    return imbcore.CARTClassifier(max_depth=2, positive=1, **parameters)


def search(estimator=None, cv=None, **parameters):
    grid = {"max_depth": [1, 2]}
    return GridSearchCV(estimator or tree(), grid, cv=cv or Spy(3), scoring="average_precision", **parameters)


def evaluated(estimator, **options):
    """Return the warnings of an evaluation about parts that split rows."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        imbcore.evaluate(X, Y, estimator, folds=2, random_state=0, **options)
    messages = [str(one.message) for one in found if issubclass(one.category, DataWarning)]
    return [message for message in messages if "without regard" in message]


SEARCHES = {
    "search": lambda: search(),
    "random": lambda: RandomizedSearchCV(tree(), {"max_depth": [1, 2]}, n_iter=2, cv=Spy(3)),
    "pipeline": lambda: make_pipeline(StandardScaler(), search()),
    "search of a pipeline": lambda: GridSearchCV(
        Pipeline([("scale", StandardScaler()), ("tree", tree())]), {"tree__max_depth": [1, 2]}, cv=Spy(3)
    ),
    "search of another library": lambda: GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=Spy(3)),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_splits_by_the_groups(name):
    assert evaluated(SEARCHES[name](), groups=GROUPS) == []
    assert Spy.seen == [20, 20]


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_splits_by_the_groups_in_compare(name):
    imbcore.compare(X, Y, {"search": SEARCHES[name]()}, "1x2", groups=GROUPS)
    assert Spy.seen == [20, 20]


@pytest.mark.parametrize("name", SEARCHES)
def test_a_wrapped_search_splits_by_the_groups(name):
    ThresholdClassifier(SEARCHES[name](), cv=2, random_state=0).fit(X, Y, groups=GROUPS)
    assert all(groups is not None and groups < 41 for groups in Spy.seen)
    assert len(Spy.seen) == 3


@pytest.mark.parametrize(
    ("estimator", "words"),
    [
        (search(cv=3), "GridSearchCV .* groups.*StratifiedGroupKFold.*Tuned"),
        (search(cv=KFold(3)), "GridSearchCV .* groups"),
        (make_pipeline(StandardScaler(), search(cv=3)), "GridSearchCV .* groups"),
        (CalibratedClassifierCV(tree(), cv=3), "CalibratedClassifierCV .*enable_metadata_routing"),
        (LogisticRegressionCV(Cs=2, cv=2), "LogisticRegressionCV .* groups"),
        (search(ThresholdClassifier(tree()), Spy(3)).set_params(param_grid={"cv": [2]}), "set_fit_request"),
        (imbcore.BaggingClassifier(imbcore.CARTClassifierCV(cv=2), n_estimators=2), "CARTClassifierCV"),
        (imbcore.OVAClassifier(imbcore.CARTClassifierCV(cv=2)), "CARTClassifierCV .* set_fit_request"),
        (evaluation.Resampled(SMOTE(), search(cv=3)), "GridSearchCV"),
    ],
)
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_inner_folds_without_groups_warn(estimator, words):
    found = evaluated(estimator, groups=GROUPS)
    assert len(found) == 1
    assert re.search(words, found[0])


@pytest.mark.parametrize(
    "estimator",
    [
        tree(),
        ThresholdClassifier(tree(), cv=2),
        sklearn.ensemble.BaggingClassifier(imbcore.NaiveBayesClassifier(threshold="prior"), n_estimators=2),
        make_pipeline(StandardScaler(), ThresholdClassifier(tree(), cv=2)),
        MinExpectedCostClassifier(CalibratedClassifier(tree(), cv=2)),
        imbcore.BaggingClassifier(tree(), n_estimators=2),
        LogisticRegression(),
        evaluation.Tuned(tree(), {"max_depth": [1, 2]}, folds=2),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_estimators_with_grouped_or_no_choices_do_not_warn(estimator):
    assert evaluated(estimator, groups=GROUPS) == []


def test_a_pipeline_passes_groups_to_the_inner_folds_of_its_last_step():
    wrapped = ThresholdClassifier(imbcore.HDDTClassifier(), "f1", random_state=0)
    alone = ThresholdClassifier(imbcore.HDDTClassifier(), "f1", random_state=0)
    found = imbcore.evaluate(X, Y, make_pipeline("passthrough", wrapped), groups=GROUPS, random_state=0)
    expected = imbcore.evaluate(X, Y, make_pipeline(alone), groups=GROUPS, random_state=0)
    assert found.predicted.tolist() == expected.predicted.tolist()


def test_a_search_without_times_warns():
    assert "times" in evaluated(search(cv=3), time=np.arange(120))[0]
    assert evaluated(search(cv=TimeSeriesSplit(2)), time=np.arange(120)) == []


@pytest.mark.parametrize(
    "make",
    [
        lambda: make_pipeline(StandardScaler(), Weighted()),
        lambda: GridSearchCV(Weighted(), {"C": [0.1, 1.0]}, cv=2),
        lambda: GridSearchCV(make_pipeline(Weighted()), {"weighted__C": [0.1]}, cv=2),
        lambda: ThresholdClassifier(make_pipeline(Weighted()), cv=2),
        lambda: imbcore.BaggingClassifier(make_pipeline(Weighted()), n_estimators=2, bootstrap=False),
        lambda: imbcore.OVAClassifier(make_pipeline(StandardScaler(), Weighted())),
    ],
)
def test_weights_reach_the_classifier_in_a_pipeline_or_search(make):
    evaluated(make(), sample_weight=WEIGHTS)
    assert Weighted.seen
    assert all(Weighted.seen)


def test_a_pipeline_with_a_sampler_receives_no_weights():
    pipeline = pytest.importorskip("imblearn.pipeline").make_pipeline(SMOTE(), Weighted())
    with pytest.raises(ParameterError, match="does not support sample_weight"):
        evaluated(pipeline, sample_weight=WEIGHTS)


def test_options_of_every_classifier_are_checked_before_the_first_fit():
    fits = []

    class Recorded(LogisticRegression):
        def fit(self, X, y, sample_weight=None):
            fits.append(1)
            return super().fit(X, y)

    from sklearn.neighbors import KNeighborsClassifier

    with pytest.raises(ParameterError, match=r"KNeighborsClassifier\.fit does not support sample_weight"):
        imbcore.evaluate(X, Y, [Recorded(), KNeighborsClassifier()], sample_weight=WEIGHTS)
    assert fits == []


# With metadata routing of scikit-learn.


@pytest.fixture
def routed():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def requested():
    return tree().set_fit_request(groups=True, sample_weight=True)


def scaled(last):
    return Pipeline([("scale", StandardScaler().set_fit_request(sample_weight=False)), ("last", last)])


def routed_search(estimator):
    scorer = get_scorer("average_precision").set_score_request(sample_weight=False)
    return GridSearchCV(estimator, {}, cv=Spy(3), scoring=scorer)


ROUTED = {
    "pipeline": lambda: scaled(requested()),
    "search": lambda: routed_search(requested()),
    "search of a pipeline": lambda: routed_search(scaled(requested())),
    "decomposition": lambda: imbcore.OVAClassifier(requested()).set_fit_request(sample_weight=True),
}


@pytest.mark.usefixtures("routed")
@pytest.mark.parametrize("name", ROUTED)
@pytest.mark.parametrize("wrapper", [None, ThresholdClassifier, CalibratedClassifier])
def test_requested_metadata_are_routed(name, wrapper):
    estimator = ROUTED[name]()
    if wrapper:
        estimator = wrapper(estimator, cv=2, random_state=0)
    assert evaluated(estimator, groups=GROUPS, sample_weight=WEIGHTS) == []
    assert all(groups is not None for groups in Spy.seen)
    assert bool(Spy.seen) == ("search" in name)


@pytest.mark.usefixtures("routed")
def test_routed_weights_change_the_fit():
    def proba(request):
        pipeline = scaled(tree().set_fit_request(sample_weight=request, groups=False))
        return (
            ThresholdClassifier(pipeline, cv=2, random_state=0)
            .fit(X, Y, sample_weight=WEIGHTS)
            .predict_proba(X)
        )

    weighted = tree().fit(StandardScaler().fit_transform(X), Y, sample_weight=WEIGHTS)
    assert np.array_equal(proba(True), weighted.predict_proba(StandardScaler().fit_transform(X)))


@pytest.mark.usefixtures("routed")
def test_a_wrapper_respects_a_refusal_of_its_estimator():
    def proba(estimator):
        wrapped = ThresholdClassifier(estimator, cv=2, random_state=0)
        return wrapped.fit(X, Y, sample_weight=WEIGHTS, groups=GROUPS).predict_proba(X)

    refused = proba(tree().set_fit_request(sample_weight=False))
    assert np.array_equal(refused, tree().fit(X, Y).predict_proba(X))
    # An unset request is no refusal.
    assert np.array_equal(proba(tree()), tree().fit(X, Y, sample_weight=WEIGHTS).predict_proba(X))


@pytest.mark.usefixtures("routed")
def test_inner_folds_that_request_no_groups_warn():
    found = evaluated(Pipeline([("last", ThresholdClassifier(tree(), cv=2))]), groups=GROUPS)
    assert len(found) == 1
    assert "set_fit_request(groups=True)" in found[0]
    refused = ThresholdClassifier(tree(), cv=2).set_fit_request(groups=False)
    assert evaluated(Pipeline([("last", refused)]), groups=GROUPS) == []


@pytest.mark.usefixtures("routed")
def test_weights_that_no_part_requests_are_an_error_with_a_remedy():
    with pytest.raises(ParameterError, match=r"set_fit_request\(sample_weight=True\)"):
        evaluated(Pipeline([("last", LogisticRegression())]), sample_weight=WEIGHTS)


@pytest.mark.parametrize("cv", [True, 0])
def test_an_invalid_number_of_folds_is_an_error_of_the_fit(cv):
    search = GridSearchCV(LogisticRegression(), {"C": [1.0]}, cv=cv)
    with pytest.raises(imbcore.exceptions.ImbcoreError):
        imbcore.evaluate(X, Y, search, groups=GROUPS, folds=3)


def test_given_pairs_of_rows_do_not_warn():
    half = np.arange(120) < 60
    pairs = [(np.flatnonzero(half), np.flatnonzero(~half))]
    with sklearn.config_context(enable_metadata_routing=True), warnings.catch_warnings():
        warnings.simplefilter("error")
        search = GridSearchCV(LogisticRegression(), {"C": [1.0]}, cv=pairs)
        assert [*evaluation_warnings(search)] == []


def evaluation_warnings(estimator):
    """Parts of an estimator that would split rows without groups."""
    from imbcore._estimators.row_arguments import _parts_lacking_metadata

    return _parts_lacking_metadata(estimator, frozenset({"groups"}), frozenset())


@pytest.mark.parametrize("wrapper", [ThresholdClassifier, CalibratedClassifier])
def test_weights_of_0_in_all_rows_are_refused(wrapper):
    with pytest.raises(imbcore.exceptions.DataError, match="sample_weight is zero for every row"):
        wrapper(Weighted()).fit(X, Y, sample_weight=np.zeros(120))
