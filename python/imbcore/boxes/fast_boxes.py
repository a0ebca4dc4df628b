"""Fast Boxes."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from imbcore._signatures import FastBoxesParameters
from imbcore.boxes._base import BoxClassifier

__all__ = ["FastBoxesClassifier"]


class FastBoxesClassifier(FastBoxesParameters, BoxClassifier):
    """A few boxes around the rare class, by Fast Boxes.

    The rows of the rare class are clustered and the smallest box is drawn around each cluster. Every bound is
    then moved by a closed formula. In this formula, the weight of a row depends on its distance to the bound.
    By default, the bound finally moves outwards to a point near the next negative row (``bound_rule``). A row
    is positive if it lies in at least one box. Two classes only; for more use ``OVAClassifier``.

    Boxes grow as ``negative_weight``, the paper's ``c``, decreases, and are nested, so one fit yields the
    boxes of all weights. The score ``s`` of a row is the largest weight for which a box contains the row. The
    probability of the row is ``s / (s + c)``, at least one half inside the boxes; the probability ranks rows
    and is not calibrated.

    Parameters
    ----------
    clusterer : estimator or None, default=None
        Estimator that clusters the positive rows instead of the built-in ``clustering``: any estimator with
        ``fit_predict``, such as in ``sklearn.cluster`` and ``sklearn.mixture``, or a pipeline that ends in
        such an estimator. A clone of the estimator is fitted to the positive rows. Numeric columns are scaled
        by ``scale``, and a missing number is replaced with the middle of the range of the positive rows. A
        nominal column becomes one column per level, with the values 0 and sqrt(2). The clone gets row weights
        if ``fit_predict`` takes ``sample_weight``, and a seed if its ``random_state`` is None. The number of
        clusters is the number of boxes; ``n_boxes``, ``clustering`` and ``n_init`` are not used. Rows that
        are labeled as noise, such as -1 of DBSCAN, start no box; every box treats these rows as rows of
        another cluster. The model stores only the text form of the clusterer.

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

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid; also for more than two classes.

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
    box 1 (support 2, precision 1.000, lift 4.00, recall 1.000)
      3.01 <= x0 <= 5.99
    <BLANKLINE>
    """

    _method: ClassVar[str] = "fast_boxes"

    def critical_weights(self, X: Any) -> NDArray[np.float64]:
        """Compute the largest ``negative_weight`` for which each row is predicted positive.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.

        Returns
        -------
        s : ndarray of shape (n_rows,)
            From 0 to infinity. For every ``c`` of 0.1, 0.2, ..., 1, boxes with ``negative_weight=c`` predict
            a row positive if ``s >= c``.
        """
        return self._call_method_on_rows("critical_weights", X)
