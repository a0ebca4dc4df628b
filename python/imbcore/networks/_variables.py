"""Variables of a network: their states, and the conversion of data to states."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.options import resolve_threads
from imbcore._bindings.parameters import parameters_to_json
from imbcore._bindings.training import name_native_columns_in_errors
from imbcore._validation.columns import MISSING, Column, Level, Nominal, is_missing_value, numbers_as_levels
from imbcore._validation.read import read_raw_table, reject_empty_table
from imbcore._validation.user_warnings import warn_user
from imbcore._validation.value_text import value_text
from imbcore._validation.values import require_single_label, validate_list, validate_real_number
from imbcore.exceptions import DataError, ParameterError

NominalFrame = list[tuple[NDArray[np.uint32], int]]
_WHO = "BayesianNetwork"
# Number of bins of `EqualFrequencyDiscretizer` by default.
DEFAULT_BINS = 5
# Number of states of a numeric column above which its arcs are seldom found; each state has its own counts.
_MANY_STATES = 20
# Discretizers that choose cut points by classes.
_SUPERVISED = ("mdlp", "caim", "cacc", "ameva")


@dataclass(frozen=True)
class Variable:
    """A variable: its name, its states, and the cut points if the states are numeric bins."""

    name: str
    levels: tuple[Level, ...]
    cuts: tuple[float, ...] | None = None

    @classmethod
    def from_cut_points(cls, name: str, cuts: Sequence[float]) -> Variable:
        """Build the bins between cut points; the upper end belongs to a bin."""
        first, last = [f"<= {cuts[0]}"] if cuts else ["any"], [f"> {cuts[-1]}"] if cuts else []
        middle = [f"{low} to {high}" for low, high in pairwise(cuts)]
        return cls(name, (*first, *middle, *last), tuple(cuts))

    @property
    def texts(self) -> list[str]:
        """Names of the states in files."""
        return [str(level) for level in self.levels]

    @cached_property
    def _codes(self) -> dict[Any, int]:
        codes: dict[Any, int] = {text: code for code, text in enumerate(self.texts)}
        codes.update((level, code) for code, level in enumerate(self.levels))
        return codes

    def code(self, state: Any) -> int:
        """Return the code of a state, of its name, or of the bin of a number."""
        if isinstance(state, np.generic):
            state = state.item()
        if self.cuts is not None and isinstance(state, (int, float)):
            return int(native.networks.network_bins(np.array([state], dtype=np.float64), list(self.cuts))[0])
        code = self._codes.get(state if isinstance(state, (str, int, float)) else str(state))
        code = self._codes.get(str(state)) if code is None else code
        if code is None:
            bins = isinstance(state, (int, float)) and self.texts[0].startswith("<= ")
            hint = (
                "; numbers cannot be assigned to bins, because the file of this network has no cut points: "
                "give a state, or read the network from JSON"
                if bins
                else ""
            )
            raise DataError(f"{self.name!r} has no state {state!r}; its states are {list(self.levels)}{hint}")
        return code

    def encode(self, column: Column) -> NDArray[np.uint32]:
        """Return the codes of a column; unknown states become missing values, with a warning."""
        if self.cuts is not None and not isinstance(column, Nominal):
            return native.networks.network_bins(np.ascontiguousarray(column), list(self.cuts))
        if not isinstance(column, Nominal):
            column = numbers_as_levels(column, self.name)
        found = [self._codes.get(level, self._codes.get(str(level), MISSING)) for level in column.levels]
        if found == list(range(len(found))):
            return column.codes
        rank = np.array([*found, MISSING], dtype=np.uint32)
        used = set(np.unique(column.codes).tolist()) if MISSING in found else set()
        unknown = [level for at, level in enumerate(column.levels) if found[at] == MISSING and at in used]
        if unknown:
            some = ", ".join(map(repr, unknown[:3]))
            warn_user(
                f"column {self.name!r} has {len(unknown)} value(s) that are not states of the network, "
                f"such as {some}; they are treated as missing"
            )
        return rank[np.minimum(column.codes, np.uint32(len(column.levels)))]


def _read_columns(data: Any) -> tuple[list[str], list[Column], bool]:
    table = read_raw_table(data, _WHO)
    reject_empty_table(table.shape, _WHO)
    names = table.names or [f"x{index}" for index in range(table.shape[1])]
    return names, table.columns(), table.names is not None


def names_and_states(variables: Sequence[Variable]) -> list[tuple[str, list[str]]]:
    """Return names and states of variables in native form."""
    return [(variable.name, variable.texts) for variable in variables]


def encode_network_table(variables: Sequence[Variable], data: Any) -> NominalFrame:
    """Encode a table, one column per variable; columns are matched by name if they have names."""
    names, columns, named = _read_columns(data)
    if not named and len(columns) != len(variables):
        raise DataError(
            f"the data have {len(columns)} columns without names, but there are {len(variables)} variables"
        )
    wanted = [variable.name for variable in variables]
    if named:
        lacking, extra = set(wanted) - set(names), set(names) - set(wanted)
        if lacking or extra:
            parts = [
                f"{what} {sorted(some)[:5]}"
                for what, some in (("lack", lacking), ("have in addition", extra))
                if some
            ]
            raise DataError(f"the data must have a column for every variable: they {' and '.join(parts)}")
        place = {name: at for at, name in enumerate(names)}
        columns = [columns[place[name]] for name in wanted]
    return [
        (variable.encode(column), len(variable.levels))
        for variable, column in zip(variables, columns, strict=True)
    ]


def determine_variables(
    data: Any, discretize: Any, target: str | None, threads: tuple[Any, Any]
) -> tuple[list[Variable], NominalFrame]:
    """Determine the states of every column of training data, and encode the data."""
    names, columns, _ = _read_columns(data)
    require_single_label("target", target)
    if target is not None and target not in names:
        raise ParameterError(f"target must be the name of a column, got {target!r}")
    rules = _discretization_by_column(discretize, names)
    variables: list[Variable] = []
    codes: dict[int, NDArray[np.uint32]] = {}
    open_columns: dict[str, list[int]] = {}
    for at, (name, column) in enumerate(zip(names, columns, strict=True)):
        if name in rules:
            rule = rules[name]
        elif isinstance(column, Nominal):
            rule = None
        else:
            rule = None if name == target else rules.get(None)
            if rule is None:
                _require_whole_states(name, column, at)
            elif _has_few_values(column, rule):
                rule = None
        if rule is None:
            nominal = column if isinstance(column, Nominal) else numbers_as_levels(column, name)
            if not nominal.levels:
                raise DataError(f"column {name!r} has only missing values; drop it", at)
            variables.append(Variable(name, tuple(nominal.levels)))
            codes[at] = nominal.codes
        elif isinstance(column, Nominal):
            raise ParameterError(f"discretize: column {name!r} is not numeric")
        elif isinstance(rule, tuple):
            variables.append(Variable.from_cut_points(name, rule))
        else:
            open_columns.setdefault(rule, []).append(at)
            variables.append(Variable(name, ()))
    for rule, places in open_columns.items():
        method = _discretizer_from_rule(rule)["name"]
        if target is None and method in _SUPERVISED:
            raise ParameterError(
                f"discretize={method!r} chooses cut points by the classes of a column; set target= to its "
                "name"
            )
        classes = _target_codes(names, columns, target)
        found = native.networks.network_cuts(
            [np.ascontiguousarray(columns[at]) for at in places], rule, *classes, resolve_threads(*threads)
        )
        for at, cuts in zip(places, found, strict=True):
            variables[at] = Variable.from_cut_points(names[at], cuts or [])
    with name_native_columns_in_errors(names):
        frame = [
            (codes[at] if at in codes else variable.encode(columns[at]), len(variable.levels))
            for at, variable in enumerate(variables)
        ]
    return variables, frame


def _has_only_whole_numbers(column: NDArray[np.float64]) -> bool:
    known = column[~np.isnan(column)]
    return bool((known == np.floor(known)).all())


def _count_distinct_values(column: NDArray[np.float64]) -> int:
    return len(np.unique(column[~np.isnan(column)]))


def _has_few_values(column: NDArray[np.float64], rule: str | tuple[float, ...]) -> bool:
    """Check whether a column needs no bins because it has few whole numbers."""
    most = 2
    if isinstance(rule, str):
        method = _discretizer_from_rule(rule)
        if method["name"] == "equal_freq":
            most = max(most, method.get("n_bins", DEFAULT_BINS))
    return _has_only_whole_numbers(column) and _count_distinct_values(column) <= most


def _discretizer_from_rule(rule: str) -> dict[str, Any]:
    """Return name and parameters of a discretizer from the text of a rule."""
    given = json.loads(rule)["discretizer"]
    return {"name": given} if isinstance(given, str) else dict(given)


def _require_whole_states(name: str, column: NDArray[np.float64], at: int) -> None:
    """Check that the numbers of a column are whole, and warn if they are many."""
    if not _has_only_whole_numbers(column):
        raise DataError(
            f"column {name!r} has numbers that are not whole; set discretize, for example to "
            f'"equal_freq" or {{"{name}": 4}}, or convert the column to a category',
            at,
        )
    n_states = _count_distinct_values(column)
    if n_states > _MANY_STATES:
        warn_user(
            f"column {name!r} has {n_states} states, one for each whole number; with so many states, a "
            "search finds few arcs of the column; set discretize, for example to "
            f'"equal_freq" or {{"{name}": 4}}, or convert the column to a category'
        )


def _target_codes(names: list[str], columns: list[Column], target: str | None) -> tuple[Any, int]:
    """Return the codes of the target for supervised discretization."""
    if target is None:
        return None, 0
    column = columns[names.index(target)]
    nominal = column if isinstance(column, Nominal) else numbers_as_levels(column, target)
    return nominal.codes, len(nominal.levels)


def _discretization_by_column(discretize: Any, names: Sequence[str]) -> dict[str | None, Any]:
    """Return cut points, or discretizer parameters as JSON, by column; the default has key None."""
    if discretize is None:
        return {}
    if not isinstance(discretize, Mapping):
        return {None: _parse_discretization_rule(discretize)}
    unknown = [name for name in discretize if name not in names]
    if unknown:
        raise ParameterError(f"discretize: there is no column {unknown[0]!r}; the columns are {list(names)}")
    return {name: _parse_discretization_rule(rule) for name, rule in discretize.items()}


def _parse_discretization_rule(rule: Any) -> str | tuple[float, ...]:
    if isinstance(rule, str) or hasattr(rule, "as_parameters"):
        return parameters_to_json(_WHO, {"discretizer": rule})
    if isinstance(rule, (int, np.integer)) and not isinstance(rule, bool):
        return parameters_to_json(_WHO, {"discretizer": {"name": "equal_freq", "n_bins": int(rule)}})
    try:
        cuts = tuple(validate_real_number("discretize", cut) for cut in validate_list("discretize", rule))
    except ParameterError as error:
        raise ParameterError(
            "discretize must be a method, a discretizer, a number of bins, a list of cut points, or a dict "
            f"of these by column, got {value_text(rule)}"
        ) from error
    if any(is_missing_value(cut) for cut in cuts) or list(cuts) != sorted(set(cuts)):
        raise ParameterError(f"discretize: cut points must be strictly ascending, got {value_text(rule)}")
    return cuts
