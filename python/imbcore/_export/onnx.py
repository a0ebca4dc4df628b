"""Conversion of the steps of a model to an ONNX graph."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from imbcore._export.names import reject_unusable_names, unused_prefix
from imbcore._export.onnx_shares import add_fractional_leaf_sum
from imbcore._export.onnx_trees import ensemble
from imbcore._validation.optional import import_failure
from imbcore.exceptions import OutOfMemoryError, UnsupportedError

# TreeEnsemble with doubles exists since version 5 of ai.onnx.ml.
OPSETS = {"": 18, "ai.onnx.ml": 5}
IR_VERSION = 10
JOINS = {"add": "Add", "subtract": "Sub", "multiply": "Mul", "divide": "Div", "exp": "Exp", "log": "Log"}
TESTS = {"<": "Less", "<=": "LessOrEqual", "==": "Equal"}
OUTPUTS = ("label", "probabilities")
# Label of a row without a prediction.
NO_WHOLE_NUMBER = -(2**63)


def document_to_onnx(read: Callable[[], dict[str, Any]]) -> Any:
    """Convert the document that ``read`` returns to an ONNX ``ModelProto``."""
    try:
        import onnx
    except ImportError as error:
        raise import_failure(error, "to_onnx() needs onnx: pip install 'imbcore[onnx]'") from error
    from google.protobuf.message import DecodeError, EncodeError

    # The first C++ exception of a thread allocates thread-local data, and glibc ends the process if it
    # cannot. An invalid model raises one before the document is read, while there is memory.
    with suppress(onnx.checker.ValidationError):
        onnx.checker.check_model(onnx.ModelProto())
    try:
        return _document_to_model_proto(onnx, read())
    except (DecodeError, EncodeError) as error:
        # The protocol buffer is generated here, so decoding can only fail for lack of memory.
        raise OutOfMemoryError(
            "the model is too large for the memory of this process, or for the 2 GiB of an ONNX file "
            f"({error}). Raise the memory limit, or fit fewer or smaller trees"
        ) from error


def _document_to_model_proto(onnx: Any, document: dict[str, Any]) -> Any:
    graph = OnnxGraphBuilder(onnx)
    inputs = graph.read(document["features"])
    graph.append_lookup_values(document["lookups"])
    for step in document["steps"]:
        graph.steps.append(graph.step(step))
    outputs = graph.add_outputs(document)
    made = onnx.helper.make_graph(graph.nodes, "imbcore", inputs, outputs, initializer=graph.constants)
    opsets = [onnx.helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
    model = onnx.helper.make_model(made, opset_imports=opsets, ir_version=IR_VERSION, producer_name="imbcore")
    onnx.checker.check_model(model)
    return model


class OnnxGraphBuilder:
    """Builder of a graph; all values are doubles, with one row per input row."""

    def __init__(self, onnx: Any) -> None:
        self.onnx = onnx
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        # Output names of the steps.
        self.steps: list[str] = []
        self.features: list[dict[str, Any]] = []
        self.n_lookups = 0
        self.prefix = unused_prefix([])
        # Name of the table of all values, with levels as codes.
        self.x = ""

    def add(self, op: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add a node and return the name of its output."""
        name = f"{self.prefix}.{len(self.nodes)}"
        node = self.onnx.helper.make_node(op, list(inputs), [name], domain=domain, **attributes)
        self.nodes.append(node)
        return name

    def constant(self, values: Any, dtype: Any = np.float64) -> str:
        """Add a constant and return its name."""
        name = f"{self.prefix}.c{len(self.constants)}"
        self.constants.append(self.onnx.numpy_helper.from_array(np.array(values, dtype=dtype), name))
        return name

    def number(self, value: float) -> str:
        """Add a constant number."""
        return self.constant([[value]])

    def zeros(self) -> str:
        """Add a column of zeros with one entry per row."""
        known = self.add("Cast", self.is_missing(self.column(0)), to=11)
        return self.add("Mul", known, self.number(0.0))

    def is_missing(self, of: str) -> str:
        """Test for missing values (NaN)."""
        return self.add("IsNaN", of)

    def column(self, feature: int) -> str:
        """Select the values of a feature."""
        return self.add("Gather", self.x, self.constant([feature], np.int64), axis=1)

    def part(self, of: str, at: int) -> str:
        """Select one value of a step."""
        return self.add("Gather", of, self.constant([at], np.int64), axis=1)

    def sum(self, of: str) -> str:
        """Sum the values of each row."""
        return self.add("ReduceSum", of, self.constant([1], np.int64), keepdims=1)

    def to_integers(self, of: str) -> str:
        """Convert to integers, with 0 for NaN."""
        return self.add("Cast", self.add("Where", self.is_missing(of), self.number(0.0), of), to=7)

    def gather(self, table: Any, places: str) -> str:
        """Look up the row of a table, or the entry of a list, for a column of integers."""
        cells = np.array(table, dtype=np.float64)
        flat = self.add("Reshape", places, self.constant([-1], np.int64))
        wide = cells if cells.ndim == 2 else cells[:, None]
        return self.add("Gather", self.constant(wide), flat, axis=0)

    def count(self, of: str, places: list[float], test: str) -> str:
        """Count the places for which the comparison with a column is true."""
        if not places:
            return self.zeros()
        return self.sum(self.add("Cast", self.add(test, of, self.constant([places])), to=11))

    def read(self, features: list[dict[str, Any]]) -> list[Any]:
        """Create the inputs: one table if all features are numeric, else one column per feature."""
        self.features = features
        proto, make = self.onnx.TensorProto, self.onnx.helper.make_tensor_value_info
        if all(feature["kind"] == "numeric" for feature in features):
            self.x = "X"
            return [make("X", proto.DOUBLE, [None, len(features)])]
        names = [feature["name"] for feature in features]
        reject_unusable_names(names, "ONNX", OUTPUTS)
        self.prefix = unused_prefix(names)
        inputs, columns = [], []
        for feature in features:
            of_text = feature["kind"] == "nominal" and has_text_levels(feature)
            inputs.append(make(feature["name"], proto.STRING if of_text else proto.DOUBLE, [None, 1]))
            columns.append(self.codes(feature, of_text) if feature["kind"] == "nominal" else feature["name"])
        self.x = self.add("Concat", *columns, axis=1)
        return inputs

    def append_lookup_values(self, lookups: list[dict[str, Any]]) -> None:
        """Append the numbers of lookup tables to the table of all values."""
        self.n_lookups = len(lookups)
        columns = [self.x]
        for lookup in lookups:
            code, n_levels = self.column(lookup["feature"]), float(len(lookup["values"]))
            place = self.add("Where", self.is_missing(code), self.number(n_levels), code)
            columns.append(self.gather([*lookup["values"], lookup["missing"]], self.to_integers(place)))
        if lookups:
            self.x = self.add("Concat", *columns, axis=1)

    def codes(self, feature: dict[str, Any], of_text: bool) -> str:
        """Encode the levels of a feature; other values become missing."""
        levels, tensor = feature["levels"], self.onnx.helper.make_tensor
        kind = self.onnx.TensorProto.STRING if of_text else self.onnx.TensorProto.DOUBLE
        keys = [level.encode() for level in levels] if of_text else [float(level) for level in levels]
        double = self.onnx.TensorProto.DOUBLE
        return self.add(
            "LabelEncoder",
            feature["name"],
            domain="ai.onnx.ml",
            keys_tensor=tensor("keys", kind, [len(keys)], keys),
            values_tensor=tensor("values", double, [len(keys)], [float(code) for code in range(len(keys))]),
            default_tensor=tensor("default", double, [1], [math.nan]),
        )

    def step(self, step: dict[str, Any]) -> str:
        """Add a step."""
        op, of = step["op"], [self.steps[at] for at in step.get("of", [])]
        if op in JOINS:
            return self.add(JOINS[op], *of)
        return getattr(self, f"_{op}")(step, of)

    def _constant(self, step: dict[str, Any], of: list[str]) -> str:
        return self.constant([step["values"]])

    def _trees(self, step: dict[str, Any], of: list[str]) -> str:
        shared = any("masses" in node for tree in step["trees"] for node in tree)
        return add_fractional_leaf_sum(self, step) if shared else ensemble(self, step)

    def _rules(self, step: dict[str, Any], of: list[str]) -> str:
        # Adding zeros of the input keeps the number of rows if there are no rules.
        rows = self.zeros()
        found = self.add("Add", rows, self.constant([step["otherwise"]]))
        for rule in reversed(step["rules"]):
            values = self.constant([rule["values"]])
            if not rule["all"]:
                found = self.add("Add", rows, values)
                continue
            holds = [self._add_condition(wanted) for wanted in rule["all"]]
            every = holds[0]
            for other in holds[1:]:
                every = self.add("And", every, other)
            found = self.add("Where", every, values, found)
        return found

    def _add_condition(self, wanted: dict[str, Any]) -> str:
        value = self.column(wanted["feature"])
        tests = []
        if "from" in wanted:
            tests.append(self.add("GreaterOrEqual", value, self.number(wanted["from"])))
        if "to" in wanted:
            tests.append(self.add("LessOrEqual", value, self.number(wanted["to"])))
        if "levels" in wanted:
            n_levels = len(self.features[wanted["feature"]]["levels"])
            table = [float(level in wanted["levels"]) for level in range(n_levels)]
            inside = self.add("Greater", self.gather(table, self.to_integers(value)), self.number(0.5))
            tests.append(self.add("And", inside, self.add("Not", self.is_missing(value))))
        all_of_them = tests[0]
        for other in tests[1:]:
            all_of_them = self.add("And", all_of_them, other)
        return self.add("Or", all_of_them, self.is_missing(value)) if wanted["or_missing"] else all_of_them

    def _value(self, step: dict[str, Any], of: list[str]) -> str:
        return self.column(step["feature"])

    def _bin(self, step: dict[str, Any], of: list[str]) -> str:
        value = self.column(step["feature"])
        count = self.count(value, step["cuts"], "Greater")
        return self.add("Where", self.is_missing(value), self.number(step.get("missing", math.nan)), count)

    def _level(self, step: dict[str, Any], of: list[str]) -> str:
        value, missing = self.column(step["feature"]), step.get("missing", math.nan)
        n_levels = len(self.features[step["feature"]]["levels"])
        table = [float(level) if level in step["known"] else missing for level in range(n_levels)]
        code = self.gather(table, self.to_integers(value))
        return self.add("Where", self.is_missing(value), self.number(missing), code)

    def _table(self, step: dict[str, Any], of: list[str]) -> str:
        if not of:
            return self.constant(step["rows"])
        place = of[0]
        for code, size in zip(of[1:], step["sizes"][1:], strict=True):
            place = self.add("Add", self.add("Mul", place, self.number(float(size))), code)
        found = self.gather(step["rows"], self.to_integers(place))
        return self.add("Where", self.is_missing(place), self.number(0.0), found)

    def _any_missing(self, step: dict[str, Any], of: list[str]) -> str:
        asked = [self.column(feature) for feature in step["features"]]
        missing = self.add("Cast", self.is_missing(self.add("Concat", *asked, *of, axis=1)), to=11)
        return self.add("ReduceMax", missing, self.constant([1], np.int64), keepdims=1)

    def _sum(self, step: dict[str, Any], of: list[str]) -> str:
        return self.sum(of[0])

    def _largest(self, step: dict[str, Any], of: list[str]) -> str:
        return self.add("ReduceMax", of[0], self.constant([1], np.int64), keepdims=1)

    def _first_largest(self, step: dict[str, Any], of: list[str]) -> str:
        return self.add("Cast", self.add("ArgMax", of[0], axis=1, keepdims=1, select_last_index=0), to=11)

    def _join(self, step: dict[str, Any], of: list[str]) -> str:
        # Constants have one row and cannot be concatenated with columns of any number of rows.
        rows = self.zeros()
        return self.add("Concat", *(self.add("Add", numbers, rows) for numbers in of), axis=1)

    def _part(self, step: dict[str, Any], of: list[str]) -> str:
        return self.part(of[0], step["at"])

    def _choose(self, step: dict[str, Any], of: list[str]) -> str:
        return self.add("Where", self.add(TESTS[step["test"]], of[0], of[1]), of[2], of[3])

    def _curve(self, step: dict[str, Any], of: list[str]) -> str:
        places, values = step["places"], step["values"]
        lows, froms, tos = [places[0], *places], [values[0], *values], [*values, values[-1]]
        ends = [*places, math.inf]
        slopes = [
            0.0 if start == end else (end - start) / (high - low)
            for low, high, start, end in zip(lows, ends, froms, tos, strict=True)
        ]
        at = self.to_integers(self.count(of[0], places, "Greater"))
        slope, low, start, end, high = (self.gather(table, at) for table in (slopes, lows, froms, tos, ends))
        line = self.add("Add", self.add("Mul", slope, self.add("Sub", of[0], low)), start)
        at_most = self.add("Where", self.add("Less", line, end), line, end)
        return self.add("Where", self.add("Equal", of[0], high), end, at_most)

    def _stairs(self, step: dict[str, Any], of: list[str]) -> str:
        test = "GreaterOrEqual" if step["reached"] else "Greater"
        return self.gather(step["values"], self.to_integers(self.count(of[0], step["places"], test)))

    def add_outputs(self, document: dict[str, Any]) -> list[Any]:
        """Add the outputs: labels, and probabilities."""
        classes, rows = document["classes"], self.zeros()
        # A step without features has one row; adding zeros gives one row per input row.
        place, proba = (self.add("Add", self.steps[document[key]], rows) for key in ("answer", "proba"))
        if document["refused"] is not None:
            refused = self.add("Greater", self.steps[document["refused"]], self.number(0.5))
            place = self.add("Where", refused, self.number(float(len(classes))), place)
            proba = self.add("Where", refused, self.number(math.nan), proba)
        proto, make = self.onnx.TensorProto, self.onnx.helper.make_tensor_value_info
        labels, kind = label_table(classes, proto)
        flat = self.add("Reshape", self.to_integers(place), self.constant([-1], np.int64))
        table = f"{self.prefix}.c{len(self.constants)}"
        self.constants.append(self.onnx.helper.make_tensor(table, kind, [len(labels)], labels))
        self.nodes.append(self.onnx.helper.make_node("Gather", [table, flat], ["label"], axis=0))
        self.nodes.append(self.onnx.helper.make_node("Identity", [proba], ["probabilities"]))
        return [make("label", kind, [None]), make("probabilities", proto.DOUBLE, [None, len(classes)])]


def has_text_levels(feature: dict[str, Any]) -> bool:
    """Check whether the levels of a feature are text; mixed levels raise an error."""
    of_text = [isinstance(level, str) for level in feature["levels"]]
    if any(of_text) and not all(of_text):
        raise UnsupportedError(
            f"feature {feature['name']!r} has text and numeric levels, which ONNX columns do not support; "
            "fit with text"
        )
    return all(of_text)


def label_table(classes: list[Any], proto: Any) -> tuple[list[Any], int]:
    """Return the labels, followed by the label of rows without a prediction."""
    if all(isinstance(label, str) for label in classes):
        return [label.encode() for label in classes] + [b""], proto.STRING
    if all(isinstance(label, int) for label in classes) and max(classes) < 2**63:
        return [int(label) for label in classes] + [NO_WHOLE_NUMBER], proto.INT64
    if all(isinstance(label, (int, float)) for label in classes):
        return [float(label) for label in classes] + [math.nan], proto.DOUBLE
    raise UnsupportedError(
        "the classes are text and numbers, which ONNX tensors do not support; fit with text"
    )
