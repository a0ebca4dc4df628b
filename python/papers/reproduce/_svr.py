"""Zhu, Li and Dunson 2021: the tables.

Table 3 is nested cross-validation: in each run the rows are shuffled, three outer folds give the scores of
all predictions together, and five inner folds select the penalty or the pruning by F.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore import evaluation, stats
from imbcore.datasets import Dataset
from imbcore.ensembles import BalancedRandomForestClassifier
from imbcore.trees import CARTClassifier, HDDTClassifier
from reproduce import _compare
from reproduce._compare import Grid
from reproduce._experiment import Experiment, Settings
from reproduce._printed import rows
from reproduce._report import Cell, Report
from reproduce._svr_learners import SAMPLERS, Case, Pruned, Svr, Weighted

__all__ = ["EXPERIMENTS", "SETS", "cases_of"]

# Printed name -> name in imbcore.datasets.
SETS = {
    "pima": "pima",
    "titanic": "titanic",
    "phoneme": "phoneme",
    "vehicle": "vehicle0",
    "ecoli": "ecoli-pp",
    "segment": "segment0",
    "wine": "winequality-red7",
    "page": "page-blocks0",
    "satimage": "satimage4",
    "glass": "glass2",
    "abalone": "abalone918num",
    "yeast": "yeast4",
}
PRINTED_SETS = ("phoneme", "segment", "page", "yeast")
QUICK = ("ecoli", "glass", "yeast")
HEROES = ("SVR", "SVR-Select")
# Not in the paper: other methods on the same outer folds.
OTHERS = ("CART", "CART, pruned", "balanced forest")
METHODS = (*HEROES, *SAMPLERS, "HDDT", *OTHERS)
# Printed column -> measure of the records.
MEASURES = {
    "accuracy": "accuracy",
    "precision": "precision",
    "tpr": "recall",
    "f_measure": "f1",
    "g_mean": "g_mean",
}
# Value of --variant -> rules of the SVR-Trees, rules of the other learners, and its name in the report.
READINGS = {
    "code": ("program", "script", "as in the released script"),
    "mended": ("program", "mended", "final CART also on over-sampled rows"),
    "text": ("paper", "mended", "as in the paper's text"),
}


def table2(settings: Settings) -> Report:
    """Report rows, rare rows and features."""
    report = Report("svr-table2", TITLE2)
    sets = settings.sets(SETS)
    printed = {row["dataset"]: row for row in rows("svr_tree_table2")}
    table: list[list[Cell]] = []
    for name, data in sets.data.items():
        row = printed[name]
        ours = (len(data.y), int(data.y.sum()), len(data.X.names))
        theirs = tuple(int(row[key]) for key in ("n_samples", "n_minority", "n_features"))
        shares: list[Cell] = [100 * ours[1] / ours[0], float(row["minority_percent_as_printed"])]
        cells = [cell for pair in zip(ours, theirs, strict=True) for cell in pair]
        table.append([name, *cells, *shares, "yes" if ours == theirs else "NO"])
    pairs = [f"{title}{side}" for title in ("rows", "rare rows", "features") for side in ("", " printed")]
    header = ["set", *pairs, "rare %", "rare % printed", "counts agree"]
    report.table("Data sets", header, table, digits=1)
    report.fault(
        "vehicle has 199 rare rows of 846, 23.5%; 19.0% is printed. The printed proportions of "
        "vehicle, wine, satimage and abalone are rare/(all + rare), not rare/all."
    )
    report.no_data(sets.missing)
    return report


def cases_of(sets: Mapping[str, Dataset]) -> dict[str, Case]:
    """Return the settings of the protocol for each set.

    For pima the weight of a rare row is 2 in the authors' script, and 1 by the rule.
    """
    return {
        name: Case(len(data.y), int(data.y.sum()), 2 if name == "pima" else None)
        for name, data in sets.items()
    }


def learners_of(cases: dict[str, Case], methods: tuple[str, ...], words: tuple[str, ...]) -> dict[str, Any]:
    """Build the learners of the given variants, each once."""
    found: dict[str, Any] = {}
    for method in methods:
        for rules, way, _ in (READINGS[word] for word in words):
            if method in HEROES:
                found[f"{method}/{rules}"] = Svr(cases, method == "SVR-Select", rules)
            elif method in OTHERS or method == "HDDT":
                found[method] = other(method, cases)
            else:
                found[f"{method}/{way}"] = Pruned(cases, method, way == "script")
    return found


def other(method: str, cases: dict[str, Case]) -> Any:
    """Build a tree or forest that is not in the paper."""
    if method == "HDDT":
        return HDDTClassifier()
    if method == "balanced forest":
        return BalancedRandomForestClassifier()
    return CARTClassifier(class_weight="balanced") if method == "CART" else Weighted(cases)


def outer_folds(y: NDArray[Any], runs: int, seed: int) -> NDArray[np.int64]:
    """Assign rows to three folds as the authors' script does.

    Folds are blocks of each class in a random order. Each row of the result is a run. The script's
    generator starts from 40; ours from 40 + ``seed``.
    """
    random = np.random.RandomState(40 + seed)
    fold = np.empty((runs, len(y)), dtype=np.int64)
    for run in range(runs):
        order = random.permutation(len(y))
        for label in (1, 0):
            for at, part in enumerate(np.array_split(order[y[order] == label], 3)):
                fold[run, part] = at
    return fold


def table3(settings: Settings) -> Report:
    """Run the nested cross-validation, and compare each variant with the printed values."""
    report = Report("svr-table3", TITLE3, quick=settings.quick)
    sets = settings.sets(SETS, quick=QUICK)
    methods = settings.chosen_methods(METHODS)
    words = tuple(READINGS) if settings.variant == "all" else (str(settings.variant),)
    procedure = replace(evaluation.PROCEDURES["svr"], replicates=settings.repeats(20, 1))
    records = settings.records(
        learners_of(cases_of(sets.data), methods, words),
        {name: (data.X, data.y, 1) for name, data in sets.data.items()},
        procedure,
        folds={
            name: outer_folds(data.y, procedure.replicates, settings.seed) for name, data in sets.data.items()
        },
    )
    report.text(f"Means and standard deviations (divisor n, as printed) over the runs of {procedure}.")
    values = {
        column: evaluation.values(evaluation.pooled(records), measure) for column, measure in MEASURES.items()
    }
    for word in words:
        report.heading(f"Variant: {READINGS[word][2]}")
        grids = {column: _grid(of, word) for column, of in values.items()}
        add_published_columns(report, grids)
        _compare.diagram(report, f"ranks_f_{word}", grids["f_measure"])
    if set(OTHERS) & set(methods):
        everything(report, values)
    report.fits(records)
    report.not_rerun({"HDDT of the printed table": HOEFFDING})
    report.fault("The standard errors of the table are standard deviations over the runs.")
    report.no_data(sets.missing)
    return report


def _grid(values: dict[tuple[str, str], Any], word: str) -> Grid:
    """Select the methods of one variant.

    Precision without positive predictions is 0, as in the paper.
    """
    rules, way, _ = READINGS[word]
    kept = {f"{hero}/{rules}": hero for hero in HEROES} | {f"{name}/{way}": name for name in SAMPLERS}
    kept["HDDT"] = "HDDT"
    return Grid.from_values(
        {
            (name, kept[method]): np.nan_to_num(np.asarray(cell, dtype=np.float64))
            for (name, method), cell in values.items()
            if method in kept
        },
        ddof=0,
    )


def printed(column: str) -> Grid:
    """Read a measure of the printed table, without its rows of WEKA's HoeffdingTree."""
    return Grid.printed(
        (row["dataset"], row["method"], float(row[column]), float(row[f"{column}_se"]))
        for row in rows("svr_tree_table3")
        if row["dataset"] != "average_ranking" and row["method"] != "HDDT"
    )


