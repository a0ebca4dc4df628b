"""What guarantees keep: coverage of the rare class by conformal sets, misses, thresholds with a confidence.

On two-class sets, over resamples into rows that train and calibrate and rows that are asked: the share of the
rare class in its sets, by split, folds and out of bag, unsmoothed and smoothed; the share that abstains; the
misses under ``miss=``. Beside them MAPIE's default and crepes with classes as categories, where they are
installed. Then 1,000 draws from a law whose truth is known: how often a threshold with a guarantee breaks it.
Every resample is a line of ``guarantees.jsonl``, and a second run goes on where the first one stopped.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from paper_output import keep, keep_figure, load, markdown, options

import imbcore
from imbcore import datasets, metrics
from imbcore.decisions import ConformalClassifier

ALPHA, CONFIDENCE, FEWEST, MOST = 0.1, 0.9, 30, 6000
KINDS = ("split", "split, smoothed", "cross", "out_of_bag")
GOALS: dict[str, dict[str, float]] = {
    "recall": {"recall": 0.8, "guarantee": 0.95},
    "precision": {"precision": 0.5, "guarantee": 0.95},
    "fpr": {"fpr": 0.1, "guarantee": 0.95},
}
Found = dict[str, Any]


def main() -> None:
    """Run what is not there yet, and write the table and the figure."""
    known = tuple(name for name in datasets.names() if not name.endswith("_mc"))
    chosen = options(__doc__, sets=known, known=known, resamples=200, draws=1000, trees=100)
    file = chosen.output / "guarantees.jsonl"
    done = read(file)
    there = {(line["set"], line["resample"]) for line in done}
    for name in chosen.sets:
        X, y = rows_of(name)
        if len(y) == 0:
            continue
        for resample in range(chosen.resamples):
            if (name, resample) not in there:
                line = {"set": name, "resample": resample}
                done.append(line | measure(X, y, chosen.seed + resample, chosen.trees))
                append(file, done[-1])
    if ("draws", chosen.draws) not in there:
        done.append({"set": "draws", "resample": chosen.draws, "kept": simulate(chosen.draws, chosen.seed)})
        append(file, done[-1])
    keep(chosen.output, "guarantees", report(done))
    keep_figure(chosen.output, "guarantees", picture(done))


def read(file: Path) -> list[Found]:
    """Resamples that are there."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def append(file: Path, line: Found) -> None:
    """Keep a resample."""
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(line) + "\n")


def rows_of(name: str) -> tuple[Any, NDArray[np.int64]]:
    """Rows of a set, 1 for the rare class; none where there are too few for 30 to calibrate, or too many."""
    data = load(name)
    classes, codes = np.unique(np.asarray(data.y), return_inverse=True)
    counts = np.bincount(codes)
    if len(classes) != 2 or len(codes) > MOST or min(counts) < 4 * FEWEST + 4:
        return data.X, np.empty(0, dtype=np.int64)
    return data.X, (codes == np.argmin(counts)).astype(np.int64)


