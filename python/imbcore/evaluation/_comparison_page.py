"""Output of a comparison: text for a terminal, notebook tables, and a page with figures."""

from __future__ import annotations

from typing import Any

import numpy as np

from imbcore._bindings import native
from imbcore._validation.digits import score_text
from imbcore.evaluation._document import BestCellText, Document
from imbcore.evaluation._findings import ComparisonResults
from imbcore.evaluation._headline import headline_of, measure_title
from imbcore.evaluation._measures import LOWER_IS_BETTER, RATES
from imbcore.evaluation._scores import COUNTS, align_rows, metric_label
from imbcore.evaluation._summaries import Summary, means_of_complete_tables

# Maximum number of pairs of methods that are listed individually.
_MOST_PAIRS = 45
# Below this number of tables, the F distribution of the Friedman test is inaccurate (statistics.md).
_FEW_TABLES = 30


def comparison_to_text(of: ComparisonResults) -> str:
    """Format a comparison as text for a terminal."""
    parts = [_title(of) + "; mean ± sd, the best with a star"]
    for _, header, rows in tables_of_means(of):
        starred = [
            [cell.starred() if isinstance(cell, BestCellText) else cell for cell in row] for row in rows
        ]
        parts.append(align_rows([header, *starred]))
    parts += [_describe_tests(of), *_describe_problems(of)]
    return "\n\n".join(part for part in parts if part)


def comparison_to_html(of: ComparisonResults) -> str:
    """Format the tables for a notebook, without figures."""
    report = _report_without_figures(of)
    return "\n".join([f"<p>{_title(of)}</p>", *(table.html() for table in report.tables)])


def report_with_figures(of: ComparisonResults) -> Document:
    """Build the full report with figures."""
    report = _report_without_figures(of)
    if len(of.datasets) == 1:
        _add_mean_curves(of, report)
    elif len(of.compared) > 1 and of.n_ranked > 1:
        _draw_cd_diagram(of, report)
    return report


def _report_without_figures(of: ComparisonResults) -> Document:
    report = Document("compare", _title(of))
    if headline := headline_of(of):
        report.text(headline, headline=True)
    for title, header, rows in tables_of_means(of):
        report.table(title, tuple(measure_title(name, of.period) for name in header), rows)
    report.text(_describe_tests(of))
    tests = of.tests()
    if 0 < len(tests) <= _MOST_PAIRS:
        report.table(
            f"Pairs of methods ({tests[0].test}, adjusted by Holm)",
            ("first", "second", _difference_column_title(of), "p", "adjusted p", f"differ at {of.level:g}"),
            [
                (t.first, t.second, t.difference, t.p, t.adjusted, "yes" if t.adjusted <= of.level else "no")
                for t in tests
            ],
        )
    if len(of.datasets) > 1 and len(of.compared) > 1 and of.n_ranked > 1:
        _add_equivalence_table(of, report)
    for line in _describe_problems(of):
        report.text(line)
    report.fact("imbcore", native.version())
    report.fact("procedure", of.division or str(of.procedure))
    report.fact("seed", of.seed)
    return report


def _title(of: ComparisonResults) -> str:
    (methods, over) = (
        f"{n} {what}s" if n > 1 else f"one {what}"
        for n, what in ((len(of.compared), "method"), (len(of.datasets), "table"))
    )
    return f"{methods} on {over}, {of.division or of.procedure}"


