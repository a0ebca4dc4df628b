"""`imbcore export`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from imbcore._cli.options import examples, may_force
from imbcore._cli.outputs import check_outputs

__all__ = ["export"]

# Forms, and what names of their files end in.
FORMS = {"sql": ".sql", "json": ".json", "onnx": ".onnx", "c": ".c", "rust": ".rs", "pmml": ".pmml"}
# Options that one form only has.
OWN = {"dialect": "sql", "tables": "sql", "keep": "sql", "proba": "sql", "name": "c"}


@click.command(
    epilog=examples(
        "imbcore export model.imb --to sql --dialect duckdb --table claims --keep id -o model.sql",
        "imbcore export model.imb --to sql --proba | sqlite3 shop.db",
        "imbcore export model.imb -o model.onnx",
        "imbcore export model.imb --name claims -o claims.c",
    )
)
@click.argument("model")
@click.option(
    "--to",
    "form",
    type=click.Choice(list(FORMS)),
    help="Form to write.  [default: by what the name of FILE ends in]",
)
@click.option(
    "--dialect",
    type=click.Choice(["sqlite", "duckdb", "postgres", "bigquery", "spark"]),
    default="sqlite",
    show_default=True,
    help="Database that SQL is for.",
)
@click.option(
    "--table",
    "tables",
    multiple=True,
    metavar="NAME",
    help="Table to answer; repeatable: schema, table.  [default: rows]",
)
@click.option(
    "--keep", multiple=True, metavar="COLUMN", help="Column to stand beside the answers; repeatable."
)
@click.option("--proba", is_flag=True, help="Answer the probability of every class instead of the class.")
@click.option("--name", default="model", show_default=True, help="What the names in C begin with.")
@click.option("--output", "-o", metavar="FILE", help="File to write.  [default: standard output]")
@may_force
@click.pass_context
def export(
    context: click.Context,
    model: str,
    form: str | None,
    dialect: str,
    tables: tuple[str, ...],
    keep: tuple[str, ...],
    proba: bool,
    name: str,
    output: str | None,
    force: bool,
) -> None:
    """Write a model file in a form that answers without imbcore.

    SQL is one query that answers the rows of a table as predict does. JSON holds all that answers follow
    from; ONNX and PMML are for their runtimes; C and Rust are programs without dependencies.
    """
    import imbcore
    from imbcore._input.files import atomic_write

    form = form or _form_of(output)
    for option, owner in OWN.items():
        if form != owner and context.get_parameter_source(option) is not click.core.ParameterSource.DEFAULT:
            flag = "table" if option == "tables" else option
            raise click.UsageError(f"--{flag} is for --to {owner}, not {form}")
    check_outputs([(output, form)], [model], force=force)
    fitted = imbcore.load(model)
    options: dict[str, Any] = {"name": name} if form == "c" else {}
    if form == "sql":
        answer = "proba" if proba else "class"
        options = {"table": tables or "rows", "dialect": dialect, "output": answer, "keep": keep}
    made: Any = getattr(fitted, f"to_{form}")(**options)
    written: bytes = made.encode() if isinstance(made, str) else made.SerializeToString(deterministic=True)
    if output is None or output == "-":
        click.echo(written, nl=False)
        return
    with atomic_write(output) as file:
        file.write(written)


def _form_of(output: str | None) -> str:
    """Return the form that the name of a file asks for."""
    ending = "" if output is None else Path(output).suffix.lower()
    for form, of_form in FORMS.items():
        if ending == of_form:
            return form
    raise click.UsageError(
        f"say the form by --to {', '.join(FORMS)}, or by an output that ends in {', '.join(FORMS.values())}"
    )
