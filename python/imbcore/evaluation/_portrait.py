"""Representation of a model on the report page: its tree, its boxes, or a surrogate tree.

The counts of all rules are computed on the rows of the table of the page.
"""

from __future__ import annotations

import html
import warnings
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from imbcore._api import fit
from imbcore._bindings.options import resolve_threads
from imbcore._model.boxes import BoxModel
from imbcore._model.rules import SHOWN_LEVELS, condition_text, weight_text
from imbcore._model.trees import ConstantModel, SingleTree
from imbcore._validation.frame import to_prediction_frame
from imbcore.evaluation._evaluate import evaluate
from imbcore.evaluation._evaluation import Evaluation
from imbcore.evaluation._html import draw_svg_image, fraction_bar_html
from imbcore.metrics import accuracy_score

if TYPE_CHECKING:
    from imbcore._model.model import Model

__all__ = [
    "BoxModelRepresentation",
    "ModelRepresentation",
    "SurrogateTreeRepresentation",
    "TreeRepresentation",
    "represent_model",
]

# Limits of a tree picture, in boxes side by side and in inches; it is cut at a depth that fits.
MOST_BOXES, WIDEST = 12, 17.0
MOST_RULES = 12
MOST_FEATURES = 12
# Number of leaves of a surrogate tree.
LEAVES = 8


