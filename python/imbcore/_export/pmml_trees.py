"""Conversion of trees to PMML models."""

from __future__ import annotations

from typing import Any
from xml.sax.xmlreader import AttributesImpl

from imbcore._export.pmml_fields import function_call_expression, literal


class PmmlTreeWriter:
    """PMML writer of the trees of one step."""

    def __init__(self, page: Any, writer: Any, step: dict[str, Any]) -> None:
        self.page, self.writer, self.trees = page, writer, step["trees"]
        leaf_values = [node["values"] for tree in self.trees for node in tree if "values" in node]
        # Whether every leaf holds a probability distribution over the classes.
        self.are_distributions = step["width"] == len(writer.classes) and all(
            min(values) >= 0 and abs(sum(values) - 1) < 1e-12 for values in leaf_values
        )

    def write_distribution_trees(self, segment: str, names: list[str]) -> None:
        """Write trees with distributions in the leaves as a classification model that sums them."""
        page, n_trees = self.page, len(self.trees)
        with page.tag("Segment", id=segment):
            page.empty("True")
            if n_trees == 1:
                self.write_distribution_tree(self.trees[0], names)
                return
            with page.tag("MiningModel", functionName="classification"):
                self.writer.schema([self.writer.target])
                self.sums(names, n_trees)
                with page.tag("Segmentation", multipleModelMethod="average"):
                    for at, tree in enumerate(self.trees):
                        with page.tag("Segment", id=f"{segment}.{at}"):
                            page.empty("True")
                            self.write_distribution_tree(tree, [])

    def sums(self, names: list[str], n_trees: int) -> None:
        """Write outputs: the mean distribution of the trees times their number."""
        page = self.page
        number = {"optype": "continuous", "dataType": "double"}
        with page.tag("Output"):
            for label, name in zip(self.writer.classes, names, strict=True):
                own = f"{name}.mean" if n_trees > 1 else name
                page.empty("OutputField", name=own, **number, feature="probability", value=label)
                if n_trees > 1:
                    with page.tag("OutputField", name=name, **number, feature="transformedValue"):
                        self.writer.expression(function_call_expression("*", ("field", own), float(n_trees)))

    def write_distribution_tree(self, tree: list[dict[str, Any]], names: list[str]) -> None:
        """Write a tree with distributions in the leaves."""

        def leaf(node: dict[str, Any]) -> None:
            for label, p in zip(self.writer.classes, node["values"], strict=True):
                self.page.empty("ScoreDistribution", value=label, recordCount=p, probability=p)

        def score(node: dict[str, Any]) -> Any:
            return self.writer.classes[node["values"].index(max(node["values"]))]

        with self.page.tag("TreeModel", **self.options("classification", tree)):
            self.writer.schema([self.writer.target])
            if names:
                self.sums(names, 1)
            self.nodes(tree, score, leaf)

    def write_summed_trees(self, segment: str, place: int, name: str) -> None:
        """Write trees with a number in each leaf as regression models that are summed."""
        page = self.page

        def score(node: dict[str, Any]) -> Any:
            return float(node["values"][place])

        def output() -> None:
            with page.tag("Output"):
                page.empty(
                    "OutputField", name=name, optype="continuous", dataType="double", feature="predictedValue"
                )

        with page.tag("Segment", id=segment):
            page.empty("True")
            with page.tag("MiningModel", functionName="regression"):
                self.writer.schema()
                output()
                with page.tag("Segmentation", multipleModelMethod="sum"):
                    for at, tree in enumerate(self.trees):
                        with page.tag("Segment", id=f"{segment}.{at}"):
                            page.empty("True")
                            with page.tag("TreeModel", **self.options("regression", tree)):
                                self.writer.schema()
                                self.nodes(tree, score, lambda node: None)

    def options(self, function: str, tree: list[dict[str, Any]]) -> dict[str, str]:
        """Return the attributes of a tree."""
        two = all(len(node.get("children", [0, 0])) == 2 for node in tree)
        return {
            "functionName": function,
            "missingValueStrategy": "defaultChild",
            "splitCharacteristic": "binarySplit" if two else "multiSplit",
        }

    def nodes(self, tree: list[dict[str, Any]], score: Any, leaf: Any) -> None:
        """Write the nodes of a tree, with children nested in parents."""
        xml = self.page.xml
        # Node, its parent and the branch that leads to it; None closes the innermost open node.
        waiting: list[tuple[int, dict[str, Any] | None, int] | None] = [(0, None, 0)]
        while waiting:
            if (next_one := waiting.pop()) is None:
                xml.endElement("Node")
                continue
            at, parent, branch = next_one
            node = tree[at]
            attributes = {"id": str(at)}
            if "values" in node:
                attributes["score"] = literal(score(node))
            else:
                attributes["defaultChild"] = str(node["missing"])
            xml.startElement("Node", AttributesImpl(attributes))
            self.write_branch_condition(parent, branch)
            waiting.append(None)
            if "values" in node:
                leaf(node)
            else:
                waiting += [(child, node, way) for way, child in reversed(list(enumerate(node["children"])))]

    def write_branch_condition(self, parent: dict[str, Any] | None, branch: int) -> None:
        """Write the condition of a branch."""
        page = self.page
        if parent is None:
            page.empty("True")
            return
        feature = self.writer.features[parent["feature"]]
        name = self.writer.lookup(parent["lookup"]) if "lookup" in parent else feature["name"]
        if "at_most" in parent:
            operator = "lessOrEqual" if branch == 0 else "greaterThan"
            page.empty("SimplePredicate", field=name, operator=operator, value=parent["at_most"])
        elif parent.get("known"):
            page.empty("SimplePredicate", field=name, operator="isMissing" if branch else "isNotMissing")
        elif "levels" in parent:
            self.one_of(name, [feature["levels"][level] for level in parent["levels"]], branch == 0)
        elif branch < len(feature["levels"]):
            page.empty("SimplePredicate", field=name, operator="equal", value=feature["levels"][branch])
        else:
            page.empty("SimplePredicate", field=name, operator="isMissing")

    def one_of(self, name: str, levels: list[Any], inside: bool) -> None:
        """Write a membership test as comparisons, because PMML arrays cannot escape backslashes."""
        page = self.page
        if not levels:
            with page.tag("SimpleSetPredicate", field=name, booleanOperator="isIn" if inside else "isNotIn"):
                page.text("Array", "", type="string", n=0)
            return
        operator = "equal" if inside else "notEqual"
        if len(levels) == 1:
            page.empty("SimplePredicate", field=name, operator=operator, value=levels[0])
            return
        with page.tag("CompoundPredicate", booleanOperator="or" if inside else "and"):
            for level in levels:
                page.empty("SimplePredicate", field=name, operator=operator, value=level)
