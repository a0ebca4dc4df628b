"""Report page: a single HTML file."""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Mapping
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Any

import numpy as np

from imbcore import metrics
from imbcore._bindings import native
from imbcore._explore.figures import describe_listed_thresholds, names, threshold_page_data
from imbcore._explore.page import (
    build_threshold_sections,
    data_and_script_elements,
    describe_intervals,
    style_sheet,
)
from imbcore._validation.digits import score_text
from imbcore._validation.files import atomic_write
from imbcore.evaluation._evaluation import (
    Evaluation,
    best_method,
    best_methods,
    best_rounded_methods,
    format_interval,
    format_mean_and_sd,
    has_intervals,
    metric_titles_and_meanings,
)
from imbcore.evaluation._html import (
    draw_svg_image,
    fraction_bar_html,
    name_with_line_breaks_html,
    score_on_two_lines_html,
)
from imbcore.evaluation._leaderboard import leaderboard_section
from imbcore.evaluation._portrait import represent_model
from imbcore.evaluation._scores import METRICS
from imbcore.exceptions import DataError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from imbcore._model.model import Model

__all__ = ["write_report"]


def write_report(
    path: str | os.PathLike[str],
    evaluations: Mapping[str, Evaluation],
    model: Model,
    X: Any,
    *,
    title: str,
    chosen: str | None = None,
    reproduce: str | None = None,
) -> None:
    """Write a self-contained HTML page about methods compared on one data set.

    Parameters
    ----------
    path
        File to write.
    evaluations
        Evaluations of the same data with the same folds, by name.
    model
        The selected method, fitted to all rows.
    X
        The tested rows of the evaluations, on which the counts of rules are computed.
    title
        Heading, such as the name of the data.
    chosen
        Name in ``evaluations`` of the method of ``model``; ``None`` uses the one with the best mean average
        precision.
    reproduce
        Commands that reproduce the page.

    Raises
    ------
    DataError
        The tested rows have no row of the positive class, or no other row.
    ImportError
        matplotlib is not installed.
    OSError
        The file cannot be written.
    """
    page = _ReportPage(evaluations, model, X, chosen or best_method(evaluations))
    template = Template(
        resources.files("imbcore.evaluation").joinpath("report.html").read_text(encoding="utf-8")
    )
    text = template.substitute(
        page.fields(), title=html.escape(title), reproduce=_reproduction_section(page, reproduce)
    )
    with atomic_write(path) as file:
        file.write(text.encode())


