"""Methods compared on a user's own data under a paper's procedure."""

from imbcore._compare.comparison import Comparison
from imbcore._compare.door import compare
from imbcore._compare.findings import PairTest

__all__ = ["Comparison", "PairTest", "compare"]
