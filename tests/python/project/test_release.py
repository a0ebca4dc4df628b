"""Requirements of a release: workflows, third-party licenses, metadata, and policy pages."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import imbcore

ROOT = Path(__file__).resolve().parents[3]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def read(*path):
    return ROOT.joinpath(*path).read_text(encoding="utf-8")


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
class TestWorkflows:
    def test_workflows_state_that_they_are_untested(self, file):
        assert file.read_text(encoding="utf-8").startswith("# Untested:")

    def test_permissions_are_minimal_and_actions_are_pinned(self, file):
        text = file.read_text(encoding="utf-8")
        assert "\npermissions:\n  contents: read\n" in text
        uses = re.findall(r"uses: (\S+)", text)
        assert uses
        assert [one for one in uses if not re.fullmatch(r"[\w-]+/[\w.-]+@(v\d+|release/v\d+)", one)] == []
        # A job with write permission only publishes, from a tag.
        for job in re.split(r"\n(?=  \w[\w-]*:\n)", text.partition("\njobs:")[2]):
            if ": write" in job:
                assert "startsWith(github.ref, 'refs/tags/v')" in job
                assert "run:" not in job

    def test_called_targets_and_files_exist(self, file):
        text = file.read_text(encoding="utf-8")
        targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
        called = set(re.findall(r"make ([a-z-]+)", text))
        called |= {
            name for names in re.findall(r"target: \[([a-z, -]+)\]", text) for name in names.split(", ")
        }
        assert called <= targets
        for path in re.findall(r"(?:\.\./)?((?:\.ci|python)/[\w/.-]+)", text):
            assert (ROOT / path).exists(), path
        assert shutil.which("bash") is None or not [
            script
            for script in (ROOT / ".ci").iterdir()
            if subprocess.run(["bash", "-n", str(script)], check=False).returncode
        ]


class TestLicenses:
    def test_license_files_exist_and_are_complete(self):
        found = [path for pattern in PROJECT["license-files"] for path in ROOT.glob(pattern)]
        assert all(list(ROOT.glob(pattern)) for pattern in PROJECT["license-files"])
        texts = {path.name: path.read_text(encoding="utf-8") for path in found}
        third_party = texts["THIRD-PARTY.txt"]
        for name, words in {
            "EPL-1.0.txt": "Eclipse Public License - v 1.0",
            "GPL-3.0.txt": "GNU GENERAL PUBLIC LICENSE",
            "GCC-EXCEPTION-3.1.txt": "GCC RUNTIME LIBRARY EXCEPTION",
            "LGPL-2.1.txt": "GNU LESSER GENERAL PUBLIC LICENSE",
        }.items():
            assert name in third_party
            assert words in texts[name]
        for library in (
            "Cbc",
            "Cgl",
            "Clp",
            "Osi",
            "CoinUtils",
            "lapack",
            "blas",
            "gfortran",
            "quadmath",
            "bz2",
        ):
            assert f"lib{library}" in third_party
        assert re.search(r"^7\. GENERAL", texts["EPL-1.0.txt"], re.MULTILINE)

    def test_every_crate_is_listed_with_its_license(self):
        if shutil.which("cargo") is None:
            pytest.skip("cargo is not installed")
        command = [sys.executable, str(ROOT / "python" / "tools" / "licenses.py"), "--check"]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if "cargo" in ran.stderr:
            pytest.skip("cargo cannot read what the crates need here")
        assert ran.returncode == 0, ran.stdout + ran.stderr

    def test_no_crate_has_a_copyleft_license_only(self):
        """Each crate offers a license that does not bind imbcore's own code."""
        lines = re.findall(
            r"^[\w-]+ \d\S*: (.+)$", read("crates", "py", "licenses", "RUST-CRATES.txt"), re.MULTILINE
        )
        assert len(lines) > 40
        free = ("MIT", "Apache-2.0", "BSD", "Zlib", "Unlicense", "0BSD", "ISC", "Unicode", "CC0", "BSL")
        assert [line for line in lines if not any(name in line for name in free)] == []


class TestMetadata:
    def test_classifiers_are_complete(self):
        least = int(PROJECT["requires-python"].rpartition(".")[2])
        named = [
            int(text.rpartition(".")[2]) for text in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", text)
        ]
        assert named == list(range(least, named[-1] + 1))
        assert {"Typing :: Typed", "Programming Language :: Rust"} < set(PROJECT["classifiers"])
        assert PROJECT["classifiers"] == sorted(PROJECT["classifiers"])
        assert (ROOT / PROJECT["readme"]).exists()
        assert not any("License ::" in text for text in PROJECT["classifiers"])

    def test_workflow_tests_the_oldest_and_the_newest_python(self):
        tried = json.loads(re.search(r'python: (\["3.*\])', read(".github", "workflows", "wheels.yml"))[1])
        named = [text for text in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", text)]
        assert [f"Programming Language :: Python :: {one}" for one in tried] == [named[0], named[-1]]

    def test_all_versions_are_equal(self):
        version = re.search(r'^version = "(.+)"', read("Cargo.toml"), re.MULTILINE)[1]
        assert re.fullmatch(r"\d+\.\d+\.\d+", version)
        assert re.search(r"^## (\S+)", read("CHANGELOG.md"), re.MULTILINE)[1] == version

    def test_policies_are_stated(self):
        page = read("python", "docs", "releases.md")
        assert "## Deprecation" in page
        assert "two more minor releases and six months" in page
        assert "How to report" in read(".github", "SECURITY.md")


def test_wheel_has_no_paper_code():
    """The reruns of the papers are in python/papers; only the repository has their code and tables."""
    home = Path(imbcore.__file__).parent
    papers = ROOT / "python" / "papers"
    names = {path.stem for path in papers.glob("*.py")} | {"papers", "printed", "reproduce"}
    assert [path for path in home.rglob("*") if path.stem in names or path.suffix == ".csv"] == []
    modules = "|".join(sorted(names))
    imports = re.compile(rf"^\s*(?:from|import) (?:{modules})\b", re.MULTILINE)
    assert [path for path in home.rglob("*.py") if imports.search(path.read_text(encoding="utf-8"))] == []


def test_fresh_installation_runs_the_short_example():
    script = ROOT / "python" / "examples" / "ten_lines.py"
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
