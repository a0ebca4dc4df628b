"""Detection of rows that belong together, and of features that identify groups.

If no groups are given, two signs are checked. A column that identifies groups of rows has many values
with several rows each, and either a name of an identifier, or labels that agree within its values more
than by chance. Near-duplicates are rows whose nearest neighbors are much closer than the density of the
other rows explains, and have the same label.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.columns import MISSING
from imbcore._validation.frame import NativeColumn, NativeFrame, n_frame_rows
from imbcore._validation.labels import Target
from imbcore._validation.schema import Schema
from imbcore._validation.user_warnings import warn_user

_FEWEST_ROWS = 100
_FEWEST_VALUES = 20
# Chance-corrected agreement of the labels of two rows with equal values; 1 if they are always equal.
_AGREEMENT = 0.2
# Mean rows per value, above which a column without a telling name is a category and identifies nothing.
_MOST_ROWS_OF_GROUP = 15
# Correlation of the class proportions of adjacent values, above which a number is a measurement.
_SMOOTH = 0.25
_NAMES = (
    re.compile(r"[a-z]I[dD]$"),
    re.compile(r"(^|[\s_.:-])(id|uuid|guid)$", re.IGNORECASE),
    re.compile(
        r"(^|[\s_.:-])(customer|client|patient|subject|user|account|member|household|person|employee|student|"
        r"device|machine|session|iban)([\s_.:-]?(no|nr|number|key|code))?$",
        re.IGNORECASE,
    ),
    # German, French, Spanish, Italian, Portuguese and Dutch; words that also mean a count are left out.
    re.compile(
        r"(^|[\s_.:-])(kunden?|patient(en|in)?|maschinen?|anlagen?|geräte?|fahrzeuge?|nutzer|benutzer|"
        r"mitglieds?|versicherten?|mitarbeiter|personal(?=.)|probanden?|schüler|konto|konten|cliente|usager|"
        r"abonné|appareil|salarié|assuré|élève|paciente|m[áa]quina|usu[áa]rio|empleado|dispositivo|paziente|"
        r"macchina|utente|dipendente|klant|patiënt|gebruiker|apparaat)"
        r"([\s_.:-]?(id|no|nr|nummer|kennung|code|numéro|numero|número))?$",
        re.IGNORECASE,
    ),
)
# Counts and rates of entities, such as income.per.person, identify none.
_COUNTS = re.compile(r"(^|[\s_.:-])(per|total|n|num|number|count|avg|mean)[\s_.:-]", re.IGNORECASE)
_SOME = 1_000
# Queries, rows and columns of the search for near-duplicates, which limit its time.
_QUERIES = 60
_MOST_ROWS = 20_000
_MOST_COLUMNS = 20
_NEIGHBORS = 60
# Largest scaled jump of the distances that chance explains: the maximum of 30 exponential variables exceeds
# it with probability 1e-5.
_JUMP = 15.0


def warn_of_dependent_rows(
    frame: NativeFrame, target: Target, schema: Schema, *, near_duplicates: bool
) -> None:
    """Warn of columns that identify groups, and of near-duplicate rows with equal labels.

    Parameters
    ----------
    frame, target, schema
        Training rows in native form.
    near_duplicates : bool
        Whether to search for near-duplicates, which takes up to 0.1 s.
    """
    n_rows, n_classes = n_frame_rows(frame), len(target.classes)
    if n_rows < _FEWEST_ROWS or not 2 <= n_classes <= n_rows // 10:
        return
    columns: list[NativeColumn] = frame if isinstance(frame, list) else list(frame.T)
    for index, column in enumerate(columns):
        name = schema.features[index].name
        named = schema.named and any(pattern.search(name) for pattern in _NAMES) and not _COUNTS.search(name)
        found = _measure_groups(column, named, target.codes, n_classes)
        if found is not None:
            n_values, labels = found
            option = f"groups={name!r}" if schema.named else f"groups=X[:, {index}]"
            more = ""
            if labels.agreement >= _AGREEMENT:
                more = (
                    f" and the labels of two rows with the same value are equal in "
                    f"{100 * labels.equal:.4g} % of all pairs, {100 * labels.chance:.4g} % by chance,"
                )
            warn_user(
                f"column {name!r} has {n_values:,} values with {n_rows / n_values:.1f} rows each on average,"
                f"{more} so rows seem to belong together; give {option}, so that a group is never in both "
                "training and test rows, or leave the column out if rows are independent"
            )
            return
    if near_duplicates and (found_rows := _count_near_duplicates(columns, target.codes)) is not None:
        count, queries = found_rows
        warn_user(
            f"{count} of {queries} sampled rows have near-duplicates with the same label, so rows seem to "
            "belong together; give groups= (the customer, patient or machine of every row), so that a group "
            "is never in both training and test rows, or drop the duplicates"
        )


def warn_of_group_column(frame: NativeFrame, schema: Schema, groups: NDArray[np.uint32] | None) -> None:
    """Warn if a feature has one value per group, and another in every group."""
    if groups is None or len(groups) < 2:
        return
    columns: list[NativeColumn] = frame if isinstance(frame, list) else list(frame.T)
    for index, column in enumerate(columns):
        values = column[0] if isinstance(column, tuple) else column
        # Most columns differ within the groups of the first rows.
        if not _is_constant_in_groups(values[:_SOME], groups[:_SOME]):
            continue
        n_groups = len(np.unique(groups))
        if (
            n_groups < len(groups)
            and _is_constant_in_groups(values, groups)
            and len(np.unique(values)) == n_groups
        ):
            name = schema.features[index].name
            option = f"groups={name!r}" if schema.named else "groups=, and X without this column"
            warn_user(
                f"column {name!r} is a feature, but identifies the groups, so its values are not known for "
                f"new groups; give {option}, or leave the column out"
            )
            return


def _is_constant_in_groups(values: NDArray[Any], groups: NDArray[np.uint32]) -> bool:
    order = np.argsort(groups, kind="stable")
    same = groups[order][1:] == groups[order][:-1]
    return bool((values[order][1:][same] == values[order][:-1][same]).all())


def _measure_groups(
    column: NativeColumn, named: bool, codes: NDArray[np.uint32], n_classes: int
) -> tuple[int, _LabelAgreement] | None:
    """Return the number of groups of a column, and how often labels within them are equal."""
    nominal = isinstance(column, tuple)
    values = _codes_or_whole_numbers(column)
    if values is None or not len(values):
        return None
    group, sizes = _encode_and_count(values)
    used = sizes > 0
    n_values, n_rows = int(used.sum()), len(values)
    # Most rows share their value with another row. A value with most rows, such as 0, identifies nothing.
    if n_values < _FEWEST_VALUES or 2 * int((sizes == 1).sum()) > n_rows or sizes.max() > n_rows // 10:
        return None
    classes = codes if n_rows == len(codes) else codes[_present_rows(column)]
    table = np.bincount(group * n_classes + classes, minlength=len(sizes) * n_classes)
    counts: NDArray[np.float64] = table.reshape(-1, n_classes)[used].astype(np.float64)
    labels = _label_agreement(counts)
    if named:
        return n_values, labels
    # A value with many rows is a category: its labels agree because it predicts them.
    if labels.agreement < _AGREEMENT or not labels.certain or n_rows > _MOST_ROWS_OF_GROUP * n_values:
        return None
    if not nominal and _has_smooth_class_rates(counts):
        return None
    return n_values, labels


def _present_rows(column: NativeColumn) -> NDArray[np.bool_]:
    return column[0] != MISSING if isinstance(column, tuple) else ~np.isnan(column)


def _codes_or_whole_numbers(column: NativeColumn) -> NDArray[np.int64] | None:
    """Return the present level codes or whole numbers of a column; None for other columns."""
    if isinstance(column, tuple):
        if column[1] < _FEWEST_VALUES:
            return None
        present = _present_rows(column)
        return column[0][present].astype(np.int64)
    some = column[:_SOME]
    some = some[~np.isnan(some)]
    if not len(some) or (some != np.trunc(some)).any() or np.abs(some).max() > 2**53:
        return None
    values = column[_present_rows(column)]
    if not np.isfinite(values).all() or (values != np.trunc(values)).any() or np.abs(values).max() > 2**53:
        return None
    return values.astype(np.int64)


def _encode_and_count(values: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Encode the values in ascending order and count the rows of every possible code."""
    low = int(values.min())
    if int(values.max()) - low <= 4 * len(values):
        return values - low, np.bincount(values - low)
    _, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
    return group, sizes


