"""What a model says of itself: its rules, and its tree or its boxes as text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from imbcore._border import native
from imbcore._input.values import whole_number
from imbcore.exceptions import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Texts"]


class Texts:
    """Rules and texts of a model, which speak of one class."""

    _native: native.Model

    if TYPE_CHECKING:

        @property
        def classes_(self) -> NDArray[Any]: ...
        @property
        def positive_(self) -> Any: ...

    def _spoken_class(self, positive: Any) -> int:
        """Code of the class that rules are to speak of; boxes speak of theirs only."""
        label = self.positive_ if positive is None else positive
        labels = [self.positive_] if self._native.kind == "boxes" else self.classes_.tolist()
        if label not in labels:
            raise ParameterError(f"positive must be one of {labels}, or None, got {positive!r}")
        code: int = self.classes_.tolist().index(label)
        return code

    def rules(self, *, positive: Any = None, top: int | None = None) -> list[dict[str, Any]]:
        """Rules of the model: one for each leaf of a tree, or one for each box.

        Parameters
        ----------
        positive : label or None, default=None
            Class that the rules speak of; None takes ``positive_``. Boxes speak of the class that they
            describe.
        top : int or None, default=None
            How many rules to give; None gives all.

        Returns
        -------
        list of dict
            The rules with the largest ``lift`` first. Keys ``conditions``, ``class`` (the answer),
            ``positive`` (the class spoken of), ``share`` (its share of the training weight that the rule
            holds), ``lift`` and ``recall`` (the share of the class's training weight that the rule holds).

            Of a leaf also ``leaf`` (the node number that ``apply`` gives), ``probability`` (of every class),
            ``rows`` (training rows) and ``mass`` (their weight in every class). ``lift`` is how many times
            the share of the class among all training rows its probability is. A condition has ``feature``,
            ``op``, ``value`` and ``or_missing``. ``op`` is one of "<=", ">", "==", "!=", "in", "not in"
            (``value`` is then a list of levels), "known" and "missing"; ``or_missing`` tells whether rows
            without a value fulfil it too, and is "part" where they go all ways in shares. A condition of a
            multi-class Hellinger tree also has ``group``, the classes that its split tells from the others.

            Of a box also ``box`` (its position in ``boxes()``) and ``support`` (training weight that it
            holds); conditions are as in ``boxes()``. ``lift`` is that of the share. A row in no box is
            answered with the other class.

        Raises
        ------
        ParameterError
            ``positive`` is no label, or no class that the boxes describe, or ``top`` is no whole number
            above 0.
        UnsupportedError
            The model is neither a single tree nor a box drawing.
        """
        if top is not None:
            top = whole_number("top", top, 1)
        code = self._spoken_class(positive)
        rules: list[dict[str, Any]]
        if self._native.kind == "boxes":
            answer = {"class": self.positive_, "positive": self.positive_}
            boxes = json.loads(native.box_rules(self._native, "json", 0, False))
            rules = [answer | {"box": place} | box for place, box in enumerate(boxes)]
            rules.sort(key=lambda rule: (-rule["lift"], -rule["recall"]))
        else:
            rules = json.loads(native.tree_rules(self._native, code))
        return rules[:top]

    def export_text(
        self,
        *,
        max_depth: int | None = None,
        decimals: int = 3,
        show_weights: bool = False,
        positive: Any = None,
    ) -> str:
        """Write the tree, or the boxes, as indented text.

        Parameters
        ----------
        max_depth : int or None, default=None
            Levels to show; None shows all. Boxes have none.
        decimals : int, default=3
            Digits after the decimal point.
        show_weights : bool, default=False
            Whether to show the class weights of every leaf.
        positive : label or None, default=None
            Class that the leaves speak of; None takes ``positive_``. Boxes speak of the class that they
            describe.

        Returns
        -------
        str
            One line a branch, which says where rows without a value go, and one a leaf: its answer, and of
            the positive class the probability, the lift and the recall as :meth:`rules` has them. For
            boxes, a heading a box and a line a condition. Names and levels of more than one word are quoted.
        """
        code = self._spoken_class(positive)
        if self._native.kind == "boxes":
            return native.box_rules(self._native, "text", decimals, False)
        return native.tree_text(self._native, max_depth, decimals, show_weights, code)

    def to_dot(self, *, max_depth: int | None = None, decimals: int = 3, positive: Any = None) -> str:
        """Write the tree in the DOT language of Graphviz.

        Parameters
        ----------
        max_depth : int or None, default=None
            Levels to show; None shows all.
        decimals : int, default=3
            Digits after the decimal point.
        positive : label or None, default=None
            As in :meth:`export_text`.

        Returns
        -------
        str
            A ``digraph``.
        """
        return native.tree_dot(self._native, max_depth, decimals, self._spoken_class(positive))
