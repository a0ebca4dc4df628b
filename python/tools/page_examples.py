"""Run the examples of the README and of `python/docs`, and compare or write their outputs.

A block of Python code, or of shell commands, that prints something is followed by a block ``text`` with what
it prints. In this block, ``...`` stands for any text, and numbers may differ in their last digits, as they do
between processors. Only the first lines of a long output are written.

Usage: python python/tools/page_examples.py [--write] [PAGE ...]
"""

from __future__ import annotations

import argparse
import contextlib
import doctest
import io
import math
import os
import re
import shlex
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "python" / "docs").glob("*.md"))]
EXAMPLE = re.compile(
    r"^```(?P<language>python|bash)\n(?P<code>.*?)^```\n(?:\s*^```text\n(?P<output>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")
SAME_DIGITS = 1e-6
# A longer output is written as its first lines and ``...``, and so is a longer line.
MOST_LINES, FIRST_LINES, LONGEST_LINE = 34, 24, 200
Runner = Callable[[str, list[str]], None]


@dataclass(frozen=True)
class Example:
    """An example of a page: its position in the text, and its expected and its printed output."""

    start: int
    end: int
    line: int
    code: str
    expected: str | None
    printed: str

    def is_correct(self) -> bool:
        """Compare both outputs; an example that prints nothing has no block with an output."""
        if not self.printed or self.expected is None:
            return not self.printed and self.expected is None
        return is_same(self.expected, self.printed)


def is_same(expected: str, printed: str) -> bool:
    """Compare texts, with ``...`` for any text and a tolerance for the last digits of numbers."""
    lines, others = expected.splitlines(), printed.splitlines()
    if len(lines) == len(others) and all(map(_is_same_line, lines, others)):
        return True
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(expected, printed, flags)


def _is_same_line(expected: str, printed: str) -> bool:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    if doctest.OutputChecker().check_output(f"{expected}\n", f"{printed}\n", flags):
        return True
    if NUMBER.sub("0", expected).split() != NUMBER.sub("0", printed).split():
        return False
    pairs = zip(NUMBER.findall(expected), NUMBER.findall(printed), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=SAME_DIGITS, abs_tol=1e-12) for a, b in pairs)


def run(page: Path, run_program: Runner) -> list[Example]:
    """Run all examples of a page in the current folder, in the order of the page."""
    names: dict[str, object] = {"__name__": "__main__"}
    text = page.read_text(encoding="utf-8")
    examples = []
    for found in EXAMPLE.finditer(text):
        line = text.count("\n", 0, found.start("code"))
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            if found["language"] == "python":
                # Blank lines above, so that a traceback shows the line of the page.
                exec(compile("\n" * line + found["code"], str(page), "exec"), names)
            else:
                for command in filter(None, found["code"].replace("\\\n", " ").splitlines()):
                    program, *arguments = shlex.split(command, comments=True)
                    run_program(program, arguments)
        output = "".join(f"{one.rstrip()}\n" for one in printed.getvalue().strip("\n").splitlines())
        examples.append(Example(*found.span(), line + 1, found["code"], found["output"], output))
    return examples


def with_outputs(text: str, examples: list[Example]) -> str:
    """Replace the outputs that differ, and add those that are missing."""
    for one in reversed(examples):
        if not one.is_correct():
            language = "bash" if text.startswith("```bash", one.start) else "python"
            block = f"```{language}\n{one.code}```\n"
            output = f"\n```text\n{shortened(one.printed)}```\n" if one.printed else ""
            text = text[: one.start] + block + output + text[one.end :]
    return text


def shortened(printed: str) -> str:
    """Shorten a long output, also before a line that would end the block."""
    printed, fence, _ = f"\n{printed}".partition("\n```")
    lines = [
        f"{line[:LONGEST_LINE]}..." if len(line) > LONGEST_LINE else line for line in printed.splitlines()[1:]
    ]
    if len(lines) > MOST_LINES or fence:
        lines = [*lines[:FIRST_LINES], "..."]
    return "\n".join([*lines, ""])


def run_imbcore(program: str, arguments: list[str]) -> None:
    """Run a command of imbcore; commands of other programs are tested elsewhere."""
    from imbcore._cli import cli
    from imbcore._cli.console import run_command

    if program == "imbcore" and run_command(cli, arguments) != 0:
        raise RuntimeError(shlex.join([program, *arguments]))


def main() -> int:
    """Run the examples of the pages, and report or write the outputs that differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the outputs into the pages")
    parser.add_argument("pages", nargs="*", type=Path)
    options = parser.parse_args()
    failed = False
    for page in [one.resolve() for one in options.pages] or PAGES:
        before = Path.cwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                examples = run(page, run_imbcore)
            except Exception:
                traceback.print_exc()
                failed = True
                continue
            finally:
                os.chdir(before)
        wrong = [one for one in examples if not one.is_correct()]
        for one in wrong:
            print(f"{page.relative_to(ROOT)}:{one.line}: the output differs", flush=True)
        failed |= bool(wrong) and not options.write
        if wrong and options.write:
            page.write_text(with_outputs(page.read_text(encoding="utf-8"), examples), encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
