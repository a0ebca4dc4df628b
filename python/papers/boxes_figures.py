"""Goh and Rudin 2014, figures 1 to 6, drawn anew.

1: a drawing among the rows. 2: which rows place one bound. 3: the rank of Fast Boxes among nine methods
against the imbalance of the set, by the printed areas, and with our area in place of the printed one. 4 and
5: areas on training and test rows against the number of boxes and against the expansion, on diamond3D. 6: why
bounds move on to the next common row, on iris0. The copy at hand has no pictures: what a figure shows follows
from the text, and the shapes and settings that the text leaves open are ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from boxes_table import WEIGHTS, Floats, Rows, area, measure, numbers, task
from paper_output import keep, keep_figure, markdown, options
from scipy.stats import spearmanr

from imbcore import FastBoxesClassifier, datasets, plotting
from imbcore.protocols import StratifiedFolds
from imbcore.reproduce._printed import rows as published

# Rows of diamond3D that the authors train on come first in each class.
TRAINING = {1: 15, 0: 486}
BOXES = tuple(range(1, 9))
EXPANSIONS = (0.0, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
RARE, COMMON, GREY = "tab:red", "tab:blue", "0.75"


def main() -> None:
    """Draw all figures; the sets whose rank is ours are asked for by name."""
    known = tuple(ratios())
    chosen = options(__doc__, sets=known, known=known)
    keep_figure(chosen.output, "boxes_drawing", drawing(chosen.seed))
    keep_figure(chosen.output, "boxes_division", division(chosen.seed))
    keep_figure(chosen.output, "boxes_settings", settings(*datasets.make_shape("diamond3D"), chosen.seed))
    keep_figure(chosen.output, "boxes_expansion", expansion(*iris(), chosen.seed))
    ours = {name: float(measure(*task(name), "paper", chosen.seed).auh.mean()) for name in chosen.sets}
    keep(chosen.output, "boxes_imbalance", imbalance_text(ours))
    keep_figure(chosen.output, "boxes_imbalance", imbalance(ours))


def drawing(seed: int) -> Any:
    """Figure 1: boxes around rare rows within a sea of common ones."""
    from matplotlib import pyplot

    X, y = datasets.make_shape("diamond", random_state=seed)
    model = FastBoxesClassifier(n_boxes=2, negative_weight=0.5, random_state=seed).fit(X, y)
    figure, ax = pyplot.subplots(figsize=(4.5, 4.2), layout="constrained")
    plotting.plot_boxes(model, (0, 1), X=X, y=y, ax=ax)
    return figure


def division(seed: int) -> Any:
    """Figure 2: the rows that place the upper bound of one feature of one box."""
    from matplotlib import pyplot
    from matplotlib.patches import Rectangle

    rng = np.random.default_rng(seed)
    rare, common = rng.uniform(-0.4, 0.4, (14, 2)), rng.uniform(-1, 1, (90, 2))
    low, high = rare.min(axis=0), rare.max(axis=0)
    middle = (low[0] + high[0]) / 2
    figure, ax = pyplot.subplots(figsize=(4.6, 4.2), layout="constrained")
    for rows, colour, label in ((common, COMMON, "other rows"), (rare, RARE, "rows of the cluster")):
        inside = ((rows >= low) & (rows <= high)).all(axis=1)
        counts = (rows[:, 0] > high[0]) | (inside & (rows[:, 0] >= middle))
        ax.scatter(*rows[~counts].T, s=18, facecolors="none", edgecolors=colour, alpha=0.5)
        ax.scatter(*rows[counts].T, s=22, color=colour, label=f"{label}, counting")
    ax.axvspan(high[0], 1.05, color=GREY, alpha=0.3, linewidth=0)
    ax.add_patch(Rectangle((middle, low[1]), high[0] - middle, high[1] - low[1], color=GREY, alpha=0.3))
    ax.add_patch(Rectangle(low, *(high - low), fill=False, linewidth=1.5))
    ax.axvline(middle, color="tab:blue", linestyle="--", linewidth=1)
    ax.set(xlabel="feature of the bound", ylabel="another feature", xlim=(-1.05, 1.05), ylim=(-1.05, 1.05))
    ax.legend(loc="lower left", fontsize="small")
    return figure


def ratios() -> dict[str, float]:
    """Read the printed imbalance of every set."""
    return {
        row["dataset"]: float(row["imbalance_ratio_printed"]) for row in published("boxes_table2_datasets")
    }


def ranks(ours: dict[str, float] | None = None) -> dict[str, float]:
    """Rank of Fast Boxes among the printed methods, 1 the best; equals share the middle of their places."""
    of_set: dict[str, dict[str, float]] = {}
    for row in published("boxes_table5_auh"):
        of_set.setdefault(row["dataset"], {})[row["method"]] = float(row["auh_mean"])
    found = {}
    for name, areas in of_set.items():
        if ours is not None and name not in ours:
            continue
        own = areas.pop("Fast Boxes") if ours is None else round(ours[name], 4)
        others = np.array([value for method, value in areas.items() if method != "Fast Boxes"])
        found[name] = 1 + float((others > own).sum() + (others == own).sum() / 2)
    return found


def trend(rank: dict[str, float]) -> float:
    """Rank correlation of imbalance and rank; below 0 where Fast Boxes gain on imbalanced sets."""
    return float(spearmanr([ratios()[name] for name in rank], [*rank.values()]).statistic)


def imbalance(ours: dict[str, float]) -> Any:
    """Figure 3: rank against imbalance, by print and with our areas among the printed rivals."""
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.6), sharex=True, sharey=True, layout="constrained")
    for ax, rank, title in (
        (panels[0], ranks(), "as printed"),
        (panels[1], ranks(ours), "ours among the printed rivals"),
    ):
        ax.scatter([ratios()[name] for name in rank], [*rank.values()], s=22)
        ax.set(title=f"{title}: {len(rank)} sets, correlation {trend(rank):.2f}")
        ax.set(xscale="log", xlabel="common rows for each rare row", ylim=(9.5, 0.5))
        ax.title.set_fontsize("medium")
    panels[0].set_ylabel("rank of Fast Boxes among nine methods")
    return figure


def imbalance_text(ours: dict[str, float]) -> str:
    """Write the ranks of figure 3, most imbalanced first."""
    by_print, by_us = ranks(), ranks(ours)
    names = sorted(by_print, key=ratios().__getitem__, reverse=True)
    rows = [
        (
            name,
            f"{ratios()[name]:.1f}",
            by_print[name],
            by_us.get(name, ""),
            f"{ours[name]:.4f}" if name in ours else "",
        )
        for name in names
    ]
    header = ("set", "imbalance", "printed rank", "our rank", "our AUH")
    return (
        f"# Rank of Fast Boxes among nine methods\n\n{markdown(header, rows)}\n\n"
        f"Rank correlation with the imbalance: printed {trend(by_print):.2f}, ours {trend(by_us):.2f}."
    )


def split(y: Rows) -> tuple[Rows, Rows]:
    """Split diamond3D as the authors' file does: the first rows of each class train."""
    train = np.concatenate([np.flatnonzero(y == label)[:count] for label, count in TRAINING.items()])
    return train, np.setdiff1d(np.arange(len(y)), train)


