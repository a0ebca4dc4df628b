"""No circular dependencies between Rust files; shared code belongs into a third file below both."""

import pytest
from rust_source import Crate, circles, root


def names_of(arrows, ring):
    """Names that cause a cycle, for the failure message."""
    return {
        f"{file.name} -> {other.name}": sorted(names)
        for file in ring
        for other, names in arrows[file].items()
        if other in ring
    }


def test_rust_files_have_no_circular_dependencies():
    crates = sorted((root() / "crates").iterdir())
    assert len(crates) > 9
    found = []
    for folder in crates:
        arrows = Crate(folder).arrows()
        assert arrows, folder
        found += [names_of(arrows, ring) for ring in circles(arrows)]
    print(f"circles of Rust files: {len(found)}")
    assert found == []


FILES = {
    "lib.rs": "mod low;\nmod high;\nmod side;\npub use low::{Low, helper};\n",
    "low.rs": "pub struct Low;\npub fn helper() {}\n",
    "high.rs": "use crate::Low;\npub struct High(Low);\n",
    "side/mod.rs": "mod inner;\npub(crate) use inner::Inner;\n",
    "side/inner.rs": "pub(crate) struct Inner;\n",
}


@pytest.mark.parametrize(
    ("low", "ring"),
    [
        ("", []),
        ("use crate::high::High;", ["high.rs", "low.rs"]),
        ("use super::{high::{self, High as Other}, side::Inner};", ["high.rs", "low.rs"]),
        ("fn f() { crate::high::High::new() }", ["high.rs", "low.rs"]),
        ("use crate::high;\nfn f() { high::High::new() }", ["high.rs", "low.rs"]),
        ("use crate::high::*;\nfn f() -> High { todo() }", ["high.rs", "low.rs"]),
        ('// use crate::high::High;\nconst A: &str = "crate::high::High";', []),
        ("#[cfg(test)]\nmod tests {\n    use crate::high::High;\n    fn f() { if a {} }\n}", []),
        ("use crate::side::Inner;\nuse crate::{helper, Low as Same};", []),
    ],
)
def test_cycles_are_detected_in_every_notation(tmp_path, low, ring):
    for name, text in FILES.items():
        (tmp_path / "src" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "src" / name).write_text(text + (low if name == "low.rs" else ""), encoding="utf-8")
    found = circles(Crate(tmp_path).arrows())
    assert [[file.name for file in files] for files in found] == ([ring] if ring else [])
