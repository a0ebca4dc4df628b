"""Tables 1 to 5 of the thesis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore import evaluation
from reproduce import _printed
from reproduce._compare import Grid
from reproduce._correlation import spearman
from reproduce._experiment import Settings
from reproduce._measure import measure
from reproduce._report import Report
from reproduce._thesis_methods import (
    CLASSIFIERS,
    CUTS,
    HEURISTICS,
    SCORES,
    Network,
    bootstraps,
    classifiers,
    network,
)
from reproduce._thesis_sets import MAIN, load
from reproduce._thesis_tests import superiority, verdict

__all__ = ["REPLICAS", "f1_of", "splits", "table1", "table2", "table3", "table4", "table5"]

# The thesis does not give its number of repetitions; ours gives its tests some power.
REPLICAS, QUICK_REPLICAS = 50, 4

Floats = NDArray[np.float64]
Scores = dict[tuple[str, str], Floats]

TOGETHER = (
    "Every replica is another random split, with 85 % of the rows for training. The tests treat the "
    "replicas as independent, as in the thesis; their training sets overlap, so small p-values are too "
    "small."
)


def splits(settings: Settings, full: int = REPLICAS) -> evaluation.Procedure:
    """Return random splits of 85 and 15 percent."""
    return evaluation.Procedure("thesis", settings.repeats(full, QUICK_REPLICAS), 1, test_fraction=0.15)


def run(
    report: Report, settings: Settings, learners: Mapping[str, Any], names: tuple[str, ...] = MAIN
) -> list[dict[str, Any]]:
    """Run the requested learners on the requested sets."""
    chosen = {name: learners[name] for name in settings.chosen_methods(tuple(learners))}
    return measure(report, settings, chosen, load(settings, report, names), splits(settings))


def f1_of(records: Sequence[Mapping[str, Any]]) -> Scores:
    """Return F1 by set and method, one number per replica; NaN for failed runs."""
    found: dict[tuple[str, str], list[float]] = {}
    for record in records:
        cell = found.setdefault((record["dataset"], record["method"]), [])
        cell.append(float("nan") if record["f1"] is None else record["f1"])
    return {key: np.array(cell) for key, cell in found.items()}


def joined(scores: Scores, method: str) -> Floats:
    """Return the scores of a method on all sets, concatenated."""
    return np.concatenate([values for (_, of), values in scores.items() if of == method])


def variants() -> dict[str, Any]:
    """Return the eight variants of table 1."""
    return {" ".join(of): Network(network(*of)) for of in product(SCORES, CUTS, HEURISTICS)}


def table1(settings: Settings) -> Report:
    """Report table 1: mean F1 by score, discretization and heuristic."""
    report = Report("thesis-table1", "Morán Jiménez 2018, table 1: F1 by heuristic", quick=settings.quick)
    scores = f1_of(run(report, settings, variants()))
    printed = {
        f"{row['score']} {row['discretization']} {row['heuristic']}": _printed.number(row["f1"])
        for row in _printed.rows("thesis_table1_f1")
    }
    names = tuple(dict.fromkeys(method for _, method in scores))
    rows = []
    for name in sorted(names, key=lambda name: -printed[name]):
        values = joined(scores, name)
        some = values[values > 0]
        mean, alive = float(np.nanmean(values)), float(some.mean()) if some.size else float("nan")
        rows.append(
            (name, mean, alive, printed[name], mean - printed[name], int((values == 0).sum()), len(values))
        )
    header = ("variant", "ours", "without null runs", "printed", "difference", "null runs", "runs")
    report.table("Mean F1, ours and printed", header, rows, digits=2)
    report.text(
        "MLE or BIC over the arcs; EF: equal frequency, TD: top-down (CAIM); HC: hill climbing, RB: "
        "biased randomization. The thesis does not state whether its values exclude null runs (F1 = "
        "0). Rank correlation of the variants with the printed values: "
        f"{spearman([r[1] for r in rows], [r[3] for r in rows]):.2f}, without null runs "
        f"{spearman([r[2] for r in rows], [r[3] for r in rows]):.2f}."
    )
    _choices(report, scores, names)
    report.text(TOGETHER)
    return report


def _choices(report: Report, scores: Scores, names: Sequence[str]) -> None:
    """Test each of the three choices for equal other choices, sets and replicas."""
    rows = []
    for place, (one, other) in enumerate((tuple(SCORES), tuple(CUTS), tuple(HEURISTICS))):
        pairs = [
            (name, " ".join(words))
            for name in names
            if (words := name.split())[place] == one
            and (words := [*words[:place], other, *words[place + 1 :]])
        ]
        pairs = [(a, b) for a, b in pairs if b in names]
        if pairs:
            x, y = (np.concatenate([joined(scores, pair[side]) for pair in pairs]) for side in (0, 1))
            found = superiority(x, y)
            rows.append((f"{one} - {other}", *found, verdict(found, one, other)))
    header = ("choice", "pairs", "estimate", "low", "high", "p", "conclusion")
    report.table("Each choice, all else equal: Wilcoxon, one-sided", header, rows)


def _against(name: str, printed: str, size: int, number: int) -> Callable[[Settings], Report]:
    """Build the function for table 2 or 3."""

    def run_table(settings: Settings) -> Report:
        title = f"Morán Jiménez 2018, table {number}: plain against weighted bootstrap, N = {size}"
        report = Report(name, title, quick=settings.quick)
        learners = bootstraps(size)
        plain, weighted = learners
        scores = f1_of(run(report, settings, learners))
        if len({method for _, method in scores}) < 2:
            return report
        theirs = {row["dataset"]: row for row in _printed.rows(printed)}
        pairs = {of: (scores[of, plain], scores[of, weighted]) for of, method in scores if method == plain}
        pairs["overall"] = (joined(scores, plain), joined(scores, weighted))
        rows = []
        for of, pair in pairs.items():
            found = superiority(*pair)
            print_of = (
                [_printed.number(theirs[of][key]) for key in ("estimate", "p")]
                if of in theirs
                else [None, None]
            )
            means = [float(np.nanmean(values)) for values in pair]
            rows.append((of, *means, *found, *print_of, verdict(found, "plain", "weighted")))
        test = ("pairs", "estimate", "low", "high", "p", "estimate printed", "p printed", "conclusion")
        header = ("set", "F1 plain", "F1 weighted", *test)
        report.table("Plain minus weighted by the probability of the row", header, rows)
        report.text(TOGETHER)
        return report

    return run_table


table2 = _against("thesis-table2", "thesis_table2_bootstrap_n5", 5, 2)
table3 = _against("thesis-table3", "thesis_table3_bootstrap_n10", 10, 3)


def _pairs(name: str, number: int, what: str) -> Callable[[Settings], Report]:
    """Build the function for table 4 or 5."""

    def run_table(settings: Settings) -> Report:
        title = f"Morán Jiménez 2018, table {number}: {what} between classifiers"
        report = Report(name, title, quick=settings.quick)
        scores = f1_of(run(report, settings, classifiers()))
        names = tuple(method for method in CLASSIFIERS if any(method == of for _, of in scores))
        key = "estimate" if number == 4 else "p_row_greater"
        theirs = {
            (row["row"], row["column"]): _printed.number(row[key])
            for row in _printed.rows("thesis_table4_table5_pairs")
        }
        rows, beside, verdicts = [], [], []
        for one in names:
            cells: list[Any] = [one]
            for other in names:
                if one == other:
                    cells.append(None)
                    continue
                found = superiority(joined(scores, one), joined(scores, other))
                cell = found.estimate if number == 4 else found.p
                cells.append(cell)
                beside.append((one, other, cell, theirs[one, other], cell - theirs[one, other]))
                if names.index(one) < names.index(other):
                    verdicts.append((f"{one} - {other}", *found, verdict(found, one, other)))
            rows.append(cells)
        report.table(f"{what} of row above column", ("", *names), rows, digits=2)
        report.table("Ours and printed", ("row", "column", "ours", "printed", "difference"), beside, digits=2)
        header = ("pair", "pairs", "estimate", "low", "high", "p", "conclusion")
        report.table("Wilcoxon, one-sided, all sets together", header, verdicts)
        if beside and number == 4:
            signs = sum(np.sign(row[2]) == np.sign(row[3]) for row in beside)
            report.text(f"{signs} of {len(beside)} estimates have the printed sign.")
        if number == 5:
            report.fault("The diagonal is 0.00, which is not a p-value.")
        _f1_grid(report, scores)
        report.text(TOGETHER)
        return report

    return run_table


def _f1_grid(report: Report, scores: Scores) -> None:
    grid = Grid.from_values(scores)
    rows: list[tuple[Any, ...]] = [
        (name, *map(float, values)) for name, values in zip(grid.sets, grid.mean, strict=True)
    ]
    report.table("Mean F1", ("set", *grid.methods), rows)


table4 = _pairs("thesis-table4", 4, "Estimates")
table5 = _pairs("thesis-table5", 5, "p")
