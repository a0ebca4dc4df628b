"""Sphinx configuration of `make docs`: these pages, and a page for every public name.

Docstrings are in numpydoc format, as in scikit-learn and NumPy. The search index needs no server, so the site
can be opened from a folder.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.highlighting import lexer_classes
from sphinx_gallery.sorting import ExplicitOrder

import imbcore

project = "imbcore"
author = "the imbcore engineers"
version = release = imbcore.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
# GitHub renders Mermaid diagrams; the site shows their source.
lexer_classes["mermaid"] = TextLexer

autosummary_generate = True
autodoc_typehints = "none"
autodoc_inherit_docstrings = True
# Members of scikit-learn's base classes are documented on its site.
autodoc_default_options = {"members": True, "inherited-members": "BaseEstimator"}
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
copybutton_prompt_text = ">>> "

# The site is built in a copy of this folder, build/site-pages.
EXAMPLES = "../../python/examples/gallery"
sys.path.append("../../python/tools")
PARTS = ("first", "decide", "methods", "resampling", "compare")
sphinx_gallery_conf = {
    "examples_dirs": EXAMPLES,
    "gallery_dirs": "gallery",
    "filename_pattern": import_module("gallery_data").pattern_of_runs(),
    "subsection_order": ExplicitOrder([f"{EXAMPLES}/{part}" for part in PARTS]),
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "doc_module": ("imbcore",),
    "backreferences_dir": "gallery/uses",
}

html_theme = "furo"
# Sphinx reads this file from the working directory, not from the folder of this configuration.
html_search_scorer = str(Path(__file__).with_name("search_scorer.js"))
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_title = f"imbcore {version}"
html_show_sourcelink = False
html_show_sphinx = False

# Pages that do not exist in the repository, by section of the index page.
GENERATED = {"Guides": ["gallery/index"], "Reference": ["api/index"]}
LINK = re.compile(r"^- \[[^\]]+\]\(([^)]+)\.md\)", re.MULTILINE)


def add_contents(app: Sphinx, page: str, source: list[str]) -> None:
    """Build the site contents from the index page, and add the tables of the papers."""
    if page == "reproduction":
        source[0] += tree([":glob:"], ["reproduction/**"])
    if page == "index":
        head, *parts = re.split(r"^(?=## )", source[0], flags=re.MULTILINE)
        source[0] = head + "".join(part + contents(part) for part in parts)


def contents(part: str) -> str:
    """Write the table of contents for one section of the index page."""
    caption = part.splitlines()[0].removeprefix("## ")
    pages = [*LINK.findall(part), *GENERATED.get(caption, ())]
    return tree([f":caption: {caption}"], pages) if pages else ""


def tree(options: list[str], pages: list[str]) -> str:
    """Write a hidden table of contents."""
    return "\n".join(["", "", "```{toctree}", ":hidden:", *options, "", *pages, "```", "", ""])


def leave_out(app: Sphinx, what: str, name: str, member: object, skip: bool, options: object) -> bool | None:
    """Skip members that scikit-learn adds to every estimator; they are documented on its site."""
    foreign = (getattr(member, "__module__", None) or "").startswith("sklearn")
    return True if foreign or re.fullmatch(r"[sg]et_(\w+_request|metadata_routing)", name) else None


def setup(app: Sphinx) -> None:
    """Register the event handlers."""
    app.connect("source-read", add_contents)
    app.connect("autodoc-skip-member", leave_out)
