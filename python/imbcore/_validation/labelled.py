"""Labeled containers: rows are matched by index, classes by label, features by name.

Labels are the index of a pandas series, the index and columns of a pandas frame, the column names of
polars and Arrow tables, and the keys of a mapping. The default index of pandas (0, 1, 2, ...) and, on an
axis of classes, the default names of polars (column_0, column_1, ...) do not count as labels.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.columns import is_sparse
from imbcore.exceptions import DataError, ParameterError

P = ParamSpec("P")
R = TypeVar("R")

# Parameters with one value, or one row of values, per row of the table or of the true labels.
_ROW_PARAMETERS = frozenset(
    {
        "X",
        "x",
        "data",
        "y",
        "y_true",
        "y_pred",
        "y_score",
        "y_proba",
        "y1",
        "y2",
        "sample_weight",
        "groups",
        "time",
        "label_time",
        "amount",
    }
)
# Parameters with a rule whose key "by" may have one value per row.
_RULE_PARAMETERS = frozenset({"alerts", "threshold", "goal"})


def pandas_index_of(container: Any) -> Any:
    """Return the index of a pandas series or frame, or of the columns in a dict, else None."""
    pandas = sys.modules.get("pandas")
    if pandas is None or isinstance(container, (np.ndarray, list, tuple, str)) or is_sparse(container):
        return None
    if isinstance(container, Mapping):
        return next(
            (index for column in container.values() if (index := pandas_index_of(column)) is not None), None
        )
    index = getattr(container, "index", None)
    return index if isinstance(index, pandas.Index) and hasattr(container, "iloc") else None


def align_rows(container: Any, index: Any, name: str, reference: str) -> Any:
    """Reorder the rows of ``container`` to ``index``, the index of the parameter ``reference``.

    A container without an index, or with another length, is returned unchanged; the length is checked later.

    Raises
    ------
    DataError
        The row labels differ from those of ``index``, or a duplicate label makes the match ambiguous.
    """
    own = None if index is None else pandas_index_of(container)
    if own is None or isinstance(container, Mapping) or len(own) != len(index) or own.equals(index):
        return container
    remedy = (
        f"set the index of `{name}` to that of `{reference}`, or pass an array (`.to_numpy()`) if its rows "
        f"are in the order of `{reference}`"
    )
    if not (own.is_unique and index.is_unique):
        twice = (own if not own.is_unique else index).duplicated()
        label = (own if not own.is_unique else index)[twice].tolist()[0]
        raise DataError(
            f"The index of `{name}` differs from that of `{reference}`, and rows cannot be matched because "
            f"label {label!r} occurs more than once; {remedy}."
        )
    places = own.get_indexer(index)
    if (places < 0).any():
        label = index[places < 0].tolist()[0]
        raise DataError(
            f"The index of `{name}` differs from that of `{reference}`: it has no row {label!r}; {remedy}."
        )
    return container.iloc[places]


def match_rows_by_index(function: Callable[P, R]) -> Callable[P, R]:
    """Match the rows of all row parameters of a function by index, before the call.

    The first row parameter with an index determines the order; see :func:`align_rows`. Values per row in an
    alert budget are matched, too.
    """
    parameters = list(inspect.signature(function).parameters)
    rules = [(place, name) for place, name in enumerate(parameters) if name in _RULE_PARAMETERS]
    methods = [(place, name) for place, name in enumerate(parameters) if name in ("method", "methods")]
    positions = [name if name in _ROW_PARAMETERS else None for name in parameters]
    # Keyword arguments are processed in the order of the signature, not of the call.
    order = [name for name in positions if name is not None]
    order += sorted(_ROW_PARAMETERS.difference(order))

    @wraps(function)
    def matched(*args: P.args, **kwargs: P.kwargs) -> R:
        if "pandas" not in sys.modules:
            return function(*args, **kwargs)
        values, named = list(args), dict(kwargs)
        given: list[tuple[str, Any, Any]] = [
            (name, values, place) for place, name in enumerate(positions[: len(values)]) if name is not None
        ]
        given += [(name, named, name) for name in order if name in named]
        reference, index = "", None
        for name, holder, key in given:
            if index is None:
                reference, index = name, pandas_index_of(holder[key])
            else:
                holder[key] = align_rows(holder[key], index, name, reference)
        for place, name in rules:
            if place < len(values):
                values[place] = _align_rule(values[place], index, name, reference)
        for name in _RULE_PARAMETERS.intersection(named):
            named[name] = _align_rule(named[name], index, name, reference)
        for place, name in methods:
            if place < len(values):
                values[place] = _align_own_rules(values[place], index, reference)
            elif name in named:
                named[name] = _align_own_rules(named[name], index, reference)
        return function(*values, **named)  # type: ignore[arg-type]

    return matched


def _align_rule(rule: Any, index: Any, name: str, reference: str) -> Any:
    """Match the values of "by" of a rule to the rows; other values are returned unchanged."""
    if not isinstance(rule, Mapping) or "by" not in rule:
        return rule
    return {**rule, "by": align_rows(rule["by"], index, f"{name}['by']", reference)}


def _align_own_rules(methods: Any, index: Any, reference: str) -> Any:
    """Match the rows of the rules in pairs of a method and its options; see :func:`_align_rule`."""
    if isinstance(methods, tuple) and len(methods) == 2 and isinstance(methods[1], Mapping):
        own = {
            name: _align_rule(value, index, name, reference) if name in _RULE_PARAMETERS else value
            for name, value in methods[1].items()
        }
        return methods[0], own
    if isinstance(methods, Mapping):
        return {name: _align_own_rules(method, index, reference) for name, method in methods.items()}
    if isinstance(methods, (list, tuple)):
        return [_align_own_rules(method, index, reference) for method in methods]
    return methods


def index_labels(container: Any) -> list[Any] | None:
    """Return the row labels of the index of a table; None for a default index."""
    index = pandas_index_of(container)
    return None if index is None or _is_default_index(index) else index.tolist()


def row_labels(container: Any) -> list[Any] | None:
    """Return the labels of the rows of a frame, or of the values of a series or mapping."""
    return list(container) if isinstance(container, Mapping) else index_labels(container)


def column_labels(container: Any) -> list[Any] | None:
    """Return the column labels of a frame; None without labels."""
    if isinstance(container, (np.ndarray, list, tuple, str, Mapping)) or is_sparse(container):
        return None
    if pandas_index_of(container) is not None:
        columns = getattr(container, "columns", None)
        return None if columns is None or _is_default_index(columns) else columns.tolist()
    names = getattr(container, "column_names", getattr(container, "columns", None))
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        return None
    default = list(names) == [f"column_{at}" for at in range(len(names))]
    return None if default else list(names)


def _is_default_index(index: Any) -> bool:
    return isinstance(index, sys.modules["pandas"].RangeIndex) and index.start == 0 and index.step == 1


def series_to_dict(container: Any) -> Any:
    """Convert a series to a dict from its index; everything else is returned unchanged."""
    index = None if isinstance(container, Mapping) else pandas_index_of(container)
    if index is None or np.ndim(container) != 1:
        return container
    labels = index.tolist()
    _refuse_duplicate_labels(labels, "The index of the series")
    return dict(zip(labels, container.tolist(), strict=True))


def _refuse_duplicate_labels(labels: Sequence[Any], name: str) -> None:
    if len(set(labels)) != len(labels):
        twice = next(label for at, label in enumerate(labels) if label in labels[:at])
        raise ParameterError(f"{name} has the label {twice!r} more than once; give every label once.")


def _positions_of_labels(labels: Sequence[Any], wanted: Sequence[Any], name: str, what: str) -> list[int]:
    """Return the position of every wanted label; the labels must match, in any order.

    If a library only supports text as column names, the text form of the labels is accepted.
    """
    plain = [label.item() if isinstance(label, np.generic) else label for label in labels]
    if set(plain) != set(wanted) and set(plain) == {str(label) for label in wanted}:
        wanted = [str(label) for label in wanted]
    _refuse_duplicate_labels(plain, name)
    if set(plain) != set(wanted):
        raise ParameterError(
            f"{name} has the labels {plain}, but the {what} are {list(wanted)}; give a value for each of "
            "them, or an array in their order."
        )
    return [plain.index(label) for label in wanted]


def order_values_by_class(container: Any, classes: Sequence[Any], name: str, what: str = "classes") -> Any:
    """Sort the values of a labeled series or mapping by the order of the classes.

    Containers without labels are returned unchanged.
    """
    labels = row_labels(container)
    if labels is None:
        return container
    values = list(container.values()) if isinstance(container, Mapping) else np.asarray(container)
    places = _positions_of_labels(labels, classes, name, what)
    if isinstance(values, list):
        return [values[place] for place in places]
    return values[places]


def order_columns_by_class(container: Any, classes: Sequence[Any], name: str) -> Any:
    """Sort the columns of a labeled frame by the order of the classes, as an array.

    Containers without labels, or with a single column, are returned unchanged.
    """
    labels = column_labels(container)
    if labels is None or len(labels) < 2:
        return container
    places = _positions_of_labels(labels, classes, name, "classes")
    return _to_numeric_array(container)[:, places]


def order_matrix_by_class(container: Any, classes: Sequence[Any] | None, name: str) -> Any:
    """Sort the rows and columns of a labeled frame by the order of the classes, as an array.

    If only one axis has labels, the other is assumed to be in the sorted order of the classes, and the
    labeled axis must have this order, too. ``classes`` of None are the sorted labels themselves. Containers
    without labels are returned unchanged.
    """
    columns = column_labels(container)
    rows = None if columns is None and pandas_index_of(container) is None else row_labels(container)
    if columns is None and rows is None:
        return container
    if classes is None:
        classes = matrix_classes(container, []) or []
    if rows is not None and columns is not None:
        by_row = _positions_of_labels(rows, classes, f"the index of {name}", "classes")
        by_column = _positions_of_labels(columns, classes, f"{name}", "classes")
        return _to_numeric_array(container)[np.ix_(by_row, by_column)]
    places = _positions_of_labels(rows or columns or [], classes, name, "classes")
    if places != list(range(len(places))):
        labelled, other = ("rows", "columns") if columns is None else ("columns", "rows")
        raise ParameterError(
            f"The {labelled} of {name} have labels in another order than {list(classes)}, and its {other} "
            f"have none; give both axes the class labels, or a dict from pairs (true, predicted)."
        )
    return _to_numeric_array(container)


def matrix_classes(container: Any, known: Sequence[Any]) -> list[Any] | None:
    """Return the sorted labels of a frame whose columns, or else rows, are classes, or None.

    ``known`` are classes seen by the caller: their text form is converted to them, because some libraries
    only support text as column names.
    """
    labels = None if isinstance(container, Mapping) else column_labels(container) or row_labels(container)
    if labels is None:
        return None
    if not any(isinstance(label, str) for label in known):
        written: dict[Any, Any] = {str(label): label for label in known}
        labels = [written.get(label, _decimal_text_to_int(label)) for label in labels]
    try:
        return sorted(set(labels))
    except TypeError as error:
        raise ParameterError(f"The labels {labels} cannot be sorted: {error}.") from error


def _decimal_text_to_int(label: Any) -> Any:
    return int(label) if isinstance(label, str) and label.isdecimal() else label


def _to_numeric_array(container: Any) -> NDArray[Any]:
    if hasattr(container, "column_names"):  # a table of Arrow
        return np.column_stack([column.to_numpy() for column in container.columns])
    return np.asarray(container)
