"""The fitted model: light, picklable, and the same one behind every door."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native, options, svr, training
from imbcore._input.files import atomic_write
from imbcore._input.frame import predict_frame
from imbcore._input.schema import Schema
from imbcore._model.drawing import Drawings
from imbcore._model.pruning import PruningPath
from imbcore._model.regions import Regions
from imbcore._model.texts import Texts
from imbcore.exceptions import UnsupportedError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from scipy.sparse import csr_matrix

__all__ = ["Model"]


class Model(Regions, Drawings, Texts):
    """Fitted model: what :func:`imbcore.fit` and :func:`imbcore.load` return.

    It needs NumPy only, is immutable, and may be used from several threads at once. Equal models have
    equal bytes (:meth:`to_bytes`), which are also what pickling carries.

    Attributes
    ----------
    method : str
        Name of the method that was fitted.
    params : dict
        All its parameters as used, defaults included.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, in the type that ``y`` had.
    code_book_ : ndarray of shape (n_classes, n_members)
        Part of every class in the task of every member: 1, 0, or -1 for left out; decompositions only.
    cost_matrix : ndarray of shape (n_classes, n_classes) or None
        Costs by which ``predict`` answers.
    positive_ : label
        Positive class, which ``threshold``, boxes, rules and scores speak of.
    threshold : float, "prior" or None
        Probability of the positive class from which ``predict`` answers it.
    n_features_in_ : int
        Number of features.
    feature_names : list of str
        Name of every feature; ``x0``, ``x1``, ... where the user gave none.
    feature_names_in_ : ndarray of shape (n_features,)
        Names as seen during fit; only defined when the data had names.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each feature in the total gain of the splits.
    n_leaves_ : int
        Number of leaves; in a forest of all trees together.
    depth_ : int
        Number of splits on the longest way from a root to a leaf.
    labels_ : ndarray of shape (n_nodes,)
        Label assigned to every node; only SVR-Trees have them.
    growth_ : dict
        Settings, start and steps of an SVR-Tree.
    estimators_ : sequence of Model
        The trees of a forest; only forests have them.
    alphas_ : ndarray of shape (n_estimators,)
        The alpha of every tree; only method "beat" has them.
    oob_score_ : float
        Score of the rows that some tree did not see; only with ``oob_score``.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Answer for every training row of the trees that did not see it, NaN where all saw it; only with
        ``oob_score``.

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

    def __init__(self, fitted: native.Model, schema: Schema | None = None) -> None:
        self._native = fitted
        self._schema = schema or Schema.from_json(fitted.schema)

    def __repr__(self) -> str:
        return (
            f"<imbcore.Model {self.method}: {len(self.classes_)} classes, "
            f"{self.n_features_in_} features, {self.size_text}>"
        )

    def __getstate__(self) -> dict[str, bytes]:
        """Give the bytes of the model file: the state that pickle, skops and copies carry."""
        return {"file": self.to_bytes()}

    def __setstate__(self, state: dict[str, bytes]) -> None:
        """Become the model of some bytes, which meet the same checks as a file that is loaded."""
        self.__init__(native.Model.from_bytes(state["file"]))  # type: ignore[misc]

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
        """How large the model is, in words: its trees and leaves, boxes, networks, or members."""
        if self._native.kind == "boxes":
            n_boxes = len(self.box_bounds()[0])
            return f"{n_boxes} box{'es' * (n_boxes != 1)}"
        if self._native.kind == "bayes":
            return native.bayes_size(self._native)
        if self._native.kind == "constant":
            return "one answer"
        n_trees = self._native.n_trees
        try:
            return (
                f"{self.n_leaves_} leaves" if n_trees is None else f"{n_trees} trees, {self.n_leaves_} leaves"
            )
        except UnsupportedError:
            return f"{self.code_book_.shape[1]} members"

    @property
    def code_book_(self) -> NDArray[np.int8]:
        """Part of every class (rows) in the task of every member (columns): 1, 0, or -1 for left out."""
        return self._native.code_book

    @property
    def cost_matrix(self) -> NDArray[np.float64] | None:
        """Costs by which the model answers."""
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
            raise AttributeError("the model was fitted without feature names")
        return np.array(self._schema.names, dtype=object)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each feature in the total gain."""
        return self._native.feature_importances

    @property
    def n_leaves_(self) -> int:
        """Number of leaves."""
        return self._native.n_leaves

    @property
    def depth_(self) -> int:
        """Depth of the tree."""
        return self._native.depth

    @property
    def estimators_(self) -> Sequence[Model]:
        """The trees of a forest, in order; each is unpacked when it is asked for."""
        n_trees = self._native.n_trees
        if n_trees is None:
            raise AttributeError(f"a model of method {self.method!r} has no estimators_")
        return _Trees(self._native, n_trees, self._schema)

    @property
    def alphas_(self) -> NDArray[np.float64]:
        """The alpha of every tree."""
        if self.method != "beat":
            raise AttributeError(f"a model of method {self.method!r} has no alphas_")
        return self._native.alphas

    @property
    def oob_score_(self) -> float:
        """Score of the rows that some tree did not see."""
        return self._out_of_bag("oob_score_")[0]

    @property
    def oob_decision_function_(self) -> NDArray[np.float64]:
        """Answer for every training row of the trees that did not see it."""
        return self._out_of_bag("oob_decision_function_")[1]

    def _out_of_bag(self, attribute: str) -> tuple[float, NDArray[np.float64]]:
        found = None if self._native.n_trees is None else self._native.out_of_bag()
        if found is None:
            raise AttributeError(f"{attribute} needs a forest fitted with oob_score")
        return found

    def _ask(self, question: str, X: Any, n_threads: Any, n_jobs: Any, who: str | None = None) -> Any:
        """Put a question about rows to the native model; ``who`` is the estimator that asks, if any."""
        shown = who or f"the {self.method} model"
        frame = predict_frame(X, self._schema, shown)
        with training.named_columns(self._schema.names):
            return getattr(self._native, question)(frame, options.resolve_threads(n_threads, n_jobs))

    def _ask_family(self, question: str, X: Any, n_threads: Any, n_jobs: Any, who: str | None = None) -> Any:
        """Put a question about rows that only one family of models can answer."""
        shown = who or f"the {self.method} model"
        frame = predict_frame(X, self._schema, shown)
        with training.named_columns(self._schema.names):
            return getattr(native, question)(self._native, frame, options.resolve_threads(n_threads, n_jobs))

    def _path(self, answer: tuple[NDArray[np.int64], NDArray[np.int64]]) -> csr_matrix:
        """Nodes passed by every row as a sparse matrix."""
        from scipy.sparse import csr_matrix

        starts, nodes = answer
        ones = np.ones(len(nodes), dtype=np.int64)
        return csr_matrix((ones, nodes, starts), shape=(len(starts) - 1, self._native.n_nodes))

    def predict(self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None) -> NDArray[Any]:
        """Predict the class of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Any table that :func:`imbcore.fit` accepts, or one row as a dict, with the columns of the fit.
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
            The columns differ from those of the fit in number, names or type.
        """
        labels: NDArray[Any] = self.classes_[self._ask("predict", X, n_threads, n_jobs)]
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

    def apply(self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None) -> NDArray[np.int64]:
        """Node number of the leaf in which every row ends, for a forest in each of its trees.

        For a box drawing the position of the first box that holds the row, -1 for none.

        A row that ends in several leaves (``missing="fraction"``) is given the one with its largest share.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Threads, as in :func:`imbcore.fit`.

        Returns
        -------
        ndarray of shape (n_rows,), or (n_rows, n_trees) for a forest
            Node numbers.
        """
        leaves: NDArray[np.int64]
        if self._native.kind == "boxes":
            leaves = self._ask_family("first_box", X, n_threads, n_jobs)
        else:
            leaves = self._ask("apply", X, n_threads, n_jobs)
        return leaves

    def decision_path(self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None) -> csr_matrix:
        """Nodes that every row passes. Needs SciPy.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Threads, as in :func:`imbcore.fit`.

        Returns
        -------
        csr_matrix of shape (n_rows, n_nodes)
            1 where the row passes the node.
        """
        return self._path(self._ask("decision_path", X, n_threads, n_jobs))

    @property
    def labels_(self) -> NDArray[Any]:
        """Label assigned to every node; only SVR-Trees have them."""
        if self.method != "svr_tree":
            raise AttributeError(f"a model of method {self.method!r} has no labels_")
        labels: NDArray[Any] = self.classes_[native.svr_labels(self._native)]
        return labels

    @property
    def growth_(self) -> dict[str, Any]:
        """Settings, start and steps of an SVR-Tree; ``SVRTreeClassifier`` has them by name."""
        if self.method != "svr_tree":
            raise AttributeError(f"a model of method {self.method!r} has no growth_")
        return svr.svr_growth(self._native)

    def nodes(self) -> list[dict[str, Any]]:
        """Nodes of the tree with their counts, for drawing.

        Returns
        -------
        list of dict
            Parents before children. In a multi-class Hellinger tree a split has a key ``group``: the
            classes that it tells from the others, without the first class in the node.
        """
        nodes: list[dict[str, Any]] = json.loads(self._native.nodes())
        return nodes

    def cost_complexity_pruning_path(self, *, risk: str | None = None) -> PruningPath:
        """All prunings of the tree that are best for some price of a leaf (Breiman et al. 1984, chapter 3).

        Parameters
        ----------
        risk : "gini", "entropy", "error", "cost" or None, default=None
            Training risk that is weighed against leaves. None takes that of the fit.

        Returns
        -------
        PruningPath
            ``ccp_alphas``, ``impurities``, ``leaves`` and ``pruned_nodes``.

        Raises
        ------
        UnsupportedError
            The model is not a single tree.
        """
        return PruningPath(*native.pruning_path(self._native, risk))

    def prune(self, ccp_alpha: float, *, risk: str | None = None) -> Model:
        """Prune the tree: the model that fitting with ``ccp_alpha`` would have given.

        Parameters
        ----------
        ccp_alpha : float
            Price of a leaf, at least 0; infinity leaves the root.
        risk : "gini", "entropy", "error", "cost" or None, default=None
            As in :meth:`cost_complexity_pruning_path`.

        Returns
        -------
        Model
            The pruned model; this one stays as it is.

        Raises
        ------
        ParameterError
            ``ccp_alpha`` is negative or NaN.
        UnsupportedError
            The model is not a single tree.
        """
        return Model(native.prune(self._native, ccp_alpha, risk), self._schema)

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the tree, the boxes or the network. Needs matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            Where to draw; None makes a figure.
        **options
            As ``plot_tree``, ``plot_boxes`` or ``plot_network`` of :mod:`imbcore.plotting` take them.

        Returns
        -------
        Axes
            The axes with the drawing.

        Raises
        ------
        UnsupportedError
            The model is a forest or a decomposition, of which there is no one picture.
        """
        from imbcore import plotting

        if self._native.kind == "boxes":
            return plotting.plot_boxes(self, ax=ax, **options)
        if self._native.kind == "bayes":
            from imbcore.networks import BayesianNetwork

            return plotting.plot_network(BayesianNetwork.of_classifier(self), ax, **options)
        return plotting.plot_tree(self, ax, **options)

    def to_bytes(self) -> bytes:
        """Content of the model file."""
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


class _Trees(Sequence[Model]):
    """Trees of a forest, unpacked one by one."""

    def __init__(self, forest: native.Model, n_trees: int, schema: Schema) -> None:
        self._native = forest
        self._schema = schema
        self._places = range(n_trees)

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Model: ...
    @overload
    def __getitem__(self, place: slice) -> list[Model]: ...
    def __getitem__(self, place: int | slice) -> Model | list[Model]:
        if isinstance(place, slice):
            return [self[one] for one in self._places[place]]
        return Model(self._native.member(self._places[place]), self._schema)


def _from_bytes(data: bytes) -> Model:
    return Model(native.Model.from_bytes(data))
