"""Groups and times together, and labels that become known later.

Kind: the rows that train for a test set are those that would be at hand in use: earlier, of other groups, and
with labels that are known. Test rows are never dropped, and the result states how many training rows were.
"""

from __future__ import annotations

import json
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from evaluated import RESULT, NoWeights
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression

import imbcore
from imbcore.decisions import ThresholdClassifier
from imbcore.evaluation._dependence import Splits, TableGroupsAndTimes
from imbcore.evaluation._scores_json import scores_json
from imbcore.exceptions import DataError, ParameterError

N = 240
_RNG = np.random.default_rng(5)
X = _RNG.normal(size=(N, 3))
Y = (X[:, 0] + _RNG.normal(size=N) > 1).astype(int)
WHO = _RNG.integers(0, 80, N)
DAY = _RNG.permutation(N) // 3
KNOWN = DAY + _RNG.integers(0, 30, N)


def expected_train(fold, test, *, groups=None, known=None, gap=0):
    start = DAY[test].min()
    train = [row for row in range(N) if DAY[row] < start and DAY[row] <= start - gap]
    if groups is not None:
        tested = set(groups[test].tolist())
        train = [row for row in train if groups[row] not in tested]
    if known is not None:
        train = [row for row in train if known[row] <= start]
    return train


class RecordingClassifier(NoWeights):
    """Stores the training rows, found by the first column, which has no ties."""

    seen: ClassVar[list[list[int]]] = []

    def fit(self, X, y):
        row = {value: at for at, value in enumerate(globals()["X"][:, 0].tolist())}
        self.seen.append([row[value] for value in X[:, 0].tolist()])
        return super().fit(X, y)


@pytest.mark.parametrize(
    "options",
    [
        {"groups": WHO},
        {"known": KNOWN},
        {"groups": WHO, "known": KNOWN},
        {"groups": WHO, "known": KNOWN, "gap": 4},
    ],
)
def test_training_rows_are_earlier_of_other_groups_and_known(options):
    RecordingClassifier.seen.clear()
    result = imbcore.evaluate(
        X,
        Y,
        RecordingClassifier(),
        time=DAY,
        groups=options.get("groups"),
        label_time=options.get("known"),
        time_gap={"time": options.get("gap", 0)},
        folds=4,
    )
    plain = imbcore.evaluate(X, Y, NoWeights(), time=DAY, folds=4)
    assert result.rows.tolist() == plain.rows.tolist()
    assert result.fold.tolist() == plain.fold.tolist()
    n_earlier = []
    for fold, seen in enumerate(RecordingClassifier.seen):
        test = result.rows[result.fold == fold]
        assert seen == expected_train(fold, test, **options)
        n_earlier.append(len(expected_train(fold, test, gap=options.get("gap", 0))))
    dropped = sum(result.dropped.values())
    assert (np.array(n_earlier) - dropped).tolist() == [len(seen) for seen in RecordingClassifier.seen]
    n_train = sum(map(len, RecordingClassifier.seen))
    assert result.test_to_train == len(result.rows) / n_train
    for name, reason in (("groups", "of groups in the test set"), ("label_time", "not yet known")):
        if (name if name == "groups" else "known") in options:
            counts = result.dropped[name]
            assert counts.sum() > 0
            assert f"{counts.sum():,} training rows" in str(result)
            assert reason in result.parts
    assert json.dumps(scores_json({"a": result}))


@pytest.mark.filterwarnings("ignore:.*threshold=.* does not fit the final model:UserWarning")
@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("cart", {"max_depth": 3}),
        ("random_forest", {"n_estimators": 5}),
        ("hddt", {"class_weight": "balanced", "sample_weight": _RNG.random(N) * 0.5}),
        ("naive_bayes", {"threshold": "f1", "cost_matrix": None}),
        ("boosted_trees", {"n_rounds": 3, "cost_matrix": [[0, 1], [9, 0]], "alerts": 20}),
        ("rusboost", {"n_estimators": 3, "costs": {"alarm": 1, "miss": "amount"}}),
    ],
)
def test_methods_by_name_have_the_seeds_and_weights_of_the_native_loop(method, parameters):
    """If nothing is dropped, the loop over given training rows gives the bytes of the native loop."""
    from imbcore._bindings.trials import create_splits, cross_validate
    from imbcore._validation.frame import to_training_data
    from imbcore._validation.options import pop_fit_options
    from imbcore.evaluation._entries import MethodToEvaluate
    from imbcore.evaluation._evaluate import _plan_splits
    from imbcore.evaluation._method_folds import evaluate_method

    table = pd.DataFrame(X, columns=["a", "b", "amount"]).abs().assign(kind=np.where(X[:, 1] > 0, "u", "v"))
    parameters = dict(parameters)
    alerts = parameters.pop("alerts", None)
    given = pop_fit_options(parameters) | {"random_state": 3, "n_threads": 1}
    del given["categorical_features"], given["feature_names"]
    rows = to_training_data(table, Y, None, None, "test", constant=False)
    dependence = TableGroupsAndTimes.from_arguments(N, None, DAY, None, None, None)
    splits = Splits(
        create_splits(rows, _plan_splits(dependence, 3, 1, alerts), given), dependence, rows[1].codes
    )
    given["positive"] = 1
    of_rows = given | {"dependence": splits.row_dependence}
    expected = cross_validate(method, method, parameters, rows, splits.trial, of_rows)
    found = evaluate_method(MethodToEvaluate(method, method), parameters, rows, splits, given)
    for name in ("values", "predicted", "proba"):
        assert found[name].tobytes() == np.asarray(expected[name]).tobytes(), name


