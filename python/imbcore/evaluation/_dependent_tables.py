"""Tables of a comparison whose rows have groups or times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from imbcore._bindings.options import resolve_seed
from imbcore._validation.alert_budget import alert_budget_groups
from imbcore._validation.dependence import split_off_columns
from imbcore._validation.dependence_check import warn_of_dependent_rows
from imbcore._validation.frame import to_training_data
from imbcore._validation.labelled import align_rows, pandas_index_of
from imbcore.datasets import Dataset
from imbcore.evaluation._dependence import TableGroupsAndTimes
from imbcore.evaluation._few_positives import count_positives, warn_of_few_positives
from imbcore.evaluation._procedure import Procedure
from imbcore.evaluation._splits import TableSplits, dependent_splits
from imbcore.evaluation._tables import EvaluationTable, validate_tables
from imbcore.exceptions import DataError, ParameterError
from imbcore.metrics._daily_alerts import DailyAlerts, amount_column, column_values

__all__ = ["TablesWithGroupsAndTimes", "warn_of_dependent_tables"]


def warn_of_dependent_tables(tables: Mapping[str, Any]) -> None:
    """Warn of tables with rows that seem to belong together."""
    for table in tables.values():
        X, y, *_ = (table.X, table.y) if isinstance(table, Dataset) else table
        rows = to_training_data(X, y, None, None, "a comparison", constant=False)
        warn_of_dependent_rows(*rows, near_duplicates=True)


class TablesWithGroupsAndTimes:
    """Tables without the columns of groups and times, and the values of these.

    Parameters
    ----------
    tables : mapping
        As in :func:`run`.
    given : mapping
        The arguments ``groups``, ``time`` and ``label_time``: None, the name of a column of every table,
        values, or for several tables a mapping from their names to values.
    time_gap : int, timedelta, str, dict or None
    date_format : str or None
    alerts : mapping or None
        Alert budget for scores per period of time, as in :func:`compare`.
    counted : sequence of str, default=()
        Columns that alert budgets of learners count by.

    Raises
    ------
    ParameterError
        A column does not exist, or values are not assigned to the tables.
    """

    def __init__(
        self,
        tables: Mapping[str, Any],
        given: Mapping[str, Any],
        time_gap: Any,
        date_format: str | None,
        alerts: Any = None,
        counted: Sequence[str] = (),
    ) -> None:
        self.counted = list(counted)
        self.time_gap, self.date_format, self.alerts = time_gap, date_format, alerts
        columns = {f"'by' of a threshold, {name!r}": name for name in self.counted}
        given = {**given, "alerts['by']": alert_budget_groups(alerts), **columns}
        self.tables: dict[str, Any] = {}
        self._values: dict[str, dict[str, Any]] = {}
        for name, table in tables.items():
            X, *rest = (table.X, table.y) if isinstance(table, Dataset) else table
            own = {
                argument: _argument_for_table(argument, value, name, tables)
                for argument, value in given.items()
            }
            index = pandas_index_of(X) if pandas_index_of(X) is not None else pandas_index_of(rest[0])
            own = {argument: align_rows(value, index, argument, "X") for argument, value in own.items()}
            amounts = column_values(X, amount_column(alerts, None))
            X, self._values[name] = split_off_columns(X, **own)
            self._values[name]["amounts"] = amounts
            self.tables[name] = (X, *rest)

    def split(self, procedure: Procedure, random_state: Any) -> tuple[dict[str, TableSplits], str]:
        """Create the splits of every table; also returns their description.

        Raises
        ------
        ParameterError, DataError
            The procedure, or the groups or times of a table, are invalid.
        """
        seed = resolve_seed(random_state)
        splits, texts = {}, []
        for case in validate_tables(self.tables):
            values = self._values[case.name]
            try:
                dependence = TableGroupsAndTimes.from_arguments(
                    len(case.codes),
                    values["groups"],
                    values["time"],
                    self.time_gap,
                    values["label_time"],
                    self.date_format,
                )
                found, text = dependent_splits(case, procedure, seed, dependence)
                by, amounts = values["alerts['by']"], values["amounts"]
                budget = (self.alerts, dependence, len(case.codes), by, amounts, None)
                counted = {name: values[f"'by' of a threshold, {name!r}"] for name in self.counted}
                daily = DailyAlerts.from_budget(*budget)
                splits[case.name] = replace(found, daily=daily, budget_groups=counted)
                _warn_of_few_positives(case, found, len(self.tables) > 1)
            except DataError as error:
                raise DataError(f"table {case.name!r}: {error}", error.column) from error
            texts.append(text)
        rounds = f"{procedure.replicates} x " if procedure.replicates > 1 else ""
        return splits, f"{rounds}{procedure.folds} " + "; ".join(dict.fromkeys(texts))


def _warn_of_few_positives(case: EvaluationTable, splits: TableSplits, several: bool) -> None:
    if len(case.classes) > 2:
        return
    tests = (
        ((replicate, fold), np.flatnonzero(assigned == fold))
        for replicate, assigned in enumerate(splits.folds)
        for fold in range(assigned.max() + 1)
    )
    counts = count_positives(tests, case.codes == case.positive)
    warn_of_few_positives(counts, case.classes.tolist()[case.positive], case.name if several else "")


def _argument_for_table(argument: str, value: Any, name: str, tables: Mapping[str, Any]) -> Any:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Mapping) and name in value:
        return value[name]
    if len(tables) > 1:
        raise ParameterError(
            f"{argument}: for several tables, give the name of a column, or a dict with the values of "
            f"every table; table {name!r} has none"
        )
    return value
