"""`imbcore export`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from imbcore._cli.options import NoRepeatedOptionsCommand, format_help_examples, may_force
from imbcore._cli.outputs import reject_overwriting_outputs

# Export formats and their file endings.
FORMS = {"sql": ".sql", "json": ".json", "onnx": ".onnx", "c": ".c", "rust": ".rs", "pmml": ".pmml"}
# Options that apply to one format only.
OWN = {"dialect": "sql", "tables": "sql", "keep": "sql", "proba": "sql", "name": "c"}


@click.command(
    cls=NoRepeatedOptionsCommand,
    epilog=format_help_examples(
        "imbcore export model.imb --to sql --dialect duckdb --table claims --keep id -o model.sql",
        "imbcore export model.imb --to sql --proba | sqlite3 shop.db",
        "imbcore export model.imb -o model.onnx",
        "imbcore export model.imb --name claims -o claims.c",
    ),
)
@click.argument("model")
@click.option(
    "--to",
    "form",
    type=click.Choice(list(FORMS)),
    help="Format to write.  [default: from the ending of FILE]",
)
@click.option(
    "--dialect",
    type=click.Choice(["sqlite", "duckdb", "postgres", "bigquery", "spark"]),
    default="sqlite",
    show_default=True,
    help="SQL dialect.",
)
@click.option(
    "--table",
    "tables",
    multiple=True,
    metavar="NAME",
    help="Name of the table to predict; repeat for schema and table.  [default: rows]",
)
@click.option(
    "--keep", multiple=True, metavar="COLUMN", help="Column to return with the predictions; repeatable."
)
@click.option("--proba", is_flag=True, help="Return the probability of every class instead of the class.")
@click.option("--name", default="model", show_default=True, help="Prefix of the names in C.")
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
    """Export a model file to a format that predicts without imbcore.

    SQL is one query that returns the prediction for each row of a table. JSON contains everything needed
    to predict. ONNX and PMML are for their runtimes. C and Rust are programs without dependencies.
    """
    import imbcore
    from imbcore._validation.files import atomic_write

    form = form or _export_format(output)
    for option, owner in OWN.items():
        if form != owner and context.get_parameter_source(option) is not click.core.ParameterSource.DEFAULT:
            flag = "table" if option == "tables" else option
            raise click.UsageError(f"--{flag} is for --to {owner}, not {form}")
    reject_overwriting_outputs([(output, form)], [model], force=force)
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


def _export_format(output: str | None) -> str:
    """Return the export format that matches the ending of a file name."""
    ending = "" if output is None else Path(output).suffix.lower()
    for form, of_form in FORMS.items():
        if ending == of_form:
            return form
    raise click.UsageError(
        f"give the format with --to {', '.join(FORMS)}, or an output that ends in {', '.join(FORMS.values())}"
    )
