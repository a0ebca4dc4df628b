"""`imbcore datasets`."""

from __future__ import annotations

import click

from imbcore._cli.console import progress_bar_callback
from imbcore._cli.options import NoRepeatedOptionsCommand, format_help_examples, may_force
from imbcore._cli.outputs import reject_overwriting_outputs


@click.command(
    cls=NoRepeatedOptionsCommand,
    epilog=format_help_examples(
        "imbcore datasets",
        "imbcore datasets yeast4",
        "imbcore datasets digits8 -o digits8.csv",
    ),
)
@click.argument("name", required=False)
@click.option(
    "--output", "-o", metavar="FILE", help="Write the data set as a table; the label column is 'target'."
)
@click.option(
    "--folder", metavar="FOLDER", help="Folder that is searched first, before the folder IMBCORE_DATA."
)
@click.option("--offline", is_flag=True, help="Do not download anything.")
@may_force
def datasets(name: str | None, output: str | None, folder: str | None, offline: bool, force: bool) -> None:
    """List the data sets of the literature, or describe or export the set NAME.

    The sets included in scikit-learn work offline; the list marks them. Others are read from a folder or a
    cache, or downloaded from their public source.
    """
    from imbcore import datasets as known
    from imbcore._cli.tables import write_columns

    if name is None:
        click.echo(known.listing())
        return
    entry = known.info(name)
    if output is None:
        click.echo(f"{entry.name}: {entry.original_source}")
        click.echo(f"{entry.rows:,} rows, {entry.features} features, {len(entry.nominal)} of them nominal")
        click.echo(
            f"classes: {', '.join(f'{label} ({rows:,})' for label, rows in entry.class_counts.items())}"
        )
        for title, text in (
            ("positive class", entry.positive_class),
            ("note", entry.note),
            ("license", entry.license),
        ):
            if text:
                click.echo(f"{title}: {text}")
        return
    reject_overwriting_outputs([(output, "table")], [], force=force)
    with progress_bar_callback() as callback:
        data = known.load(name, folder=folder, download=not offline, callback=callback)
    write_columns(output, {**{column: data.X[column] for column in data.X.names}, "target": data.y})
    if output != "-":
        click.echo(f"{output}: {entry.rows:,} rows, {entry.features} features and the column 'target'")
