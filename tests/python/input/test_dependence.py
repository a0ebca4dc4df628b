"""Groups and times of rows in any container: equal values are equal, whatever holds them.

Kind: a value per row (group or time) has one meaning for every type and container, and a missing or invalid
value is found with its row.
"""

from __future__ import annotations

import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from imbcore._validation.columns import Nominal
from imbcore._validation.dependence import (
    format_time_span,
    group_codes,
    holds_dates,
    parse_time_gap,
    split_off_columns,
    time_span_to_seconds,
    times_to_numbers,
)
from imbcore._validation.read import read_raw_table
from imbcore._validation.table import Table
from imbcore.exceptions import DataError, ParameterError

BIG = 2**62


class TestGroups:
    @pytest.mark.parametrize(
        "values",
        [
            ["b", "a", "b", "c"],
            [("x", 1), ("x", 2), ("x", 1), ()],
            [1, "1", 1, None],
            [BIG, BIG + 1, BIG, -1],
            np.array([BIG, BIG + 1, BIG, 0], dtype=np.uint64),
            np.array([7.5, -0.5, 7.5, np.nan]),
            np.array(["b", "a", "b", ""]),
            np.array([b"b", b"a", b"b", b"c"]),
            np.array([True, False, True, None], dtype=object),
            np.array(["2024-01-02", "2024-01-01", "2024-01-02", "NaT"], dtype="datetime64[D]"),
            np.array([2, 1, 2, 3], dtype="timedelta64[h]"),
            np.array([1 + 2j, 0, 1 + 2j, 3]),
            np.array([(1, "a"), (2, "a"), (1, "a"), (1, "b")], dtype="i4,U1"),
            np.ma.masked_array([5, 4, 5, 5], mask=[False, False, False, True]),
            np.array([[9], [8], [9], [7]]),
            [[9], [8], [9], [7]],
            [frozenset("ab"), frozenset("c"), frozenset("ba"), frozenset()],
            [datetime.date(2024, 1, 2), datetime.date(2024, 1, 1), datetime.date(2024, 1, 2), pd.NaT],
            pd.Series([BIG, BIG + 1, BIG, None], dtype="Int64"),
            pd.Series([BIG, BIG + 1, BIG, None], dtype="int64[pyarrow]"),
            pd.Series(["b", "a", "b", None], dtype="category"),
            pd.Series(["b", "a", "b", pd.NA], dtype="string"),
            pd.DataFrame({"g": ["b", "a", "b", "c"]}),
            pd.MultiIndex.from_tuples([("x", 1), ("x", 2), ("x", 1), ("y", 1)]),
            pd.DatetimeIndex(["2024-02-01", "2024-01-01", "2024-02-01", None], tz="Asia/Tokyo"),
            pl.Series([BIG, BIG + 1, BIG, None]),
            pl.Series(["b", "a", "b", None], dtype=pl.Categorical),
            pl.Series([{"a": 1}, {"a": 2}, {"a": 1}, {"a": 3}]).struct.field("a"),
            pa.array([BIG, BIG + 1, BIG, None]),
            pa.chunked_array([pa.array(part).dictionary_encode() for part in (["b", "a"], ["b", None])]),
            pa.array([decimal.Decimal("1.50"), decimal.Decimal(2), decimal.Decimal("1.5"), None]),
        ],
        ids=lambda values: f"{type(values).__module__}-{getattr(values, 'dtype', type(values).__name__)}",
    )  # fmt: skip
    def test_equal_values_are_one_group_and_missing_ones_are_alone(self, values):
        codes = group_codes(values, 4)
        assert codes.dtype == np.uint32
        assert codes.tolist() == [0, 1, 0, 2]

    def test_every_missing_group_is_a_group_of_its_own(self):
        assert group_codes([None, "a", float("nan"), "a", pd.NA], 5).tolist() == [0, 1, 2, 1, 3]

    @pytest.mark.parametrize(
        ("values", "message"),
        [
            (["a", {}, "b"], "cannot identify a group in row 1"),
            ([[1, 2], [3, 4], [5, 6]], r"one value per row, got an array of shape \(3, 2\)"),
            ("customer", "one value per row"),
            (5, "one value per row"),
            (["a"], "groups has 1 values, but X has 3 rows"),
            (pd.DataFrame({"a": [1, 2, 3], "b": [1, 2, 3]}), r"array of shape \(3, 2\)"),
        ],
    )
    def test_invalid_groups_are_errors(self, values, message):
        with pytest.raises(DataError, match=message):
            group_codes(values, 3)


