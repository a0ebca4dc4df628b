"""`imbcore export`."""

from __future__ import annotations

import click

from imbcore._cli.options import examples, may_force
from imbcore._cli.outputs import check_outputs

__all__ = ["export"]


@click.command(
    epilog=examples(
        "imbcore export model.imb --to sql --dialect duckdb --table claims --keep id -o model.sql",
        "imbcore export model.imb --to sql --proba | sqlite3 shop.db",
    )
)
@click.argument("model")
@click.option("--to", "form", required=True, type=click.Choice(["sql"]), help="Form to write.")
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
@click.option("--output", "-o", metavar="FILE", help="File to write.  [default: standard output]")
@may_force
def export(
    model: str,
    form: str,
    dialect: str,
    tables: tuple[str, ...],
    keep: tuple[str, ...],
    proba: bool,
    output: str | None,
    force: bool,
) -> None:
    """Write a model file in a form that answers without imbcore.

    SQL is one query that answers the rows of a table as predict does.
    """
    import imbcore
    from imbcore._input.files import atomic_write

    check_outputs([(output, form)], [model], force=force)
    fitted = imbcore.load(model)
    answer = "proba" if proba else "class"
    text = fitted.to_sql(tables or "rows", dialect=dialect, output=answer, keep=keep)
    if output is None or output == "-":
        click.echo(text, nl=False)
        return
    with atomic_write(output) as file:
        file.write(text.encode())
