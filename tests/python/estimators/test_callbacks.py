"""Callbacks of scikit-learn 1.9: a fit is a task, and each tree or round is a task below it.

Kind: a protocol of scikit-learn that its own estimators follow and ours did not.
"""

import pickle

import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import imbcore
from imbcore.ensembles import BaggingClassifier, MetaCostClassifier

pytest.importorskip("sklearn.callback", reason="scikit-learn before 1.9 has no callbacks")

X = [[float(i % 7), float(i % 5)] for i in range(60)]
Y = [int(i % 6 == 0) for i in range(60)]


class Recorder:
    """A callback that stores the names of its events."""

    def __init__(self):
        self.events = []

    def setup(self, estimator, context):
        self.events.append(("setup", type(estimator).__name__))

    def on_fit_task_begin(self, estimator, context):
        self.events.append(("begin", context.task_name))

    def on_fit_task_end(self, estimator, context):
        self.events.append(("end", context.task_name))

    def teardown(self, estimator, context):
        self.events.append(("teardown", type(estimator).__name__))


class Propagated(Recorder):
    """A callback that a search passes to the estimators that it fits."""

    @property
    def max_propagation_depth(self):
        return None


def test_fit_and_trees_are_tasks():
    recorder = Recorder()
    forest = imbcore.ForestClassifier(n_estimators=5, random_state=0)
    assert forest.set_callbacks(recorder) is forest
    forest.fit(X, Y)
    assert recorder.events[:2] == [("setup", "ForestClassifier"), ("begin", "fit")]
    assert recorder.events[-2:] == [("end", "fit"), ("teardown", "ForestClassifier")]
    inner = recorder.events[2:-2]
    assert inner.count(("end", "trees")) == 5
    assert {name for _, name in inner} == {"held-out trees", "trees"}
    plain = imbcore.ForestClassifier(n_estimators=5, random_state=0).fit(X, Y)
    assert forest.model_.to_bytes() == plain.model_.to_bytes()
    assert not {"_callback_fit_ctx", "_skl_callbacks_to_teardown"} & set(vars(forest))


@pytest.mark.parametrize(
    "estimator",
    [
        imbcore.HDDTClassifier(),
        imbcore.BoostedTreesClassifier(n_rounds=3, random_state=0),
        BaggingClassifier(n_estimators=3, random_state=0),
        MetaCostClassifier("cart", n_estimators=3, cost_matrix="balanced", random_state=0),
        imbcore.OptimalTreeClassifier(max_depth=1),
    ],
    ids=lambda one: type(one).__name__,
)
def test_every_kind_of_fit_is_one_task(estimator):
    """Also those that override ``fit`` and call the one of their base class."""
    recorder = Recorder()
    estimator = clone(estimator).set_callbacks(recorder)
    estimator.fit(X, Y)
    assert recorder.events.count(("setup", type(estimator).__name__)) == 1
    assert recorder.events.count(("begin", "fit")) == recorder.events.count(("end", "fit")) == 1
    assert pickle.loads(pickle.dumps(estimator)).predict(X).tolist() == estimator.predict(X).tolist()


def test_error_of_a_fit_ends_the_callbacks():
    recorder = Recorder()
    forest = imbcore.ForestClassifier(n_estimators=0).set_callbacks(recorder)
    with pytest.raises(imbcore.exceptions.ParameterError):
        forest.fit(X, Y)
    assert recorder.events[-1] == ("teardown", "ForestClassifier")


def test_search_over_a_pipeline_passes_its_callbacks_on():
    recorder = Propagated()
    forest = imbcore.ForestClassifier(n_estimators=3, random_state=0)
    search = GridSearchCV(
        make_pipeline(StandardScaler(), forest), {"forestclassifier__min_samples_leaf": [1, 5]}, cv=2
    )
    search.set_callbacks(recorder).fit(X, Y)
    assert search.best_estimator_.predict(X).shape == (60,)
    assert recorder.events[0] == ("setup", "GridSearchCV")
    assert recorder.events[-1] == ("teardown", "GridSearchCV")
    assert len({name for _, name in recorder.events}) > 2
