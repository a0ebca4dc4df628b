"""Project rules that no compiler checks."""

import re
from pathlib import Path

import pytest
from rust_source import source

ROOT = Path(__file__).resolve().parents[3]
RUST = [path for folder in ("crates", "tests/rust") for path in sorted((ROOT / folder).rglob("*.rs"))]


@pytest.mark.parametrize("forbidden", ["failure_persistence: None", "RngSeed::Random"])
def test_property_tests_store_failures_and_use_the_seed(forbidden):
    """`make test` fixes the seed of all property tests, `make fuzz` uses others, and failing cases are
    stored.
    """
    assert len(RUST) > 100
    assert [path.relative_to(ROOT) for path in RUST if forbidden in path.read_text(encoding="utf-8")] == []
    assert "PROPTEST_RNG_SEED" in (ROOT / ".cargo" / "config.toml").read_text(encoding="utf-8")


def test_tags_of_random_streams_are_in_their_table():
    """`SeedKey::child` takes a tag of `imbcore_core::tags`, which are unique below one key."""
    calls = {
        f"{path.relative_to(ROOT)}: {call}"
        for path in RUST
        if path.is_relative_to(ROOT / "crates") and path.name != "tests.rs"
        for call in re.findall(r"\.child\(([^,)]+),", source(path))
    }
    assert len(calls) > 25
    assert [call for call in sorted(calls) if ": tags::" not in call] == []
