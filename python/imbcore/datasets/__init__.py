"""Data sets of the imbalanced-learning literature, by name.

The files are not part of imbcore. A set is searched in ``folder``, in the folder IMBCORE_DATA, and in the
cache; otherwise it is downloaded from its public source and converted. In each case the SHA-256 sum of its
CSV text must match the catalogue. The sets included in scikit-learn need no file and no network.
:func:`make_four_gaussians`, :func:`make_disjunct_grid` and :func:`make_shape` generate data.
"""

from imbcore.datasets._catalogue import SetInfo
from imbcore.datasets._drawn import make_disjunct_grid, make_four_gaussians, make_shape
from imbcore.datasets._sets import Dataset, info, listing, load, names

__all__ = [
    "Dataset",
    "SetInfo",
    "info",
    "listing",
    "load",
    "make_disjunct_grid",
    "make_four_gaussians",
    "make_shape",
    "names",
]
