"""Levels of text columns look alike in every text: always in double quotes, whatever their characters.

Numbers and booleans are never quoted, so that the text "1" and the number 1 differ.
"""

import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from commands import run

import imbcore
from imbcore._model.rules import SHOWN_LEVELS, condition_text, level_text

pytestmark = pytest.mark.filterwarnings("ignore::imbcore.DataWarning")

LEVELS = [
    "a",
    "a b",
    "1",
    "True",
    'x"y',
    ", ",
    " ",
    "missing",
    "} then",
    "é",
    "two\nlines",
    "or",
    "1.5",
    "\\",
]
METHODS = {
    "cart": {"categorical_split": "subset"},
    "c45": {"categorical_split": "multiway"},
    "hddt": {"categorical_split": "ovr"},
    "svr_tree": {},
    "optimal_tree": {"max_depth": 2},
    "boosted_trees": {"n_rounds": 3},
    "forest": {"n_estimators": 3},
    "naive_bayes": {},
    "fast_boxes": {},
    "prim": {},
    "rule_list": {},
}

rng = np.random.default_rng(0)
KINDS = rng.choice(LEVELS, 400)
TABLE = pd.DataFrame(
    {
        "kind": KINDS,
        "code": pd.Categorical(rng.integers(0, 4, 400)),
        "truth": pd.Categorical(rng.random(400) < 0.5),
        "size": rng.normal(size=400),
    }
)
Y = np.where(np.isin(KINDS, LEVELS[::2]) ^ (rng.random(400) < 0.1), "p", "n")
SHOWN = {level_text(level): level for level in LEVELS}


def texts(method, tmp_path, capsys):
    """Every text of a model that has conditions on levels."""
    model = imbcore.fit(TABLE, Y, method, random_state=0, **METHODS[method])
    yield "explanation", model.explain(TABLE[:40]).to_text(4)
    yield "explanation", "\n".join(map(str, model.explain(TABLE[:40]).to_columns(4)["reason_1"]))
    if hasattr(type(model), "export_text"):
        yield "text", model.export_text()
    if hasattr(type(model), "to_dot"):
        for edge, label in re.findall(r'(-> \d+ )?\[label="((?:[^"\\]|\\.)*)"', model.to_dot()):
            text = re.sub(r"\\(.)", lambda found: found[1].replace("n", "\n"), label)
            # The edges of a multiway split have the level only, those of a threshold a sign.
            is_level = edge and method == "c45" and not re.match("[<>]", text)
            yield "drawing", f"kind = {text}" if is_level else text
    if hasattr(type(model), "export_region"):
        yield "region", model.export_region("p")
    model.save(tmp_path / "m.imb")
    if hasattr(type(model), "rules"):
        assert run("show", "--rules", str(tmp_path / "m.imb")) == 0
        yield "rules", capsys.readouterr().out


@pytest.mark.parametrize("method", METHODS)
def test_levels_are_always_quoted(method, tmp_path, capsys):
    found = Counter()
    kinds = set()
    for what, text in texts(method, tmp_path, capsys):
        kinds.add(what)
        text = re.sub(r'"(?:[^"\\]|\\.)*"', lambda quoted: "<L>" if quoted[0] in SHOWN else quoted[0], text)
        for level in re.findall(r"kind (?:!?=|(?:not )?in) (\{.*?\}|\S+)", text):
            assert re.fullmatch(r"<L>|\{<L>(, <L>)*\}", level.rstrip(")")), (what, level, text)
            found[what] += 1
        for name, value in re.findall(r"(code|truth) (?:!?=|(?:not )?in) (\{.*?\}|\S+)", text):
            word = r"[0-3]" if name == "code" else r"True|False"
            assert re.fullmatch(rf"(?:{word})|\{{(?:{word})(, (?:{word}))*\}}", value.rstrip(")")), (
                what,
                value,
            )
    # Each kind of text of the method has conditions on the column of levels.
    assert found.keys() == kinds


def test_levels_are_escaped():
    assert [level_text(level) for level in LEVELS[:6]] == ['"a"', '"a b"', '"1"', '"True"', '"x\\"y"', '", "']
    assert level_text("two\nlines") == '"two\\nlines"'
    assert [level_text(level) for level in (1, 1.5, True, "")] == ["1", "1.5", "True", '""']


def test_pages_show_at_most_twelve_levels_of_a_condition():
    levels = [f"m{k}" for k in range(40)]
    rule = {"conditions": [{"feature": "shop", "levels": levels}]}
    assert condition_text(rule, SHOWN_LEVELS).endswith('"m11", 28 more}')
    assert "more" not in condition_text(rule)
