# Written by `make generate` from the registry of methods; edit that, not this.
"""What ``search`` chooses between."""

from __future__ import annotations

from typing import ClassVar, Literal

from imbcore._estimators.choice import Choice
from imbcore._input.options import keep_arguments

__all__ = ["Tabu", "HillClimbing", "BOSS", "BestSearch", "BiasedRandomization", "IteratedLocalSearch", "ExactSearch"]


class Tabu(Choice):
    """Hill climbing that goes on downhill and never returns to recent graphs.

    Parameters
    ----------
    tabu : int, default=10
        Recent graphs that tabu search does not return to. Must be a whole number of at least 1.
    max_tabu : int, default=10
        Moves without a new best graph after which tabu search stops. Must be a whole number of at least 1.
    restarts : int, default=0
        Restarts of tabu search and hill climbing from the best graph, perturbed; of boss from random
        orders. Must be a whole number of at least 0.
    perturb : int, default=10
        Random operations of a restart, and of those of best that start near the best graph. Must be a whole
        number of at least 1.
    kick : {"random", "equivalent"}, default="random"
        Operations of a restart: any, or turns of arcs that keep the independences, after which a climb
        often goes on.
    max_iters : int or None, default=None
        Most operations; None takes 1000 for rb and ils and no limit for the others. Must be a whole number
        of at least 1, or None.
    time_limit : float or None, default=None
        Time limit for all searches of tie_order together; None takes 30 s for rb and ils and no limit for
        the others. A search that it ends does not repeat. Must be a positive number of seconds, or None.
    """

    _choice: ClassVar[str] = "tabu"

    def __init__(
        self,
        *,
        tabu: int = 10,
        max_tabu: int = 10,
        restarts: int = 0,
        perturb: int = 10,
        kick: Literal["random", "equivalent"] = "random",
        max_iters: int | None = None,
        time_limit: float | None = None,
    ) -> None:
        keep_arguments(self, locals())


class HillClimbing(Choice):
    """Greedy hill climbing.

    Parameters
    ----------
    restarts : int, default=0
        Restarts of tabu search and hill climbing from the best graph, perturbed; of boss from random
        orders. Must be a whole number of at least 0.
    perturb : int, default=10
        Random operations of a restart, and of those of best that start near the best graph. Must be a whole
        number of at least 1.
    kick : {"random", "equivalent"}, default="random"
        Operations of a restart: any, or turns of arcs that keep the independences, after which a climb
        often goes on.
    max_iters : int or None, default=None
        Most operations; None takes 1000 for rb and ils and no limit for the others. Must be a whole number
        of at least 1, or None.
    time_limit : float or None, default=None
        Time limit for all searches of tie_order together; None takes 30 s for rb and ils and no limit for
        the others. A search that it ends does not repeat. Must be a positive number of seconds, or None.
    """

    _choice: ClassVar[str] = "hc"

    def __init__(
        self,
        *,
        restarts: int = 0,
        perturb: int = 10,
        kick: Literal["random", "equivalent"] = "random",
        max_iters: int | None = None,
        time_limit: float | None = None,
    ) -> None:
        keep_arguments(self, locals())


class BOSS(Choice):
    """Best order score search (Andrews et al. 2023).

    Parameters
    ----------
    restarts : int, default=0
        Restarts of tabu search and hill climbing from the best graph, perturbed; of boss from random
        orders. Must be a whole number of at least 0.
    time_limit : float or None, default=None
        Time limit for all searches of tie_order together; None takes 30 s for rb and ils and no limit for
        the others. A search that it ends does not repeat. Must be a positive number of seconds, or None.
    """

    _choice: ClassVar[str] = "boss"

    def __init__(
        self,
        *,
        restarts: int = 0,
        time_limit: float | None = None,
    ) -> None:
        keep_arguments(self, locals())