@pytest.mark.parametrize("method", ["cart", LogisticRegression()])
def test_reasons_without_an_effect_change_nothing(method):
    """Groups of one row are no groups, and labels known at once drop nothing: the bytes are the same."""
    options = {"time": DAY, "folds": 3, "random_state": 0}
    plain = imbcore.evaluate(X, Y, method, **options)
    for extra in ({"groups": np.arange(N)}, {"label_time": DAY}, {"groups": [None] * N}):
        found = imbcore.evaluate(X, Y, method, **options, **extra)
        assert found.proba.tobytes() == plain.proba.tobytes()
        assert found.test_to_train == pytest.approx(plain.test_to_train)
    alone = imbcore.evaluate(X, Y, method, groups=np.arange(N), random_state=0)
    expected = imbcore.evaluate(X, Y, method, random_state=0)
    assert alone.proba.tobytes() == expected.proba.tobytes()
    assert alone.division == expected.division == "stratified folds"


@pytest.mark.parametrize("method", ["cart", "random_forest", LogisticRegression()])
def test_labels_known_later_do_not_change_earlier_folds(method):
    """Leak test: a shuffle of labels known only after the start of a test set changes nothing in it."""
    options = {"time": DAY, "label_time": KNOWN, "folds": 4, **RESULT}
    first = imbcore.evaluate(X, Y, method, **options)
    for fold in range(3):
        start = DAY[first.rows[first.fold == fold]].min()
        late = np.flatnonzero(start < KNOWN)
        changed = Y.copy()
        changed[late] = np.random.default_rng(1).permutation(Y[late])
        assert (changed != Y).sum() > 10
        found = imbcore.evaluate(X, changed, method, **options)
        until = first.fold <= fold
        assert found.proba[until].tobytes() == first.proba[until].tobytes()
        leaking = imbcore.evaluate(X, changed, method, time=DAY, folds=4, **RESULT)
        without = imbcore.evaluate(X, Y, method, time=DAY, folds=4, **RESULT)
        assert leaking.proba[until].tobytes() != without.proba[until].tobytes()


def test_dates_and_named_columns():
    day = np.datetime64("2024-03-01") + DAY
    known = pd.Series(np.datetime64("2024-03-01") + KNOWN).dt.strftime("%d.%m.%Y")
    table = pd.DataFrame(X, columns=list("abc")).assign(day=day, who=WHO, known=known)
    expected = imbcore.evaluate(X, Y, "cart", time=DAY, groups=WHO, label_time=KNOWN, folds=3, **RESULT)
    options = {"time": "day", "groups": "who", "label_time": "known", "date_format": "%d.%m.%Y"}
    found = imbcore.evaluate(table, Y, "cart", **options, folds=3, **RESULT)
    assert found.proba.tobytes() == expected.proba.tobytes()
    assert found.parts == expected.parts
    series = {"time": pd.Series(day), "groups": pd.Series(WHO), "label_time": pd.Series(known)}
    turned = {name: values[::-1] for name, values in series.items()}
    found = imbcore.evaluate(
        table[["a", "b", "c"]], Y, "cart", **turned, date_format="%d.%m.%Y", folds=3, **RESULT
    )
    assert found.proba.tobytes() == expected.proba.tobytes()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"label_time": KNOWN}, ParameterError, "label_time is compared with the times.*give time, too"),
        (
            {"time": DAY, "label_time": np.datetime64("2024-01-01") + KNOWN},
            ParameterError,
            "time and label_time must both be dates",
        ),
        (
            {"time": DAY, "label_time": np.where(KNOWN[0] == KNOWN, np.nan, KNOWN)},
            DataError,
            "label_time is missing in row 0",
        ),
        ({"time": DAY, "label_time": KNOWN[1:]}, DataError, f"label_time has {N - 1} values"),
        (
            {"time": DAY, "groups": np.zeros(N)},
            DataError,
            "fold 0: no row is left; of 60 earlier rows, 60 are of groups in the test set",
        ),
        ({"time": DAY, "label_time": np.full(N, 999.0)}, DataError, "no row is left.*labels not yet known"),
        (
            {"time": DAY, "label_time": np.where(Y, 999.0, DAY)},
            DataError,
            "training part of fold 0: y has only one class",
        ),
        ({"time": DAY, "groups": WHO, "repeats": 2}, ParameterError, "repeats must be 1 with time"),
    ],
)
def test_invalid_arguments_are_errors(options, error, message):
    with pytest.raises(error, match=message):
        imbcore.evaluate(X, Y, "cart", folds=3, **options)


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_groups_that_recur_in_time_are_tested_in_parts(command):
    who = np.arange(N) % 30
    RecordingClassifier.seen.clear()
    given = {"groups": who, "time": DAY}
    if command == "evaluate":
        found = imbcore.evaluate(X, Y, RecordingClassifier(), folds=3, **given)
        assert "each with one model per third of the groups" in str(found)
        tests = [found.rows[found.fold == fold] for fold in range(3)]
        later = imbcore.evaluate(X, Y, RecordingClassifier(), folds=3, time=DAY)
        np.testing.assert_array_equal(found.rows, later.rows)
        del RecordingClassifier.seen[-3:]
    else:
        imbcore.compare(X, Y, {"it": RecordingClassifier()}, protocol="1x3", **given)
    assert len(RecordingClassifier.seen) == 9
    for fold in range(3):
        parts = RecordingClassifier.seen[3 * fold : 3 * fold + 3]
        # Each of the three models knows about two thirds of the groups.
        known = [set(who[train]) for train in parts]
        assert all(15 < len(of) <= 22 for of in known)
        if command == "evaluate":
            # No tested group is known to all models.
            assert not set.intersection(*known, set(who[tests[fold]]))
            assert all(DAY[train].max() < DAY[tests[fold]].min() for train in parts)


