"""Figures 41 to 44 of the thesis: ensembles, other classifiers, and null runs.

Null runs have no positive predictions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imbcore.plotting._axes import PALETTE
from reproduce._experiment import Settings
from reproduce._measure import measure
from reproduce._panels import panels
from reproduce._report import Report
from reproduce._thesis_boxplots import MEASURES, box_sheet, column
from reproduce._thesis_methods import SIZE, bootstraps, classifiers
from reproduce._thesis_sets import load
from reproduce._thesis_tables import splits
from reproduce._thesis_tests import superiority, verdict

__all__ = ["add_comparison", "add_null_runs"]

Verdicts = list[tuple[Any, ...]]
# Properties of the model in the records that may distinguish null runs.
FACTS = (
    "class arcs",
    "class children",
    "class parents",
    "arcs",
    "log-likelihood",
    "training recall",
    "starved",
)


def add_comparison(report: Report, settings: Settings) -> Verdicts:
    """Draw figures 41 and 42."""
    learners = classifiers()
    bags = {**bootstraps(SIZE), **bootstraps(10)}
    tables = load(settings, report)
    records = measure(report, settings, bags | learners, tables, splits(settings), part="41")
    for number, what, methods in (
        (41, "bootstrap mechanisms", (*bags,)),
        (42, "all classifiers", (*learners,)),
    ):
        sheets = {
            key: {method: column(records, key, method=method) for method in methods}
            for key in (*MEASURES, *(("auc",) if number == 42 else ()))
        }
        box_sheet(report, number, what, sheets, label="")
    tests = {}
    for one, other in (
        ("plainBootstrap", "weightedBootstrap"),
        ("plainBootstrap 10", "weightedBootstrap 10"),
        ("plainBootstrap", "plainFullBayes"),
        ("weightedBootstrap", "plainFullBayes"),
        ("naiveBayes", "plainFullBayes"),
        ("plainBootstrap", "naiveBayes"),
        ("randomForests", "plainBootstrap"),
    ):
        x, y = (column(records, "f1", method=method) for method in (one, other))
        if len(x):
            tests[one, other] = superiority(x, y)
    rows = [(f"{a} - {b}", *found, verdict(found, a, b)) for (a, b), found in tests.items()]
    header = ("pair", "pairs", "estimate", "low", "high", "p", "conclusion")
    report.table("F1, all sets together: Wilcoxon, one-sided", header, rows)

    def describe(one: str, other: str) -> str:
        found = tests.get((one, other))
        return (
            f"{verdict(found, one, other)} (estimate {found.estimate:+.3f}, p {found.p:.3g})" if found else ""
        )

    return [
        (
            "6.5 Is averaging better than weighting by the probability of the row?",
            "vaguely, p .17 and .07",
            (
                f"N = 5: {describe('plainBootstrap', 'weightedBootstrap')}; "
                f"N = 10: {describe('plainBootstrap 10', 'weightedBootstrap 10')}"
            ),
        ),
        (
            "6.5 Is a bootstrap better than one network?",
            "yes, p .06",
            describe("plainBootstrap", "plainFullBayes"),
        ),
        ("6.6 Is naive Bayes better than one network?", "p .16", describe("naiveBayes", "plainFullBayes")),
        ("6.6 Is the bootstrap better than naive Bayes?", "p .07", describe("plainBootstrap", "naiveBayes")),
        ("6.6 Is the random forest best?", "yes, p .00", describe("randomForests", "plainBootstrap")),
    ]


def add_null_runs(report: Report, records: list[dict[str, Any]]) -> Verdicts:
    """Draw figures 43 and 44 from the runs of figures 29 to 31."""
    names = tuple(dict.fromkeys(record["dataset"] for record in records))
    rows = []
    for name in names:
        f1, predicted_null = (column(records, key, dataset=name) for key in ("f1", "predicted null"))
        zero = f1 == 0
        rows.append(
            (
                name,
                len(f1),
                int(zero.sum()),
                int((zero & (predicted_null == 1)).sum()),
                int((~zero & (predicted_null == 1)).sum()),
            )
        )
    figure, (ax,) = panels(1, size=(4.6, 3.0))
    ax.bar(range(len(rows)), [row[2] for row in rows], color=PALETTE[1], label="null")
    ax.bar(
        range(len(rows)),
        [row[1] - row[2] for row in rows],
        bottom=[row[2] for row in rows],
        color=PALETTE[0],
        label="others",
    )
    ax.set_xticks(range(len(rows)), names)
    ax.set_ylabel("runs")
    ax.legend(frameon=False)
    header = ("set", "runs", "null runs", "of them predicted", "predicted wrongly")
    report.figure("figure-43", figure, "Figure 43: runs with F1 = 0, by set.", header, rows)
    report.table("Null runs, and those predicted by the diagnosis of the fitted model", header, rows)
    scores = column(records, "f1")
    nulls = sum(row[2] for row in rows)
    sheets = {
        key: {"null": column(records, key)[scores == 0], "others": column(records, key)[scores > 0]}
        for key in FACTS
    }
    box_sheet(report, 44, "properties of the model in null runs and in others", sheets, columns=4, label="")
    predicted, wrongly = (sum(row[at] for row in rows) for at in (3, 4))
    armed = int((sheets["class arcs"]["null"] > 0).sum())
    apart = [
        f"{key} {np.median(sheet['null']):.3g} against {np.median(sheet['others']):.3g}"
        for key, sheet in sheets.items()
        if len(sheet["null"])
        and len(sheet["others"])
        and np.median(sheet["null"]) != np.median(sheet["others"])
    ]
    return [
        (
            "6.7 Are null runs an error in the induction of the structure?",
            "seems so",
            (
                f"the class has arcs in {armed} of {nulls} null runs (of {len(scores)}); medians that "
                f"differ: {', '.join(apart) or 'none'}"
            ),
        ),
        (
            "7 Can null runs be predicted from the model?",
            "hoped",
            f"{predicted} of {nulls} are predicted by diagnose(), {wrongly} others wrongly",
        ),
    ]
