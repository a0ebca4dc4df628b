"""Bayesian networks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from imbcore._bindings import native
from imbcore._bindings.fitted import fitted_model
from imbcore._bindings.networks import Learnt, NominalTrainingRows, incumbent_network
from imbcore._bindings.options import Callback, Options, resolve_threads
from imbcore._bindings.parameters import parameters_to_json
from imbcore._bindings.progress import progress_callback
from imbcore._bindings.training import name_native_columns_in_errors, validate_sample_weights
from imbcore._validation.arguments import name_class_in_errors
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.user_warnings import warn_user
from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_whole_number
from imbcore.exceptions import ParameterError, UnsupportedError
from imbcore.networks import _formats
from imbcore.networks._base import WHO, GraphProof
from imbcore.networks._graph import Arc, arcs_to_positions, tiers_by_variable, variable_position
from imbcore.networks._proven import CertifiedNetwork
from imbcore.networks._variables import (
    NominalFrame,
    Variable,
    determine_variables,
    encode_network_table,
    names_and_states,
)

__all__ = ["BayesianNetwork"]


class BayesianNetwork(CertifiedNetwork):
    """Bayesian network over discrete variables: a graph with conditional probability tables.

    Created by :meth:`learn` from data, by :meth:`from_arcs` from a known graph and data, or by :meth:`read`
    from a file; do not call the class directly.

    Attributes
    ----------
    variables
        Names of the variables.
    arcs
        Pairs ``(parent, child)``.
    search
        Result of the graph search: ``score``, ``stopped_by`` and ``iterations``, and for exact searches
        ``bound``, an upper bound on the score of all graphs (proven by :meth:`certificate`). Empty if the
        graph was not searched.

    Examples
    --------
    >>> from imbcore import BayesianNetwork
    >>> rain = ["yes", "yes", "no", "no", "no", "no", "no", "no"] * 5
    >>> grass = ["wet", "wet", "wet", "dry", "dry", "dry", "dry", "dry"] * 5
    >>> network = BayesianNetwork.learn({"rain": rain, "grass": grass})
    >>> network.arcs
    [('rain', 'grass')]
    >>> round(network.query("rain", {"grass": "wet"})["yes"], 2)
    0.66
    """

    @classmethod
    @match_rows_by_index
    def learn(
        cls,
        data: Any,
        *,
        search: Any = "tabu",
        score: Any = "bic",
        max_parents: int | None = None,
        required_arcs: Iterable[Arc] = (),
        forbidden_arcs: Iterable[Arc] = (),
        tiers: Mapping[str, int] | Sequence[Sequence[str]] | None = None,
        init_graph: Any = None,
        target: str | None = None,
        discretize: Any = None,
        prior: Any = "uniform",
        sample_weight: Any = None,
        random_state: Any = None,
        n_threads: int | None = None,
        verbose: int = 0,
        callback: Callback | None = None,
        **structure: Any,
    ) -> BayesianNetwork:
        """Learn graph and probabilities from data.

        Parameters
        ----------
        data
            Data frame, dict of columns, or array, one column per variable. Text, categories, booleans and,
            without ``discretize``, whole numbers are used as states. All declared categories of a categorical
            column are states, even if they do not occur. NaN and None are missing values: each table of
            counts uses the rows without a missing value in the variables of the table.
        search
            ``"tabu"``, ``"hc"`` (hill climbing), ``"boss"`` (best order score search), ``"best"`` (``"boss"``
            and ``"tabu"`` alternate, from many starts), ``"rb"`` (biased randomization), ``"ils"`` (iterated
            local search) or ``"exact"`` (proven optimum, for up to about 40 variables, or up to 24 if no
            upper bounds on the score are known). To set parameters of a search, give an object such as
            ``imbcore.bayes.Tabu(time_limit=2)``.
        score
            ``"bic"``, ``"aic"``, ``"ll"``, ``"k2"``, ``"bdeu"``, ``"bds"``, ``"bdj"``, ``"fnml"`` or
            ``"qnml"``; with parameters as in ``imbcore.bayes.BDeu(equivalent_sample_size=10)``.
        max_parents
            Maximum number of parents of a variable. ``None``: no limit.
        required_arcs, forbidden_arcs
            Arcs ``(parent, child)``: every graph contains all required arcs and no forbidden arc. To exclude
            any arc between two variables, forbid both directions.
        tiers
            Ordered groups of variables (tiers), the earliest tier first, or a dict from variables to tier
            numbers. No arc leads from a variable to a variable of an earlier tier.
        init_graph
            Initial graph: ``"empty"``, ``"naive"``, ``"random"``, ``imbcore.bayes.RandomStart()``, or arcs.
        target
            Class variable. The search (``rectify``) and the prior can correct for the imbalance of its
            classes, ``class_role`` can restrict its arcs, and supervised discretization uses its classes.
        discretize
            Discretization of numeric columns except the target: ``"equal_freq"``, a discretizer of
            ``imbcore.discretization``, a number of bins of equal frequency, or a list of cut points. If there
            is a target, also ``"mdlp"``, ``"caim"``, ``"cacc"`` or ``"ameva"``. Columns of whole numbers with
            at most two different values, such as 0 and 1, are not discretized; for bins of equal frequency,
            the limit is the number of bins instead of two. Or a dict from columns to these values; columns of
            whole numbers that are not in the dict keep their values as states. A bin includes its upper end.
        prior
            Dirichlet prior of every table: ``"uniform"``; if ``target`` is given, also ``"rebalanced"`` or
            ``"local"``. To set parameters of a prior, give an object of ``imbcore.bayes``:
            ``Uniform(weight=0)`` is maximum likelihood.
        sample_weight
            One weight per row.
        random_state
            Seed of randomized searches.
        n_threads
            Number of threads, which does not change the result.
        verbose
            1 or more: show the progress of the search on standard error.
        callback
            Called as ``callback(stage, done, total)`` during the search; an exception in the callback stops
            the search.
        **structure
            Further structure parameters: ``tie_breaking``, ``class_role``, ``rectify``, ...; parameters of
            the chosen search and score may be written as ``search__time_limit``,
            ``score__structure_constant`` and so on.

        Returns
        -------
        BayesianNetwork
            The network.

        Raises
        ------
        ParameterError
            A parameter is unknown or outside its valid range.
        DataError
            The data are invalid.
        KeyboardInterrupt
            Ctrl-C was pressed. If ``"boss"``, ``"best"`` or ``"exact"`` had already found a graph, the
            exception has the best network as its attribute ``network``.
        """
        threads = (n_threads, None)
        of_prior = {name: structure.pop(name) for name in list(structure) if name.startswith("prior__")}
        tables = _prior_to_json(prior, target, **of_prior)
        given = {"search": search, "score": score, "max_parents": max_parents, **structure}
        variables, frame = determine_variables(data, discretize, target, threads)
        names = [variable.name for variable in variables]
        given["required_arcs"] = arcs_to_positions(required_arcs, names, "required_arcs")
        _warn_of_arcs_without_effect(given["required_arcs"], variables)
        given["forbidden_arcs"] = arcs_to_positions(forbidden_arcs, names, "forbidden_arcs")
        if init_graph is not None:
            # A rule is a name, a dict or an object with parameters.
            is_rule = isinstance(init_graph, (str, Mapping)) or hasattr(init_graph, "get_params")
            given["init_graph"] = (
                init_graph if is_rule else arcs_to_positions(init_graph, names, "init_graph")
            )
        if tiers is not None:
            given["tiers"] = tiers_by_variable(tiers, names)
        structure_text = parameters_to_json(WHO, given)
        class_number = None if target is None else variable_position(target, names, "target")
        try:
            with (
                name_native_columns_in_errors(names),
                progress_callback("BayesianNetwork", verbose, callback) as callback,
            ):
                learned = native.networks.network_learn(
                    NominalTrainingRows.from_frame(frame, names_and_states(variables), sample_weight),
                    structure_text,
                    tables,
                    class_number,
                    Options.from_options(random_state, *threads, callback),
                )
        except BaseException as stopped:
            incumbent = incumbent_network(stopped)
            if incumbent is not None:
                vars(stopped)["network"] = cls._from_search_result(
                    incumbent, variables, structure_text, class_number
                )
            raise
        return cls._from_search_result(learned, variables, structure_text, class_number)

    @classmethod
    def _from_search_result(
        cls, learned: Learnt, variables: list[Variable], structure: str, target: int | None
    ) -> BayesianNetwork:
        network, total, stopped_by, iterations, bound, shown = learned
        search = {"score": total, "stopped_by": stopped_by, "iterations": iterations}
        proof = None if shown is None else GraphProof(shown, structure, target)
        return cls(network, variables, search if bound is None else {**search, "bound": bound}, proof)

    @classmethod
    @match_rows_by_index
    def from_arcs(
        cls,
        data: Any,
        arcs: Iterable[Arc],
        *,
        target: str | None = None,
        discretize: Any = None,
        prior: Any = "uniform",
        sample_weight: Any = None,
        n_threads: int | None = None,
    ) -> BayesianNetwork:
        """Estimate the probabilities of a known graph from data.

        Parameters
        ----------
        data, target, discretize, prior, sample_weight, n_threads
            Data and options, as in :meth:`learn`.
        arcs
            Pairs ``(parent, child)`` of column names.

        Returns
        -------
        BayesianNetwork
            The network.
        """
        variables, frame = determine_variables(data, discretize, target, (n_threads, None))
        numbered = arcs_to_positions(arcs, [variable.name for variable in variables], "arcs")
        return _estimate_network(variables, frame, numbered, target, prior, sample_weight, n_threads)

    @classmethod
    def of_classifier(cls, model: Any, member: int = 0) -> BayesianNetwork:
        """Return the network of a fitted Bayesian classifier.

        Parameters
        ----------
        model
            Fitted estimator of :mod:`imbcore.bayes`, or its model.
        member
            Index of the network if the model is an ensemble of networks.

        Returns
        -------
        BayesianNetwork
            The network. The states of nominal columns are their levels, the states of numeric columns are
            bins, and the class is the last variable.

        Raises
        ------
        UnsupportedError
            The model is not a Bayesian classifier.
        DataError
            The member does not exist.
        """
        found = fitted_model(model, "of_classifier")
        if not isinstance(found._native, native.models.NetworkModel):
            raise UnsupportedError(
                f"a model of method {found.method!r} is not a Bayesian classifier{found._why_not}"
            )
        network, cuts = found._native.network(validate_whole_number("member", member, 0))
        labels = {feature.name: feature.levels for feature in found._schema.features}
        labels[network.variables[-1][0]] = found.classes_.tolist()
        variables = []
        for variable, bounds in zip(_formats.variables_with_text_states(network), cuts, strict=True):
            own = labels[variable.name]
            # States are text; use the original labels if their texts are the states.
            if own is not None and list(map(str, own)) == variable.texts:
                variable = replace(variable, levels=tuple(own))
            variables.append(variable if bounds is None else replace(variable, cuts=tuple(bounds)))
        return cls(network, variables, {})

    @match_rows_by_index
    def fit_parameters(
        self,
        data: Any,
        *,
        target: str | None = None,
        prior: Any = "uniform",
        sample_weight: Any = None,
        n_threads: int | None = None,
    ) -> BayesianNetwork:
        """Estimate the probabilities again from other data; graph and states do not change.

        Parameters
        ----------
        data, target, prior, sample_weight, n_threads
            Data and options, as in :meth:`learn`.

        Returns
        -------
        BayesianNetwork
            A new network.
        """
        frame, arcs = encode_network_table(self._variables, data), self._network.arcs
        return _estimate_network(self._variables, frame, arcs, target, prior, sample_weight, n_threads)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> BayesianNetwork:
        """Read a network from a file; its extension determines the format.

        Parameters
        ----------
        path
            ``.bif``, ``.xml``, ``.xmlbif`` or ``.bifxml`` (XMLBIF 0.3), ``.net`` (Hugin) or ``.json``
            (imbcore).

        Returns
        -------
        BayesianNetwork
            The network; its states are text, except for JSON, which preserves numbers and cut points.

        Raises
        ------
        ModelFormatError
            The file is not a valid network, or the sum of a row of probabilities differs from 1 by more than
            the rounding of the printed digits. The message gives the line.

        Warns
        -----
        DataWarning
            A row deviates from 1 by more than 1e-6, within the rounding of the printed digits.
        """
        return cls(*_formats.read_network(path), {})

    from_file = read

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the network to a file; its extension determines the format.

        The file is written atomically. Numbers are written so that they read back exactly.

        Parameters
        ----------
        path
            ``.bif``, ``.xml``, ``.xmlbif`` or ``.bifxml`` (XMLBIF 0.3), ``.net`` (Hugin), ``.json`` (imbcore)
            or ``.dot`` (only the graph, for Graphviz).

        Raises
        ------
        UnsupportedError
            The file format does not support a name of a variable or state, such as a name with a comma in
            BIF.
        """
        _formats.write_network(path, self._network, self._variables)

    @match_rows_by_index
    def score(
        self,
        data: Any,
        *,
        score: Any = "bic",
        target: str | None = None,
        sample_weight: Any = None,
        n_threads: int | None = None,
        **structure: Any,
    ) -> float:
        """Score the graph on data; higher is better.

        Parameters
        ----------
        data
            Table with a column for every variable.
        score, target, sample_weight, n_threads, **structure
            Score and options, as in :meth:`learn`.

        Returns
        -------
        float
            Score in nats.
        """
        arguments = self._prepare_scoring(data, score, target, sample_weight, structure)
        return self._network.score(*arguments, resolve_threads(n_threads))[0]

    @match_rows_by_index
    def arc_strengths(
        self,
        data: Any,
        *,
        score: Any = "bic",
        target: str | None = None,
        sample_weight: Any = None,
        n_threads: int | None = None,
        **structure: Any,
    ) -> dict[Arc, float]:
        """Compute the decrease of the score if an arc is removed, for every arc.

        Parameters
        ----------
        data
            Table with a column for every variable.
        score, target, sample_weight, n_threads, **structure
            Score and options, as in :meth:`learn`.

        Returns
        -------
        dict
            Strength of each arc: the decrease of the score in nats if the arc is removed; negative if the
            score improves.
        """
        arguments = self._prepare_scoring(data, score, target, sample_weight, structure)
        strengths = self._network.arc_strengths(*arguments, resolve_threads(n_threads))
        return dict(zip(self.arcs, strengths.tolist(), strict=True))

    def _prepare_scoring(
        self, data: Any, score: Any, target: str | None, sample_weight: Any, structure: Mapping[str, Any]
    ) -> tuple[NominalFrame, Any, str, int | None]:
        frame = encode_network_table(self._variables, data)
        return (
            frame,
            validate_sample_weights(sample_weight, len(frame[0][0])),
            parameters_to_json(WHO, {"score": score, **structure}),
            None if target is None else variable_position(target, self._names, "target"),
        )


