"""Critical difference diagrams: positions, bars, and equality of both drawing functions."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from imbcore import plotting, stats
from imbcore.exceptions import DataError, ParameterError
from imbcore.plotting._cd_layout import THICK, layout_cd_diagram

RANKS, NAMES = [3.1, 1.2, 2.4, 4.6, 3.7], ["cart", "hddt", "a<b & $c$", "c45", "boosting of trees"]
SVG = "{http://www.w3.org/2000/svg}"


def thick(diagram):
    return [stroke.x for stroke in diagram.strokes if stroke.width == THICK]


def place_of(diagram, rank, best):
    """Position of a rank, derived from the tick labels of the axis."""
    x = {int(word.text): word.x for word in diagram.words if word.text.isdigit()}
    assert (x[1] > x[5]) == (best == "right")
    return x[1] + (rank - 1) * (x[5] - x[1]) / 4


@pytest.mark.parametrize("best", ["right", "left"])
def test_methods_are_at_their_ranks_in_axis_order(best):
    diagram = layout_cd_diagram(RANKS, NAMES, 1.0, None, best)
    labels = {word.text.split(" (")[0]: word for word in diagram.words if "(" in word.text}
    left = [name for name, word in labels.items() if word.anchor == "end"]
    order = [name for _, name in sorted(zip(RANKS, NAMES, strict=True), reverse=best == "right")]
    assert set(left) == set(order[:3])
    for name, rank in zip(NAMES, RANKS, strict=True):
        x, y = place_of(diagram, rank, best), labels[name].y
        down = [s for s in diagram.strokes if s.x[0] == s.x[1] == pytest.approx(x) and s.y[1] > 60]
        assert len(down) == 1
        assert abs(down[0].y[1] - y) < 5
    # From the outside inwards, so that no line crosses another.
    assert sorted(left, key=lambda name: labels[name].y) == order[:3]
    right = order[3:][::-1]
    assert sorted(right, key=lambda name: labels[name].y) == right
    assert all(0 <= x <= diagram.width for stroke in diagram.strokes for x in stroke.x)
    assert all(0 <= y <= diagram.height for stroke in diagram.strokes for y in stroke.y)


@pytest.mark.parametrize("best", ["right", "left"])
def test_bars_connect_the_groups_of_the_test(best):
    diagram = layout_cd_diagram(RANKS, NAMES, 1.0, None, best)
    groups = stats.rank_groups(RANKS, 1.0)
    assert len(groups) == 3
    for ends, group in zip(thick(diagram), groups, strict=True):
        expected = sorted(place_of(diagram, RANKS[group[at]], best) for at in (0, -1))
        assert np.allclose(ends, [expected[0] - 3, expected[1] + 3])


def test_control_has_a_bar_on_both_sides():
    diagram = layout_cd_diagram(RANKS, NAMES, 1.5, "hddt", "left")
    (ends,) = thick(diagram)
    assert np.allclose(ends, [place_of(diagram, 1.0, "left") - 3, place_of(diagram, 2.7, "left") + 3])


@pytest.mark.parametrize(("cd", "control"), [(1.0, None), (1.5, "cart"), (9.0, None)])
@pytest.mark.parametrize("best", ["right", "left"])
def test_both_functions_draw_the_same_diagram(cd, control, best):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    ax = plotting.plot_cd(RANKS, NAMES, cd, control=control, best=best)
    svg = ElementTree.fromstring(plotting.export_cd_svg(RANKS, NAMES, cd, control=control, best=best))
    lines = [[float(line.get(key)) for key in ("x1", "x2", "y1", "y2")] for line in svg.iter(f"{SVG}line")]
    drawn = [[*line.get_xdata(), *line.get_ydata()] for line in ax.get_lines()]
    assert np.allclose(lines, drawn, atol=0.01)
    assert [float(line.get("stroke-width")) for line in svg.iter(f"{SVG}line")] == [
        line.get_linewidth() for line in ax.get_lines()
    ]
    words = [(text.text, float(text.get("x")), float(text.get("y"))) for text in svg.iter(f"{SVG}text")]
    for (text, x, y), shown in zip(words, ax.texts, strict=True):
        assert shown.get_text() == text.replace("$", r"\$")
        assert np.allclose(shown.get_position(), (x, y), atol=0.01)
    sheet = [0, float(svg.get("width")), 0, float(svg.get("height"))]
    assert [*ax.get_xlim(), *ax.get_ylim()[::-1]] == pytest.approx(sheet)
    ax.figure.canvas.draw()
    for text in ax.texts:
        box = text.get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= ax.figure.bbox.x1


def test_invalid_arguments_are_named():
    with pytest.raises(DataError, match="at least 2 methods"):
        plotting.export_cd_svg([1.0, 2.0], ["a"], 1.0)
    with pytest.raises(DataError, match="from 1 to 2"):
        plotting.export_cd_svg([1.0, 2.5], ["a", "b"], 1.0)
    with pytest.raises(ParameterError, match="cd"):
        plotting.export_cd_svg([1.0, 2.0], ["a", "b"], 0.0)
    with pytest.raises(ParameterError, match="control"):
        plotting.export_cd_svg([1.0, 2.0], ["a", "b"], 1.0, control="c")
    with pytest.raises(ParameterError, match="best"):
        plotting.export_cd_svg([1.0, 2.0], ["a", "b"], 1.0, best="top")