DAY = 86400.0
NOON = 1.5 * DAY
# Times are counted from Monday, 1970-01-05.
THURSDAY = -4 * DAY


class TestTimes:
    @pytest.mark.parametrize(
        "values",
        [
            ["1970-01-01", "1970-01-02T12:00"],
            ["1970-01-01T00:00Z", "1970-01-02T13:00+01:00"],
            np.array(["1970-01-01", "1970-01-02T12:00"]),
            [datetime.datetime(1970, 1, 1), datetime.datetime(1970, 1, 2, 12)],
            [datetime.date(1970, 1, 1), datetime.datetime(1970, 1, 2, 12, tzinfo=datetime.UTC)],
            [np.datetime64("1970-01-01"), "1970-01-02T12:00:00.000"],
            np.array(["1970-01-01", "1970-01-02T12"], dtype="datetime64[h]"),
            np.array([0, 36], dtype="datetime64[h]").astype(object),
            pd.Series(pd.to_datetime(["1970-01-01T00:00", "1970-01-02T12:00"])),
            pd.DatetimeIndex(["1970-01-01T09:00", "1970-01-02T21:00"], tz="Asia/Tokyo"),
            pd.Series(pd.DatetimeIndex(["1970-01-01T09:00", "1970-01-02T21:00"], tz="Asia/Tokyo")),
            pd.Series(["1970-01-01", "1970-01-02T12:00"], dtype="string"),
            pd.Series(["1970-01-01", "1970-01-02T12:00"], dtype="category"),
            pl.Series([datetime.datetime(1970, 1, 1), datetime.datetime(1970, 1, 2, 12)]),
            pl.Series([0, 36 * 3600 * 1000], dtype=pl.Datetime("ms", "Asia/Tokyo")),
            pa.array([0, 36 * 3600], pa.timestamp("s", "Asia/Tokyo")),
            pa.chunked_array([[datetime.datetime(1970, 1, 1)], [datetime.datetime(1970, 1, 2, 12)]]),
            pa.array(["1970-01-01", "1970-01-02T12:00"]).dictionary_encode(),
        ],
        ids=lambda values: f"{type(values).__module__}-{getattr(values, 'dtype', type(values).__name__)}",
    )  # fmt: skip
    def test_dates_are_seconds_since_a_monday_in_utc(self, values):
        found = times_to_numbers(values, 2)
        assert found.dtype == np.float64
        assert found.tolist() == [THURSDAY, THURSDAY + NOON]
        assert holds_dates(values)

    @pytest.mark.parametrize(
        "values",
        [
            [1, 2.5],
            np.array([1, 2.5], dtype=np.float32),
            [decimal.Decimal(1), decimal.Decimal("2.5")],
            pd.Series([1.0, 2.5], dtype="Float64"),
            pl.Series([1.0, 2.5]),
            pa.array([decimal.Decimal("1.0"), decimal.Decimal("2.5")]),
            np.array([[1.0], [2.5]]),
        ],
        ids=lambda values: type(values).__module__,
    )
    def test_numbers_are_unchanged(self, values):
        assert times_to_numbers(values, 2).tolist() == [1.0, 2.5]
        assert not holds_dates(values)

    def test_text_in_a_given_format_and_months(self):
        assert times_to_numbers(["02.01.1970 12h", "01.01.1970 00h"], 2, "%d.%m.%Y %Hh").tolist() == [
            THURSDAY + NOON,
            THURSDAY,
        ]
        assert times_to_numbers(["1970-02", "1970-01"], 2).tolist() == [27 * DAY, THURSDAY]

    def test_microseconds_are_distinct(self):
        times = np.datetime64("2026-11-29T11:00:00.000000") + np.arange(5)
        assert (np.diff(times_to_numbers(times, 5)) > 0).all()

    @pytest.mark.parametrize(
        ("values", "message"),
        [
            ([1.0, None, None], r"time is missing in row 1 \(2 such rows"),
            (np.array([1, 2, np.nan]), "time is missing in row 2"),
            (np.array(["2024-01-01", "NaT", "2024-01-01"], dtype="datetime64[s]"), "missing in row 1"),
            (np.ma.masked_array([1, 2, 3], mask=[True, False, False]), "missing in row 0"),
            (pl.Series([1, None, 3]), "missing in row 1"),
            (pa.array(["2024-01-01", None, "2024-01-01"]), "missing in row 1"),
            ([1.0, np.inf, 2.0], "time must be finite; row 1 has inf"),
            (["2024-01-01", "today", "2024-01-01"], "row 1 .*'today' is not a date in the format ISO 8601"),
            (["2024-01-01", 5, "2024-01-01"], "row 1 has 5"),
            ([5, "2024-01-01", 5], "mixes numbers and other values, such as '2024-01-01' in row 1"),
            ([True, False, True], "must contain numbers or dates"),
            (np.array([True, False, True]), "must contain numbers or dates, got bool"),
            (np.array([1, 2, 3], dtype="timedelta64[s]"), "must contain numbers or dates"),
            ([datetime.time(1)] * 3, "must contain numbers or dates"),
            ([np.datetime64("12000-01-01")] * 3, "not a date of the years 1 to 9999"),
            (["0001-01-01T00:00+10:00"] * 3, "not a date of the years 1 to 9999"),
            ([1.0], "time has 1 values, but X has 3 rows"),
        ],
    )  # fmt: skip
    @pytest.mark.filterwarnings("ignore")
    def test_invalid_times_are_errors_with_their_row(self, values, message):
        with pytest.raises(DataError, match=message):
            times_to_numbers(values, 3)