class GroupMean(BaseEstimator, ClassifierMixin):
    """Predicts the positives of the training rows of a group; 0.5 for unknown groups."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.means_ = {who: y[X[:, 0] == who].mean() for who in np.unique(X[:, 0])}
        return self

    def predict_proba(self, X):
        found = np.array([self.means_.get(who, 0.5) for who in X[:, 0]])
        return np.c_[1 - found, found]

    def predict(self, X):
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]


@pytest.mark.filterwarnings("ignore:column 'x0' is a feature, but identifies the groups")
def test_no_test_row_is_predicted_by_a_model_that_knows_its_group():
    who = np.arange(N) % 30
    labels = (who < 5).astype(int)
    found = imbcore.evaluate((who ^ 9)[:, None], labels, GroupMean(), groups=who, time=DAY, folds=3)
    assert set(found.proba[:, 1]) == {0.5}


@pytest.mark.parametrize("kind", ["option", "wrapper", "compare"])
def test_alert_budgets_count_all_groups(kind):
    """A weekly budget holds over all machines, although each model is fitted to a part of them."""
    rng = np.random.default_rng(0)
    n_machines, n_days = 60, 140
    machine, day = np.tile(np.arange(n_machines), n_days), np.repeat(np.arange(n_days), n_machines)
    table = rng.normal(size=(len(day), 2))
    failing = (table[:, 0] + rng.normal(size=len(day)) > 2.6).astype(int)
    budget = {"alerts": 6, "per": {"time": 7.0}}
    given = {"groups": machine, "time": day}
    if kind == "compare":
        wrapped = ThresholdClassifier(LogisticRegression(), threshold=budget)
        found = imbcore.compare(table, failing, {"it": wrapped}, protocol="1x3", alerts=budget, **given)
        alerts = np.mean([record["alerts_per_day"] for record in found.records])
    else:
        if kind == "option":
            found = imbcore.evaluate(
                table, failing, "logistic_regression", folds=3, threshold=budget, alerts=budget, **given
            )
        else:
            wrapped = ThresholdClassifier(LogisticRegression(), threshold=budget)
            found = imbcore.evaluate(table, failing, wrapped, folds=3, alerts=budget, **given)
        alerts = found.mean()["alerts_per_day"]
        assert found.dropped["groups"].tolist() == [
            round((found.rows[found.fold == fold].min()) / 3) for fold in range(3)
        ]
    assert 4.5 < alerts < 7.5, alerts


@pytest.mark.filterwarnings("ignore:column 'x0' is a feature, but identifies the groups")
def test_thresholds_of_recurring_groups_come_from_new_groups():
    """Inner folds by groups and times divide groups with rows at all times into parts."""
    who = np.arange(N) % 30
    # A model recognizes the groups of its training rows, and learns nothing about others.
    labels = (who < 5).astype(int)
    encoded = np.c_[who ^ 9, np.random.default_rng(0).normal(size=N)]
    given = {"time": DAY, "threshold": "f1", "random_state": 0}
    known = imbcore.fit(encoded, labels, "cart", **given).decision_["expected"]
    new = imbcore.fit(encoded, labels, "cart", groups=who, **given).decision_["expected"]
    assert known["precision"]["value"] == 1
    assert new["precision"]["value"] < 0.6


def test_training_rows_without_positives_are_explained():
    machine, day = np.tile(np.arange(30), 60), np.repeat(np.arange(60), 30)
    failing = (machine == 0) & (day % 5 == 0) | (machine % 7 == 0) & (day > 40)
    with pytest.raises(
        DataError, match=r"fold 0 for a third of the test groups: .*; leave out groups or time"
    ):
        imbcore.evaluate(day[:, None], failing, "cart", groups=machine, time=day, folds=3)
