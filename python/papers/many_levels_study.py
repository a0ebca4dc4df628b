"""Columns with many levels: target statistics, level sets and other libraries.

Every model is fitted with default parameters to the training rows of a simulated table and evaluated on new
rows. Results are stored after every model, so that an interrupted run continues. LightGBM and CatBoost are
measured if they are installed.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import average_precision_score, log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import TargetEncoder

import imbcore
from imbcore.exceptions import DataWarning
from many_levels_data import SETS, Split, simulate
from paper_output import keep, markdown, options

Proba = NDArray[np.float64]


def by_imbcore(method: str, **parameters: Any) -> Callable[[Split, int], Proba]:
    """Fit a method of imbcore."""

    def fitted(data: Split, seed: int) -> Proba:
        model = imbcore.fit(data.train, data.y, method, random_state=seed, **parameters)
        return np.asarray(model.predict_proba(data.new)[:, 1])

    return fitted


def without_identifiers(data: Split, seed: int) -> Proba:
    """Fit boosted trees without the columns of many levels."""
    train, new = (frame.drop(columns=data.identifiers) for frame in (data.train, data.new))
    return by_imbcore("boosted_trees")(Split(train, data.y, new, data.truth, []), seed)


def by_target_encoder(data: Split, seed: int) -> Proba:
    """Fit scikit-learn's forest to columns that its target encoder converts."""
    nominal = [name for name in data.train if not pd.api.types.is_numeric_dtype(data.train[name])]
    encoder = TargetEncoder(random_state=seed).set_output(transform="pandas")
    train = data.train.assign(**dict(encoder.fit_transform(data.train[nominal], data.y).items()))
    new = data.new.assign(**dict(encoder.transform(data.new[nominal]).items()))
    forest = make_pipeline(RandomForestClassifier(random_state=seed))
    return np.asarray(forest.fit(train, data.y).predict_proba(new)[:, 1])


def by_lightgbm(data: Split, seed: int) -> Proba:
    """Fit LightGBM with categorical columns."""
    from lightgbm import LGBMClassifier

    train, new = data.train.copy(), data.new.copy()
    for name in train:
        if not pd.api.types.is_numeric_dtype(train[name]):
            train[name] = train[name].astype("category")
            new[name] = pd.Categorical(new[name], categories=train[name].cat.categories)
    model = LGBMClassifier(random_state=seed, n_jobs=1, verbose=-1)
    return np.asarray(model.fit(train, data.y).predict_proba(new)[:, 1])


def by_catboost(data: Split, seed: int) -> Proba:
    """Fit CatBoost with categorical columns."""
    from catboost import CatBoostClassifier

    nominal = [name for name in data.train if not pd.api.types.is_numeric_dtype(data.train[name])]
    model = CatBoostClassifier(random_seed=seed, thread_count=1, verbose=False, allow_writing_files=False)
    model.fit(data.train, data.y, cat_features=nominal)
    return np.asarray(model.predict_proba(data.new)[:, 1])


VARIANTS: dict[str, Callable[[Split, int], Proba]] = {
    "`boosted_trees`": by_imbcore("boosted_trees"),
    '`boosted_trees`, `categorical_split="subset"`': by_imbcore("boosted_trees", categorical_split="subset"),
    "`boosted_trees` without these columns": without_identifiers,
    "`forest`": by_imbcore("forest"),
    '`forest`, `categorical_split="target"`': by_imbcore("forest", categorical_split="target"),
    "scikit-learn's target encoder and random forest": by_target_encoder,
}
OTHERS = {"lightgbm": ("LightGBM", by_lightgbm), "catboost": ("CatBoost", by_catboost)}


def main() -> None:
    """Run the study and write the table."""
    chosen = options(__doc__, seeds=2, known=SETS, sets=SETS)
    warnings.simplefilter("ignore", DataWarning)
    variants = VARIANTS | {name: fit for module, (name, fit) in OTHERS.items() if find_spec(module)}
    chosen.output.mkdir(parents=True, exist_ok=True)
    store = chosen.output / "many_levels.json"
    found = json.loads(store.read_text()) if store.exists() else {}
    for name in chosen.sets:
        for seed in range(chosen.seed, chosen.seed + chosen.seeds):
            data = None
            for variant, fit in variants.items():
                key = f"{name} {seed} {variant}"
                if key not in found:
                    data = data or simulate(name, seed)
                    found[key] = measure(data, fit(data, seed))
                    store.write_text(json.dumps(found, indent=1))
                    print(key, *(f"{value:.3f}" for value in found[key]), flush=True)
    keep(chosen.output, "many_levels", report(found, chosen, list(variants)))


def measure(data: Split, proba: Proba) -> list[float]:
    """Average precision, and log loss relative to that of the class proportions."""
    prior = log_loss(data.truth, np.full(len(data.truth), data.y.mean()))
    return [float(average_precision_score(data.truth, proba)), float(log_loss(data.truth, proba) / prior)]


def report(found: dict[str, list[float]], chosen: Any, variants: list[str]) -> str:
    """Write means over the seeds: average precision (relative log loss)."""
    rows = []
    for variant in variants:
        cells = []
        for name in chosen.sets:
            seeds = range(chosen.seed, chosen.seed + chosen.seeds)
            mean = np.mean([found[f"{name} {seed} {variant}"] for seed in seeds], axis=0)
            cells.append(f"{mean[0]:.3f} ({mean[1]:.2f})")
        rows.append([variant, *cells])
    return markdown(["average precision (relative log loss)", *chosen.sets], rows)


if __name__ == "__main__":
    main()
