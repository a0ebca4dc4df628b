"""Cases of which a few stand for all: the others, which are much like them, are left to `make fuzz`."""

from collections.abc import Iterable
from typing import Any

import pytest


def first(n: int, cases: Iterable[Any]) -> list[Any]:
    """Give cases to parametrize with: the first `n` for every run, the others where slow tests run."""
    cases = list(cases)
    rest = (case if isinstance(case, tuple) else (case,) for case in cases[n:])
    return [*cases[:n], *(pytest.param(*case, marks=pytest.mark.slow) for case in rest)]
