"""The scripts of `python/tools`, loaded as modules, and the texts that `help` and `--help` print."""

import importlib
import importlib.util
import pydoc
import sys

import click
from rust_source import root


def tool(name):
    """Load a script of `python/tools` as a module."""
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, root() / "python" / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def public_objects():
    """All public names with their objects: those of the top level, then those of the public modules."""
    import imbcore

    found = {f"imbcore.{name}": getattr(imbcore, name) for name in imbcore.__all__}
    for name in tool("public_names").MODULES:
        module = importlib.import_module(f"imbcore.{name}")
        found |= {f"imbcore.{name}.{one}": getattr(module, one) for one in getattr(module, "__all__", ())}
    return found


def printed_help():
    """The text that `help` prints, by public name."""
    documented = {name: found for name, found in public_objects().items() if callable(found)}
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
