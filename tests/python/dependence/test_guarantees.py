"""Kind: a guarantee for rows of groups counts groups, and says for which rows it holds.

Before, it counted rows, and its target was missed on new groups.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dependent_rows import customers

import imbcore
from imbcore.exceptions import DataError

X, Y, GROUPS = customers(400, 5, 3)
NEW_X, NEW_Y, _ = customers(5000, 1, 77)


def fit(goal: dict[str, Any], **given: Any) -> imbcore.Model:
    return imbcore.fit(X, Y, "hddt", threshold=goal, random_state=0, max_depth=3, **given)


@pytest.mark.parametrize(
    ("goal", "measure"),
    [
        ({"recall": 0.6}, lambda alerts, y: alerts[y == 1].mean() >= 0.6),
        ({"fpr": 0.3}, lambda alerts, y: alerts[y == 0].mean() <= 0.3),
        ({"alert_rate": 0.3}, lambda alerts, y: alerts.mean() <= 0.3),
        (
            {"cost": [[0, 1], [2, 0]], "at_most": 0.9},
            lambda alerts, y: np.where(y == 1, 2 * ~alerts, alerts).mean() <= 0.9,
        ),
    ],
)
def test_targets_hold_on_new_groups(goal: dict[str, Any], measure: Any) -> None:
    model = fit(goal | {"guarantee": 0.9}, groups=GROUPS)
    assert measure(model.predict(NEW_X) == 1, NEW_Y)
    assert "random row of a random new group" in model.decision_["assumes"]
    assert model.decision_["source"] == "held_out"


def test_groups_are_counted_before_the_fit() -> None:
    with pytest.raises(DataError, match=r"\d+ groups with positive rows are held out"):
        fit({"recall": 0.99, "guarantee": 0.95}, groups=GROUPS)
    # As many rows suffice if they are independent.
    assert fit({"recall": 0.95, "guarantee": 0.9}).decision_.get("assumes") is None


def test_no_promise_is_made_over_time() -> None:
    model = fit({"recall": 0.6, "guarantee": 0.9}, time=np.arange(len(Y)) % 101)
    assert "no guarantee covers arbitrary changes over time" in model.decision_["assumes"]
    both = fit({"recall": 0.6, "guarantee": 0.9}, groups=GROUPS, time=GROUPS % 101)
    assert "; no guarantee" in both.decision_["assumes"]


def test_the_assumption_is_stored(tmp_path: Any) -> None:
    model = fit({"fpr": 0.3, "guarantee": 0.9}, groups=GROUPS)
    model.save(tmp_path / "model.imb")
    assert imbcore.load(tmp_path / "model.imb").decision_ == model.decision_
    assert model.decision_["assumes"].count("its negative rows") == 1