def add_published_columns(report: Report, ours: dict[str, Grid]) -> None:
    """Add a variant and the printed values: printed sets, average ranks, the paper's conclusion."""
    first = next(iter(ours.values()))
    shown = [name for name in first.sets if name in PRINTED_SETS]
    methods = [method for method in first.methods if method != "HDDT"]
    for column, grid in ours.items() if shown else ():
        theirs = printed(column)
        _compare.beside_print(report, f"{column}: printed sets", grid.like(shown, methods), theirs, digits=4)
        if column in ("f_measure", "g_mean"):
            _compare.rankings(report, grid.like(shown, methods), theirs)
            _compare.wins(report, grid.like(shown, methods), theirs, HEROES)
    for column in ("f_measure", "g_mean"):
        table: list[list[Cell]] = [
            [name, *map(float, row)] for name, row in zip(first.sets, ours[column].mean, strict=True)
        ]
        report.table(f"{column}: all sets", ("set", *first.methods), table)
    average_ranks(report, ours)


def everything(report: Report, values: dict[str, dict[tuple[str, str], Any]]) -> None:
    """Add F and G of all learners on all sets, and their average ranks."""
    report.heading("All trees under the same outer folds")
    for column in ("f_measure", "g_mean"):
        grid = Grid.from_values(values[column])
        table: list[list[Cell]] = [
            [name, *map(float, row)] for name, row in zip(grid.sets, grid.mean, strict=True)
        ]
        if len(grid.sets) > 1 and not np.isnan(grid.mean).any():
            ranked = stats.friedman_test(grid.mean.round(_compare.DIGITS))
            table.append(["average rank", *map(float, ranked.average_ranks)])
        report.table(column, ("set", *grid.methods), table)


