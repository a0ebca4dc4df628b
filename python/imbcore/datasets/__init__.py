"""The data sets of the imbalanced-learning literature, by name.

The files are no part of imbcore. A set is looked for in ``folder``, in the folder IMBCORE_DATA names, and in
the cache; failing these it is fetched from its public source and converted. Whatever the way, the SHA-256 sum
of its CSV text has to match the catalogue's. The sets that scikit-learn brings need no file and no network.
:func:`make_four_gaussians`, :func:`make_disjunct_grid` and :func:`make_shape` draw data.
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