class ModelRepresentation:
    """Base class of the representations of a model.

    Parameters
    ----------
    model
        The model to show, fitted to all rows.
    X
        The tested rows, in the order of ``result``.
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
        """Class counts in every node of a tree, or in every box and, last, outside all boxes."""
        frame = to_prediction_frame(self.X, self.model._schema, "report")
        codes = np.searchsorted(self.result.classes_, self.result.y).astype(np.uint32)
        masses = self.model._native_attribute("rule_masses")
        threads = resolve_threads(None, None)
        counts: NDArray[np.float64]
        if len(self.model.classes_) == len(self.classes):
            counts = masses(frame, codes, threads)
            return counts
        # The labels of a surrogate are predictions, which may lack a class.
        present = np.unique(codes)
        columns = [masses(frame, (codes == code).astype(np.uint32), threads)[:, 1] for code in present]
        counts = np.zeros((len(columns[0]), len(self.classes)))
        counts[:, present] = np.column_stack(columns)
        return counts

    def title(self, chosen: str) -> str:
        """Heading of the section."""
        raise NotImplementedError

    def description_html(self) -> str:
        """Return the description of the picture, as HTML."""
        raise NotImplementedError

    def drawing(self) -> str:
        """Return the picture as HTML; empty if there is nothing to draw."""
        raise NotImplementedError

    def rules(self) -> list[tuple[str, float, float]]:
        """Return the rules that predict the positive class, with their rows and positives."""
        if self.positive not in self.model.classes_.tolist():
            return []
        column = self.classes.index(self.positive)
        found = []
        for rule in self.model.rules(positive=self.positive):
            if rule["class"] == self.positive:
                held = self.counts[rule["box"] if "box" in rule else rule["leaf"]]
                found.append((condition_text(rule, SHOWN_LEVELS), float(held.sum()), float(held[column])))
        return sorted(found, key=lambda rule: -rule[2])

    def rules_description_html(self) -> str:
        """Return the description of the table of rules."""
        found = self.rules()
        if not found:
            return f"No rule predicts {self.label}."
        shown = f" The {MOST_RULES} with the largest recall are shown." if len(found) > MOST_RULES else ""
        return (
            f"{self._whose()} predicts {self.label} by {len(found):,} rule"
            f"{'s' * (len(found) != 1)}.{shown} Rows, precision (the fraction of {self.label} among them) "
            f"and recall (the fraction of all {self.label} rows that the rule covers) are computed on "
            f"{'all ' * (len(self.result.y) == self.result.n_rows)}{len(self.result.y):,} rows of the "
            f"table, to which the rules were fitted, so they are "
            f"optimistic. {self._held_out_performance_text()}"
        )

    def _whose(self) -> str:
        return "The model"

    def _held_out_performance_text(self) -> str:
        raised = self.result.predicted == self.positive
        truth = self.result.y == self.positive
        right = int(np.sum(raised & truth))
        recall = f"recall {right / int(truth.sum()):.1%}"
        precision = f"precision {right / int(raised.sum()):.1%} and " if raised.any() else ""
        return f"On held-out rows, the method as a whole has {precision}{recall} (all test folds together)."

    def rule_rows(self) -> str:
        """Return the rows of the table of rules, as HTML."""
        total = float((self.result.y == self.positive).sum())
        return "\n".join(
            f'<tr><td class="rule">{html.escape(text)}</td><td>{weight_text(round(rows, 2))}</td>'
            f"<td>{f'{hits / rows:.1%}' if rows else '-'}</td><td>{hits / total:.1%}</td></tr>"
            for text, rows, hits in self.rules()[:MOST_RULES]
        )

    def importances(self, model: Model) -> str:
        """Return the table of the most important features, if the model has importances."""
        if not hasattr(model, "feature_importances_"):
            return ""
        shares = model.feature_importances_
        top = shares.max()
        order = np.argsort(-shares, kind="stable")[:MOST_FEATURES].tolist()
        rows = "\n".join(
            f'<tr><td class="name">{html.escape(model.feature_names[place])}</td><td>{shares[place]:.1%}</td>'
            f'<td class="words">{fraction_bar_html(float(shares[place] / top), rare=False)}</td></tr>'
            for place in order
            if shares[place] > 0
        )
        if not rows:
            return ""
        return (
            "<h2>Feature importances</h2>\n"
            f'<p class="quiet">{_describe_importances(model)}, in training. '
            "It shows which features the model uses, not how well.</p>\n"
            '<div class="wide"><table><thead><tr><th scope="col">feature</th><th scope="col">fraction</th>'
            '<th scope="col"><span class="unseen">bar</span></th></tr></thead>'
            f"<tbody>\n{rows}\n</tbody></table></div>"
        )


def _describe_importances(model: Model) -> str:
    """Describe the importances of a model, as its documentation does."""
    described: str = type(model).feature_importances_.__doc__ or "Importance of each feature."
    return html.escape(described.splitlines()[0].rstrip("."))


class TreeRepresentation(ModelRepresentation):
    """Representation of a single tree."""

    def title(self, chosen: str) -> str:
        """Heading of the section."""
        return f"The tree of {html.escape(chosen)}"

    def description_html(self) -> str:
        """Return the description of the picture, as HTML."""
        return f"{self._tree_size_text()}, fitted to all rows. {self._picture_legend_text()}"

    def _tree_size_text(self) -> str:
        n_leaves = self.model.n_leaves_
        return f"{n_leaves:,} lea{'ves' if n_leaves != 1 else 'f'}, depth {self.model.depth_}"

    def _picture_legend_text(self) -> str:
        depth, deepest = self._picture[1], self.model.depth_
        cut = f" It shows {depth} of {deepest} levels." if depth < deepest else ""
        return f"The picture shows {len(self.result.y):,} rows of the table by their true class.{cut}"

    @cached_property
    def _picture(self) -> tuple[Any, int]:
        """Return the picture with the largest depth that fits, and this depth."""
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
        """Return the picture as HTML."""
        drawn, depth = self._picture
        alt = "The tree as text: " + self.model.export_text(max_depth=depth)
        return draw_svg_image(
            drawn.size(), lambda ax: drawn.draw(ax, filled=True, fontsize=None), alt, whole=True
        )


class SurrogateTreeRepresentation(TreeRepresentation):
    """Representation by a small surrogate tree, fitted to the predictions of the model."""

    def __init__(self, model: Model, X: Any, result: Evaluation, answers: NDArray[Any]) -> None:
        self.original, self.X, self.answers = model, X, answers
        kinds = [place for place, feature in enumerate(model._schema.features) if feature.levels is not None]
        given = answers.tolist()
        self.options: dict[str, Any] = {
            "categorical_features": kinds or None,
            "positive": result.positive if result.positive in given else given[0],
            "max_leaf_nodes": LEAVES,
            "random_state": 0,
        }
        super().__init__(self._run_without_warnings(fit), X, result)

    def _run_without_warnings(self, fit_or_evaluate: Callable[..., Any], **options: Any) -> Any:
        """Run a function for the surrogate without warnings about its labels, which are predictions."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return fit_or_evaluate(self.X, self.answers, "cart", **options, **self.options)

    def title(self, chosen: str) -> str:
        """Heading of the section."""
        return f"Surrogate tree of {html.escape(chosen)}"

    def description_html(self) -> str:
        """Return the description of the picture and its fidelity, as HTML."""
        n_rows = len(self.answers)
        alike = accuracy_score(self.answers, self.model.predict(self.X))
        _, sizes = np.unique(self.answers, return_counts=True)
        held_out = self._held_out_agreement_text(sizes)
        return (
            f"The model has {self.original.size_text}, which cannot be shown individually. The picture "
            f"is a surrogate, a small tree ({self._tree_size_text()}) fitted to its predictions on all "
            f"{n_rows:,} rows: it agrees with the model on {alike:.1%} of them{held_out}; "
            f"the most frequent prediction alone would agree on {sizes.max() / n_rows:.1%}. "
            f"{self._picture_legend_text()}"
        )

    def _held_out_agreement_text(self, sizes: NDArray[np.int64]) -> str:
        folds = min(5, int(sizes.min()))
        if folds < 2:
            return ""
        found = self._run_without_warnings(evaluate, folds=folds)
        alike = accuracy_score(self.answers, found.predicted)
        area = found.spread("roc_auc")[0]
        return (
            f", and such trees on {alike:.1%} of held-out rows ({folds} folds; "
            f"AUC {area:.3f} for its predictions)"
        )

    def _whose(self) -> str:
        return "The surrogate tree"


