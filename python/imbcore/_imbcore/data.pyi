"""Tables read and drawn."""

from os import PathLike
from typing import Any

from imbcore._imbcore._types import Callback, Codes, Numbers

_Level = int | float | str | bool

def read_table(
    path: str | PathLike[str],
    reading: dict[str, Any],
    callback: Callback | None = None,
) -> list[tuple[str, Numbers | tuple[Codes, list[_Level]]]]: ...
def four_gaussians(n_samples: list[int], side: float, seed: int) -> tuple[Numbers, Codes]: ...
def disjunct_grid(
    n_samples: int,
    grid: dict[str, Any],
    seed: int,
) -> tuple[Numbers, Codes, Codes]: ...
def shape(name: str, seed: int | None, redraw: bool) -> tuple[Numbers, Codes]: ...
