"""Park and Ghosh 2012: figures 1 and 2, and the paper's open question.

Figure 1: precision (PPV) and negative predictive value (NPV) of alpha-trees against alpha, trees of depth 3
on the set ``sick``. Figure 2: error and F of BEAT and bagged C4.5 on glass against the number of trees, and
mean ROC curves. Open question: the joint choice of the Beta parameters (a, b) and of the number of trees.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import auc

from imbcore import evaluation, metrics, stats
from imbcore.ensembles import BEATClassifier
from imbcore.plotting._axes import PALETTE
from imbcore.trees import AlphaTreeClassifier
from reproduce._beat import SETS, bagged, table_of
from reproduce._compare import DIGITS, Grid
from reproduce._experiment import Experiment, Settings
from reproduce._report import Cell, Report

__all__ = ["EXPERIMENTS"]

ALPHAS = tuple(round(0.1 * step, 1) for step in range(1, 20))
BETA_PARAMETERS = ((1.0, 1.0), (1.0, 3.0), (3.0, 1.0))
SIZES, QUICK_SIZES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50), (1, 5, 15, 30)
GRID_SIZES = (10, 30, 100)
ROC_TREES = 30
FPR = np.linspace(0, 1, 101)
Values = NDArray[np.float64]


def figure1(settings: Settings) -> Report:
    """Compute PPV and NPV for every alpha, and their trends."""
    report = Report("beat-figure1", TITLE1, quick=settings.quick)
    sets = settings.sets({"sick": "sick"})
    report.no_data(sets.missing)
    if not sets.data:
        return report
    procedure = evaluation.Procedure("5-fold", settings.repeats(10, 1), 5)
    records = settings.records(
        {f"{alpha:.1f}": AlphaTreeClassifier(alpha=alpha, max_depth=3) for alpha in ALPHAS},
        {"sick": table_of(sets.data["sick"])},
        procedure,
    )
    values = np.array(
        [
            [np.nanmean(evaluation.values(records, measure)["sick", f"{alpha:.1f}"]) for alpha in ALPHAS]
            for measure in ("precision", "npv")
        ]
    )
    report.text(f"Means of {procedure}, over the test folds for which the value is defined.")
    trends(report, values)
    table = [(alpha, *map(float, pair)) for alpha, pair in zip(ALPHAS, values.T, strict=True)]
    report.figure(
        "ppv_npv_against_alpha",
        _lines(values),
        "PPV and NPV of alpha-trees of depth 3 on sick against alpha, with regression lines.",
        ("alpha", "PPV", "NPV"),
        table,
    )
    return report


def trends(report: Report, values: Values) -> None:
    """Add slope and correlation of both, (2, n_alphas), and whether they match the paper."""
    table: list[list[Cell]] = []
    for name, row, sign in zip(("PPV", "NPV"), values, (1, -1), strict=True):
        slope = float(np.polyfit(ALPHAS, row, 1)[0])
        correlation = float(np.corrcoef(ALPHAS, row)[0, 1])
        reached = sign * slope > 0 and abs(correlation) > 0.5
        way = "rises" if sign > 0 else "falls"
        table.append([name, slope, correlation, way, "yes" if reached else "NO"])
    header = ("", "slope per unit of alpha", "correlation", "paper", "reproduced")
    report.table(
        "Trends (reproduced: this direction, absolute correlation above 0.5)", header, table, digits=4
    )


def _lines(values: Values) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.2), layout="constrained")
    panels = figure.subplots(1, 2)
    for at, (panel, name) in enumerate(zip(panels, ("PPV (precision)", "NPV"), strict=True)):
        slope, start = np.polyfit(ALPHAS, values[at], 1)
        panel.plot(ALPHAS, values[at], "o-", color=PALETTE[at], markersize=4)
        panel.plot(ALPHAS, start + slope * np.array(ALPHAS), ":", color=PALETTE[at])
        _plain(panel, xlabel="alpha", title=name)
    return figure


def _plain(panel: Any, **words: str) -> None:
    panel.set(**words)
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)


def beat(beta: tuple[float, float], trees: int) -> Any:
    """Build a BEAT classifier."""
    return BEATClassifier(n_estimators=trees, beta_a=beta[0], beta_b=beta[1])


def named(beta: tuple[float, float]) -> str:
    """Return the name of a BEAT in the paper."""
    return f"BEAT({beta[0]:g},{beta[1]:g})"


def figure2(settings: Settings) -> Report:
    """Report BEAT by number of trees, mean ROC curves, and joint choice of (a, b) and trees."""
    report = Report("beat-figure2", TITLE2, quick=settings.quick)
    catalogue = {name.split(" (")[0]: ours for name, ours in SETS.items()}
    sets = settings.sets(catalogue, quick=("glass",))
    report.no_data(sets.missing)
    if "glass" in sets.data:
        data = table_of(sets.data["glass"])
        report.heading("Glass: error and F against the number of trees")
        against_trees(report, settings, data)
        report.heading("Glass: mean ROC curves of 30 trees")
        mean_rocs(report, settings, data)
    report.heading("Open question: joint choice of (a, b) and the number of trees")
    joint_choice(report, settings, {name: table_of(data) for name, data in sets.data.items()})
    return report


def against_trees(report: Report, settings: Settings, data: tuple[Any, Any, int]) -> None:
    """Add error and F of every Beta distribution and of bagged C4.5 for every number of trees."""
    sizes = QUICK_SIZES if settings.quick else SIZES
    learners = {f"C4.5B/{trees}": bagged(trees) for trees in sizes}
    learners |= {f"{named(beta)}/{trees}": beat(beta, trees) for beta in BETA_PARAMETERS for trees in sizes}
    procedure = replace(evaluation.PROCEDURES["beat"], replicates=settings.repeats(20, 2))
    records = settings.records(learners, {"glass": data}, procedure, part="trees")
    means = {
        measure: {key[1]: float(np.mean(cell)) for key, cell in evaluation.values(records, measure).items()}
        for measure in ("error", "f1")
    }
    methods = ("C4.5B", *map(named, BETA_PARAMETERS))
    header = ["trees", *(f"{what} {method}" for what in ("error", "F") for method in methods)]
    table: list[list[Cell]] = [
        [trees, *(means[measure][f"{method}/{trees}"] for measure in means for method in methods)]
        for trees in sizes
    ]
    report.table(f"Means of {procedure}", header, table)
    report.figure(
        "against_trees",
        _curves(sizes, table),
        "Error and F on glass against the number of trees.",
        header,
        table,
    )
    first, last = table[0], table[-1]
    fewer = all(last[1 + at] < first[1 + at] for at in range(len(methods)))  # type: ignore[operator]
    leads = [named(beta) for at, beta in enumerate(BETA_PARAMETERS) if last[6 + at] > last[5]]  # type: ignore[operator]
    report.table(
        "Claims of the text",
        ("claim", "ours"),
        [
            ("the error falls as trees are added", "yes" if fewer else "NO"),
            (f"F of BEAT is above that of bagged C4.5 ({sizes[-1]} trees)", ", ".join(leads) or "none"),
        ],
    )


def _curves(sizes: tuple[int, ...], table: list[list[Cell]]) -> Any:
    from matplotlib.figure import Figure

    values = np.array(table, dtype=np.float64)
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    panels = figure.subplots(1, 2)
    methods = ("C4.5B", *map(named, BETA_PARAMETERS))
    for panel, first, title in zip(panels, (1, 1 + len(methods)), ("error", "F"), strict=True):
        for at, method in enumerate(methods):
            panel.plot(sizes, values[:, first + at], "o-", color=PALETTE[at], markersize=4, label=method)
        _plain(panel, xlabel="trees", title=title)
    panels[1].legend(frameon=False)
    return figure


def mean_rocs(report: Report, settings: Settings, data: tuple[Any, Any, int]) -> None:
    """Add ROC curves averaged vertically over the test folds."""
    from matplotlib.figure import Figure

    X, y, positive = data
    learners = {"C4.5B": bagged(ROC_TREES)} | {named(beta): beat(beta, ROC_TREES) for beta in BETA_PARAMETERS}
    folds = evaluation.StratifiedFolds(2, settings.repeats(5, 2), random_state=settings.seed)
    curves = {name: np.zeros(len(FPR)) for name in learners}
    for part, (train, test) in enumerate(folds.split(y=y)):
        for name, learner in learners.items():
            learner.set_params(random_state=settings.seed + part, n_threads=1)
            proba = learner.fit(X.take(train), y[train]).predict_proba(X.take(test))
            fpr, tpr, _ = metrics.roc_curve(y[test], proba[:, list(learner.classes_).index(positive)])
            curves[name] += np.interp(FPR, fpr, tpr) / folds.get_n_splits()
    figure = Figure(figsize=(4.6, 4.4), layout="constrained")
    panel = figure.subplots()
    for at, (name, curve) in enumerate(curves.items()):
        panel.plot(FPR, curve, color=PALETTE[at], label=f"{name}, area {auc(FPR, curve):.3f}")
    _plain(panel, xlabel="false positive rate", ylabel="true positive rate")
    panel.legend(frameon=False, loc="lower right")
    table = [(float(at), *(float(curve[row]) for curve in curves.values())) for row, at in enumerate(FPR)]
    caption = f"Mean ROC curves on glass, {ROC_TREES} trees, {folds.get_n_splits()} test folds."
    report.figure("mean_roc", figure, caption, ("fpr", *curves), table)


def joint_choice(report: Report, settings: Settings, tables: dict[str, tuple[Any, Any, int]]) -> None:
    """Add F of BEAT with settings that are tuned on inner folds, and with fixed settings.

    Either (a, b) alone, or (a, b) and the number of trees are tuned.
    """
    sizes = (10, 30) if settings.quick else GRID_SIZES
    settings_grid = [{"beta_a": a, "beta_b": b} for a, b in BETA_PARAMETERS]
    joint = [beta | {"n_estimators": trees} for beta in settings_grid for trees in sizes]
    fixed = {f"{named(beta)}, {ROC_TREES}": beat(beta, ROC_TREES) for beta in BETA_PARAMETERS}
    learners: dict[str, Any] = fixed | {
        f"{named(BETA_PARAMETERS[0])}, {sizes[-1]}": beat(BETA_PARAMETERS[0], sizes[-1])
    }
    learners |= {
        f"(a,b) tuned, {ROC_TREES}": evaluation.Tuned(
            beat(BETA_PARAMETERS[0], ROC_TREES), settings_grid, folds=3
        ),
        f"(a,b) tuned, {sizes[-1]}": evaluation.Tuned(
            beat(BETA_PARAMETERS[0], sizes[-1]), settings_grid, folds=3
        ),
        "all tuned": evaluation.Tuned(beat(BETA_PARAMETERS[0], ROC_TREES), joint, folds=3),
    }
    procedure = replace(evaluation.PROCEDURES["beat"], replicates=settings.repeats(5, 1))
    records = settings.records(learners, tables, procedure, part="joint")
    found = Grid.from_values(evaluation.values(records, "f1"))
    table: list[list[Cell]] = [
        [name, *map(float, row)] for name, row in zip(found.sets, found.mean, strict=True)
    ]
    if len(table) > 1:
        table.append(["mean", *map(float, np.nanmean(found.mean, axis=0))])
    report.table(f"F, means of {procedure}; tuned by F on 3 inner folds", ["set", *found.methods], table)
    if len(found.sets) < 2:
        return
    base = found.mean[:, found.methods.index(f"{named(BETA_PARAMETERS[0])}, {ROC_TREES}")]
    tests: list[list[Cell]] = []
    for at, method in enumerate(found.methods):
        gain = (found.mean[:, at] - base).round(DIGITS)
        if not gain.any():
            continue
        signs = stats.sign_test(gain)
        counts = f"{signs.wins}/{signs.ties}/{signs.losses}"
        tests.append([method, float(gain.mean()), counts, stats.wilcoxon_test(gain).p])
    report.table(
        f"Against {named(BETA_PARAMETERS[0])} with {ROC_TREES} trees, over the sets",
        ("setting", "mean gain in F", "won/tied/lost", "Wilcoxon p"),
        tests,
        digits=4,
    )


TITLE1 = "Park and Ghosh 2012, figure 1: PPV and NPV of alpha-trees against alpha"
TITLE2 = "Park and Ghosh 2012, figure 2: BEAT against the number of trees, and mean ROC curves"
EXPERIMENTS = (
    Experiment("beat-figure1", TITLE1, figure1),
    Experiment("beat-figure2", TITLE2, figure2),
)
