"""Morán Jiménez 2018, section 5.3.2: does resampling do to a network what rebalanced priors do.

The thesis asks and does not test it. Here a split has one graph and one set of bins, and only the
probabilities are estimated anew: with the rebalanced prior of the class (gamma 1, of weight 1 and of the
weight of all rows, which is also that of the other tables), with rows weighed, and from rows over-sampled,
under-sampled and made by SMOTE.

What they are compared with is the network as it is, its class shares moved to one half each (Elkan 2001,
theorem 2): what rebalancing is meant to do. In the graph "naive" the class has no parents; in "parents" it
has for parents the two columns that tell most of it, so that its table has disjuncts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from paper_output import keep, keep_figure, load, markdown, options
from sklearn.model_selection import StratifiedShuffleSplit

from imbcore import BayesianNetwork, costs, datasets, metrics
from imbcore.bayes import Rebalanced, Uniform
from imbcore.discretization import EqualFrequencyDiscretizer
from imbcore.sampling import SMOTE, RandomOverSampler, RandomUnderSampler

SETS = ("ecoli-om", "glass2", "pima", "yeast4")
SHARES = (0.4, 0.2, 0.1, 0.05, 0.02)
MOVED = "class shares moved"
WAYS = ("prior, weight 1", "prior, weight n", "weights", "over", "under", "SMOTE")
GRAPHS = ("naive", "parents")
CLASS = "class"
Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]
# Mean |difference from the moved probability|, AUC and recall, a row a split, by graph and way.
Found = dict[tuple[str, str], NDArray[np.float64]]


def main() -> None:
    """Run the grids and the sets, and write tables and figure."""
    chosen = options(__doc__, sets=SETS, known=SETS, splits=20, rows=4000)
    grids = {}
    for share in SHARES:
        X, y = datasets.make_disjunct_grid(
            chosen.rows,
            complexity=3,
            minority_share=share,
            interclass=1.5,
            overlap=2.0,
            random_state=chosen.seed,
        )
        grids[f"{share:g}"] = measure(X, y, chosen.splits, chosen.seed)
    real = {}
    for name in chosen.sets:
        data = load(name)
        X = np.column_stack(list(data.X.columns.values()))
        real[f"{name} ({data.y.mean():.3f})"] = measure(X, data.y, chosen.splits, chosen.seed)
    keep(chosen.output, "resampling_or_priors", report(grids, real))
    keep_figure(chosen.output, "resampling_or_priors", picture(grids))


def measure(X: Numbers, y: Codes, n_splits: int, seed: int) -> Found:
    """Compare all ways on random splits, 70 % of the rows to train."""
    splits = StratifiedShuffleSplit(n_splits, test_size=0.3, random_state=seed)
    found: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    for number, (train, test) in enumerate(splits.split(y, y)):
        samples = resampled(X[train], y[train], seed + number)
        for graph in GRAPHS:
            known = ask(X[train], y[train], samples, graph, X[test])
            known[MOVED] = costs.prior_shift(known["as it is"], y[train].mean(), 0.5)
            for way, p in known.items():
                area = metrics.roc_auc_score(y[test], p, positive=1)
                recall = metrics.recall_score(y[test], (p > 0.5).astype(int), pos_label=1)
                found.setdefault((graph, way), []).append(
                    (float(np.mean(abs(p - known[MOVED]))), area, recall)
                )
    return {key: np.array(rows) for key, rows in found.items()}


def resampled(X: Numbers, y: Codes, seed: int) -> dict[str, tuple[Numbers, Codes]]:
    """Draw the rows of each sampler; where SMOTE has too few rows it takes fewer neighbours."""
    samplers = {
        "over": RandomOverSampler(random_state=seed),
        "under": RandomUnderSampler(random_state=seed),
        "SMOTE": SMOTE(random_state=seed, on_small="shrink"),
    }
    return {name: sampler.fit_resample(X, y) for name, sampler in samplers.items()}


def ask(
    X: Numbers, y: Codes, samples: dict[str, tuple[Numbers, Codes]], graph: str, rows: Numbers
) -> dict[str, Numbers]:
    """Probability of class 1 in some rows, by way of estimating one graph over bins that all share."""
    bins = EqualFrequencyDiscretizer(n_bins=5).fit(X, y)

    def table(X: Numbers, y: Codes) -> dict[str, Any]:
        codes = np.asarray(bins.transform(X)).astype(np.int64)
        return {**{f"x{at}": column.astype(str) for at, column in enumerate(codes.T)}, CLASS: y.astype(str)}

    # Every bin is a state of the network whether a sample has rows in it or not.
    network = BayesianNetwork.from_arcs(table(X, y), arcs_of(graph, table(X, y)), target=CLASS)
    balanced = len(y) / (2 * np.bincount(y))[y]
    estimates = {
        "as it is": network,
        "prior, weight 1": network.fit_parameters(table(X, y), target=CLASS, prior=Rebalanced(weight=1.0)),
        "prior, weight n": network.fit_parameters(table(X, y), target=CLASS, prior=Rebalanced(weight="n")),
        "weights": network.fit_parameters(table(X, y), sample_weight=balanced, prior=Uniform()),
    }
    for name, (X_new, y_new) in samples.items():
        estimates[name] = network.fit_parameters(table(X_new, y_new), prior=Uniform())
    return {name: rare_share(found, table, rows) for name, found in estimates.items()}


def arcs_of(graph: str, table: dict[str, Any]) -> list[tuple[str, str]]:
    """Arcs of a graph: from the class to all columns, or from the two that tell most to the class."""
    columns = [name for name in table if name != CLASS]
    if graph == "naive":
        return [(CLASS, name) for name in columns]
    empty = BayesianNetwork.from_arcs(table, [], target=CLASS)
    alone = empty.score(table)

    def told(name: str) -> float:
        return BayesianNetwork.from_arcs(table, [(name, CLASS)], target=CLASS).score(table) - alone

    first = sorted(columns, key=told, reverse=True)[:2]
    return [(name, CLASS) for name in first] + [(CLASS, name) for name in columns if name not in first]


def rare_share(network: BayesianNetwork, table: Any, rows: Numbers) -> Numbers:
    """P(class 1 | row) from the probabilities of the row with each class."""
    joint = [network.log_probability(table(rows, np.full(len(rows), label))) for label in (0, 1)]
    return 1.0 / (1.0 + np.exp(joint[0] - joint[1]))


def report(grids: dict[str, Found], real: dict[str, Found]) -> str:
    """Write what the ways differ by."""
    parts = []
    for title, found in (("disjunct grids, by share of the rare class", grids), ("real sets", real)):
        for graph in GRAPHS:
            apart = [
                [way, *(values[graph, way][:, 0].mean() for values in found.values())]
                for way in ("as it is", *WAYS)
            ]
            ranks = [
                [
                    way,
                    *(
                        f"{values[graph, way][:, 1].mean():.3f} / {values[graph, way][:, 2].mean():.2f}"
                        for values in found.values()
                    ),
                ]
                for way in ("as it is", MOVED, *WAYS)
            ]
            parts += [
                f'{title}, graph "{graph}": mean |P - P moved|',
                markdown(["way", *found], apart),
                f'{title}, graph "{graph}": AUC / recall at one half',
                markdown(["way", *found], ranks),
            ]
    return "\n\n".join(parts)


def picture(grids: dict[str, Found]) -> Any:
    """Draw the distance from the moved probabilities against the share of the rare class."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(9, 3.6), layout="constrained", sharey=True)
    for ax, graph in zip(axes, GRAPHS, strict=True):
        for way in WAYS:
            apart = [values[graph, way][:, 0].mean() for values in grids.values()]
            ax.plot([float(share) for share in grids], apart, marker="o", markersize=4, label=way)
        ax.set(xscale="log", xlabel="share of the rare class", title=f"graph: {graph}", ylim=(0, None))
        ax.set_xticks([float(share) for share in grids], list(grids))
        ax.minorticks_off()
    axes[0].set_ylabel("mean |P - P moved|")
    axes[1].legend(frameon=False)
    return figure


if __name__ == "__main__":
    main()
