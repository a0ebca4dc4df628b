"""Hoens, Qian, Chawla and Zhou 2012, table 2: C4.4 and HDDT as single trees, under OVA and under ECOC.

Prevalence-weighted AUROC (WAUROC) in repeated 2-fold cross-validation, with the printed values beside ours.
The decompositions decode by the sum, as the paper's software did.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from paper_output import keep, load, markdown, options

from imbcore import C44Classifier, ECOCClassifier, HDDTClassifier, OVAClassifier, metrics, stats
from imbcore.protocols import StratifiedFolds
from imbcore.reproduce._printed import rows as published

# Set -> its name in the paper's table.
SETS = {"car_mc": "car", "glass_mc": "glass", "page-blocks-5_mc": "page-blocks-5", "yeast_mc": "yeast"}
TREES = {"C4.4": C44Classifier, "HDDT": HDDTClassifier}
CATEGORIES = ("single", "OVA", "ECOC")
NOTABLE = 0.03
Found = dict[str, dict[tuple[str, str], NDArray[np.float64]]]


def main() -> None:
    """Run the table and write it."""
    chosen = options(__doc__, repeats=5)
    folds = StratifiedFolds(2, chosen.repeats, random_state=chosen.seed)
    found: Found = {}
    for name in SETS:
        data = load(name)
        found[name] = measure(data.X, data.y, folds, chosen.seed)
    keep(chosen.output, "mchddt_table", report(found, folds.get_n_splits()))


def classifier(category: str, tree: str, seed: int) -> Any:
    """Make the classifier of one column of the table."""
    member = TREES[tree](random_state=seed)
    if category == "single":
        return member
    if category == "OVA":
        return OVAClassifier(member, decoding="sum", random_state=seed)
    return ECOCClassifier(member, code="exhaustive", decoding="sum", random_state=seed)


def measure(X: Any, y: NDArray[Any], folds: StratifiedFolds, seed: int) -> dict[tuple[str, str], Any]:
    """WAUROC of every column of the table on every test part."""
    columns = [(category, tree) for category in CATEGORIES for tree in TREES]
    found: dict[tuple[str, str], list[float]] = {column: [] for column in columns}
    for train, test in folds.split(y=y):
        for column, values in found.items():
            model = classifier(*column, seed).fit(X.take(train), y[train])
            proba = model.predict_proba(X.take(test))
            values.append(metrics.wauroc_score(y[test], proba, labels=model.classes_))
    return {column: np.array(values) for column, values in found.items()}


def report(found: Found, n_parts: int) -> str:
    """Write means beside the printed values, mark differences above 0.03, and test what is printed."""
    printed = {
        (row["dataset"], row["category"], row["method"].removeprefix("MC-")): float(row["wauroc"])
        for row in published("mchddt_table2_wauroc")
    }
    rows = []
    for name, of_column in found.items():
        for (category, tree), values in of_column.items():
            theirs, ours = printed[SETS[name], category, tree], float(values.mean())
            mark = " *" if abs(ours - theirs) > NOTABLE else ""
            spread = float(values.std(ddof=1))
            rows.append((name, category, tree, ours, spread, theirs, f"{ours - theirs:+.3f}{mark}"))
    header = ("set", "category", "tree", "WAUROC", "sd", "printed", "difference")
    return (
        f"# Multi-class HDDT, table 2: means of {n_parts} test parts\n\n{markdown(header, rows)}\n\n"
        f"sd: over the test parts. *: differs by more than {NOTABLE}.\n\n{tests(printed)}"
    )


def tests(printed: dict[tuple[str, str, str], float]) -> str:
    """Repeat the paper's tests on all 17 printed data sets."""
    names = list(dict.fromkeys(name for name, _, _ in printed))
    rows = []
    for category in CATEGORIES:
        table = [[printed[name, category, tree] for tree in TREES] for name in names]
        ranked = stats.friedman_test(table)
        apart = float(abs(ranked.average_ranks[0] - ranked.average_ranks[1]))
        differences = [
            stats.critical_difference(2, len(names), level=level, test="bonferroni-dunn")
            for level in (0.05, 0.10)
        ]
        verdicts = ["significant" if apart > difference else "no" for difference in differences]
        rows.append((category, *map(float, ranked.average_ranks), apart, ranked.f_p, *verdicts))
    header = ("category", "rank C4.4", "rank HDDT", "apart", "Iman-Davenport p", "at 0.05", "at 0.10")
    return f"The printed values of all {len(names)} sets (Bonferroni-Dunn):\n\n{markdown(header, rows)}"


if __name__ == "__main__":
    main()
