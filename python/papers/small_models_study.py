"""Small models on new rows: trees, boxes and rule lists with at most 8 leaves or rules.

The two-class sets of the box-drawing paper, with numeric columns. F1 of the rare class by five stratified
folds and one to five seeds; size and cost of every model are chosen on three inner folds of the training
part. For exact trees and CART also F1 on the training part and on the held-out fold by depth. Other libraries
are included if they can be imported: STreeD (``pystreed``) for F1 on columns that it bins itself, and
SkopeRules (of ``imodels``), which predicts by its best rules. Models without a limit of size, with default
settings and a threshold chosen on the inner folds, show how much F1 a small model loses.

Records are stored in the folder of the tables, and the next run continues an interrupted one. A seed is
finished on all data sets, small ones first, before the next one starts.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

import imbcore
from imbcore import metrics
from peers import CORE, absent, fit_peer, installed
from reproduce import _boxes_sets
from reproduce._experiment import Settings
from reproduce._report import Report

OUTER, INNER, SEEDS = 5, 3, 5
# Maximum number of leaves, rules or boxes of a model.
MOST = 8
# Time limit of one search in seconds; the best model found until then is used.
SECONDS = 2.0
# Time limit for the comparison of training optima by depth.
PATIENCE = 60.0
DEPTHS = (1, 2, 3)
# Smaller differences of F1 count as ties.
LEVEL = 0.005
SMALL_PEERS = {"STreeD": "pystreed", "SkopeRules": "imodels.rule_set.skope_rules"}

Answer = Callable[[NDArray[np.float64]], NDArray[np.int64]]
Fit = Callable[[dict[str, Any], NDArray[np.float64], NDArray[np.int64], int], Answer]


def native(method: str, **fixed: Any) -> Fit:
    """Fit a method of imbcore with some parameters fixed."""

    def fit(chosen: dict[str, Any], X: NDArray[np.float64], y: NDArray[np.int64], seed: int) -> Answer:
        model = imbcore.fit(X, y, method, random_state=seed, n_threads=1, **fixed, **chosen)
        return lambda rows: np.asarray(model.predict(rows))

    return fit


def streed(chosen: dict[str, Any], X: NDArray[np.float64], y: NDArray[np.int64], seed: int) -> Answer:
    """Fit the F1-optimal tree on columns binned by STreeD."""
    from pystreed import STreeDClassifier

    return STreeDClassifier("f1-score", time_limit=SECONDS, random_seed=seed, **chosen).fit(X, y).predict


class Skope:
    """SkopeRules, predicting by its best rules; their number can change without another fit."""

    def __init__(self) -> None:
        self.of: tuple[NDArray[np.float64], float, Any] | None = None

    def __call__(
        self, chosen: dict[str, Any], X: NDArray[np.float64], y: NDArray[np.int64], seed: int
    ) -> Answer:
        """Fit, unless these rows were the last ones."""
        from imodels.rule_set.skope_rules import SkopeRulesClassifier

        precision, top = chosen["precision_min"], chosen["top"]
        if self.of is None or self.of[0] is not X or self.of[1] != precision:
            model = SkopeRulesClassifier(
                precision_min=precision, max_depth_duplication=3, random_state=seed
            ).fit(X, y)
            self.of = (X, precision, model)
        fitted = self.of[2]
        return lambda rows: np.asarray(fitted._predict_top_rules(rows, top), dtype=np.int64)


class Large:
    """A model without a limit of size; several thresholds of one fit can be compared."""

    def __init__(self, method: str) -> None:
        self.method, self.last = method, (None, 0, None)

    def __call__(
        self, chosen: dict[str, Any], X: NDArray[np.float64], y: NDArray[np.int64], seed: int
    ) -> Answer:
        """Fit, unless these rows were the last ones."""
        if self.last[0] is not X or self.last[1] != seed:
            if self.method in CORE:
                model = fit_peer(self.method, X, y, seed)
            else:
                model = imbcore.fit(X, y, self.method, positive=1, random_state=seed, n_threads=1)
            self.last = (X, seed, model)
        fitted: Any = self.last[2]
        return lambda rows: (fitted.predict_proba(rows)[:, 1] >= chosen["threshold"]).astype(np.int64)


def grid(**values: tuple[Any, ...]) -> list[dict[str, Any]]:
    """Return every combination."""
    found: list[dict[str, Any]] = [{}]
    for name, several in values.items():
        found = [one | {name: value} for one in found for value in several]
    return found


LEAVES = grid(max_leaf_nodes=(2, 3, 4, 6, MOST), class_weight=(None, "balanced"))
BOXES = grid(n_boxes=(1, 2, 4), negative_weight=(0.1, 0.3, 0.6, 1.0))
# Simplest first: the first of equal ones is chosen.
METHODS: dict[str, tuple[Fit, list[dict[str, Any]]]] = {
    "optimal_tree": (
        native("optimal_tree", objective="f1", time_limit=SECONDS),
        grid(max_depth=DEPTHS),
    ),
    "cart": (native("cart", min_samples_leaf=2), LEAVES),
    "hddt": (native("hddt", min_samples_leaf=2), LEAVES),
    "c45": (native("c45", min_samples_leaf=2), LEAVES),
    "fast_boxes": (native("fast_boxes"), BOXES),
    "exact_boxes": (native("exact_boxes", time_limit=SECONDS), BOXES),
    "rule_list": (native("rule_list", time_limit=SECONDS), grid(n_rules=(1, 2, 4, MOST))),
    "STreeD": (streed, grid(max_depth=DEPTHS, n_thresholds=(10,))),
    "SkopeRules": (Skope(), grid(precision_min=(0.5, 0.3), top=(1, 2, 4, MOST))),
}
LARGE = ("forest", "boosted_trees", *CORE)
THRESHOLDS = grid(threshold=(0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02))
METHODS |= {name: (Large(name), THRESHOLDS) for name in LARGE}
# On inner folds Exact Boxes would use its whole time limit, and parameters chosen by Fast Boxes suit it, too;
# rule lists use the greedy steps before the proof.
INSTEAD = {
    "exact_boxes": METHODS["fast_boxes"],
    "rule_list": (native("rule_list", time_limit=SECONDS / 10), METHODS["rule_list"][1]),
}


def f1(y: NDArray[np.int64], answers: NDArray[np.int64]) -> float:
    """F1 of class 1; 0 if no row is predicted positive."""
    if not (y[answers == 1] == 1).any():
        return 0.0
    return float(metrics.f1_score(y, answers, positive=1))


def folds(y: NDArray[np.int64], n_folds: int, seed: int) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Stratified folds."""
    return iter(StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(y, y))


