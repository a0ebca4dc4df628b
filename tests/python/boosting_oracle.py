"""Slow reference implementation of boosted trees: textbook rounds of boosting on small tables."""

import math

import numpy as np


def table(seed, n=300):
    """Two numeric columns, one with missing values, two text columns of few and many levels; two classes."""
    rng = np.random.default_rng(seed)
    columns = {
        "a": np.round(rng.normal(size=n), 1),
        "b": np.where(rng.random(n) < 0.2, np.nan, rng.integers(0, 12, n)),
        "few": rng.choice(["x", "y", "z"], n).astype(object),
        "many": rng.choice(list("abcdefgh"), n).astype(object),
    }
    columns["few"][rng.random(n) < 0.1] = None
    columns["many"][rng.random(n) < 0.1] = None
    score = (
        columns["a"]
        + np.isin(columns["many"], list("acg"))
        + (columns["few"] == "y")
        + np.isnan(columns["b"])
    )
    return columns, (score + rng.normal(size=n) > 2.2).astype(int)


class Oracle:
    """Textbook boosting: tries every cut of every leaf, with sums of multiples of a power of two.

    ``signs`` and ``sets`` are constraints by position: monotone columns, and sets of columns that may
    interact.
    """

    def __init__(self, columns, y, limits, loss, signs=None, sets=None):
        self.columns, self.y, self.n = columns, y, len(y)
        self.levels = {
            name: sorted({v for v in of if v is not None})
            for name, of in columns.items()
            if of.dtype == object
        }
        self.limits, self.loss = limits, loss
        self.signs, self.sets = signs, sets
        count_bits = self.n.bit_length()
        most = loss["most"]
        bits = min(30, 62 - count_bits), min(30, 63 - 2 * min(count_bits, 31))
        self.sizes = [2.0 ** (math.frexp(top)[1] - bit) for top, bit in zip(most, bits, strict=True)]

    def sums(self, rows):
        """Gradients and Hessians of rows, as integers times a unit, so that the order of summation has no
        effect.
        """
        return [
            sum(map(of.__getitem__, rows)) * size for of, size in zip(self.slopes, self.sizes, strict=True)
        ]

    def worth(self, rows, extra=0.0, bounds=None):
        gradient, hessian = self.sums(rows)
        under = hessian + self.limits["reg_lambda"] + extra
        if self.signs is None:
            return gradient * gradient / under
        w = self.value(rows, bounds, extra) / self.limits["learning_rate"]
        return -(2.0 * gradient * w + under * w * w)

    def allowed(self, rows):
        return len(rows) >= self.limits["min_samples_leaf"] and self.sums(rows)[1] >= 1e-3

    def cuts(self, rows):
        """All cuts of rows: column, cut, rows on its left, and the additional L2 penalty."""
        for at, (name, values) in enumerate(self.columns.items()):
            if name not in self.levels:
                gaps = [row for row in rows if math.isnan(values[row])]
                known = sorted({values[row] for row in rows if not math.isnan(values[row])})
                for value in known:
                    below = [row for row in rows if values[row] <= value]
                    last = value == known[-1]
                    yield at, ("known",) if last else ("below", value), below, 0.0
                    if gaps and not last:
                        yield at, ("below", value), sorted(below + gaps), 0.0
                continue
            groups = {
                level: [row for row in rows if values[row] == level] for level in [*self.levels[name], None]
            }
            groups = {level: found for level, found in groups.items() if found}
            if len(self.levels[name]) <= 4:
                for level, found in groups.items():
                    yield at, ("levels", {level}), found, 0.0
                continue

            def target_statistic(level, groups=groups):
                gradient, hessian = self.sums(groups[level])
                return gradient / (hessian + self.limits["level_smoothing"])

            # Levels are ranked by code; missing values come last.
            order = sorted(groups, key=lambda level: (target_statistic(level), level is None, level or ""))
            for end in range(1, len(order)):
                left = order[:end]
                found = sorted(row for level in left for row in groups[level])
                yield at, ("levels", set(left)), found, self.limits["level_smoothing"]

    def may(self, at, used):
        return self.sets is None or any(used | {at} <= of for of in self.sets)

    def best(self, rows, bounds, used):
        best = None
        for at, cut, left, extra in self.cuts(rows):
            right = sorted(set(rows) - set(left))
            if not (self.allowed(left) and self.allowed(right) and self.may(at, used)):
                continue
            if self.signs and cut[0] == "below":
                low, high = (self.value(side, bounds) for side in (left, right))
                if self.signs[at] * (high - low) < 0:
                    continue
            whole = self.worth(rows, 0.0, bounds)
            gain = self.worth(left, extra, bounds) + self.worth(right, extra, bounds) - whole
            if gain > max(0.0, 1e-12 * whole) and (best is None or gain > best[0]):
                best = gain, at, cut, left, right
        return best

    def value(self, rows, bounds=None, extra=0.0):
        gradient, hessian = self.sums(rows)
        step = -self.limits["learning_rate"] * gradient / (hessian + self.limits["reg_lambda"] + extra)
        return step if bounds is None else min(max(step, bounds[0]), bounds[1])

    def below(self, split, bounds, used):
        """Leaves of a split, with their bounds and the columns above them."""
        _, at, cut, left, right = split
        sides = [bounds, bounds]
        if self.signs and self.signs[at] and cut[0] == "below":
            low, high = self.value(left, bounds), self.value(right, bounds)
            middle = low + (high - low) / 2.0
            sides = [(bounds[0], middle), (middle, bounds[1])]
            if self.signs[at] < 0:
                sides = [(middle, bounds[1]), (bounds[0], middle)]
        return [(rows, side, used | {at}) for rows, side in zip((left, right), sides, strict=True)]

    def tree(self):
        """Rows and bounds of the leaves of a tree, and its splits in the order in which they were made."""
        free = (-math.inf, math.inf) if self.signs else None
        leaves, splits = [(list(range(self.n)), free, frozenset())], []
        found = [self.best(*leaves[0])]
        while len(leaves) < self.limits["max_leaf_nodes"]:
            there = [at for at, best in enumerate(found) if best is not None]
            if not there:
                break
            # Of equal gains, the leaf made first is split.
            at = max(there, key=lambda at: found[at][0])
            gain, column, cut, *_ = found[at]
            splits.append((column, cut, gain))
            new = self.below(found[at], *leaves[at][1:])
            leaves[at : at + 1], found[at : at + 1] = [], []
            leaves += new
            found += [self.best(*leaf) for leaf in new]
        return leaves, splits

    def fit(self, rounds):
        """Scores of all rows after some rounds, and the splits of every tree."""
        scores, grown = [0.0] * self.n, []
        for _ in range(rounds):
            slopes = [
                self.loss["slope"](s + self.loss["start"], label)
                for s, label in zip(scores, self.y, strict=True)
            ]
            self.slopes = [
                [round(slope[at] / size) for slope in slopes] for at, size in enumerate(self.sizes)
            ]
            leaves, splits = self.tree()
            for rows, bounds, _ in leaves:
                for row in rows:
                    scores[row] += self.value(rows, bounds)
            grown.append((splits, sorted(tuple(rows) for rows, *_ in leaves)))
        return [score + self.loss["start"] for score in scores], grown


def logistic(score):
    small = math.exp(-abs(score))
    return (1.0 if score >= 0 else small) / (1.0 + small)


def log_loss_of(y):
    def slope(score, label):
        p = logistic(score)
        return p - label, p * (1 - p)

    share = float(np.mean(y))
    return {"most": (1.0, 0.25), "slope": slope, "start": math.log(share) - math.log(1.0 - share)}


def balanced_loss_of(y):
    weights = [len(y) / (2.0 * (len(y) - y.sum())), len(y) / (2.0 * y.sum())]

    def slope(score, label):
        p = logistic(score)
        return (p - label) * weights[label], p * (1 - p) * weights[label]

    masses = [float(np.sum(y == label)) * weights[label] for label in (0, 1)]
    start = math.log(masses[1] / sum(masses)) - math.log(masses[0] / sum(masses))
    return {"most": (max(weights), 0.25 * max(weights)), "slope": slope, "start": start}
