"""Single trees: paths of prunings and of penalties."""

from typing import final

from imbcore._bindings.options import Options
from imbcore._bindings.training import NativeTrainingData
from imbcore._imbcore._types import Codes, Frame, Numbers
from imbcore._imbcore.models import Model, TreeModel

def svr_path(
    params: str, penalties: list[float], training: NativeTrainingData, options: Options
) -> list[Model]: ...
def svr_validate(
    params: str,
    penalties: list[float],
    splits: list[tuple[Codes, Codes]],
    training: NativeTrainingData,
    options: Options,
) -> list[tuple[Codes, Numbers]]: ...
def svr_penalties(mass: float) -> list[float]: ...

@final
class PrunedPredictions:
    def __new__(
        cls, model: TreeModel, risk: str | None, frame: Frame, n_threads: int
    ) -> PrunedPredictions: ...
    def index_of_alpha(self, alpha: float) -> int: ...
    def predict_step(self, step: int) -> tuple[Numbers, Codes]: ...

def pruning_betas(alphas: Numbers) -> Numbers: ...
def choose_pruning(scores: Numbers, rule: str) -> tuple[int, Numbers, Numbers]: ...
