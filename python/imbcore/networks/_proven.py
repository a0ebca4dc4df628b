"""Certificates of exact graph searches."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from imbcore._bindings import native
from imbcore._bindings.options import resolve_threads
from imbcore._bindings.training import name_native_columns_in_errors
from imbcore.exceptions import DataError, UnsupportedError
from imbcore.networks._base import GraphProof
from imbcore.networks._inference import Inference
from imbcore.networks._variables import encode_network_table


class CertifiedNetwork(Inference):
    """Network with an optimality certificate and its verification."""

    def certificate(self) -> dict[str, Any]:
        """Return the proven bound of an exact graph search, with the data needed to verify it.

        Returns
        -------
        dict
            ``score``, ``bound``, ``stopped_by`` and ``proven_optimal``; the ``variables`` by number;
            ``structure`` and ``target``, the requested score and constraints; and ``proof``, which lets a
            verifier check without a search that no graph scores more than ``bound``. It has ``parts``, each
            with ``steps``, lists of cuts with a ``price`` (dual value). A cut assigns a payment to each
            family of its ``variables``: with empty ``costs`` it is 1 if none of these variables is a parent;
            otherwise variable ``i`` of ``k`` pays ``costs[i * 2**k + own]``, where the bits of ``own`` are
            the positions of its parents in the list. Because graphs are acyclic, the payments of a graph sum
            to at least 1, or to the minimum over all orders of the variables. The score of a graph is
            therefore at most the sum over variables of the best score plus payments, minus the minimum
            payments. Families too far below the best of their variable are removed before the next step. A
            ``split`` separates graphs without and with an arc into further parts. ``most`` is the best value
            of every variable in the first step.

        Raises
        ------
        UnsupportedError
            The network does not come from an exact search with a proof.
        """
        proof = self._proven()
        score, bound = self.search["score"], self.search["bound"]
        return {
            "score": score,
            "bound": bound,
            "stopped_by": self.search["stopped_by"],
            "proven_optimal": self.search["stopped_by"] == "optimal",
            "variables": list(self._names),
            "structure": json.loads(proof.structure),
            "target": None if proof.target is None else self._names[proof.target],
            "proof": native.networks.network_proof(proof.shown),
        }

    def verify_certificate(
        self,
        data: Any,
        *,
        certificate: Mapping[str, Any] | None = None,
        time_limit: float = 600.0,
        n_threads: int | None = None,
    ) -> dict[str, Any]:
        """Verify on the rows of the search that no graph scores more than the certified bound.

        The verifier counts all families that the dual values of the first step do not exclude, and adds up
        payments. It shares the score formulas with the search, but neither counting nor bounding. It may take
        several times as long as the search. The numbers of a certificate are not trusted: rounding always
        weakens the derived bound. The certified score and constraints (``structure`` and ``target``) must be
        those of the search of this network; a network without a search, as from :meth:`from_arcs`, has none.

        Parameters
        ----------
        data
            The training rows of the graph.
        certificate
            Result of :meth:`certificate`, for instance read from JSON; None: the certificate of the network.
        time_limit
            Seconds, above 0.
        n_threads
            Number of threads; the result does not depend on it.

        Returns
        -------
        dict
            ``score`` of the graph, recomputed, and ``score_holds``; ``rounding``, the tolerance for different
            summation orders, some billionths of the largest entropy of the rows for any certificate;
            ``bound``, an upper bound for all graphs, ``rounding`` above the certified one if that holds, None
            if nothing is proven; ``bound_holds``, None if time ran out; ``proves_optimal``, whether the bound
            equals the score of the graph, up to rounding; ``families``, the number of counted families;
            ``reason``, a sentence about the first failed check, else None.

        Raises
        ------
        DataError
            The data have other columns, or ``certificate`` is not valid for this network: malformed, or for
            other variables, another score or constraints that the network violates.
        UnsupportedError
            There is no certificate, or the rows have weights or missing values.
        """
        stated = _parse_certificate(self.certificate() if certificate is None else certificate, self._names)
        proof = self._proof
        with name_native_columns_in_errors(self._names):
            found = native.networks.network_verify(
                self._network,
                encode_network_table(self._variables, data),
                stated.proof,
                (stated.structure, stated.target),
                None if proof is None else (proof.structure, proof.target),
                time_limit,
                resolve_threads(n_threads),
            )
        rounding = found["rounding"]
        score_holds = abs(found["score"] - stated.score) <= rounding
        optimal = bool(found["bound_holds"]) and found["bound"] <= found["score"] + 2 * rounding
        return {**found, "score_holds": score_holds, "proves_optimal": score_holds and optimal}

    def _proven(self) -> GraphProof:
        if self._proof is None:
            raise UnsupportedError(
                'there is no certificate: learn with search="exact" and a score with bounds, on rows '
                "without weights and missing values, and do not limit the parent sets that it counts"
            )
        return self._proof


class _CertificateParts(NamedTuple):
    """Parts of a certificate in the form of the native verifier."""

    score: float
    structure: str
    target: int | None
    proof: str


def _parse_certificate(certificate: Mapping[str, Any], names: list[str]) -> _CertificateParts:
    """Validate and split a certificate of unknown content."""
    if not isinstance(certificate, Mapping):
        raise DataError(f"certificate must be a dict, got {type(certificate).__name__}; {_REMEDY}")
    wanted = ("score", "bound", "variables", "structure", "proof")
    missing = [name for name in wanted if name not in certificate]
    if missing:
        raise DataError(f"certificate lacks {', '.join(map(repr, missing))}; {_REMEDY}")
    variables, target = certificate["variables"], certificate.get("target")
    if not isinstance(variables, (list, tuple)) or list(variables) != names:
        raise DataError(f"certificate has other variables than this network; {_REMEDY}")
    if target is not None and target not in names:
        # The text of a target of unknown content may be long or nested too deeply.
        raise DataError(f"certificate has a target that is not a variable; {_REMEDY}")
    score, bound = (_certificate_number(certificate, name) for name in ("score", "bound"))
    for name in ("structure", "proof"):
        if not isinstance(certificate[name], Mapping):
            raise DataError(f"certificate has no dict as {name!r}; {_REMEDY}")
    try:
        structure = json.dumps(dict(certificate["structure"]), allow_nan=False)
        shown = json.dumps({**certificate["proof"], "bound": bound}, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise DataError(
            f"certificate must contain only finite numbers, texts and lists; {_REMEDY}"
        ) from error
    return _CertificateParts(score, structure, None if target is None else names.index(target), shown)


def _certificate_number(certificate: Mapping[str, Any], name: str) -> float:
    number = certificate[name]
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise DataError(f"certificate has no number as {name!r}; {_REMEDY}")
    try:
        if math.isfinite(number):
            return float(number)
    except OverflowError:
        pass
    raise DataError(f"certificate has no finite number as {name!r}; {_REMEDY}")


_REMEDY = "pass the result of certificate() of a network with these variables"
