"""Cell order and row tolerance in network files, compared with pyAgrum.

A file is interpreted like the programs that write its format, and a row is rejected if rounding of its
printed digits does not explain its sum.
"""

import contextlib
import itertools
import json
import warnings

import numpy as np
import pytest

from imbcore import BayesianNetwork
from imbcore.exceptions import DataWarning, ModelFormatError

SIZES = {"a": 2, "b": 3, "d": 4, "c": 2}
PARENTS = ("b", "d", "a")


def states(name):
    return [f"{name}{at}" for at in range(SIZES[name])]


def tables(rng):
    """P(c | parents) by the states of the parents, with three decimals."""
    first = rng.integers(0, 1001, [SIZES[name] for name in PARENTS]) / 1000
    return np.stack([first, np.round(1 - first, 3)], axis=-1)


def bif(p):
    declared = "".join(
        f"variable {name} {{ type discrete [ {size} ] {{ {', '.join(states(name))} }}; }}\n"
        for name, size in SIZES.items()
    )
    roots = "".join(f"probability ( {name} ) {{ table {uniform(SIZES[name], ', ')}; }}\n" for name in PARENTS)
    cells = ", ".join(f"{cell:.3f}" for cell in np.moveaxis(p, -1, 0).ravel())
    family = f"probability ( c | {', '.join(PARENTS)} ) {{\n  table {cells};\n}}\n"
    return f"network unknown {{\n}}\n{declared}{roots}{family}"


def xmlbif(p):
    outcomes = {name: "".join(f"<OUTCOME>{state}</OUTCOME>" for state in states(name)) for name in SIZES}
    declared = "".join(
        f'<VARIABLE TYPE="nature"><NAME>{name}</NAME>{text}</VARIABLE>' for name, text in outcomes.items()
    )
    roots = "".join(
        f"<DEFINITION><FOR>{name}</FOR><TABLE>{uniform(SIZES[name], ' ')}</TABLE></DEFINITION>"
        for name in PARENTS
    )
    given = "".join(f"<GIVEN>{name}</GIVEN>" for name in PARENTS)
    cells = " ".join(f"{cell:.3f}" for cell in p.ravel())
    family = f"<DEFINITION><FOR>c</FOR>{given}<TABLE>{cells}</TABLE></DEFINITION>"
    return f'<BIF VERSION="0.3"><NETWORK><NAME>n</NAME>{declared}{roots}{family}</NETWORK></BIF>'


def net(p):
    quoted = {name: " ".join(f'"{state}"' for state in states(name)) for name in SIZES}
    declared = "".join(f"node {name}\n{{\n  states = ({text});\n}}\n" for name, text in quoted.items())
    roots = "".join(
        f"potential ({name})\n{{\n  data = ({uniform(SIZES[name], ' ')});\n}}\n" for name in PARENTS
    )

    def nested(cells):
        if cells.ndim == 1:
            return "(" + " ".join(f"{cell:.3f}" for cell in cells) + ")"
        return "(" + "".join(map(nested, cells)) + ")"

    return (
        f"net\n{{\n}}\n{declared}{roots}potential (c | {' '.join(PARENTS)})\n{{\n  data = {nested(p)};\n}}\n"
    )


def uniform(size, between):
    return between.join([repr(1 / size)] * size)


FORMATS = {"bif": bif, "bifxml": xmlbif, "net": net}


@pytest.mark.parametrize("form", FORMATS)
def test_tables_are_read_in_the_order_of_their_format(form, tmp_path):
    with warnings.catch_warnings():
        # SWIG-generated wrappers warn on import with newer Python versions.
        warnings.simplefilter("ignore")
        gum = pytest.importorskip("pyagrum", reason="pyagrum is not installed; the test extra brings it")
    for seed in range(3):
        p = tables(np.random.default_rng(seed))
        path = tmp_path / f"{seed}.{form}"
        path.write_text(FORMATS[form](p), encoding="utf-8")
        ours = BayesianNetwork.read(path)
        theirs = gum.loadBN(str(path))
        for at in itertools.product(*(range(SIZES[name]) for name in PARENTS)):
            evidence = {name: f"{name}{state}" for name, state in zip(PARENTS, at, strict=True)}
            found = ours.query("c", evidence=evidence)
            assert [found["c0"], found["c1"]] == pytest.approx(p[at].tolist(), abs=1e-12)
            assert [found["c0"], found["c1"]] == pytest.approx(list(theirs.cpt("c")[evidence]), abs=1e-6)


