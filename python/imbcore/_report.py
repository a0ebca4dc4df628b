"""The report page: one HTML file with everything inside."""

from __future__ import annotations

import base64
import html
import io
import os
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Any

import numpy as np

from imbcore import metrics
from imbcore._files import atomic_write
from imbcore._rules_text import condition_text, rules_for, weight_text
from imbcore._scores import METRICS, best_method, best_of, mean_and_sd
from imbcore.exceptions import UnsupportedError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from imbcore._api import Evaluation
    from imbcore._model import Model

__all__ = ["write_report"]

# A tree wider than this many boxes is cut at the depth where it still fits.
MOST_BOXES = 12
MOST_RULES = 12


def write_report(
    path: str | os.PathLike[str],
    evaluations: Mapping[str, Evaluation],
    model: Model,
    *,
    title: str,
    chosen: str | None = None,
    reproduce: str | None = None,
) -> None:
    """Write a self-contained HTML page on methods compared on one data set.

    Parameters
    ----------
    path
        File to write.
    evaluations
        Evaluations of the same data in the same folds, by name.
    model
        The chosen method, fitted to all rows.
    title
        Heading, such as the name of the data.
    chosen
        Name in ``evaluations`` that ``model`` belongs to; ``None`` is the one with the best mean average
        precision.
    reproduce
        Commands that make the page again.

    Raises
    ------
    ImportError
        matplotlib is not installed.
    OSError
        The file cannot be written.
    """
    page = _Page(evaluations, model, chosen or best_method(evaluations))
    template = Template(resources.files("imbcore").joinpath("_report.html").read_text(encoding="utf-8"))
    text = template.substitute(page.fields(), title=html.escape(title), reproduce=_reproduce(page, reproduce))
    with atomic_write(path) as file:
        file.write(text.encode())


