"""Fitted box drawings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._model.box_reasons import BoxExplanation, format_box_conditions
from imbcore._model.explanation import ExplainedRowValues
from imbcore._model.model import Model
from imbcore._model.proven import CertificateAttributes
from imbcore._validation.value_text import value_text
from imbcore._validation.values import (
    require_single_label,
    validate_decimals,
    validate_flag,
    validate_text,
    validate_whole_number,
)
from imbcore.exceptions import ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class BoxModel(CertificateAttributes, Model, kind="boxes"):
    """Box model: rows inside a box are predicted as ``box_class``, others as the other class.

    Attributes
    ----------
    box_class : label
        Class that the boxes describe: ``positive_``.
    """

    _family = "box drawings"
    _native: native.models.BoxModel

    @property
    def size_text(self) -> str:
        """Number of boxes or rules as text."""
        n_boxes = len(self.box_bounds()[0])
        if self.method == "rule_list":
            return f"{n_boxes} rule{'s' * (n_boxes != 1)}"
        return f"{n_boxes} box{'es' * (n_boxes != 1)}"

    @property
    def box_class(self) -> Any:
        """Label of the class that the boxes describe: ``positive_``."""
        return self.positive_

    def apply(self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None) -> NDArray[np.int64]:
        """Return the first box that contains each row, -1 for none.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        ndarray of shape (n_rows,)
            Indices in ``boxes()``.
        """
        return self._call_method_on_rows("first_box", X, n_threads, n_jobs)

    def explain(self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None) -> BoxExplanation:
        """Explain which boxes contain each row; for a row outside, why the nearest does not.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        BoxExplanation
            For every row the conditions of one box, and which of them hold. Thresholds and costs, which may
            change the output of ``predict``, are ignored.

        Examples
        --------
        >>> import imbcore
        >>> rows = [[1.0, 5.0], [2.0, 3.0], [3.0, 4.0], [4.0, 1.0], [5.0, 2.0], [6.0, 0.0]]
        >>> model = imbcore.fit(rows, [0, 0, 0, 0, 1, 1], method="fast_boxes", random_state=0)
        >>> print(model.explain([[5.5, 1.0], [2.0, 3.5]]).to_text(), end="")
        row 0: 1, in boxes 1, 2
          x0 >= 4.00248 holds (= 5.5)
          x1 <= 2.98752 holds (= 1)
        row 1: not 1, in no box; nearest is box 2
          x0 >= 3.00633 fails (= 2)
          x1 <= 4.99658 holds (= 3.5)
        """
        frame = self._frame(X)
        box, asked, held = self._put("reasons", frame, n_threads, n_jobs)
        conditions = format_box_conditions(self.boxes(all_bounds=True), self.feature_names)
        cells = ExplainedRowValues.from_rows(frame, self._schema, X)
        return BoxExplanation(box, held, asked, self.positive_, conditions, cells)

    def boxes(self, *, all_bounds: bool = False) -> list[dict[str, Any]]:
        """List the boxes with their statistics on the training rows.

        Parameters
        ----------
        all_bounds : bool, default=False
            Also list bounds outside the training range, which affect no training row.

        Returns
        -------
        list of dict
            One dict per box, with these keys. ``conditions``: each has ``feature``, and ``lower``, ``upper``
            or ``levels``; if missing values satisfy every bound, it also has ``or_missing``. ``support``:
            weight of the training rows in the box. ``share``: fraction of this weight in the class of the
            boxes (precision). ``lift``: ``share`` divided by the fraction of the class among all training
            rows. ``recall``: fraction of the class that is in the box.
        """
        return self._native.to_dicts(validate_flag("all_bounds", all_bounds))

    def box_bounds(self) -> tuple[NDArray[np.float64], ...]:
        """Return the bounds of the boxes, and the training range.

        Returns
        -------
        tuple of ndarray
            Lower and upper bounds, (n_boxes, n_features), infinite if there is none; smallest and largest
            training value of every feature, (n_features,), infinity and its negative for nominal ones.
        """
        return self._native.bounds()

    def rules(self, *, positive: Any = None, top: int | None = None) -> list[dict[str, Any]]:
        """Rules of the model, one per box. A row in no box is predicted as the other class.

        Parameters
        ----------
        positive : label or None, default=None
            Class that the rules describe; must be ``positive_``, the class of the boxes.
        top : int or None, default=None
            Number of rules; None returns all.

        Returns
        -------
        list of dict
            Rules sorted by decreasing ``lift``, each with these keys. ``conditions``, ``support``, ``share``,
            ``lift`` and ``recall``: as in :meth:`boxes`. ``class``: predicted class. ``positive``: class to
            which ``share``, ``lift`` and ``recall`` refer. ``box``: index of the box in :meth:`boxes`.

        Raises
        ------
        ParameterError
            ``positive`` is not the class of the boxes, or ``top`` is not a whole number above 0.
        """
        most = None if top is None else validate_whole_number("top", top, 1)
        self._check_positive_label(positive)
        answer = {"class": self.positive_, "positive": self.positive_}
        rules = [answer | {"box": place} | box for place, box in enumerate(self.boxes())]
        rules.sort(key=lambda rule: (-rule["lift"], -rule["recall"]))
        return rules[:most]

    def _check_positive_label(self, positive: Any) -> None:
        require_single_label("positive", positive)
        if positive is not None and positive != self.positive_:
            raise ParameterError(
                f"positive must be one of {[self.positive_]}, or None, got {value_text(positive)}"
            )

    def export_text(self, *, decimals: int = 3, positive: Any = None, **shown: Any) -> str:
        """Format the boxes as indented text.

        Parameters
        ----------
        decimals : int, default=3
            Digits after the decimal point.
        positive : label or None, default=None
            Described class; must be ``positive_``, the class of the boxes.
        **shown
            Options of trees, ``max_depth`` and ``show_weights``, which are ignored here.

        Returns
        -------
        str
            One heading per box and one line per condition. Text levels are in double quotes; numbers and
            booleans are not.
        """
        for name in shown.keys() - {"max_depth", "show_weights"}:
            takes = "decimals, positive, max_depth, show_weights"
            raise TypeError(f"Model.export_text has no argument `{name}`; it takes {takes}")
        self._check_positive_label(positive)
        return self._native.text(validate_decimals(decimals), False)

    def to_sql(
        self,
        table: str | Sequence[str] | None = None,
        *,
        dialect: str = "sqlite",
        output: str = "class",
        keep: str | Sequence[str] = (),
        all_bounds: bool = True,
    ) -> str:
        """Write the boxes as an SQL condition for ``WHERE``, or as a query.

        Parameters
        ----------
        table : str, sequence of str or None, default=None
            None writes the condition; a table name gives a whole query, as for other models.
        dialect : {"sqlite", "duckdb", "postgres", "bigquery", "spark"}, default="sqlite"
            SQL dialect, as in :meth:`imbcore.Model.to_sql`.
        output, keep
            As in :meth:`imbcore.Model.to_sql`; only for a whole query.
        all_bounds : bool, default=True
            Also write bounds outside the training range: the query then selects the same rows as ``predict``
            in new tables, too. False only without ``table``.

        Returns
        -------
        str
            Names and text are quoted for the database.

        Raises
        ------
        ParameterError
            ``output`` or ``keep`` is given without ``table``, or ``all_bounds=False`` with it.
        UnsupportedError
            A threshold or costs make its predictions differ from the boxes.
        """
        if table is not None:
            if not validate_flag("all_bounds", all_bounds):
                raise ParameterError("all_bounds=False is only for the condition, so leave out table")
            return super().to_sql(table, dialect=dialect, output=output, keep=keep)
        if str(output) != "class" or not isinstance(keep, (str, list, tuple)) or keep:
            raise ParameterError("output and keep are only for a whole query, so give table, too")
        return self._native.condition(
            validate_text("dialect", dialect), validate_flag("all_bounds", all_bounds)
        )

    def certificate(self) -> dict[str, Any]:
        """Return the certificate of Exact Boxes or of a rule list.

        Returns
        -------
        dict
            As for ``ExactBoxesClassifier.certificate`` and ``RuleListClassifier.certificate``: ``status``,
            ``objective``, ``bound``, ``gap``, ``proven_optimal``, and the data needed for verification.

        Raises
        ------
        UnsupportedError
            The model comes from Fast Boxes or PRIM.
        """
        return self._native.proof()

    def _certificate_entry(self, name: str) -> Any:
        if self.method not in ("exact_boxes", "rule_list"):
            raise AttributeError(name)
        return self.certificate()[name]

    def trajectories(self) -> list[dict[str, Any]]:
        """Return the peeling trajectories of the boxes of PRIM.

        Returns
        -------
        list of dict
            For every box its ``steps`` (``mass``, ``mean``, ``coverage`` and the change) and the ``chosen``
            step.

        Raises
        ------
        UnsupportedError
            The model was not fitted by PRIM.
        """
        return self._native.trajectories()

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the boxes. Needs matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            Axes to draw on; None creates a figure.
        **options
            Options of :func:`imbcore.plotting.plot_boxes`.

        Returns
        -------
        Axes
            The axes with the plot.
        """
        from imbcore.plotting import plot_boxes

        return plot_boxes(self, ax=ax, **options)
