"""Comparison of methods on user data with a published protocol."""

from imbcore._compare.comparison import Comparison
from imbcore._compare.door import compare
from imbcore._compare.findings import PairTest

__all__ = ["Comparison", "PairTest", "compare"]
