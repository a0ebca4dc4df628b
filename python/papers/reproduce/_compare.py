"""Comparison with printed numbers: differences, ranks, their correlations, and tests.

The tests are those of the papers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from imbcore import stats
from reproduce._report import Cell, Report

__all__ = ["Grid", "beside_print", "diagram", "friedman", "friedman_of", "rankings", "wins"]

Numbers = NDArray[np.float64]
# Number of digits to which equal means are ties: more than printed, fewer than rounding of sums affects.
DIGITS = 10


@dataclass(frozen=True)
class Grid:
    """One measure of methods (columns) on data sets (rows); NaN is missing.

    Parameters
    ----------
    sets, methods : tuple of str
        Printed names.
    mean : ndarray of shape (n_sets, n_methods)
    spread : ndarray of shape (n_sets, n_methods) or None
        Standard deviations.
    """

    sets: tuple[str, ...]
    methods: tuple[str, ...]
    mean: Numbers
    spread: Numbers | None = None

    @classmethod
    def from_values(cls, values: Mapping[tuple[str, str], ArrayLike], *, ddof: int = 1) -> Grid:
        """Compute means and standard deviations of the values of each (set, method), in their order."""
        sets = tuple(dict.fromkeys(name for name, _ in values))
        methods = tuple(dict.fromkeys(method for _, method in values))
        mean = np.full((len(sets), len(methods)), np.nan)
        spread = mean.copy()
        for (name, method), cell in values.items():
            numbers = np.asarray(cell, dtype=np.float64)
            at = sets.index(name), methods.index(method)
            if len(numbers):
                mean[at] = numbers.mean()
            if len(numbers) > ddof:
                spread[at] = numbers.std(ddof=ddof)
        return cls(sets, methods, mean, spread)

    @classmethod
    def printed(cls, cells: Iterable[tuple[str, str, float] | tuple[str, str, float, float]]) -> Grid:
        """Build a grid from (set, method, value) or (set, method, value, spread)."""
        listed = list(cells)
        sets = tuple(dict.fromkeys(cell[0] for cell in listed))
        methods = tuple(dict.fromkeys(cell[1] for cell in listed))
        mean = np.full((len(sets), len(methods)), np.nan)
        spread = mean.copy()
        for name, method, value, *rest in listed:
            at = sets.index(name), methods.index(method)
            mean[at] = value
            if rest:
                spread[at] = rest[0]
        return cls(sets, methods, mean, None if np.isnan(spread).all() else spread)

    def like(self, sets: Sequence[str], methods: Sequence[str]) -> Grid:
        """Select these sets and methods in this order; unknown cells are NaN."""
        mean = np.full((len(sets), len(methods)), np.nan)
        spread = mean.copy()
        for row, name in enumerate(sets):
            for column, method in enumerate(methods):
                if name in self.sets and method in self.methods:
                    at = self.sets.index(name), self.methods.index(method)
                    mean[row, column] = self.mean[at]
                    if self.spread is not None:
                        spread[row, column] = self.spread[at]
        return Grid(tuple(sets), tuple(methods), mean, None if self.spread is None else spread)


def _both(ours: Grid, theirs: Grid) -> tuple[Grid, Grid]:
    """Restrict both grids to their common methods, and to the sets without missing numbers."""
    methods = [method for method in ours.methods if method in theirs.methods]
    left, right = ours.like(ours.sets, methods), theirs.like(ours.sets, methods)
    both = left.mean + right.mean
    sets = [name for row, name in enumerate(ours.sets) if not np.isnan(both[row]).any()]
    return left.like(sets, methods), right.like(sets, methods)


def beside_print(report: Report, title: str, ours: Grid, theirs: Grid, *, digits: int = 3) -> None:
    """Add a table of our numbers, the printed ones, and the differences.

    Differences are also in printed standard deviations, if these are available.
    """
    printed = theirs.like(ours.sets, ours.methods)
    spread = np.full_like(ours.mean, np.nan) if ours.spread is None else ours.spread
    difference = ours.mean - printed.mean
    header = ["set", "method", "ours", "sd", "printed"]
    columns: list[Numbers] = [ours.mean, spread, printed.mean]
    if printed.spread is not None:
        header.append("printed sd")
        columns.append(printed.spread)
    header.append("difference")
    columns.append(difference)
    if printed.spread is not None:
        header.append("in printed sd")
        with np.errstate(divide="ignore", invalid="ignore"):
            columns.append(np.where(printed.spread > 0, difference / printed.spread, np.nan))
    rows: list[list[Cell]] = [
        [name, method, *(float(column[row, at]) for column in columns)]
        for row, name in enumerate(ours.sets)
        for at, method in enumerate(ours.methods)
    ]
    report.table(title, header, rows, digits=digits)
    known = np.isfinite(difference)
    if known.any():
        apart = np.abs(difference)
        of_methods = "; ".join(
            f"{method} {apart[known[:, at], at].mean():.{digits}f}"
            for at, method in enumerate(ours.methods)
            if known[:, at].any()
        )
        mean = f"{apart[known].mean():.{digits}f}"
        report.text(f"Mean absolute difference over {int(known.sum())} cells: {mean}; {of_methods}.")


def rankings(report: Report, ours: Grid, theirs: Grid, *, larger_is_better: bool = True) -> None:
    """Add average ranks on the common sets, and the agreement of the two orders of methods."""
    left, right = _both(ours, theirs)
    if not left.sets or len(left.methods) < 2:
        report.text("No ranks: no set has all numbers, ours and printed.")
        return
    ranks = [_ranks(grid.mean, larger_is_better) for grid in (left, right)]
    average = [table.mean(axis=0) for table in ranks]
    report.table(
        f"Average ranks over {len(left.sets)} sets (1 is best)",
        ("method", "ours", "recomputed from printed values"),
        [(method, float(a), float(b)) for method, a, b in zip(left.methods, *average, strict=True)],
    )
    left_out = [name for name in ours.sets if name not in left.sets]
    if left_out:
        report.text(f"Excluded from both ranks because of a missing number: {', '.join(left_out)}.")
    if len(left.methods) > 2:
        _orders(report, left, right, average)


def _orders(report: Report, left: Grid, right: Grid, average: list[Numbers]) -> None:
    """Add the agreement of the orders of methods, per set and in the average ranks."""
    agreement: list[tuple[Cell, ...]] = [
        (name, *_agreement(a, b)) for name, a, b in zip(left.sets, left.mean, right.mean, strict=True)
    ]
    with np.errstate(invalid="ignore"):
        taus = np.array([[row[1], row[2]] for row in agreement], dtype=np.float64)
    defined = ~np.isnan(taus).any(axis=1)
    if len(agreement) > 1 and defined.any():
        agreement.append(("mean over sets", *map(float, taus[defined].mean(axis=0))))
    agreement.append(("average ranks", *_agreement(*average)))
    report.table(
        "Order of the methods, ours against printed",
        ("set", "Kendall tau-b", "Spearman"),
        agreement,
        digits=2,
    )


def diagram(report: Report, name: str, grid: Grid, *, larger_is_better: bool = True) -> None:
    """Add a critical difference diagram (Nemenyi, 0.05) of the sets with all numbers."""
    from matplotlib.figure import Figure

    from imbcore import plotting

    whole = [dataset for row, dataset in enumerate(grid.sets) if not np.isnan(grid.mean[row]).any()]
    if len(whole) < 2 or len(grid.methods) < 3:
        return
    ranks = _ranks(grid.like(whole, grid.methods).mean, larger_is_better).mean(axis=0)
    least = stats.critical_difference(len(grid.methods), len(whole))
    figure = Figure(figsize=(7, 0.9 + 0.3 * len(grid.methods)), layout="constrained")
    plotting.plot_cd(ranks, grid.methods, least, ax=figure.add_subplot())
    caption = f"Average ranks over {len(whole)} sets, ours; bars connect differences below {least:.2f}."
    rows = list(zip(grid.methods, map(float, ranks), strict=True))
    report.figure(name, figure, caption, ("method", "average rank"), rows)


def friedman(
    report: Report,
    ours: Grid,
    theirs: Grid,
    *,
    title: str = "The paper's test on our and printed values",
    levels: Sequence[float] = (0.05, 0.10),
    larger_is_better: bool = True,
) -> dict[str, dict[float, tuple[str, ...]]]:
    """Add Friedman's test, and Bonferroni-Dunn with the best method as control, for both grids.

    Returns
    -------
    dict
        For "ours" and "printed" and each level: the methods significantly worse than the best one.
    """
    left, right = _both(ours, theirs)
    if len(left.sets) < 2:
        report.text("No test: fewer than two sets have all numbers, ours and printed.")
        return {}
    return friedman_of(report, {"ours": left, "printed": right}, title, levels, larger_is_better)


def friedman_of(
    report: Report,
    sides: Mapping[str, Grid],
    title: str,
    levels: Sequence[float] = (0.05, 0.10),
    larger_is_better: bool = True,
) -> dict[str, dict[float, tuple[str, ...]]]:
    """Add the tests of :func:`friedman` on grids without missing values, one row per grid."""
    table: list[list[Cell]] = []
    verdicts: dict[str, dict[float, tuple[str, ...]]] = {}
    header = ["numbers", "chi2", "p", "Iman-Davenport F", "p of F", "best"]
    for side, grid in sides.items():
        found = stats.friedman_test(grid.mean.round(DIGITS), larger_is_better=larger_is_better)
        ranks = dict(zip(grid.methods, found.average_ranks.tolist(), strict=True))
        best = min(ranks, key=lambda method: ranks[method])
        cells: list[Cell] = [side, found.chi2, found.chi2_p, found.f, found.f_p, best]
        verdicts[side] = {}
        for level in levels:
            least = stats.critical_difference(
                len(grid.methods), len(grid.sets), level=level, test="bonferroni-dunn"
            )
            worse = tuple(method for method, rank in ranks.items() if rank - ranks[best] > least)
            verdicts[side][level] = worse
            cells += [least, ", ".join(worse) or "none"]
        table.append(cells)
    for level in levels:
        header += [f"CD {level}", f"worse at {level}"]
    size = len(next(iter(sides.values())).sets)
    report.table(f"{title} ({size} sets)", header, table)
    return verdicts


def wins(
    report: Report,
    ours: Grid,
    theirs: Grid,
    heroes: Sequence[str],
    *,
    larger_is_better: bool = True,
) -> None:
    """Add wins, ties and losses of the paper's methods against others, ours and printed."""
    left, right = _both(ours, theirs)
    if not left.sets:
        return
    rows = []
    for hero in (method for method in heroes if method in left.methods):
        for rival in (method for method in left.methods if method not in heroes):
            pair = [left.methods.index(hero), left.methods.index(rival)]
            counts = [_win_tie_loss(grid.mean[:, pair], larger_is_better) for grid in (left, right)]
            rows.append((hero, rival, *counts))
    if rows:
        report.table(
            f"Won/tied/lost over {len(left.sets)} sets", ("method", "against", "ours", "printed"), rows
        )


def _win_tie_loss(pair: Numbers, larger_is_better: bool) -> str:
    gain = np.sign((pair[:, 0] - pair[:, 1]).round(DIGITS)) * (1 if larger_is_better else -1)
    return "/".join(str(int((gain == sign).sum())) for sign in (1, 0, -1))


def _ranks(values: Numbers, larger_is_better: bool) -> Numbers:
    from scipy.stats import rankdata

    rounded = values.round(DIGITS)
    return np.asarray(rankdata(-rounded if larger_is_better else rounded, axis=1), dtype=np.float64)


def _agreement(a: Numbers, b: Numbers) -> tuple[float, float]:
    """Return Kendall's tau-b and Spearman's rho; NaN if a side has no order."""
    from scipy.stats import kendalltau, spearmanr

    a, b = a.round(DIGITS), b.round(DIGITS)
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return float("nan"), float("nan")
    return float(kendalltau(a, b).statistic), float(spearmanr(a, b).statistic)
