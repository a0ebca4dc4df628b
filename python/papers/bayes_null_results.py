"""Classifiers that never predict the rare class (Morán Jiménez 2018, section 6.7).

Every data set has 20 stratified splits with 85 % of the rows for training, the same for all variants. Unless
the name states otherwise: five bins of equal frequency, hill climbing with BIC and at most four parents, and
the most probable class is predicted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedShuffleSplit

from imbcore import FullBayesClassifier, NaiveBayesClassifier, TANClassifier, metrics
from imbcore.bayes import LocallyRebalanced, Rebalanced, Tempered
from imbcore.discretization import EqualFrequencyDiscretizer
from paper_output import keep, load, markdown, options

SETS = ("ecoli-om", "yeast4", "abalone19plus", "soybean1")
BINS = {"discretizer": EqualFrequencyDiscretizer(n_bins=5)}
HC = {**BINS, "search": "hc", "max_parents": 4}
# Name -> class and parameters.
VARIANTS: dict[str, tuple[type[Any], dict[str, Any]]] = {
    "hill climbing": (FullBayesClassifier, HC),
    "threshold: prior": (FullBayesClassifier, {**HC, "threshold": "prior"}),
    "threshold: F1": (FullBayesClassifier, {**HC, "threshold": "f1"}),
    "prior of the class: gamma 1, alpha M": (FullBayesClassifier, {**HC, "prior": Rebalanced(weight="n")}),
    "tempered, phi 0.5": (FullBayesClassifier, {**HC, "rectify": Tempered(phi=0.5)}),
    "tempered, phi 0": (FullBayesClassifier, {**HC, "rectify": Tempered(phi=0.0)}),
    "an arc at the class required": (FullBayesClassifier, {**HC, "require_class_arc": True}),
    "local priors": (
        FullBayesClassifier,
        {**HC, "prior": LocallyRebalanced(strength=0.5, children=True)},
    ),
    "tabu search": (FullBayesClassifier, {**HC, "search": "tabu"}),
    "naive Bayes": (NaiveBayesClassifier, BINS),
    "TAN": (TANClassifier, BINS),
    "CAIM cuts": (FullBayesClassifier, {**HC, "discretizer": "caim"}),
    "MDLP cuts": (FullBayesClassifier, {**HC, "discretizer": "mdlp"}),
    "MDLP cuts, tempered, phi 0.5": (
        FullBayesClassifier,
        {**HC, "discretizer": "mdlp", "rectify": Tempered(phi=0.5)},
    ),
    "MDLP cuts, threshold: F1": (FullBayesClassifier, {**HC, "discretizer": "mdlp", "threshold": "f1"}),
}
Found = dict[str, NDArray[np.float64]]


def main() -> None:
    """Run all data sets and write the tables."""
    chosen = options(__doc__, sets=SETS, known=SETS, splits=20)
    found = {}
    for name in chosen.sets:
        data = load(name)
        found[name] = measure(data.X, data.y, chosen.splits, chosen.seed)
    keep(chosen.output, "bayes_null_results", report(found))


def measure(X: Any, y: NDArray[np.int64], n_splits: int, seed: int, variants: Any = None) -> Found:
    """F1 and recall of class 1, and whether the diagnosis warned: (n_splits, 3) per variant."""
    variants = variants or VARIANTS
    splits = StratifiedShuffleSplit(n_splits, test_size=0.15, random_state=seed)
    found: dict[str, list[tuple[float, float, bool]]] = {name: [] for name in variants}
    for train, test in splits.split(y, y):
        for name, (classifier, parameters) in variants.items():
            model = classifier(random_state=seed, **parameters).fit(X.take(train), y[train])
            predictions = model.predict(X.take(test))
            f1 = metrics.f1_score(y[test], predictions, pos_label=1)
            recall = metrics.recall_score(y[test], predictions, pos_label=1)
            found[name].append((f1, recall, warned(model)))
    return {name: np.array(rows, dtype=float) for name, rows in found.items()}


def warned(model: Any) -> bool:
    """Check whether the diagnosis of a fitted model predicts that argmax never returns class 1."""
    found = model.diagnose()
    never = found["never_predicted"] or []
    return bool(found["class_isolated"] or 1 in never or found["train_recall"][1] == 0)


def report(found: dict[str, Found]) -> str:
    """Write F1 and zero-recall runs of every variant, and the accuracy of the diagnosis."""
    n_splits = len(next(iter(next(iter(found.values())).values())))
    rows: list[list[object]] = []
    for variant in next(iter(found.values())):
        row: list[object] = [variant]
        for values in found.values():
            f1, recall, _ = values[variant].T
            row.append(f"{f1.mean():.3f} ({int((recall == 0).sum())})")
        rows.append(row)
    diagnoses: list[list[object]] = []
    for name, values in found.items():
        for variant in (v for v in values if "threshold" not in v):
            _, recall, warning = values[variant].T
            null = recall == 0
            if null.any() or warning.any():
                predicted = int((null & (warning == 1)).sum())
                diagnoses.append([name, variant, int(null.sum()), predicted, int(warning.sum()) - predicted])
    parts = [
        f"F1 of the rare class, mean of {n_splits} splits (runs with zero recall)",
        markdown(["variant", *found], rows),
        f"Of {n_splits} runs, those with zero recall, and those that the diagnosis predicted",
        markdown(["data set", "variant", "zero recall", "predicted", "false warnings"], diagnoses),
    ]
    return "\n\n".join(parts)


if __name__ == "__main__":
    main()
