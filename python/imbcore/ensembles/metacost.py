"""MetaCost: any method made to mind costs by new labels."""

from __future__ import annotations

from typing import Any, ClassVar

from imbcore._estimators.base import NativeClassifier
from imbcore.ensembles._parameters.metacost import MetaCostParameters

__all__ = ["MetaCostClassifier"]


class MetaCostClassifier(MetaCostParameters, NativeClassifier):
    """One model of data relabelled to the cheapest class.

    Models of bootstrap samples judge every training row; the row gets the label that costs least by their
    mean probabilities, and one model is fitted to the new labels. Its answers mind the costs, and it can
    still be read. Its probabilities are about the new labels.

    Parameters
    ----------
    class_weight : dict, "balanced" or None, default=None
        Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
        inversely to their frequencies. After relabelling, the weight of the new label counts.
    cost_matrix : array of shape (n_classes, n_classes), dict or "balanced", default="balanced"
        Cost of answering class ``j`` when ``k`` is true in row ``k``, column ``j``, classes in
        sorted order; or a dict from pairs of labels ``(true, answered)``, other pairs costing 0. Costs are
        finite and at least 0. "balanced" makes the errors of a class cost inversely to its frequency.
    cost_strategy : str, default="decision"
        Must stay "decision": the costs are in the new labels.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; needs no scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, in the type that ``y`` had.
    positive_ : label
        Positive class, which ``threshold``, rules and scores speak of.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns; only defined when ``X`` had names that are all text.

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain or ``cost_matrix`` is None.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used, and when all rows get one label.

    References
    ----------
    Domingos, "MetaCost: A General Method for Making Classifiers Cost-Sensitive", 1999: table 1.

    Examples
    --------
    >>> from imbcore import MetaCostClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["no", "no", "no", "no", "no", "yes", "no", "yes"]
    >>> costs = {("yes", "no"): 5.0, ("no", "yes"): 1.0}
    >>> model = MetaCostClassifier("hddt", cost_matrix=costs, random_state=0).fit(X, y)
    >>> model.predict([[1.5], [7.0]]).tolist()
    ['no', 'yes']
    """

    _method: ClassVar[str] = "metacost"

    def __getattr__(self, name: str) -> Any:
        """Give ``rules`` and ``plot`` where the model that was fitted in the end has them."""
        if name in ("rules", "plot") and "model_" in vars(self):
            return getattr(self.model_, name)
        return super().__getattr__(name)

    def __sklearn_tags__(self) -> Any:
        """Describe what the estimator accepts."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = (self.estimator_params or {}).get("missing") != "error"
        return tags
