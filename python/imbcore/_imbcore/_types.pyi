"""Types that the modules of the native core share; no module of its own."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float64] | tuple[NDArray[np.uint32], int]
# One 2-D array in C or Fortran order, or one entry a column.
Frame = NDArray[np.float64] | list[Column]
Codes = NDArray[np.uint32]
Numbers = NDArray[np.float64]
Callback = Callable[[str, int, int], object]
