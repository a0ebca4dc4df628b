"""Plot of the region of a class in two features, as rectangles."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.frame import to_prediction_frame
from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_list, validate_real_number
from imbcore.exceptions import ParameterError
from imbcore.plotting._axes import escape_dollar_signs

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_CALLER = "plot_decision_set"
# Tests of conditions on a known value.
_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le,
    ">": operator.gt,
    "==": operator.eq,
    "!=": operator.ne,
    "in": lambda value, levels: value in levels,
    "not in": lambda value, levels: value not in levels,
    "known": lambda value, _: True,
    "missing": lambda value, _: False,
}
# Margin around bounds and points, as a fraction of the drawn range.
_MARGIN = 0.06


class RegionPicture:
    """Rectangles of a region, and points, on two axes.

    Parameters
    ----------
    model
        Fitted single tree.
    label
        Class whose region is drawn.
    features
        Two numeric features, by name or position.
    at
        Values of other features: only boxes that contain them are drawn.
    X
        Rows to draw as points, or None.
    """

    def __init__(
        self, model: Any, label: Any, features: Sequence[Any], at: Mapping[Any, Any], X: Any
    ) -> None:
        pair = [
            _feature_position(model, feature) for feature in validate_list(f"{_CALLER}: features", features)
        ]
        if len(pair) != 2 or pair[0] == pair[1]:
            raise ParameterError(
                f"{_CALLER}: features must be two different ones, got {value_text(features)}"
            )
        for position in pair:
            if model._schema.features[position].levels is not None:
                raise ParameterError(
                    f"{_CALLER}: features must be numeric; {model.feature_names[position]!r} is nominal"
                )
        self.names = [model.feature_names[position] for position in pair]
        if not isinstance(at, Mapping):
            raise ParameterError(f"{_CALLER}: at must be a dict of values by feature, got {value_text(at)}")
        fixed = {}
        for feature, value in at.items():
            position = _feature_position(model, feature)
            name, numeric = model.feature_names[position], model._schema.features[position].levels is None
            fixed[name] = validate_real_number(f"{_CALLER}: at[{name!r}]", value) if numeric else value
        kept = [
            all(_allows_fixed_value(condition, fixed) for condition in rule["conditions"])
            for rule in model.region_rules(label)
        ]
        self.rectangles = model.decision_boxes(label)[np.array(kept, dtype=bool)][:, pair]
        # Boxes that differ in other features may overlap.
        self.overlap = model.n_features_in_ > len({*self.names, *fixed})
        self.points = None if X is None else values_of_feature_pair(model, X, pair, _CALLER)

    def draw(self, ax: Axes, color: str) -> None:
        """Draw the rectangles and set the limits of the axes."""
        from matplotlib.patches import Rectangle

        limits = np.array([self._limits(axis) for axis in (0, 1)])
        for rectangle in self.rectangles:
            low = np.maximum(rectangle[:, 0], limits[:, 0])
            size = np.minimum(rectangle[:, 1], limits[:, 1]) - low
            alpha = 0.22 if self.overlap else 0.35
            ax.add_patch(Rectangle(tuple(low), *size, color=color, alpha=alpha, linewidth=0))
            ax.add_patch(Rectangle(tuple(low), *size, fill=False, edgecolor=color, linewidth=0.6))
        ax.set(
            xlim=limits[0],
            ylim=limits[1],
            xlabel=escape_dollar_signs(self.names[0]),
            ylabel=escape_dollar_signs(self.names[1]),
        )
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)

    def _limits(self, axis: int) -> tuple[float, float]:
        values = self.rectangles[:, axis].ravel()
        if self.points is not None:
            values = np.concatenate([values, self.points[:, axis]])
        values = values[np.isfinite(values)]
        if not len(values):
            return 0.0, 1.0
        low, high = float(values.min()), float(values.max())
        margin = _MARGIN * (high - low) or 0.5
        return low - margin, high + margin


def _feature_position(model: Any, feature: Any) -> int:
    names: list[str] = model.feature_names
    if isinstance(feature, str) and feature in names:
        return names.index(feature)
    if isinstance(feature, (int, np.integer)) and 0 <= feature < len(names):
        return int(feature)
    raise ParameterError(
        f"{_CALLER}: a feature must be a name or a position below {len(names)}, got {value_text(feature)}; "
        f"the names are {', '.join(map(repr, names))}"
    )


def values_of_feature_pair(model: Any, X: Any, pair: Sequence[int], caller: str) -> NDArray[np.float64]:
    """Return the columns of two numeric features of a model, as an array of shape (n_rows, 2)."""
    frame = to_prediction_frame(X, model._schema, caller)
    if isinstance(frame, list):
        return np.column_stack([np.asarray(frame[position]) for position in pair])
    return frame[:, list(pair)]


def _allows_fixed_value(condition: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    """Check whether a condition allows the fixed value of its feature, if there is one."""
    if condition["feature"] not in values:
        return True
    return _TESTS[condition["op"]](values[condition["feature"]], condition["value"])
