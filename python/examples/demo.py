"""Compare trees and forests with scikit-learn's decision tree on real imbalanced data.

Run by `make demo`. Data sets of scikit-learn are always used; harder sets are added if their files are in the
folder that IMBCORE_DATA names, or in ../shared/data next to the repository.
"""

# ruff: noqa: T201  # a command-line script prints

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import imbcore
from imbcore import datasets
from imbcore.evaluation._evaluation import best_methods
from imbcore.evaluation._report_page import write_report

TREES = ("hddt", "c44", "cart")
FORESTS = ("forest", "beat", "balanced_random_forest")
METHODS = (*TREES, *FORESTS)
PLAIN = "scikit-learn tree"
BUNDLED = ("digits8", "wine2", "breast")
HARDER = ("mammography", "sick", "yeast4", "car_mc")
FOLDS, REPEATS, SEED = 5, 1, 0
# The report shows one tree. These limits keep it readable.
READABLE = {"max_depth": 6, "min_samples_leaf": 5}


def main() -> None:
    """Run the comparison and write the report and a model file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--output", type=Path, default=Path("demo"), help="folder for report.html and model.imb"
    )
    output = parser.parse_args().output
    output.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()

    found = {}
    for data in load_all():
        found[data.name] = (data, compare(data))
        describe(data, found[data.name][1])
    summarize({name: results for name, (_, results) in found.items()})
    data, results = max(found.values(), key=lambda pair: imbalance(pair[0]))
    write_results(data, results, output)
    print(f"\nDone in {time.perf_counter() - started:.0f} seconds.")


def load_all() -> list[datasets.Dataset]:
    """Load the data sets that are available without a network."""
    repository = Path(__file__).resolve().parents[2]
    folder = os.environ.get("IMBCORE_DATA") or repository.parent / "shared" / "data"
    here = Path(folder) if Path(folder).is_dir() else None
    loaded = [datasets.load(name, download=False) for name in BUNDLED]
    for name in HARDER if here else ():
        try:
            loaded.append(datasets.load(name, folder=here, download=False))
        except FileNotFoundError:
            print(f"({name} is not in {here}: skipped)")
    if not here:
        print("(Set IMBCORE_DATA to a folder with mammography.csv.gz and others for harder data sets.)")
    return loaded


def compare(data: datasets.Dataset) -> dict[str, imbcore.Evaluation]:
    """Score all methods and scikit-learn's decision tree with its defaults in the same folds."""
    methods = {**{method: method for method in METHODS}, PLAIN: DecisionTreeClassifier()}
    return dict(imbcore.evaluate(data.X, data.y, methods, folds=FOLDS, repeats=REPEATS, random_state=SEED))


def describe(data: datasets.Dataset, results: dict[str, imbcore.Evaluation]) -> None:
    """Print the scores of one data set and a summary."""
    labels, counts = np.unique(data.y, return_counts=True)
    rare = (
        f"rarest class {labels[counts.argmin()]!s}"
        if len(labels) > 2
        else f"positive class: {data.positive_class}"
    )
    print(f"\n{data.name}: {len(data.y):,} rows, {counts.min() / len(data.y):.1%} of them rare ({rare})")
    shown = {
        "recall": "recall",
        "precision": "precision",
        "g_mean": "G-mean",
        "roc_auc": "AUC",
        "average_precision": "AP",
    }
    print(f"  {'':24}" + "".join(f"{title:>16}" for title in shown.values()))
    for name, result in results.items():
        means, sds = result.mean(), result.sd()
        cells = (
            f"{'*' if name in best_methods(results, key) else ''}{means[key]:.3f} ± {sds[key]:.3f}"
            for key in shown
        )
        print(f"  {name:24}" + "".join(f"{cell:>16}" for cell in cells))
    print(f"  {verdict(results)}")


def verdict(results: dict[str, imbcore.Evaluation]) -> str:
    """Summarize how the best of our methods compares with scikit-learn's tree."""
    ours = max(METHODS, key=lambda name: results[name].mean()["average_precision"])
    new, old = (results[name].metrics["average_precision"] for name in (ours, PLAIN))
    gain = float(np.mean(new - old))
    ahead = int(np.sum(new > old))
    if gain > 0.005 and 2 * ahead > len(new):
        folds = f"better in {ahead} of {len(new)} folds"
        words = f"{ours} ranks rare rows better than scikit-learn's tree (AP {gain:+.3f}, {folds})"
    elif gain < -0.005 and 2 * ahead < len(new):
        words = f"scikit-learn's tree ranks rare rows better than ours here (AP {-gain:+.3f})"
    else:
        words = f"no clear difference in ranking between {ours} and scikit-learn's tree (AP {gain:+.3f})"
    most = max(results, key=lambda name: results[name].mean()["recall"])
    what = "finds the most rare rows" if len(results[most].classes_) == 2 else "has the best mean recall"
    return f"Summary: {words}; {most} {what} ({results[most].mean()['recall']:.0%})."


def summarize(all_results: dict[str, dict[str, imbcore.Evaluation]]) -> None:
    """Print the mean rank of every method over the data sets."""
    print(f"\nOver all {len(all_results)} data sets (mean rank by average precision, 1 is best):")
    ranks: dict[str, list[float]] = {name: [] for name in (*METHODS, PLAIN)}
    for results in all_results.values():
        means = {name: round(result.mean()["average_precision"], 3) for name, result in results.items()}
        for name, mean in means.items():
            better, equal = sum(m > mean for m in means.values()), sum(m == mean for m in means.values())
            ranks[name].append(better + (equal + 1) / 2)
    for name, found in sorted(ranks.items(), key=lambda pair: np.mean(pair[1])):
        print(f"  {name:24} {np.mean(found):.2f}")
    print(
        "AP and AUC measure the ranking, which improves with the smoothed leaves of hddt and c44 and with\n"
        "many trees; recall, precision and G-mean measure only the predicted classes."
    )


def imbalance(data: datasets.Dataset) -> float:
    """Ratio of the largest to the smallest class for two-class data."""
    labels, counts = np.unique(data.y, return_counts=True)
    return counts.max() / counts.min() if len(labels) == 2 else 0.0


def write_results(data: datasets.Dataset, results: dict[str, imbcore.Evaluation], output: Path) -> None:
    """Write the report and a model file for one data set."""
    # The report shows one tree; the forests are only in its tables.
    chosen = max(TREES, key=lambda name: results[name].mean()["average_precision"])
    limits = READABLE
    model = imbcore.fit(data.X, data.y, chosen, random_state=SEED, **limits)
    model.save(output / "model.imb")
    arguments = ", ".join(f"{name}={value}" for name, value in limits.items())
    write_report(
        output / "report.html",
        results,
        model,
        data.X,
        title=f"{data.name}: {data.positive_class}",
        chosen=chosen,
        reproduce=(
            "make demo\n\n# or, for the displayed tree, in Python:\n"
            f'data = imbcore.datasets.load("{data.name}")\n'
            f'model = imbcore.fit(data.X, data.y, "{chosen}", random_state={SEED}, {arguments})'
        ),
    )
    print(f"\nReport on {data.name} (open in a browser): {output / 'report.html'}")
    print(f"Its tree as a model file: {output / 'model.imb'}")
    print(f"Display it: imbcore show {output / 'model.imb'} --rules")


if __name__ == "__main__":
    main()
