"""Figures 1 to 6 of the box-drawing paper.

The available copy of the paper has no pictures: the content of a figure follows from the text, and the shapes
and settings that the text does not specify are ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore import datasets, evaluation, plotting
from imbcore.boxes import FastBoxesClassifier
from imbcore.metrics import hull_area
from imbcore.plotting._axes import PALETTE
from reproduce import _boxes_areas, _boxes_sets
from reproduce._boxes_readings import WEIGHTS
from reproduce._boxes_rivals import HERO
from reproduce._compare import Grid
from reproduce._correlation import spearman
from reproduce._experiment import Settings
from reproduce._panels import panels
from reproduce._report import Report

__all__ = ["figures"]

# The authors' training rows of diamond3D are the first of each class.
TRAINING = {1: 15, 0: 486}
BOXES = tuple(range(1, 13))
EXPANSIONS = (0.0, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
RARE, COMMON, GREY = PALETTE[1], PALETTE[0], "0.75"

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


def figures(settings: Settings) -> Report:
    """Report all figures."""
    report = Report("boxes-figures", "Goh and Rudin 2014, figures 1 to 6", quick=settings.quick)
    _drawing(report, settings.seed)
    _division(report, settings.seed)
    _imbalance(report, settings)
    _choices(report, settings.seed)
    iris = settings.sets({"iris0": "iris0"}) if settings.datasets is None else None
    if iris is not None and iris.data:
        _expansion(report, iris.data["iris0"], settings.seed)
    return report


def _drawing(report: Report, seed: int) -> None:
    """Draw figure 1: boxes around rare rows among many common ones."""
    X, y = datasets.make_shape("diamond", random_state=seed)
    model = FastBoxesClassifier(n_boxes=2, negative_weight=0.5, random_state=seed).fit(X, y)
    figure, (ax,) = panels(1, size=(4.5, 4.2))
    plotting.plot_boxes(model, (0, 1), X=X, y=y, ax=ax)
    bounds = [
        (at, *map(float, lower), *map(float, upper))
        for at, (lower, upper) in enumerate(zip(model.lower_, model.upper_, strict=True))
    ]
    header = ("box", "x lower", "y lower", "x upper", "y upper")
    report.figure("figure-1", figure, "Figure 1: a drawing of two boxes.", header, bounds)


def _division(report: Report, seed: int) -> None:
    """Draw figure 2: the rows that determine the upper bound of one feature of one box."""
    from matplotlib.patches import Rectangle

    rng = np.random.default_rng(seed)
    rare, common = rng.uniform(-0.4, 0.4, (14, 2)), rng.uniform(-1, 1, (90, 2))
    low, high = rare.min(axis=0), rare.max(axis=0)
    middle = (low[0] + high[0]) / 2
    figure, (ax,) = panels(1, size=(4.6, 4.2))
    numbers: list[tuple[Any, ...]] = []
    for rows, colour, label in ((common, COMMON, "other"), (rare, RARE, "cluster")):
        inside = ((rows >= low) & (rows <= high)).all(axis=1)
        counts = (rows[:, 0] > high[0]) | (inside & (rows[:, 0] >= middle))
        ax.scatter(
            rows[~counts][:, 0], rows[~counts][:, 1], s=18, facecolors="none", edgecolors=colour, alpha=0.5
        )
        ax.scatter(rows[counts][:, 0], rows[counts][:, 1], s=22, color=colour, label=f"{label}, used")
        numbers += [(*map(float, row), label, int(own)) for row, own in zip(rows, counts, strict=True)]
    ax.axvspan(high[0], 1.05, color=GREY, alpha=0.3, linewidth=0)
    ax.add_patch(Rectangle((middle, low[1]), high[0] - middle, high[1] - low[1], color=GREY, alpha=0.3))
    ax.add_patch(Rectangle(tuple(low), *(high - low), fill=False, linewidth=1.5))
    ax.axvline(middle, color=COMMON, linestyle="--", linewidth=1)
    ax.set(xlabel="feature of the bound", ylabel="another feature", xlim=(-1.05, 1.05), ylim=(-1.05, 1.05))
    ax.legend(loc="lower left", fontsize="small")
    caption = "Figure 2: rows that determine the upper bound of one feature; equation 23."
    report.figure("figure-2", figure, caption, ("x", "y", "rows", "counts"), numbers)


def _imbalance(report: Report, settings: Settings) -> None:
    """Draw figure 3: rank against imbalance.

    The areas are the printed ones in one panel, and ours among the printed ones in the other.
    """
    records = _boxes_areas.run(settings, report, (HERO,))
    own = Grid.from_values(_boxes_areas.sweep_areas(records))
    theirs = _boxes_areas.printed_areas().like(own.sets, _boxes_areas.printed_areas().methods)
    mixed = theirs.mean.copy()
    mixed[:, theirs.methods.index(HERO)] = own.mean[:, 0]
    sides = {
        "printed": _boxes_areas.ranks_of(theirs),
        "ours among the printed methods": _boxes_areas.ranks_of(Grid(own.sets, theirs.methods, mixed)),
    }
    ratios = _boxes_sets.ratios()
    figure, grid = panels(2, size=(4.5, 3.6), sharex=True, sharey=True)
    for ax, (side, rank) in zip(grid, sides.items(), strict=True):
        ratio = [ratios[name] for name in rank]
        ax.scatter(ratio, [*rank.values()], s=22, color=COMMON)
        ax.set_title(
            f"{side}: {len(rank)} sets, correlation {spearman(ratio, [*rank.values()]):.2f}", fontsize=9
        )
        ax.set(xscale="log", xlabel="common rows per rare row", ylim=(9.5, 0.5))
    grid[0].set_ylabel("rank of Fast Boxes among nine methods")
    both = [sides[side] for side in sides]
    rows = [
        (name, ratios[name], *(rank.get(name) for rank in both), float(own.mean[at, 0]))
        for at, name in enumerate(own.sets)
    ]
    header = ("set", "ratio", "rank printed", "rank ours", "our AUH")
    caption = "Figure 3: rank of Fast Boxes against the imbalance (boxes-table5 has it with all nine ours)."
    report.figure("figure-3", figure, caption, header, rows)


def split(y: Rows) -> tuple[Rows, Rows]:
    """Split diamond3D as the authors' file does: the first rows of each class are for training."""
    train = np.concatenate([np.flatnonzero(y == label)[:count] for label, count in TRAINING.items()])
    return train, np.setdiff1d(np.arange(len(y)), train)


