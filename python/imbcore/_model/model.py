"""The fitted model: light, picklable, and the same one behind every door."""

from __future__ import annotations

import json
import os
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native, options, training
from imbcore._input.by_name import model_frame
from imbcore._input.costs import costs_at_hand
from imbcore._input.files import atomic_write
from imbcore._input.frame import BorderFrame
from imbcore._input.row_costs import CostFunction, asked
from imbcore._input.schema import Schema
from imbcore._input.values import real_number, require_label
from imbcore._model.adapting import adapted_native
from imbcore._model.class_access import NEEDS, ModelType
from imbcore._model.deciding import decision_of
from imbcore._model.exploring import Explorable
from imbcore._model.exporting import Exported
from imbcore._model.sourced import Sourced
from imbcore.exceptions import AbsentError, ModelFormatError, ParameterError, UnsupportedError

__all__ = ["Model"]

# Kind of a native model -> class of its family.
_FAMILIES: dict[str, type[Model]] = {}


class Model(Explorable, Exported, Sourced, metaclass=ModelType):
    """Fitted model: what :func:`imbcore.fit` and :func:`imbcore.load` return.

    Every family has a class of its own, and what a family cannot do is not there: see :class:`TreeModel`,
    :class:`SVRTreeModel`, :class:`OptimalTreeModel`, :class:`ForestModel`, :class:`BoostedModel`,
    :class:`CommitteeModel`, :class:`BoxModel`, :class:`NetworkModel` and :class:`DecomposedModel`. A model
    needs NumPy only, is immutable, and serves several threads at once; equal models have equal bytes.

    Attributes
    ----------
    method : str
        Name of the method that was fitted.
    params : dict
        All its parameters as used, defaults included.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    cost_matrix : ndarray of shape (n_classes, n_classes) or None
        Costs by which ``predict`` answers.
    positive_ : label
        Positive class, which ``threshold``, boxes, rules and scores speak of.
    threshold : float, "prior" or None
        Probability of the positive class from which ``predict`` answers it.
    decision_ : dict
        How ``predict`` answers, by what that was chosen, and what to expect of it.
    calibration_ : dict or None
        How the probabilities were calibrated, and on what.
    n_features_in_ : int
        Number of features.
    feature_names : list of str
        Name of every feature; ``x0``, ``x1``, ... where the user gave none.
    feature_names_in_ : ndarray of shape (n_features,)
        Names as seen during fit; only defined when the data had names.
    size_text : str
        How large the model is, in words.

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

    # What the models of a family are, in words.
    _family: ClassVar[str]
    # Why a model lacks what others of its method can do, in words.
    _why_not: ClassVar[str] = ""

    def __init_subclass__(cls, kind: str = "", **options: Any) -> None:
        """Take in the family of a kind of native models."""
        super().__init_subclass__(**options)
        if kind:
            _FAMILIES[kind] = cls

    _cost_function: CostFunction | None = None

    def __new__(cls, fitted: native.models.Model | None = None, schema: Schema | None = None) -> Model:
        """Make a model of the family that the native one is of."""
        return object.__new__(cls if fitted is None else _FAMILIES[fitted.kind])

    def __init__(self, fitted: native.models.Model, schema: Schema | None = None) -> None:
        self._native = fitted
        self._schema = schema or Schema.from_json(fitted.schema)

    def __getattr__(self, name: str) -> Any:
        """Say why this model lacks something, and which models have it."""
        if name.startswith("_"):
            raise AttributeError(name)
        if hasattr(type(self), name):
            if name not in NEEDS:
                # The error of the property that led here.
                return object.__getattribute__(self, name)
            raise AttributeError(f"a model of method {self.method!r} has no {name}: {NEEDS[name]}")
        found = {family._family for family in _FAMILIES.values() if hasattr(family, name)}
        owners = sorted(found, key=str.lower)
        hint = f"; {' and '.join(owners)} have" if owners else f": {NEEDS[name]}" if name in NEEDS else ""
        hint = self._why_not or hint
        also = ", take one of estimators_" if owners and hasattr(type(self), "estimators_") else ""
        raise AttributeError(f"a model of method {self.method!r} has no {name}{hint}{also}")

    def __repr__(self) -> str:
        return (
            f"<imbcore.Model {self.method}: {len(self.classes_)} classes, "
            f"{self.n_features_in_} features, {self.size_text}>"
        )

    def __getstate__(self) -> dict[str, Any]:
        """Give the bytes of the model file: the state that pickle, skops and copies carry."""
        function = self._cost_function
        return {"file": self._native.to_bytes()} | ({} if function is None else {"costs": function})

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Become the model of some bytes, which meet the same checks as a file that is loaded."""
        fitted = native.models.from_bytes(state["file"])
        if _FAMILIES[fitted.kind] is not type(self):
            raise ModelFormatError(f"the state of a {type(self).__name__} holds a {fitted.method} model")
        self.__init__(fitted)  # type: ignore[misc]
        self._by_costs(state.get("costs"))

    def _by_costs(self, costs: Any) -> Self:
        """Ask a function for the costs of new rows, where the fit was told of costs by one."""
        self._cost_function = costs if callable(costs) and self._native.costs_handed else None
        return self

    @property
    def method(self) -> str:
        """Name of the method."""
        return self._native.method

    @property
    def params(self) -> dict[str, Any]:
        """All parameters as used."""
        parameters: dict[str, Any] = json.loads(self._native.params)
        return parameters

    @property
    def classes_(self) -> NDArray[Any]:
        """Sorted class labels."""
        return self._schema.classes

    @property
    def size_text(self) -> str:
        """How large the model is, in words."""
        raise NotImplementedError

    @property
    def cost_matrix(self) -> NDArray[np.float64] | None:
        """Costs by which the model answers, where they are those of all rows."""
        return self._native.cost_matrix

    @property
    def positive_(self) -> Any:
        """Label of the positive class."""
        return self.classes_.tolist()[self._native.positive]

    @property
    def threshold(self) -> float | str | None:
        """Threshold by which the model answers."""
        return self._native.threshold

    @property
    def decision_(self) -> dict[str, Any]:
        """How ``predict`` answers, and what to expect of it.

        Returns
        -------
        dict
            ``kind``: "most_probable", "threshold", "thresholds", "costs" or "prior"; ``positive``;
            ``threshold``; ``thresholds`` by label where several classes have a goal. ``costs`` where rows
            have their own, or None where these come with rows. Where a goal was given to ``threshold``, also
            ``goal``; ``source`` of the rows it was chosen on ("out_of_bag", "out_of_fold", "held_out"),
            ``n_rows``, ``n_positives``; ``confidence`` of a guarantee, or None; and ``expected``: ``recall``,
            ``precision`` (None without such answers), ``fpr`` and ``alert_rate``, each with its ``value`` and
            the ends ``low`` and ``high`` of its exact interval of 95 %, and a row's mean ``cost`` where that
            was the goal; of several classes ``value``, and ``recall`` and ``precision`` by label. Without a
            guarantee these are a little too good. A model that was adapted (:meth:`adapt`) has ``adapted``:
            ``method``, ``n_rows``, by class the shares ``before``, the ``prior`` now, and the ends ``low``
            and ``high`` of its interval; ``source`` then is "adapted".
        """
        return decision_of(self._native, self._schema)

    @property
    def calibration_(self) -> dict[str, Any] | None:
        """How the probabilities were calibrated, and on what.

        Returns
        -------
        dict or None
            ``method``; ``source``, the rows it rests on: "out_of_bag" or "out_of_fold"; ``n_rows``, how many;
            and ``rows_by_class``, how many of each label. None where ``calibrate`` was not given.
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
        """Name of every feature, made up where the user gave none."""
        return list(self._schema.names)

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Names seen during fit."""
        if not self._schema.named:
            raise AttributeError("feature_names_in_")
        return np.array(self._schema.names, dtype=object)

    def _ask(
        self,
        question: str,
        X: Any,
        n_threads: Any,
        n_jobs: Any,
        who: str | None = None,
        about: tuple[Any, ...] = (),
    ) -> Any:
        """Put a question about rows to the native model; ``who`` is the estimator that asks, if any."""
        return self._put(question, self._frame(X, who), n_threads, n_jobs, about)

    def _frame(self, X: Any, who: str | None = None) -> BorderFrame:
        """Bring rows to the form in which the native model is asked about them."""
        return model_frame(X, self._schema, f"the {self.method} model", who)

    def _put(
        self, question: str, frame: BorderFrame, n_threads: Any, n_jobs: Any, about: tuple[Any, ...] = ()
    ) -> Any:
        """Put a question about rows that are in that form already."""
        with training.named_columns(self._schema.names):
            return self._of_family(question)(frame, *about, options.resolve_threads(n_threads, n_jobs))

    def _of_family(self, member: str) -> Any:
        """Give a member of the native model, which only one family may have."""
        try:
            return getattr(self._native, member)
        except AttributeError:
            raise AbsentError(f"a model of method {self.method!r} has no {member}{self._why_not}") from None

    def _code_of(self, name: str, label: Any) -> int:
        """Code of a class label that was given as an option."""
        require_label(name, label)
        labels = self.classes_.tolist()
        if label not in labels:
            raise ParameterError(f"{name} must be one of {labels}, got {label!r}")
        return int(labels.index(label))

    def _codes(
        self, X: Any, cost_matrix: Any, n_threads: Any, n_jobs: Any, who: str | None = None
    ) -> NDArray[np.uint32]:
        """Answer rows by the decision of the fit, or by costs that come with them."""
        if cost_matrix is None and self._cost_function is not None:
            cost_matrix = asked(self._cost_function, X)
        about = () if cost_matrix is None else (costs_at_hand(cost_matrix, self.classes_),)
        question = "predict_by_costs" if about else "predict"
        codes: NDArray[np.uint32] = self._ask(question, X, n_threads, n_jobs, who, about)
        return codes

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
            Any table that :func:`imbcore.fit` accepts, or one row as a dict; named columns are found by name.
        cost_matrix : array of shape (n_classes, n_classes) or (n_rows, n_classes, n_classes), default=None
            What errors cost here, for all rows or for each, in place of what the fit was told.
        n_threads, n_jobs : int or None, default=None
            Threads, as in :func:`imbcore.fit`.

        Returns
        -------
        ndarray of shape (n_rows,)
            Labels in the type that ``y`` had: the cheapest by ``cost_matrix``, that by ``threshold``, or else
            the most probable, the lowest on ties.

        Raises
        ------
        DataError
            The columns differ from those of the fit in number, names or type; or a row has no cost, with the
            column and the row.
        UnsupportedError
            The costs of the rows are missing, or a threshold decides and ``cost_matrix`` is given as well.
        """
        labels: NDArray[Any] = self.classes_[self._codes(X, cost_matrix, n_threads, n_jobs)]
        return labels

    def predict_proba(
        self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None
    ) -> NDArray[np.float64]:
        """Class probabilities of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Threads, as in :func:`imbcore.fit`.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; rows sum to 1.
        """
        proba: NDArray[np.float64] = self._ask("predict_proba", X, n_threads, n_jobs)
        return proba

    def predict_proba_interval(
        self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Interval of every class probability, of a model fitted with ``calibrate="venn_abers"``.

        Its ends are the probabilities that the class would have, against the rest, were the row itself known
        to be one of the others, or one of its own: one of them is calibrated whatever the model is (Vovk,
        Petej and Fedorova 2015). It is wide where few rows are alike.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Threads, as in :func:`imbcore.fit`.

        Returns
        -------
        low, high : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; of several classes not brought to a sum of 1.

        Raises
        ------
        UnsupportedError
            The model was not calibrated, or by a method without intervals.
        """
        low, high = self._ask("predict_proba_interval", X, n_threads, n_jobs)
        return low, high

    def adapt(
        self,
        X_new: Any,
        *,
        method: str = "em",
        labelled: tuple[Any, Any] | None = None,
        prior: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> Self:
        """Adapt to rows among which the classes have other shares, and nothing else has changed.

        The shares are estimated from rows without labels. Probabilities are multiplied by the new over the
        old shares (Saerens et al. 2002, eq. 2.4), and decisions follow: a threshold that was given, and
        costs, speak of the new probabilities; a threshold chosen for recall, false positive rate, "youden"
        or "g_mean" moves with the probabilities, so that the same rows are found and its guarantee still
        holds; one chosen for any other goal is chosen anew among these rows. ``threshold="prior"`` and the
        regions of boxes and SVR-Trees answer as before. Adapting to unchanged shares changes no answer.
        Rules and pictures keep the probabilities of training.

        Parameters
        ----------
        X_new : table of shape (n_rows, n_features)
            Rows without labels, as in :meth:`predict`; what is to be estimated are their shares.
        method : {"em", "bbse"}, default="em"
            "em" maximises the likelihood of the probabilities (Saerens, Latinne and Decaestecker 2002), which
            have to be calibrated for the shares of training; its interval is by the observed information, and
            knows nothing of what they are wrong by. "bbse" asks how often each class is answered, and how
            often the classes are confused (Lipton, Wang and Smola 2018), out of bag or on ``labelled``; it
            needs no calibration and is less precise; its interval is by the delta method over
            both counts.
        labelled : tuple of (X, y), default=None
            For "bbse": rows that the fit did not see. None: the model's own out-of-bag answers, where the fit
            had ``oob_score=True``, or chose a threshold by them.
        prior : dict of label to float, default=None
            The shares where they are known; nothing is estimated then.
        n_threads, n_jobs : int or None, default=None
            Threads, as in :func:`imbcore.fit`.

        Returns
        -------
        Model
            Another model, whose ``decision_["adapted"]`` has the shares and their intervals; this one stays
            as it is. An adapted model is adapted anew from the shares of training.

        Raises
        ------
        UnsupportedError
            The model knows too little, or a guarantee hangs on the shares of training.
        DataError
            No shares follow from the rows.

        Examples
        --------
        >>> import imbcore
        >>> from imbcore.datasets import make_disjunct_grid
        >>> X, y = make_disjunct_grid(2000, minority_share=0.1, random_state=0)
        >>> model = imbcore.fit(X, y, "naive_bayes", random_state=0)
        >>> X_new, _ = make_disjunct_grid(2000, minority_share=0.4, random_state=1)
        >>> adapted = model.adapt(X_new, prior={0: 0.6, 1: 0.4})
        >>> bool((adapted.predict_proba(X_new)[:, 1] >= model.predict_proba(X_new)[:, 1]).all())
        True
        """
        given = (X_new, method, labelled, prior, options.resolve_threads(n_threads, n_jobs))
        adapted = adapted_native(self, *given)
        return type(self)(adapted, self._schema)._by_costs(self._cost_function)

    def with_threshold(self, threshold: float) -> Self:
        """Answer the positive class from another probability on.

        Parameters
        ----------
        threshold : float
            In [0, 1]; ``predict`` answers ``positive_`` where its probability is at least that.

        Returns
        -------
        Model
            Another model, whose costs or goal this replaces; this one stays as it is.

        Raises
        ------
        ParameterError
            The threshold is not in [0, 1].
        DataError
            There are other than two classes.

        Examples
        --------
        >>> import imbcore
        >>> model = imbcore.fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 0, 1], "cart")
        >>> model.with_threshold(0.0).predict([[0.0]])
        array([1])
        """
        if isinstance(threshold, (bool, str)):
            raise ParameterError(f"threshold must be a number in [0, 1], got {threshold!r}")
        changed = native.decisions.with_threshold(self._native, real_number("threshold", threshold))
        return type(self)(changed, self._schema)

    def to_bytes(self) -> bytes:
        """Content of the model file.

        Raises
        ------
        UnsupportedError
            The costs are a function, which is code.
        """
        if self._cost_function is not None:
            raise UnsupportedError(
                "a model file holds no code, so not the function that costs= is: make its result a column of "
                "X and name that, costs={'alarm': 5, 'miss': 'amount'}"
            )
        return self._native.to_bytes()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file; :func:`imbcore.load` reads it back.

        The file appears whole or not at all, and holds no code.

        Parameters
        ----------
        path : path-like
            File to write, by habit ending in ``.imb``.

        Raises
        ------
        OSError
            The file cannot be written.
        """
        with atomic_write(path) as file:
            file.write(self.to_bytes())
