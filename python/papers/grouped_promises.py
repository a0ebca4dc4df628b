"""Guarantees for rows of new groups, on draws from a known distribution.

Groups have 1, 3, 10 or 100 rows, whose features and labels depend on normal variables with a correlation of
0, 0.5 or 0.9 within a group. A draw has 2,000 groups, half of which are held out for the guarantee. The true
values of a threshold are those of a random row of a random new group: a group is drawn uniformly, then a row
uniformly among its rows (for a recall among its positive rows, for a false positive rate among its negative
rows). They are integrals, or means of 200,000 new groups.

For every goal, the table shows in how many draws the guarantee holds (at least 95 %, less a binomial margin),
how often it is refused, and how often the 95 % intervals of ``decision_`` contain the true values; for
prediction sets the mean coverage. Every fifth draw is also fitted and chosen without ``groups=``. Then the
log loss of boosted trees on similar rows of customers, relative to that of the class prior.

Every draw is a line of ``grouped_promises.jsonl``. A second run continues an interrupted one.
"""

from __future__ import annotations

import itertools
import json
import time
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

import imbcore
from imbcore._bindings import native
from imbcore._validation.row_dependence import RowGroupsAndTimes
from imbcore.decisions import ConformalClassifier, ThresholdClassifier
from imbcore.exceptions import DataError
from paper_output import keep, markdown, options

CONFIDENCE, MISS, ALPHA = 0.95, 0.4, 0.3
GROUPS, NEW_GROUPS, CHUNK, HELD_OUT, LEVELS = 2000, 200_000, 20_000, 0.5, 64
SIZES, CORRELATIONS, PREVALENCES = (1, 3, 10, 100), (0.0, 0.5, 0.9), (0.01, 0.05, 0.2)
# Largest mean cost that is guaranteed, by prevalence; a missed positive row costs 5, a false alert 1.
COSTS = {0.01: 0.15, 0.05: 0.35, 0.2: 0.7}
MATRIX = [[0, 1], [5, 0]]
# One of this number of draws is also measured without groups.
COMPARED = 5
# Correlation of the latent feature with the label.
STRENGTH = 0.8
METHODS = ("hddt", "forest", "random_forest", "boosted_trees", "logistic regression")
SIMPLE = {"n_estimators": 10, "max_depth": 6}
SETTINGS: dict[str, dict[str, Any]] = {
    "hddt": {"max_depth": 6},
    "forest": SIMPLE,
    "random_forest": SIMPLE,
    "boosted_trees": {"n_rounds": 20},
}
Found = dict[str, Any]


class Cell(NamedTuple):
    """A distribution of groups."""

    size: int
    correlation: float
    prevalence: float


CELLS = [Cell(*cell) for cell in itertools.product(SIZES, CORRELATIONS, PREVALENCES)]
CORNERS = [Cell(*cell) for cell in itertools.product((SIZES[1], SIZES[-1]), (0.0, 0.9), (0.2,))]


def main() -> None:
    """Run the missing fits and write the table."""
    chosen = options(__doc__, draws=1000, corner_draws=300, jobs=1, customer_seeds=10, cells=len(CELLS))
    file = chosen.output / "grouped_promises.jsonl"
    done = read(file)
    there = {(line["method"], Cell(*line["cell"]), line["draw"]) for line in done if "cell" in line}
    # With fewer cells than all, the corners come first.
    cells = (CORNERS + [cell for cell in CELLS if cell not in CORNERS])[: chosen.cells]
    for method in METHODS:
        hddt = method == "hddt"
        for cell in cells if hddt else CORNERS:
            draws = range(chosen.draws if hddt else chosen.corner_draws)
            missing = [draw for draw in draws if (method, cell, draw) not in there]
            if missing:
                population = Population(cell)
                lines = Parallel(n_jobs=chosen.jobs, return_as="generator")(
                    delayed(measure)(method, population, chosen.seed + draw) for draw in missing
                )
                for draw, line in zip(missing, lines, strict=True):
                    append(file, {"method": method, "cell": cell, "draw": draw} | line)
    customers = {line["seed"] for line in done if "log_loss" in line}
    for seed in sorted(set(range(chosen.customer_seeds)) - customers):
        append(file, {"seed": seed} | similar_customers(seed))
    keep(chosen.output, "grouped_promises", report(read(file)))


