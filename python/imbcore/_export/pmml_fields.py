"""Conversion of the steps other than trees to PMML fields, one per number.

An expression is a double, or a tuple that begins with its kind: ``("field", name)``, ``("label", label)``,
``("level", level, type)``, ``("truth", holds)``, ``("apply", function, parts)``,
``("steps", field, missing, bins)``, ``("line", field, points)``, ``("map", field, missing, rows)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from imbcore.exceptions import UnsupportedError

FUNCTIONS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "exp": "exp", "log": "ln"}
TESTS = {"<": "lessThan", "<=": "lessOrEqual", "==": "equal"}


def literal(value: Any) -> str:
    """Format a value; doubles round-trip exactly."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def pmml_feature_type(feature: dict[str, Any]) -> str:
    """Return the PMML type of the values of a feature."""
    if feature["kind"] == "numeric":
        return "double"
    levels = feature["levels"]
    of_text = [isinstance(level, str) for level in levels]
    if any(of_text) and not all(of_text):
        raise UnsupportedError(
            f"feature {feature['name']!r} has text and numeric levels, which PMML fields do not support; "
            "fit with text"
        )
    if all(of_text):
        return "string"
    if all(isinstance(level, bool) for level in levels):
        return "boolean"
    return "integer" if all(isinstance(level, int) for level in levels) else "double"


def function_call_expression(function: str, *parts: Any) -> Any:
    """Build the application of a function to expressions."""
    return ("apply", function, list(parts))


