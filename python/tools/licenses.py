"""Write the license texts of the Rust crates in a wheel, for `make licenses`.

Usage: python python/tools/licenses.py [--check]
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "crates" / "py" / "licenses" / "RUST-CRATES.txt"
NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")
HEAD = """\
Rust crates in a wheel of imbcore
=================================

Written by `make licenses` from the crates' own files. Each is compiled into imbcore/_imbcore. A text that
several crates share, except for its copyright lines, is listed once, after all their copyright lines.
"""


def main() -> int:
    """Write the file, or check that it covers all crates."""
    crates = list(shipped())
    text = written(crates)
    if "--check" in sys.argv:
        text_now = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
        missing = [
            f"{crate['name']} {crate['version']}" for crate in crates if line_of(crate) not in text_now
        ]
        print(
            *(f"missing license of {name}: run python python/tools/licenses.py" for name in missing),
            sep="\n",
        )
        return int(bool(missing))
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(text, encoding="utf-8")
    return 0


def shipped() -> Iterator[dict[str, Any]]:
    """List the third-party packages that are linked into the native module, on any system."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    found = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    packages = {package["id"]: package for package in found["packages"]}
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    start = next(one for one, package in packages.items() if package["name"] == "imbcore-py")
    seen, waiting = {start}, [start]
    while waiting:
        for needed in nodes[waiting.pop()]["deps"]:
            linked = any(kind["kind"] is None for kind in needed["dep_kinds"])
            if linked and needed["pkg"] not in seen and not made_of(packages[needed["pkg"]], "proc-macro"):
                seen.add(needed["pkg"])
                waiting.append(needed["pkg"])
    own = [packages[one] for one in seen if packages[one]["source"]]
    yield from sorted(own, key=lambda package: (package["name"], package["version"]))


def made_of(package: dict[str, Any], kind: str) -> bool:
    """Check whether a package is of a kind; macros run in the compiler and are not in a wheel."""
    return any(kind in target["kind"] for target in package["targets"])


def line_of(crate: dict[str, Any]) -> str:
    """Write a crate with its declared license."""
    return f"{crate['name']} {crate['version']}: {crate['license'] or crate['license_file']}"


def texts_of(crate: dict[str, Any]) -> list[str]:
    """Read the license files of a crate."""
    folder = Path(crate["manifest_path"]).parent
    files = [
        file for file in sorted(folder.iterdir()) if file.is_file() and file.name.upper().startswith(NAMES)
    ]
    return [file.read_text(encoding="utf-8", errors="replace").strip() for file in files]


def written(crates: list[dict[str, Any]]) -> str:
    """Compose the file."""
    bodies: dict[str, tuple[str, list[str], set[str]]] = {}
    for crate in crates:
        for text in texts_of(crate):
            lines = text.splitlines()
            owners = {line.strip() for line in lines if line.strip().lower().startswith("copyright (c)")}
            body = "\n".join(line.rstrip() for line in lines if line.strip() not in owners).strip()
            _, names, every = bodies.setdefault(" ".join(body.split()), (body, [], set()))
            names.append(f"{crate['name']} {crate['version']}")
            every |= owners
    bare = [line_of(crate) for crate in crates if not texts_of(crate)]
    parts = [HEAD, "\n".join(map(line_of, crates)) + "\n"]
    if bare:
        parts.append("Without a license file, so that the declared licenses apply: " + "; ".join(bare) + "\n")
    for body, names, owners in bodies.values():
        parts.append("\n".join(["-" * 72, ", ".join(names), *sorted(owners), "", body, ""]))
    return "\n".join(parts)


if __name__ == "__main__":
    sys.exit(main())