class _Page:
    """The pieces of one page, already in HTML."""

    def __init__(self, evaluations: Mapping[str, Evaluation], model: Model, chosen: str) -> None:
        self.evaluations, self.model, self.chosen = evaluations, model, chosen
        self.result = evaluations[chosen]
        self.classes = self.result.classes_.tolist()
        self.counts = [int(np.sum(self.result.y == label)) for label in self.classes]
        # With several classes the curves and rules speak of it against the rest.
        self.positive = self.result.positive
        self.column = self.classes.index(self.positive)
        self.predicted = self.result.predicted
        # Of a forest the first tree is shown.
        trees: Sequence[Model] = getattr(model, "estimators_", [model])
        self.tree, self.n_trees = trees[0], len(trees)

    def fields(self) -> dict[str, str]:
        import imbcore

        positive = f"“{html.escape(str(self.positive))}”"
        truth = (self.result.y == self.positive).astype(np.int64)
        scores = {name: result.proba[:, self.column] for name, result in self.evaluations.items()}
        return {
            "version": imbcore.__version__,
            "summary": self._summary(),
            "verdict": self._verdict(),
            "class_rows": self._class_rows(),
            "protocol": self._protocol(),
            "method_heads": "".join(f'<th scope="col">{html.escape(name)}</th>' for name in self.evaluations),
            "score_rows": self._score_rows(),
            "positive": positive,
            "chosen": html.escape(self.chosen),
            "roc": self._curves("plot_roc", truth, scores, "ROC curves"),
            "precision_recall": self._curves(
                "plot_precision_recall", truth, scores, "Precision-recall curves"
            ),
            "confusion": self._confusion(),
            **(self._box_parts() if self.model._native.kind == "boxes" else self._tree_parts()),
        }

    def _tree_parts(self) -> dict[str, str]:
        try:
            return {
                "picture_head": "The tree",
                "tree_words": self._tree_words(),
                "tree": self._tree(),
                "rules_words": self._rules_words(),
                "rule_rows": self._rule_rows(),
            }
        except UnsupportedError:
            words = f"The model has {self.model.size_text} and is not a single tree that could be shown."
            none = "It has no short rules."
            return {
                "picture_head": "The model",
                "tree_words": words,
                "tree": "",
                "rules_words": none,
                "rule_rows": "",
            }

    def _box_parts(self) -> dict[str, str]:
        described = html.escape(str(self.model.box_class))
        words = (
            f"{self.model.size_text}, fitted to all rows; a row in any of them is answered “{described}”."
            if self.model.boxes()
            else f"No box is drawn: every row is answered with another class than “{described}”."
        )
        return {
            "picture_head": "The boxes",
            "tree_words": words,
            "tree": self._boxes(),
            "rules_words": self._box_words(described),
            "rule_rows": self._rule_rows(),
        }

    def _boxes(self) -> str:
        from imbcore.plotting import plot_boxes

        lower, _, low, high = self.model.box_bounds()
        n_axes = int((low < high).sum())
        if not len(lower) or not n_axes:
            return ""
        # Every axis is given the room of its name.
        size = (max(6.0, 0.55 * n_axes), 4.2)
        alt = "The boxes as text: " + self.model.export_text()
        return _picture(size, lambda ax: plot_boxes(self.model, ax=ax), alt)

    def _box_words(self, described: str) -> str:
        if self.positive != self.model.box_class:
            return f"The boxes describe “{described}”; this class is answered outside of all of them."
        found = rules_for(self.model, self.positive)
        shown = f" The first {MOST_RULES} of them are shown." if len(found) > MOST_RULES else ""
        return (
            f"A row of this class is one in any of {len(found):,} boxes.{shown} Rows, precision and coverage "
            "(the share of the class that a box holds) are those of the training data, so they flatter."
        )

    def _summary(self) -> str:
        features = self.model.feature_names
        rare, common = min(self.counts), max(self.counts)
        return (
            f"{len(self.result.y):,} rows, {len(features)} feature{'s' * (len(features) != 1)}, "
            f"{len(self.classes)} classes; the largest is {common / rare:.1f} times the smallest."
        )

    def _verdict(self) -> str:
        best = best_of(self.evaluations, "average_precision")
        raised = self.predicted == self.positive
        right = int(np.sum(raised & (self.result.y == self.positive)))
        total = self.counts[self.column]
        label = f"“{html.escape(str(self.positive))}”"
        words = [
            f"<strong>{html.escape(self.chosen)}</strong> finds {right:,} of the {total:,} rows of {label}"
        ]
        if raised.any():
            alarms = int(raised.sum())
            words.append(f"and {right / alarms:.0%} of the {alarms:,} rows it calls so are right.")
        else:
            words.append("and calls no row so.")
        others = html.escape(", ".join(name for name in best if name != self.chosen))
        if self.chosen in best and len(self.evaluations) > 1:
            words.append(
                f"No method has a better average precision{f', {others} has the same' if others else ''}."
            )
        elif others:
            words.append(f"The best average precision is that of {others}.")
        never = 1 - max(self.counts) / len(self.result.y)
        words.append(f"Always answering the largest class would be wrong on {never:.1%} of the rows.")
        return " ".join(words)

    def _class_rows(self) -> str:
        lines = []
        for label, count in sorted(zip(self.classes, self.counts, strict=True), key=lambda pair: -pair[1]):
            share = count / len(self.result.y)
            kind = "bar rare" if label == self.positive else "bar"
            bar = f'<span class="{kind}" style="width:{16 * share:.2f}rem"></span>'
            name = html.escape(str(label))
            numbers = f"<td>{count:,}</td><td>{share:.1%}</td>"
            lines.append(f'<tr><td>{name}</td>{numbers}<td class="words">{bar}</td></tr>')
        return "\n".join(lines)

    def _protocol(self) -> str:
        folds, repeats = self.result.folds, self.result.repeats
        words = f"Stratified cross-validation with {folds} folds"
        words += f", {repeats} times with other folds." if repeats > 1 else "."
        if len(self.classes) > 2:
            words += " Precision, recall, F1 and average precision are means over the classes."
        return words

    def _score_rows(self) -> str:
        lines = []
        for metric, (title, meaning) in METRICS.items():
            best = best_of(self.evaluations, metric) if len(self.evaluations) > 1 else []
            cells = "".join(
                f"<td{' class=best' if name in best else ''}>{mean_and_sd(result, metric)}</td>"
                for name, result in self.evaluations.items()
            )
            lines.append(f'<tr><td>{title}</td>{cells}<td class="words">{meaning}</td></tr>')
        return "\n".join(lines)

    def _curves(self, plot: str, truth: Any, scores: Mapping[str, Any], what: str) -> str:
        from imbcore import plotting

        name = "roc_auc" if plot == "plot_roc" else "average_precision"
        area: Callable[..., float] = getattr(metrics, f"{name}_score")
        values = ", ".join(f"{method} {area(truth, score):.3f}" for method, score in scores.items())
        alt = f"{what} of {len(scores)} methods; {METRICS[name][0]}: {values}."
        draw: Callable[..., Axes] = getattr(plotting, plot)
        return _picture((4.6, 4.6), lambda ax: draw(truth, scores, pos_label=1, ax=ax), alt)

    def _confusion(self) -> str:
        from imbcore.plotting import plot_confusion

        counts = metrics.confusion_matrix(self.result.y, self.predicted)
        rows = [
            f"true {label}: {dict(zip(self.classes, row, strict=True))}"
            for label, row in zip(self.classes, counts.tolist(), strict=True)
        ]
        side = min(7.0, 3.4 + 0.25 * len(self.classes))
        return _picture(
            (side + 0.6, side), lambda ax: plot_confusion(counts, self.classes, ax=ax), "; ".join(rows)
        )

    def _depth(self) -> int:
        from imbcore._tree_layout import layout_tree

        nodes = self.tree.nodes()
        fits = [
            depth for depth in range(1, self.tree.depth_ + 1) if layout_tree(nodes, depth).width <= MOST_BOXES
        ]
        return max(fits, default=1)

    def _tree_words(self) -> str:
        which = f"The first of {self.n_trees:,} trees: " if self.n_trees > 1 else ""
        words = f"{which}{self.tree.n_leaves_:,} leaves, depth {self.tree.depth_}, fitted to all rows."
        if self._depth() < self.tree.depth_:
            words += f" The picture shows the first {self._depth()} levels."
        return words

    def _tree(self) -> str:
        from imbcore._tree_picture import TreePicture

        picture = TreePicture(self.tree, max_depth=self._depth(), feature_names=None, class_names=None)
        alt = "The tree as text: " + self.tree.export_text(max_depth=self._depth())
        return _picture(
            picture.size(), lambda ax: picture.draw(ax, filled=True, fontsize=None), alt, whole=True
        )

    def _rules_words(self) -> str:
        found = rules_for(self.tree, self.positive)
        shown = f" The {MOST_RULES} that cover most are shown." if len(found) > MOST_RULES else ""
        return (
            f"{len(found):,} of the {self.tree.n_leaves_:,} rules answer this class.{shown} Rows, precision "
            "and coverage (the share of the class that a rule catches) are those of the training data, so "
            "they flatter."
        )

    def _rule_rows(self) -> str:
        return "\n".join(
            f'<tr><td class="rule">{html.escape(condition_text(rule))}</td>'
            f"<td>{weight_text(rule['rows'])}</td>"
            f"<td>{rule['precision']:.1%}</td><td>{rule['coverage']:.1%}</td></tr>"
            for rule in rules_for(self.tree, self.positive)[:MOST_RULES]
        )


