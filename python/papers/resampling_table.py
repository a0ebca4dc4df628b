"""Every sampler and every ensemble over three base learners, on the two-class sets of Goh and Rudin 2014.

Five times two folds, the same for all. One record a set, method, base learner and fold goes to a file of
lines as soon as it is there: a run that was stopped goes on where it was. Scores of the rare class: F1 and
G-mean of the answers, area under the ROC curve, average precision, log loss.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from paper_output import keep, load, markdown, options
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from imbcore import C45Classifier, HDDTClassifier, datasets, ensembles, metrics, sampling, stats
from imbcore.exceptions import ImbcoreError
from imbcore.protocols import StratifiedFolds
from imbcore.reproduce._printed import rows as published

SETS = tuple(
    name
    for name in dict.fromkeys(row["dataset"] for row in published("boxes_table5_auh"))
    if name in datasets.names()
)
BASES: dict[str, Any] = {
    "C4.5": C45Classifier(),
    "HDDT": HDDTClassifier(),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
}
SAMPLERS: dict[str, Callable[[int], Any] | None] = {
    "none": None,
    "RandomUnderSampler": lambda seed: sampling.RandomUnderSampler(random_state=seed),
    "RandomOverSampler": lambda seed: sampling.RandomOverSampler(random_state=seed),
    "DuplicateOverSampler": lambda _: sampling.DuplicateOverSampler(),
    "SMOTE": lambda seed: sampling.SMOTE(random_state=seed, on_small="shrink"),
    "BorderlineSMOTE": lambda seed: sampling.BorderlineSMOTE(
        random_state=seed, on_small="shrink", on_empty="smote"
    ),
    "ADASYN": lambda seed: sampling.ADASYN(random_state=seed, on_small="shrink"),
    "TomekLinks": lambda _: sampling.TomekLinks(),
    "CondensedNearestNeighbour": lambda seed: sampling.CondensedNearestNeighbour(random_state=seed),
    "OneSidedSelection": lambda seed: sampling.OneSidedSelection(random_state=seed),
    "SMOTETomek": lambda seed: sampling.SMOTETomek(random_state=seed, smote={"on_small": "shrink"}),
}
ENSEMBLES = (
    "BaggingClassifier",
    "UnderBaggingClassifier",
    "OverBaggingClassifier",
    "UnderOverBaggingClassifier",
    "SMOTEBaggingClassifier",
    "BalancedBaggingClassifier",
    "AdaBoostClassifier",
    "RUSBoostClassifier",
    "SMOTEBoostClassifier",
    "AdaC1Classifier",
    "AdaC2Classifier",
    "AdaC3Classifier",
    "EasyEnsembleClassifier",
    "BalanceCascadeClassifier",
)
SCORES = ("F1", "G-mean", "AUC", "AP", "log loss")
Rows = NDArray[np.int64]
Key = tuple[str, str, str, int]


def main() -> None:
    """Run what is not there yet, and write the table."""
    chosen = options(__doc__, sets=SETS, known=SETS, repeats=5)
    file = chosen.output / "resampling_table.jsonl"
    known = read(file)
    with open(file, "a", encoding="utf-8") as records:
        for key, scores in run(chosen.sets, chosen.repeats, chosen.seed, known):
            known[key] = scores
            records.write(json.dumps([*key, scores]) + "\n")
            records.flush()
    keep(chosen.output, "resampling_table", report(known, chosen.sets))


def read(file: Path) -> dict[Key, dict[str, float]]:
    """Read the records of earlier runs; a last line that was cut off is cut away."""
    if not file.exists():
        return {}
    text = file.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        file.write_text(whole, encoding="utf-8")
    records = map(json.loads, whole.splitlines())
    return {(name, method, base, fold): scores for name, method, base, fold, scores in records}


def run(sets: Any, repeats: int, seed: int, known: Any) -> Iterator[tuple[Key, dict[str, float]]]:
    """Fit what has no record yet."""
    for name in sets:
        data = load(name)
        X, y = np.column_stack([data.X[column] for column in data.X.names]), data.y
        for fold, (train, test) in enumerate(StratifiedFolds(2, repeats, random_state=seed).split(y=y)):
            for method in (*SAMPLERS, *ENSEMBLES):
                for base in BASES:
                    key = (name, method, base, fold)
                    if key not in known:
                        yield (
                            key,
                            measure(method, base, (X[train], y[train]), (X[test], y[test]), seed + fold),
                        )


def measure(
    method: str, base: str, train: tuple[Any, Rows], test: tuple[Any, Rows], seed: int
) -> dict[str, float]:
    """Fit one method and score it; what cannot be fitted is scored as answers of the class shares."""
    X, y = train
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = learner(method, base, seed)
            if method in SAMPLERS and (sampler := SAMPLERS[method]) is not None:
                X, y = sampler(seed).fit_resample(X, y)
            model.fit(X, y)
            answer, p = model.predict(test[0]), model.predict_proba(test[0])[:, 1]
        except ImbcoreError:
            answer, p = np.zeros_like(test[1]), np.full(len(test[1]), train[1].mean())
    truth = test[1]
    found = (
        metrics.f1_score(truth, answer, pos_label=1),
        metrics.geometric_mean_score(truth, answer),
        metrics.roc_auc_score(truth, p, positive=1),
        metrics.average_precision_score(truth, p, positive=1),
        metrics.log_loss(truth, np.column_stack([1 - p, p])),
    )
    return dict(zip(SCORES, map(float, found), strict=True))


def learner(method: str, base: str, seed: int) -> Any:
    """Make the classifier that follows a sampler, or the ensemble over the base learner."""
    estimator = clone(BASES[base])
    if method in SAMPLERS:
        return estimator
    return getattr(ensembles, method)(estimator=estimator, random_state=seed)


def report(known: dict[Key, dict[str, float]], sets: Any) -> str:
    """Write average ranks over the sets that are whole, by base learner and score."""
    methods, parts = (*SAMPLERS, *ENSEMBLES), []
    for base in BASES:
        ranks: dict[str, list[float]] = {}
        for score in SCORES:
            table = []
            for name in sets:
                row = [mean(known, name, method, base, score) for method in methods]
                if not any(np.isnan(row)):
                    table.append(row)
            if len(table) > 1:
                found = stats.friedman_test(table, larger_is_better=score != "log loss")
                ranks[score] = found.average_ranks.tolist()
        if not ranks:
            continue
        apart = stats.critical_difference(len(methods), len(table))
        over = f"{len(methods)} methods over {len(table)} sets"
        parts += [
            f"Base learner {base}: average ranks of {over}; critical difference {apart:.2f}",
            markdown(
                ["method", *ranks],
                [[method, *row] for method, *row in zip(methods, *ranks.values(), strict=True)],
            ),
        ]
    return "\n\n".join(parts)


def mean(known: dict[Key, dict[str, float]], name: str, method: str, base: str, score: str) -> float:
    """Mean of a score over the folds that have a record; NaN without any."""
    found = [of[score] for (a, b, c, _), of in known.items() if (a, b, c) == (name, method, base)]
    return float(np.mean(found)) if found else float("nan")


if __name__ == "__main__":
    main()
