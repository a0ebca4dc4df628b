"""Export of models to SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from imbcore._bindings import native
from imbcore._export.size import warn_if_large
from imbcore._validation.unicode import reject_non_unicode_parameter
from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_text
from imbcore.exceptions import ParameterError


def _to_name_list(option: str, given: Any) -> list[str]:
    try:
        found = [given] if isinstance(given, str) else list(given)
    except TypeError:
        found = [given]
    if not all(isinstance(name, str) for name in found):
        raise ParameterError(f"{option} must be text, or several in a list, got {value_text(given)}")
    for name in found:
        reject_non_unicode_parameter(option, name)
    return found


def _probability_column_names(model: Any) -> list[str]:
    return [f"proba_{label}" for label in model.classes_.tolist()]


class SqlExportableModel:
    """Model that can be exported as a query."""

    _native: native.models.Model

    def to_sql(
        self,
        table: str | Sequence[str] = "rows",
        *,
        dialect: str = "sqlite",
        output: str = "class",
        keep: str | Sequence[str] = (),
    ) -> str:
        """Write the model as an SQL query that returns its predictions for the rows of a table.

        The columns of the table must have the names of the features. NULL, and NaN, is a missing value; so is
        a level not seen in training. If the model rejects missing values, the prediction is NULL; also for a
        row without its cost, if ``costs`` names columns.

        Parameters
        ----------
        table : str or sequence of str, default="rows"
            Table name; a sequence is a qualified name, such as ``("schema", "table")``.
        dialect : {"sqlite", "duckdb", "postgres", "bigquery", "spark"}, default="sqlite"
            SQL dialect: SQLite 3.35 or later, DuckDB, PostgreSQL 12 or later, BigQuery, Spark 3 or later.
        output : {"class", "proba"}, default="class"
            "class" returns the output of :meth:`predict` in a column ``prediction``; "proba" that of
            :meth:`predict_proba`, in a column ``proba_`` plus the label for each class.
        keep : str or sequence of str, default=()
            Columns of the table to keep next to the predictions, such as its key. Without a key, predictions
            cannot be matched to rows.

        Returns
        -------
        str
            One query, without a semicolon.

        Raises
        ------
        ParameterError
            An option has an unknown value.
        UnsupportedError
            The model, a name or a label cannot be exported to SQL; the message gives the reason.
        """
        path, kept = _to_name_list("table", table), _to_name_list("keep", keep)
        if len(set(kept)) < len(kept) or any(
            name in ("prediction", *_probability_column_names(self)) for name in kept
        ):
            raise ParameterError(
                f"keep must name each column once, and none that the query adds (prediction, proba_...), "
                f"got {kept}; rename such a column in the table"
            )
        query = self._native.sql(
            path, kept, validate_text("dialect", dialect), validate_text("output", output)
        )
        warn_if_large("SQL", len(query))
        return query
