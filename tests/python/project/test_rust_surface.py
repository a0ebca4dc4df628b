"""Every public item of a kernel crate is used outside that crate."""

import re

from rust_source import Crate, root, words_of

# Crates below the entry points; public items of `methods` and `py` are for users.
BELOW = (
    "core",
    "export",
    "criteria",
    "metrics",
    "resample",
    "solver",
    "trees",
    "rules",
    "bayes",
    "ensembles",
    "linear",
    "data",
)
RUST = [path for place in ("crates", "tests", "benches") for path in (root() / place).rglob("*.rs")]
PUBLIC = re.compile(r"^ *pub (?:const )?(?:fn|const|static) (\w+)", re.MULTILINE)


def test_every_public_function_has_a_user_outside_its_crate():
    """Compares names only: an item that shares its name with a used one is missed; there are no false
    reports.
    """
    unused = []
    n_public = 0
    for name in BELOW:
        folder = root() / "crates" / name
        files = Crate(folder).files.values()
        inside = {file.path for file in files}
        outside = set().union(*(words_of(path) for path in RUST if path not in inside))
        # The example of a visitor, and names used in macros.
        lib = (folder / "src" / "lib.rs").read_text(encoding="utf-8")
        outside.update(*(re.findall(r"\w+", line) for line in lib.splitlines() if line.startswith("//!")))
        outside.update(*(re.findall(r"\$crate::(\w+)", file.text) for file in files))
        # The macros `write!` and `writeln!` call it.
        outside.add("write_fmt")
        for file in files:
            names = PUBLIC.findall(file.text)
            n_public += len(names)
            unused += [f"{name}: {file.path.name}: {public}" for public in names if public not in outside]
    print(f"public functions below the entry points: {n_public}, unused: {len(unused)}")
    assert n_public > 300
    assert unused == []