class _LabelAgreement(NamedTuple):
    """Frequency of equal labels of two rows of a group.

    Parameters
    ----------
    equal, chance : float
        Proportion of pairs of rows of a group with equal labels, and that of all pairs of rows.
    certain : bool
        Whether the pairs within a group that are both of the rarest class are many more than independent rows
        would have, by the Poisson distribution.
    """

    equal: float
    chance: float
    certain: bool

    @property
    def agreement(self) -> float:
        """Chance-corrected agreement: 0 by chance, 1 if labels within groups are equal."""
        return (self.equal - self.chance) / (1 - self.chance) if self.chance < 1 else 0.0


def _label_agreement(table: NDArray[np.float64]) -> _LabelAgreement:
    """Compare the labels of pairs of rows; ``table`` counts the rows by group and class."""
    totals, sizes = table.sum(axis=0), table.sum(axis=1)
    n_rows = totals.sum()
    pairs = (sizes * (sizes - 1)).sum()
    equal = (table * (table - 1)).sum()
    chance = (totals * (totals - 1)).sum() / (n_rows * (n_rows - 1))
    if not pairs or chance >= 1:
        return _LabelAgreement(float(chance), float(chance), certain=False)
    rarest = int(np.argmin(np.where(totals > 0, totals, np.inf)))
    found = (table[:, rarest] * (table[:, rarest] - 1)).sum() / 2
    expected = pairs / 2 * totals[rarest] * (totals[rarest] - 1) / (n_rows * (n_rows - 1))
    certain = found > expected + 6 * np.sqrt(expected) + 5
    return _LabelAgreement(float(equal / pairs), float(chance), bool(certain))


