"""Tables read and drawn."""

from os import PathLike

from imbcore._imbcore._types import Callback, Codes, Numbers

_Level = int | float | str | bool

def read_table(
    path: str | PathLike[str],
    delimiter: str | None,
    has_header: bool,
    missing: list[str],
    text: list[str],
    numeric: list[str],
    callback: Callback | None = None,
) -> list[tuple[str, Numbers | tuple[Codes, list[_Level]]]]: ...
def four_gaussians(n_samples: list[int], side: float, seed: int) -> tuple[Numbers, Codes]: ...
def disjunct_grid(
    n_samples: int,
    complexity: int,
    minority_share: float,
    interclass: float,
    overlap: float,
    reading: str,
    seed: int,
) -> tuple[Numbers, Codes, Codes]: ...
def shape(name: str, seed: int | None, redraw: bool) -> tuple[Numbers, Codes]: ...
