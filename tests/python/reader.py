"""An independent interpreter of exported JSON models, written from its documentation."""

import math
from bisect import bisect_left, bisect_right
from itertools import chain


def answer(document, row):
    """The class and the probabilities of a row (a dict); both None if it has no prediction."""
    x = [value_of(feature, row.get(feature["name"])) for feature in document["features"]]
    for table in document["lookups"]:
        code = x[table["feature"]]
        x.append(table["missing"] if code is None else table["values"][code])
    done = []
    for step in document["steps"]:
        done.append(run(step, [done[i] for i in step.get("of", [])], x, len(document["lookups"])))
    if document["refused"] is not None and done[document["refused"]] != [0]:
        return None, None
    return document["classes"][int(done[document["answer"]][0])], done[document["proba"]]


def value_of(feature, value):
    """A number, or the index of a level; None if missing."""
    if feature["kind"] == "nominal":
        return feature["levels"].index(value) if value in feature["levels"] else None
    return None if value is None or math.isnan(value) else value


def split_by_number(node, first):
    """A split by a lookup table as a split by its number, which follows the features."""
    return node | {"feature": first + node["lookup"]} if "lookup" in node else node


def run(step, of, x, n_lookups):
    """Result of a step."""
    op, width = step["op"], step["width"]
    each = [
        [numbers[0 if len(numbers) == 1 else i] for numbers in of] if op in EACH or op == "choose" else None
        for i in range(width)
    ]
    if op in EACH:
        return [EACH[op](*numbers) for numbers in each]
    if op == "choose":
        holds = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, "==": lambda a, b: a == b}[step["test"]]
        return [then if holds(left, right) else other for left, right, then, other in each]
    if op == "trees":
        sums = [0.0] * width
        first = len(x) - n_lookups
        trees = ([split_by_number(node, first) for node in tree] for tree in step["trees"])
        for values, share in chain.from_iterable(leaves(tree, 0, 1.0, x) for tree in trees):
            sums = [total + share * value for total, value in zip(sums, values, strict=True)]
        return sums
    if op == "rules":
        held = (rule["values"] for rule in step["rules"] if all(holds_for(c, x) for c in rule["all"]))
        return next(held, step["otherwise"])
    if op == "table":
        place = 0
        for (code,), size in zip(of, step["sizes"], strict=True):
            place = None if place is None or code is None else place * size + code
        return [0.0] * width if place is None else step["rows"][int(place)]
    if op == "constant":
        return step["values"]
    return list(chain.from_iterable(of)) if op == "join" else [ONE[op](step, of, x)]


def leaves(nodes, at, share, x):
    """Outputs of the leaves that a row reaches below a node, each with its fraction of the row."""
    node = nodes[at]
    if "values" in node:
        return [(node["values"], share)]
    value, children = x[node["feature"]], node["children"]
    if value is None and "masses" in node:
        total = sum(node["masses"])
        parts = [(child, share * mass / total) for child, mass in zip(children, node["masses"], strict=True)]
        return chain.from_iterable(leaves(nodes, child, part, x) for child, part in parts if part > 0)
    if value is None:
        return leaves(nodes, node["missing"], share, x)
    if "at_most" in node:
        way = int(value > node["at_most"])
    elif "levels" in node:
        way = int(value not in node["levels"])
    else:
        way = 0 if node.get("known") else value
    return leaves(nodes, children[way], share, x)


def holds_for(wanted, x):
    """Check whether a condition of a rule holds."""
    value = x[wanted["feature"]]
    if value is None:
        return wanted["or_missing"]
    inside = value in wanted.get("levels", [value])
    return inside and wanted.get("from", -math.inf) <= value <= wanted.get("to", math.inf)


def curve(step, of, x):
    places, values, score = step["places"], step["values"], of[0][0]
    at = bisect_left(places, score)
    if at == len(places):
        return values[-1]
    if at == 0 or places[at] == score:
        return values[at]
    slope = (values[at] - values[at - 1]) / (places[at] - places[at - 1])
    return min(slope * (score - places[at - 1]) + values[at - 1], values[at])


def level(step, of, x):
    code = x[step["feature"]]
    return code if code in step["known"] else step.get("missing")


def bin_of(step, of, x):
    value = x[step["feature"]]
    return step.get("missing") if value is None else bisect_left(step["cuts"], value)


def stairs(step, of, x):
    count = bisect_right if step["reached"] else bisect_left
    return step["values"][count(step["places"], of[0][0])]


EACH = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b if b else math.copysign(math.inf, a) if a else math.nan,
    "exp": math.exp,
    "log": math.log,
}
ONE = {
    "value": lambda step, of, x: math.nan if x[step["feature"]] is None else x[step["feature"]],
    "bin": bin_of,
    "level": level,
    "curve": curve,
    "stairs": stairs,
    "any_missing": lambda step, of, x: float(None in [x[f] for f in step["features"]] + [c[0] for c in of]),
    "sum": lambda step, of, x: sum(of[0]),
    "largest": lambda step, of, x: max(of[0]),
    "first_largest": lambda step, of, x: of[0].index(max(of[0])),
    "part": lambda step, of, x: of[0][step["at"]],
}