class BoxModelRepresentation(ModelRepresentation):
    """Representation of a box model."""

    def title(self, chosen: str) -> str:
        """Heading of the section."""
        return f"The boxes of {html.escape(chosen)}"

    def description_html(self) -> str:
        """Return the description of the picture, as HTML."""
        described = html.escape(str(self.model.box_class))
        if not self.model.boxes():
            return f"The model has no box: every row is predicted as another class than “{described}”."
        return (
            f"{self.model.size_text}, fitted to all rows; rows in any of them are predicted as “{described}”."
        )

    def drawing(self) -> str:
        """Return the picture as HTML; empty if there is no axis to draw on."""
        from imbcore.plotting import plot_boxes

        lower, _, low, high = self.model.box_bounds()
        n_axes = int((low < high).sum())
        if not len(lower) or not n_axes:
            return ""
        # Make room for the name of every axis, as far as the page allows.
        size = (min(WIDEST, max(7.0, 0.55 * n_axes)), 5.4)
        alt = "The boxes as text: " + self.model.export_text()
        return draw_svg_image(size, lambda ax: plot_boxes(self.model, ax=ax), alt)

    def rules(self) -> list[tuple[str, float, float]]:
        """Return the conditions of every box with its rows; none for another class."""
        return super().rules() if self.positive == self.model.box_class else []


def represent_model(model: Model, X: Any, result: Evaluation) -> ModelRepresentation | None:
    """Return the representation of a model; None if it predicts one class for all rows."""
    if isinstance(model, BoxModel):
        return BoxModelRepresentation(model, X, result)
    if isinstance(model, SingleTree) and not isinstance(model, ConstantModel):
        return TreeRepresentation(model, X, result)
    answers = model.predict(X)
    if len(np.unique(answers)) < 2:
        return None
    return SurrogateTreeRepresentation(model, X, result, answers)