name_class_in_errors(BayesianNetwork, WHO)


def _warn_of_arcs_without_effect(arcs: Iterable[Sequence[int]], variables: Sequence[Variable]) -> None:
    """Warn of required arcs of variables with a single state, which cannot depend on anything."""
    constant = sorted({variables[at].name for arc in arcs for at in arc if len(variables[at].levels) < 2})
    if constant:
        warn_user(
            f"required_arcs has arcs of {', '.join(map(repr, constant))}, which has a single state after "
            "discretization, so these arcs have no effect; choose other cut points, or leave out these arcs"
        )


def _prior_to_json(prior: Any, target: str | None, **others: Any) -> str:
    """Convert a prior; one that corrects for an imbalance of the class needs the class."""
    asked = parameters_to_json(WHO, {"prior": prior, **others})
    if target is None and any(f'"{name}"' in asked for name in ("rebalanced", "local")):
        raise ParameterError(f"prior={value_text(prior)} needs the class variable; give its name as target=")
    return asked


def _estimate_network(
    variables: list[Variable],
    frame: NominalFrame,
    arcs: list[tuple[int, int]],
    target: str | None,
    prior: Any,
    sample_weight: Any,
    n_threads: int | None,
) -> BayesianNetwork:
    names = [variable.name for variable in variables]
    asked = _prior_to_json(prior, target)
    with name_native_columns_in_errors(names):
        network = native.networks.network_estimate(
            NominalTrainingRows.from_frame(frame, names_and_states(variables), sample_weight),
            arcs,
            asked,
            None if target is None else variable_position(target, names, "target"),
            resolve_threads(n_threads),
        )
    return BayesianNetwork(network, variables, {})
