"""Several classes by tasks of two, where the members are fitted in Python."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings.training import NativeWeightsAndCosts
from imbcore._imbcore._types import Codes, Numbers

def outline_decomposition(
    method: str,
    params: str,
    weighing: NativeWeightsAndCosts,
    positive: int,
    seed: int,
) -> dict[str, Any]: ...
def column_task(
    book: NDArray[np.int8], column: int, codes: Codes, sample_weight: Numbers | None
) -> tuple[Codes | None, Codes, float | None, int]: ...
def decode(decoding: str, book: NDArray[np.int8], columns: list[Numbers], shares: Numbers) -> Numbers: ...
def logistic(scores: Numbers) -> Numbers: ...
