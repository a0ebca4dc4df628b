"""What stands for a model on the report page: its tree, its boxes, or a tree that imitates it.

Every number beside a rule is counted on the rows of the table that the page is about.
"""

from __future__ import annotations

import html
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from imbcore._api import fit
from imbcore._border.options import resolve_threads
from imbcore._evaluate import Evaluation, evaluate
from imbcore._input.frame import predict_frame
from imbcore._model.boxes import BoxModel
from imbcore._model.rules import condition_text, weight_text
from imbcore._model.trees import ConstantModel, SingleTree
from imbcore._report.parts import bar, picture

if TYPE_CHECKING:
    from imbcore._model.model import Model

__all__ = ["BoxPortrait", "ImitationPortrait", "Portrait", "TreePortrait", "portrait_of"]

# A picture of a tree is cut at the depth where it still fits: so many boxes, and so many inches.
MOST_BOXES, WIDEST = 12, 17.0
MOST_RULES = 12
MOST_FEATURES = 12
# Leaves of a tree that imitates another model.
LEAVES = 8


class Portrait:
    """What is shown of a model.

    Parameters
    ----------
    model
        The model that is shown, fitted to all rows.
    X
        The table that the page is about.
    result
        Scores of the method on this table.
    """

    def __init__(self, model: Model, X: Any, result: Evaluation) -> None:
        self.model, self.X, self.result = model, X, result
        self.classes: list[Any] = result.classes_.tolist()
        self.positive = result.positive
        self.label = f"“{html.escape(str(self.positive))}”"

    @cached_property
    def counts(self) -> NDArray[np.float64]:
        """Rows of every class in every node of a tree, or in every box and, last, in none."""
        frame = predict_frame(self.X, self.model._schema, "report")
        codes = np.searchsorted(self.result.classes_, self.result.y).astype(np.uint32)
        masses: NDArray[np.float64] = self.model._of_family("rule_masses")(
            frame, codes, resolve_threads(None, None)
        )
        return masses

    def title(self, chosen: str) -> str:
        """Heading of the section."""
        raise NotImplementedError

    def words(self) -> str:
        """Say what is shown, in HTML."""
        raise NotImplementedError

    def drawing(self) -> str:
        """Draw, as HTML; nothing where there is nothing to draw."""
        raise NotImplementedError

    def rules(self) -> list[tuple[str, float, float]]:
        """Conditions of rules that answer the positive class, their rows, and the positives among them."""
        if self.positive not in self.model.classes_.tolist():
            return []
        column = self.classes.index(self.positive)
        found = []
        for rule in self.model.rules(positive=self.positive):
            if rule["class"] == self.positive:
                held = self.counts[rule["box"] if "box" in rule else rule["leaf"]]
                found.append((condition_text(rule), float(held.sum()), float(held[column])))
        return sorted(found, key=lambda rule: -rule[2])

    def rules_words(self) -> str:
        """Say what the table of rules holds."""
        found = self.rules()
        if not found:
            return f"No rule answers {self.label}."
        shown = f" The {MOST_RULES} that hold most of it are shown." if len(found) > MOST_RULES else ""
        return (
            f"{self._whose()} answers {self.label} in {len(found):,} rule"
            f"{'s' * (len(found) != 1)}.{shown} Rows, precision (the share of {self.label} among them) and "
            f"recall (the share of all {self.label} that the rule holds) are counted on all "
            f"{len(self.result.y):,} rows of the table, which the rules were fitted to, so they flatter. "
            f"{self._unseen()}"
        )

    def _whose(self) -> str:
        return "The model"

    def _unseen(self) -> str:
        raised = self.result.predicted == self.positive
        truth = self.result.y == self.positive
        right = int(np.sum(raised & truth))
        recall = f"recall {right / int(truth.sum()):.1%}"
        precision = f"precision {right / int(raised.sum()):.1%} and " if raised.any() else ""
        return (
            f"On rows that its models had not seen, the method as a whole has {precision}{recall} (the test "
            "folds together)."
        )

    def rule_rows(self) -> str:
        """Rows of the table of rules."""
        total = float((self.result.y == self.positive).sum())
        return "\n".join(
            f'<tr><td class="rule">{html.escape(text)}</td><td>{weight_text(round(rows, 2))}</td>'
            f"<td>{f'{hits / rows:.1%}' if rows else '-'}</td><td>{hits / total:.1%}</td></tr>"
            for text, rows, hits in self.rules()[:MOST_RULES]
        )

    def importances(self, model: Model) -> str:
        """Table of the features that matter most to the model, where it says so."""
        if not hasattr(model, "feature_importances_"):
            return ""
        shares = model.feature_importances_
        order = np.argsort(-shares, kind="stable")[:MOST_FEATURES].tolist()
        rows = "\n".join(
            f'<tr><td class="name">{html.escape(model.feature_names[place])}</td><td>{shares[place]:.1%}</td>'
            f'<td class="words">{bar(float(shares[place] / shares.max()), rare=False)}</td></tr>'
            for place in order
            if shares[place] > 0
        )
        if not rows:
            return ""
        return (
            "<h2>Which features it looks at</h2>\n"
            '<p class="quiet">Share of each feature in the total gain of the splits in training; it says '
            "what the model uses, not how well.</p>\n"
            '<div class="wide"><table><thead><tr><th scope="col">feature</th><th scope="col">share</th>'
            '<th scope="col"><span class="unseen">bar</span></th></tr></thead>'
            f"<tbody>\n{rows}\n</tbody></table></div>"
        )


