"""Figures 37 to 40 of the thesis: rectified scores, priors, and other remedies.

Priors are drawn against the imbalance.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from imbcore import evaluation, sampling
from imbcore.bayes import LiteralFormula, LocallyRebalanced, Rebalanced, Tempered
from imbcore.plotting._axes import PALETTE
from reproduce._experiment import Settings
from reproduce._measure import measure
from reproduce._panels import panels
from reproduce._report import Report
from reproduce._thesis_boxplots import MEASURES, box_sheet, column
from reproduce._thesis_methods import SCORES, network
from reproduce._thesis_sets import MAIN, load
from reproduce._thesis_tables import splits
from reproduce._thesis_tests import superiority, verdict

__all__ = ["add_priors", "add_rectified", "add_remedies"]

Verdicts = list[tuple[Any, ...]]
# The thesis specifies neither its alphas, nor its gammas, nor its phi.
ALPHAS = (0.1, 1.0, 10.0, 100.0, 1000.0)
GAMMAS = (0.0, 0.25, 0.5, 0.75, 1.0)
PHI = 0.5
# Further sets on which the rare class is hardly ever predicted.
NULL_PRONE = ("abalone", "yeast")


def add_rectified(report: Report, settings: Settings) -> Verdicts:
    """Draw figure 37: F1 with and without rectified mutual information."""
    learners = {}
    for score in SCORES:
        learners[f"{score} plain"] = network(score)
        learners[f"{score} rectified"] = network(score, rectify=LiteralFormula(phi=PHI, variables="all"))
        learners[f"{score} tempered"] = network(score, rectify=Tempered(phi=PHI))
    tables = load(settings, report)
    records = measure(report, settings, learners, tables, splits(settings, 20), part="37")
    sheets = {}
    for name in tables:
        by_method = {method: column(records, "f1", dataset=name, method=method) for method in learners}
        sheets[name] = {method: values[values > 0] for method, values in by_method.items()}
    what = "F1 with and without rectified mutual information, runs with F1 above 0"
    box_sheet(report, 37, what, sheets, columns=5)
    rows: list[tuple[Any, ...]] = []
    texts_by_score = {}
    for repair in ("rectified", "tempered"):
        for score in SCORES:
            x, y = (column(records, "f1", method=f"{score} {which}") for which in (repair, "plain"))
            if len(x):
                found = superiority(x, y)
                words = verdict(found, repair, "plain")
                nulls = [int((values == 0).sum()) for values in (x, y)]
                rows.append((f"{score} {repair}", *found, *nulls, words))
                texts_by_score[score, repair] = (
                    f"{score}: {words} ({nulls[0]} null runs instead of {nulls[1]})"
                )
    header = (
        "variant",
        "pairs",
        "estimate",
        "low",
        "high",
        "p",
        "null runs",
        "null runs plain",
        "conclusion",
    )
    report.table("Rectified and plain scores, all sets together", header, rows)
    texts = {
        of: "; ".join(text for (_, which), text in texts_by_score.items() if which == of)
        for of in ("rectified", "tempered")
    }
    return [
        ("6.3 Does the rectified score help?", "ambiguous; more null runs on all sets", texts["rectified"]),
        ("6.3 Do class-weighted (tempered) counts help, our repair?", "not studied", texts["tempered"]),
    ]


def add_priors(report: Report, settings: Settings) -> Verdicts:
    """Draw figures 38 to 40: scores against the weight alpha of the prior and its balance gamma."""
    learners = {
        f"{alpha:g} {gamma:g}": network(prior=Rebalanced(weight=alpha, gamma=gamma))
        for alpha in ALPHAS
        for gamma in GAMMAS
    }
    tables = load(settings, report)
    records = measure(report, settings, learners, tables, splits(settings, 20), part="38")

    def mean(key: str, name: str, alpha: float, gamma: float) -> float:
        values = column(records, key, dataset=name, method=f"{alpha:g} {gamma:g}")
        return float(np.nanmean(values)) if len(values) else float("nan")

    cells = {
        (name, alpha, gamma): [mean(key, name, alpha, gamma) for key in MEASURES]
        for name in tables
        for alpha in ALPHAS
        for gamma in GAMMAS
    }
    for number, which, values, place in ((38, "alpha", ALPHAS, 1), (39, "gamma", GAMMAS, 2)):
        figure, grid = panels(len(MEASURES), size=(3.0, 2.6))
        numbers = []
        for at, (ax, key) in enumerate(zip(grid, MEASURES, strict=True)):
            for colour, name in zip((*PALETTE, *PALETTE), tables, strict=False):
                line = [
                    float(
                        np.nanmean(
                            [of[at] for cell, of in cells.items() if cell[0] == name and cell[place] == value]
                        )
                    )
                    for value in values
                ]
                ax.plot(values, line, marker="o", markersize=3, color=colour, label=name)
                numbers += [(key, name, value, of) for value, of in zip(values, line, strict=True)]
            ax.set(title=key, xlabel=which)
            if which == "alpha":
                ax.set_xscale("log")
        grid[0].legend(frameon=False, fontsize=7)
        other = "gamma" if which == "alpha" else "alpha"
        caption = f"Figure {number}: scores against {which}, means over {other} and the runs."
        report.figure(f"figure-{number}", figure, caption, ("measure", "set", which, "mean"), numbers)
    figure, grid = panels(len(tables), size=(3.0, 2.6))
    for ax, name in zip(grid, tables, strict=True):
        heat = np.array([[cells[name, alpha, gamma][1] for alpha in ALPHAS] for gamma in GAMMAS])
        image = ax.imshow(heat, origin="lower", aspect="auto", cmap="viridis")
        ax.set_xticks(range(len(ALPHAS)), [f"{alpha:g}" for alpha in ALPHAS])
        ax.set_yticks(range(len(GAMMAS)), [f"{gamma:g}" for gamma in GAMMAS])
        ax.set(title=name, xlabel="alpha", ylabel="gamma")
        figure.colorbar(image, ax=ax)
    heats = [(*cell, of[1]) for cell, of in cells.items()]
    header = ("set", "alpha", "gamma", "F1")
    report.figure("figure-40", figure, "Figure 40: F1 by gamma and alpha.", header, heats)
    rows = []
    for name in tables:
        best = max(((a, g) for a in ALPHAS for g in GAMMAS), key=lambda cell: cells[(name, *cell)][1])
        x = column(records, "f1", dataset=name, method=f"{best[0]:g} {best[1]:g}")
        y = column(records, "f1", dataset=name, method="1 0")
        found = superiority(x, y)
        rows.append((name, *best, cells[(name, *best)][1], cells[name, 1.0, 0.0][1], found.estimate, found.p))
    report.table(
        "Best priors, selected on the same runs",
        ("set", "best alpha", "best gamma", "F1 there", "F1 at alpha 1, gamma 0", "estimate", "p"),
        rows,
    )
    report.text(
        "The best of 25 cells is selected on the runs that it is tested on, so p is too small. Gamma 1 "
        "with a weight as large as the data would balance the classes; the printed form is not used "
        "here, since it changes the weight of the prior with the imbalance."
    )
    places = {(row[1], row[2]) for row in rows}
    gains = [row[0] for row in rows if row[-1] < 0.05]
    return [
        (
            "6.4 Do alpha and gamma matter, and does the best pair depend on the set?",
            "yes, both; low confidence",
            (
                f"{len(places)} different best pairs on {len(rows)} sets; above alpha 1, gamma 0 on "
                f"{', '.join(gains) or 'none'}"
            ),
        )
    ]


def add_remedies(report: Report, settings: Settings) -> Verdicts:
    """Report on open questions of the thesis: resampling or priors, local priors, null runs."""
    learners = {
        "plain": network(),
        "prior of weight n": network(prior=Rebalanced(weight="n")),
        "local priors": network(prior=LocallyRebalanced(strength=0.5, children=True)),
        "over-sampled": evaluation.Resampled(sampling.RandomOverSampler(), network()),
        "under-sampled": evaluation.Resampled(sampling.RandomUnderSampler(), network()),
        "tempered": network(rectify=Tempered(phi=PHI)),
        "threshold F1": network(threshold="f1"),
        "threshold prior": network(threshold="prior"),
    }
    tables = load(settings, report, (*MAIN, *NULL_PRONE))
    records = measure(report, settings, learners, tables, splits(settings, 20), part="remedies")
    plain = column(records, "f1", method="plain")
    rows, nulls = [], {}
    for method in learners:
        f1 = column(records, "f1", method=method)
        auc = column(records, "auc", method=method)
        nulls[method] = int((f1 == 0).sum())
        found = superiority(f1, plain)
        test = (found.estimate, found.p, verdict(found, method, "plain"))
        rows.append((method, float(np.nanmean(f1)), float(np.nanmean(auc)), nulls[method], len(f1), *test))
    header = ("variant", "F1", "AUC", "null runs", "runs", "estimate against plain", "p", "conclusion")
    report.table("Open questions of the thesis, all sets together", header, rows)
    x, y = (column(records, "f1", method=method) for method in ("prior of weight n", "over-sampled"))
    alike = superiority(x, y)
    gap = float(np.nanmean(np.abs(x - y)))
    local = next(row for row in rows if row[0] == "local priors")
    cured = [f"{method} {count}" for method, count in nulls.items() if method != "plain"]
    return [
        (
            "7 Are rebalanced priors equivalent to over-sampling?",
            "suggested, untested",
            (
                f"mean absolute difference of F1 {gap:.3f}, estimate {alike.estimate:+.3f}: "
                f"{verdict(alike, 'priors', 'over-sampling')}"
            ),
        ),
        ("5.4.2.2 Do local priors help?", "not implemented there", f"{local[-1]}, estimate {local[5]:+.3f}"),
        (
            "7 Can null runs be avoided in training?",
            "hoped",
            f"{nulls['plain']} null runs plain; {', '.join(cured)}",
        ),
    ]
