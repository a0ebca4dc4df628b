"""MetaCost: any method made to mind costs by new labels."""

from __future__ import annotations

from typing import Any, ClassVar

from imbcore._estimators.base import NativeClassifier, keep_arguments

__all__ = ["MetaCostClassifier"]


class MetaCostClassifier(NativeClassifier):
    """One model of data relabelled to the cheapest class.

    Models of bootstrap samples judge every training row; the row gets the label that costs least by their
    mean probabilities, and one model is fitted to the new labels. Its answers mind the costs, and it can
    still be read. Its probabilities are about the new labels.

    Parameters
    ----------
    estimator : str, default="c44"
        Method of the committee and of the model that is kept; :func:`imbcore.methods` lists them.
    estimator_params : dict or None, default=None
        Parameters of the base method; the others take its defaults.
    n_estimators : int, default=50
        Models of bootstrap samples, at least 1.
    max_samples : float, default=1.0
        Rows of a bootstrap sample as a share of all rows, in (0, 1].
    out_of_bag : bool, default=False
        Whether a row is judged only by models whose sample lacks it; a row in all samples is judged by all.
    categorical_features : list of names or positions, boolean mask, or None, default=None
        Columns of numbers to read as nominal. Text and categorical columns are nominal anyway.
    class_weight : dict, "balanced" or None, default=None
        Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes
        inversely to their frequencies. After relabelling, the weight of the new label counts.
    cost_matrix : array of shape (n_classes, n_classes), dict or "balanced", default="balanced"
        Cost of answering class ``j`` when ``k`` is true in row ``k``, column ``j``, classes in
        sorted order; or a dict from pairs of labels ``(true, answered)``, other pairs costing 0. Costs are
        finite and at least 0. "balanced" makes the errors of a class cost inversely to its frequency.
    cost_strategy : str, default="decision"
        Must stay "decision": the costs are in the new labels.
    threshold : float or None, default=None
        Two classes only: answer the positive class when its probability is at least this, in [0, 1]. None
        answers the most probable class.
    positive : label or None, default=None
        Class that ``threshold``, boxes, rules and scores speak of. None: label 1 of 0 and 1, -1 and 1 or
        False and True; else the rarer class, of equals the greater label. See "The positive class" in the
        documentation.
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed of the samples and models. Equal seeds give equal models whatever ``n_threads`` is.
    n_threads, n_jobs : int or None, default=None
        Threads, one option under two names; -1 for all cores, -2 for all but one. None takes
        ``IMBCORE_NUM_THREADS``, else ``OMP_NUM_THREADS``, else all cores that the process may use.

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
    feature_names_in_ : ndarray of shape (n_features_in_,)
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

    def __init__(
        self,
        estimator: str = "c44",
        *,
        estimator_params: dict[str, Any] | None = None,
        n_estimators: int = 50,
        max_samples: float = 1.0,
        out_of_bag: bool = False,
        categorical_features: Any = None,
        class_weight: dict[Any, float] | str | None = None,
        cost_matrix: Any = "balanced",
        cost_strategy: str = "decision",
        threshold: float | str | None = None,
        positive: Any = None,
        random_state: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        keep_arguments(self, locals())

    def __sklearn_tags__(self) -> Any:
        """Describe what the estimator accepts."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = (self.estimator_params or {}).get("missing") != "error"
        return tags
