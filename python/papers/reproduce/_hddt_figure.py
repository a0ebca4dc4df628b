"""Hoens, Qian, Chawla and Zhou 2012, section 3: C4.4 against HDDT on four Gaussian classes.

Two large classes lie on one diagonal of a square, two rare ones on the other. The paper counts in how many of
100 runs each tree ranks a test sample better: on the upper half (two classes), on all four classes, and with
one tree per class against the others (OVA).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore import _api, datasets, metrics, stats
from imbcore.plotting._axes import PALETTE
from reproduce._experiment import Experiment, Settings
from reproduce._report import Cell, Report

__all__ = ["EXPERIMENTS"]

METHODS = ("c44", "hddt")
RARE = (1, 2)
# Question, printed winner, printed wins out of 100, and the smallest fraction that counts as reproduced.
QUESTIONS: tuple[tuple[str, str, int | None, float | None], ...] = (
    ("two classes, AUROC", "hddt", 85, 0.55),
    ("four classes, WAUROC", "c44", 82, 0.75),
    ("OVA, mean AUROC of the rare classes", "hddt", 80, 0.60),
    ("OVA, WAUROC", "hddt", None, None),
)
SIZES, QUICK_SIZES = (10_000, 100, 100, 10_000), (2_000, 20, 20, 2_000)
Scores = NDArray[np.float64]


def figure1(settings: Settings) -> Report:
    """Count the wins over the draws, and draw the regions of the rare class for each tree."""
    report = Report("hddt-figure1", TITLE, quick=settings.quick)
    runs = settings.repeats(100, 10)
    sizes = QUICK_SIZES if settings.quick else SIZES
    scores = []
    for at in range(runs):
        scores.append(run(settings.seed + at, sizes))
        if settings.callback:
            settings.callback("draws", at + 1, runs)
    beside_print(report, np.array(scores))
    X, y = datasets.make_four_gaussians(sizes, random_state=2 * settings.seed)
    leaves, picture = regions(X[y < 2], y[y < 2])
    report.figure(
        "regions",
        picture,
        "Probability of the rare class of the upper half by each tree (darker: larger).",
        ("tree", "leaves"),
        list(leaves.items()),
    )
    return report


def run(seed: int, sizes: tuple[int, ...]) -> Scores:
    """Score one draw: one row per question, one column per method."""
    X, y = datasets.make_four_gaussians(sizes, random_state=2 * seed)
    X_test, y_test = datasets.make_four_gaussians(sizes, random_state=2 * seed + 1)
    upper, upper_test = y < 2, y_test < 2
    scores = np.empty((len(QUESTIONS), len(METHODS)))
    for column, method in enumerate(METHODS):
        two = _api.fit(X[upper], y[upper], method)
        four = _api.fit(X, y, method)
        members = [_api.fit(X, y == label, method) for label in range(4)]
        each = np.column_stack([member.predict_proba(X_test)[:, 1] for member in members])
        scores[:, column] = (
            metrics.roc_auc_score(y_test[upper_test], two.predict_proba(X_test[upper_test])[:, 1]),
            metrics.wauroc_score(y_test, four.predict_proba(X_test)),
            np.mean([metrics.roc_auc_score(y_test == label, each[:, label]) for label in RARE]),
            metrics.wauroc_score(y_test, each / each.sum(axis=1, keepdims=True)),
        )
    return scores


def beside_print(report: Report, scores: Scores) -> None:
    """Add wins and means of all runs, (n_runs, n_questions, n_methods), and the printed ones."""
    table: list[list[Cell]] = []
    for question, (name, winner, wins, least) in enumerate(QUESTIONS):
        c44, hddt = scores[:, question].T
        ours = stats.sign_test(*((hddt, c44) if winner == "hddt" else (c44, hddt)))
        share = ours.wins / len(scores)
        reached = "" if least is None else f"{'yes' if share > least else 'NO'} (> {least:.0%})"
        table.append(
            [name, winner, 100 * share, wins, float(c44.mean()), float(hddt.mean()), f"{ours.p:.1g}", reached]
        )
    header = (
        "question",
        "wins of",
        "% ours",
        "% paper",
        "C4.4 mean",
        "HDDT mean",
        "sign test p",
        "reproduced",
    )
    report.table(f"Four Gaussians, {len(scores)} draws", header, table)


def regions(X: NDArray[Any], y: NDArray[Any]) -> tuple[dict[str, Cell], Any]:
    """Draw the probability of the rare class 1 by each tree; also return the numbers of leaves."""
    from matplotlib.figure import Figure

    axis_x, axis_y = np.linspace(-4.5, 5.0, 240), np.linspace(-3.0, 5.0, 200)
    grid = np.stack(np.meshgrid(axis_x, axis_y), axis=-1).reshape(-1, 2)
    figure = Figure(figsize=(9, 4), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    leaves: dict[str, Cell] = {}
    for panel, method in zip(panels, METHODS, strict=True):
        model = _api.fit(X, y, method)
        leaves[method] = model.n_leaves_
        chance = model.predict_proba(grid)[:, 1].reshape(len(axis_y), len(axis_x))
        # The rare class is one row in 101; a logarithmic color scale shows the ranking.
        panel.pcolormesh(axis_x, axis_y, np.log10(chance), cmap="Blues", rasterized=True)
        panel.scatter(*X[y == 0][::8].T, s=2, color="#8C8C8C", label="class 0 (one in eight shown)")
        panel.scatter(*X[y == 1].T, s=9, color=PALETTE[1], label="class 1")
        panel.set(title=f"{method}: {model.n_leaves_} leaves", xlabel="x", ylabel="y")
    panels[0].legend(loc="lower left", fontsize=8)
    return leaves, figure


TITLE = "Hoens et al. 2012, section 3 and figures 1 to 3: four Gaussian classes"
EXPERIMENTS = (Experiment("hddt-figure1", TITLE, figure1),)
