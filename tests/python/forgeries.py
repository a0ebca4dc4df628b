"""Forged certificates: random changes of a JSON document, by kind."""

import copy
import math

NUMBERS = [
    0,
    0.0,
    -1,
    1,
    0.5,
    1e-9,
    5e-324,
    2.0**-1000,
    1e11,
    -1e11,
    1e300,
    1.7e308,
    -1.7e308,
    2**53 + 1,
    10**400,
]
BOUNDS = {"bound", "first", "second", "sigma", "objective", "gap"}
COSTS = {"prices", "price", "reward", "pairs", "leaf", "negative_weight", "box_cost"}
SCALES = {"units", "scale", "goal", "unit", "origin", "shift", "margin", "epsilon", "low", "high"}
TREES = {
    "max_depth",
    "min_weight_leaf",
    "cuts",
    "between",
    "test",
    "feature",
    "missing_first",
    "lower",
    "upper",
}


def places(node, path=()):
    """Every location in a document below its root, as a path of keys."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


def held(document, path):
    for key in path:
        document = document[key]
    return document


def put(document, path, value):
    held(document, path[:-1])[path[-1]] = value


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def pick(rng, items):
    return items[int(rng.integers(len(items)))] if items else None


def paths_below(document, names):
    """Numbers below a key with one of these names."""
    return [path for path in places(document) if names & set(path) and is_number(held(document, path))]


def change_numbers(names):
    def forge(document, rng):
        paths = paths_below(document, names)
        for _ in range(int(rng.integers(1, 4))):
            if path := pick(rng, paths):
                # Integers may exceed the range of floats.
                old = max(min(held(document, path), 1e300), -1e300)
                new = [old + 1, old - 1, old * 2, old / 2, -old, old + 1000, old * (1 + 1e-6), 0, 1e9]
                put(document, path, pick(rng, new))

    return forge


def multiply(document, rng):
    """Multiply all numbers of some names by one factor, so that related dual values and bounds stay
    consistent.
    """
    factor = pick(rng, [0, -1, 1e-300, 1e300, 3, 1 / 3, 1e-9, 2.0**40, 1e9])
    for path in paths_below(document, pick(rng, [COSTS, COSTS | BOUNDS, SCALES, BOUNDS])):
        put(document, path, max(min(held(document, path), 1e300), -1e300) * factor)


def trivial(document, rng):
    """Dual values of 0 and a bound consistent with them, for the existing kinds of certificates."""
    for path in paths_below(document, COSTS if rng.random() < 0.7 else COSTS - {"goal"}):
        if "goal" not in path:
            put(document, path, pick(rng, [0, 0.0, 1e-300]))
    for path in paths_below(document, {"bound", "first", "second", "sigma"}):
        put(document, path, pick(rng, [0, 0.0, -1e300]))


def set_numbers(values):
    def forge(document, rng):
        paths = [path for path in places(document) if is_number(held(document, path))]
        for _ in range(int(rng.integers(1, 4))):
            if path := pick(rng, paths):
                put(document, path, pick(rng, values))

    return forge


def change_lists(change):
    def forge(document, rng):
        paths = [path for path in places(document) if isinstance(held(document, path), list)]
        paths = [path for path in paths if held(document, path)]
        if path := pick(rng, paths):
            put(document, path, change(held(document, path), rng))

    return forge


def leave_out(document, rng):
    if path := pick(rng, list(places(document))):
        del held(document, path[:-1])[path[-1]]


def swap(document, rng):
    """Swap two parts of one kind anywhere in the document."""
    paths = list(places(document))
    first = pick(rng, paths)
    alike = [path for path in paths if type(held(document, path)) is type(held(document, first))]
    second = pick(rng, [path for path in alike if path[: len(first)] != first and first[: len(path)] != path])
    if second is not None:
        one, other = copy.deepcopy(held(document, first)), copy.deepcopy(held(document, second))
        put(document, first, other)
        put(document, second, one)


def retype(document, rng):
    if path := pick(rng, list(places(document))):
        values = ["", "1", "NaN", None, True, [], {}, [[]], [1], {"a": 1}, 0.5, -1, b"x", {1}, object(), 1j]
        put(document, path, pick(rng, values))


def nest(document, rng):
    if path := pick(rng, list(places(document))):
        value = held(document, path)
        for _ in range(pick(rng, [1, 2, 130, 5000])):
            value = [value]
        put(document, path, value)


KINDS = {
    "bounds": change_numbers(BOUNDS),
    "costs": change_numbers(COSTS),
    "scales": change_numbers(SCALES),
    "trees": change_numbers(TREES),
    "multiplied": multiply,
    "trivial": trivial,
    "huge and tiny": set_numbers(NUMBERS),
    "not finite": set_numbers([math.nan, math.inf, -math.inf]),
    "duplicates": change_lists(lambda of, rng: of + [copy.deepcopy(pick(rng, of))] * int(rng.integers(1, 9))),
    "orders": change_lists(lambda of, rng: [of[at] for at in rng.permutation(len(of))]),
    "truncated": change_lists(lambda of, rng: of[: int(rng.integers(len(of)))]),
    "missing": leave_out,
    "swapped": swap,
    "types": retype,
    "nesting": nest,
    "nothing": lambda document, rng: None,
}


def forge(document, kind, rng):
    forged = copy.deepcopy(document)
    if rng.random() < 0.2:
        # Deeply nested documents cannot be traversed afterwards.
        KINDS[pick(rng, [other for other in KINDS if other != "nesting"])](forged, rng)
    KINDS[kind](forged, rng)
    return forged
