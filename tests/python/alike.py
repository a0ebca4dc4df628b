"""Parametrization with similar cases: a few run in every test run, the others only in `make fuzz`."""

from collections.abc import Iterable
from typing import Any

import pytest


def first(n: int, cases: Iterable[Any]) -> list[Any]:
    """Parametrize with the first `n` cases; the others are marked as slow."""
    cases = list(cases)
    rest = (case if isinstance(case, tuple) else (case,) for case in cases[n:])
    return [*cases[:n], *(pytest.param(*case, marks=pytest.mark.slow) for case in rest)]
