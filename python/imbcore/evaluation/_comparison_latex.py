"""LaTeX table of a comparison."""

from __future__ import annotations

from collections.abc import Sequence

from imbcore.evaluation._comparison_page import means_over_tables, tables_of_means
from imbcore.evaluation._document import BestCellText
from imbcore.evaluation._findings import ComparisonResults

_ESCAPES = str.maketrans(
    {character: rf"\{character}" for character in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "±": r"$\pm$"}
)


def comparison_to_latex(of: ComparisonResults) -> str:
    """Format means and standard deviations as a LaTeX table, the best in bold."""
    _, header, rows = tables_of_means(of)[0]
    blocks: list[list[Sequence[str]]] = [[header], [*rows]]
    if len(of.datasets) > 1:
        _, _, ((_, *means, n_tables), *_) = means_over_tables(of)
        blocks.append([(f"mean over {n_tables} tables", *means)])
        if len(of.compared) > 1 and of.n_ranked > 1:
            ranks = dict(zip(of.compared, of.ranks().average_ranks.tolist(), strict=True))
            shown = (f"{ranks[name]:.2f}" if name in ranks else "-" for name in of.methods)
            blocks[-1].append(("average rank", *shown))
    lines = ["".join(f"{' & '.join(map(_to_cell, row))} \\\\\n" for row in block) for block in blocks]
    columns = "l" + "r" * (len(header) - 1)
    inner = "\\hline\n".join(["", *lines, ""])
    return f"\\begin{{tabular}}{{{columns}}}\n{inner}\\end{{tabular}}\n"


def _to_cell(text: str) -> str:
    """Escape the text of a cell; the best is bold."""
    escaped = text.translate(_ESCAPES)
    return rf"\textbf{{{escaped}}}" if isinstance(text, BestCellText) else escaped