def measure(X: Any, y: NDArray[np.int64], seed: int, trees: int) -> Found:
    """One resample: half of the rows train and calibrate, the others are asked."""
    rng = np.random.default_rng(seed)
    parts = [rng.permutation(np.flatnonzero(y == k)) for k in (0, 1)]
    train = np.sort(np.concatenate([part[: len(part) // 2] for part in parts]))
    test = np.sort(np.concatenate([part[len(part) // 2 :] for part in parts]))
    forest = imbcore.RandomForestClassifier(n_estimators=trees, random_state=seed, n_threads=1)
    found: Found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for kind in KINDS:
            method, _, smoothed = kind.partition(", ")
            model = ConformalClassifier(
                forest, ALPHA, method=method, smoothed=bool(smoothed), calibration_rows=0.5, random_state=seed
            ).fit(X.take(train), y[train])
            sets = model.predict_set(X.take(test))
            found[kind] = covered(sets, y[test]) | {"n": model.n_calibration_[1]}
            if kind == "split":
                found |= beside(model, X.take(test), y[test])
        for name, confidence in {"miss": None, "miss, sure": CONFIDENCE}.items():
            model = ConformalClassifier(
                forest, miss=ALPHA, calibration_rows=0.5, random_state=seed, confidence=confidence
            ).fit(X.take(train), y[train])
            rare = model.predict(X.take(test))[y[test] == 1]
            found[name] = {"rare": float(np.mean(rare == 1)), "n": model.n_calibration_[1]}
    return found


def covered(sets: NDArray[np.bool_], y: NDArray[np.int64]) -> dict[str, float]:
    """Share of each class that is in its sets, and of rows that abstain."""
    single = sets.sum(axis=1) == 1
    return {
        "rare": float(sets[y == 1, 1].mean()),
        "frequent": float(sets[y == 0, 0].mean()),
        "abstains": float(1 - single.mean()),
    }


def beside(model: ConformalClassifier, new: Any, y: NDArray[np.int64]) -> Found:
    """Make sets of the same scores by MAPIE (its default is marginal) and crepes (both)."""
    found: Found = {}
    codes, _, scores = model._calibration
    proba = model.predict_proba(new)
    try:
        import crepes  # type: ignore[import-untyped]
    except ImportError:
        pass
    else:
        other = crepes.ConformalClassifier().fit(1 - scores, bins=codes)
        p = [other.predict_p(1 - proba[:, [k]], bins=np.full(len(y), k), smoothing=False) for k in (0, 1)]
        found["crepes, by class"] = covered(np.column_stack([own[:, 0] for own in p]) > ALPHA, y)
        other = crepes.ConformalClassifier().fit(1 - scores)
        found["crepes, default"] = covered(other.predict_p(1 - proba, smoothing=False) > ALPHA, y)
    try:
        from mapie.classification import (  # type: ignore[import-untyped]
            SplitConformalClassifier,
        )
    except ImportError:
        return found
    stand_in = Said()
    both = np.column_stack(
        [np.where(codes == 0, scores, 1 - scores), np.where(codes == 1, scores, 1 - scores)]
    )
    mapie = SplitConformalClassifier(stand_in, confidence_level=1 - ALPHA, prefit=True)
    mapie.conformalize(both, codes.astype(np.int64))
    found["MAPIE, default"] = covered(mapie.predict_set(proba)[1][:, :, 0], y)
    return found


class Said:
    """A classifier whose table holds what it says."""

    classes_ = np.array([0, 1])
    n_features_in_ = 2
    is_fitted_ = True
    _estimator_type = "classifier"

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, _X: Any, _y: Any) -> Said:
        """Learn nothing."""
        return self

    def predict(self, X: Any) -> Any:
        """Answer the more probable class."""
        return np.argmax(X, axis=1)

    def predict_proba(self, X: Any) -> Any:
        """Say what the table holds."""
        return np.asarray(X)


def simulate(draws: int, seed: int) -> dict[str, float]:
    """Share of draws of 1,500 rows whose threshold keeps its guarantee, by the law that they come from."""
    rng = np.random.default_rng(seed)
    grid = (np.arange(20_000) + 0.5) / 20_000
    density = grid**0.3 * (1 - grid)
    density /= density.sum()
    share = float((density * grid).sum())
    kept = dict.fromkeys(GOALS, 0)
    for _ in range(draws):
        p = rng.choice(grid, 1500, p=density)
        y = rng.random(1500) < p
        for name, goal in GOALS.items():
            at, _ = metrics.threshold_for(y, p, goal, positive=True)
            above = grid >= at
            alerts, right = density[above].sum(), (density * grid)[above].sum()
            truth = {
                "recall": right / share,
                "precision": right / alerts,
                "fpr": (alerts - right) / (1 - share),
            }
            kept[name] += bool(truth[name] <= goal[name] if name == "fpr" else truth[name] >= goal[name])
    return {name: count / draws for name, count in kept.items()}


def columns(done: list[Found]) -> Iterator[tuple[str, str, NDArray[np.float64], float]]:
    """Set, kind, coverage of the rare class in every resample, and the share that abstains."""
    for name in sorted({line["set"] for line in done} - {"draws"}):
        lines = [line for line in done if line["set"] == name]
        for kind in (kind for kind in lines[0] if kind not in ("set", "resample")):
            rare = np.array([line[kind]["rare"] for line in lines])
            yield name, kind, rare, float(np.mean([line[kind].get("abstains", 0) for line in lines]))


def report(done: list[Found]) -> str:
    """Coverage of the rare class by set and kind, with two standard errors; guarantees below."""
    rows = [
        [name, kind, f"{rare.mean():.3f}", f"{2 * rare.std() / np.sqrt(len(rare)):.3f}", f"{abstains:.2f}"]
        for name, kind, rare, abstains in columns(done)
    ]
    text = [f"Rare class, nominal {1 - ALPHA:.2f}; {len({row[0] for row in rows})} sets.", ""]
    text.append(markdown(["set", "kind", "covered", "+-", "abstains"], rows))
    for line in done:
        if line["set"] == "draws":
            shares = ", ".join(f"{name} {share:.3f}" for name, share in line["kept"].items())
            text += ["", f"Guarantees of confidence 0.95 kept in {line['resample']} draws: {shares}."]
    return "\n".join(text)


def picture(done: list[Found]) -> Any:
    """Mean coverage of the rare class of every set, by kind."""
    from matplotlib import pyplot

    found: dict[str, list[float]] = {}
    for _, kind, rare, _ in columns(done):
        found.setdefault(kind, []).append(float(rare.mean()))
    figure, axes = pyplot.subplots(figsize=(7, 0.4 * len(found) + 1), layout="constrained")
    for place, (kind, means) in enumerate(found.items()):
        axes.plot(means, np.full(len(means), place), "o", alpha=0.5, label=kind)
    axes.axvline(1 - ALPHA, color="black", linewidth=0.8)
    axes.set_yticks(range(len(found)), list(found))
    axes.set_xlabel("share of the rare class that is in its sets")
    return figure


if __name__ == "__main__":
    main()
