"""Count type names that are shared, type names that are no nouns, and functions named after prepositions.

Usage: python python/tools/type_names.py [CHECKOUT]
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path

ALLOWED = {"Params", "Learner", "Model", "Error", "Node", "Split", "Step"}
# Participles, pronouns, adverbs and prepositions that have no meaning alone.
NO_NOUNS = frozenset(
    """
    Above Ahead Along Among Around Asked Beside Between Both Bought Broken Chosen Closed Counted
    Dealt Drawn Each Either Few Found Given Grown Hand Heard Held Here Joined Judged Kept Known
    Learnt Looking Made Marked Met Named Near Noted Now Offered Other Others Out Own Packed Paid
    Placed Planned Priced Proven Read Remembered Remembering Said Says Sealed Seen Settled Shown
    Spoken Stated Stored Taken Taught Thinned Told Tried Turned Under Waiting Where Which Whole
    Within Worked Written
    """.split()  # noqa: SIM905
)
PREPOSITIONS = {
    "of",
    "at",
    "with",
    "told",
    "own",
    "hold",
    "among",
    "beside",
    "by",
    "in",
    "on",
    "to",
    "under",
}
TYPE = re.compile(r"^\s*(pub(?:\([a-z ]+\))? )?(?:struct|enum|trait|union|type) ([A-Z]\w*)", re.MULTILINE)
FUNCTION = re.compile(r"\bfn ([a-z_]\w*)")


def main() -> None:
    """Print the three counts and the names behind them."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    homes: dict[str, list[str]] = defaultdict(list)
    odd, prepositions = [], []
    for path in sorted((root / "crates").rglob("*.rs")):
        text = re.split(
            r"^#\[cfg\(test\)\]\nmod \w+ \{", path.read_text(encoding="utf-8"), maxsplit=1, flags=re.MULTILINE
        )[0]
        # Associated types of traits repeat the names of the trait.
        text = re.sub(r"^\s+type \w+( =|:|;).*$", "", text, flags=re.MULTILINE)
        for visible, name in TYPE.findall(text):
            if visible:
                homes[name].append(str(path.relative_to(root)))
            if name in NO_NOUNS:
                odd.append(f"{name} ({path.relative_to(root)})")
        prepositions += [
            f"{name} ({path.relative_to(root)})" for name in FUNCTION.findall(text) if name in PREPOSITIONS
        ]
    counted = {name: files for name, files in homes.items() if name not in ALLOWED}
    total = sum(map(len, counted.values()))
    shared = {name: files for name, files in counted.items() if len(files) > 1}
    n_shared = sum(map(len, shared.values()))
    print(f"visible types: {total}; that share their name: {n_shared} ({100 * n_shared / total:.1f} %)")
    print(f"types on the list of words that are no nouns: {len(odd)}")
    print(f"functions named after a preposition: {len(prepositions)}")
    if "--list" in sys.argv:
        for name, files in sorted(shared.items(), key=lambda item: -len(item[1])):
            print(f"  {name}: {', '.join(files)}")
        print("\n".join(f"  {line}" for line in [*odd, *prepositions]))


if __name__ == "__main__":
    main()
