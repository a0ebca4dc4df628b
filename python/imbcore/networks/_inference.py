"""Inference in networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings.options import resolve_seed, resolve_threads
from imbcore._bindings.training import name_native_columns_in_errors
from imbcore._validation.values import validate_text, validate_whole_number
from imbcore.exceptions import DataError
from imbcore.networks._answers import Distribution, Explanation, import_pandas
from imbcore.networks._base import Graph
from imbcore.networks._variables import encode_network_table


class Inference(Graph):
    """Network with queries and sampling."""

    def query(
        self,
        targets: str | Sequence[str],
        evidence: Mapping[str, Any] | None = None,
        *,
        approx: int | None = None,
        random_state: Any = None,
        n_threads: int | None = None,
    ) -> Distribution:
        """Compute the joint distribution of some variables given evidence, exactly.

        Parameters
        ----------
        targets
            One or several variables.
        evidence
            State by variable; a number for a discretized variable; missing values are ignored.
        approx
            Number of weighted samples for an estimate if exact inference needs too much memory; ``None``
            raises an error instead.
        random_state
            Seed of these samples.
        n_threads
            Number of threads.

        Returns
        -------
        Distribution
            Probabilities by state, and the logarithm of the probability of the evidence.

        Raises
        ------
        DataError
            The evidence is impossible, or contains an unknown state.
        """
        given = [targets] if isinstance(targets, str) else list(targets)
        numbers = [self._number(name) for name in given]
        approx = None if approx is None else validate_whole_number("approx", approx, 1)
        p, log_evidence, error = self._network.query(
            numbers,
            self._encode_evidence(evidence),
            approx,
            0 if approx is None else resolve_seed(random_state),
            resolve_threads(n_threads),
        )
        # The native result has its axes in the order of the variables.
        axes = sorted(numbers)
        shape = [len(self._variables[number].levels) for number in axes]
        turn = [axes.index(number) for number in numbers]
        states = {self._names[number]: self._variables[number].levels for number in numbers}
        if error is not None:
            error = error.reshape(shape).transpose(turn)
        return Distribution(states, p.reshape(shape).transpose(turn), log_evidence, error)

    def marginals(
        self, evidence: Mapping[str, Any] | None = None, *, n_threads: int | None = None
    ) -> dict[str, Distribution]:
        """Compute the distribution of every single variable given evidence, in one pass.

        Parameters
        ----------
        evidence
            State by variable.
        n_threads
            Number of threads.

        Returns
        -------
        dict
            Distribution by name; an observed variable has probability 1 for its observed state.
        """
        distributions, log_evidence = self._network.marginals(
            self._encode_evidence(evidence), resolve_threads(n_threads)
        )
        return {
            variable.name: Distribution({variable.name: variable.levels}, probabilities, log_evidence)
            for variable, probabilities in zip(self._variables, distributions, strict=True)
        }

    def mpe(self, evidence: Mapping[str, Any] | None = None, *, n_threads: int | None = None) -> Explanation:
        """Find the most probable joint states of all variables.

        Parameters
        ----------
        evidence
            State by variable.
        n_threads
            Number of threads.

        Returns
        -------
        Explanation
            States by variable, and the logarithm of their joint probability.
        """
        codes, log_probability = self._network.mpe(
            self._encode_evidence(evidence), resolve_threads(n_threads)
        )
        pairs = zip(self._variables, codes, strict=True)
        return Explanation(
            {variable.name: variable.levels[code] for variable, code in pairs}, log_probability
        )

    def log_probability(self, data: Any, *, n_threads: int | None = None) -> NDArray[np.float64]:
        """Log probability of every row; low values mean that a row is unusual.

        Parameters
        ----------
        data
            Table with a column for every variable. Missing values are marginalized exactly.
        n_threads
            Number of threads.

        Returns
        -------
        ndarray of shape (n_rows,)
            Natural logarithms; minus infinity for an impossible row.
        """
        with name_native_columns_in_errors(self._names):
            return self._network.log_probability(
                encode_network_table(self._variables, data), resolve_threads(n_threads)
            )

    def sample(
        self,
        n: int,
        evidence: Mapping[str, Any] | None = None,
        *,
        random_state: Any = None,
        method: str = "exact",
        n_threads: int | None = None,
    ) -> Any:
        """Sample random rows.

        Parameters
        ----------
        n
            Number of rows.
        evidence
            State by variable, fixed in all rows.
        random_state
            Seed; equal seeds give equal rows for any number of threads.
        method
            ``"exact"`` samples from the distribution given the evidence. ``"weighted"`` samples forward and
            adds a column ``weight`` (likelihood weighting), for networks too dense for exact inference;
            ``"resampled"`` draws ``n`` of those rows by weight.
        n_threads
            Number of threads.

        Returns
        -------
        pandas.DataFrame
            One categorical column per variable.

        Raises
        ------
        DataError
            The evidence is impossible or contains an unknown state, or a variable is called ``weight`` and
            ``method`` is "weighted".
        """
        pd = import_pandas("BayesianNetwork.sample")
        columns, weights = self._network.sample(
            validate_whole_number("n", n, 1),
            self._encode_evidence(evidence),
            validate_text("method", method),
            resolve_seed(random_state),
            resolve_threads(n_threads),
        )
        frame = {
            variable.name: pd.Categorical.from_codes(codes, categories=list(variable.levels))
            for variable, codes in zip(self._variables, columns, strict=True)
        }
        if weights is None:
            return pd.DataFrame(frame)
        if "weight" in frame:
            raise DataError(
                'a variable is called "weight", like the column of weights; use method="resampled", which '
                "has no such column"
            )
        drawn = pd.DataFrame({**frame, "weight": weights[0]})
        drawn.attrs["effective_size"] = weights[1]
        return drawn
