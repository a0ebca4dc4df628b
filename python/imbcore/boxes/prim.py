"""Patient rule induction."""

from __future__ import annotations

from typing import Any, ClassVar

from imbcore._estimators.base import keep_arguments
from imbcore.boxes._base import BoxClassifier

__all__ = ["PRIMClassifier"]


class PRIMClassifier(BoxClassifier):
    """Boxes in which the rare class is frequent, by patient rule induction (PRIM).

    A box starts as everything and loses a thin slice at a time, always the one without which the rare class
    is most frequent. Of all the boxes on the way the best is taken, slices are pasted back where that helps,
    its rows are set aside, and the next box is sought among the rest. A row is scored by the first box that
    holds it. Two classes only; for more wrap it in ``OVAClassifier``.

    Parameters
    ----------
    peel_alpha : float, default=0.05
        Share of a box's rows that one peel takes off at most, in (0, 1).
    paste_alpha : float, default=0.01
        Share of a box's rows that one paste adds, in [0, 1); 0 pastes nothing.
    min_mass : float or None, default=None
        Smallest share of all rows in a box, in (0, 1]. None takes 0.05, or half the share of the rare class
        if that is less, and at least 10 rows.
    min_mean : float or None, default=None
        Smallest share of the rare class in a box, in [0, 1]. None takes that among all rows.
    max_boxes : int or None, default=10
        Most boxes, at least 1. None takes as many as reach ``min_mean``.
    validation : float, default=0.0
        Share of rows set aside to choose among the boxes on the way, in [0, 1); 0 lets the training rows
        choose.
    drop : bool, default=False
        Whether conditions are dropped that the choosing rows do not need.
    negative_weight : float or None, default=None
        Weight of a row of the other class in the probabilities, positive: a box with a share ``r`` of the
        rare class has ``r / (r + c (1 - r))``. None takes the ratio of the classes, so that boxes denser
        than the data have more than one half. Answers follow the boxes whatever ``negative_weight`` is.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; needs no scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, in the type that ``y`` had.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns; only defined when ``X`` had names that are all text.
    positive_ : label
        Class that the boxes describe.
    n_boxes_ : int
        Number of boxes.
    lower_, upper_ : ndarray of shape (n_boxes_, n_features_in_)
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

    def __init__(
        self,
        *,
        peel_alpha: float = 0.05,
        paste_alpha: float = 0.01,
        min_mass: float | None = None,
        min_mean: float | None = None,
        max_boxes: int | None = 10,
        validation: float = 0.0,
        drop: bool = False,
        negative_weight: float | None = None,
        missing: str = "outside",
        categorical_features: Any = None,
        class_weight: dict[Any, float] | str | None = None,
        cost_matrix: Any = None,
        cost_strategy: str = "decision",
        threshold: float | str | None = None,
        positive: Any = None,
        random_state: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        keep_arguments(self, locals())

    @property
    def trajectories_(self) -> list[dict[str, Any]]:
        """How every box was peeled."""
        return self._fitted().trajectories()