class TestSpans:
    @pytest.mark.parametrize(
        ("gap", "dated", "expected"),
        [
            (None, True, (0, None)),
            (7, True, (7, None)),
            (np.int64(7), False, (7, None)),
            ({"rows": 7}, False, (7, None)),
            ("7d", True, (0, 7 * DAY)),
            ("1H", True, (0, 3600.0)),
            (" 1.5 min ", True, (0, 90.0)),
            ({"time": "2w"}, True, (0, 14 * DAY)),
            ({"time": 7}, False, (0, 7.0)),
            (datetime.timedelta(hours=1), True, (0, 3600.0)),
            (pd.Timedelta("1h"), True, (0, 3600.0)),
            (np.timedelta64(7, "D"), True, (0, 7 * DAY)),
            (np.timedelta64(250, "ms"), True, (0, 0.25)),
        ],
    )
    def test_gaps_are_rows_or_spans_in_the_unit_of_the_times(self, gap, dated, expected):
        assert parse_time_gap(gap, dated) == expected

    @pytest.mark.parametrize("dated", [True, False])
    @pytest.mark.parametrize(
        "gap",
        [
            *(-1, 1.5, True, "7 days", "d", "-7d", "9" * 20 + "d", [], {}, {"time": "x"}, {"rows": 1.5}),
            *({"rows": "7d"}, {"rows": datetime.timedelta(days=7)}),
            *({"time": -7}, {"time": float("nan")}, {"time": 1, "rows": 2}, np.timedelta64(1, "M")),
            *(np.timedelta64(5), np.timedelta64("NaT", "s"), datetime.timedelta(days=-1)),
        ],
    )
    def test_other_gaps_are_errors(self, gap, dated):
        with pytest.raises(ParameterError, match=r"time_gap must|time contains"):
            parse_time_gap(gap, dated)

    def test_spans_of_any_length_have_a_text(self):
        assert format_time_span(time_span_to_seconds("36h")) == "1 day 12 hours"
        assert format_time_span(1e15).endswith("46 minutes 40 seconds")


COLUMNS = {"x": [1.0, 2.0], "who": ["b", "a"]}


class TestNamedColumns:
    @pytest.mark.parametrize(
        "table",
        [
            pd.DataFrame(COLUMNS, index=[3, 1]),
            pl.DataFrame(COLUMNS),
            pa.table(COLUMNS),
            COLUMNS,
            [{"x": 1.0, "who": "b"}, {"x": 2.0, "who": "a"}],
            Table({"x": np.array([1.0, 2.0]), "who": Nominal(np.array([1, 0], dtype=np.uint32), ["a", "b"])}),
        ],
        ids=lambda table: type(table).__name__,
    )
    def test_a_named_column_is_removed_from_the_table(self, table):
        rest, values = split_off_columns(table, groups="who", time=[1, 2])
        assert group_codes(values["groups"], 2).tolist() == [0, 1]
        assert list(values["groups"]) == ["b", "a"] or values["groups"].to_pylist() == ["b", "a"]
        assert values["time"] == [1, 2]
        assert type(rest) is type(table)
        assert read_raw_table(rest, "test").names == ["x"]

    def test_unknown_columns_are_errors(self):
        with pytest.raises(ParameterError, match="groups: X has no column 'whom'; did you mean 'who'"):
            split_off_columns(COLUMNS, groups="whom")
        with pytest.raises(ParameterError, match="time: X has no column 'who'; X has no column names"):
            split_off_columns(np.zeros((2, 2)), time="who")

    def test_a_table_without_names_is_unchanged(self):
        table = np.zeros((2, 2))
        assert split_off_columns(table, groups=None)[0] is table
