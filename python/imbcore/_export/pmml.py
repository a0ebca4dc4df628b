"""Conversion of the steps of a model to PMML 4.4.

Trees are segments of a model chain, one per step. All other steps are derived fields of the last model of
the chain, which has the probabilities of the model.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any
from xml.sax.saxutils import XMLGenerator, escape
from xml.sax.xmlreader import AttributesImpl

from imbcore._export.names import reject_non_xml_characters, reject_unusable_names, unused_prefix
from imbcore._export.pmml_fields import FieldExpressions, function_call_expression, literal, pmml_feature_type
from imbcore._export.pmml_trees import PmmlTreeWriter
from imbcore.exceptions import UnsupportedError

NAMESPACE = {
    "xmlns": "http://www.dmg.org/PMML-4_4",
    "xmlns:data": "http://jpmml.org/jpmml-model/InlineTable",
    "version": "4.4",
}


def document_to_pmml(document: dict[str, Any]) -> str:
    """Convert a document to PMML."""
    if len(document["classes"]) < 2:
        raise UnsupportedError(
            "a model of one class cannot be written as PMML; it always predicts that class"
        )
    for step in document["steps"]:
        if step["op"] == "trees" and any("masses" in node for tree in step["trees"] for node in tree):
            raise UnsupportedError(
                "trees that divide rows with missing values over all branches cannot be written "
                'as PMML; fit with missing="direction"'
            )
    out = io.StringIO()
    page = XmlWriter(out)
    page.xml.startDocument()
    with page.tag("PMML", **NAMESPACE):
        with page.tag("Header", description=f"A model of method {document['method']}"):
            page.empty("Application", name="imbcore")
        PmmlWriter(page, document).write()
    page.xml.endDocument()
    return out.getvalue() + "\n"


class XmlWriter:
    """XML writer."""

    def __init__(self, out: io.StringIO) -> None:
        self.xml = XMLGenerator(out, "UTF-8", short_empty_elements=True)

    def tag(self, element: str, /, **attributes: Any) -> OpenXmlElement:
        """Open an element for the duration of a block."""
        return OpenXmlElement(self.xml, element, attributes)

    def empty(self, element: str, /, **attributes: Any) -> None:
        """Write an element without content."""
        with self.tag(element, **attributes):
            pass

    def text(self, element: str, text: str, /, **attributes: Any) -> None:
        """Write an element with text."""
        with self.tag(element, **attributes):
            # XML parsers convert a bare carriage return to a newline.
            self.xml.ignorableWhitespace(escape(text, {"\r": "&#13;"}))


class OpenXmlElement:
    """Element that is open for the duration of a block."""

    def __init__(self, xml: XMLGenerator, name: str, attributes: dict[str, Any]) -> None:
        self.xml, self.name = xml, name
        written = {key: literal(value) for key, value in attributes.items() if value is not None}
        self.attributes = AttributesImpl(written)

    def __enter__(self) -> None:
        self.xml.startElement(self.name, self.attributes)

    def __exit__(self, *error: object) -> None:
        self.xml.endElement(self.name)


class PmmlWriter:
    """Converter of a document to PMML."""

    def __init__(self, page: XmlWriter, document: dict[str, Any]) -> None:
        self.page, self.document = page, document
        self.features, self.classes = document["features"], document["classes"]
        names = [feature["name"] for feature in self.features]
        reject_unusable_names(names, "PMML", {"label", *(f"probability({label})" for label in self.classes)})
        reject_non_xml_characters("the class", self.classes)
        for feature in self.features:
            reject_non_xml_characters("the name", [feature["name"]])
            reject_non_xml_characters(f"feature {feature['name']!r}: the level", feature.get("levels", []))
        self.prefix = unused_prefix(names)
        self.target = f"{self.prefix}.class"
        self.fields = FieldExpressions(document, self.prefix)
        self.types = {feature["name"]: pmml_feature_type(feature) for feature in self.features}
        self.class_type = pmml_label_type(self.classes)

    def write(self) -> None:
        """Write the data dictionary and the model chain."""
        page = self.page
        with page.tag("DataDictionary", numberOfFields=len(self.features) + 1):
            for feature in self.features:
                kind = "categorical" if feature["kind"] == "nominal" else "continuous"
                with page.tag(
                    "DataField", name=feature["name"], optype=kind, dataType=self.types[feature["name"]]
                ):
                    for level in feature.get("levels", []):
                        page.empty("Value", value=level)
            with page.tag("DataField", name=self.target, optype="categorical", dataType=self.class_type):
                for label in self.classes:
                    page.empty("Value", value=label)
        self.lookups()
        with page.tag("MiningModel", functionName="classification"):
            self.schema([self.target])
            with page.tag("Segmentation", multipleModelMethod="modelChain"):
                self.trees()
                with page.tag("Segment", id="answer"):
                    page.empty("True")
                    self.write_last_model()

    def lookups(self) -> None:
        """Write the lookup tables as fields that are derived from the features."""
        page, lookups = self.page, self.document["lookups"]
        if not lookups:
            return
        with page.tag("TransformationDictionary"):
            for at, lookup in enumerate(lookups):
                feature = self.features[lookup["feature"]]
                rows = list(zip(feature["levels"], lookup["values"], strict=True))
                with page.tag("DerivedField", name=self.lookup(at), optype="continuous", dataType="double"):
                    self.expression(("map", feature["name"], lookup["missing"], rows))

    def lookup(self, at: int) -> str:
        """Return the name of the field of a lookup table."""
        return f"{self.prefix}.lookup{at}"

    def schema(self, targets: Iterable[str] = (), more: Iterable[str] = ()) -> None:
        """Write the mining schema of a model."""
        with self.page.tag("MiningSchema"):
            for target in targets:
                self.page.empty("MiningField", name=target, usageType="target")
            for feature in self.features:
                # Levels not seen in training are missing values.
                rare = "asMissing" if feature["kind"] == "nominal" else "asIs"
                self.page.empty("MiningField", name=feature["name"], invalidValueTreatment=rare)
            for name in more:
                self.page.empty("MiningField", name=name)

    def trees(self) -> None:
        """Write the segments of trees."""
        for at, step in enumerate(self.document["steps"]):
            if step["op"] == "trees":
                trees = PmmlTreeWriter(self.page, self, step)
                names = [self.fields.tree_output_name(at, place) for place in range(step["width"])]
                if trees.are_distributions and step["width"] > 1:
                    trees.write_distribution_trees(f"trees{at}", names)
                else:
                    for place, name in enumerate(names):
                        trees.write_summed_trees(f"trees{at}.{place}", place, name)

    def write_last_model(self) -> None:
        """Write the last model, which derives all other fields."""
        page, document = self.page, self.document
        derived = list(self.fields.derived())
        proba, label = self.output_expressions()
        with page.tag("RegressionModel", functionName="classification", normalizationMethod="none"):
            self.schema([self.target], self.fields.tree_output_names())
            with page.tag("Output"):
                for place, class_label in enumerate(self.classes):
                    with page.tag(
                        "OutputField",
                        name=f"probability({class_label})",
                        optype="continuous",
                        dataType="double",
                        feature="transformedValue",
                    ):
                        self.expression(("field", proba[place]))
                with page.tag(
                    "OutputField",
                    name="label",
                    optype="categorical",
                    dataType=self.class_type,
                    feature="transformedValue",
                ):
                    self.expression(label)
            with page.tag("LocalTransformations"):
                for name, expression in derived:
                    with page.tag("DerivedField", name=name, optype="continuous", dataType="double"):
                        self.expression(expression)
                for place, name in enumerate(proba):
                    with page.tag("DerivedField", name=name, optype="continuous", dataType="double"):
                        self.expression(
                            self.missing_if_no_prediction(self.fields.cell(document["proba"], place))
                        )
            for class_label, name in zip(self.classes, proba, strict=True):
                with page.tag("RegressionTable", intercept=0, targetCategory=class_label):
                    page.empty("NumericPredictor", name=name, coefficient=1)

    def missing_if_no_prediction(self, expression: Any) -> Any:
        """Wrap an expression such that it is missing for a row without a prediction."""
        refused = self.document["refused"]
        if refused is None:
            return expression
        return function_call_expression(
            "if", function_call_expression("equal", self.fields.cell(refused, 0), 0.0), expression
        )

    def output_expressions(self) -> tuple[list[str], Any]:
        """Return the names of the probabilities, and an expression of the label."""
        place = self.fields.cell(self.document["answer"], 0)
        label: Any = ("label", self.classes[-1])
        for code in reversed(range(len(self.classes) - 1)):
            label = function_call_expression(
                "if",
                function_call_expression("equal", place, float(code)),
                ("label", self.classes[code]),
                label,
            )
        proba = [f"{self.prefix}.proba{code}" for code in range(len(self.classes))]
        return proba, self.missing_if_no_prediction(label)

    def expression(self, of: Any) -> None:
        """Write an expression."""
        page = self.page
        if isinstance(of, float):
            page.text("Constant", literal(of), dataType="double")
            return
        kind, what, *rest = of
        if kind == "field":
            page.empty("FieldRef", field=what)
        elif kind == "label":
            page.text("Constant", literal(what), dataType=self.class_type)
        elif kind == "truth":
            page.text("Constant", "true" if what else "false", dataType="boolean")
        elif kind == "level":
            page.text("Constant", literal(what), dataType=rest[0])
        elif kind == "apply":
            with page.tag("Apply", function=what):
                for part in rest[0]:
                    self.expression(part)
        elif kind == "steps":
            missing, bins = rest
            with page.tag("Discretize", field=what, mapMissingTo=missing, dataType="double"):
                for value, closure, low, high in bins:
                    with page.tag("DiscretizeBin", binValue=value):
                        page.empty("Interval", closure=closure, leftMargin=low, rightMargin=high)
        elif kind == "line":
            (points,) = rest
            with page.tag("NormContinuous", field=what, outliers="asExtremeValues"):
                for place, value in points:
                    page.empty("LinearNorm", orig=place, norm=value)
        else:
            missing, rows = rest
            with page.tag(
                "MapValues",
                mapMissingTo=missing,
                defaultValue=missing,
                outputColumn="data:output",
                dataType="double",
            ):
                page.empty("FieldColumnPair", field=what, column="data:input")
                with page.tag("InlineTable"):
                    for level, code in rows:
                        with page.tag("row"):
                            page.text("data:input", literal(level))
                            page.text("data:output", literal(code))


def pmml_label_type(labels: list[Any]) -> str:
    """Return the PMML type of labels."""
    if all(isinstance(label, bool) for label in labels):
        return "boolean"
    if all(isinstance(label, int) for label in labels):
        return "integer"
    of_text = [isinstance(label, str) for label in labels]
    if any(of_text) and not all(of_text):
        raise UnsupportedError(
            "the classes are text and numbers, which PMML fields do not support; fit with text"
        )
    return "string" if all(of_text) else "double"