class FieldExpressions:
    """Field names of the numbers of all steps, and their expressions."""

    def __init__(self, document: dict[str, Any], prefix: str) -> None:
        self.steps, self.features, self.prefix = document["steps"], document["features"], prefix

    def tree_output_name(self, step: int, place: int) -> str:
        """Return the field name of an output of trees."""
        return f"{self.prefix}.trees{step}.{place}"

    def tree_output_names(self) -> list[str]:
        """Return the field names of all outputs of trees."""
        trees = [(at, step["width"]) for at, step in enumerate(self.steps) if step["op"] == "trees"]
        return [self.tree_output_name(at, place) for at, width in trees for place in range(width)]

    def cell(self, at: int, place: int) -> Any:
        """Return an expression of one number of a step; a width of 1 is broadcast."""
        step = self.steps[at]
        place = 0 if step["width"] == 1 else place
        match step["op"]:
            case "constant":
                return float(step["values"][place])
            case "part":
                return self.cell(step["of"][0], step["at"])
            case "value":
                return ("field", self.features[step["feature"]]["name"])
            case "trees":
                return ("field", self.tree_output_name(at, place))
            case "join":
                for of in step["of"]:
                    if place < self.steps[of]["width"]:
                        return self.cell(of, place)
                    place -= self.steps[of]["width"]
        return ("field", f"{self.prefix}.{at}.{place}")

    def all(self, at: int) -> list[Any]:
        """Return expressions of all numbers of a step."""
        return [self.cell(at, place) for place in range(self.steps[at]["width"])]

    def derived(self) -> Iterator[tuple[str, Any]]:
        """Yield all derived fields, each after the fields that it uses."""
        for at, step in enumerate(self.steps):
            if step["op"] in ("constant", "value", "part", "trees", "join"):
                continue
            key = f"{self.prefix}.{at}.key"
            if step["op"] in ("table", "curve", "stairs"):
                yield key, self.key(step)
            for place in range(step["width"]):
                yield f"{self.prefix}.{at}.{place}", self.expression(step, place, key)

    def key(self, step: dict[str, Any]) -> Any:
        """Return the lookup key of a step."""
        codes = [self.cell(of, 0) for of in step.get("of", [])]
        if not codes:
            return 0.0
        place = codes[0]
        for code, size in zip(codes[1:], step.get("sizes", [])[1:], strict=True):
            place = function_call_expression("+", function_call_expression("*", place, float(size)), code)
        # Always create a separate field, because lookups refer to it by name.
        return function_call_expression("*", place, 1.0)

    def expression(self, step: dict[str, Any], place: int, key: str) -> Any:
        """Return an expression of one number of a step."""
        op = step["op"]
        cells = [self.cell(of, place) for of in step.get("of", [])]
        if op in FUNCTIONS:
            return function_call_expression(FUNCTIONS[op], *cells)
        match op:
            case "choose":
                return function_call_expression(
                    "if", function_call_expression(TESTS[step["test"]], *cells[:2]), *cells[2:]
                )
            case "sum":
                first, *others = self.all(step["of"][0])
                for other in others:
                    first = function_call_expression("+", first, other)
                return first
            case "largest":
                return function_call_expression("max", *self.all(step["of"][0]))
            case "first_largest":
                return argmax_expression(self.all(step["of"][0]))
            case "any_missing":
                features = [("field", self.features[at]["name"]) for at in step["features"]]
                missing = [function_call_expression("isMissing", of) for of in [*features, *cells]]
                some = function_call_expression("or", *missing) if len(missing) > 1 else missing[0]
                return function_call_expression("if", some, 1.0, 0.0)
            case "bin":
                values = [float(code) for code in range(len(step["cuts"]) + 1)]
                bins = build_intervals(step["cuts"], values, reached=False)
                return interval_lookup_expression(
                    self.features[step["feature"]]["name"], step.get("missing"), bins
                )
            case "level":
                feature = self.features[step["feature"]]
                rows = [(feature["levels"][level], float(level)) for level in step["known"]]
                return ("map", feature["name"], step.get("missing"), rows)
            case "table":
                places = [at - 0.5 for at in range(1, len(step["rows"]))]
                bins = build_intervals(places, [row[place] for row in step["rows"]], reached=True)
                return interval_lookup_expression(key, 0.0, bins)
            case "stairs":
                return interval_lookup_expression(
                    key, None, build_intervals(step["places"], step["values"], reached=step["reached"])
                )
            case "curve":
                points = list(zip(step["places"], step["values"], strict=True))
                return ("line", key, points) if len(points) > 1 else float(step["values"][0])
        return self.rules(step, place)

    def rules(self, step: dict[str, Any], place: int) -> Any:
        """Return the value of the first rule that holds."""
        found: Any = float(step["otherwise"][place])
        for rule in reversed(step["rules"]):
            value = float(rule["values"][place])
            tests = [self.condition(wanted) for wanted in rule["all"]]
            every = (
                function_call_expression("and", *tests)
                if len(tests) > 1
                else tests[0]
                if tests
                else ("truth", True)
            )
            found = function_call_expression("if", every, value, found)
        return found

    def condition(self, wanted: dict[str, Any]) -> Any:
        """Return a condition of a rule."""
        feature = self.features[wanted["feature"]]
        value = ("field", feature["name"])
        tests = []
        if "from" in wanted:
            tests.append(function_call_expression("greaterOrEqual", value, wanted["from"]))
        if "to" in wanted:
            tests.append(function_call_expression("lessOrEqual", value, wanted["to"]))
        if "levels" in wanted:
            levels = [
                ("level", feature["levels"][level], pmml_feature_type(feature)) for level in wanted["levels"]
            ]
            tests.append(function_call_expression("isIn", value, *levels) if levels else ("truth", False))
        every = function_call_expression("and", *tests) if len(tests) > 1 else tests[0]
        return function_call_expression(
            "if", function_call_expression("isMissing", value), ("truth", wanted["or_missing"]), every
        )


def argmax_expression(cells: list[Any]) -> Any:
    """Return the index of the first largest value."""
    found: Any = float(len(cells) - 1)
    for place in reversed(range(len(cells) - 1)):
        tests = [
            function_call_expression("greaterOrEqual", cells[place], other) for other in cells[place + 1 :]
        ]
        every = function_call_expression("and", *tests) if len(tests) > 1 else tests[0]
        found = function_call_expression("if", every, float(place), found)
    return found


def interval_lookup_expression(field: str, missing: float | None, bins: list[tuple[Any, ...]]) -> Any:
    """Look up a field in intervals; PMML does not allow an interval without ends."""
    if len(bins) > 1:
        return ("steps", field, missing, bins)
    there = function_call_expression("isNotMissing", ("field", field))
    return function_call_expression("if", there, bins[0][0], *([] if missing is None else [missing]))


def build_intervals(places: list[float], values: list[float], *, reached: bool) -> list[tuple[Any, ...]]:
    """Return the intervals between places, with the value of each."""
    ends = [None, *places, None]
    closure = "closedOpen" if reached else "openClosed"
    return [(value, closure, low, high) for value, low, high in zip(values, ends[:-1], ends[1:], strict=True)]
