"""Models as SQL."""

from __future__ import annotations

from collections.abc import Sequence

from imbcore._border import native

__all__ = ["Queried"]


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
        path, kept = ([given] if isinstance(given, str) else list(given) for given in (table, keep))
        return self._native.sql(path, kept, dialect, output)
