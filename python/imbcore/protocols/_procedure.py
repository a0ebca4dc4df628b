"""Procedures of the papers: how often, and into which parts, the rows are divided."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from typing import Any

from imbcore._input.values import whole_number
from imbcore.exceptions import ParameterError


@dataclass(frozen=True)
class Procedure:
    """How the rows of every table are divided into training and test parts.

    Parameters
    ----------
    name : str
        What a person calls it.
    replicates : int
        Repetitions with other parts, at least 1.
    folds : int, default=2
        Parts of a repetition, each of which is the test part once; at least 2. 1 where ``test_fraction`` says
        how large the only test part is.
    layout : {"deal", "blocks"}, default="deal"
        As in :class:`StratifiedFolds`.
    test_fraction : float or None, default=None
        Share of the rows in the test part, drawn anew for every repetition, in place of folds.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from imbcore.protocols import PROCEDURES
    >>> quick = replace(PROCEDURES["hddt"], replicates=3)
    >>> quick.replicates, quick.folds
    (3, 2)
    """

    name: str
    replicates: int
    folds: int = 2
    layout: str = "deal"
    test_fraction: float | None = None

    def __post_init__(self) -> None:
        whole_number("replicates", self.replicates, 1)
        whole_number("folds", self.folds, 2 if self.test_fraction is None else 1)
        if self.test_fraction is not None and not (0 < self.test_fraction < 1 and self.folds == 1):
            raise ParameterError(
                "a procedure with test_fraction has folds=1 and a fraction between 0 and 1, got "
                f"test_fraction={self.test_fraction!r} and folds={self.folds!r}"
            )

    def __str__(self) -> str:
        if self.test_fraction is not None:
            return f"{self.replicates} random splits, {self.test_fraction:.0%} of the rows for tests"
        return f"{self.replicates} x {self.folds} stratified folds"

    def settings(self) -> dict[str, Any]:
        """All that decides how rows are divided, by name."""
        return asdict(self)


PROCEDURES = {
    of.name: of
    for of in (
        Procedure("5x2", 5, 2),
        Procedure("beat", 5, 2),
        Procedure("hddt", 50, 2),
        Procedure("svr", 20, 3, "blocks"),
        Procedure("boxes", 1, 10),
        Procedure("thesis", 20, 1, test_fraction=0.15),
    )
}
"""Procedures of the five papers, and 5x2 by its own name."""


def procedure_of(procedure: Procedure | str) -> Procedure:
    """Look up a procedure: a value, a name in ``PROCEDURES``, or repetitions and folds such as "3x10".

    Raises
    ------
    ParameterError
        It is none of these.
    """
    if isinstance(procedure, Procedure):
        return procedure
    if isinstance(procedure, str):
        if procedure in PROCEDURES:
            return PROCEDURES[procedure]
        if counts := re.fullmatch(r"(\d+)x(\d+)", procedure):
            return Procedure(procedure, int(counts[1]), int(counts[2]))
    near = get_close_matches(str(procedure), PROCEDURES, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(PROCEDURES)}"
    raise ParameterError(f"unknown procedure {procedure!r}; {hint}, or repetitions x folds, such as '3x10'")