def choose(
    method: str, X: NDArray[np.float64], y: NDArray[np.int64], seed: int
) -> tuple[dict[str, Any], float]:
    """Parameters with the best mean F1 over inner folds, and that F1."""
    fit, candidates = INSTEAD.get(method, METHODS[method])
    scores = np.zeros(len(candidates))
    for train, test in folds(y, INNER, seed):
        rows, labels = X[train], y[train]
        for at, candidate in enumerate(candidates):
            scores[at] += f1(y[test], fit(candidate, rows, labels, seed)(X[test]))
    best = int(np.argmax(scores))
    return candidates[best], float(scores[best]) / INNER


def measure(method: str, X: NDArray[np.float64], y: NDArray[np.int64], seed: int) -> dict[str, Any]:
    """F1 on the outer folds of the model chosen on inner folds, and its parameters."""
    fit = METHODS[method][0]
    found, chosen, inner, began = [], [], [], time.process_time()
    for train, test in folds(y, OUTER, seed):
        best, score = choose(method, X[train], y[train], seed)
        found.append(f1(y[test], fit(best, X[train], y[train], seed)(X[test])))
        chosen.append(best)
        inner.append(score)
    return {"f1": found, "chosen": chosen, "inner": inner, "seconds": time.process_time() - began}


def depths(method: str, X: NDArray[np.float64], y: NDArray[np.int64], seed: int) -> dict[str, Any]:
    """F1 on the training part and on the held-out fold, by depth."""
    patient = native(method, objective="f1", time_limit=PATIENCE)
    fit = patient if method == "optimal_tree" else native(method)
    training, new = [], []
    for train, test in folds(y, OUTER, seed):
        answers = [fit({"max_depth": depth}, X[train], y[train], seed) for depth in DEPTHS]
        training.append([f1(y[train], answer(X[train])) for answer in answers])
        new.append([f1(y[test], answer(X[test])) for answer in answers])
    return {"training": np.mean(training, axis=0).tolist(), "new": np.mean(new, axis=0).tolist()}


def available(methods: list[str]) -> list[str]:
    """Omit libraries that cannot be imported, and print them."""
    known = {method.name for method in imbcore.methods()}
    found = []
    for method in methods:
        try:
            if method in SMALL_PEERS:
                __import__(SMALL_PEERS[method])
            elif method in CORE:
                if not installed([method]):
                    continue
            elif method not in known:
                raise ImportError(f"this imbcore has no {method}")
        except ImportError as error:
            sys.stderr.write(f"{method} is skipped: {error}\n")
        else:
            found.append(method)
    return found


