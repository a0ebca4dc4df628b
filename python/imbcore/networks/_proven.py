"""What an exact search for the graph has proven."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from imbcore._border import native
from imbcore._border.options import resolve_threads
from imbcore._border.training import named_columns
from imbcore.exceptions import DataError, UnsupportedError
from imbcore.networks._base import GraphProof
from imbcore.networks._inference import Inference
from imbcore.networks._variables import codes_of

__all__ = ["Proven"]


class Proven(Inference):
    """The certificate of a graph, and its check."""

    def certificate(self) -> dict[str, Any]:
        """Everything that an exact search has proven of the graph.

        Returns
        -------
        dict
            ``score``, ``bound``, ``stopped_by`` and ``proven_optimal``; the ``variables`` by number;
            ``structure`` and ``target``, the score and the rules that were asked for; and ``shown``, by which
            a checker sees without a search that no graph scores more than ``bound``. It has ``parts``, each
            with ``steps``, lists of cuts with a ``price``. A cut is what the families of some ``variables``
            pay: with empty ``costs`` 1 where none of its variables is a parent, else variable ``i`` of ``k``
            pays ``costs[i * 2**k + own]``, the bits of ``own`` being the places of its parents in the list.
            Graphs have no circles, so that every one pays at least 1, or the least over all orders of the
            variables. A graph thus scores no more than the sum over variables of the best of score and
            payments, less what is paid at least; families that are too far below the best of their variable
            are left out before the next step. A ``split`` sends graphs without and with an arc to further
            parts. ``most`` is the best of every variable by the first step.

        Raises
        ------
        UnsupportedError
            The network is not of an exact search that came to a proof.
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
            "shown": native.networks.network_proof(proof.shown),
        }

    def verify_certificate(
        self,
        data: Any,
        *,
        certificate: Mapping[str, Any] | None = None,
        time_limit: float = 600.0,
        n_threads: int | None = None,
    ) -> dict[str, Any]:
        """Check on the rows of the search that no graph scores more than the certificate says.

        The checker counts families by going through the rows, wherever the first prices do not rule them
        out, and adds up prices. It shares the formulas of scores with the search, and nothing that counts or
        bounds. It may take several times as long as the search did. The numbers of a certificate are not
        trusted: what follows from them is rounded so that a bound becomes weaker. What is checked is the
        stated score, rules and target (``structure`` and ``target``), which must be those of the search of
        this network; a network of no search, as from :meth:`from_arcs`, has none of its own.

        Parameters
        ----------
        data
            The rows that the graph was learnt from.
        certificate
            What :meth:`certificate` gave, for instance read from JSON; None takes that of the network.
        time_limit
            Seconds, above 0.
        n_threads
            Threads; the result does not depend on it.

        Returns
        -------
        dict
            ``score`` of the graph, counted anew, and ``score_holds``; ``rounding``, what sums of other orders
            may differ by, some billionths of the largest entropy of the rows, whatever the certificate holds;
            ``bound``, a number that no graph exceeds, ``rounding`` above the certificate's if that holds,
            None if nothing is shown; ``bound_holds``, None if time ran out; ``proves_optimal``, whether the
            bound is the score of the graph, up to rounding; ``families``, the number that were counted;
            ``reason``, a sentence about what does not hold, else None.

        Raises
        ------
        DataError
            The data have other columns, or ``certificate`` is none of such a network: malformed, or about
            other variables, another score or rules that the network breaks.
        UnsupportedError
            There is no certificate, or the rows have weights or missing values.
        """
        stated = _parts(self.certificate() if certificate is None else certificate, self._names)
        proof = self._proof
        with named_columns(self._names):
            found = native.networks.network_verify(
                self._network,
                codes_of(self._variables, data),
                stated.shown,
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
                'there is no certificate: learn with search="exact" and a score with bounds, from rows '
                "without weights and missing values, and let it count all sets of parents"
            )
        return self._proof


class _Stated(NamedTuple):
    """The parts of a certificate, as the native verifier reads them."""

    score: float
    structure: str
    target: int | None
    shown: str


def _parts(certificate: Mapping[str, Any], names: list[str]) -> _Stated:
    """Take a certificate apart, which may be anything."""
    if not isinstance(certificate, Mapping):
        raise DataError(f"certificate must be a dict, got {type(certificate).__name__}; {_REMEDY}")
    wanted = ("score", "bound", "variables", "structure", "shown")
    missing = [name for name in wanted if name not in certificate]
    if missing:
        raise DataError(f"certificate lacks {', '.join(map(repr, missing))}; {_REMEDY}")
    variables, target = certificate["variables"], certificate.get("target")
    if not isinstance(variables, (list, tuple)) or list(variables) != names:
        raise DataError(f"certificate is about other variables than this network; {_REMEDY}")
    if target is not None and target not in names:
        raise DataError(f"certificate has the target {target!r}, which is no variable; {_REMEDY}")
    score, bound = (_number(certificate, name) for name in ("score", "bound"))
    for name in ("structure", "shown"):
        if not isinstance(certificate[name], Mapping):
            raise DataError(f"certificate has no dict as {name!r}; {_REMEDY}")
    try:
        structure = json.dumps(dict(certificate["structure"]), allow_nan=False)
        shown = json.dumps({**certificate["shown"], "bound": bound}, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise DataError(
            f"certificate does not consist of finite numbers, texts and lists; {_REMEDY}"
        ) from error
    return _Stated(score, structure, None if target is None else names.index(target), shown)


def _number(certificate: Mapping[str, Any], name: str) -> float:
    number = certificate[name]
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise DataError(f"certificate has no number as {name!r}; {_REMEDY}")
    try:
        if math.isfinite(number):
            return float(number)
    except OverflowError:
        pass
    raise DataError(f"certificate has no finite number as {name!r}; {_REMEDY}")


_REMEDY = "pass what certificate() of a network of these variables returns"
