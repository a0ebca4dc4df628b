"""Box drawings: paths of weights, and the choice of settings."""

from imbcore._bindings.options import Options
from imbcore._bindings.training import NativeTrainingData
from imbcore._imbcore._types import Codes, Frame, Numbers
from imbcore._imbcore.models import BoxModel

def exact_path(
    params: str, weights: list[float], training: NativeTrainingData, options: Options
) -> list[BoxModel]: ...
def box_selection(
    params: str,
    training: NativeTrainingData,
    held_out: tuple[Frame, Codes, Numbers | None],
    grid: tuple[list[int], list[float]],
    unit: float,
    options: Options,
) -> Numbers: ...
def generalization_bound(
    risk: float, n_rows: int, n_boxes: int, n_values: list[int], c: float, delta: float
) -> float: ...