class BestSearch(Choice):
    """Best order score search and tabu search in turn, from many starts.

    Parameters
    ----------
    tabu : int, default=10
        Recent graphs that tabu search does not return to. Must be a whole number of at least 1.
    max_tabu : int, default=10
        Moves without a new best graph after which tabu search stops. Must be a whole number of at least 1.
    perturb : int, default=10
        Random operations of a restart, and of those of best that start near the best graph. Must be a whole
        number of at least 1.
    rounds : int or None, default=None
        Rounds of best, each of four searches; None takes 40, or no limit where there is a time limit. Must
        be a whole number of at least 1, or None.
    max_scores : int or None, default=None
        Scores of families after which best begins no further round; None takes 20 million, or 200 million
        where there is a time limit. Must be a whole number of at least 1, or None.
    time_limit : float or None, default=None
        Time limit for all searches of tie_order together; None takes 30 s for rb and ils and no limit for
        the others. A search that it ends does not repeat. Must be a positive number of seconds, or None.
    """

    _choice: ClassVar[str] = "best"

    def __init__(
        self,
        *,
        tabu: int = 10,
        max_tabu: int = 10,
        perturb: int = 10,
        rounds: int | None = None,
        max_scores: int | None = None,
        time_limit: float | None = None,
    ) -> None:
        keep_arguments(self, locals())


class BiasedRandomization(Choice):
    """Iterated search with biased randomisation.

    Parameters
    ----------
    max_iters : int or None, default=None
        Most operations; None takes 1000 for rb and ils and no limit for the others. Must be a whole number
        of at least 1, or None.
    max_without_improvement : int, default=30
        Iterations of rb and ils without a new best graph. Must be a whole number of at least 1.
    geom : float, default=0.3
        Parameter of the geometric law by which rb picks among ranked candidates, and ils the size of a
        perturbation. Must be in (0, 1).
    candidates : int, default=25
        Random operations that rb ranks in an iteration. Must be a whole number of at least 1.
    time_limit : float or None, default=None
        Time limit for all searches of tie_order together; None takes 30 s for rb and ils and no limit for
        the others. A search that it ends does not repeat. Must be a positive number of seconds, or None.
    accept : {"credit", "demon"}, default="credit"
        When rb and ils accept a worse graph: "credit", when it is behind the best by less than the last
        increase; "demon", once after an increase by at most that.
    """

    _choice: ClassVar[str] = "rb"

    def __init__(
        self,
        *,
        max_iters: int | None = None,
        max_without_improvement: int = 30,
        geom: float = 0.3,
        candidates: int = 25,
        time_limit: float | None = None,
        accept: Literal["credit", "demon"] = "credit",
    ) -> None:
        keep_arguments(self, locals())


class IteratedLocalSearch(Choice):
    """Iterated local search.

    Parameters
    ----------
    max_iters : int or None, default=None
        Most operations; None takes 1000 for rb and ils and no limit for the others. Must be a whole number
        of at least 1, or None.
    max_without_improvement : int, default=30
        Iterations of rb and ils without a new best graph. Must be a whole number of at least 1.
    geom : float, default=0.3
        Parameter of the geometric law by which rb picks among ranked candidates, and ils the size of a
        perturbation. Must be in (0, 1).
    time_limit : float or None, default=None
        Time limit for all searches of tie_order together; None takes 30 s for rb and ils and no limit for
        the others. A search that it ends does not repeat. Must be a positive number of seconds, or None.
    accept : {"credit", "demon"}, default="credit"
        When rb and ils accept a worse graph: "credit", when it is behind the best by less than the last
        increase; "demon", once after an increase by at most that.
    """

    _choice: ClassVar[str] = "ils"

    def __init__(
        self,
        *,
        max_iters: int | None = None,
        max_without_improvement: int = 30,
        geom: float = 0.3,
        time_limit: float | None = None,
        accept: Literal["credit", "demon"] = "credit",
    ) -> None:
        keep_arguments(self, locals())


class ExactSearch(Choice):
    """The best graph there is.

    Parameters
    ----------
    time_limit : float or None, default=None
        Time limit for all searches of tie_order together; None takes 30 s for rb and ils and no limit for
        the others. A search that it ends does not repeat. Must be a positive number of seconds, or None.
    """

    _choice: ClassVar[str] = "exact"

    def __init__(
        self,
        *,
        time_limit: float | None = None,
    ) -> None:
        keep_arguments(self, locals())
