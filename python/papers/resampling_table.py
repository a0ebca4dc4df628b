"""Samplers and ensembles with three base learners on the data sets of Goh and Rudin (2014).

5 x 2 stratified folds, the same for all: F1, G-mean, AUC, average precision and log loss; for each base
learner average ranks, Friedman tests and critical differences. Records are stored in the folder of the
tables, and the next run continues an interrupted one. A method that fails in any fit on a data set ranks
last. Levels of nominal columns become 0/1 columns, since most samplers and logistic regression need numbers.
AdaC1 to AdaC3 use the class costs of the thesis' function (class_costs="tan"): the default, a grid, makes 51
fits of each one.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from imbcore import C45Classifier, HDDTClassifier, datasets, ensembles, evaluation, sampling, stats
from imbcore.evaluation import Resampled
from paper_output import load, options
from ranking import Clock, add_diagram, means, ranks, whole
from reproduce._printed import rows as published
from reproduce._report import Report

SETS = tuple(
    name
    for name in dict.fromkeys(row["dataset"] for row in published("boxes_table5_auh"))
    if name in datasets.names()
)
BASES: dict[str, Any] = {
    "C4.5": C45Classifier(),
    "HDDT": HDDTClassifier(),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
}
SAMPLERS: dict[str, Any] = {
    "RandomUnderSampler": sampling.RandomUnderSampler(),
    "RandomOverSampler": sampling.RandomOverSampler(),
    "DuplicateOverSampler": sampling.DuplicateOverSampler(),
    "SMOTE": sampling.SMOTE(on_small="shrink"),
    "BorderlineSMOTE": sampling.BorderlineSMOTE(on_small="shrink", on_empty="smote"),
    "ADASYN": sampling.ADASYN(on_small="shrink"),
    "TomekLinks": sampling.TomekLinks(),
    "CondensedNearestNeighbour": sampling.CondensedNearestNeighbour(),
    "OneSidedSelection": sampling.OneSidedSelection(),
    "SMOTETomek": sampling.SMOTETomek(smote={"on_small": "shrink"}),
}
ENSEMBLES = (
    "Bagging",
    "UnderBagging",
    "OverBagging",
    "UnderOverBagging",
    "SMOTEBagging",
    "BalancedBagging",
    "AdaBoost",
    "RUSBoost",
    "SMOTEBoost",
    "AdaC1",
    "AdaC2",
    "AdaC3",
    "EasyEnsemble",
    "BalanceCascade",
)
SETTINGS = {name: {"class_costs": "tan"} for name in ("AdaC1", "AdaC2", "AdaC3")}
MEASURES = {"F1": "f1", "G-mean": "g_mean", "AUC": "auc", "AP": "average_precision", "log loss": "log_loss"}


def main() -> None:
    """Run the missing fits and write the tables."""
    chosen = options(__doc__, sets=SETS, known=SETS, jobs=1)
    folder = chosen.output / "resampling_table"
    folder.mkdir(exist_ok=True)
    records = run(
        chosen.sets, chosen.seed, n_jobs=chosen.jobs, file=folder / "records.jsonl", callback=Clock()
    )
    report = page(records, chosen.seed)
    report.write(folder)
    print(report.markdown())


def run(sets: Any, seed: int, **how: Any) -> list[dict[str, Any]]:
    """Fit every method with every base learner, small data sets first."""
    tables = {name: (numbers(data.X), data.y, 1) for name in sets if (data := load(name))}
    tables = dict(sorted(tables.items(), key=lambda item: len(item[1][1])))
    learners = {
        f"{method}, {base}": learner
        for base, estimator in BASES.items()
        for method, learner in over(estimator).items()
    }
    return evaluation.run(learners, tables, "5x2", seed=seed, **how)


def numbers(table: Any) -> Any:
    """Encode every level of a nominal column as a 0/1 column."""
    frame = table.to_pandas()
    nominal = list(frame.select_dtypes(exclude="number"))
    return pd.get_dummies(frame, columns=nominal, dtype=float) if nominal else table


def over(estimator: Any) -> dict[str, Any]:
    """Every method with one base learner."""
    resampled = {name: Resampled(sampler, estimator) for name, sampler in SAMPLERS.items()}
    by_ensemble = {
        name: getattr(ensembles, f"{name}Classifier")(estimator=estimator, **SETTINGS.get(name, {}))
        for name in ENSEMBLES
    }
    return {"none": estimator} | resampled | by_ensemble


def page(records: list[dict[str, Any]], seed: int) -> Report:
    """Write ranks over the finished data sets, and every mean."""
    done = whole(records)
    report = Report("resampling-table", "Samplers and ensembles over three base learners")
    n_sets = len({of["dataset"] for of in done})
    report.text(f"{n_sets} data sets, 5 x 2 stratified folds, seed {seed}; default settings.")
    report.text('AdaC1 to AdaC3 with class_costs="tan".')
    for base in BASES:
        suffix = f", {base}"
        of_base = [
            {**of, "method": of["method"].removesuffix(suffix)}
            for of in done
            if of["method"].endswith(suffix)
        ]
        if of_base:
            add_base(report, base, of_base)
    failures = [(of["dataset"], of["method"], of["failure"]) for of in done if of["failure"]]
    if failures:
        rows = [(*of, number) for of, number in Counter(failures).items()]
        report.table("Fits that failed", ("set", "method", "message", "of 10 fits"), rows)
    report.fact("seed", seed)
    return report


def add_base(report: Report, base: str, records: list[dict[str, Any]]) -> None:
    """Add ranks, tests and means of the methods with one base learner."""
    summaries = {title: means(records, measure) for title, measure in MEASURES.items()}
    names, sets = summaries["AP"].methods, summaries["AP"].datasets
    if len(sets) > 1:
        ranked = {title: ranks(of) for title, of in summaries.items()}
        order = np.argsort(ranked["AP"].average_ranks, kind="stable")
        rows = [(names[j], *(float(of.average_ranks[j]) for of in ranked.values())) for j in order]
        report.table(f"Over {base}: average ranks, best by AP first", ("method", *ranked), rows, digits=1)
        apart = stats.critical_difference(len(names), len(sets))
        words = ", ".join(f"{title} p = {of.f_p:.2g}" for title, of in ranked.items())
        report.text(
            f"Friedman tests (Iman and Davenport): {words}. Nemenyi's critical difference: {apart:.2f}."
        )
        for title in ("AP", "F1"):
            name = f"cd_{base}_{title}".lower().replace(" ", "_").replace(".", "")
            add_diagram(report, name, f"Average ranks by {title} over {base}.", names, ranked[title])
    for title, of in summaries.items():
        every = zip(sets, of.means.tolist(), strict=True)
        report.table(
            f"Over {base}: {title} of every data set", ("set", *names), [(name, *row) for name, row in every]
        )


if __name__ == "__main__":
    main()
