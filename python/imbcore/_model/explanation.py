"""Additive explanations: contributions of features to a probability or log-odds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._model.rules import level_text, name_text
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.columns import MISSING
from imbcore._validation.digits import score_text
from imbcore._validation.frame import NativeFrame
from imbcore._validation.labelled import index_labels
from imbcore._validation.schema import Schema
from imbcore._validation.values import validate_decimals, validate_whole_number

# Rows that a terminal or a notebook shows.
_MOST_SHOWN = 5


class Reasons:
    """Reasons for the predictions of rows, as a table and as text."""

    @property
    def _n_rows(self) -> int:
        raise NotImplementedError

    @property
    def _about(self) -> str:
        """Text that names the explained output."""
        raise NotImplementedError

    @property
    def _labels(self) -> list[Any] | None:
        """Labels of the rows in the index of their table, if there is one."""
        raise NotImplementedError

    def _select_first_rows(self, n_rows: int) -> Reasons:
        raise NotImplementedError

    def _row_heading(self, row: int) -> str:
        """Name a row by its label in the index of the table, or else by its position."""
        return f"row {row if self._labels is None else name_text(self._labels[row])}"

    def to_text(self, top: int = 3) -> str:
        """Format the reasons as text, with a heading per row."""
        raise NotImplementedError

    def __repr__(self) -> str:
        more = self._n_rows - _MOST_SHOWN
        parts = [f"<Explanation of {self._n_rows} row{'s' if self._n_rows != 1 else ''}: {self._about}>"]
        parts += self._select_first_rows(_MOST_SHOWN).to_text().splitlines()
        if more > 0:
            parts.append(f"... and {more} more row{'s' if more > 1 else ''}")
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        """Show predictions and the largest reasons of the first rows in a notebook."""
        columns = self._select_first_rows(_MOST_SHOWN).to_columns()
        shown = [name for name in columns if not name.startswith(("base", "adds"))]
        heads = "" if self._labels is None else "<th></th>"
        heads += "".join(f'<th scope="col">{escape(name.replace("_", " "))}</th>' for name in shown)
        lines = []
        for row in range(min(self._n_rows, _MOST_SHOWN)):
            cells = []
            for name in shown:
                adds = columns.get(f"adds{name.removeprefix('reason')}")
                cells.append(_format_reason_cell(columns[name][row], None if adds is None else adds[row]))
            label = "" if self._labels is None else f'<th scope="row">{escape(self._row_heading(row))}</th>'
            lines.append(f"<tr>{label}{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>")
        head, *_ = repr(self).split("\n", 1)
        caption = head.strip("<>") + (f"; the first {_MOST_SHOWN}" if self._n_rows > _MOST_SHOWN else "")
        return (
            f"<table><caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead>"
            f"<tbody>{''.join(lines)}</tbody></table>"
        )

    def to_columns(self, top: int = 3) -> dict[str, NDArray[Any]]:
        """Return the columns of :meth:`to_frame` by name, without pandas.

        Parameters
        ----------
        top : int, default=3
            Maximum number of reasons per row, at least 1.

        Returns
        -------
        dict of str to ndarray of shape (n_rows,)
            Text columns contain None if a row has fewer reasons.
        """
        raise NotImplementedError

    def to_frame(self, top: int = 3) -> Any:
        """Return the reasons as a table with one row per explained row. Needs pandas.

        Parameters
        ----------
        top : int, default=3
            Maximum number of reasons per row, at least 1.

        Returns
        -------
        pandas.DataFrame
            The columns of :meth:`to_columns`, with the index of the explained table.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("to_frame() needs pandas: pip install 'imbcore[pandas]'") from error
        return pd.DataFrame(self.to_columns(top), index=self._labels)