def run(chosen: argparse.Namespace, file: Path) -> None:
    """Measure the cells that are not in the file yet."""
    done = {(of["set"], of["what"], of["method"], of["seed"]) for of in read(file)}
    requested = Settings(out=file.parent, data=chosen.data, datasets=tuple(chosen.sets) or None)
    sets = _boxes_sets.load(requested, ()).data
    order = sorted(sets, key=lambda name: len(sets[name].y) * len(sets[name].X.names))
    methods = available(chosen.methods)
    jobs = [("depths", method, depths) for method in ("optimal_tree", "cart") if method in methods]
    jobs += [("f1", method, measure) for method in methods]
    for seed in range(chosen.seeds):
        # Fast methods come first, for all data sets.
        for name, part in [(name, part) for part in ("depths", "f1") for name in order]:
            X, y = _boxes_sets.matrix(sets[name]), (sets[name].y == 1).astype(np.int64)
            for what, method, job in jobs:
                if what != part or len(y) > chosen.most_rows or (name, what, method, seed) in done:
                    continue
                record = {"set": name, "what": what, "method": method, "seed": seed}
                record |= {"rows": len(y), "positives": int(y.sum())} | job(method, X, y, seed)
                with file.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(record) + "\n")
        sys.stderr.write(f"seed {seed} is done\n")


def read(file: Path) -> list[dict[str, Any]]:
    """Return the records of earlier runs."""
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def page(records: list[dict[str, Any]], requested: list[str]) -> Report:
    """Write means, ranks and wins over the sets that are finished for every requested method."""
    report = Report("small-models", "Small models on new rows")
    scores = [of for of in records if of["what"] == "f1" and of["method"] in requested]
    methods = [method for method in METHODS if any(of["method"] == method for of in scores)]
    # A seed of a data set counts if every method has it.
    found: dict[str, dict[int, dict[str, float]]] = {}
    for of in scores:
        found.setdefault(of["set"], {}).setdefault(of["seed"], {})[of["method"]] = float(np.mean(of["f1"]))
    whole = {
        name: [by_method for by_method in seeds.values() if len(by_method) == len(methods)]
        for name, seeds in found.items()
    }
    whole = {name: seeds for name, seeds in whole.items() if seeds}
    sizes = {of["set"]: (of["rows"], of["positives"]) for of in scores}
    every_mean = np.array([[np.mean([of[m] for of in seeds]) for m in methods] for seeds in whole.values()])
    large = [at for at, method in enumerate(methods) if method in LARGE]
    all_methods, methods = methods, [method for method in methods if method not in LARGE]
    table = np.delete(every_mean, large, axis=1)
    report.text(
        f"{len(methods)} methods on {len(whole)} data sets; stratified {OUTER}-fold F1, size and cost "
        f"chosen on {INNER} inner folds, at most {MOST} leaves or rules, {SECONDS:g} s per search. A set "
        "is included with the seeds that all methods have finished."
    )
    if text := absent(METHODS, all_methods):
        report.text(text)
    best = table.max(axis=1, keepdims=True)
    ours = [at for at, method in enumerate(methods) if method not in SMALL_PEERS]
    ranks = np.array([average_ranks(-row) for row in table])
    rows = [
        (
            method,
            float(table[:, at].mean()),
            float(ranks[:, at].mean()),
            int((table[:, at] >= best[:, 0] - LEVEL).sum()),
        )
        for at, method in enumerate(methods)
    ]
    rows.sort(key=lambda row: row[2])
    header = ("method", "mean F1", "average rank", f"best or within {LEVEL}")
    report.table(f"Means over {len(whole)} data sets", header, rows)
    if large:
        smallest = table.max(axis=1)
        rows_ = [
            (all_methods[at], float(every_mean[:, at].mean()), float((every_mean[:, at] - smallest).mean()))
            for at in large
        ]
        header = ("model without a limit of size", "mean F1", "mean F1 above the best small model")
        report.table("Models without a limit of size, threshold chosen on inner folds", header, rows_)
    level = int((table[:, ours].max(axis=1) >= best[:, 0] - LEVEL).sum())
    report.text(f"One of ours is best or within {LEVEL} on {level} of {len(whole)} data sets.")
    exact = [at for at, method in enumerate(methods) if method in ("optimal_tree", "rule_list")]
    if exact:
        level = int((table[:, exact].max(axis=1) >= best[:, 0] - LEVEL).sum())
        report.text(
            f"The exact tree or the rule list is best of all methods or within {LEVEL} on {level} of "
            f"{len(whole)} data sets."
        )
    add_nested(report, scores, [methods[at] for at in ours])
    every = [
        (name, *sizes[name], len(seeds), *map(float, row))
        for (name, seeds), row in zip(whole.items(), every_mean, strict=True)
    ]
    report.table("F1 of every data set", ("set", "rows", "positives", "seeds", *all_methods), every)
    depths_ = [of for of in records if of["what"] == "depths"]
    if depths_:
        add_depths(report, depths_)
    return report


