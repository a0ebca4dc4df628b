"""Groups and times reach evaluations and measures whatever the container, and nothing else is changed."""

from __future__ import annotations

import collections.abc
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from commands import run
from dependent_rows import customers

import imbcore
import imbcore.evaluation
from imbcore import metrics
from imbcore._validation.dependence_check import warn_of_dependent_rows
from imbcore._validation.frame import to_training_data
from imbcore.exceptions import DataError, ParameterError

X, Y, GROUPS = customers(60, 4, 0)
DAYS = pd.Series(pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(len(Y)) % 50, unit="D"))


def test_classes_of_other_libraries_are_not_changed() -> None:
    """Errors about arguments name our classes; those of the standard library keep their methods."""
    assert not hasattr(collections.abc.Mapping.get, "_explained")
    with pytest.raises(TypeError, match=r"^Mapping\.get\(\)"):
        os.environ.get()  # type: ignore[call-overload]


def test_measures_per_day_accept_booleans_and_reject_other_labels() -> None:
    labels = np.where(Y == 1, "fraud", "ok")
    alerts, amount = X[:, 0] > 0.5, np.arange(len(Y)) + 1.0
    time = np.arange(len(Y)) % 9
    saved = metrics.money_saved_per_day(Y, alerts.astype(int), amount, time=time)
    assert saved > 0
    assert metrics.money_saved_per_day(labels, alerts, amount, time=time, positive="fraud") == saved
    wanted = metrics.days_to_detection(Y, alerts.astype(int), time=time, groups=GROUPS)
    assert wanted == metrics.days_to_detection(labels, alerts, time=time, groups=GROUPS, positive="fraud")
    with pytest.raises(DataError):
        metrics.money_saved_per_day(labels, alerts.astype(int), amount, time=time, positive="fraud")


def test_amounts_are_matched_by_index() -> None:
    order = np.random.default_rng(0).permutation(len(Y))
    y, alerts, amount = pd.Series(Y), pd.Series(X[:, 0] > 0.5).astype(int), pd.Series(np.arange(len(Y)) + 1.0)
    given = {"time": np.arange(len(Y)) % 9}
    found = metrics.money_saved_per_day(y, alerts, amount.iloc[order], **given)
    assert found == metrics.money_saved_per_day(y, alerts, amount, **given)


def records_of(*given: Any, **options: Any) -> list[float]:
    found = imbcore.compare(*given, methods=["hddt", "cart"], protocol="1x3", random_state=0, **options)
    return [record["average_precision"] for record in found.records]


def test_groups_of_tables_by_name_are_matched_by_index() -> None:
    order = np.random.default_rng(0).permutation(len(Y))
    table = (pd.DataFrame(X), pd.Series(Y))
    groups = pd.Series(GROUPS)
    found = records_of({"t": table}, groups={"t": groups.iloc[order]})
    assert found == records_of({"t": table}, groups={"t": groups})


@pytest.mark.parametrize("kind", ["frame", "csv"])
def test_compare_reads_times_and_groups_from_columns(kind: str, tmp_path: Path) -> None:
    frame = pd.DataFrame(X, columns=list("abcdef"[: X.shape[1]])).assign(y=Y, g=GROUPS, t=DAYS)
    given: Any = frame
    if kind == "csv":
        given = tmp_path / "rows.csv"
        frame.to_csv(given, index=False)
    found = records_of(given, "y", groups="g", time="t")
    assert found == records_of(frame.drop(columns=["y", "g", "t"]), Y, groups=GROUPS, time=DAYS)


def test_batches_use_the_date_format(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    frame = pd.DataFrame({"a": X[:, 0], "y": Y, "day": DAYS.dt.strftime("%d.%m.%Y")})
    frame.to_csv(path, index=False)
    given = [str(path), "-t", "y", "-m", "cart", "--threshold", "f1", "--time", "day"]
    for more in ([], ["--batch-size", "50"]):
        output = ["-o", str(tmp_path / f"{len(more)}.imb"), "--date-format", "%d.%m.%Y"]
        assert run("fit", *given, *more, *output) == 0
    assert (tmp_path / "0.imb").read_bytes() == (tmp_path / "2.imb").read_bytes()


class GroupRecorder(imbcore.CARTClassifier):
    """Records whether ``fit`` receives groups."""

    seen: list[bool] = []  # noqa: RUF012

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **related: Any) -> Any:
        self.seen.append(related.get("groups") is not None)
        return super().fit(X, y, sample_weight, **related)


GroupRecorder.fit.__signature__ = __import__("inspect").signature(imbcore.CARTClassifier.fit)  # type: ignore[attr-defined]


def test_compare_passes_groups_to_the_choices_inside_fits() -> None:
    GroupRecorder.seen.clear()
    imbcore.compare(X, Y, {"own": GroupRecorder(), "cart": "cart"}, groups=GROUPS, protocol="1x3", n_jobs=1)
    assert GroupRecorder.seen == [True] * 3


def test_methods_may_not_have_the_name_of_a_policy() -> None:
    with pytest.raises(ParameterError, match=r"the name \(never\) is that of a policy"):
        imbcore.evaluate(X, Y, {"(never)": "hddt"}, policies=True)


@pytest.mark.filterwarnings("ignore:.*near-duplicates")
def test_equal_amounts_are_not_all_alerts() -> None:
    amount = np.where(np.arange(len(Y)) % 10 == 0, 5.0, 0.0)
    found = imbcore.evaluate(
        pd.DataFrame(X, columns=["a", "b", "c", "d"][: X.shape[1]]).assign(amount=amount),
        Y,
        ["cart"],
        policies="amount",
        folds=3,
    )
    assert found["(largest amount)"].metrics["recall"].mean() < 0.5


@pytest.mark.parametrize("levels", [30, 50])
def test_predictive_categories_are_no_groups(levels: int, recwarn: pytest.WarningsRecorder) -> None:
    """A category with many rows whose labels agree is a good feature, not an id."""
    rng = np.random.default_rng(levels)
    code = rng.integers(0, levels, 2000)
    y = (rng.random(2000) < np.where(rng.random(levels) < 0.15, 0.6, 0.05)[code]).astype(int)
    noise = rng.normal(size=(2000, 2))
    frame = pd.DataFrame({"a": noise[:, 0], "b": noise[:, 1], "icd": [f"c{one}" for one in code]})
    warn_of_dependent_rows(
        *to_training_data(frame, y, None, None, "a test", constant=False), near_duplicates=True
    )
    counts = pd.DataFrame(
        {"total_session": rng.integers(0, 90, 2000), "income.per.person": rng.integers(0, 90, 2000)}
    )
    warn_of_dependent_rows(
        *to_training_data(counts, y, None, None, "a test", constant=False), near_duplicates=True
    )
    assert [str(one.message) for one in recwarn] == []
