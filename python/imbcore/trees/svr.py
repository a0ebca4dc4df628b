"""SVR-Trees."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.utils import Bunch

from imbcore._bindings import svr
from imbcore._model.model import Model
from imbcore._signatures import SVRTreeParameters
from imbcore._validation.labelled import match_rows_by_index
from imbcore.exceptions import DataError
from imbcore.trees._svr import SVRTree, penalty_grid

__all__ = ["SVRTreeClassifier"]


class SVRTreeClassifier(SVRTreeParameters, SVRTree):
    """SVR-Tree: penalizes the surface-to-volume ratio of the region of the rare class.

    Features are scaled to the unit cube, and leaves are boxes in it. The risk of a tree is its weighted Gini
    index (with a penalty for leaves whose label is not their dominant class) plus ``penalty`` times the
    surface-to-volume ratio of the boxes labeled with the rare class. The ratio is small for one large compact
    region and large for many small regions. The penalty therefore prevents small boxes around single rare
    rows, which are frequent with class weights or over-sampling. The tree grows breadth first; each split
    assigns to its children the labels with the lowest risk. A nominal column with 3 to 32 levels has one axis
    per level, with the value 0 for rows of the level and 1 for other rows. With two levels, one axis
    suffices. A column with more than 32 levels has one axis, on which the levels are ordered by their class
    proportions.

    ``predict`` returns the assigned labels, which may differ from the most probable class of the leaf.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; works without scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    positive_ : label
        Positive class, to which ``threshold``, rules and scores refer.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names; only defined if all column names of ``X`` are strings.
    labels_ : ndarray of shape (n_nodes,)
        Label assigned to every node.
    risk_ : float
        Risk of the tree (equation 1 of the paper): weighted Gini index plus ``penalty`` times the
        surface-to-volume ratio.
    surface_, volume_, ratio_ : ndarray of shape (n_classes,)
        Surface, volume and their ratio of the region of every class in the unit cube. A class without region
        has the ratio of the whole cube, the smallest possible.
    penalty_ : float
        Penalty used in the fit.
    class_weights_ : ndarray of shape (n_classes,)
        Weight of a row of every class.
    risk_path_ : ndarray of shape (n_steps + 1,)
        Risk of the tree with a single leaf, and after each processed node.
    steps_ : dict of lists
        Growth of the tree. Each list has one entry per processed node, in order. ``node``: index of the node.
        ``feature``, ``threshold`` and ``cut`` (the threshold in the unit cube), ``left_label`` and
        ``right_label``: its split; None if the node was not split. The other lists describe the whole tree
        after this step: ``risk``, ``impurity`` (weighted Gini index), ``signed_impurity`` (the Gini index
        plus the penalty for leaves whose label is not their dominant class), ``regularizer`` (without the
        factor ``penalty``), ``interface`` (surface area between boxes with different labels), and
        ``surface``, ``volume`` and ``ratio`` (surface to volume) of the region of every class.
    decision_boxes_ : dict
        For every label an array of shape (n_boxes, n_features, 2): the boxes of its region, as half-open
        intervals (low, high].
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the total decrease of the weighted Gini index due to each feature.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Zhu, Li and Dunson, "Classification Trees for Imbalanced Data: Surface-to-Volume Regularization", Journal
    of the American Statistical Association, 2021: equations 1 and 2, algorithm 1.

    Examples
    --------
    >>> from imbcore import SVRTreeClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "common", "rare", "rare"]
    >>> tree = SVRTreeClassifier().fit(X, y)
    >>> tree.predict([[2.5], [7.5]]).tolist()
    ['common', 'rare']
    >>> print(tree.export_region("rare"), end="")
    rare if any of these holds:
      1. x0 > 6.5  (2 rows, proportion of the weight 1.000, recall 1.000)
    """

    _method: ClassVar[str] = "svr_tree"

    @match_rows_by_index
    def penalty_path(self, X: Any, y: Any, penalties: Any = "auto", sample_weight: Any = None) -> Bunch:
        """Fit one tree per penalty, in parallel; the columns are sorted once for all trees.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``fit``.
        y : sequence of shape (n_rows,)
            As in ``fit``.
        penalties : "auto" or list of float, default="auto"
            Non-negative penalties. "auto": the 22 numbers of the authors' program, from 0 to 1.024, each
            divided by the cube root of the total weight of the rows.
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            Row weights, as in ``fit``.

        Returns
        -------
        path : Bunch
            ``penalties``, and for each of them ``models`` (:class:`imbcore.Model`), ``n_leaves``, ``risks``
            and ``ratios`` (a list with a ratio for each class). The estimator itself does not change.

        Raises
        ------
        ParameterError
            A parameter is outside its valid range.
        DataError
            The data are invalid.
        """
        rows = self._training_rows(X, y, sample_weight)
        options = self._path_options(rows.weights, self.positive)
        if len(rows.target.classes) < 2:
            raise DataError("penalty_path: y has only 1 class; at least two are needed")
        grid = penalty_grid(penalties, rows)
        parameters = {name: value for name, value in self._parameters().items() if name != "penalty"}
        natives = svr.fit_svr_tree_path(parameters, grid, *rows.parts, **options)
        models = [Model(native, rows.schema) for native in natives]
        last = [(growth["steps"], growth["start"]) for growth in (model.growth_ for model in models)]
        return Bunch(
            penalties=grid,
            models=models,
            n_leaves=[model.n_leaves_ for model in models],
            risks=[(steps["risk"] or start["risk"])[-1] for steps, start in last],
            ratios=[(steps["ratio"] or start["ratio"])[-1] for steps, start in last],
        )
