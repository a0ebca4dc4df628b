"""Unusual groups and times.

Kind: groups and times in any container, type and state give the result that is documented, or one clear error
of the library, at every entry point.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from dependent_rows import customers

import imbcore
from imbcore._cli import cli
from imbcore._cli.console import run_command
from imbcore.decisions import ThresholdClassifier
from imbcore.exceptions import DataError, ImbcoreError, ParameterError

X, Y, GROUPS = customers(60, 5, 0)
N = len(Y)
FRAME = pd.DataFrame(X, columns=list("abcd"))
DAYS = np.datetime64("2024-06-01") + np.random.default_rng(0).integers(0, 40, N)
NAMES = [f"c{group}" for group in GROUPS]
SPLITS: dict[str, Any] = {"groups": np.zeros(N), "onlyone": np.where(Y == 1, -1, GROUPS)}


def fitted(**given: Any) -> bytes:
    return imbcore.fit(FRAME, Y, "hddt", threshold="f1", random_state=0, **given).to_bytes()


def test_any_container_of_groups_gives_the_same_model() -> None:
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    expected = fitted(groups=GROUPS)
    for groups in (
        NAMES,
        pd.Categorical(NAMES),
        pd.Series(GROUPS, dtype="Int64"),
        GROUPS * 1.0,
        [(group, "x") for group in GROUPS],
        GROUPS.reshape(-1, 1),
        pd.DataFrame({"group": GROUPS}),
        np.datetime64("2024-01-01") + GROUPS,
        polars.Series(NAMES, dtype=polars.Categorical),
        pyarrow.array(NAMES).dictionary_encode(),
    ):
        assert fitted(groups=groups) == expected
    none = fitted()
    for groups in ([None] * N, np.full(N, np.nan), range(N)):
        assert fitted(groups=groups) == none
    some = fitted(groups=np.where(GROUPS < 2, np.nan, GROUPS))
    mixed = [(None, float("nan"))[group] if group < 2 else int(group) for group in GROUPS]
    assert fitted(groups=mixed) == some


def test_any_container_of_times_gives_the_same_model() -> None:
    expected = fitted(time=DAYS)
    stamps = [pd.Timestamp(day) for day in DAYS]
    zones = [None, "UTC", "Europe/Berlin"]
    for times in (
        [str(day) for day in DAYS],
        stamps,
        [stamp.date() for stamp in stamps],
        pd.Series(DAYS).dt.tz_localize("UTC"),
        # Without a time zone: UTC.
        [
            stamp if zone is None else stamp.tz_localize("UTC").tz_convert(zone)
            for stamp, zone in zip(stamps, zones * N, strict=False)
        ],
    ):
        assert fitted(time=times) == expected


@pytest.mark.parametrize("groups", [5, {1, 2}, (group for group in GROUPS)])
def test_values_that_are_no_sequence_are_refused(groups: Any) -> None:
    with pytest.raises(DataError, match=r"groups must be a sequence .* or the name of a column as text"):
        fitted(groups=groups)
    with pytest.raises(DataError, match="groups must be a sequence"):
        imbcore.evaluate(FRAME, Y, "hddt", groups=groups)


@pytest.mark.parametrize("kind", [np.asarray, list])
def test_large_integers_keep_their_order_or_are_refused(kind: Any) -> None:
    """Times in nanoseconds since 1970 that differ in floating point are times, others have no order."""
    nanoseconds = DAYS.astype("datetime64[ns]").astype(np.int64)
    assert fitted(time=kind(nanoseconds)) == fitted(time=np.unique(DAYS, return_inverse=True)[1])
    with pytest.raises(DataError, match="large integers that are equal in floating point"):
        fitted(time=kind(nanoseconds + np.arange(N)))
    assert fitted(time=kind(np.repeat(2**60 + 1, N // 2).tolist() + [2**61 + 1] * (N - N // 2)))


@pytest.mark.parametrize("groups", SPLITS.values(), ids=SPLITS)
def test_too_few_groups_for_a_guarantee(groups: Any) -> None:
    goal = {"recall": 0.5, "guarantee": 0.8}
    for fit in (
        lambda: imbcore.fit(FRAME, Y, "hddt", threshold=goal, groups=groups),
        lambda: ThresholdClassifier(imbcore.HDDTClassifier(), goal).fit(FRAME, Y, groups=groups),
    ):
        with pytest.raises(DataError, match=r"0 (groups with )?positive rows are held out, but a guarantee"):
            fit()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"time": pd.Series(DAYS).dt.to_period("M")}, "must contain numbers or dates"),
        ({"time": pd.Series(DAYS) - pd.Timestamp("2024-01-01")}, "must contain numbers or dates"),
        ({"time": np.arange(N) > 3}, "must contain numbers or dates, got bool"),
        ({"time": [pd.NaT, *DAYS[1:]]}, "time is missing in row 0"),
        ({"time": np.zeros(N)}, "all rows have the same time"),
        ({"time": DAYS, "time_gap": "400d"}, "smaller time_gap"),
        ({"time": DAYS, "time_gap": 1000}, "smaller time_gap"),
        ({"time": DAYS, "time_gap": "1M"}, "time_gap must be"),
        ({"time": DAYS, "time_gap": float("nan")}, "time_gap must be"),
        ({"time": ["24.12.2024"] * N}, "or convert the dates to timestamps first"),
        ({"groups": np.c_[GROUPS, GROUPS]}, r"shape \(300, 2\)"),
        ({"groups": Y}, "a class occurs in only one of the groups"),
    ],
)
def test_times_and_groups_without_a_choice_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ImbcoreError, match=message):
        fitted(**given)
    with pytest.raises(ImbcoreError, match=message):
        ThresholdClassifier(imbcore.HDDTClassifier()).fit(FRAME, Y, **given)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("option", ["--groups", "--time"])
def test_labels_are_no_groups_or_times(suffix: str, option: str, tmp_path: Any, capsys: Any) -> None:
    path = tmp_path / f"rows.{suffix}"
    table = FRAME.assign(y=Y)
    table.to_csv(path, index=False) if suffix == "csv" else table.to_parquet(path)
    for command in (["fit", str(path), "-o", str(tmp_path / "model.imb")], ["evaluate", str(path)]):
        assert run_command(cli, [*command, "-t", "y", "-m", "hddt", option, "y"]) == 2
        assert "cannot hold both the labels and the groups or times" in capsys.readouterr().err
    with pytest.raises(ParameterError, match="cannot hold both the labels"):
        imbcore.fit(table, "y", "hddt", **{option[2:]: "y"})
    with pytest.raises(ParameterError, match="cannot hold both the labels"):
        imbcore.evaluate(table, "y", "hddt", **{option[2:]: "y"})
