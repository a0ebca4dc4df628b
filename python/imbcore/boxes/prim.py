"""Patient rule induction."""

from __future__ import annotations

from typing import Any, ClassVar

from imbcore._signatures import PRIMParameters
from imbcore.boxes._base import BoxClassifier

__all__ = ["PRIMClassifier"]


class PRIMClassifier(PRIMParameters, BoxClassifier):
    """Boxes in which the rare class is frequent, by patient rule induction (PRIM).

    A box starts as everything and loses a thin slice at a time, always the one without which the rare class
    is most frequent. Of all the boxes on the way the best is taken, slices are pasted back where that helps,
    its rows are set aside, and the next box is sought among the rest. A row is scored by the first box that
    holds it. Two classes only; for more wrap it in ``OVAClassifier``.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; needs no scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, in the type that ``y`` had.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns; only defined when ``X`` had names that are all text.
    positive_ : label
        Class that the boxes describe.
    n_boxes_ : int
        Number of boxes.
    lower_, upper_ : ndarray of shape (n_boxes, n_features)
        Bounds, infinite where there is none.
    trajectories_ : list of dict
        For every box the ``steps`` of its peeling (``mass``, ``mean``, ``coverage`` and what changed) and
        which was ``chosen``; :func:`imbcore.plotting.plot_trade_off` draws them.

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used; for more than two classes.

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
        """How every box was peeled."""
        found: list[dict[str, Any]] = self._fitted().trajectories()
        return found