def read(file: Path) -> list[Found]:
    """Read the stored draws."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def append(file: Path, line: Found) -> None:
    """Append a draw."""
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(line) + "\n")


def draw_groups(
    cell: Cell, n_groups: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Draw the levels of two features, the labels and the groups of the rows."""

    def latent() -> NDArray[np.float64]:
        shared = np.repeat(rng.normal(size=n_groups), cell.size)
        own = rng.normal(size=len(shared))
        return np.sqrt(cell.correlation) * shared + np.sqrt(1 - cell.correlation) * own

    signal, noise, other = latent(), latent(), latent()
    score = STRENGTH * signal + np.sqrt(1 - STRENGTH**2) * noise
    y = (score > stats.norm.isf(cell.prevalence)).astype(np.int64)
    edges = stats.norm.ppf(np.arange(1, LEVELS) / LEVELS)
    levels = np.column_stack([np.searchsorted(edges, signal), np.searchsorted(edges, other)])
    return levels, y, np.repeat(np.arange(n_groups), cell.size)


class Population:
    """True values of a threshold: weights of every pair of feature levels, by measure.

    The second feature is independent of the label, so its levels are equally likely. Values per row are
    integrals, those by group are means of many groups.
    """

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        # Midpoints of equally likely parts of each level of the first feature.
        signal = stats.norm.ppf((np.arange(LEVELS * 1000) + 0.5) / (LEVELS * 1000)).reshape(LEVELS, -1)
        limit = stats.norm.isf(cell.prevalence)
        chance = stats.norm.sf((limit - STRENGTH * signal) / np.sqrt(1 - STRENGTH**2)).mean(axis=1)
        self.prevalence = float(chance.mean())
        self.positives = self._spread(chance)
        self.negatives = self._spread(1 - chance)
        rng = np.random.default_rng(2**31)
        recall, fpr = np.zeros(LEVELS), np.zeros(LEVELS)
        for _ in range(0, NEW_GROUPS, CHUNK):
            levels, y, groups = draw_groups(cell, CHUNK, rng)
            positives = np.bincount(groups, weights=y)[groups]
            for k, found, rows in ((1, recall, positives), (0, fpr, cell.size - positives)):
                own = y == k
                found += np.bincount(levels[own, 0], weights=1 / rows[own], minlength=LEVELS)
        self.recall, self.fpr = self._spread(recall), self._spread(fpr)
        self.grid = np.stack(np.meshgrid(np.arange(LEVELS), np.arange(LEVELS), indexing="ij"), -1)
        self.grid = self.grid.reshape(-1, 2).astype(np.float64)

    @staticmethod
    def _spread(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.repeat(weights / weights.sum() / LEVELS, LEVELS)

    def true_values(self, alert: NDArray[np.bool_]) -> dict[str, float]:
        """Return the true values for the predictions of the grid."""
        right = self.prevalence * self.positives[alert].sum()
        wrong = (1 - self.prevalence) * self.negatives[alert].sum()
        return {
            "recall": float(self.recall[alert].sum()),
            "recall of rows": float(self.positives[alert].sum()),
            "fpr": float(self.fpr[alert].sum()),
            "fpr of rows": float(self.negatives[alert].sum()),
            "precision": float(right / (right + wrong)) if alert.any() else 1.0,
            "alert_rate": float(right + wrong),
            "cost": float(MATRIX[1][0] * (self.prevalence - right) + wrong),
        }


def goals(prevalence: float) -> dict[str, Found]:
    """Return the targets of a cell."""
    return {
        "recall": {"recall": 1 - MISS},
        "fpr": {"fpr": 0.1},
        "alert_rate": {"alert_rate": 0.1},
        "precision": {"precision": 2 * prevalence},
        "cost": {"cost": MATRIX, "at_most": COSTS[prevalence]},
    }


def is_met(name: str, goal: Found, true: dict[str, float]) -> bool:
    """Check a target."""
    if name == "cost":
        return true["cost"] <= goal["at_most"]
    return true[name] >= goal[name] if name in ("recall", "precision") else true[name] <= goal[name]


def measure(method: str, population: Population, seed: int) -> Found:
    """Measure one draw, with and without ``groups=``."""
    start = time.process_time()
    cell = population.cell
    levels, y, groups = draw_groups(cell, GROUPS, np.random.default_rng(seed))
    X = levels.astype(np.float64)
    found: Found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found["groups"] = measure_fit(method, population, (X, y, groups), seed)
        if seed % COMPARED == 0:
            found["rows"] = measure_fit(method, population, (X, y, None), seed)
    return found | {"seconds": time.process_time() - start}


def measure_fit(method: str, population: Population, data: tuple[Any, Any, Any], seed: int) -> Found:
    """Fit once, and choose all thresholds on the held-out rows of ``imbcore.fit``."""
    X, y, groups = data
    dependence = RowGroupsAndTimes.from_values((groups, None, None), len(y))
    train, test = native.protocols.held_out_split(y.astype(np.uint32), 1, dependence, HELD_OUT, seed)
    given = {} if groups is None else {"groups": groups[train]}
    if method in SETTINGS:
        fitted = imbcore.fit(
            X[train], y[train], method, random_state=seed, n_threads=1, **given, **SETTINGS[method]
        )
        model = Fitted(fitted)
    else:
        model = LogisticRegression().fit(X[train], y[train])
    frozen = FrozenEstimator(model)
    held_out = (X[test], y[test])
    of_test = {} if groups is None else {"groups": groups[test]}
    scores = model.predict_proba(population.grid)[:, 1]
    positive_groups = np.unique((test // population.cell.size)[y[test] == 1])
    found: Found = {"positive_groups": len(positive_groups)}
    for name, goal in goals(population.cell.prevalence).items():
        rule = ThresholdClassifier(frozen, goal | {"guarantee": CONFIDENCE}, positive=1, random_state=seed)
        try:
            rule.fit(*held_out, **of_test)
        except DataError as error:
            found[name] = {"refused": "few" if "requires at least" in str(error) else "unmet"}
            continue
        true = population.true_values(scores >= rule.threshold_)
        found[name] = {"met": is_met(name, goal, true), "inside": inside(rule.decision_, true)}
    careful = ConformalClassifier(
        frozen, ALPHA, miss=MISS, confidence=CONFIDENCE, positive=1, random_state=seed
    )
    try:
        careful.fit(*held_out, **of_test)
    except DataError:
        found["miss"] = {"refused": "few"}
    else:
        alert = careful.predict(population.grid) == 1
        found["miss"] = {"met": population.true_values(alert)["recall"] >= 1 - MISS}
        covered = careful.predict_set(population.grid)
        found["coverage"] = float(population.recall[covered[:, 1]].sum())
    return found


class Fitted(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A model of imbcore with the attributes of a fitted scikit-learn classifier."""

    def __init__(self, model: imbcore.Model) -> None:
        self.model = model

    @property
    def classes_(self) -> NDArray[Any]:
        """Labels of the model."""
        return self.model.classes_

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, X: Any, y: Any) -> Fitted:
        """Do nothing."""
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probabilities of the model."""
        return self.model.predict_proba(X, n_threads=1)


def inside(decision: Found, true: dict[str, float]) -> dict[str, bool]:
    """Check which intervals of a decision contain the true value."""
    found: dict[str, bool] = {}
    for part, suffix in (("expected", " of rows"), ("expected_by_group", "")):
        for name, values in decision.get(part, {}).items():
            if name == "cost_interval":
                found[f"{part} cost"] = bool(values[0] <= true["cost"] <= values[1])
            elif isinstance(values, dict):
                value = true.get(name + suffix, true[name])
                found[f"{part} {name}"] = bool(values["low"] <= value <= values["high"])
    return found


def similar_customers(seed: int) -> Found:
    """Log loss of boosted trees on new customers, and that of the class prior."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(1200, 6))
    label = (rng.random(1200) < 1 / (1 + np.exp(3 - base[:, 0]))).astype(np.int64)
    customer = np.repeat(np.arange(1200), 10)
    X, y = base[customer] + 0.05 * rng.normal(size=(len(customer), 6)), label[customer]
    train = customer < 600
    prior = float(y[train].mean())
    test = y[~train]
    found: Found = {"log_loss": {}}
    for name, given in (("groups", {"groups": customer[train]}), ("rows", {})):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = imbcore.fit(X[train], y[train], "boosted_trees", random_state=seed, **given)
        p = np.clip(model.predict_proba(X[~train])[:, 1], 1e-12, 1 - 1e-12)
        found["log_loss"][name] = float(-np.mean(np.where(test == 1, np.log(p), np.log(1 - p))))
    found["prior"] = float(-np.mean(np.where(test == 1, np.log(prior), np.log(1 - prior))))
    return found


def report(done: list[Found]) -> str:
    """Write the table of all cells and goals."""
    draws: dict[tuple[str, Cell], list[Found]] = defaultdict(list)
    for line in done:
        if "cell" in line:
            draws[line["method"], Cell(*line["cell"])].append(line)
    hours = sum(line.get("seconds", 0) for line in done) / 3600
    n_cells = len(draws)
    table = [row for (method, cell), lines in draws.items() for row in rows_of(method, cell, lines, n_cells)]
    columns = ["method", "rows", "corr.", "prev.", "goal", "draws", "few", "unmet", "holds", "least",
               "without groups", "inside", "verdict"]  # fmt: skip
    failed = sum(row[-1] == "FAILS" for row in table)
    n_draws = sum(map(len, draws.values()))
    text = f"""{n_cells} cells, {n_draws} draws, {hours:.2f} CPU hours; {failed} of {len(table)} results fail.
holds: fraction of draws that meet the target (for coverage: its mean); least: its lowest allowed value; few,
unmet: refused for too few groups, or because no threshold is proved; inside: smallest fraction of 95 %
intervals that contain the true value, at least 0.93 if on average 30 held-out groups have a positive row.

{markdown(columns, table)}"""
    customers = [line for line in done if "log_loss" in line]
    if customers:
        ratio = {
            name: np.mean([line["log_loss"][name] / line["prior"] for line in customers])
            for name in ("groups", "rows")
        }
        text += f"""

Log loss of boosted trees relative to the prior, mean of {len(customers)} seeds (at most 1.02):
{ratio["groups"]:.3f} with groups, {ratio["rows"]:.3f} without."""
    return text


def rows_of(method: str, cell: Cell, lines: list[Found], n_cells: int) -> Iterator[list[str]]:
    """Write the rows of a cell: one per guarantee, and one for the mean coverage."""
    head = [method, *map(str, cell)]
    enough = np.mean([line["groups"]["positive_groups"] for line in lines]) >= 30
    for goal in (*goals(cell.prevalence), "miss"):
        of_goal = [line["groups"][goal] for line in lines]
        met = [found["met"] for found in of_goal if "met" in found]
        refused = [
            sum(found.get("refused") == why for found in of_goal) / len(lines) for why in ("few", "unmet")
        ]
        compared = [line["rows"][goal] for line in lines if "rows" in line]
        without = [found["met"] for found in compared if "met" in found]
        n = max(len(met), 1)
        least = stats.binom.ppf(0.05 / n_cells, n, CONFIDENCE) / n
        parts = [found["inside"] for found in of_goal if "inside" in found]
        names = {name for part in parts for name in part}
        fractions = [np.mean([part[name] for part in parts if name in part]) for name in names]
        lowest = min(fractions) if fractions else None
        fails = (met and np.mean(met) < least) or refused[0] > 0.05
        narrow = enough and lowest is not None and lowest < 0.93
        yield [
            *head, goal, str(len(lines)), *(f"{part:.2f}" for part in refused), mean_text(met),
            f"{least:.3f}", mean_text(without), "" if lowest is None else f"{lowest:.3f}",
            "FAILS" if fails else "narrow" if narrow else "ok",
        ]  # fmt: skip
    covered = [line["groups"]["coverage"] for line in lines if "coverage" in line["groups"]]
    if covered:
        error = np.std(covered, ddof=1) / np.sqrt(len(covered)) if len(covered) > 1 else 0.0
        least = 1 - ALPHA - 2 * error
        without = [line["rows"]["coverage"] for line in lines if "coverage" in line.get("rows", {})]
        verdict = "ok" if np.mean(covered) >= least else "FAILS"
        yield [*head, "coverage", str(len(lines)), "", "", mean_text(covered), f"{least:.3f}",
               mean_text(without), "", verdict]  # fmt: skip


def mean_text(values: list[Any]) -> str:
    """Format a mean, or nothing."""
    return f"{np.mean(values):.3f}" if values else ""


if __name__ == "__main__":
    main()
