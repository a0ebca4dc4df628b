"""Networks as graphs with probability tables: properties and comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from imbcore._bindings import native
from imbcore._validation.columns import Level, is_missing_value
from imbcore._validation.value_text import value_text
from imbcore.exceptions import DataError, ParameterError
from imbcore.networks._answers import import_pandas
from imbcore.networks._graph import Arc, PartialGraph, arcs_to_positions, variable_position
from imbcore.networks._variables import Variable

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Maximum number of variables in the notebook table, and of arcs in the line of a terminal.
_MOST_SHOWN, _MOST_ARCS = 50, 8

# Name of the class in messages.
WHO = "BayesianNetwork"


class GraphProof(NamedTuple):
    """Proof of an exact search, with its score and structure constraints."""

    shown: str
    structure: str
    target: int | None


class Graph:
    """Variables, arcs and tables of a network."""

    def __init__(
        self,
        _network: native.networks.Network,
        _variables: Sequence[Variable],
        _search: Mapping[str, Any],
        _proof: GraphProof | None = None,
    ) -> None:
        self._network = _network
        self._variables = list(_variables)
        self._names = [variable.name for variable in _variables]
        self.search = dict(_search)
        self._proof = _proof

    @property
    def variables(self) -> list[str]:
        """Names of the variables."""
        return list(self._names)

    @property
    def arcs(self) -> list[Arc]:
        """Pairs ``(parent, child)``."""
        return self._arcs_to_names(self._network.arcs)

    @property
    def n_parameters(self) -> float:
        """Number of free probabilities."""
        return self._network.dimension

    def states(self, variable: str) -> list[Level]:
        """States of a variable, in order."""
        return list(self._variables[self._number(variable)].levels)

    def parents(self, variable: str) -> list[str]:
        """Parents of a variable."""
        child = self._number(variable)
        return [self._names[parent] for parent, end in self._network.arcs if end == child]

    def children(self, variable: str) -> list[str]:
        """Children of a variable."""
        parent = self._number(variable)
        return [self._names[child] for end, child in self._network.arcs if end == parent]

    def markov_blanket(self, variable: str) -> list[str]:
        """Return the separating set of a variable: parents, children, and their other parents."""
        return [self._names[at] for at in self._network.markov_blanket(self._number(variable))]

    def cpt(self, variable: str) -> Any:
        """Conditional distribution of a variable given its parents.

        Parameters
        ----------
        variable
            Name of the variable.

        Returns
        -------
        pandas.DataFrame
            One row per combination of the parents' states, one column per state.

        Raises
        ------
        UnsupportedError
            The table has too many rows for a data frame; use a file in JSON or BIF format.
        """
        pd = import_pandas("BayesianNetwork.cpt")
        own, parents = self._variables[self._number(variable)], self.parents(variable)
        # Raises for a table that is too long, before pandas enumerates the combinations.
        table = self._network.cpt(self._number(variable))
        columns = pd.Index(own.levels, name=own.name)
        axes = [self.states(parent) for parent in parents]
        if len(parents) > 1:
            index = pd.MultiIndex.from_product(axes, names=parents)
        else:
            index = pd.Index(axes[0], name=parents[0]) if parents else pd.RangeIndex(1)
        return pd.DataFrame(table, index=index, columns=columns)

    def cpdag(self) -> PartialGraph:
        """Build the completed partially directed graph, common to all equivalent graphs."""
        directed, undirected = native.networks.network_cpdag(self._names, self._network.arcs)
        return PartialGraph(self._arcs_to_names(directed), self._arcs_to_names(undirected))

    def shd(self, other: Graph | Iterable[Arc], *, cpdag: bool = True) -> int:
        """Structural Hamming distance: number of pairs of variables on which two graphs differ.

        Parameters
        ----------
        other
            Network over the same variables in any order, or arcs between them.
        cpdag
            Compare the completed partially directed graphs, which data can determine; else the graphs.

        Returns
        -------
        int
            0 for equivalent graphs.
        """
        if isinstance(other, Graph):
            if set(other._names) != set(self._names):
                raise DataError("networks over different variables cannot be compared")
            other = other.arcs
        arcs = arcs_to_positions(other, self._names, "shd")
        return native.networks.network_shd(self._names, self._network.arcs, arcs, cpdag)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        around: str | None = None,
        strengths: Mapping[Arc, float] | None = None,
        fontsize: float | None = None,
    ) -> Axes:
        """Draw the graph; see :func:`imbcore.plotting.plot_network`."""
        from imbcore.plotting import plot_network

        return plot_network(self, ax, around=around, strengths=strengths, fontsize=fontsize)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return self._variables == other._variables and self._network.write("json") == other._network.write(
            "json"
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        name = native.models.quoted_name
        arcs = [f"{name(start)} -> {name(end)}" for start, end in self.arcs[:_MOST_ARCS]]
        if len(self.arcs) > _MOST_ARCS:
            arcs.append(f"and {len(self.arcs) - _MOST_ARCS:,} more")
        return f"<BayesianNetwork: {self._size_text}{': ' * bool(arcs)}{', '.join(arcs)}>"

    @property
    def _size_text(self) -> str:
        counts = ((len(self._names), "variable"), (len(self._network.arcs), "arc"))
        return ", ".join(f"{count:,} {noun}{'s' * (count != 1)}" for count, noun in counts)

    def _repr_html_(self) -> str:
        """Show the variables with states and parents in a notebook, up to a maximum number."""
        parents: dict[str, list[str]] = {name: [] for name in self._names}
        for start, end in self.arcs:
            parents[end].append(start)
        rows = [
            (variable.name, ", ".join(map(str, variable.levels)), ", ".join(parents[variable.name]))
            for variable in self._variables[:_MOST_SHOWN]
        ]
        if len(self._variables) > _MOST_SHOWN:
            rows.append((f"{len(self._variables) - _MOST_SHOWN} more variables", "", ""))
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        heads = "".join(f'<th scope="col">{head}</th>' for head in ("variable", "states", "parents"))
        caption = f"BayesianNetwork: {self._size_text}"
        return (
            f"<table><caption>{caption}</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        kept = (self._variables, self.search, self._proof)
        return _restore_graph, (type(self), self._network.write("json"), *kept)

    def _number(self, name: str) -> int:
        return variable_position(name, self._names, WHO)

    def _arcs_to_names(self, arcs: Iterable[tuple[int, int]]) -> list[Arc]:
        return [(self._names[start], self._names[end]) for start, end in arcs]

    def _encode_evidence(self, evidence: Mapping[str, Any] | None) -> list[tuple[int, int]]:
        given = {} if evidence is None else evidence
        if not isinstance(given, Mapping):
            raise ParameterError(f"evidence must be a dict of states by variable, got {value_text(given)}")
        numbered = (
            (variable_position(name, self._names, "evidence"), state) for name, state in given.items()
        )
        return [
            (at, self._variables[at].code(state)) for at, state in numbered if not is_missing_value(state)
        ]


def _restore_graph(
    made: type[Graph],
    text: str,
    variables: list[Variable],
    search: dict[str, Any],
    proof: GraphProof | None = None,
) -> Graph:
    return made(native.networks.Network.read(text, "json")[0], variables, search, proof)
