"""Data of a model for the interactive threshold page, and the card of a notebook."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings.options import resolve_threads
from imbcore._explore.daily import compute_daily_scores, describe_daily_scores, extract_daily_alert_inputs
from imbcore._explore.figures import describe_listed_thresholds, names, threshold_page_data
from imbcore._explore.page import describe_intervals, write_page
from imbcore._explore.snippets import (
    boxes_sql_snippet,
    command_snippet,
    python_snippet,
    sql_query_snippet,
)
from imbcore._model.card import describe_decision_rule, html_summary_table, model_card_markdown, percent_text
from imbcore._model.rules import SHOWN_LEVELS, condition_text
from imbcore._validation.files import atomic_write
from imbcore._validation.frame import to_prediction_frame
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.labels import encode_target_labels
from imbcore._validation.values import validate_path, validate_whole_number
from imbcore.exceptions import DataError, UnsupportedError
from imbcore.metrics._periods import mean_rows_per_day

# Maximum number of listed rules, and maximum length of all rules, or of the SQL.
MOST_RULES, MOST_TEXT = 60, 100_000
_WHO = "explore"


class ExplorableModel:
    """Interactive threshold page, and cards of a model."""

    @match_rows_by_index
    def explore(
        self,
        X: Any,
        y: Any,
        path: str | os.PathLike[str],
        *,
        positive: Any = None,
        rows_per_day: int | None = None,
        groups: Any = None,
        time: Any = None,
        alerts: Any = None,
        date_format: str | None = None,
        title: str | None = None,
        model_file: str | os.PathLike[str] = "model.imb",
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """Write an interactive page for choosing the alert threshold.

        One HTML file without external resources: precision-recall and ROC curves with a threshold that can be
        dragged or moved with keys, or chosen by a recall, a daily alert budget or costs; the counts at this
        threshold, scores on a log axis, calibration, the rules of a tree or box model, and the Python,
        command line and SQL code that reproduce the decision. It stays below 500 kB: if there are very many
        thresholds, some thousands are kept, with exact counts, and the page describes which.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Out-of-sample rows, as in :meth:`predict`.
        y : array-like of shape (n_rows,)
            Their labels.
        path : path-like
            File to write, usually ``*.html``.
        positive : label, default=None
            Class that raises alerts, against all others. None: ``positive_``.
        rows_per_day : int, default=None
            Number of rows per day, to which an alert budget refers. None: the mean number of rows per day if
            ``time`` is given (per unit, if times are numbers), else the number of rows given.
        groups : sequence of shape (n_rows,), str or None, default=None
            Card or customer of every row, or the name of a column: its alerts count once per period. Needs
            ``time``.
        time : sequence of shape (n_rows,), str or None, default=None
            Time of every row, or the name of a column. The page then has scores per period, as in
            :func:`imbcore.evaluate`: alerts, precision among the largest scores, card precision, time to
            detection and amounts saved.
        alerts : dict or None, default=None
            Budget per period, as in :func:`imbcore.evaluate`, such as ``{"alerts": 200, "per": "1d", "by":
            "customer", "amount": "amount"}``. None: 100 alerts per day, or per time unit if times are
            numbers. Needs ``time``.
        date_format : str or None, default=None
            Format of times that are text; None: ISO 8601.
        title : str, default=None
            Heading. None: the method and the class.
        model_file : path-like, default="model.imb"
            Path of the model file, for the commands on the page.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Raises
        ------
        ParameterError
            ``positive`` is not a class of the model, ``rows_per_day`` is not a whole number above 0, or
            ``groups`` or ``alerts`` are given without ``time``, or are invalid.
        DataError
            The columns differ from those of the fit, a label is unknown to the model, X and y differ in
            length, or all rows have the same class.
        OSError
            The file cannot be written; no partial file remains.

        Examples
        --------
        >>> import imbcore, os, tempfile
        >>> from imbcore.datasets import make_disjunct_grid
        >>> X, y = make_disjunct_grid(1000, minority_fraction=0.1, random_state=0)
        >>> X_new, y_new = make_disjunct_grid(1000, minority_fraction=0.1, random_state=1)
        >>> model = imbcore.fit(X, y, "hddt", max_depth=4)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.explore(X_new, y_new, folder + "/page.html")
        ...     os.path.getsize(folder + "/page.html") < 500_000
        True
        """
        threads = resolve_threads(n_threads, n_jobs)
        X, timed = extract_daily_alert_inputs(X, _feature_names(self), groups, time, alerts)
        rows = _ExploredRows(self, X, y, positive, threads)
        found = threshold_page_data(rows.truth, rows.scores, rows.own)
        daily = timed.daily_alerts(len(rows.truth), date_format)
        rules, rules_words = rows.rules()
        label, rest = names(rows.labels, rows.positive)
        if rows_per_day is not None:
            per_day = validate_whole_number("rows_per_day", rows_per_day, 1)
        else:
            per_day = len(rows.truth) if daily is None else mean_rows_per_day(daily.time)
        facts = found | {
            "positiveName": label,
            "restName": rest,
            "rowsADay": per_day,
            "rules": rules,
            "hull": rows.hull(),
            "code": rows.code(os.fspath(model_file)),
            "daily": None if daily is None else compute_daily_scores(daily, rows.truth, rows.scores, found),
        }
        n, hits = found["rows"], found["positives"]
        words = {
            "title": title or f"When to raise an alert for {label}",
            "model": f"{rows.model.method}, {rows.model.size_text}, {rows.model.n_features_in_} features",
            "data": f"{n:,} rows, {hits:,} of them {label} ({percent_text(hits / n)}). "
            "All numbers on this page are computed on these rows.",
            "positive": label,
            "rest": rest,
            "own": describe_decision_rule(
                rows.model, label, rows.column == rows.model.classes_.tolist().index(rows.model.positive_)
            ),
            "exactness": describe_listed_thresholds(found),
            "rules_title": "The boxes" if hasattr(type(self), "box_class") else "The rules",
            "rules_words": rules_words,
            "intervals": describe_intervals(None if daily is None else daily.groups, rows.truth, label),
            "daily": "" if daily is None else describe_daily_scores(daily),
        }
        write_page(path, words, facts)

    def _repr_html_(self) -> str:
        """Return the card that notebooks show."""
        return html_summary_table(self)

    def to_card(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        evaluation: Any = None,
        title: str | None = None,
        intended_use: str | None = None,
        limitations: str | None = None,
        model_file: str | os.PathLike[str] = "model.imb",
    ) -> str:
        """Write the model card in Markdown: model, predictions, training data and performance.

        All numbers are taken from the model and from ``evaluation``. Human knowledge is given as
        ``intended_use`` and ``limitations``; the card points out if they are missing. It begins with the
        header that model hubs read.

        Parameters
        ----------
        path : path-like or None, default=None
            File to write as well, usually ``README.md``; it is written atomically.
        evaluation : Evaluation or None, default=None
            Result of :func:`imbcore.evaluate` with the same method and parameters. None: the card has no
            scores.
        title : str or None, default=None
            Heading. None: the method and the positive class.
        intended_use, limitations : str or None, default=None
            Paragraphs of Markdown.
        model_file : path-like, default="model.imb"
            Path of the model file, for the code that loads it.

        Returns
        -------
        str
            The card.

        Raises
        ------
        DataError
            The evaluation has other classes.
        OSError
            The file cannot be written.

        Examples
        --------
        >>> import imbcore
        >>> X, y = [[float(i)] for i in range(40)], [0] * 30 + [1] * 10
        >>> model = imbcore.fit(X, y, method="cart")
        >>> text = model.to_card(evaluation=imbcore.evaluate(X, y, "cart", random_state=0))
        >>> print(text.splitlines()[7])
        # cart: detects 1
        """
        words = {"title": title, "intended_use": intended_use, "limitations": limitations}
        text = model_card_markdown(self, evaluation, words, validate_path("model_file", model_file))
        if path is not None:
            with atomic_write(path) as file:
                file.write(text.encode())
        return text


def _feature_names(model: Any) -> list[str]:
    names: list[str] = model.feature_names
    return names


class _ExploredRows:
    """Rows of a table with the predictions of a model."""

    def __init__(self, model: Any, X: Any, y: Any, positive: Any, n_threads: int) -> None:
        self.model, self.n_threads = model, n_threads
        self.labels: list[Any] = model.classes_.tolist()
        self.column: int = model._code_of("positive", model.positive_ if positive is None else positive)
        self.positive = self.labels[self.column]
        self.codes = self._codes(y)
        self.truth = self.codes == self.column
        self.X = X
        self.scores = np.ascontiguousarray(model.predict_proba(X, n_threads=n_threads)[:, self.column])
        self._check_rows()
        self.own: NDArray[np.bool_] = model._codes(X, None, n_threads, None, _WHO) == self.column

    def _codes(self, y: Any) -> NDArray[np.uint32]:
        """Encode the labels with the classes of the model."""
        target = encode_target_labels(y, _WHO)
        given = target.classes.tolist()
        unknown = [label for label in given if label not in self.labels]
        if unknown:
            raise DataError(
                f"y contains the label {unknown[0]!r}, which is not a class of the model; "
                f"its classes are {self.labels}"
            )
        codes = np.array([self.labels.index(label) for label in given], dtype=np.uint32)
        return codes[target.codes]

    def _check_rows(self) -> None:
        if len(self.truth) != len(self.scores):
            raise DataError(f"X has {len(self.scores)} rows, but y has {len(self.truth)} labels")
        hits = int(np.count_nonzero(self.truth))
        if hits in (0, len(self.truth)):
            what = "no row is" if hits == 0 else "all rows are"
            raise DataError(
                f"{what} of the positive class {self.positive!r} among {len(self.truth)}: choosing a "
                "threshold needs both classes; give rows of both, or another positive="
            )

    def rules(self) -> tuple[dict[str, Any] | None, str]:
        """Return the rules with their counts on these rows, and their description."""
        kind = type(self.model)
        if not hasattr(kind, "rules"):
            return None, f"A model with {self.model.size_text} has no rules to show."
        boxes = hasattr(kind, "box_class")
        if boxes and self.positive != self.model.box_class:
            return (
                None,
                f"The boxes describe {self.model.box_class}, so they raise no alert for {self.positive}.",
            )
        frame = to_prediction_frame(self.X, self.model._schema, _WHO)
        masses = self.model._native_attribute("rule_masses")(frame, self.codes, self.n_threads)
        low, high = self._probability_ranges(self.model.apply(self.X, n_threads=self.n_threads), len(masses))
        found: list[tuple[float, float, int, dict[str, Any]]] = []
        for rule in self.model.rules(positive=self.positive):
            place = rule["box" if boxes else "leaf"]
            rows, hits = float(masses[place].sum()), float(masses[place, self.column])
            if rows > 0 and low[place] <= high[place]:
                found.append((-hits, rows, place, rule))
        found.sort(key=lambda one: one[:3])
        listed = _first_rules_for_page(
            {
                "text": condition_text(rule, SHOWN_LEVELS),
                "rows": _int_if_whole(rows),
                "hits": _int_if_whole(-hits),
                "low": float(low[place]),
                "high": float(high[place]),
            }
            for hits, rows, place, rule in found[:MOST_RULES]
        )
        words = self._describe_rules(boxes, len(found), len(listed))
        return {"list": listed, "others": len(found) - len(listed), "overlap": boxes}, words

    def hull(self) -> list[dict[str, Any]] | None:
        """Return the trees of the hull of an exact tree, with their counts; None for other models."""
        if not hasattr(type(self.model), "hull") or self.positive != self.model.positive_:
            return None
        trees = self.model.hull()
        return [self._tree(tree) for tree in trees] if len(trees) > 1 else None

    def _tree(self, tree: dict[str, Any]) -> dict[str, Any]:
        model = tree["model"]
        alarms = model._codes(self.X, None, self.n_threads, None, _WHO) == self.column
        rules = [rule for rule in model.rules() if rule["class"] == self.positive]
        return {
            "from": tree["best_from"],
            "to": tree["best_to"],
            "tp": int(np.count_nonzero(alarms & self.truth)),
            "fp": int(np.count_nonzero(alarms & ~self.truth)),
            "rules": [condition_text(rule, SHOWN_LEVELS) for rule in rules],
        }

    def _probability_ranges(
        self, places: NDArray[np.int64], n: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the range of probabilities of the rows in every leaf or box; -1 means none."""
        low, high = np.full(n, np.inf), np.full(n, -np.inf)
        inside = places >= 0
        np.minimum.at(low, places[inside], self.scores[inside])
        np.maximum.at(high, places[inside], self.scores[inside])
        return low, high

    def _describe_rules(self, boxes: bool, n: int, n_listed: int) -> str:
        what = "box" if boxes else "leaf"
        plural = "boxes" if boxes else "leaves"
        words = f"{n:,} {what if n == 1 else plural} contain{'s' * (n == 1)} some of these rows"
        words += (
            f"; the {n_listed:,} with the most {self.positive} rows are listed. " if n_listed < n else ". "
        )
        words += "Rows, precision and recall are computed on these rows."
        return words + (" A row in several boxes counts in each." if boxes and n > 1 else "")

    def code(self, file: str) -> list[dict[str, Any]]:
        """Return snippets that reproduce a decision."""
        found = [
            python_snippet(file, self.model.method, self.labels, self.positive),
            command_snippet(file, self.labels, self.positive),
        ]
        # Models that cannot be exported to SQL have no SQL snippet.
        with contextlib.suppress(UnsupportedError):
            found.append(self._sql_snippet())
        return found

    def _sql_snippet(self) -> dict[str, Any]:
        """Return the SQL of the boxes, or of the probability to compare with the threshold."""
        if hasattr(type(self.model), "box_class"):
            inside = self.model.apply(self.X, n_threads=self.n_threads) >= 0
            hits = int(np.count_nonzero(inside & self.truth))
            return boxes_sql_snippet(self.model.to_sql(), (hits, int(np.count_nonzero(inside)) - hits))
        query = self.model.to_sql("new_rows", output="proba")
        return sql_query_snippet(query if len(query) <= MOST_TEXT else None, f"proba_{self.positive}")


def _first_rules_for_page(rules: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return as many of the first rules as fit on the page."""
    room, listed = MOST_TEXT, []
    for rule in rules:
        room -= len(rule["text"])
        if room < 0:
            break
        listed.append(rule)
    return listed


def _int_if_whole(value: float) -> float:
    return int(value) if value.is_integer() else value
