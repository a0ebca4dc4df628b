"""Figures 11 and 12 of the thesis: effect of resampling, by classifier and set."""

from __future__ import annotations

from typing import Any

import numpy as np

from imbcore import evaluation, sampling
from imbcore.ensembles import RandomForestClassifier
from imbcore.plotting._axes import PALETTE
from imbcore.trees import C45Classifier
from reproduce._experiment import Settings
from reproduce._measure import measure
from reproduce._panels import panels
from reproduce._report import Report
from reproduce._tables import dummy_coded
from reproduce._thesis_boxplots import column
from reproduce._thesis_sets import load
from reproduce._thesis_tables import splits
from reproduce._thesis_tests import superiority, verdict

__all__ = ["add"]

PLAIN = "none"


def samplers() -> dict[str, Any]:
    """Return the preprocessing methods of section 3.2, by their names in the thesis."""
    return {
        "RUS": sampling.RandomUnderSampler(),
        "ROS": sampling.RandomOverSampler(),
        "SMOTE": sampling.BorderlineSMOTE(kind="thesis", on_small="shrink"),
        "Tomek": sampling.TomekLinks(),
        "CNN": sampling.CondensedNearestNeighbour(),
        "OSS": sampling.OneSidedSelection(order="tomek_first"),
        "SMOTE+Tomek": sampling.SMOTETomek(smote={"on_small": "shrink"}),
    }


def models() -> dict[str, Any]:
    """Return the four classifiers.

    Penalized logistic regression replaces the Bayesian linear model.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    return {
        "C5.0": C45Classifier(),
        "randomForest": RandomForestClassifier(),
        "bayesglm": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "svmRadial": make_pipeline(StandardScaler(), SVC()),
    }


def add(report: Report, settings: Settings) -> list[tuple[Any, ...]]:
    """Draw both figures; return the conclusions."""
    learners = {f"{model} {PLAIN}": of for model, of in models().items()}
    for model, of in models().items():
        learners |= {f"{model} {name}": evaluation.Resampled(s, of) for name, s in samplers().items()}
    tables = {
        name: (np.asarray(dummy_coded(X, fewer=True)), y, positive)
        for name, (X, y, positive) in load(settings, report).items()
    }
    records = measure(report, settings, learners, tables, splits(settings, 20), part="11")
    for number, key in ((11, "accuracy"), (12, "f1")):
        _bars(report, number, key, records, tuple(tables))
    rows, best = [], []
    for name in samplers():
        for key in ("accuracy", "f1"):
            pairs = [
                [column(records, key, method=f"{model} {which}") for model in models()]
                for which in (name, PLAIN)
            ]
            x, y = (np.concatenate(side) for side in pairs)
            if len(x):
                found = superiority(x, y)
                rows.append((name, key, *found, verdict(found, name, PLAIN)))
                best += [(found.estimate, name)] if key == "f1" else []
    header = ("resampler", "measure", "pairs", "estimate", "low", "high", "p", "conclusion")
    report.table("With and without resampling, all classifiers and sets together", header, rows)
    worse = [row[0] for row in rows if row[1] == "accuracy" and row[-1].startswith(PLAIN)]
    better = [row[0] for row in rows if row[1] == "f1" and row[-1].startswith(row[0])]
    return [
        (
            "3.2 Does resampling cost accuracy?",
            "all of it, slightly",
            f"yes for {len(worse)} of {len(samplers())}: {', '.join(worse) or 'none'}",
        ),
        (
            "3.2 Does resampling gain F1?",
            "SMOTE most reliably, CNN worst",
            f"shown for {', '.join(better) or 'none'}; most by {max(best)[1]}, least by {min(best)[1]}"
            if best
            else "no runs",
        ),
    ]


def _bars(report: Report, number: int, key: str, records: Any, names: tuple[str, ...]) -> None:
    """Draw means (light) and gains over no resampling (solid), one panel per set and classifier."""
    which = (PLAIN, *samplers())
    cells = {
        (name, model, how): float(np.nanmean(column(records, key, dataset=name, method=f"{model} {how}")))
        for name in names
        for model in models()
        for how in which
    }
    figure, grid = panels(len(models()) * len(names), len(names), size=(2.3, 1.9), sharex=True)
    for ax, (model, name) in zip(grid, [(m, n) for m in models() for n in names], strict=True):
        means = np.array([cells[name, model, how] for how in which])
        places = range(len(which))
        ax.barh(places, means, color=PALETTE[0], alpha=0.3)
        ax.barh(places, means - means[0], color=PALETTE[2])
        plain = [cells[name, of, PLAIN] for of in models()]
        ax.axvline(max(plain), color="tab:blue", linewidth=1)
        mean = sum(cells[of, model, PLAIN] for of in names) / len(names)
        ax.axvline(mean, color="tab:red", linewidth=1)
        ax.set_yticks(places, which, fontsize=6)
        ax.set_title(f"{name}, {model}", fontsize=7)
    rows = [(*place, mean, mean - cells[place[0], place[1], PLAIN]) for place, mean in cells.items()]
    header = ("set", "classifier", "resampler", "mean", "gain over none")
    caption = (
        f"Figure {number}: {key} by resampler: mean (light) and gain over no resampling (solid); best "
        "value of the set without resampling (blue) and mean value of the classifier without "
        "resampling (red)."
    )
    report.figure(f"figure-{number}", figure, caption, header, rows)
