"""Measured coverage of conformal sets, miss rates, and thresholds with a guarantee.

On two-class data sets, over random splits into training, calibration and test rows: the proportion of the
rare class whose set contains it, by split, folds and out of bag, unsmoothed and smoothed; the proportion of
rows that abstain, and of rare rows predicted as the frequent class; the miss rates with ``miss=``. For
comparison, MAPIE with its defaults and crepes with class-wise calibration, if they are installed. Then 1,000
draws from a known distribution: how often a threshold violates its guarantee. Every number is reported with
its target.

By default the data sets are the 20 with the fewest rows among those with at least 30 rare calibration rows (a
quarter of the rare rows). Every resample is a line of ``guarantees.jsonl``. A second run continues an
interrupted one, and adds kinds that an older run did not measure.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy import stats
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator

import imbcore
from imbcore import datasets, metrics
from imbcore.decisions import ConformalClassifier
from paper_output import keep, keep_figure, load, markdown, options

ALPHA, CONFIDENCE, FEWEST, SETS = 0.1, 0.9, 30, 20
GOALS: dict[str, dict[str, float]] = {
    "recall": {"recall": 0.8, "guarantee": 0.95},
    "precision": {"precision": 0.5, "guarantee": 0.95},
    "fpr": {"fpr": 0.1, "guarantee": 0.95},
}
SPLIT = ("split", "split, smoothed", "miss", "miss, sure")
KINDS = (*SPLIT, "cross", "out_of_bag", "out_of_bag_plus")
VERDICTS = ("holds", "short", "above")
Found = dict[str, Any]


def main() -> None:
    """Run the missing fits and write the table and the figure."""
    known = usable()
    chosen = options(__doc__, sets=known[:SETS], known=known, resamples=200, draws=1000, trees=100, jobs=1)
    file = chosen.output / "guarantees.jsonl"
    done = read(file)
    there = {(line["set"], line["resample"]): line.keys() for line in done}
    for name in chosen.sets:
        kinds = {
            n: [kind for kind in KINDS if kind not in there.get((name, n), ())]
            for n in range(chosen.resamples)
        }
        missing = {n: lacking for n, lacking in kinds.items() if lacking}
        X, y = rows_of(name) if missing else (None, None)
        lines = Parallel(n_jobs=chosen.jobs, return_as="generator")(
            delayed(measure)(X, y, chosen.seed + resample, chosen.trees, lacking)
            for resample, lacking in missing.items()
        )
        for resample, line in zip(missing, lines, strict=True):
            append(file, {"set": name, "resample": resample} | line)
    if ("draws", chosen.draws) not in there:
        kept = simulate(chosen.draws, chosen.seed)
        append(file, {"set": "draws", "resample": chosen.draws, "kept": kept})
    done = read(file)
    keep(chosen.output, "guarantees", report(done))
    keep_figure(chosen.output, "guarantees", picture(done))


def usable() -> tuple[str, ...]:
    """Names of the two-class sets with enough rare rows, those with the fewest rows first."""
    found = sorted((datasets.info(name) for name in datasets.names()), key=lambda of: (of.rows, of.name))
    return tuple(
        of.name for of in found if of.task == "binary" and min(of.class_counts.values()) >= 4 * FEWEST + 4
    )


def read(file: Path) -> list[Found]:
    """Read the stored resamples; lines of one resample are merged."""
    found: dict[tuple[str, int], Found] = {}
    for text in file.read_text("utf-8").splitlines() if file.exists() else []:
        line = json.loads(text)
        found.setdefault((line["set"], line["resample"]), {}).update(line)
    return list(found.values())


def append(file: Path, line: Found) -> None:
    """Append a resample."""
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(line) + "\n")


def rows_of(name: str) -> tuple[Any, NDArray[np.int64]]:
    """Rows of a data set; the rare class has label 1."""
    data = load(name)
    _, codes, counts = np.unique(np.asarray(data.y), return_inverse=True, return_counts=True)
    return data.X, (codes == np.argmin(counts)).astype(np.int64)


def measure(X: Any, y: NDArray[np.int64], seed: int, trees: int, kinds: Sequence[str]) -> Found:
    """Measure one resample: half of the rows train and calibrate, the others are test rows.

    One forest on a quarter of the rows serves all kinds that hold out the calibration rows.
    """
    fit, own, new = quarters(y, np.random.default_rng(seed))
    both, test_rows, truth = np.sort(np.concatenate([fit, own])), X.take(new), y[new]
    forest = imbcore.RandomForestClassifier(n_estimators=trees, random_state=seed, n_threads=1)
    held_out = FrozenEstimator(forest)
    if not set(kinds).isdisjoint(SPLIT):
        held_out = FrozenEstimator(clone(forest).fit(X.take(fit), y[fit]))
    models = {
        "split": ConformalClassifier(held_out, ALPHA),
        "split, smoothed": ConformalClassifier(held_out, ALPHA, smoothed=True, random_state=seed),
        "miss": ConformalClassifier(held_out, miss=ALPHA),
        "miss, sure": ConformalClassifier(held_out, miss=ALPHA, confidence=CONFIDENCE),
        "cross": ConformalClassifier(forest, ALPHA, method="cross", random_state=seed),
        "out_of_bag": ConformalClassifier(forest, ALPHA, method="out_of_bag", random_state=seed),
        "out_of_bag_plus": ConformalClassifier(forest, ALPHA, method="out_of_bag_plus", random_state=seed),
    }
    found: Found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for kind in kinds:
            model = models[kind]
            rows = own if model.estimator is held_out else both
            model.fit(X.take(rows), y[rows])
            if model.miss is None:
                of_kind = covered(model.predict_set(test_rows), truth)
            else:
                of_kind = {"rare": float(np.mean(model.predict(test_rows)[truth == 1] == 1))}
            found[kind] = of_kind | {"n": model.n_calibration_[1], "promised": guaranteed_coverage(model)}
        if "split" in kinds:
            found |= compare_libraries(models["split"], test_rows, truth)
    return found


def quarters(y: NDArray[np.int64], rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Split each class: a quarter for training, a quarter for calibration, half for tests."""
    parts: list[list[NDArray[np.int64]]] = []
    for k in (0, 1):
        rows = rng.permutation(np.flatnonzero(y == k))
        parts.append(np.split(rows, [len(rows) // 4, len(rows) // 2]))
    return [np.sort(np.concatenate(of_classes)) for of_classes in zip(*parts, strict=True)]


def guaranteed_coverage(model: ConformalClassifier) -> float | None:
    """Guaranteed mean coverage of the rare class."""
    if model.miss is None or model.confidence is None:
        proved: float | None = model.coverage_guarantee_[1]
        return proved
    # The order statistic for a coverage with confidence is stricter than the one for the mean.
    return float(1 - model._level)


def covered(sets: NDArray[np.bool_], y: NDArray[np.int64]) -> dict[str, float]:
    """Coverage by class, and proportions of abstentions and of rare rows predicted as frequent."""
    single = sets.sum(axis=1) == 1
    return {
        "rare": float(sets[y == 1, 1].mean()),
        "frequent": float(sets[y == 0, 0].mean()),
        "abstains": float(1 - single.mean()),
        "wrong": float((single & sets[:, 0])[y == 1].mean()),
    }


def compare_libraries(model: ConformalClassifier, new: Any, y: NDArray[np.int64]) -> Found:
    """Make sets from the same scores by MAPIE (its default is marginal) and crepes (both kinds)."""
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
    table_classifier = TableClassifier()
    both = np.column_stack(
        [np.where(codes == 0, scores, 1 - scores), np.where(codes == 1, scores, 1 - scores)]
    )
    mapie = SplitConformalClassifier(table_classifier, confidence_level=1 - ALPHA, prefit=True)
    mapie.conformalize(both, codes.astype(np.int64))
    found["MAPIE, default"] = covered(mapie.predict_set(proba)[1][:, :, 0], y)
    return found


class TableClassifier:
    """A classifier whose input rows are the probabilities."""

    classes_ = np.array([0, 1])
    n_features_in_ = 2
    is_fitted_ = True
    _estimator_type = "classifier"

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, _X: Any, _y: Any) -> TableClassifier:
        """Do nothing."""
        return self

    def predict(self, X: Any) -> Any:
        """Predict the more probable class."""
        return np.argmax(X, axis=1)

    def predict_proba(self, X: Any) -> Any:
        """Return the input rows."""
        return np.asarray(X)


def simulate(draws: int, seed: int) -> dict[str, float]:
    """Fraction of draws of 1,500 rows whose threshold keeps its guarantee."""
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


class Row(NamedTuple):
    """Results of a kind on a set, over its resamples, and its targets."""

    set: str
    kind: str
    n: int
    covered: float
    error: float
    least: float | None
    most: float | None
    abstains: float | None
    wrong: float | None

    def verdict(self, errors: float) -> str:
        """Compare coverage with its targets, up to ``errors`` standard errors."""
        if self.least is not None and self.covered < self.least - errors * self.error:
            return "short"
        if self.most is not None and self.covered > self.most:
            return "above"
        return "" if self.least is None else "holds"


def rows(done: list[Found]) -> Iterator[Row]:
    """All sets and kinds."""
    for name in sorted({line["set"] for line in done} - {"draws"}):
        lines = [line for line in done if line["set"] == name]
        for kind in (kind for kind in lines[0] if kind not in ("set", "resample")):
            of_kind = [line[kind] for line in lines]
            mean = partial(mean_of, of_kind)
            rare = np.array([of["rare"] for of in of_kind])
            # Other libraries use the calibration rows of "split", and have the same target.
            n = of_kind[0].get("n", lines[0]["split"]["n"])
            least = of_kind[0].get("promised", 1 - ALPHA)
            most = 1 - ALPHA + 1 / (n + 1) + 0.01 if kind == "split, smoothed" else None
            error = float(rare.std(ddof=1) / np.sqrt(len(rare)))
            yield Row(name, kind, n, float(rare.mean()), error, least, most, mean("abstains"), mean("wrong"))


def mean_of(lines: list[Found], what: str) -> float | None:
    """Mean over resamples, if it was measured."""
    return float(np.mean([line[what] for line in lines])) if lines[0].get(what) is not None else None


def report(done: list[Found]) -> str:
    """Write how many sets meet the target, by kind; the draws; and all sets."""
    found = list(rows(done))
    n_sets = len({row.set for row in found})
    # One-sided test at 5 % over all sets: one set falls below by chance in 5 % of such studies.
    errors = float(stats.norm.isf(0.05 / max(n_sets, 1)))
    resamples = sum(line["set"] == found[0].set for line in done) if found else 0
    text = [
        f"Coverage of the rare class, nominal {1 - ALPHA:.2f}; {n_sets} data sets, {resamples} draws",
        "holds: at least the guaranteed coverage, up to chance; short: below it by more than",
        f"{errors:.2f} standard errors, which happens by chance to a set in 5 % of such studies;",
        "above: more than 1/(n + 1) + 0.01 above the nominal coverage (smoothed sets only).",
        "",
    ]
    columns = ["kind", "mean", "lowest", "highest", "abstains", "wrong", *VERDICTS]
    kinds = {row.kind: [own for own in found if own.kind == row.kind] for row in found}
    table = []
    for kind, of in kinds.items():
        means = [row.covered for row in of]
        verdicts = [row.verdict(errors) for row in of]
        table.append(
            [kind, *map(number, (float(np.mean(means)), min(means), max(means))),
             *(number(mean_of([row._asdict() for row in of], what)) for what in ("abstains", "wrong")),
             *(str(verdicts.count(word)) for word in VERDICTS)]
        )  # fmt: skip
    text += [markdown(columns, table), ""]
    for line in done:
        if line["set"] == "draws":
            text += [draws(line), ""]
    columns = ["set", "kind", "n", "covered", "+-", "least", "most", "abstains", "wrong", "verdict"]
    table = [
        [row.set, row.kind, str(row.n), f"{row.covered:.3f}", f"{2 * row.error:.3f}", number(row.least),
         number(row.most), number(row.abstains), number(row.wrong), row.verdict(errors)]
        for row in found
    ]  # fmt: skip
    return "\n".join([*text, markdown(columns, table)])


def draws(line: Found) -> str:
    """Write how often thresholds kept their guarantee, and whether that is often enough."""
    rows = []
    for name, share in line["kept"].items():
        confidence = GOALS[name]["guarantee"]
        least = confidence - stats.norm.isf(0.05 / len(GOALS)) * np.sqrt(
            confidence * (1 - confidence) / line["resample"]
        )
        verdict = "holds" if share >= least else "short"
        rows.append([name, f"{share:.3f}", f"{confidence:.2f}", f"{least:.3f}", verdict])
    table = markdown(["goal", "kept", "confidence", "least", "verdict"], rows)
    return f"Guarantees kept, fraction of {line['resample']} draws:\n\n{table}"


def number(value: float | None) -> str:
    """Format three digits, or nothing."""
    return "" if value is None else f"{value:.3f}"


def picture(done: list[Found]) -> Any:
    """Plot the mean coverage of the rare class of every set, by kind."""
    from matplotlib import pyplot

    found: dict[str, list[float]] = {}
    for row in rows(done):
        found.setdefault(row.kind, []).append(row.covered)
    figure, axes = pyplot.subplots(figsize=(7, 0.4 * len(found) + 1), layout="constrained")
    for place, (kind, means) in enumerate(found.items()):
        axes.plot(means, np.full(len(means), place), "o", alpha=0.5, label=kind)
    axes.axvline(1 - ALPHA, color="black", linewidth=0.8)
    axes.set_yticks(range(len(found)), list(found))
    axes.set_xlabel("coverage of the rare class")
    return figure


if __name__ == "__main__":
    main()