class _ReportPage:
    """Parts of one page as HTML."""

    def __init__(self, evaluations: Mapping[str, Evaluation], model: Model, X: Any, chosen: str) -> None:
        self.evaluations, self.model, self.chosen = evaluations, model, chosen
        self.result = evaluations[chosen]
        self.classes = self.result.classes_.tolist()
        self.counts = [int(np.sum(self.result.y == label)) for label in self.classes]
        # With several classes, curves and rules show this class against the rest.
        self.positive = self.result.positive
        self.column = self.classes.index(self.positive)
        if self.counts[self.column] in (0, len(self.result.y)):
            raise DataError(
                f"a report needs test rows of the class {self.positive!r} and of another class; test sets "
                f"have {self.counts[self.column]:,} of {len(self.result.y):,} rows of it"
            )
        self.predicted = self.result.predicted
        self.label = f"“{html.escape(str(self.positive))}”"
        self.portrait = represent_model(model, X, self.result)

    def fields(self) -> dict[str, str]:
        truth = (self.result.y == self.positive).astype(np.int64)
        probas = {name: result.proba for name, result in self.evaluations.items()}
        scores = {name: proba[:, self.column] for name, proba in probas.items() if proba is not None}
        return {
            "version": native.version(),
            "summary": self._table_size_text(),
            "verdict": self._describe_detections(),
            "class_rows": self._class_table_rows_html(),
            "protocol": self._describe_protocol(),
            "method_heads": "".join(
                f'<th scope="col">{name_with_line_breaks_html(name)}</th>' for name in self.evaluations
            ),
            "score_rows": self._score_table_rows_html(),
            "positive": self.label,
            "chosen": html.escape(self.chosen),
            "roc": self._curves("plot_roc", truth, scores, "ROC curves"),
            "precision_recall": self._curves(
                "plot_precision_recall", truth, scores, "Precision-recall curves"
            ),
            "confusion": self._confusion(),
            "areas": self._curve_area_note(),
            **self._portrait(),
            **self._threshold_sections(),
        }

    def _threshold_sections(self) -> dict[str, str]:
        """Build the sections for choosing a threshold, on out-of-sample rows.

        They are empty without probabilities, or if the tested rows are of one class.
        """
        truth, proba = self.result.y == self.positive, self.result.proba
        if proba is None or truth.all() or not truth.any():
            return {"style": style_sheet(), "choose": "", "scripts": ""}
        scores = np.ascontiguousarray(proba[:, self.column])
        found = threshold_page_data(truth, scores, self.predicted == self.positive)
        name, rest = names(self.classes, self.positive)
        per_day = self.result.rows_per_day or found["rows"]
        shown: dict[str, Any] = {
            "positiveName": name,
            "restName": rest,
            "rowsADay": per_day,
            "rules": None,
            "code": [],
        }
        words = {
            "positive": name,
            "rest": rest,
            "own": f"As {self.chosen} predicted the rows of the test folds.",
            "exactness": describe_listed_thresholds(found),
            "intervals": describe_intervals(self.result.groups, truth, name),
        }
        return {
            "style": style_sheet(),
            "choose": build_threshold_sections(words),
            "scripts": data_and_script_elements(found | shown),
        }

    def _portrait(self) -> dict[str, str]:
        shown = self.portrait
        if shown is None:
            return {
                "portrait_title": f"Structure of {html.escape(self.chosen)}",
                "portrait_words": f"The model has {self.model.size_text} and predicts the same class for "
                "every row.",
                "portrait": "",
                "importances": leaderboard_section(self.model),
                "rules_words": "It has no rules.",
                "rule_rows": "",
            }
        return {
            "portrait_title": shown.title(self.chosen),
            "portrait_words": shown.description_html(),
            "portrait": shown.drawing(),
            "importances": shown.importances(self.model) + leaderboard_section(self.model),
            "rules_words": shown.rules_description_html(),
            "rule_rows": shown.rule_rows(),
        }

    def _table_size_text(self) -> str:
        features = self.model.feature_names
        # Splits forward in time may test no row of a class.
        rare, common = min(count for count in self.counts if count), max(self.counts)
        groups = self.result.groups
        of_groups = "" if groups is None else f" of {len(np.unique(groups)):,} groups"
        return (
            f"{len(self.result.y):,} rows{of_groups}, {len(features)} feature{'s' * (len(features) != 1)}, "
            f"{len(self.classes)} classes; the largest is {common / rare:.1f} times the smallest."
        )

    def _describe_detections(self) -> str:
        best = best_rounded_methods(self.evaluations, "average_precision")
        raised = self.predicted == self.positive
        right = int(np.sum(raised & (self.result.y == self.positive)))
        total = self.counts[self.column]
        method = f"<strong>{html.escape(self.chosen)}</strong>"
        words = [f"{method} detects {right:,} of the {total:,} rows of {self.label}"]
        if raised.any():
            n_raised = int(raised.sum())
            words.append(
                f"and {right / n_raised:.0%} of the {n_raised:,} rows predicted as {self.label} are correct."
            )
        else:
            words.append("and predicts no row as such.")
        equal = [name for name in best if name != self.chosen]
        others, have = html.escape(", ".join(equal)), "has" if len(equal) == 1 else "have"
        if self.chosen in best and len(self.evaluations) > 1:
            words.append(
                f"No method has a better average precision{f', {others} {have} the same' if others else ''}."
            )
        elif others:
            words.append(f"The best average precision is that of {others}.")
        never = 1 - max(self.counts) / len(self.result.y)
        words.append(f"Always predicting the largest class would be wrong for {never:.1%} of the rows.")
        return " ".join(words)

    def _class_table_rows_html(self) -> str:
        lines = []
        for label, count in sorted(zip(self.classes, self.counts, strict=True), key=lambda pair: -pair[1]):
            share = count / len(self.result.y)
            name, drawn = html.escape(str(label)), fraction_bar_html(share, rare=label == self.positive)
            numbers = f"<td>{count:,}</td><td>{share:.1%}</td>"
            lines.append(f'<tr><td>{name}</td>{numbers}<td class="words">{drawn}</td></tr>')
        return "\n".join(lines)

    def _describe_protocol(self) -> str:
        tested = len(self.result.y)
        words = f"Tested on held-out rows: {html.escape(self.result.parts)}."
        if tested < self.result.n_rows:
            words += f" Scores and curves use {tested:,} of the {self.result.n_rows:,} rows; "
            words += "the others are used for training only."
        if len(self.classes) > 2:
            words += (
                " Precision, recall, specificity, NPV, F1 and average precision are means over the classes."
            )
        return f"{words} {self._describe_means()}"

    def _score_table_rows_html(self) -> str:
        lines = []
        for metric, (title, meaning) in metric_titles_and_meanings(self.evaluations).items():
            best = best_methods(self.evaluations, metric)
            cells = "".join(
                f"<td{' class=best' if name in best else ''}>{self._mean_html(result, metric)}</td>"
                for name, result in self.evaluations.items()
            )
            lines.append(f'<tr><td class="score">{title}<small>{meaning}</small></td>{cells}</tr>')
        return "\n".join(lines)

    def _mean_html(self, result: Evaluation, metric: str) -> str:
        """Format a mean with its interval, or with its standard deviation if it has no interval."""
        if interval := format_interval(*result.ends(metric)):
            return f"{score_text(result.spread(metric)[0])}<small>{interval}</small>"
        return score_on_two_lines_html(format_mean_and_sd(result, metric))

    def _describe_means(self) -> str:
        spread = (
            f"{100 * self.result.level:g} % interval" if has_intervals(self.result) else "standard deviation"
        )
        return f"Mean over the test folds, with its {spread}; the best mean of a row is bold."

    def _curve_area_note(self) -> str:
        """Explain why the areas of the curves differ from those of the table."""
        first = " of the first round" if self.result.repeats > 1 else ""
        of = f" The curves show {self.label} against the rest." if len(self.classes) > 2 else ""
        return (
            f"The curves pool the rows of all test folds{first}, whose scores come from different models; "
            f"the table has the mean over the folds. Therefore their areas differ.{of} "
            f"Below, a threshold can be chosen on these rows, for {html.escape(self.chosen)}."
        )

    def _curves(self, plot: str, truth: Any, scores: Mapping[str, Any], what: str) -> str:
        from imbcore import plotting

        name = "roc_auc" if plot == "plot_roc" else "average_precision"
        area: Callable[..., float] = getattr(metrics, f"{name}_score")
        values = ", ".join(f"{method} {area(truth, score):.3f}" for method, score in scores.items())
        alt = f"{what} of {len(scores)} methods; {METRICS[name][0]}: {values}."
        draw: Callable[..., Axes] = getattr(plotting, plot)
        # Reserve space for the legend below the curves.
        size = (4.8, 4.9 + 0.21 * len(scores))
        return draw_svg_image(size, lambda ax: draw(truth, scores, pos_label=1, ax=ax), alt)

    def _confusion(self) -> str:
        from imbcore.plotting import plot_confusion

        counts = metrics.confusion_matrix(self.result.y, self.predicted)
        rows = [
            f"true {label}: {dict(zip(self.classes, row, strict=True))}"
            for label, row in zip(self.classes, counts.tolist(), strict=True)
        ]
        side = min(7.0, 3.4 + 0.25 * len(self.classes))
        return draw_svg_image(
            (side + 0.6, side), lambda ax: plot_confusion(counts, self.classes, ax=ax), "; ".join(rows)
        )


def _reproduction_section(page: _ReportPage, commands: str | None) -> str:
    parameters = ", ".join(f"{name}={value!r}" for name, value in page.model.params.items())
    words = f"imbcore {native.version()}, method {page.model.method} with {parameters}."
    return f"<p>{html.escape(words)}</p>" + (f"\n<pre>{html.escape(commands)}</pre>" if commands else "")