def add_nested(report: Report, scores: list[dict[str, Any]], ours: list[str]) -> None:
    """Write the F1 of our best method chosen on inner folds, compared with the other libraries."""
    found: dict[str, list[list[float]]] = {}
    for key in {(of["set"], of["seed"]) for of in scores}:
        by_method = {of["method"]: of for of in scores if (of["set"], of["seed"]) == key}
        peers = [method for method in SMALL_PEERS if method in by_method]
        if len(peers) < len(SMALL_PEERS) or any("inner" not in by_method.get(method, {}) for method in ours):
            continue
        # The first of equal ones is chosen, as among parameters.
        taken = np.argmax([by_method[method]["inner"] for method in ours], axis=0)
        mine = [by_method[ours[at]]["f1"][fold] for fold, at in enumerate(taken)]
        row = [float(np.mean(of)) for of in (mine, *(by_method[peer]["f1"] for peer in peers))]
        found.setdefault(key[0], []).append(row)
    if not found:
        return
    table = np.array([np.mean(rows, axis=0) for rows in found.values()])
    level = table >= table.max(axis=1, keepdims=True) - LEVEL
    names = ("one of ours, chosen on inner folds", *SMALL_PEERS)
    rows_ = [(name, float(table[:, at].mean()), int(level[:, at].sum())) for at, name in enumerate(names)]
    header = ("method", "mean F1", f"best of the three or within {LEVEL}")
    report.table(f"Method chosen on inner folds, too: {len(found)} data sets", header, rows_)


def average_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 1; ties have their mean rank."""
    less = (values[None, :] < values[:, None]).sum(axis=1)
    same = (values[None, :] == values[:, None]).sum(axis=1)
    return less + (same + 1) / 2


def add_depths(report: Report, records: list[dict[str, Any]]) -> None:
    """Write F1 on training rows and on new rows, by depth."""
    means: dict[tuple[str, str], tuple[NDArray[np.float64], NDArray[np.float64]]] = {}
    for key in {(of["method"], of["set"]) for of in records}:
        mine = [of for of in records if (of["method"], of["set"]) == key]
        means[key] = tuple(np.mean([of[part] for of in mine], axis=0) for part in ("training", "new"))
    names = [name for (method, name) in means if method == "optimal_tree" and ("cart", name) in means]
    rows = []
    for method in ("optimal_tree", "cart"):
        for at, depth in enumerate(DEPTHS):
            training, new = (
                float(np.mean([means[method, name][part][at] for name in names])) for part in (0, 1)
            )
            rows.append((method, depth, training, new, training - new))
    header = ("tree", "depth", "training F1", "new rows F1", "difference")
    report.table(f"Training optimum and new rows, means over {len(names)} data sets", header, rows)
    better = [
        sum(means["optimal_tree", name][1][at] > means["cart", name][1][at] for name in names)
        for at in range(len(DEPTHS))
    ]
    text = ", ".join(f"{count} at depth {depth}" for depth, count in zip(DEPTHS, better, strict=True))
    report.text(
        f"On new rows of {len(names)} data sets, the exact tree is better than CART of equal depth on {text}."
    )
    order = sorted(names)
    every = [
        (
            name,
            *(float(means["optimal_tree", name][part][at]) for at in range(len(DEPTHS)) for part in (0, 1)),
        )
        for name in order
    ]
    header_ = ("set", *(f"{part}, depth {depth}" for depth in DEPTHS for part in ("training", "new")))
    report.table("F1 of exact trees of every data set", header_, every)


def main() -> None:
    """Run the missing fits and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("paper"))
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="folder to search first; also: IMBCORE_DATA"
    )
    parser.add_argument("--sets", nargs="+", default=(), metavar="SET")
    parser.add_argument(
        "--methods", nargs="+", default=list(METHODS), metavar="METHOD", choices=list(METHODS)
    )
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--most-rows", type=int, default=50_000, metavar="N")
    parser.add_argument(
        "--report", action="store_true", help="write the page from stored records, run nothing"
    )
    chosen = parser.parse_args()
    folder = chosen.output / "small_models"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "records.jsonl"
    if not chosen.report:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run(chosen, file)
    report = page(read(file), chosen.methods)
    report.write(folder)
    print(report.markdown())


if __name__ == "__main__":
    main()
