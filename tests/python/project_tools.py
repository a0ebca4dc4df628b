"""The scripts of `python/tools`, loaded as modules, and the texts that `help` and `--help` print."""

import importlib
import pydoc
import sys
from functools import cache

import click
from rust_source import root


def tool(name):
    """Load a script of `python/tools` as a module."""
    if (folder := str(root() / "python" / "tools")) not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(name)


@cache
def all_texts():
    """Group, path and prose of every file of the project; reading them takes seconds."""
    return list(tool("prose_check").texts(root()))


@cache
def is_banned(word):
    """Whether a word, or its singular, names nothing and occurs in no text."""
    banned = tool("prose_check").WORDING["banned"]
    return word in banned or (word.endswith("s") and word[:-1] in banned)


def printed_help():
    """The text that `help` prints, by public name."""
    documented = {
        name: found for name, found in tool("public_names").public_objects().items() if callable(found)
    }
    return {name: pydoc.render_doc(found, renderer=pydoc.plaintext) for name, found in documented.items()}


def command_help(command=None, words=("imbcore",)):
    """The text that `--help` prints, by command."""
    if command is None:
        from imbcore._cli import cli as command

    context = click.Context(command, info_name=" ".join(words))
    found = {" ".join(words): command.get_help(context)}
    for name, part in getattr(command, "commands", {}).items():
        found |= command_help(part, (*words, name))
    return found
