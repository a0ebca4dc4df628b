"""Patient rule induction."""

from __future__ import annotations

from typing import Any, ClassVar

from imbcore._signatures import PRIMParameters
from imbcore.boxes._base import BoxClassifier

__all__ = ["PRIMClassifier"]


class PRIMClassifier(PRIMParameters, BoxClassifier):
    """Boxes in which the rare class is frequent, by patient rule induction (PRIM).

    A box starts with all rows and is peeled: each step removes a thin slice, such that the rare class is as
    frequent as possible in the remaining box. The best box of this sequence is kept, and slices are added
    back (pasting) if this increases the frequency. The rows of the box are then removed, and the search for
    the next box continues with the remaining rows. The score of a row comes from the first box that contains
    the row. Two classes only; for more use ``OVAClassifier``.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; works without scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names; only defined if all column names of ``X`` are strings.
    positive_ : label
        Class that the boxes describe.
    n_boxes_ : int
        Number of boxes.
    lower_, upper_ : ndarray of shape (n_boxes, n_features)
        Lower and upper bounds of the boxes; infinite if a box has no bound on this side.
    trajectories_ : list of dict
        For every box, the index of the ``chosen`` step of its peeling, and all ``steps``: ``mass`` (fraction
        of all rows in the box), ``mean`` (fraction of positive rows in the box), ``coverage`` (fraction of
        all positive rows that are in the box) and ``change`` (the new bound).
        :func:`imbcore.plotting.plot_trade_off` plots the steps.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid; also for more than two classes.

    References
    ----------
    Friedman and Fisher, "Bump Hunting in High-Dimensional Data", 1999: sections 8 and 9.

    Examples
    --------
    >>> from imbcore import PRIMClassifier
    >>> X = [[float(i)] for i in range(100)]
    >>> y = ["rare" if 40 <= i < 60 else "common" for i in range(100)]
    >>> prim = PRIMClassifier().fit(X, y)
    >>> prim.predict([[20.0], [50.0]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "prim"

    @property
    def trajectories_(self) -> list[dict[str, Any]]:
        """Peeling trajectory of every box."""
        return self._fitted().trajectories()
