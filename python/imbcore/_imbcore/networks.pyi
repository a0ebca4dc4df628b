"""Bayesian networks."""

from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings.networks import NominalTrainingRows
from imbcore._bindings.options import Options
from imbcore._imbcore._types import Codes, Numbers

_Arcs = list[tuple[int, int]]
_Evidence = list[tuple[int, int]]
_Names = list[tuple[str, list[str]]]
_Nominal = list[tuple[Codes, int]]

@final
class Network:
    @staticmethod
    def read(text: str, form: str) -> tuple[Network, list[str]]: ...
    def write(self, form: str) -> str: ...
    @property
    def variables(self) -> _Names: ...
    @property
    def arcs(self) -> _Arcs: ...
    @property
    def dimension(self) -> float: ...
    def markov_blanket(self, variable: int) -> list[int]: ...
    def cpt(self, variable: int) -> Numbers: ...
    def query(
        self, targets: list[int], evidence: _Evidence, approx: int | None, seed: int, n_threads: int
    ) -> tuple[Numbers, float, Numbers | None]: ...
    def marginals(self, evidence: _Evidence, n_threads: int) -> tuple[list[Numbers], float]: ...
    def mpe(self, evidence: _Evidence, n_threads: int) -> tuple[list[int], float]: ...
    def log_probability(self, frame: _Nominal, n_threads: int) -> Numbers: ...
    def sample(
        self, n: int, evidence: _Evidence, method: str, seed: int, n_threads: int
    ) -> tuple[list[NDArray[np.uint16]], tuple[Numbers, float] | None]: ...
    def score(
        self,
        frame: _Nominal,
        sample_weight: Numbers | None,
        params: str,
        target: int | None,
        n_threads: int,
    ) -> tuple[float, Numbers]: ...
    def arc_strengths(
        self,
        frame: _Nominal,
        sample_weight: Numbers | None,
        params: str,
        target: int | None,
        n_threads: int,
    ) -> Numbers: ...

def network_learn(
    rows: NominalTrainingRows,
    params: str,
    prior: str,
    target: int | None,
    options: Options,
) -> tuple[Network, float, str, int, float | None, str | None]: ...
def network_proof(proof: str) -> dict[str, Any]: ...
def network_verify(
    network: Network,
    frame: _Nominal,
    proof: str,
    asked: tuple[str, int | None],
    own: tuple[str, int | None] | None,
    time_limit: float,
    n_threads: int,
) -> dict[str, Any]: ...
def network_estimate(
    rows: NominalTrainingRows,
    arcs: _Arcs,
    prior: str,
    target: int | None,
    n_threads: int,
) -> Network: ...
def network_cuts(
    frame: list[Numbers], params: str, codes: Codes | None, n_classes: int, n_threads: int
) -> list[list[float] | None]: ...
def network_bins(values: Numbers, cuts: list[float]) -> Codes: ...
def network_cpdag(names: list[str], arcs: _Arcs) -> tuple[_Arcs, _Arcs]: ...
def network_shd(names: list[str], arcs: _Arcs, others: _Arcs, of_cpdags: bool) -> int: ...
