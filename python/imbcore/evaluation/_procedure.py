"""Evaluation protocols of the papers: number and kind of splits."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from typing import Any

from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.values import validate_real_number, validate_text, validate_whole_number
from imbcore.evaluation._stratified_folds import reject_unknown_layout
from imbcore.exceptions import ParameterError


@dataclass(frozen=True)
class Procedure:
    """Splits of every data set into training and test sets.

    Parameters
    ----------
    name : str
        Display name.
    replicates : int
        Number of repetitions with different splits, at least 1.
    folds : int, default=2
        Folds per repetition, each of which is the test set once; at least 2. 1 if ``test_fraction`` gives the
        size of a single test set.
    layout : {"deal", "blocks"}, default="deal"
        Assignment of rows to folds, as in :class:`StratifiedFolds`.
    test_fraction : float or None, default=None
        Fraction of rows in the test set, drawn anew for every repetition, instead of folds.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from imbcore.evaluation import PROCEDURES
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
        validate_text("name", self.name)
        reject_unknown_layout(self.layout)
        validate_whole_number("replicates", self.replicates, 1)
        validate_whole_number("folds", self.folds, 2 if self.test_fraction is None else 1)
        fraction = (
            None if self.test_fraction is None else validate_real_number("test_fraction", self.test_fraction)
        )
        if fraction is not None and not (0 < fraction < 1 and self.folds == 1):
            raise ParameterError(
                "a procedure with test_fraction needs folds=1 and a fraction in (0, 1), got "
                f"test_fraction={self.test_fraction!r} and folds={self.folds!r}"
            )

    def __str__(self) -> str:
        if self.test_fraction is not None:
            return f"{self.replicates} random splits, {100 * self.test_fraction:g} % of the rows for tests"
        return f"{self.replicates} x {self.folds} stratified folds"

    def settings(self) -> dict[str, Any]:
        """Return the settings of the procedure as a dict."""
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
"""Procedures of the five papers, and 5x2 under its own name."""


def procedure_of(protocol: Procedure | str) -> Procedure:
    """Convert a protocol, such as a name or the text "3x10", to a `Procedure`.

    Raises
    ------
    ParameterError
        It is none of these.
    """
    if isinstance(protocol, Procedure):
        return protocol
    if isinstance(protocol, str):
        if protocol in PROCEDURES:
            return PROCEDURES[protocol]
        if counts := re.fullmatch(r"(\d+)x(\d+)", protocol):
            return Procedure(protocol, int(counts[1]), int(counts[2]))
    near = get_close_matches(str(protocol).lower(), PROCEDURES, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"available are {', '.join(PROCEDURES)}."
    raise ParameterError(
        f"unknown protocol {protocol!r}; {hint} Repetitions x folds are allowed, too, such as '3x10'"
    )


name_package_in_errors(globals())
