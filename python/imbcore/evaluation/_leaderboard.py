"""Leaderboard of a model of ``auto`` on the report page."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from imbcore._model.model import Model

_HEADS = ("member", "held-out score", "weight", "seconds", "left out")


def leaderboard_section(model: Model) -> str:
    """Return the table of the candidates as HTML; empty for models of other methods."""
    if not hasattr(model, "leaderboard_"):
        return ""
    metric = html.escape(model.params["metric"])
    lines = [("ensemble", f"{model.validation_score_:.4f}", "", "", "")]
    for row in model.leaderboard_:
        score = "" if row["score"] is None else f"{row['score']:.4f}"
        weight = f"{row['weight']:.3f}" if row["weight"] else ""
        seconds = "" if row["seconds"] is None else f"{row['seconds']:.2f}"
        lines.append((row["member"], score, weight, seconds, row["left_out"] or ""))
    heads = "".join(f'<th scope="col">{head}</th>' for head in _HEADS)
    body = "\n".join(
        f'<tr><td class="name">{html.escape(line[0])}</td>'
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in line[1:])
        + "</tr>"
        for line in lines
    )
    return (
        "<h2>Leaderboard</h2>\n"
        f'<p class="quiet">Score by {metric} on the inner folds of the fit, and weight in the ensemble, for '
        "every candidate. The score of the ensemble uses weights that were selected on the other folds.</p>\n"
        f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>\n{body}\n</tbody></table></div>'
    )
