"""Field study: imbcore's methods and the usual alternatives, all with default settings.

All available data sets with at most three classes and at least 20 positives, 5 x 2 stratified folds; with
three classes, the rarest against the rest. Average precision, AUC, log loss, Brier score, F1 and G-mean with
each method's own decisions and with thresholds tuned on inner folds, CPU seconds; ranks, critical-difference
diagrams and a Bayesian comparison with the best. Records are stored in the folder of the tables, and the next
run continues an interrupted one. A method that fails in any fit on a data set ranks last there.

``--sets`` selects data sets, ``--most-rows`` omits large ones, ``--methods`` selects methods.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from imbcore import evaluation, stats
from imbcore.evaluation import NamedMethod, TunedThreshold
from peers import BALANCED, DEFAULTS, LINEAR, TUNED, absent, installed
from ranking import Clock, add_diagram, means, ranks, sets, whole
from reproduce._report import Report

HALF = {"name": "alpha", "alpha": 0.5}
OURS: dict[str, Any] = {
    "forest, the default": "forest",
    "CART": "cart",
    "C4.4": "c44",
    "C4.5": "c45",
    "HDDT": "hddt",
    "alpha tree .5": NamedMethod("alpha_tree", {"alpha": 0.5}),
    "forest, Gini": NamedMethod("random_forest", {"criterion": "gini"}),
    "forest, Hellinger": NamedMethod("random_forest", {"criterion": "hellinger"}),
    "forest, alpha .5": NamedMethod("random_forest", {"criterion": HALF}),
    "balanced forest": "balanced_random_forest",
    "weighted forest": "weighted_random_forest",
    "BEAT": "beat",
    "extra trees, Gini": NamedMethod("extra_trees", {"criterion": "gini"}),
    "extra trees, Hellinger": NamedMethod("extra_trees", {"criterion": "hellinger"}),
    "bagged C4.5": "bagged_c45",
    "boosted trees": "boosted_trees",
    "balanced bagging": "balanced_bagging",
    "AdaBoost": "adaboost",
    "RUSBoost": "rusboost",
    "EasyEnsemble": "easy_ensemble",
    "BalanceCascade": "balance_cascade",
    "Fast Boxes": "fast_boxes",
    "naive Bayes": "naive_bayes",
    "TAN": "tan",
}


THEIRS = (*DEFAULTS, TUNED, *BALANCED, *LINEAR)
# Measure of a record, and the variant whose decisions it evaluates.
MEASURES = {
    "AP": ("average_precision", None),
    "AUC": ("auc", None),
    "log loss": ("log_loss", None),
    "Brier": ("brier", None),
    "F1": ("f1", None),
    "G-mean": ("g_mean", None),
    "F1, tuned": ("f1", "f1"),
    "G-mean, tuned": ("g_mean", "g_mean"),
    "CPU s": ("cpu_seconds", None),
}
ROPE = 0.01


def main() -> None:
    """Run the missing fits and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("paper"))
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="folder to search first; also: IMBCORE_DATA"
    )
    parser.add_argument("--sets", nargs="+", metavar="SET")
    parser.add_argument("--methods", nargs="+", metavar="METHOD", choices=[*OURS, *THEIRS])
    parser.add_argument("--most-rows", type=int, default=10**9, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--trials", type=int, default=50, metavar="N", help="of the tuned CatBoost")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--time-limit", type=float, metavar="SECONDS", help="per fit, with its inner folds")
    parser.add_argument(
        "--report", action="store_true", help="write the page from stored records, run nothing"
    )
    chosen = parser.parse_args()
    folder = chosen.output / "field_study"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "records.jsonl"
    if chosen.report:
        lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
        records = [line for line in lines if "dataset" in line]
    else:
        # The tuned CatBoost takes hundreds of fits, and is measured only if it is selected.
        names = chosen.methods or [name for name in (*OURS, *THEIRS) if name != TUNED]
        known = OURS | installed([name for name in names if name in THEIRS], trials=chosen.trials)
        learners = {name: TunedThreshold(known[name], folds=3) for name in names if name in known}
        tables = sets(chosen.sets, chosen.most_rows, chosen.data)
        print(f"{len(tables)} data sets, {len(learners)} methods", flush=True)
        records = evaluation.run(
            learners,
            tables,
            "5x2",
            seed=chosen.seed,
            n_jobs=chosen.jobs,
            time_limit=chosen.time_limit,
            file=file,
            callback=Clock(),
        )
    report = page(records, chosen.seed)
    report.write(folder)
    print(report.markdown())