def _reproduce(page: _Page, commands: str | None) -> str:
    import imbcore

    parameters = ", ".join(f"{name}={value!r}" for name, value in page.model.params.items())
    words = f"imbcore {imbcore.__version__}, method {page.model.method} with {parameters}."
    return f"<p>{html.escape(words)}</p>" + (f"\n<pre>{html.escape(commands)}</pre>" if commands else "")


def _picture(size: Sequence[float], draw: Callable[[Axes], object], alt: str, *, whole: bool = False) -> str:
    """Draw and wrap as an image that needs no other file; ``whole`` gives the axes the entire figure."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(
            "the report draws with matplotlib; install it with: pip install 'imbcore[plot]'"
        ) from error

    # Fixed salt and no date: the same numbers give the same bytes.
    with matplotlib.rc_context({"svg.hashsalt": "imbcore"}):
        figure = Figure(figsize=(size[0], size[1]), layout=None if whole else "constrained")
        draw(figure.add_axes((0.0, 0.0, 1.0, 1.0)) if whole else figure.add_subplot())
        buffer = io.BytesIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    data = base64.b64encode(buffer.getvalue()).decode()
    shape = f'width="{96 * size[0]:.0f}" height="{96 * size[1]:.0f}"'
    return f'<img {shape} alt="{html.escape(alt)}" src="data:image/svg+xml;base64,{data}">'
