"""Thresholds of scores that are not probabilities."""

import numpy as np
import pytest

from imbcore import metrics
from imbcore.exceptions import DataError

Y = (np.arange(400) % 7 == 0) | (np.arange(400) > 300)
P = np.arange(400) / 512
# Powers of two keep midpoints exact.
SCORES = 64 * P - 8


@pytest.mark.parametrize(
    "goal",
    [
        "f1",
        {"recall": 0.8},
        {"precision": 0.5},
        {"fpr": 0.1},
        {"alerts": 50},
        {"cost": [[0, 1], [5, 0]]},
        {"recall": 0.7, "guarantee": 0.9},
        {"fpr": 0.2, "guarantee": 0.9},
        {"precision": 0.5, "guarantee": 0.9},
    ],
)
def test_thresholds_have_the_scale_of_the_scores(goal):
    threshold, expected = metrics.threshold_for(Y, P, goal)
    scaled, performance = metrics.threshold_for(Y, SCORES, goal)
    assert scaled == 64 * threshold - 8
    assert performance == expected


def test_few_scores_above_1():
    threshold, expected = metrics.threshold_for(None, [3.0, 4.0, 5.0, 6.0], {"alerts": 1, "per": 4})
    assert threshold == 5.5
    assert expected["alert_rate"]["value"] == 0.25
    assert metrics.threshold_for([0, 0, 1, 1], [-3.0, -1.0, 2.0, 4.0], {"recall": 0.5})[0] == 3.0
    time = np.repeat([0, 1], 4)
    budget = {"alerts": 1, "per": {"time": 1}}
    assert metrics.threshold_for(None, [3.0, 4.0, 5.0, 6.0] * 2, budget, time=time)[0] == 5.5


def test_a_guarantee_for_a_cost_needs_probabilities():
    goal = {"cost": [[0, 1], [5, 0]], "at_most": 4, "guarantee": 0.9}
    assert 0 < metrics.threshold_for(Y, P, goal)[0] < 1
    with pytest.raises(DataError, match=r"needs probabilities in \[0, 1\], but score 0 is -8"):
        metrics.threshold_for(Y, SCORES, goal)


def test_unlabeled_rows_ignore_the_positive_label():
    goal, scores = {"alerts": 1, "per": 4}, [0.1, 0.2, 0.9, 0.3]
    wanted = metrics.threshold_for(None, scores, goal)
    assert metrics.threshold_for(None, scores, goal, pos_label="fraud") == wanted
