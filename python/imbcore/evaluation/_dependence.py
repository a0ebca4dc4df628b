"""Dependence of the rows of an evaluation: groups, times and label times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._validation.alert_budget import alert_budget_groups
from imbcore._validation.dependence import (
    format_time_span,
    group_codes,
    holds_dates,
    parse_time_gap,
    times_to_numbers,
)
from imbcore._validation.row_dependence import RowGroupsAndTimes
from imbcore.evaluation._fold_fits import FoldFit, Rows, all_training_rows
from imbcore.evaluation._given_splits import GivenSplits
from imbcore.exceptions import DataError, ParameterError

__all__ = ["Splits", "TableGroupsAndTimes"]


@dataclass(frozen=True)
class TableGroupsAndTimes:
    """Groups and times of the rows of a table, in native form.

    Parameters
    ----------
    groups : ndarray of shape (n_rows,) or None
        Codes of the groups; None if every group has one row.
    time : ndarray of shape (n_rows,) or None
    gap_rows : int
        Number of rows that are left out before a test set.
    gap_time : float or None
        Span that is left out before a test set, in the unit of the times.
    label_time : ndarray of shape (n_rows,) or None
        Times at which the labels became known.
    dated : bool
        Whether the times are dates.
    """

    groups: NDArray[np.uint32] | None = None
    time: NDArray[np.float64] | None = None
    gap_rows: int = 0
    gap_time: float | None = None
    label_time: NDArray[np.float64] | None = None
    dated: bool = False

    @classmethod
    def from_arguments(
        cls,
        n_rows: int,
        groups: Any,
        time: Any,
        time_gap: Any,
        label_time: Any,
        date_format: str | None,
    ) -> TableGroupsAndTimes:
        """Validate the arguments of the user.

        Raises
        ------
        ParameterError, DataError
            An argument is invalid, or needs ``time``.
        """
        for name, value, purpose in (
            ("time_gap", time_gap, "the gap before a test set in time"),
            ("label_time", label_time, "compared with the times of the test rows"),
        ):
            if value is not None and time is None:
                raise ParameterError(f"{name} is {purpose}; give time, too")
        codes = None if groups is None else group_codes(groups, n_rows)
        if codes is not None and len(np.unique(codes)) == n_rows:
            codes = None
        if time is None:
            return cls(codes)
        times, dated = times_to_numbers(time, n_rows, date_format), holds_dates(time)
        known = None
        if label_time is not None:
            if holds_dates(label_time) != dated:
                raise ParameterError("time and label_time must both be dates, or both be numbers")
            known = times_to_numbers(label_time, n_rows, date_format, "label_time")
        return cls(codes, times, *parse_time_gap(time_gap, dated), known, dated)

    @property
    def drops_rows(self) -> bool:
        """Whether training rows are dropped in addition to those of the gap."""
        return self.time is not None and (self.groups is not None or self.label_time is not None)

    @property
    def folds_text(self) -> str:
        """Describe the kind of the folds."""
        if self.time is None:
            if self.groups is None:
                return "stratified folds"
            return f"folds by {len(np.unique(self.groups))} groups"
        gap = self.gap_time or 0.0
        left_out = (
            f"{self.gap_rows} rows" if self.gap_rows else format_time_span(gap) if self.dated else f"{gap:g}"
        )
        return "folds forward in time" + (f", gap of {left_out}" if self.gap_rows or gap else "")

    def keep(self, train: Rows, test: Rows, *, all_groups: bool = False) -> tuple[FoldFit, dict[str, int]]:
        """Drop training rows of groups in the test set, and rows with labels not yet known.

        ``all_groups`` keeps the rows of all groups.

        Returns
        -------
        tuple
            The fit, and the number of dropped rows by the name of the argument.
        """
        dropped, share = {}, 1.0
        if self.time is not None and self.groups is not None and not all_groups:
            tested = np.zeros(int(self.groups.max()) + 1, dtype=bool)
            tested[self.groups[test]] = True
            known = ~tested[self.groups[train]]
            dropped["groups"] = int(np.sum(~known))
            share = float(np.sum(known) / max(len(known), 1))
            train = train[known]
        if self.time is not None and self.label_time is not None:
            known = self.label_time[train] <= self.time[test].min()
            dropped["label_time"] = int(np.sum(~known))
            train = train[known]
        return FoldFit(train, test, share), dropped


# If a larger proportion of the earlier rows would be dropped, each part of the groups has its own fit.
_MOST_DROPPED = 0.75
_PARTS, _ORDINAL = 3, "third"
# Description of the rows that an argument drops.
_REASONS = {"groups": "of groups in the test set", "label_time": "with labels not yet known"}


class Splits:
    """Training and test rows of an evaluation, and its scores.

    Parameters
    ----------
    trial : native.models.NativeEvaluation
        Splits without regard to dropped rows, and the scores.
    dependence : TableGroupsAndTimes
    codes : ndarray of shape (n_rows,)
        Classes of the rows.
    budget_groups : mapping or None, default=None
        Values of the columns that alert budgets count by.
    given : GivenSplits or None, default=None
        Splits that the user gives, instead of those of ``trial``.

    Attributes
    ----------
    tests : list of tuple
        Repetition and fold of every test set.
    dropped : dict of str to ndarray of shape (n_tests,)
        Number of training rows that were dropped for each test set, by the name of the argument; the mean
        if a test set has several fits.
    test_to_train : float
        Ratio of the numbers of test and training rows.
    """

    def __init__(
        self,
        trial: native.models.NativeEvaluation,
        dependence: TableGroupsAndTimes,
        codes: NDArray[np.uint32],
        budget_groups: Mapping[str, Any] | None = None,
        given: GivenSplits | None = None,
    ) -> None:
        self.trial, self.dependence, self.given = trial, dependence, given
        self.tests = trial.tests if given is None else list(given.pairs)
        self.budget_groups = budget_groups or {}
        # For the choices inside a fit.
        self.row_dependence = RowGroupsAndTimes(
            dependence.groups,
            dependence.time,
            dependence.gap_rows,
            dependence.gap_time,
            dependence.dated,
        )
        self.dropped: dict[str, NDArray[np.int64]] = {}
        self.test_to_train = trial.test_to_train
        # Part of the groups of every row, if each part has its own fit.
        self._part: NDArray[np.int64] | None = None
        # Fits by repetition and fold, if rows were dropped.
        self._fits: dict[tuple[int, int], list[FoldFit]] = {}
        if given is None and self._groups_recur():
            self._part = _divide_groups(dependence.groups, codes == trial.positive)
        if dependence.drops_rows or given is not None:
            self._drop_dependent_rows()

    def groups_and_times_for_fit(self, threshold: Any, n_rows: int) -> RowGroupsAndTimes:
        """Return groups and times for the choices inside a fit with this threshold rule."""
        by = alert_budget_groups(threshold)
        by = self.budget_groups[by] if isinstance(by, str) else by
        return self.row_dependence.with_alert_budget_groups(threshold, by, n_rows)

    def _groups_recur(self) -> bool:
        """Whether most earlier rows are of groups that also occur in the test rows."""
        dependence = self.dependence
        if dependence.groups is None or dependence.time is None or dependence.groups.max() + 1 < _PARTS:
            return False
        n_earlier = n_kept = 0
        for place in self.tests:
            train, test = self.trial.rows(*place)
            n_earlier += len(train)
            n_kept += int((~np.isin(dependence.groups[train], dependence.groups[test])).sum())
        return n_kept < (1 - _MOST_DROPPED) * n_earlier

    def _drop_dependent_rows(self) -> None:
        counts: list[dict[str, float]] = []
        n_train = n_test = 0.0
        for repeat, fold in self.tests:
            train, test = self._rows_before_dropping(repeat, fold)
            tests = [test] if self._part is None else [test[self._part[test] == at] for at in range(_PARTS)]
            fits, of_fits = [], []
            for of_part in (rows for rows in tests if len(rows)):
                fit, dropped = self.dependence.keep(train, of_part, all_groups=self.given is not None)
                if not len(fit.train):
                    raise DataError(
                        f"training part of fold {fold}: no row is left; of {len(train)} earlier rows, "
                        + " and ".join(f"{count} are {_REASONS[name]}" for name, count in dropped.items())
                        + f". {self._remedy(dropped)}"
                    )
                fits.append(fit)
                of_fits.append(dropped)
            self._fits[repeat, fold] = fits
            counts.append({name: sum(of[name] for of in of_fits) / len(fits) for name in of_fits[0]})
            n_train += sum(len(fit.train) for fit in fits) / len(fits)
            n_test += len(test)
        self.dropped = {
            name: np.array([count[name] for count in counts]).round().astype(np.int64) for name in counts[0]
        }
        self.test_to_train = n_test / n_train

    def _remedy(self, dropped: Mapping[str, int]) -> str:
        """Describe how training rows can be left."""
        if self.given is not None:
            return "Give training rows with labels that are known before the test rows."
        if dropped.get("groups"):
            return (
                "Most groups occur in the test rows. Give more groups, or only time= to test later rows of "
                "known groups, only groups= to test new groups, or in Python own splits to hold out groups "
                "and a later time, such as folds=[(train, test)] of imbcore.evaluate."
            )
        return (
            "Use fewer folds, or in Python own splits such as folds=[(train, test)] of imbcore.evaluate, so "
            "that more training rows come before the test rows."
        )

    @property
    def uses_native_splits_unchanged(self) -> bool:
        """Whether the native splits are used unchanged, because no row was dropped."""
        dropped = any(counts.any() for counts in self.dropped.values())
        return self.given is None and not dropped

    @property
    def advice(self) -> str:
        """Remedy for training rows of a single class."""
        return self.trial.advice if self.given is None else "; give training rows of two classes in folds="

    @property
    def tested(self) -> NDArray[np.int64]:
        """Test fold of every row in the first repetition; -1 for rows that are not tested."""
        if self.given is None:
            return self.trial.folds(0)
        folds = np.full(len(self.trial.folds(0)), -1, dtype=np.int64)
        for (repeat, fold), (_, test) in self.given.pairs.items():
            if repeat == 0:
                folds[test] = fold
        return folds

    @property
    def text(self) -> str:
        """Describe the kind of the folds and the dropped rows."""
        parts = [
            f"{counts.sum():,} training rows {_REASONS[name]} dropped"
            for name, counts in self.dropped.items()
        ]
        kind = self.dependence.folds_text if self.given is None else self.given.text
        if self._part is not None:
            kind += f", each with one model per {_ORDINAL} of the groups"
        return ", ".join([kind, *parts])

    def rows(self, repeat: int, fold: int) -> tuple[Rows, Rows]:
        """Return the training rows of all fits of a fold, and its test rows."""
        return all_training_rows(self.fits(repeat, fold)), self._rows_before_dropping(repeat, fold)[1]

    def fits(self, repeat: int, fold: int) -> list[FoldFit]:
        """Return the fits of a fold, which together predict its test rows."""
        return self._fits.get((repeat, fold)) or [FoldFit(*self._rows_before_dropping(repeat, fold))]

    def _rows_before_dropping(self, repeat: int, fold: int) -> tuple[Rows, Rows]:
        """Return training rows before rows are dropped, and test rows."""
        return self.trial.rows(repeat, fold) if self.given is None else self.given.pairs[repeat, fold]


def _divide_groups(groups: NDArray[np.uint32] | None, is_positive: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Divide the groups into parts of equal size, each with as many groups with a positive row.

    Returns the part of the group of every row.
    """
    assert groups is not None
    has_positive = np.zeros(int(groups.max()) + 1, dtype=bool)
    has_positive[groups[is_positive]] = True
    # A fixed order: times allow only one division of the rows, whatever the seed.
    order = np.random.default_rng(0).permutation(len(has_positive))
    order = order[np.argsort(has_positive[order], kind="stable")]
    part = np.empty(len(order), dtype=np.int64)
    part[order] = np.arange(len(order)) % _PARTS
    return part[groups]