def tables_of_means(of: ComparisonResults) -> list[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
    """Return title, header and rows of the tables of means."""
    if len(of.datasets) == 1:
        summaries = [of.summary(measure) for measure in of.measures]
        rows = [
            (method, *(_mean_and_sd_cell(of, summary, 0, at) for summary in summaries))
            for at, method in enumerate(of.methods)
        ]
        names = (_metric_label(of, measure) for measure in of.measures)
        return [("Scores: mean ± standard deviation over the test folds", ("method", *names), rows)]
    summary = of.summary()
    rows = [
        (dataset, *(_mean_and_sd_cell(of, summary, i, j) for j in range(len(summary.methods))))
        for i, dataset in enumerate(summary.datasets)
    ]
    found = [(f"Means ± standard deviations of {_metric_label(of)}", ("table", *summary.methods), rows)]
    if len(of.measures) > 1:
        found.append(means_over_tables(of))
    if len(of.compared) > 1 and of.n_ranked > 1:
        ranked = [(measure, of.compared_summary(measure)) for measure in of.measures if measure not in COUNTS]
        shown = [
            (_metric_label(of, measure), *(f"{rank:.2f}" for rank in of.ranks(measure).average_ranks))
            for measure, summary in ranked
            if len(means_of_complete_tables(summary)) > 1
        ]
        found.append(("Average ranks", ("average rank", *of.compared), shown))
    return found


def _metric_label(of: ComparisonResults, measure: str | None = None) -> str:
    """Return the name of a metric, by default of ``score``, with the period of the alert budget."""
    return metric_label(measure or of.score, of.period)


def means_over_tables(of: ComparisonResults) -> tuple[str, tuple[str, ...], list[tuple[str, ...]]]:
    """Return the mean of every metric over the tables for which all methods have it."""
    rows = []
    for measure in of.measures:
        summary, compared = of.summary(measure), of.compared_summary(measure)
        places = np.flatnonzero(~np.isnan(compared.means).any(axis=1))
        found = (native.protocols.spread(np.ascontiguousarray(column)) for column in summary.means[places].T)
        texts = (score_text(mean) if n == len(places) > 0 else "-" for mean, _, n in found)
        rows.append((_metric_label(of, measure), *texts, f"{len(places)} of {len(of.datasets)}"))
    return "Means over the tables", ("mean over tables", *of.methods, "tables"), rows


def _mean_and_sd_cell(of: ComparisonResults, summary: Summary, i: int, j: int) -> str:
    value, spread = summary.means[i, j], summary.sds[i, j]
    if np.isnan(value):
        return "-"
    text = score_text(value) if np.isnan(spread) else f"{score_text(value)} ± {score_text(spread)}"
    row = np.array(
        [
            float(score_text(mean))
            for name, mean in zip(summary.methods, summary.means[i], strict=True)
            if name in of.compared
        ]
    )
    is_best = False
    if summary.measure not in COUNTS and summary.methods[j] in of.compared and len(row) > 1:
        best = np.nanmin(row) if summary.measure in LOWER_IS_BETTER else np.nanmax(row)
        # No method is best if all are equal.
        is_best = bool(float(score_text(value)) == best and np.nanmin(row) < np.nanmax(row))
    missing = int(summary.n_missing[i, j])
    cell = text + (f" ({missing} failed)" if missing else "")
    return BestCellText(cell) if is_best else cell


def _describe_tests(of: ComparisonResults) -> str:
    tests = of.tests()
    if not tests:
        return ""
    different = [t for t in tests if t.adjusted <= of.level]
    words = []
    if len(of.datasets) > 1:
        ranked = of.ranks()
        cd = of.critical_difference()
        if of.n_ranked < _FEW_TABLES:
            p, test = ranked.permutation_p, "Friedman test by permutation"
        else:
            p, test = ranked.f_p, f"Friedman test, Iman and Davenport's F = {ranked.f:.3g}"
        verdict = "differ" if p <= of.level else "do not differ significantly"
        shown = "p < 0.001" if p < 0.001 else f"p = {p:.3g}"
        words.append(
            f"By {_metric_label(of)} over {of.n_ranked} tables the methods {verdict} at level {of.level:g} "
            f"({test}, {shown}). Average ranks differ significantly if they are at least {cd:.2f} apart "
            "(Nemenyi)."
        )
    if not different:
        words.append(
            f"No pair differs by {_metric_label(of)} at {of.level:g} ({tests[0].test}, adjusted by Holm for "
            f"{len(tests)} pairs)."
        )
    else:
        pairs = ", ".join(f"{_format_difference(t, of)}" for t in different[:_MOST_PAIRS])
        words.append(
            f"Better by {_metric_label(of)} at {of.level:g} ({tests[0].test}, adjusted by Holm): {pairs}."
        )
    return " ".join(words)


def _format_difference(test: Any, of: ComparisonResults) -> str:
    """Format a significant difference, with the better method first."""
    lower = test.dataset is None or of.score in LOWER_IS_BETTER
    first, second = (test.first, test.second) if (test.difference < 0) == lower else (test.second, test.first)
    return f"{first} than {second} (p = {test.adjusted:.2g})"


def _difference_column_title(of: ComparisonResults) -> str:
    return "difference" if len(of.datasets) == 1 else "difference of average ranks"


def _add_equivalence_table(of: ComparisonResults, report: Document) -> None:
    rope = 0.01
    rows = [
        (first, second, chances.greater, chances.equivalent, chances.less)
        for (first, second), chances in of.practical(rope).items()
    ]
    if len(rows) <= _MOST_PAIRS:
        report.table(
            f"Bayesian signed-rank test of {_metric_label(of)}; differences up to {rope:g} count as equal",
            ("first", "second", "probability that first is better", "equal", "second is better"),
            rows,
        )


def _describe_problems(of: ComparisonResults) -> list[str]:
    """Describe failed fits, methods that predict a single class, and warnings of fits."""
    lines = [
        f"{method} failed in {count} fits on {dataset}: {why}"
        for dataset, method, count, why in of.failures()
    ]
    lines += [
        f"{method} predicted a single class for all test rows of {dataset}."
        for dataset, method in of.constant()
    ]
    return lines + [
        f"{method} warned in {count} fits on {n_tables} table{'s' * (n_tables > 1)}, such as: {text}"
        for method, count, n_tables, text in of.warnings()
    ]


def _add_mean_curves(of: ComparisonResults, report: Document) -> None:
    """Draw mean ROC and precision-recall curves of the single table."""
    from imbcore.plotting import plot_mean_curves
    from imbcore.plotting._axes import require_matplotlib

    for kind, what in (("roc", "ROC curves"), ("precision_recall", "Precision-recall curves")):
        curves: dict[str, Any] = {}
        for record in of.records:
            if record["curves"] is not None:
                curves.setdefault(record["method"], []).append(record["curves"][kind])
        if not curves:
            continue
        require_matplotlib("the page")
        from matplotlib.figure import Figure

        figure = Figure(figsize=(4.8, 4.9 + 0.21 * len(curves)), layout="constrained")
        plot_mean_curves(curves, kind, ax=figure.add_subplot())
        heights = {name: np.array(parts).T for name, parts in curves.items()}
        rows = [
            (float(rate), name, float(native.protocols.spread(np.ascontiguousarray(parts[at]))[0]))
            for name, parts in heights.items()
            for at, rate in enumerate(RATES)
        ]
        caption = f"{what}, averaged over the test folds at equal rates."
        report.figure(kind, figure, caption, ("rate", "method", "height"), rows)


def _draw_cd_diagram(of: ComparisonResults, report: Document) -> None:
    from imbcore.plotting import plot_cd

    average = of.ranks().average_ranks
    figure: Any = plot_cd(average, of.compared, of.critical_difference()).figure
    caption = f"Average ranks by {_metric_label(of)}; bars connect methods that do not differ significantly."
    rows = [(name, float(rank)) for name, rank in zip(of.compared, average, strict=True)]
    report.figure("critical_difference", figure, caption, ("method", "average rank"), rows)