@dataclass(frozen=True, repr=False)
class Explanation(Reasons):
    """Contribution of every feature to the model output for a class, by row.

    Attributes
    ----------
    values : ndarray of shape (n_rows, n_features)
        Contribution of each feature for each row. For every row, ``base_value`` plus the sum of the
        contributions is the output of the model for ``label``.
    base_value : float
        Output of the model without information about the features. For Bayesian classifiers: the output for a
        row with only missing values. For other models: the mean output over the background rows. Without
        background rows, it is the weighted mean output over the training rows. For a tree fitted to drawn
        rows, as in a forest or in boosted trees, the drawn rows replace the training rows.
    feature_names : list of str
        Names of the features.
    label : label
        The explained class.
    scale : str
        Scale of the values. "probability": for trees, forests and weighted ensembles. "log-odds" of the class
        against the rest: for Bayesian classifiers, and for boosted trees and logistic regression with two
        classes. "score": for boosted trees and logistic regression with more classes.
    final_probability : ndarray of shape (n_rows,) or None
        If a later step, such as a calibration or a prior correction, changes the explained probability:
        probability of ``label`` as in ``predict_proba``. Else None, and always None if ``scale`` is "score".
    """

    values: NDArray[np.float64]
    base_value: float
    feature_names: list[str]
    label: Any
    scale: str = "probability"
    final_probability: NDArray[np.float64] | None = None
    _rows: ExplainedRowValues | None = field(default=None, repr=False, compare=False)

    @property
    def _n_rows(self) -> int:
        return len(self.values)

    @property
    def _labels(self) -> list[Any] | None:
        return None if self._rows is None else self._rows.labels

    @property
    def _about(self) -> str:
        return f"class {name_text(self.label)}, {self.scale}, base {self.base_value:z.3f}"

    def _select_first_rows(self, n_rows: int) -> Explanation:
        final = self.final_probability
        shown = None if final is None else final[:n_rows]
        return replace(self, values=self.values[:n_rows], final_probability=shown)

    def reasons(self, top: int = 3) -> list[list[tuple[str, float]]]:
        """Return the features with the largest contributions to each row.

        Parameters
        ----------
        top : int, default=3
            Maximum number of features per row, at least 1; features with zero contribution are left out.

        Returns
        -------
        list of list of (str, float)
            For every row, pairs of feature name and contribution, by decreasing absolute contribution; ties
            in the order of the features.
        """
        places = self._places(top)
        return [
            [(self.feature_names[at], float(row[at])) for at in best]
            for best, row in zip(places, self.values, strict=True)
        ]

    def to_columns(self, top: int = 3) -> dict[str, NDArray[Any]]:
        """Return the columns of :meth:`to_frame` by name, without pandas.

        Parameters
        ----------
        top : int, default=3
            Maximum number of features per row, at least 1.

        Returns
        -------
        dict of str to ndarray of shape (n_rows,)
            - ``probability``: the probability of ``label``, which is ``final_probability`` if this is not
              None. There is no such column if ``scale`` is "score".
            - ``log_odds`` if ``scale`` is "log-odds", ``score`` if ``scale`` is "score": the explained
              output.
            - ``explained_probability`` if ``scale`` is "probability" and ``final_probability`` is not None:
              the explained output.
            - ``base``: the ``base_value``.
            - ``reason_1``, ``reason_2``, ...: the features with the largest contributions, as text; None if
              fewer features contribute.
            - ``adds_1``, ``adds_2``, ...: the contributions of these features; 0 if fewer features
              contribute.
        """
        places = self._places(top)
        says = self.base_value + self.values.sum(axis=1)
        columns: dict[str, NDArray[Any]] = {}
        if self.scale == "log-odds":
            columns["probability"] = np.array([_log_odds_to_probability(odds) for odds in says.tolist()])
        columns[self.scale.replace("-", "_")] = says
        if self.final_probability is not None:
            if self.scale == "probability":
                columns["explained_probability"] = says
            columns["probability"] = self.final_probability
        columns["base"] = np.full(len(says), self.base_value)
        for rank in range(min(top, len(self.feature_names))):
            there = [best[rank] if rank < len(best) else None for best in places]
            words = [None if at is None else self._word(row, at) for row, at in enumerate(there)]
            adds = [0.0 if at is None else self.values[row, at] for row, at in enumerate(there)]
            columns[f"reason_{rank + 1}"] = np.array(words, dtype=object)
            columns[f"adds_{rank + 1}"] = np.array(adds, dtype=np.float64)
        return columns

    def to_text(self, top: int = 3, *, decimals: int = 3) -> str:
        """Format the reasons as text, with a heading per row and a line per feature.

        Parameters
        ----------
        top : int, default=3
            Maximum number of features per row, at least 1.
        decimals : int, default=3
            Digits after the decimal point.

        Returns
        -------
        str
            For every row, the output of the model and the largest contributions. The last line of a row is
            the sum of the contributions of all other features; it is omitted if it is zero. Rows of a pandas
            table are named by the labels of its index, rows of other tables by their number, from 0.
        """
        places = self._places(top)
        # Values that round to zero have no sign.
        digits = validate_decimals(decimals)
        level, change = f"z.{digits}f", f"+z.{digits}f"
        lines = []
        for row, (best, values) in enumerate(zip(places, self.values, strict=True)):
            says = self.base_value + values.sum()
            start = f"from {self.base_value:{level}}"
            label = name_text(self.label)
            if self.final_probability is not None:
                shown = score_text(float(self.final_probability[row]), digits)
                total = f"{self.scale} {self.base_value:{level}} + contributions = {says:{level}}"
                before = f"(before calibration or correction: {total})"
                lines.append(f"{self._row_heading(row)}: probability of {label} {shown} {before}")
            elif self.scale == "log-odds":
                shown = score_text(_log_odds_to_probability(says), digits)
                odds = f"(log-odds {says:{level}}, {start})"
                lines.append(f"{self._row_heading(row)}: probability of {label} {shown} {odds}")
            else:
                lines.append(f"{self._row_heading(row)}: {self.scale} of {label} {says:{level}}, {start}")
            lines += [f"  {values[at]:{change}}  {self._word(row, at)}" for at in best]
            others = np.delete(values, best)
            if np.any(others != 0.0):
                lines.append(f"  {others.sum():{change}}  all others")
        return "".join(f"{line}\n" for line in lines)

    def to_shap(self, X: Any = None) -> Any:
        """Convert the contributions to an object for the plots of shap. Needs shap.

        Parameters
        ----------
        X : table of shape (n_rows, n_features) or None, default=None
            The explained rows, needed by the plots of shap that show feature values.

        Returns
        -------
        shap.Explanation
            With ``values``, ``base_values``, ``feature_names`` and, if X is given, ``data``.
        """
        import shap

        base = np.full(len(self.values), self.base_value)
        data = None if X is None else np.asarray(X)
        return shap.Explanation(self.values, base, data=data, feature_names=self.feature_names)

    def _places(self, top: int) -> list[list[int]]:
        """Return the positions of the features with the largest contributions to each row."""
        top = validate_whole_number("top", top, 1)
        order = np.argsort(-np.abs(self.values), axis=1, kind="stable")[:, :top]
        rows = zip(order.tolist(), self.values, strict=True)
        return [[at for at in best if row[at] != 0.0] for best, row in rows]

    def _word(self, row: int, at: int) -> str:
        name = name_text(self.feature_names[at])
        return name if self._rows is None else f"{name} {self._rows.word(row, at)}"