def page(records: list[dict[str, Any]], seed: int) -> Report:
    """Write all results of the records."""
    done = whole(records)
    report = Report("field-study", "Field study: imbcore's methods and the usual alternatives")
    summaries = {title: summary(done, *of) for title, of in MEASURES.items()}
    first = summaries["AP"]
    names, n = first.methods, len(first.datasets)
    ranked = {title: ranks(of) for title, of in summaries.items()} if n > 1 and len(names) > 1 else {}
    report.text(
        f"{len(names)} methods with default settings on {n} data sets, 5 x 2 stratified folds, seed {seed}; "
        "with three classes, the rarest against the rest. A method that fails in any fit on a set ranks last "
        "there. CPU seconds are of a fit, its predictions, and three inner fits that tune thresholds."
    )
    if text := absent((*OURS, *THEIRS), [of["method"] for of in records]):
        report.text(text)
    if ranked:
        order = np.argsort(ranked["AP"].average_ranks, kind="stable")
        rows = [(names[j], *(float(of.average_ranks[j]) for of in ranked.values())) for j in order]
        report.table("Average ranks, best by AP first", ("method", *ranked), rows, digits=1)
        cd = stats.critical_difference(len(names), n)
        words = ", ".join(f"{title} p = {of.f_p:.2g}" for title, of in ranked.items())
        report.text(f"Friedman tests (Iman and Davenport): {words}. Nemenyi's critical difference: {cd:.2f}.")
        for title in ("AP", "log loss", "F1, tuned"):
            name = "cd_" + title.lower().replace(", ", "_").replace(" ", "_")
            add_diagram(report, name, f"Average ranks by {title}.", names, ranked[title])
        report.table(*bayesian(first, int(order[0])))
    rows = [(name, *(over_sets(of.means[:, j]) for of in summaries.values())) for j, name in enumerate(names)]
    report.table("Means over the data sets on which a method did not fail", ("method", *summaries), rows)
    for title in ("AP", "log loss"):
        of_sets = summaries[title]
        every = zip(of_sets.datasets, of_sets.means.tolist(), strict=True)
        report.table(
            f"{title} of every data set", ("data set", *names), [(name, *row) for name, row in every]
        )
    why = {(of["dataset"], of["method"]): of["failure"] for of in done if of["failure"]}
    failed = [
        (*pair, int(first.n_missing[first.datasets.index(pair[0]), names.index(pair[1])]), text)
        for pair, text in why.items()
    ]
    if failed:
        report.table("Failures", ("data set", "method", "failed of 10 fits", "last error"), failed)
    report.fact("seed", seed)
    return report


def summary(records: list[dict[str, Any]], measure: str, variant: str | None) -> evaluation.Summary:
    """Means of a measure, by the method's own decisions or a tuned threshold.

    A mean is NaN if a fit failed.
    """
    if variant is not None:
        records = [of if of["failure"] else evaluation.select_variant([of], variant)[0] for of in records]
    return means(records, measure)


def over_sets(means: Any) -> float:
    """Mean over the sets that have a value; NaN if there are none."""
    known = means[~np.isnan(means)]
    return float(known.mean()) if len(known) else float("nan")


def bayesian(of: evaluation.Summary, best: int) -> tuple[str, tuple[str, ...], list[tuple[Any, ...]]]:
    """Probabilities that the best method is better than, equivalent to or worse than another.

    There is one row for each other method.
    """
    rows = []
    for j, name in enumerate(of.methods):
        both = ~np.isnan(of.means[:, [best, j]]).any(axis=1)
        if j != best and both.sum() > 1:
            found = stats.bayesian_signed_rank_test(of.means[both, best], of.means[both, j], rope=ROPE)
            rows.append((name, found.greater, found.equivalent, found.less))
    title = f"Probabilities by AP that {of.methods[best]} is better, equivalent (within {ROPE:g}), or worse"
    return title, ("than", "better", "equivalent", "worse"), rows


if __name__ == "__main__":
    main()
