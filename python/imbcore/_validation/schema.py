"""Schema: description of the training data stored in a model."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from imbcore._validation import labels
from imbcore._validation.columns import Level
from imbcore.exceptions import ModelFormatError


@dataclass(frozen=True, slots=True)
class Feature:
    """Name of a feature, and its levels if it is nominal."""

    name: str
    levels: list[Level] | None = None


@dataclass(frozen=True)
class Schema:
    """Description of the training data stored in a model: features, classes and their types."""

    features: list[Feature]
    # Whether the user gave the names; otherwise they are x0, x1, ...
    named: bool
    classes: NDArray[Any]
    # Whether the names were given separately for data without names.
    named_beside: bool = False
    # Column labels of a data frame, if they are not text and not 0, 1, ...
    column_labels: list[str] = field(default_factory=list)
    # Positions of columns with only missing values in the fit, whose type is unknown.
    without_values: list[int] = field(default_factory=list)

    @cached_property
    def names(self) -> list[str]:
        """Feature names in column order."""
        return [feature.name for feature in self.features]

    @cached_property
    def all_numeric(self) -> bool:
        """Whether no feature is nominal."""
        return all(feature.levels is None for feature in self.features)

    def to_json(self) -> str:
        """Convert to the form of the native module and the model file."""
        features = [
            {"name": f.name, "kind": "numeric"}
            if f.levels is None
            else {"name": f.name, "kind": "nominal", "levels": f.levels}
            for f in self.features
        ]
        document = {
            "features": features,
            "named": self.named,
            **({"named_beside": True} if self.named_beside else {}),
            **({"column_labels": self.column_labels} if self.column_labels else {}),
            **({"without_values": self.without_values} if self.without_values else {}),
            "classes": self.classes.tolist(),
            "class_dtype": labels.label_type_name(self.classes),
        }
        return json.dumps(document, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Schema:
        """Parse the result of :meth:`to_json`; the text may come from an untrusted file."""
        try:
            document = json.loads(text)
            features = [
                Feature(str(f["name"]), list(f["levels"]) if f["kind"] == "nominal" else None)
                for f in document["features"]
            ]
            classes = labels.restore_labels(document["classes"], document["class_dtype"])
            additional = bool(document.get("named_beside", False))
            column_labels = [str(label) for label in document.get("column_labels", ())]
            without_values = [int(position) for position in document.get("without_values", ())]
            named = bool(document["named"])
            return cls(features, named, classes, additional, column_labels, without_values)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            if isinstance(error, ModelFormatError):
                raise
            raise ModelFormatError(f"the data description in the model file is invalid: {error!r}") from error
