"""Result of a comparison: printing, tables and pages."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.files import atomic_write
from imbcore._validation.value_text import value_text
from imbcore.evaluation._comparison_latex import comparison_to_latex
from imbcore.evaluation._comparison_page import comparison_to_html, comparison_to_text, report_with_figures
from imbcore.evaluation._document import Table
from imbcore.evaluation._evaluation import to_pandas_frame
from imbcore.evaluation._findings import ComparisonResults
from imbcore.exceptions import ParameterError


class Comparison(ComparisonResults):
    """Comparison of methods with one protocol, on one or several tables.

    Parameters
    ----------
    procedure : imbcore.evaluation.Procedure
    score : str
        Metric used for ranks, tests and figures.
    measures : tuple of str
        Metrics that are shown; ``score`` is the first of them.
    level : float
        Significance level of the tests.
    seed : int
    records : list of dict
        Records of :func:`imbcore.evaluation.run`.
    division : str or None, default=None
        Text that describes the splits. None: the text form of ``procedure``.
    policies : tuple of str, default=()
        Names of the methods that are trivial policies, such as predicting no row as positive; they are not
        ranked or tested.
    period : str, default="day"
        Period of the alert budget, for scores such as ``alerts_per_day``.
    """

    def to_frame(self) -> Any:
        """Return a ``pandas.DataFrame`` with one row per table and method.

        Columns are ``dataset``, ``method``, the mean of every measure under its name, its standard deviation
        under ``<name>_sd``, and ``failures``, the number of test sets with a failure.
        """
        return to_pandas_frame(self.rows())

    def to_latex(self, measure: str | None = None) -> str:
        """Return a LaTeX table of means and standard deviations, for a paper.

        For several tables of data, the rows are these tables, their mean and the average ranks of
        ``measure``, and the columns are the methods. For one table of data, the rows are the methods and the
        columns the metrics. The best mean is bold. The table needs no LaTeX package.

        Parameters
        ----------
        measure : str or None, default=None
            One of ``measures``; None is ``score``.

        Returns
        -------
        str

        Raises
        ------
        ParameterError
            ``measure`` is not one of ``measures``.
        """
        if measure is None:
            return comparison_to_latex(self)
        if measure not in self.measures:
            raise ParameterError(
                f"measure must be one of {list(self.measures)} or None, got {value_text(measure)}"
            )
        others = tuple(name for name in self.measures if name != measure)
        return comparison_to_latex(replace(self, score=measure, measures=(measure, *others)))

    def __str__(self) -> str:
        return comparison_to_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return comparison_to_html(self)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a self-contained HTML page with tables, tests and figures.

        Parameters
        ----------
        path : path-like
            File to write.

        Raises
        ------
        ImportError
            matplotlib is not installed.
        """
        with atomic_write(path) as file:
            file.write(report_with_figures(self).html().encode())

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the page, its tables (CSV, Markdown, LaTeX, JSON) and figures into a folder.

        ``scores.csv`` has the numbers of :meth:`to_frame`, ``table.tex`` is :meth:`to_latex`; the cells of
        ``table.csv`` are text as on the page. Files of an earlier comparison in the folder are overwritten.

        Parameters
        ----------
        folder : path-like
            Folder, created if needed. Files are ``table.html``, ``table.csv`` and so on.

        Raises
        ------
        ImportError
            matplotlib is not installed.
        """
        Path(folder).mkdir(parents=True, exist_ok=True)
        report_with_figures(self).write(Path(folder))
        rows = self.rows()
        numbers = Table("", tuple(rows[0]), tuple(tuple(row.values()) for row in rows))
        for name, text in {"scores.csv": numbers.csv(), "table.tex": self.to_latex()}.items():
            with atomic_write(Path(folder) / name) as file:
                file.write(text.encode())


name_package_in_errors(globals())
