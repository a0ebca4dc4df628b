"""Rules of the Python packages: one native import, no upward imports, no cycles, a short top, no numerics."""

import ast
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from rust_source import circles, root

import imbcore
from imbcore import evaluation

HOME = Path(imbcore.__file__).parent
NATIVE = "imbcore._imbcore"
# The only file that imports the native module.
BORDER = "_bindings/native.py"
NUMERICS = {"mean", "nanmean", "average", "median", "std", "var", "argmax", "argmin"}


def parsed(home):
    """Syntax tree of every file, by its path below the package."""
    return {
        path.relative_to(home).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(home.rglob("*.py"))
    }


def module_of(file):
    return ".".join(("imbcore", *Path(file).with_suffix("").parts)).removesuffix(".__init__")


def imported(tree):
    """All imports of imbcore names in a file, as (module, name)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports need the full path"
            yield from ((str(node.module), alias.name) for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from ((arg.value, "") for arg in node.args if isinstance(arg, ast.Constant))


def dependencies(trees):
    """File to file: the names that the first imports from the second."""
    files = {module_of(file): file for file in trees}
    found = {file: {} for file in trees}
    for file, tree in trees.items():
        for module, name in imported(tree):
            other = files.get(f"{module}.{name}") or files.get(module)
            if other and other != file:
                found[file].setdefault(other, set()).add(name)
    return found


def package_of(file):
    return Path(file).parts[0].removesuffix(".py")


def layers(folder="imbcore"):
    """Packages or crates from the bottom up, as listed on the architecture page."""
    page = (root() / "python" / "docs" / "architecture.md").read_text(encoding="utf-8")
    return re.findall(rf"^\| `{folder}/([\w-]+)` \|", page, re.MULTILINE)


def upward_imports(trees, order):
    return [
        f"{file} -> {other}"
        for file, others in dependencies(trees).items()
        for other in others
        if order.index(package_of(other)) > order.index(package_of(file))
    ]


def importers(trees):
    return [
        file
        for file, tree in trees.items()
        if any(NATIVE in (module, f"{module}.{name}") for module, name in imported(tree))
    ]


def numeric_calls(trees):
    """Files outside plotting that compute on data, by called function."""
    found = {}
    for file, tree in trees.items():
        called = {
            node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in NUMERICS
        }
        if called and package_of(file) != "plotting":
            found[file] = sorted(called)
    return found


@pytest.fixture(scope="module")
def trees():
    found = parsed(HOME)
    assert len(found) > 80
    return found


def test_one_file_imports_the_native_module(trees):
    assert importers(trees) == [BORDER]


def test_python_modules_have_no_circular_imports(trees):
    found = circles(dependencies(trees))
    print(f"circles of Python modules: {len(found)}")
    assert found == []


def test_page_lists_every_package(trees):
    order = layers()
    assert sorted(order) == sorted({package_of(file) for file in trees})


def test_no_import_goes_upwards(trees):
    assert upward_imports(trees, layers()) == []


def crate_dependencies():
    """The tool that draws the architecture diagram also reads the dependencies of crates."""
    spec = spec_from_file_location("architecture", root() / "python" / "tools" / "architecture.py")
    tool = module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool.crate_dependencies


def test_no_crate_depends_on_one_above_it():
    order = layers("crates")
    needed = crate_dependencies()(root() / "crates")
    assert sorted(order) == sorted(needed)
    up = [(high, low) for high in needed for low in needed[high] if order.index(low) > order.index(high)]
    assert up == []


def test_top_level_package_is_short():
    shown = [path.name for path in HOME.iterdir() if path.is_file()]
    assert len(shown) <= 10, shown


def test_no_test_leaves_files():
    """Tests run in this folder, where a file written without a folder would eventually be committed."""
    shown = {path.name for path in (root() / "tests").iterdir() if path.name[0] not in "._"}
    assert shown == {"Cargo.toml", "golden", "python", "rust"}


@pytest.mark.parametrize("package", [imbcore, evaluation])
def test_dir_shows_public_names_only(package):
    """Packages that import names on first use list them, and can import each."""
    assert dir(package) == sorted(package.__all__)
    assert all(hasattr(package, name) for name in package.__all__)


def test_every_name_of_evaluation_has_one_module():
    """The lists of public names, of modules, and of imports for type checkers agree."""
    listed = sorted(name for names in evaluation._NAMES.values() for name in names)
    assert listed == sorted(evaluation.__all__)
    tree = ast.parse(Path(evaluation.__file__).read_text(encoding="utf-8"))
    typed = {name: module for module, name in imported(tree) if module.startswith("imbcore.")}
    homes = {
        name: f"imbcore.evaluation.{home}" for home, names in evaluation._NAMES.items() for name in names
    }
    assert typed == homes


def test_source_files_are_short():
    """Sources and tests of every language, except generated files."""
    tracked = [
        path for name in ("benches", "crates", "python", "tests") for path in (root() / name).rglob("*")
    ]
    sources = [path for path in tracked if path.suffix in {".py", ".rs", ".js", ".css", ".html"}]
    texts = {str(path.relative_to(root())): path.read_text(encoding="utf-8") for path in sources}
    written = {file: text for file, text in texts.items() if "Written by `make generate`" not in text[:80]}
    assert len(written) > 700
    assert {file: n for file, text in written.items() if (n := text.count("\n")) > 500} == {}


# Means over days, groups and samples of rows, as the architecture page states.
COMPUTING = {
    "_validation/dependence_check.py",
    "evaluation/_exact_bounds.py",
    "evaluation/_group_intervals.py",
    "evaluation/_policies.py",
    "metrics/_alerts_per_day.py",
}


def test_python_does_not_compute_on_data(trees):
    assert set(numeric_calls(trees)) == COMPUTING


@pytest.mark.parametrize(
    ("files", "rules"),
    [
        ({"a.py": "from imbcore import _imbcore"}, {"border"}),
        ({"a.py": "def f():\n    from imbcore._imbcore import fit"}, {"border"}),
        ({"a.py": "import imbcore._imbcore as native"}, {"border"}),
        ({"a.py": "import_module('imbcore._imbcore')"}, {"border"}),
        (
            {"a.py": "from imbcore.b import x", "b.py": "def f():\n    from imbcore import a"},
            {"circles", "floors"},
        ),
        ({"a/__init__.py": "from imbcore.a.c import x", "a/c.py": "import imbcore.a"}, {"circles"}),
        ({"a.py": "from imbcore.b.c import x", "b/c.py": ""}, {"floors"}),
        ({"a.py": "if TYPE_CHECKING:\n    from imbcore import b", "b/__init__.py": ""}, {"floors"}),
        ({"a.py": "scores.mean()"}, {"numerics"}),
        ({"a.py": "best = max(range(3), key=np.argmax)"}, {"numerics"}),
        ({"a.py": "'mean'", "b.py": "from imbcore import a", "plotting/c.py": "x.mean()"}, set()),
    ],
)
def test_rules_detect_violations(tmp_path, files, rules):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    made = parsed(tmp_path)
    broken = {
        "border": importers(made),
        "circles": circles(dependencies(made)),
        "floors": upward_imports(made, ["a", "b", "plotting"]),
        "numerics": numeric_calls(made),
    }
    assert {rule for rule, found in broken.items() if found} == rules
