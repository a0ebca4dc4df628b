"""Learners with inner choices, in comparisons with groups or times.

Kind: a learner that wraps other learners passes groups and times on, to its inner folds and to their fits.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from dependent_rows import Recorder, customers

import imbcore
from imbcore import evaluation

# The table is small, and the splits in time do not balance its classes.
pytestmark = pytest.mark.filterwarnings("ignore:.* of 3 test sets have fewer than 3 rows")

X, Y, GROUPS = customers(40, 5, 0)
X[:, -1] = np.arange(len(X))
TIME = np.random.default_rng(0).permutation(len(X)).astype(float)


@dataclass(frozen=True)
class GivenGroups(evaluation.Learner):
    """Learner that records the groups and times of its fits."""

    level: float = 0.0
    seen: ClassVar[list[tuple[Any, Any]]] = []

    def fit(
        self, X: Any, y: Any, place: Any, *, groups: Any = None, time: Any = None, time_gap: Any = None
    ) -> Any:
        self.seen.append((groups, time))
        return Recorder().fit(X, y)

    def with_parameters(self, **parameters: Any) -> Any:
        return GivenGroups(**parameters)


@pytest.fixture(autouse=True)
def records() -> None:
    for seen in (Recorder.fits, Recorder.predictions, GivenGroups.seen):
        seen.clear()


LEARNERS = {
    "tuned": evaluation.Tuned(GivenGroups(), {"level": [0.1, 0.2]}, folds=3),
    "threshold": evaluation.TunedThreshold(GivenGroups(), ("f1",), folds=3),
    "sweep": evaluation.Sweep({"a": GivenGroups(), "b": GivenGroups()}),
    "made": evaluation.DataDependentLearner(lambda X, y, place: GivenGroups()),
}


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("given", [{"groups": GROUPS}, {"time": TIME}, {"groups": GROUPS, "time": TIME}])
def test_groups_and_times_reach_every_fit(name: str, given: dict[str, Any]) -> None:
    found = imbcore.compare(X, Y, {name: LEARNERS[name]}, "1x3", random_state=0, **given)
    assert found.failures() == []
    assert len(GivenGroups.seen) == len(Recorder.fits) > 0
    for (groups, time), rows in zip(GivenGroups.seen, Recorder.fits, strict=True):
        assert (time is not None) == ("time" in given)
        assert time is None or (np.asarray(time) == TIME[rows]).all()
        assert (groups is not None) == ("groups" in given)
        if groups is not None:
            same = groups[:, None] == groups
            assert (same == (GROUPS[rows][:, None] == GROUPS[rows])).all()


@pytest.mark.parametrize("name", ["tuned", "threshold"])
@pytest.mark.parametrize("case", ["groups", "time"])
def test_inner_folds_are_of_whole_groups_or_of_later_rows(name: str, case: str) -> None:
    given = {"groups": GROUPS} if case == "groups" else {"time": TIME}
    imbcore.compare(X, Y, {name: LEARNERS[name]}, "1x3", random_state=0, **given)
    tested = {tuple(rows) for rows in Recorder.predictions}
    assert len(tested) > 3
    if case == "groups":
        assert all(len(rows) == 5 * len(set(GROUPS[list(rows)])) for rows in tested)
        return
    ends = [TIME[rows].max() for rows in Recorder.fits]
    starts = [TIME[list(rows)].min() for rows in tested]
    assert all(any(end < start for end in ends) for start in starts)
    # The test rows of inner and outer folds follow each other in time.
    assert all(set(np.diff(np.sort(TIME[list(rows)]))) == {1.0} for rows in tested)
