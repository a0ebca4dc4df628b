# Written by `make generate` from the registry of methods; edit that, not this.
"""What ``prior`` chooses between."""

from __future__ import annotations

from typing import ClassVar, Literal

from imbcore._estimators.choice import Choice
from imbcore._input.options import keep_arguments

__all__ = ["Uniform", "Rebalanced", "LocallyRebalanced"]


class Uniform(Choice):
    """A prior that is spread evenly over the cells of every table.

    Parameters
    ----------
    weight : float or {"n"}, default=1.0
        Weight of the prior of every table (its equivalent sample size, alpha), spread over its cells; 0 is
        maximum likelihood.
    share : float or None, default=None
        The same as a share of the weight of all rows, in place of ``weight``. Must be a number of at least
        0, or None.
    laplace : {"max", "add"} or None, default=None
        Least count of every cell: "max" lifts counts below 1 to 1, "add" adds 1; meant for a ``weight`` of
        0.
    """

    _choice: ClassVar[str] = "uniform"

    def __init__(
        self,
        *,
        weight: float | Literal["n"] = 1.0,
        share: float | None = None,
        laplace: Literal["max", "add"] | None = None,
    ) -> None:
        keep_arguments(self, locals())


class Rebalanced(Choice):
    """A prior of the class that counters its imbalance; those of the other tables are uniform.

    Parameters
    ----------
    weight : float or {"n"}, default=1.0
        Weight of the prior of every table (its equivalent sample size, alpha), spread over its cells; 0 is
        maximum likelihood.
    share : float or None, default=None
        The same as a share of the weight of all rows, in place of ``weight``. Must be a number of at least
        0, or None.
    laplace : {"max", "add"} or None, default=None
        Least count of every cell: "max" lifts counts below 1 to 1, "add" adds 1; meant for a ``weight`` of
        0.
    gamma : float, default=1.0
        How far imbalance is countered. With 1 and a ``weight`` of "n" two classes without parents come out
        alike. Must be a number in [0, 1].
    form : {"inverse", "deficit", "literal"}, default="inverse"
        "inverse" to the classes' frequencies; "deficit", by what they lack to the largest; "literal", the
        thesis' printed form, for two classes.
    """

    _choice: ClassVar[str] = "rebalanced"

    def __init__(
        self,
        *,
        weight: float | Literal["n"] = 1.0,
        share: float | None = None,
        laplace: Literal["max", "add"] | None = None,
        gamma: float = 1.0,
        form: Literal["inverse", "deficit", "literal"] = "inverse",
    ) -> None:
        keep_arguments(self, locals())


class LocallyRebalanced(Choice):
    """The same in small disjuncts only: parent configurations in which a class is rare but present.

    Parameters
    ----------
    weight : float or {"n"}, default=1.0
        Weight of the prior of every table (its equivalent sample size, alpha), spread over its cells; 0 is
        maximum likelihood.
    share : float or None, default=None
        The same as a share of the weight of all rows, in place of ``weight``. Must be a number of at least
        0, or None.
    laplace : {"max", "add"} or None, default=None
        Least count of every cell: "max" lifts counts below 1 to 1, "add" adds 1; meant for a ``weight`` of
        0.
    gamma : float, default=1.0
        How far imbalance is countered. With 1 and a ``weight`` of "n" two classes without parents come out
        alike. Must be a number in [0, 1].
    nu0 : float, default=0.05
        Share of the largest class of a disjunct up to which a class there is noise. Must be a number in [0,
        1), less than nu_max.
    nu_max : float, default=0.8
        Share of the largest class of a disjunct from which it is balanced. Must be a number in (0, 1],
        greater than nu0.
    strength : float, default=0.0
        Least weight of the prior of a disjunct, as a share of its rows; 0.5 lets it add at most half of
        them. Must be a number of at least 0.
    children : bool, default=False
        Whether local priors also act in the tables of the children of a class without parents.
    """

    _choice: ClassVar[str] = "local"

    def __init__(
        self,
        *,
        weight: float | Literal["n"] = 1.0,
        share: float | None = None,
        laplace: Literal["max", "add"] | None = None,
        gamma: float = 1.0,
        nu0: float = 0.05,
        nu_max: float = 0.8,
        strength: float = 0.0,
        children: bool = False,
    ) -> None:
        keep_arguments(self, locals())
