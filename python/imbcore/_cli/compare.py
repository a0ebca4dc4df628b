"""`imbcore compare`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from imbcore._cli.console import progress_bar_callback
from imbcore._cli.options import (
    NoRepeatedOptionsCommand,
    add_group_and_time_options,
    add_table_options,
    drop_redundant_budget_key,
    find_label_by_text,
    format_help_examples,
    may_force,
    parse_number_or_pairs,
    reject_methods_among_tables,
    split_method_names,
)
from imbcore._cli.outputs import reject_overwriting_outputs
from imbcore._cli.reading import add_text_file_options

_ENDINGS = (".csv", ".csv.gz", ".parquet", ".pq")


@click.command(
    cls=NoRepeatedOptionsCommand,
    epilog=format_help_examples(
        "imbcore compare data.csv --target y --method hddt,cart,random_forest",
        "imbcore compare data.csv --target y --protocol 3x10 --jobs -1 --html page.html",
        "imbcore compare data.csv --target y --time day --groups customer",
        "imbcore compare folder/ --target class --method hddt,c45,beat --out results",
    ),
)
@click.argument("data", nargs=-1, required=True, metavar="DATA...", callback=reject_methods_among_tables)
@click.option(
    "--method",
    "-m",
    "methods",
    multiple=True,
    callback=split_method_names,
    metavar="NAMES",
    help="Names of two or more methods, separated by commas; repeatable.",
)
@click.option(
    "--protocol",
    metavar="NAME",
    help="5x2, the protocol of a paper (beat, hddt, svr, boxes, thesis), or repetitions and folds such as "
    "3x10.  [default: 1x5 with --time, else 5x2]",
)
@click.option(
    "--score",
    default="average_precision",
    show_default=True,
    metavar="MEASURE",
    help="Metric used for ranks, tests and figures.",
)
@click.option(
    "--jobs", type=int, default=1, show_default=True, help="Number of parallel fits; -1 for all cores."
)
@click.option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="Time limit of one fit; the result of a slower fit is missing.",
)
@click.option(
    "--out",
    metavar="FOLDER",
    help="Folder for records, tables, figures and the page; a later call with it continues the run.",
)
@click.option("--html", metavar="FILE", help="Also write a page with tables, tests and figures.")
@click.option("--json", "as_json", metavar="FILE", help="Also write the means as JSON.")
@click.option("--dask", metavar="ADDRESS", help="Scheduler of the Dask cluster that runs the fits.")
@add_group_and_time_options
@click.option(
    "--alerts",
    callback=parse_number_or_pairs,
    metavar="BUDGET",
    help="With --time: score alerts per period, such as alerts=200,per=1d or alerts=200,per=1d,by=customer.",
)
@click.option("--policies", is_flag=True, help="Also score trivial policies: never, always and random.")
@may_force
@add_table_options
@add_text_file_options
def compare(
    data: tuple[str, ...],
    methods: list[str],
    html: str | None,
    as_json: str | None,
    force: bool,
    **options: Any,
) -> None:
    """Compare methods on the tables DATA with a published protocol: means, ranks and tests.

    DATA are tables, or folders of tables that all have the target column. All methods use the same folds.
    For one table, pairs of methods are tested on its folds; for several tables, on their ranks.
    """
    from imbcore._cli.tables import DEPENDENCE, read_training_table
    from imbcore._validation.files import atomic_write
    from imbcore.evaluation._compare import METHODS
    from imbcore.evaluation._compare import compare as run

    paths = _list_table_paths(data)
    reject_overwriting_outputs(
        [(html, "page"), (as_json, "json")], [str(path) for path in paths], force=force
    )
    read = options | {"weight": None}
    tables = {}
    dependence: dict[str, Any] = {option: {} for option in DEPENDENCE if options[option]}
    for path in paths:
        table = read_training_table(str(path), read)
        label = find_label_by_text(options["positive"], table.y)
        tables[_table_name_from_path(path)] = (
            (table.X, table.y) if label is None else (table.X, table.y, label)
        )
        for option, values in table.dependence.items():
            dependence[option][_table_name_from_path(path)] = values
    with progress_bar_callback() as callback:
        found = run(
            tables,
            methods=methods or METHODS,
            protocol=options["protocol"],
            score=options["score"],
            random_state=options["seed"],
            n_jobs=options["jobs"],
            time_limit=options["time_limit"],
            out=options["out"],
            callback=callback,
            dask=options["dask"],
            time_gap=options["time_gap"],
            date_format=options["date_format"],
            alerts=drop_redundant_budget_key(options["alerts"], options["groups"]),
            policies=options["policies"],
            **dependence,
        )
    if html:
        found.write(html)
    if as_json:
        with atomic_write(as_json) as file:
            file.write((json.dumps(found.rows(), indent=1, ensure_ascii=False) + "\n").encode())
    # Write files first: the reader of standard output may stop reading.
    click.echo(str(found))
    if options["out"]:
        click.echo(f"files: {options['out']}")
    if html:
        click.echo(f"page: {html}")


def _list_table_paths(data: tuple[str, ...]) -> list[Path]:
    """List the given tables and all tables in the given folders."""
    found: list[Path] = []
    for given in map(Path, data):
        inside = [given]
        if given.is_dir():
            inside = sorted(path for path in given.iterdir() if path.name.endswith(_ENDINGS))
        if not inside:
            raise click.UsageError(f"{given} holds no table: no file ends in {', '.join(_ENDINGS)}")
        found += inside
    names = [_table_name_from_path(path) for path in found]
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(f"two tables are called {name!r}; rename one of them")
    return found


def _table_name_from_path(path: Path) -> str:
    return path.name.removesuffix(next((end for end in _ENDINGS if path.name.endswith(end)), ""))
