"""Thresholds that alert on every row or on none decide nothing; a warning names the remedy."""

import numpy as np
import pytest

import imbcore
from imbcore import metrics
from imbcore.decisions import ThresholdClassifier
from imbcore.exceptions import DataWarning
from imbcore.trees import CARTClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(200, 2))
Y = rng.permutation([0] * 180 + [1] * 20)


def test_threshold_that_alerts_on_every_row_warns():
    with pytest.warns(DataWarning, match=r"alerts on every row; give a lower target, or an alert budget"):
        imbcore.fit(X, Y, "cart", max_depth=1, threshold={"recall": 1.0}, random_state=0)


def test_functions_and_wrappers_warn_too():
    with pytest.warns(DataWarning, match="alerts on every row"):
        metrics.threshold_for([0, 0, 1], [0.5, 0.6, 0.5], {"recall": 1.0})
    with pytest.warns(DataWarning, match="alerts on every row"):
        ThresholdClassifier(CARTClassifier(max_depth=1), threshold={"recall": 1.0}, random_state=0).fit(X, Y)


def test_threshold_that_separates_does_not_warn(recwarn):
    metrics.threshold_for([0, 0, 1], [0.1, 0.2, 0.9], {"recall": 1.0})
    separable = np.where(Y == 1, 3.0, 0.0)[:, None] + X
    imbcore.fit(separable, Y, "cart", threshold="f1", random_state=0)
    assert not [one for one in recwarn if "alerts on" in str(one.message)]
