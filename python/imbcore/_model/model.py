"""The fitted model: light, picklable, and shared by all parts of the API."""

from __future__ import annotations

import json
import os
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native, options, training
from imbcore._model.adapting import correct_model_prior
from imbcore._model.class_access import NEEDS, ModelMetaclass, join_as_sentence
from imbcore._model.deciding import decision_rule_details
from imbcore._model.exploring import ExplorableModel
from imbcore._model.exporting import ExportableModel
from imbcore._model.sourced import SourcePredictor
from imbcore._validation.arguments import name_class_in_errors
from imbcore._validation.by_name import to_model_frame
from imbcore._validation.costs import costs_from_matrix
from imbcore._validation.files import atomic_write
from imbcore._validation.frame import NativeFrame
from imbcore._validation.read import materialize_arrow_stream
from imbcore._validation.row_costs import CostFunction, evaluate_cost_function
from imbcore._validation.schema import Schema
from imbcore._validation.value_text import value_text
from imbcore._validation.values import require_single_label, validate_real_number
from imbcore.exceptions import AbsentError, ModelFormatError, ParameterError, UnsupportedError

# Kind of a native model -> class of its family.
_FAMILIES: dict[str, type[Model]] = {}


class Model(ExplorableModel, ExportableModel, SourcePredictor, metaclass=ModelMetaclass):
    """Fitted model: the result of :func:`imbcore.fit` and :func:`imbcore.load`.

    Every model family has its own class with the methods that it supports: see :class:`.TreeModel`,
    :class:`.SVRTreeModel`, :class:`.OptimalTreeModel`, :class:`.ForestModel`, :class:`.BoostedModel`,
    :class:`.EnsembleModel`, :class:`.SelectedModel`, :class:`.BoxModel`, :class:`.NetworkModel`,
    :class:`.LinearModel` and :class:`.DecomposedModel`. A model needs only NumPy, is immutable, and can be
    used by several threads. For equal models, :meth:`to_bytes` returns equal bytes.

    Attributes
    ----------
    method : str
        Name of the fitted method.
    params : dict
        All parameters as used, including defaults.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    cost_matrix : ndarray of shape (n_classes, n_classes) or None
        Cost matrix used by ``predict``.
    positive_ : label
        Positive class, to which ``threshold``, boxes, rules and scores refer.
    threshold : float, "prior" or None
        Minimum probability to predict the positive class; "prior" for ``threshold="prior"``; else None.
    decision_ : dict
        Decision rule of ``predict``, how it was chosen, and its expected performance.
    calibration_ : dict or None
        Method and data of the calibration.
    n_features_in_ : int
        Number of features.
    feature_names : list of str
        Name of every feature; ``x0``, ``x1``, ... if the training data had no names.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names of the training data; only defined if the data had names.
    size_text : str
        Size of the model as text, such as "2 leaves".

    Examples
    --------
    >>> import imbcore
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 0, 1]
    >>> model = imbcore.fit(X, y, method="cart")
    >>> model
    <imbcore.Model cart: 2 classes, 1 features, 2 leaves>
    >>> model.predict_proba([[2.9]])
    array([[0., 1.]])
    """

    # Plural name of the models of the family.
    _family: ClassVar[str]
    # Explanation why a model lacks features of its method.
    _why_not: ClassVar[str] = ""

    def __init_subclass__(cls, kind: str = "", **options: Any) -> None:
        """Register the class for a kind of native models."""
        super().__init_subclass__(**options)
        name_class_in_errors(cls, "Model")
        if kind:
            _FAMILIES[kind] = cls

    _cost_function: CostFunction | None = None
    # Values of the groups of a forest, for merging; files do not contain them.
    _groups: frozenset[Any] | None = None

    def __new__(cls, fitted: native.models.Model | None = None, schema: Schema | None = None) -> Model:
        """Create an instance of the class of the native model's family."""
        return object.__new__(cls if fitted is None else _FAMILIES[fitted.kind])

    def __init__(self, fitted: native.models.Model, schema: Schema | None = None) -> None:
        self._native = fitted
        self._schema = schema or Schema.from_json(fitted.schema)

    def __getattr__(self, name: str) -> Any:
        """Explain why this model lacks an attribute, and which models have it."""
        if name.startswith("_"):
            raise AttributeError(name)
        if hasattr(type(self), name):
            if name not in NEEDS:
                # Raise the error of the property that led here.
                return object.__getattribute__(self, name)
            raise AttributeError(f"a model of method {self.method!r} has no {name}: {NEEDS[name]}")
        owners = sorted({one._family for one in _FAMILIES.values() if hasattr(one, name)}, key=str.lower)
        reason = f": {NEEDS[name]}" if name in NEEDS else ""
        hint = self._why_not or (f"; {join_as_sentence(owners)} have it" if owners else reason)
        also = "; use one of estimators_" if owners and hasattr(type(self), "estimators_") else ""
        raise AttributeError(f"a model of method {self.method!r} has no {name}{hint}{also}")

    def __repr__(self) -> str:
        return (
            f"<imbcore.Model {self.method}: {len(self.classes_)} classes, "
            f"{self.n_features_in_} features, {self.size_text}>"
        )

    def __getstate__(self) -> dict[str, Any]:
        """Return the bytes of the model file: the state for pickle, skops and copies."""
        function = self._cost_function
        return {"file": self._native.to_bytes()} | ({} if function is None else {"costs": function})

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a model from bytes, with the same checks as for a file."""
        fitted = native.models.from_bytes(state["file"])
        if _FAMILIES[fitted.kind] is not type(self):
            raise ModelFormatError(f"the state of a {type(self).__name__} holds a {fitted.method} model")
        self.__init__(fitted)  # type: ignore[misc]
        self._store_cost_function(state.get("costs"))

    def _store_cost_function(self, costs: Any) -> Self:
        """Store a cost function for new rows, if the fit used one."""
        self._cost_function = costs if callable(costs) and self._native.costs_handed else None
        return self

    @property
    def method(self) -> str:
        """Name of the method."""
        return self._native.method

    @property
    def params(self) -> dict[str, Any]:
        """All parameters as used."""
        return json.loads(self._native.params)

    @property
    def classes_(self) -> NDArray[Any]:
        """Sorted class labels."""
        return self._schema.classes

    @property
    def size_text(self) -> str:
        """Size of the model as text, such as "2 leaves"."""
        raise NotImplementedError

    @property
    def cost_matrix(self) -> NDArray[np.float64] | None:
        """Cost matrix used by ``predict``, if it is the same for all rows; else None."""
        return self._native.cost_matrix

    @property
    def positive_(self) -> Any:
        """Label of the positive class."""
        return self.classes_.tolist()[self._native.positive]

    @property
    def threshold(self) -> float | str | None:
        """Threshold of the decision."""
        return self._native.threshold

    @property
    def decision_(self) -> dict[str, Any]:
        """Decision rule of ``predict``, and its expected performance.

        Returns
        -------
        dict
            - Always ``kind``, ``positive`` and ``threshold``. ``kind`` is "most_probable", "threshold",
              "thresholds", "costs", "prior", "votes" (before ``prior_correction``) or "labels" (of leaves,
              rules or boxes). If each class has a threshold: ``thresholds``, by label.
            - If costs differ between rows: ``costs``, as a dict; None if they were an array or a function.
            - If ``threshold`` is a metric or a target: ``goal``, this metric or target; ``confidence`` of a
              guarantee, or None; ``source``, the predictions on which the threshold was chosen ("out_of_bag",
              "out_of_fold", "held_out"); ``n_rows``; for two classes ``n_positives``; and ``expected``.
            - ``expected`` has ``recall``, ``precision`` (None without positive predictions), ``fpr`` and
              ``alert_rate``, each with ``value`` and the ends ``low`` and ``high`` of its 95 % interval. A
              target cost adds the mean ``cost`` per row and ``cost_interval``. Several classes: ``value`` of
              the metric, ``recall`` and ``precision`` by label. Without a guarantee, all are slightly
              optimistic.
            - With groups, intervals count groups, and ``expected_by_group`` is for a random row of a random
              new group. With groups or times, ``assumes``: the rows to which a guarantee refers.
            - After :meth:`correct_prior`: ``adapted`` with ``method``, ``n_rows``, and by class the
              proportions ``before``, the current ``prior`` and its interval from ``low`` to ``high``, which
              also widens those of ``expected``. ``source`` is "adapted" if the threshold was chosen again.
        """
        return decision_rule_details(self._native, self._schema)

    @property
    def calibration_(self) -> dict[str, Any] | None:
        """Method and data of the calibration; None if ``calibrate`` was not given.

        Returns
        -------
        dict or None
            ``method``; ``source`` of the predictions that it uses, "out_of_bag" or "out_of_fold"; ``n_rows``;
            and ``rows_by_class``, by label.
        """
        facts = self._native.calibrated
        if facts is None:
            return None
        by_class = dict(zip(self.classes_.tolist(), facts["rows_by_class"], strict=True))
        return {**facts, "rows_by_class": by_class}

    @property
    def n_features_in_(self) -> int:
        """Number of features."""
        return len(self._schema.features)

    @property
    def feature_names(self) -> list[str]:
        """Name of every feature; generated if the training data had no names."""
        return list(self._schema.names)

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Names seen in ``fit``."""
        if not self._schema.named:
            raise AttributeError("feature_names_in_")
        return np.array(self._schema.names, dtype=object)

    def _call_method_on_rows(
        self,
        question: str,
        X: Any,
        n_threads: Any,
        n_jobs: Any,
        who: str | None = None,
        about: tuple[Any, ...] = (),
    ) -> Any:
        """Call a native method on rows; ``who`` is the name of the calling estimator, if any."""
        return self._put(question, self._frame(X, who), n_threads, n_jobs, about)

    def _frame(self, X: Any, who: str | None = None) -> NativeFrame:
        """Convert rows to native form."""
        return to_model_frame(X, self._schema, who, (self.method, self._native.params))

    def _put(
        self, question: str, frame: NativeFrame, n_threads: Any, n_jobs: Any, about: tuple[Any, ...] = ()
    ) -> Any:
        """Call a native method on rows in native form."""
        with training.name_native_columns_in_errors(self._schema.names):
            return self._native_attribute(question)(frame, *about, options.resolve_threads(n_threads, n_jobs))

    def _native_attribute(self, member: str) -> Any:
        """Return an attribute of the native model that may exist only in one family."""
        try:
            return getattr(self._native, member)
        except AttributeError:
            raise AbsentError(f"a model of method {self.method!r} has no {member}{self._why_not}") from None

    def _code_of(self, name: str, label: Any) -> int:
        """Return the code of a class label given as an option."""
        require_single_label(name, label)
        labels = self.classes_.tolist()
        if label not in labels:
            raise ParameterError(f"{name} must be one of {labels}, got {value_text(label)}")
        return int(labels.index(label))

    def _codes(
        self, X: Any, cost_matrix: Any, n_threads: Any, n_jobs: Any, who: str | None = None
    ) -> NDArray[np.uint32]:
        """Predict class codes with the decision rule of the fit, or with given costs."""
        if cost_matrix is None and self._cost_function is not None:
            X = materialize_arrow_stream(X)
            cost_matrix = evaluate_cost_function(self._cost_function, X)
        costs = () if cost_matrix is None else (costs_from_matrix(cost_matrix, self.classes_),)
        question = "predict_by_costs" if costs else "predict"
        return self._call_method_on_rows(question, X, n_threads, n_jobs, who, costs)

    def predict(
        self,
        X: Any,
        *,
        cost_matrix: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> NDArray[Any]:
        """Predict the class of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Any table that :func:`imbcore.fit` accepts, or one row as a dict; columns are matched by name.
        cost_matrix : array of shape (n_classes, n_classes) or (n_rows, n_classes, n_classes), default=None
            Costs of errors, for all rows or per row, used instead of the costs given to ``fit``.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        ndarray of shape (n_rows,)
            Labels of the type given to ``fit``. With costs: the label with the lowest expected cost. With a
            threshold: the label by ``threshold``. Else: by ``decision_["kind"]``, usually most probable.

        Raises
        ------
        DataError
            The columns differ from those of the fit, or a column of costs has an invalid cost.
        UnsupportedError
            The model needs ``cost_matrix``, or predicts by a threshold and does not support ``cost_matrix``.
        """
        return self.classes_[self._codes(X, cost_matrix, n_threads, n_jobs)]

    def predict_proba(
        self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None
    ) -> NDArray[np.float64]:
        """Class probabilities of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; rows sum to 1.
        """
        return self._call_method_on_rows("predict_proba", X, n_threads, n_jobs)

    def predict_proba_interval(
        self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Interval of every class probability, for a model fitted with ``calibrate="venn_abers"``.

        Each class is calibrated against all others. The lower end is the calibrated probability after the row
        is added to the calibration data with another class. The upper end is the calibrated probability after
        the row is added with this class. For any model, one of the two ends is calibrated, but it is unknown
        which (Vovk, Petej and Fedorova 2015). The interval is wide if there are few similar rows.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        low, high : ndarray of shape (n_rows, n_classes)
            In the order of ``classes_``. With more than two classes, the ends are not normalized.

        Raises
        ------
        UnsupportedError
            The model was not fitted with ``calibrate="venn_abers"``, or :meth:`correct_prior` changed it.
        """
        return self._call_method_on_rows("predict_proba_interval", X, n_threads, n_jobs)

    def correct_prior(
        self,
        X_new: Any = None,
        *,
        method: str = "em",
        labeled: tuple[Any, Any] | None = None,
        prior: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> Self:
        """Correct the model for other class proportions (label shift).

        Only the proportions may have changed: a shifted column gives a wrong estimate without an error
        ("Watch the service" in the documentation). Probabilities are multiplied by the ratio of new to old
        proportions (Saerens et al. 2002, eq. 2.4). Costs, and thresholds given as numbers, apply to the new
        probabilities. A threshold chosen for recall, false positive rate, "youden" or "g_mean" is converted:
        the same rows are selected, and a guarantee still holds. For other targets, it is chosen again on
        ``X_new``, or an error is raised. With ``threshold="prior"``, and for the regions of boxes and
        SVR-Trees, the predictions do not change. Rules and plots keep the probabilities of training.

        Parameters
        ----------
        X_new : table of shape (n_rows, n_features) or None, default=None
            Unlabeled rows. Needed if ``prior`` is None, and to choose a threshold again.
        method : {"em", "bbse"}, default="em"
            "em" maximizes the likelihood of the probabilities (Saerens et al. 2002), which must be calibrated
            for the proportions of training; the interval ignores calibration errors. "bbse" uses the
            frequency of each predicted class in ``X_new`` and a confusion matrix (Lipton, Wang and Smola
            2018; see ``labeled``). "bbse" needs no calibration and is less precise.
        labeled : tuple of (X, y), default=None
            For "bbse": labeled out-of-sample rows for the confusion matrix. None: the out-of-bag predictions
            of the model, if the fit computed them for ``oob_score`` or to choose a threshold.
        prior : dict of label to float, default=None
            Known proportions of rows (not of groups), such as ``{"ill": 0.03}``. One class may be left out.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        Model
            A new model, whose ``decision_["adapted"]`` has the proportions and their intervals. The original
            model does not change. Adapting an adapted model starts again from the proportions of training.

        Raises
        ------
        UnsupportedError
            The model lacks the required data, or its threshold was chosen for alerts per period. Or the
            threshold has a guarantee or is for several classes, and its target depends on the proportions.
        DataError
            The proportions cannot be estimated from ``X_new``, or ``X_new`` is needed and not given.

        Examples
        --------
        >>> import imbcore
        >>> from imbcore.datasets import make_disjunct_grid
        >>> X, y = make_disjunct_grid(2000, minority_fraction=0.1, random_state=0)
        >>> model = imbcore.fit(X, y, "naive_bayes", random_state=0)
        >>> X_new, _ = make_disjunct_grid(2000, minority_fraction=0.4, random_state=1)
        >>> adapted = model.correct_prior(prior={1: 0.4})
        >>> bool((adapted.predict_proba(X_new)[:, 1] >= model.predict_proba(X_new)[:, 1]).all())
        True
        """
        threads = options.resolve_threads(n_threads, n_jobs)
        adapted = correct_model_prior(self, X_new, method, labeled, prior, threads)
        return type(self)(adapted, self._schema)._store_cost_function(self._cost_function)

    def with_threshold(self, threshold: float) -> Self:
        """Return a model with another probability threshold for the positive class.

        Parameters
        ----------
        threshold : float
            In [0, 1]; ``predict`` returns ``positive_`` if its probability is at least this value.

        Returns
        -------
        Model
            A new model with this threshold instead of the costs or threshold rule; this model is unchanged.

        Raises
        ------
        ParameterError
            The threshold is not in [0, 1].
        DataError
            The number of classes is not two.

        Examples
        --------
        >>> import imbcore
        >>> model = imbcore.fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 0, 1], "cart")
        >>> model.with_threshold(0.0).predict([[0.0]])
        array([1])
        """
        if isinstance(threshold, (bool, str)):
            raise ParameterError(f"threshold must be a number in [0, 1], got {value_text(threshold)}")
        changed = native.decisions.with_threshold(self._native, validate_real_number("threshold", threshold))
        return type(self)(changed, self._schema)

    def to_bytes(self) -> bytes:
        """Return the content of the model file.

        Raises
        ------
        UnsupportedError
            The costs are a function; a model file contains no code.
        """
        if self._cost_function is not None:
            raise UnsupportedError(
                "a model file contains no code, so the function given as costs= cannot be saved: add its "
                "result as a column of X and name it, costs={'alarm': 5, 'miss': 'amount'}"
            )
        return self._native.to_bytes()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file; :func:`imbcore.load` reads it.

        The file is written atomically and contains no code.

        Parameters
        ----------
        path : path-like
            File to write, usually ``*.imb``.

        Raises
        ------
        OSError
            The file cannot be written.
        """
        with atomic_write(path) as file:
            file.write(self.to_bytes())
