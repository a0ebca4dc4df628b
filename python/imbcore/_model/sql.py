"""Models as SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from imbcore._border import native
from imbcore._export.size import warn_if_large
from imbcore._input.unicode import require_parameter
from imbcore._input.values import text_of
from imbcore.exceptions import ParameterError

__all__ = ["Queried"]


def _names(option: str, given: Any) -> list[str]:
    """Read a name, or several."""
    try:
        found = [given] if isinstance(given, str) else list(given)
    except TypeError:
        found = [given]
    if not all(isinstance(name, str) for name in found):
        raise ParameterError(f"{option} must be text, or several in a list, got {given!r}")
    for name in found:
        require_parameter(option, name)
    return found


def _proba(model: Any) -> list[str]:
    return [f"proba_{label}" for label in model.classes_.tolist()]


class Queried:
    """Model that can be written as a query."""

    _native: native.models.Model

    def to_sql(
        self,
        table: str | Sequence[str] = "rows",
        *,
        dialect: str = "sqlite",
        output: str = "class",
        keep: str | Sequence[str] = (),
    ) -> str:
        """Write the model as an SQL query that answers the rows of a table as it does itself.

        The columns of the table bear the names of the features. NULL, and a number that is none, is a missing
        value; so is a level that the fit never saw. Where the model refuses missing values, the answer is
        NULL; so it is for a row without its cost, where ``costs`` names columns.

        Parameters
        ----------
        table : str or sequence of str, default="rows"
            The table; a sequence leads to it, such as ``("schema", "table")``.
        dialect : {"sqlite", "duckdb", "postgres", "bigquery", "spark"}, default="sqlite"
            The database: SQLite from 3.35 on, DuckDB, PostgreSQL from 12 on, BigQuery, Spark from 3 on.
        output : {"class", "proba"}, default="class"
            "class" answers as :meth:`predict` does, in a column ``prediction``; "proba" as
            :meth:`predict_proba`, in a column ``proba_`` and its label for each class.
        keep : str or sequence of str, default=()
            Columns of the table to stand beside the answers, such as its key. Without a key nothing says
            which row an answer is for.

        Returns
        -------
        str
            One query, without a semicolon.

        Raises
        ------
        ParameterError
            An option names something unknown.
        UnsupportedError
            The model, a name or a label cannot be written as SQL; the message says why.
        """
        path, kept = _names("table", table), _names("keep", keep)
        if len(set(kept)) < len(kept) or any(name in ("prediction", *_proba(self)) for name in kept):
            raise ParameterError(
                f"keep must name columns once each, and none that the query adds (prediction, proba_...), "
                f"got {kept}; rename such a column in the table"
            )
        query = self._native.sql(path, kept, text_of("dialect", dialect), text_of("output", output))
        warn_if_large("SQL", len(query))
        return query
