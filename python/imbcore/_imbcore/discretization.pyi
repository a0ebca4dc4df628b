"""Numbers in bins."""

from imbcore._imbcore._types import Codes, Frame, Numbers

def discretizer_fit(
    who: str,
    params: str,
    frame: Frame,
    classes: tuple[Codes, int] | None,
    sample_weight: Numbers | None,
    n_threads: int,
) -> str: ...
def discretizer_encode(states: str, frame: Frame, n_threads: int) -> Numbers: ...