class TreePortrait(Portrait):
    """A single tree."""

    def title(self, chosen: str) -> str:
        """Heading of the section."""
        return f"The tree of {html.escape(chosen)}"

    def words(self) -> str:
        """Say what is shown, in HTML."""
        return f"{self._size()}, fitted to all rows. {self._legend()}"

    def _size(self) -> str:
        n_leaves = self.model.n_leaves_
        return f"{n_leaves:,} lea{'ves' if n_leaves != 1 else 'f'}, depth {self.model.depth_}"

    def _legend(self) -> str:
        depth, deepest = self._picture[1], self.model.depth_
        cut = f" It ends after {depth} of {deepest} levels." if depth < deepest else ""
        return f"The picture counts the {len(self.result.y):,} rows of the table by their true class.{cut}"

    @cached_property
    def _picture(self) -> tuple[Any, int]:
        """Picture and depth: as deep as fits."""
        from imbcore.plotting._tree_picture import TreePicture

        best: tuple[Any, int] | None = None
        for depth in range(1, max(1, self.model.depth_) + 1):
            drawn = TreePicture(
                self.model,
                max_depth=depth,
                feature_names=None,
                class_names=None,
                counts=(self.classes, self.counts),
            )
            if best and (drawn.layout.width > MOST_BOXES or drawn.size()[0] > WIDEST):
                break
            best = drawn, depth
        assert best is not None
        return best

    def drawing(self) -> str:
        """Draw, as HTML."""
        drawn, depth = self._picture
        alt = "The tree as text: " + self.model.export_text(max_depth=depth)
        return picture(drawn.size(), lambda ax: drawn.draw(ax, filled=True, fontsize=None), alt, whole=True)


class ImitationPortrait(TreePortrait):
    """A small tree fitted to the answers of a model that no single tree stands for."""

    def __init__(self, model: Model, X: Any, result: Evaluation, answers: NDArray[Any]) -> None:
        self.original, self.answers = model, answers
        kinds = [place for place, feature in enumerate(model._schema.features) if feature.levels is not None]
        given = answers.tolist()
        self.options: dict[str, Any] = {
            "categorical_features": kinds or None,
            "positive": result.positive if result.positive in given else given[0],
            "max_leaf_nodes": LEAVES,
            "random_state": 0,
        }
        super().__init__(fit(X, answers, "cart", **self.options), X, result)

    def title(self, chosen: str) -> str:
        """Heading of the section."""
        return f"A tree that imitates {html.escape(chosen)}"

    def words(self) -> str:
        """Say what is shown and how faithful it is, in HTML."""
        n_rows = len(self.answers)
        alike = float(np.mean(self.model.predict(self.X) == self.answers))
        _, sizes = np.unique(self.answers, return_counts=True)
        return (
            f"The model has {self.original.size_text}, and none of its parts stands for it. What is shown "
            f"is a small tree ({self._size()}) fitted to its answers on all {n_rows:,} rows: it answers like "
            f"the model on {alike:.1%} of them{self._unseen_agreement(sizes)}; always giving the most "
            f"frequent answer would agree on {sizes.max() / n_rows:.1%}. {self._legend()}"
        )

    def _unseen_agreement(self, sizes: NDArray[np.int64]) -> str:
        folds = min(5, int(sizes.min()))
        if folds < 2:
            return ""
        found = evaluate(self.X, self.answers, "cart", folds=folds, **self.options)
        alike = float(np.mean(found.predicted == self.answers))
        area = found.mean()["roc_auc"]
        return (
            f", and such trees on {alike:.1%} of rows that they were not fitted to ({folds} folds; "
            f"AUC {area:.3f} for its answers)"
        )

    def _whose(self) -> str:
        return "The imitating tree"


class BoxPortrait(Portrait):
    """A box drawing."""

    def title(self, chosen: str) -> str:
        """Heading of the section."""
        return f"The boxes of {html.escape(chosen)}"

    def words(self) -> str:
        """Say what is shown, in HTML."""
        described = html.escape(str(self.model.box_class))
        if not self.model.boxes():
            return f"No box is drawn: every row is answered with another class than “{described}”."
        return f"{self.model.size_text}, fitted to all rows; a row in any of them is answered “{described}”."

    def drawing(self) -> str:
        """Draw, as HTML; nothing where there is no axis to draw on."""
        from imbcore.plotting import plot_boxes

        lower, _, low, high = self.model.box_bounds()
        n_axes = int((low < high).sum())
        if not len(lower) or not n_axes:
            return ""
        # Every axis is given the room of its name, as far as the page goes.
        size = (min(WIDEST, max(7.0, 0.55 * n_axes)), 5.4)
        alt = "The boxes as text: " + self.model.export_text()
        return picture(size, lambda ax: plot_boxes(self.model, ax=ax), alt)

    def rules(self) -> list[tuple[str, float, float]]:
        """Conditions of every box with its rows; none for a class that the boxes do not describe."""
        return super().rules() if self.positive == self.model.box_class else []


def portrait_of(model: Model, X: Any, result: Evaluation) -> Portrait | None:
    """Find what stands for a model; None for one that answers every row alike, with nothing to show."""
    if isinstance(model, BoxModel):
        return BoxPortrait(model, X, result)
    if isinstance(model, SingleTree) and not isinstance(model, ConstantModel):
        return TreePortrait(model, X, result)
    answers = model.predict(X)
    if len(np.unique(answers)) < 2:
        return None
    return ImitationPortrait(model, X, result, answers)
