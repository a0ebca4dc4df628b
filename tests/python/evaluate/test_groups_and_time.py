"""The folds of `imbcore.evaluate`: by groups, and forward in time."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest
from evaluated import GROUPS, RESULT, N, NoWeights, X, Y, parts
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import TimeSeriesSplit

import imbcore
from imbcore.exceptions import DataError, ParameterError


class TestGroups:
    @pytest.mark.parametrize(
        "names", [GROUPS, GROUPS.astype(float), np.array([f"g{g}" for g in GROUPS]), GROUPS.tolist()]
    )
    def test_no_group_is_in_two_folds(self, names):
        result = imbcore.evaluate(X, Y, "cart", groups=names, folds=5, **RESULT)
        assert all(len(set(result.fold[group == GROUPS].tolist())) == 1 for group in range(40))
        shares = [Y[rows].mean() for rows, _ in parts(result)]
        assert max(shares) - min(shares) < 0.03
        expected = imbcore.evaluate(X, Y, "cart", groups=GROUPS, folds=5, **RESULT)
        assert (result.fold == expected.fold).all()
        assert result.division == f"folds by {len(np.unique(GROUPS))} groups"

    def test_rows_without_a_group_are_groups_of_one(self):
        """Kind: a missing value per row has a defined meaning, which is that of unique values."""
        own = np.where(np.arange(N) < 9, -1 - np.arange(N), GROUPS)
        missing = np.where(np.arange(N) < 9, np.nan, GROUPS)
        expected, found = (imbcore.evaluate(X, Y, "cart", groups=g, **RESULT) for g in (own, missing))
        assert (found.fold == expected.fold).all()
        assert found.division == expected.division == "folds by 49 groups"

    @pytest.mark.parametrize("container", [pd.DataFrame, dict])
    def test_named_columns_are_not_features(self, container):
        table = container({"who": GROUPS, "a": X[:, 0], "day": np.arange(N), "b": X[:, 1]})
        features = pd.DataFrame(X[:, :2], columns=["a", "b"])
        for options, named in (
            ({"groups": GROUPS}, {"groups": "who"}),
            ({"time": np.arange(N)}, {"time": "day"}),
        ):
            rest = next(name for name in ("who", "day") if name not in named.values())
            part = pd.DataFrame(table).drop(columns=rest)
            expected = imbcore.evaluate(features, Y, "cart", **options, **RESULT)
            found = imbcore.evaluate(container(part), Y, "cart", **named, **RESULT)
            assert found.proba.tolist() == expected.proba.tolist()
        with pytest.raises(ParameterError, match="time: X has no column 'dya'; did you mean 'day'"):
            imbcore.evaluate(table, Y, "cart", time="dya")

    def test_repetitions_differ(self):
        once, twice = (
            imbcore.evaluate(X, Y, "cart", groups=GROUPS, folds=4, repeats=repeats, **RESULT).metrics[
                "accuracy"
            ]
            for repeats in (1, 2)
        )
        assert twice[:4].tolist() == once.tolist()
        assert sorted(twice[4:]) != sorted(once)

    @pytest.mark.parametrize(
        ("groups", "folds", "message"),
        [
            (np.zeros(N), 5, "only one group.*omit groups"),
            (np.arange(N) % 3, 5, "has 3 groups, .* 5 folds needs at least one; lower folds to 3"),
            (np.arange(N - 1), 5, f"groups has {N - 1} values, but X has {N} rows"),
            (GROUPS[:, None] + [0, 1], 5, "one value per row, got an array of shape"),
            (Y, 2, "fold 0: y has only (1|one) class.*a class occurs in too few groups"),
        ],
    )
    @pytest.mark.filterwarnings("ignore:.*test folds have no row")
    def test_invalid_groups_are_rejected(self, groups, folds, message):
        with pytest.raises(DataError, match=message):
            imbcore.evaluate(X, Y, "cart", groups=groups, folds=folds)
        if folds == 2:
            with pytest.raises(
                DataError,
                match=r"LogisticRegression, training part of fold 0.*a class occurs in too few groups",
            ):
                imbcore.evaluate(X, Y, LogisticRegression(), groups=groups, folds=folds)

    def test_fold_without_the_rare_class_warns(self):
        y = (GROUPS < 3).astype(int)
        with pytest.warns(imbcore.DataWarning, match="2 of 5 test folds have no row of class 1"):
            imbcore.evaluate(X, y, "cart", groups=GROUPS, folds=5, **RESULT)


class TestTime:
    def test_sorted_rows_are_split_like_scikit_learn(self):
        for gap in (0, 7):
            result = imbcore.evaluate(X, Y, "cart", time=np.arange(N), time_gap=gap, folds=4, **RESULT)
            for fold, (train, test) in enumerate(TimeSeriesSplit(4, gap=gap).split(X)):
                assert result.rows[result.fold == fold].tolist() == test.tolist()
                model = imbcore.fit(X[train], Y[train], "cart", **RESULT)
                assert result.proba[result.fold == fold] == pytest.approx(model.predict_proba(X[test]))

    def test_rows_in_any_order_are_sorted_by_time(self):
        turned = np.random.default_rng(1).permutation(N)
        sorted_, mixed = (
            imbcore.evaluate(X[order], Y[order], "cart", time=order, folds=3, **RESULT)
            for order in (np.arange(N), turned)
        )
        assert mixed.metrics["brier"] == pytest.approx(sorted_.metrics["brier"])
        assert set(turned[mixed.rows].tolist()) == set(sorted_.rows.tolist())

    def test_rows_of_one_time_stay_together_and_no_fold_trains_on_later_rows(self):
        seen = []

        class RecordingClassifier(NoWeights):
            def fit(self, X, y):
                seen.append(X[:, 0].max())
                return super().fit(X, y)

        day = np.random.default_rng(1).integers(0, 25, N)
        table = np.column_stack([day, X])
        result = imbcore.evaluate(table, Y, RecordingClassifier(), time=day, folds=4)
        for fold in range(4):
            tested = day[result.rows[result.fold == fold]]
            assert seen[fold] < tested.min()
            assert np.isin(day, tested).sum() == len(tested)

    @pytest.mark.parametrize(
        "gap",
        [
            "10d",
            datetime.timedelta(days=10),
            np.timedelta64(10, "D"),
            pd.Timedelta(days=10),
            {"time": "240 h"},
        ],
    )
    def test_time_gap_in_days(self, gap):
        day = np.arange(N) // 4
        dates = np.datetime64("2023-11-05") + day
        expected = imbcore.evaluate(X, Y, "cart", time=day, time_gap={"time": 10.0}, folds=3, **RESULT)
        rows = imbcore.evaluate(X, Y, "cart", time=day, time_gap={"rows": 33}, folds=3, **RESULT)
        found = imbcore.evaluate(X, Y, "cart", time=dates, time_gap=gap, folds=3, **RESULT)
        assert found.metrics["brier"].tolist() == expected.metrics["brier"].tolist()
        # A day has four rows: 33 rows before one begin in the ninth day before it, which is omitted entirely.
        assert rows.test_to_train == expected.test_to_train

    @pytest.mark.parametrize(
        "read",
        [
            lambda dates: dates.astype(str),
            lambda dates: dates.astype(object),
            lambda dates: pd.Series(dates).dt.tz_localize("Europe/Berlin"),
            lambda dates: pd.DataFrame({"t": dates}),
            lambda dates: dates.astype("datetime64[ns]").astype(np.int64) / 1e9,
        ],
        ids=["text", "date", "zone", "frame", "number"],
    )
    def test_all_date_types_are_accepted(self, read):
        dates = np.datetime64("2020-01-01") + np.random.default_rng(1).integers(0, 300, N)
        expected = imbcore.evaluate(X, Y, "cart", time=dates, folds=3, **RESULT)
        found = imbcore.evaluate(X, Y, "cart", time=read(dates), folds=3, **RESULT)
        assert (found.rows == expected.rows).all()
        assert (found.fold == expected.fold).all()

    def test_result_reports_the_test_rows(self):
        result = imbcore.evaluate(X, Y, "cart", time=np.arange(N), time_gap=5, folds=3, **RESULT)
        assert str(result).startswith(f"cart: 3 folds forward in time, gap of 5 rows, {N} rows")
        assert len(result.y) == len(result.rows) == len(result.proba) == 300
        assert not np.isnan(result.proba).any()

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"time": np.arange(N), "repeats": 2}, "repeats must be 1 with time"),
            ({"time_gap": 3}, "give time, too"),
            ({"time": np.arange(N - 1)}, f"time has {N - 1} values, but X has {N} rows"),
            ({"time": np.where(np.arange(N) == 5, np.nan, 1.0)}, "time is missing in row 5"),
            (
                {"time": np.where(np.arange(N) == 5, np.inf, np.arange(N))},
                "time must be finite.*row 5 has inf",
            ),
            ({"time": ["2020-01-01"] * (N - 1) + [None]}, f"time is missing in row {N - 1}"),
            ({"time": ["noon"] * N}, "ISO 8601"),
            (
                {"time": np.arange(N) % 3},
                "3 distinct values, but 5 folds in time order need at least 6",
            ),
            (
                {"time": np.arange(N), "time_gap": 395},
                "the gap leaves no training row before the test rows of fold 0",
            ),
            ({"time": np.arange(N), "time_gap": 1.5}, "time_gap must be a whole number of rows"),
            ({"time": np.arange(N), "time_gap": -1}, "time_gap must be a whole number of rows"),
            ({"time": np.arange(N), "time_gap": "7 days"}, "time_gap must be a whole number of rows"),
            ({"time": np.arange(N), "time_gap": "7d"}, "time contains numbers, so '7d' is not a time span"),
            (
                {"time": np.datetime64("2020-01-01") + np.arange(N), "time_gap": {"time": 7}},
                "a number is not a time span",
            ),
            ({"time": np.arange(N), "time_gap": {"time": -7}}, "time_gap must be at least 0"),
            (
                {"time": np.argsort(np.argsort(Y, kind="stable"))},
                "fold 0: y has only (1|one) class.*rows before it have only one class",
            ),
        ],
    )
    @pytest.mark.filterwarnings("ignore:.*test folds have no row")
    def test_invalid_times_are_rejected(self, options, message):
        with pytest.raises((DataError, ParameterError), match=message):
            imbcore.evaluate(X, Y, "cart", **options)