def areas(X: Floats, y: Rows, seed: int, **setting: Any) -> tuple[float, float]:
    """Areas on the training and on the test rows."""
    train, test = split(y)
    model = FastBoxesClassifier(random_state=seed, **setting).fit(X[train], y[train])
    both = ((model.critical_weights(X[rows])[:, None] >= WEIGHTS, y[rows]) for rows in (train, test))
    on_train, on_test = (area(*pair) for pair in both)
    return on_train, on_test


def settings(X: Floats, y: Rows, seed: int) -> Any:
    """Figures 4 and 5: areas against the number of boxes and against the expansion."""
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.4), sharey=True, layout="constrained")
    curves = (
        (panels[0], BOXES, [areas(X, y, seed, n_boxes=k, expansion=10.0) for k in BOXES], "boxes"),
        (panels[1], EXPANSIONS, [areas(X, y, seed, n_boxes=2, expansion=b) for b in EXPANSIONS], "expansion"),
    )
    for ax, places, found, label in curves:
        for name, values in zip(("training rows", "test rows"), zip(*found, strict=True), strict=True):
            ax.plot(places, values, marker="o", markersize=4, label=name)
        ax.set(xlabel=label)
    panels[1].set_xscale("symlog", linthresh=0.1)
    panels[0].set_ylabel("area under the hull")
    panels[0].legend()
    return figure


def iris() -> tuple[Floats, Rows]:
    """Columns 1 and 4 of iris0."""
    X, y = task("iris0")
    return numbers(X)[:, [0, 3]], y


def expansion(X: Floats, y: Rows, seed: int) -> Any:
    """Figure 6: boxes of half the rows among the other half, before and after the final adjustment."""
    from matplotlib import pyplot

    train, test = next(iter(StratifiedFolds(2, 1, random_state=seed).split(y=y)))
    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
    rules = (("expand", "without the final adjustment"), ("paper", "with it"))
    for ax, (rule, title) in zip(panels, rules, strict=True):
        model = FastBoxesClassifier(n_boxes=1, expansion=0.0, bound_rule=rule, random_state=seed)
        model.fit(X[train], y[train])
        plotting.plot_boxes(model, (0, 1), X=X[test], y=y[test], ax=ax)
        missed = int((model.predict(X[test])[y[test] == 1] == 0).sum())
        ax.set(title=f"{title}: misses {missed} of {int(y[test].sum())}", xlabel="sepal length")
    panels[0].set_ylabel("petal width")
    panels[1].set_ylabel("")
    return figure


if __name__ == "__main__":
    main()