def areas(X: Floats, y: Rows, seed: int, **setting: Any) -> tuple[float, float]:
    """Return the areas under the hull over the weights, on the training and on the test rows."""
    train, test = split(y)
    model = FastBoxesClassifier(random_state=seed, **setting).fit(X[train], y[train])
    found = []
    for rows in (train, test):
        answers = model.critical_weights(X[rows])[:, None] >= np.array(WEIGHTS)
        found.append(hull_area(answers[y[rows] == 0].mean(axis=0), answers[y[rows] == 1].mean(axis=0)))
    return found[0], found[1]


def _choices(report: Report, seed: int) -> None:
    """Draw figures 4 and 5: areas on diamond3D by number of boxes and by expansion."""
    X, y = datasets.make_shape("diamond3D")
    curves = (
        (4, "boxes", BOXES, [areas(X, y, seed, n_boxes=k, expansion=10.0) for k in BOXES]),
        (5, "expansion", EXPANSIONS, [areas(X, y, seed, n_boxes=2, expansion=b) for b in EXPANSIONS]),
    )
    for number, label, places, found in curves:
        figure, (ax,) = panels(1, size=(4.5, 3.4))
        for name, values in zip(("training rows", "test rows"), zip(*found, strict=True), strict=True):
            ax.plot(places, values, marker="o", markersize=4, label=name)
        if label == "expansion":
            ax.set_xscale("symlog", linthresh=0.1)
        ax.set(xlabel=label, ylabel="area under the hull")
        ax.legend()
        rows = [(place, *pair) for place, pair in zip(places, found, strict=True)]
        caption = f"Figure {number}: AUH on the authors' training and test rows of diamond3D against {label}."
        report.figure(f"figure-{number}", figure, caption, (label, "training", "test"), rows)
    on_train, on_test = (np.array([pair[side] for pair in curves[0][3]]) for side in (0, 1))
    report.text(
        f"Figure 4: the test area is largest with {BOXES[int(on_test.argmax())]} boxes (the rows lie in two "
        f"clusters), the training area with {BOXES[int(on_train.argmax())]}. According to the paper, too few "
        "boxes underfit and too many overfit."
    )
    on_train, on_test = (np.array([pair[side] for pair in curves[1][3]]) for side in (0, 1))
    report.text(
        f"Figure 5: the training area is largest at expansion {EXPANSIONS[int(on_train.argmax())]:g} "
        f"and {on_train[-1]:.3f} at the largest; the test area is largest at "
        f"{EXPANSIONS[int(on_test.argmax())]:g}. According to the paper, the first falls, and the "
        "second rises before it falls."
    )


def _expansion(report: Report, data: datasets.Dataset, seed: int) -> None:
    """Draw figure 6: boxes on iris0 before and after the last step.

    The boxes are fitted on half of the rows and drawn on the other half.
    """
    X, y = _boxes_sets.matrix(data)[:, [0, 3]], data.y
    train, test = next(iter(evaluation.StratifiedFolds(2, 1, random_state=seed).split(y=y)))
    figure, grid = panels(2, size=(4.5, 3.6), sharey=True)
    rows = []
    rules: tuple[tuple[Any, str], ...] = (("expand", "without the last step"), ("paper", "with it"))
    for ax, (rule, title) in zip(grid, rules, strict=True):
        model = FastBoxesClassifier(n_boxes=1, expansion=0.0, bound_rule=rule, random_state=seed)
        model.fit(X[train], y[train])
        plotting.plot_boxes(model, (0, 1), X=X[test], y=y[test], ax=ax)
        missed, rare = int((model.predict(X[test])[y[test] == 1] == 0).sum()), int(y[test].sum())
        ax.set(title=f"{title}: misses {missed} of {rare}", xlabel="sepal length", ylabel="petal width")
        rows.append((title, missed, rare))
    caption = "Figure 6: effect of moving bounds to the next common row, on two columns of iris0."
    report.figure("figure-6", figure, caption, ("box", "rare test rows missed", "of"), rows)
