"""Special groups and times: weights, groups with both classes, one group, ties.

Kind: a case that the page on rows that belong together defines has the effect stated there.
"""

from typing import Any

import numpy as np
import pytest
from dependent_rows import Recorder, customers

import imbcore
from imbcore.decisions import ThresholdClassifier
from imbcore.exceptions import DataError

X, Y, GROUPS = customers(60, 4, 2)
OPTIONS: dict[str, Any] = {"threshold": "f1", "random_state": 0}
METHODS = {"hddt": {}, "random_forest": {"n_estimators": 5}, "boosted_trees": {"n_rounds": 5}}


@pytest.fixture(autouse=True)
def records() -> None:
    Recorder.fits.clear()
    Recorder.predictions.clear()


@pytest.mark.parametrize("method", METHODS)
def test_groups_without_weight_do_not_exist(method: str) -> None:
    weight = (GROUPS % 5 > 0).astype(float)
    kept, options = weight > 0, OPTIONS | METHODS[method]
    found = imbcore.fit(X, Y, method, sample_weight=weight, groups=GROUPS, **options)
    expected = imbcore.fit(X[kept], Y[kept], method, groups=GROUPS[kept], **options)
    assert found.to_bytes() == expected.to_bytes()


def test_equal_weights_of_groups_change_nothing() -> None:
    for method, options in METHODS.items():
        given: dict[str, Any] = {"groups": GROUPS, "random_state": 0} | options
        found = imbcore.fit(X, Y, method, sample_weight=np.full(len(Y), 0.5), **given)
        assert found.to_bytes() == imbcore.fit(X, Y, method, **given).to_bytes()


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_groups_with_both_classes_stay_together(share: float) -> None:
    y = (np.random.default_rng(0).random(len(Y)) < share).astype(int)
    assert any(len(set(y[group == GROUPS])) == 2 for group in range(60))
    rows = np.column_stack([X, np.arange(len(X))])
    ThresholdClassifier(Recorder(), "f1", random_state=0).fit(rows, y, groups=GROUPS)
    assert len(Recorder.predictions) == 5
    for tested in Recorder.predictions:
        assert len(tested) == 4 * len(set(GROUPS[tested]))
    rates = [y[tested].mean() for tested in Recorder.predictions]
    assert max(rates) - min(rates) < 0.15


@pytest.mark.parametrize("goal", ["f1", {"recall": 0.8}, {"alert_rate": 0.1}])
def test_one_group_has_no_inner_folds(goal: Any) -> None:
    one = np.zeros(len(X))
    with pytest.raises(DataError, match="only one of the groups"):
        imbcore.fit(X, Y, "hddt", threshold=goal, groups=one)
    with pytest.raises(DataError, match="group"):
        ThresholdClassifier(imbcore.HDDTClassifier(), goal).fit(X, Y, groups=one)
    # Without a choice, one group is allowed.
    model = imbcore.fit(X, Y, "random_forest", n_estimators=3, random_state=0, groups=one)
    assert (model.predict(X) == Y).mean() > 0.9


def test_equal_times_are_not_divided() -> None:
    time = np.random.default_rng(1).integers(0, 12, len(X))
    rows = np.column_stack([X, np.arange(len(X))])
    ThresholdClassifier(Recorder(), "f1", random_state=0).fit(rows, Y, time=time)
    assert Recorder.predictions
    for train, tested in zip(Recorder.fits, Recorder.predictions, strict=False):
        assert time[train].max() < time[tested].min()
        assert set(tested) == set(np.flatnonzero(np.isin(time, time[tested])))
    order = np.random.default_rng(2).permutation(len(X))
    options = {"threshold": "f1", "random_state": 0}
    model = imbcore.fit(X, Y, "hddt", time=time, **options)
    again = imbcore.fit(X[order], Y[order], "hddt", time=time[order], **options)
    assert again.decision_["threshold"] == model.decision_["threshold"]


def test_groups_of_one_row_each_change_no_byte() -> None:
    each = np.arange(len(X))
    for method, options in METHODS.items():
        found = imbcore.fit(X, Y, method, groups=each, **OPTIONS, **options)
        assert found.to_bytes() == imbcore.fit(X, Y, method, **OPTIONS, **options).to_bytes()
