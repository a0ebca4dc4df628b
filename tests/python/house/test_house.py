"""Rules of the house that no compiler knows."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
RUST = [path for folder in ("crates", "tests/rust") for path in sorted((ROOT / folder).rglob("*.rs"))]


@pytest.mark.parametrize("forbidden", ["failure_persistence: None", "RngSeed::Random"])
def test_random_laws_keep_what_failed_and_follow_the_seed(forbidden):
    """`make test` fixes the seed of all of them, `make fuzz` draws others, and what failed once is kept."""
    assert len(RUST) > 100
    assert [path.relative_to(ROOT) for path in RUST if forbidden in path.read_text(encoding="utf-8")] == []
    assert "PROPTEST_RNG_SEED" in (ROOT / ".cargo" / "config.toml").read_text(encoding="utf-8")