def _format_reason_cell(value: Any, adds: float | None) -> str:
    """Format a cell of a table; a reason is followed by its contribution."""
    if value is None:
        return ""
    if isinstance(value, (float, np.floating)):
        return score_text(float(value))
    return str(value) if adds is None else f"{value} ({adds:+z.3f})"


def _log_odds_to_probability(log_odds: float) -> float:
    """Convert log-odds to a probability without overflow."""
    return 1 / (1 + math.exp(-log_odds)) if log_odds >= 0 else math.exp(log_odds) / (1 + math.exp(log_odds))


@dataclass(frozen=True)
class ExplainedRowValues:
    """Values of the explained rows, for text output."""

    frame: NativeFrame
    schema: Schema
    # Positions of the columns that were given as booleans.
    booleans: frozenset[int] = frozenset()
    # Labels of the rows in the index of their table.
    labels: list[Any] | None = None

    @classmethod
    def from_rows(cls, frame: NativeFrame, schema: Schema, X: Any) -> ExplainedRowValues:
        """Store rows as they were given."""
        return cls(frame, schema, frozenset(_boolean_positions(X, schema)), index_labels(X))

    def word(self, row: int, at: int) -> str:
        """Format the value of a feature of a row."""
        column = self.frame[at] if isinstance(self.frame, list) else self.frame[:, at]
        if isinstance(column, tuple):
            code, levels = int(column[0][row]), self.schema.features[at].levels or []
            return "is missing" if code == MISSING else f"= {level_text(levels[code])}"
        value = float(column[row])
        if value != value:
            return "is missing"
        return f"= {bool(value)}" if at in self.booleans and value in (0.0, 1.0) else f"= {value:.6g}"


def _boolean_positions(X: Any, schema: Schema) -> list[int]:
    import narwhals.stable.v2 as nw

    if isinstance(X, np.ndarray):
        return list(range(len(schema.names))) if X.dtype == np.bool_ else []
    if isinstance(X, Mapping):
        kinds = {str(name): np.asarray(column).dtype == np.bool_ for name, column in X.items()}
    elif nw.dependencies.is_into_dataframe(X):
        kinds = {str(name): kind == nw.Boolean for name, kind in nw.from_native(X).collect_schema().items()}
    else:
        return []
    named = all(name in kinds for name in schema.names)
    found = [kinds[name] for name in schema.names] if named else list(kinds.values())
    return [at for at, boolean in enumerate(found) if boolean]


name_package_in_errors(globals())
