"""Fast Boxes."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from imbcore._estimators.base import keep_arguments
from imbcore.boxes._base import BoxClassifier

__all__ = ["FastBoxesClassifier"]


class FastBoxesClassifier(BoxClassifier):
    """Few boxes around the rare class, by Fast Boxes.

    The rows of the rare class are clustered, the smallest box is drawn around each cluster, and every bound
    is moved outwards by a closed form that weighs the rows of the cluster against all others by their
    distance. A row is positive when it lies in at least one box. Two classes only; for more wrap it in
    ``OVAClassifier``.

    Boxes grow as ``negative_weight`` (``c`` for short) falls, each inside the next, so one fit knows the boxes of
    all weights: a row's score ``s`` is the largest weight at which it is positive, and its probability is ``s / (s + c)``, above one
    half within the boxes. It ranks rows and is not calibrated.

    Parameters
    ----------
    n_boxes : int, default=3
        Boxes, that is clusters, at least 1; fewer where there are fewer distinct rows of the rare class.
    negative_weight : float, default=1.0
        Weight of a row outside a cluster, in (0, 1]; boxes grow as it falls.
    expansion : float, default=1.0
        How hard bounds are pushed outwards, at least 0; beta of the paper.
    eps : float, default=0.01
        Share of the gap to the next row of the other class that a bound keeps from it, in [0, 1].
    bound_rule : str, default="paper"
        Last step of a bound: "paper" never moves it inwards and then lets it grow until near the next row of
        the other class in that feature; "program" is what the authors' program does; "expand" never moves it
        inwards, nothing more; "none" takes the closed form as it is.
    scale : str, default="minmax"
        Scaling of numeric columns within the method: "minmax", "maxabs" or "none". Bounds are in the units of
        the data.
    clustering : str, default="kmeans"
        "kmeans" on scaled columns, or "program": one start on standardised columns, as the authors' program.
    n_init : int, default=5
        Starts of k-means, of which the best is kept, at least 1.
    ranking : str, default="levels"
        Probabilities for ``bound_rule="paper"``: "levels" is exact at the weights 0.1, 0.2, ..., 1 and at
        ``negative_weight`` and smooth between; "exact" is exact everywhere, and the model keeps the values of the rows of the other
        class.

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

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used; for more than two classes.

    References
    ----------
    Goh and Rudin, "Box Drawings for Learning with Imbalanced Data", 2014: section 4, eq. 22 to 32,
    propositions 1 and 2.

    Examples
    --------
    >>> from imbcore import FastBoxesClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "rare", "rare", "common", "common", "common"]
    >>> boxes = FastBoxesClassifier(n_boxes=1, random_state=0).fit(X, y)
    >>> boxes.predict([[2.5], [4.5]]).tolist()
    ['common', 'rare']
    >>> print(boxes.export_text(decimals=2))
    class rare if a row lies in at least one box
    box 1 (support 2, share of rare 1.000, lift 4.00, recall 1.000)
      3.01 <= x0 <= 5.99
    <BLANKLINE>
    """

    _method: ClassVar[str] = "fast_boxes"

    def __init__(
        self,
        *,
        n_boxes: int = 3,
        negative_weight: float = 1.0,
        expansion: float = 1.0,
        eps: float = 0.01,
        bound_rule: str = "paper",
        scale: str = "minmax",
        clustering: str = "kmeans",
        n_init: int = 5,
        ranking: str = "levels",
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

    def critical_weights(self, X: Any) -> NDArray[np.float64]:
        """Largest weight ``negative_weight`` at which every row is positive.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``.

        Returns
        -------
        s : ndarray of shape (n_rows,)
            From 0 to infinity; ``s >= c`` is ``predict`` of boxes with ``negative_weight=c``, for every ``c`` of
            0.1, 0.2, ..., 1.
        """
        weights: NDArray[np.float64] = self._ask_family("critical_weights", X)
        return weights