def average_ranks(report: Report, ours: dict[str, Grid]) -> None:
    """Add average ranks over all sets and the printed ones, the p of ours, and the conclusion."""
    first = next(iter(ours.values()))
    if len(first.sets) < 2 or len(first.methods) < 2:
        return
    theirs = {row["method"]: row for row in rows("svr_tree_table3") if row["dataset"] == "average_ranking"}
    found = {column: stats.friedman_test(grid.mean.round(_compare.DIGITS)) for column, grid in ours.items()}
    table: list[list[Cell]] = []
    for at, method in enumerate(first.methods):
        cells: list[Cell] = [method]
        for column, ranked in found.items():
            cells += [float(ranked.average_ranks[at]), float(theirs[method][column])]
        table.append(cells)
    table.append(["p of F (ours)", *(cell for ranked in found.values() for cell in (ranked.f_p, None))])
    header = ["method", *(f"{column}{side}" for column in ours for side in ("", " printed"))]
    report.table(f"Average ranks over {len(first.sets)} sets (printed: 12)", header, table, digits=2)
    report.text("HDDT is a Hellinger tree in our results, and WEKA's HoeffdingTree in the paper.")
    if set(HEROES) | set(SAMPLERS) <= set(first.methods):
        conclusion(report, found, first.methods, theirs)


def conclusion(
    report: Report,
    found: dict[str, stats.Friedman],
    methods: tuple[str, ...],
    theirs: dict[str, dict[str, str]],
) -> None:
    """Add the leaders by average rank.

    In the paper, SVR-Trees lead in TPR, F and G, and samplers in the other measures.
    """
    table = []
    for column, ranked in found.items():
        ours = dict(zip(methods, ranked.average_ranks.tolist(), strict=True))
        printed_ranks = {method: float(row[column]) for method, row in theirs.items()}
        table.append((column, *(_leader(ranks) for ranks in (ours, printed_ranks))))
    report.table("Best average ranks", ("measure", "ours", "printed"), table)


def _leader(ranks: dict[str, float]) -> str:
    if max(ranks[hero] for hero in HEROES) < min(ranks[name] for name in SAMPLERS):
        return "both SVR-Trees before all samplers"
    if max(ranks[name] for name in SAMPLERS) < min(ranks[hero] for hero in HEROES):
        return "all samplers before both SVR-Trees"
    return "mixed"


HOEFFDING = (
    "not a Hellinger tree: the rows come from WEKA's HoeffdingTree, an incremental tree; the Hellinger "
    "tree shown here is ours"
)
TITLE2 = "Zhu, Li and Dunson 2021, table 2: data sets"
TITLE3 = "Zhu, Li and Dunson 2021, table 3: SVR-Trees and pruned CART on over-sampled rows"
EXPERIMENTS = (
    Experiment("svr-table2", TITLE2, table2),
    Experiment("svr-table3", TITLE3, table3, ("all", *READINGS)),
)