def _has_smooth_class_rates(table: NDArray[np.float64]) -> bool:
    """Check whether adjacent values of a number have similar class proportions."""
    sizes, totals = table.sum(axis=1), table.sum(axis=0)
    common = int(np.argsort(-totals)[0])
    residual = table[:, common] / sizes - totals[common] / totals.sum()
    weight = np.sqrt(sizes[1:] * sizes[:-1])
    scale = (sizes * residual**2).sum() / sizes.sum()
    return bool(scale > 0 and (weight * residual[1:] * residual[:-1]).sum() / weight.sum() > _SMOOTH * scale)


def _count_near_duplicates(columns: list[NativeColumn], codes: NDArray[np.uint32]) -> tuple[int, int] | None:
    """Count sampled rows with near-duplicates, and sampled rows; None if few have any.

    If rows are independent and the density is smooth at the scale of the nearest neighbors, the number of
    rows within distance r of a row grows with r^D. The scaled jumps ``j D log(d_(j+1) / d_j)`` of the
    distances to the neighbors are then exponential variables with mean 1 (Levina and Bickel 2004 estimate D
    in this way). In groups of similar rows, one jump separates the group from the other rows.
    """
    rng = np.random.default_rng(0)
    rows = np.arange(len(codes))
    if len(rows) > _MOST_ROWS:
        rows = np.sort(rng.choice(rows, _MOST_ROWS, replace=False))
        codes = codes[rows]
    matrix = _scale_by_quartiles(columns, rows, rng)
    classes = np.unique(codes)
    if matrix is None or len(classes) < 2:
        return None
    rarest = min(classes, key=lambda code: int(np.sum(codes == code)))
    half = _QUERIES // 2
    sampled = [
        rng.permutation(np.flatnonzero((codes == rarest) == is_rare))[:half] for is_rare in (True, False)
    ]
    found = [_neighbor_label_agreement(matrix, int(row), codes) for row in np.concatenate(sampled)]
    in_cluster = [cluster for cluster in found if cluster is not None]
    own_rare = [cluster for cluster in found[: len(sampled[0])] if cluster is not None]
    if 2 * len(in_cluster) <= len(found) or 2 * len(own_rare) < len(sampled[0]):
        return None
    inside, outside = np.mean(own_rare, axis=0)
    if inside < 0.8 or inside - outside < 0.2:
        return None
    return len(in_cluster), len(found)


def _scale_by_quartiles(
    columns: list[NativeColumn], rows: Any, rng: np.random.Generator
) -> NDArray[np.float32] | None:
    """Scale the continuous columns by their quartiles; None for fewer than two."""
    some = rng.choice(rows, min(len(rows), 300), replace=False)
    found: list[NDArray[np.float32]] = []
    for column in columns:
        if isinstance(column, tuple) or len(found) == _MOST_COLUMNS:
            continue
        known = column[some]
        known = known[np.isfinite(known)]
        if 2 * len(np.unique(known)) < len(some):
            continue
        low, middle, high = np.quantile(known, [0.25, 0.5, 0.75])
        if high > low:
            values = np.where(np.isfinite(column[rows]), column[rows], middle)
            found.append(np.clip((values - middle) / (high - low), -5, 5).astype(np.float32))
    return np.stack(found, axis=1) if len(found) > 1 else None


def _neighbor_label_agreement(
    matrix: NDArray[np.float32], row: int, codes: NDArray[np.uint32]
) -> tuple[float, float] | None:
    """Agreement of labels with near-duplicates of a row and with its next neighbors, or None."""
    difference = matrix - matrix[row]
    squared = np.einsum("ij,ij->i", difference, difference)
    squared[row] = -1.0
    k = min(_NEIGHBORS, len(codes) // 4)
    near = np.argpartition(squared, k + 1)[: k + 1]
    near = near[np.argsort(squared[near], kind="stable")][1:]
    logs = 0.5 * np.log(np.maximum(squared[near], 1e-12))
    half = k // 2
    spread = logs[-1] - logs[half - 1]
    if spread <= 0:
        return None
    dimension = np.log(k / half) / spread
    jumps = np.arange(1, half + 1) * dimension * np.diff(logs[: half + 1])
    last = int(np.argmax(jumps))
    if jumps[last] < _JUMP:
        return None
    same = codes[near] == codes[row]
    return float(same[: last + 1].mean()), float(same[last + 1 : last + 1 + half].mean())