def one_variable(form, numbers):
    """A file of one variable with these probabilities."""
    names = [f"s{at}" for at in range(len(numbers))]
    listed = " ".join(numbers)
    if form == "bif":
        declared = f"variable a {{ type discrete [ {len(names)} ] {{ {', '.join(names)} }}; }}"
        return f"{declared} probability (a) {{ table {listed}; }}"
    if form == "net":
        return f"node a {{ states = ({' '.join(names)}); }} potential (a) {{ data = ({listed}); }}"
    if form == "bifxml":
        outcomes = "".join(f"<OUTCOME>{name}</OUTCOME>" for name in names)
        declared = f'<VARIABLE TYPE="nature"><NAME>a</NAME>{outcomes}</VARIABLE>'
        return f"<BIF>{declared}<DEFINITION><FOR>a</FOR><TABLE>{listed}</TABLE></DEFINITION></BIF>"
    variable = {"name": "a", "states": names, "parents": [], "p": "P"}
    text = json.dumps({"format": "imbcore network", "version": 1, "network": {"variables": [variable]}})
    return text.replace('"P"', f"[{', '.join(numbers)}]")


@pytest.mark.parametrize("form", ["bif", "net", "bifxml", "json"])
@pytest.mark.parametrize(
    ("numbers", "outcome"),
    [
        ("0.8 0.1", "refused"),
        ("0.33 0.33 0.32", "refused"),
        ("0.333 0.333 0.331", "refused"),
        ("0.45 0.45", "refused"),
        ("0.0 0.0", "refused"),
        ("1e-1 0.1 0.1", "refused"),
        ("0.3333333 0.3333333 0.3333331", "read"),
        ("0.3333333 0.3333333 0.3333300", "refused"),
        ("0.3 0.3 0.3", "warned"),
        ("0.33 0.33 0.33", "warned"),
        ("0.333 0.333 0.333", "warned"),
        ("0.3333 0.3333 0.3333", "warned"),
        ("0.333333 0.333333 0.333333", "read"),
        ("0.3333333333333333 0.3333333333333333 0.3333333333333333", "read"),
        ("0.1 0.2 0.7", "read"),
        ("1.0 0.0", "read"),
        ("1e-3 0.999", "read"),
    ],
)
def test_rows_are_accepted_if_their_digits_explain_the_sum(form, numbers, outcome, tmp_path):
    path = tmp_path / f"a.{form}"
    path.write_text(one_variable(form, numbers.split()), encoding="utf-8")
    if outcome == "refused":
        with pytest.raises(ModelFormatError, match="adds up to"):
            BayesianNetwork.read(path)
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        network = BayesianNetwork.read(path)
    assert [warning.category for warning in caught] == [DataWarning] * (outcome == "warned")
    assert all("adds up to" in str(warning.message) for warning in caught)
    assert network.query("a").p.sum() == pytest.approx(1.0, abs=1e-15)


def test_reported_file_is_read(tmp_path):
    path = tmp_path / "a.bif"
    path.write_text(
        "variable a { type discrete [ 2 ] { t, f }; } variable b { type discrete [ 2 ] { t, f }; }\n"
        "probability ( a ) { table 0.5, 0.5; }\n"
        "probability ( b | a ) { table 0.6, 0.45, 0.4, 0.55; }\n"
    )
    network = BayesianNetwork.read(path)
    assert network.query("b", evidence={"a": "t"})["t"] == 0.6
    assert network.query("b", evidence={"a": "f"})["t"] == 0.45


def test_javabayes_files_are_read(tmp_path):
    path = tmp_path / "dog.bif"
    path.write_text(
        """// Bayesian network
network "Dog-Problem" { //5 variables and 5 probability distributions
    property "credal-set constant-density-bounded 1.1" ;
}
variable  "light-on" { //2 values
    type discrete[2] {  "true"  "false" };
    property "position = (218, 195)" ;
}
variable  "family-out" { //2 values
    type discrete[2] {  true  false };
    property "position = (112, 69)" ;
}
probability (  "light-on"  "family-out" ) { //2 variable(s) and 4 values
    table 0.6 0.05 0.4 0.95 ;
}
probability (  "family-out" ) { //1 variable(s) and 2 values
    table 0.15 0.85 ;
}
"""
    )
    network = BayesianNetwork.read(path)
    assert network.variables == ["light-on", "family-out"]
    assert network.states("light-on") == ["true", "false"]
    assert network.arcs == [("family-out", "light-on")]
    assert network.query("light-on", evidence={"family-out": "true"})["true"] == 0.6
    network.write(tmp_path / "back.bif")
    assert BayesianNetwork.read(tmp_path / "back.bif") == network


@pytest.mark.parametrize("cut", range(0, 300, 13))
def test_damaged_javabayes_files_are_rejected(cut, tmp_path):
    text = 'network "x" { property "y" ; } variable "a" { type discrete[2] { "t" "f" }; }'
    text += ' variable "b" { type discrete[2] { t f }; }'
    text += ' probability ( "a" "b" ) { ("t") 0.1 0.9; ( f ) 0.2 0.8; }'
    text += ' probability ( "b" ) { table 0.5 0.5 ; }'
    path = tmp_path / "a.bif"
    path.write_text(text)
    BayesianNetwork.read(path)
    for damaged in (text[:cut], text[:cut] + '"' + text[cut:], text[:cut] + text[cut + 1 :]):
        path.write_text(damaged)
        with contextlib.suppress(ModelFormatError):
            BayesianNetwork.read(path)
